//! What everyone spent, by person and by day.

use std::collections::BTreeMap;

use axum::Router;
use axum::response::Response;
use axum::routing::get;
use jiff::civil::Date;
use maud::{Markup, html};
use serde::Deserialize;

use super::tab;
use crate::access::{Allowed, ToRun};
use crate::actions::monitor::{self, Spending};
use crate::design::{empty, section, table, tabs};
use crate::drawing::figures;
use crate::extract::QueryParams;
use crate::pages::PageContext;
use crate::pages::form_error::FormError;
use crate::problem::Problem;
use crate::state::AppState;
use crate::words::Words;

const HERE: &str = "/administration/usage";
/// The ranges one may choose, in days.
const RANGES: [u32; 3] = [7, 30, 90];

pub(super) fn routes() -> Router<AppState> {
    Router::new().route(HERE, get(show))
}

#[derive(Debug, Default, Deserialize)]
struct Range {
    days: Option<u32>,
}

async fn show(
    here: PageContext,
    _: Allowed<ToRun>,
    QueryParams(range): QueryParams<Range>,
) -> Result<Response, Problem> {
    let words = here.words;
    let days = range.days.filter(|days| RANGES.contains(days)).unwrap_or(30);
    let lines = monitor::spending(&here.app, days).await?;
    let address = |days: u32| format!("{HERE}?days={days}");
    let ranges = RANGES.map(|days| (address(days), words.fill("spending.days", &[("days", &days.to_string())])));
    let ranges: Vec<(&str, &str)> = ranges.iter().map(|(href, label)| (href.as_str(), label.as_str())).collect();
    let body = html! {
        (tabs(&ranges, &address(days)))
        @if lines.is_empty() { (empty(words.say("spending.none"), words.say("spending.none_what"), None)) }
        @else {
            (section(words.say("spending.by_person"), by_person(words, &lines)))
            (section(words.say("spending.by_day"), by_day(words, &lines)))
        }
    };
    Ok(tab(&here, HERE, "", &FormError::default(), &body))
}

fn by_person(words: Words, lines: &[Spending]) -> Markup {
    let mut sums: BTreeMap<&str, SpendingSum> = BTreeMap::new();
    for line in lines {
        sums.entry(&line.owner).or_default().add(line);
    }
    let mut sums: Vec<_> = sums.into_iter().collect();
    sums.sort_by_key(|(_, sum)| std::cmp::Reverse((sum.cost, sum.tokens)));
    let rows = sums.into_iter().map(|(owner, sum)| row(html! { (owner) }, None, sum));
    table(&heads(words, &["spending.person"]), rows.collect())
}

fn by_day(words: Words, lines: &[Spending]) -> Markup {
    let rows = lines.iter().map(|line| {
        let mut sum = SpendingSum::default();
        sum.add(line);
        row(html! { (day(line.day)) }, Some(html! { (line.owner) }), sum)
    });
    table(&heads(words, &["spending.day", "spending.person"]), rows.collect())
}

fn heads(words: Words, first: &[&str]) -> Vec<&'static str> {
    let figures = [words.say("spending.calls"), words.say("spending.tokens"), words.say("spending.cost")];
    first.iter().map(|key| words.say(key)).chain(figures).collect()
}

fn row(first: Markup, second: Option<Markup>, sum: SpendingSum) -> Vec<Markup> {
    let figures = [
        html! { (figures::count(sum.calls)) },
        html! { (figures::count(sum.tokens)) },
        html! { (figures::money(sum.cost)) },
    ];
    [first].into_iter().chain(second).chain(figures).collect()
}

#[derive(Default)]
struct SpendingSum {
    calls: u64,
    tokens: u64,
    cost: u64,
}

impl SpendingSum {
    fn add(&mut self, line: &Spending) {
        self.calls += line.calls;
        self.tokens += line.input + line.output;
        self.cost += line.cost;
    }
}

/// A day as it is written, from its number since 1970.
fn day(number: i64) -> String {
    let start = Date::constant(1970, 1, 1);
    let span = jiff::Span::new().try_days(number);
    span.and_then(|span| start.checked_add(span)).map_or_else(|_| number.to_string(), |date| date.to_string())
}
