//! What the caller's sessions have used: by day, by application, by model; in money or in tokens; and as a file.
//!
//! Days are those of UTC, as they are counted. Lines of sessions that are deleted stay.

mod sums;

use std::collections::BTreeMap;

use axum::Router;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use enza_runtime::seams::store::{UsageQuery, UsageRow};
use maud::{Markup, html};

use super::PageContext;
use crate::access::{Allowed, ToRead};
use crate::assets;
use crate::csv_cell::quoted;
use crate::design::{Weight, empty, facts, link_button, section, table};
use crate::drawing::chart::{Bar, Chart, bars, legend};
use crate::drawing::figures;
use crate::drawing::share::{SharePart, bar};
use crate::extract::QueryParams;
use crate::problem::Problem;
use crate::state::AppState;
use crate::words::Words;
use sums::{Series, Sum, Sums, Unit};

/// The ranges one may choose, in days.
const RANGES: [i64; 3] = [7, 30, 90];
/// The word that the understudy replies under.
const UNDERSTUDY: &str = "understudy";

/// The page and the file.
pub fn routes() -> Router<AppState> {
    Router::new().route("/usage", get(usage)).route("/usage/lines.csv", get(lines))
}

/// What was asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct UsagePageQuery {
    days: i64,
    unit: Option<Unit>,
}

impl UsagePageQuery {
    /// Reads the address. What it does not know counts as not said: there is nothing to lose here.
    fn read(asked: &BTreeMap<String, String>) -> Self {
        let word = |name: &str| asked.get(name).map(String::as_str).unwrap_or_default();
        let days = RANGES.into_iter().find(|days| days.to_string() == word("days")).unwrap_or(30);
        Self { days, unit: Unit::ALL.into_iter().find(|unit| unit.word() == word("unit")) }
    }

    fn address(self, page: &str) -> String {
        match self.unit {
            Some(unit) => format!("{page}?days={}&unit={}", self.days, unit.word()),
            None => format!("{page}?days={}", self.days),
        }
    }
}

async fn usage(
    here: PageContext,
    allowed: Allowed<ToRead>,
    QueryParams(asked): QueryParams<BTreeMap<String, String>>,
) -> Result<Markup, Problem> {
    let words = here.words;
    let wish = UsagePageQuery::read(&asked);
    let (rows, from, to) = read(&here.app, allowed.0.name(), wish.days).await?;
    // Where nothing has a price, money would only show a flat line.
    let unit = wish.unit.unwrap_or(if rows.iter().any(|row| row.usage.cost > 0) { Unit::Money } else { Unit::Tokens });
    let sums = Sums::of(&rows, from, to, unit);
    let body = html! {
        link rel="stylesheet" href=(assets::address("inspector.css"));
        div.usage {
            h1 { (words.say("usage.title")) }
            (choices(words, wish, unit))
            @if rows.is_empty() {
                (empty(words.say("usage.nothing"), words.say("usage.nothing_why"), None))
            } @else {
                (totals(words, &sums))
                (section(words.say("usage.by_day"), by_day(&here, &sums, unit)))
                (section(words.say("usage.by_application"), ranked(&here, "application", &sums.applications, unit)))
                (section(words.say("usage.by_model"), ranked(&here, "model", &sums.models, unit)))
                p.quiet-note { (words.say("usage.utc")) }
                (link_button(&wish.address("/usage/lines.csv"), words.say("usage.download"), Weight::Plain))
            }
        }
    };
    Ok(here.page(words.say("usage.title"), &body))
}

/// Every line of the range, as a spreadsheet reads it.
async fn lines(
    here: PageContext,
    allowed: Allowed<ToRead>,
    QueryParams(asked): QueryParams<BTreeMap<String, String>>,
) -> Result<Response, Problem> {
    let wish = UsagePageQuery::read(&asked);
    let (rows, from, to) = read(&here.app, allowed.0.name(), wish.days).await?;
    let mut text = String::from(
        "day,application,model,session,calls,input_tokens,output_tokens,cache_read_tokens,cache_write_tokens,cost_usd\r\n",
    );
    for row in &rows {
        let session = row.session.as_ref().map(|id| id.as_str()).unwrap_or_default();
        let words = [&date(row.day), &row.application, &row.model, session].map(quoted);
        let usage = row.usage;
        let numbers =
            [row.calls, usage.input, usage.output, usage.cache_read, usage.cache_write].map(|one| one.to_string());
        let cost = format!("{}.{:06}", usage.cost / 1_000_000, usage.cost % 1_000_000);
        text += &format!("{},{},{cost}\r\n", words.join(","), numbers.join(","));
    }
    let name = format!("attachment; filename=\"enza-usage-{}-{}.csv\"", date(from), date(to));
    let headers = [(CONTENT_TYPE, "text/csv; charset=utf-8".to_owned()), (CONTENT_DISPOSITION, name)];
    Ok((headers, text).into_response())
}

/// The lines of so many days up to today.
async fn read(app: &AppState, owner: &str, days: i64) -> Result<(Vec<UsageRow>, i64, i64), Problem> {
    let to = app.now().0.div_euclid(24 * 60 * 60 * 1_000);
    let from = to - days + 1;
    let query =
        UsageQuery { owner: Some(owner.to_owned()), from_day: Some(from), to_day: Some(to), ..UsageQuery::default() };
    Ok((app.engine().store().usage(&query).await?, from, to))
}

fn choices(words: Words, wish: UsagePageQuery, unit: Unit) -> Markup {
    let way = |to: UsagePageQuery, label: &str, is_here: bool| {
        html! { a href=(to.address("/usage")) aria-current=[is_here.then_some("true")] { (label) } }
    };
    html! {
        div.choices {
            nav.choice-row aria-label=(words.say("usage.range")) {
                @for days in RANGES {
                    (way(UsagePageQuery { days, ..wish }, &words.fill("usage.days", &[("count", &days.to_string())]), days == wish.days))
                }
            }
            nav.choice-row aria-label=(words.say("usage.unit")) {
                @for one in Unit::ALL { (way(UsagePageQuery { unit: Some(one), ..wish }, words.of("usage-unit", one.word()), one == unit)) }
            }
        }
    }
}

fn totals(words: Words, sums: &Sums) -> Markup {
    let Sum { calls, usage } = sums.total;
    let share = figures::percent(usage.cache_read, usage.input).map_or("—".to_owned(), |share| format!("{share} %"));
    let cost = if usage.cost == 0 { "—".to_owned() } else { figures::money(usage.cost) };
    let list = [
        ("cost", cost),
        ("calls", figures::count(calls)),
        ("input", figures::count(usage.input)),
        ("output", figures::count(usage.output)),
        ("cached", share),
    ];
    let list: Vec<(&str, Markup)> =
        list.into_iter().map(|(key, text)| (words.of("usage-head", key), html! { span.figure { (text) } })).collect();
    let parts = cache_parts(words, &sums.total);
    html! {
        div.totals { (facts(&list)) }
        @if usage.cache_read > 0 || usage.cache_write > 0 {
            div.cache-share {
                (bar(words.say("usage.cache_share"), &parts, usage.input))
                ul.used-parts { @for part in parts.iter().filter(|part| part.amount > 0) { li class=(part.class) { (part.title) } } }
            }
        }
    }
}

/// What of the input came from a cache.
fn cache_parts(words: Words, sum: &Sum) -> [SharePart<'static>; 3] {
    let usage = sum.usage;
    let anew = usage.input.saturating_sub(usage.cache_read.saturating_add(usage.cache_write));
    let part = |class, key: &str, amount| SharePart {
        class,
        title: format!("{}: {}", words.of("usage-part", key), figures::count(amount)),
        amount,
    };
    [
        part("cached", "cached", usage.cache_read),
        part("written", "written", usage.cache_write),
        part("anew", "anew", anew),
    ]
}

fn by_day(here: &PageContext, sums: &Sums, unit: Unit) -> Markup {
    let words = here.words;
    let names: Vec<String> = sums.series.iter().map(|one| series_name(here, one)).collect();
    let list: Vec<Bar> = sums
        .days
        .iter()
        .map(|(day, _, parts)| Bar {
            name: date(*day),
            brief: date(*day)[5..].to_owned(),
            parts: parts.iter().map(|part| unit.of(part)).collect(),
        })
        .collect();
    let chart = Chart {
        title: words.of("usage-chart", unit.word()),
        series: &names,
        bars: &list,
        exact: &|amount| shown(words, unit, amount),
        brief: &|amount| match unit {
            Unit::Money => figures::money(amount),
            Unit::Tokens => figures::short(amount),
        },
    };
    let heads = ["day", "calls", "input", "output", "cached", "cost"].map(|head| words.of("usage-head", head));
    let used = sums.days.iter().rev().filter(|(_, sum, _)| sum.calls > 0 || sum.usage.total() > 0);
    let rows = used.map(|(day, sum, _)| cells(date(*day), sum)).collect();
    html! {
        (bars(&chart))
        (legend(&names))
        details.exact-numbers { summary { (words.say("usage.exact")) } (table(&heads, rows)) }
    }
}

/// A list with a bar for each, the largest first.
fn ranked(here: &PageContext, what: &str, list: &[(String, Sum)], unit: Unit) -> Markup {
    let words = here.words;
    let most = list.iter().map(|(_, sum)| unit.of(sum)).max().unwrap_or(0);
    let heads = [what, "amount", "calls", "input", "output", "cached", "cost"].map(|head| words.of("usage-head", head));
    let rows = list
        .iter()
        .map(|(name, sum)| {
            let name = if what == "model" { model_name(words, name) } else { application_name(here, name) };
            let amount = unit.of(sum);
            let part = SharePart { class: "amount", title: shown(words, unit, amount), amount };
            let mut row = cells(name, sum);
            row.insert(1, html! { span.cell-bar { (bar(&shown(words, unit, amount), &[part], most)) } });
            row
        })
        .collect();
    table(&heads, rows)
}

fn cells(name: String, sum: &Sum) -> Vec<Markup> {
    let usage = sum.usage;
    let share = figures::percent(usage.cache_read, usage.input).map_or("—".to_owned(), |share| format!("{share} %"));
    let cost = if usage.cost == 0 { "—".to_owned() } else { figures::money(usage.cost) };
    let numbers = [sum.calls, usage.input, usage.output].map(figures::count);
    let all = [name].into_iter().chain(numbers).chain([share, cost]);
    all.map(|cell| html! { (cell) }).collect()
}

fn shown(words: Words, unit: Unit, amount: u64) -> String {
    match unit {
        Unit::Money => figures::money(amount),
        Unit::Tokens => words.fill("usage.tokens", &[("count", &figures::count(amount))]),
    }
}

fn series_name(here: &PageContext, series: &Series) -> String {
    match series {
        Series::Application(name) => application_name(here, name),
        Series::Others => here.words.say("usage.others").to_owned(),
    }
}

fn application_name(here: &PageContext, name: &str) -> String {
    if name.is_empty() { here.words.say("usage.not_kept").to_owned() } else { here.title_of(name).to_owned() }
}

/// A model as people are told of it: the stand-in is not passed off as one.
fn model_name(words: Words, name: &str) -> String {
    match name {
        "" => words.say("usage.not_kept").to_owned(),
        UNDERSTUDY => words.say("usage.understudy").to_owned(),
        name => name.to_owned(),
    }
}

/// A day of UTC.
fn date(day: i64) -> String {
    let instant = jiff::Timestamp::from_second(day.saturating_mul(24 * 60 * 60));
    instant.map_or_else(|_| "0000-00-00".to_owned(), |instant| instant.strftime("%Y-%m-%d").to_string())
}
