//! Two sessions side by side: what they share, where they part, what each did after that, and where each ended.
//!
//! Meant for forks of one session; two that are not related can be compared all the same, from their first event.

mod lineage;
mod side;

use std::collections::BTreeMap;

use axum::Router;
use axum::routing::get;
use enza_kernel::time::Seq;
use enza_runtime::seams::store::{Family, Filter, SessionId, SessionRow};
use maud::{Markup, html};

use super::PageContext;
use super::badges::standing_badge;
use super::inspector::{InspectorSide, ReadPast, address, changed, changes, short};
use crate::access::{Allowed, ToRead};
use crate::assets;
use crate::design::{Tone, Weight, button, choice, empty, notice, section, table};
use crate::drawing::figures;
use crate::extract::QueryParams;
use crate::problem::Problem;
use crate::state::AppState;
use crate::words::Words;
use side::{ComparedEvent, LogTotals, Pair, aligned, events_after, sum};

/// How many rows of events are shown.
const ROWS: usize = 300;
/// How much of what was said is shown.
const SAID: usize = 400;

/// The page.
pub fn routes() -> Router<AppState> {
    Router::new().route("/compare", get(compare))
}

/// The sessions of an owner among which the relatives of one are found: a fork belongs to what its parent belongs to.
pub async fn relatives(here: &PageContext, owner: &str, of: Option<&SessionId>) -> Result<Vec<SessionRow>, Problem> {
    let family = of.map_or(Family::Alone, |of| Family::Of(of.clone()));
    let filter = Filter { owner: Some(owner.to_owned()), family, ..Filter::default() };
    Ok(here.app.engine().store().list(&filter).await?)
}

async fn compare(
    here: PageContext,
    allowed: Allowed<ToRead>,
    QueryParams(asked): QueryParams<BTreeMap<String, String>>,
) -> Result<Markup, Problem> {
    let caller = allowed.0;
    let words = here.words;
    let asked_for = |name: &str| asked.get(name).map(|id| id.trim()).filter(|id| !id.is_empty());
    let (Some(a), Some(b)) = (asked_for("a"), asked_for("b")) else {
        let chosen = asked_for("a").or(asked_for("b"));
        let of = match chosen {
            Some(id) => caller.session(&here.app, id).await?.of,
            None => None,
        };
        let rows = relatives(&here, caller.name(), of.as_ref()).await?;
        let body = html! {
            link rel="stylesheet" href=(assets::address("inspector.css"));
            h1 { (words.say("compare.title")) }
            (whom(words, &rows, chosen))
        };
        return Ok(here.page(words.say("compare.title"), &body));
    };
    let (a, b) = (caller.session(&here.app, a).await?, caller.session(&here.app, b).await?);
    let rows = relatives(&here, caller.name(), a.of.as_ref()).await?;
    let shared = lineage::common(&lineage::lineage(&rows, &a), &lineage::lineage(&rows, &b));
    let after = shared.as_ref().map_or(Seq::START, |(_, at)| *at);
    let (left, right) =
        (ReadPast::read(&here.app, &caller, &a.id).await?, ReadPast::read(&here.app, &caller, &b.id).await?);
    let body = html! {
        link rel="stylesheet" href=(assets::address("inspector.css"));
        div.compare {
            h1 { (words.say("compare.title")) }
            div.compare-heads { (head(&here, "A", &left.row)) (head(&here, "B", &right.row)) }
            (parting(words, &left, after, shared.is_some()))
            (section(words.say("compare.events"), events(&here, &left, &right, after)))
            (section(words.say("compare.states"), states(&here, &left, &right)?))
            (section(words.say("compare.used"), used(words, &left, &right, after)))
            (section(words.say("compare.others"), others(words, &rows, &left.row, &right.row)))
        }
    };
    Ok(here.page(words.say("compare.title"), &body))
}

/// Whom to compare, where nobody has said.
fn whom(words: Words, rows: &[SessionRow], chosen: Option<&str>) -> Markup {
    let options: Vec<(String, String)> = rows.iter().take(200).map(|row| (row.id.to_string(), named(row))).collect();
    if options.len() < 2 {
        return empty(words.say("compare.too_few"), words.say("compare.too_few_why"), None);
    }
    let options: Vec<(&str, &str)> = options.iter().map(|(id, name)| (id.as_str(), name.as_str())).collect();
    let first = chosen.unwrap_or(options[0].0);
    let second = options.iter().find(|(id, _)| *id != first).map_or(options[1].0, |(id, _)| id);
    html! {
        form.form method="get" action="/compare" {
            (choice("a", words.say("compare.first"), &options, first))
            (choice("b", words.say("compare.second"), &options, second))
            (button(words.say("compare.go"), Weight::Main))
        }
    }
}

fn named(row: &SessionRow) -> String {
    format!("{} · …{}", row.standing.title, short(&row.id))
}

fn head(here: &PageContext, sign: &str, row: &SessionRow) -> Markup {
    html! {
        div.compare-head {
            span.compare-sign { (sign) }
            div {
                a.compare-title href={ "/sessions/" (row.id) } { (row.standing.title) } " " (standing_badge(here.words, &row.standing))
                p.quiet-note { "…" (short(&row.id)) " · " (here.words.fill("compare.count", &[("count", &row.head.to_string())])) }
            }
        }
    }
}

/// The part that both share, in one line.
fn parting(words: Words, left: &ReadPast, after: Seq, related: bool) -> Markup {
    if !related {
        return notice(Tone::Warn, words.say("compare.unrelated"), words.say("compare.unrelated_why"));
    }
    let text = words.fill("compare.shared", &[("at", &after.to_string())]);
    html! { p.parting { a href=(address(&left.row.id, after, InspectorSide::Event)) { (text) } } }
}

fn events(here: &PageContext, left: &ReadPast, right: &ReadPast, after: Seq) -> Markup {
    let words = here.words;
    let (a, b) = (events_after(words, left, after), events_after(words, right, after));
    if a.is_empty() && b.is_empty() {
        return html! { p.quiet-note { (words.say("compare.nothing_own")) } };
    }
    let pairs = aligned(&a, &b);
    let to = |past: &ReadPast, deed: &ComparedEvent| address(&past.row.id, deed.seq, InspectorSide::Event);
    html! {
        div.pairs role="table" aria-label=(words.say("compare.events")) {
            div.pair.pair-head role="row" { span role="columnheader" { "A" } span role="columnheader" { "B" } }
            @for pair in pairs.iter().take(ROWS) {
                @match pair {
                    Pair::Same(one, other) => div.pair.same role="row" { (cell(words, one, &to(left, one))) (cell(words, other, &to(right, other))) },
                    Pair::Differ(one, other) => div.pair.differ role="row" { (cell(words, one, &to(left, one))) (cell(words, other, &to(right, other))) },
                    Pair::First(one) => div.pair.only role="row" { (cell(words, one, &to(left, one))) span.nothing role="cell" {} },
                    Pair::Second(other) => div.pair.only role="row" { span.nothing role="cell" {} (cell(words, other, &to(right, other))) },
                }
            }
        }
        @if pairs.len() > ROWS { p.rest { (words.fill("compare.more_rows", &[("count", &(pairs.len() - ROWS).to_string())])) } }
    }
}

fn cell(words: Words, deed: &ComparedEvent, href: &str) -> Markup {
    let said: String = deed.content.text.chars().take(SAID).collect();
    let is_cut = deed.content.text.chars().nth(SAID).is_some();
    html! {
        div.deed role="cell" {
            a.deed-seq href=(href) { (deed.seq) }
            code { (deed.content.kind) }
            @if let Some(step) = deed.content.step { span.deed-step { (words.of("inspector-step", step)) } }
            @if !said.is_empty() { p { (said) @if is_cut { "…" } } }
        }
    }
}

fn states(here: &PageContext, left: &ReadPast, right: &ReadPast) -> Result<Markup, Problem> {
    if left.row.application != right.row.application {
        return Ok(html! { p.quiet-note { (here.words.say("compare.other_application")) } });
    }
    match (left.state_at(left.row.head)?, right.state_at(right.row.head)?) {
        (Some(a), Some(b)) => Ok(changed(here.words, &changes(&a.to_json(), &b.to_json()), ("A", "B"))),
        (None, _) | (_, None) => Ok(html! { p.quiet-note { (here.words.say("inspector.not_yours")) } }),
    }
}

fn used(words: Words, left: &ReadPast, right: &ReadPast, after: Seq) -> Markup {
    let heads =
        ["part", "events", "replies", "input", "output", "cached", "cost"].map(|head| words.of("compare-used", head));
    let row = |name: &str, sum: LogTotals| {
        let cached = figures::percent(sum.usage.cache_read, sum.usage.input)
            .map_or("—".to_owned(), |share| format!("{share} %"));
        let cost = if sum.usage.cost == 0 { "—".to_owned() } else { figures::money(sum.usage.cost) };
        let numbers = [sum.events, sum.replies, sum.usage.input, sum.usage.output].map(figures::count);
        let cells = [name.to_owned()].into_iter().chain(numbers).chain([cached, cost]);
        cells.map(|cell| html! { (cell) }).collect::<Vec<_>>()
    };
    let mut rows = Vec::new();
    if after > Seq::START {
        rows.push(row(words.say("compare.part_shared"), sum(left, Seq::START, after)));
    }
    rows.push(row("A", sum(left, after, left.row.head)));
    rows.push(row("B", sum(right, after, right.row.head)));
    table(&heads, rows)
}

/// The fork tree, with a way to put any of it beside A or B.
fn others(words: Words, rows: &[SessionRow], a: &SessionRow, b: &SessionRow) -> Markup {
    let tree = lineage::tree(rows, a);
    let class = |depth: usize| format!("depth-{}", depth.min(6));
    html! {
        ul.fork-tree {
            @for (depth, row) in &tree {
                li class=(class(*depth)) {
                    a href=(address(&row.id, row.head, InspectorSide::Event)) { (named(row)) }
                    @if let Some((_, at)) = &row.parent { " " span.quiet-note { (words.fill("compare.forked_at", &[("at", &at.to_string())])) } }
                    span.fork-ways {
                        @if row.id == a.id { span.compare-sign { "A" } } @else if row.id == b.id { span.compare-sign { "B" } } @else {
                            a href={ "/compare?a=" (a.id) "&b=" (row.id) } { (words.say("compare.with_a")) }
                            a href={ "/compare?a=" (row.id) "&b=" (b.id) } { (words.say("compare.with_b")) }
                        }
                    }
                }
            }
        }
        (whom(words, &of_tree(&tree, rows), Some(a.id.as_str())))
    }
}

/// Those of the tree where there are several, else everyone.
fn of_tree(tree: &[(usize, &SessionRow)], rows: &[SessionRow]) -> Vec<SessionRow> {
    if tree.len() > 1 { tree.iter().map(|(_, row)| (*row).clone()).collect() } else { rows.to_vec() }
}
