//! What came of operations, in words for the model.
//!
//! Contents of files and what commands printed stand in fences: they are data, whatever they say.

use enza_kernel::prompt::fence;
use enza_kernel::text::{Lang, Said};

use super::super::action::Operation;
use super::super::batch::{Batch, OrderKind};
use super::super::consent::Decision;
use super::super::settings::CheckCommand;
use super::super::state::State;
use super::super::words;
use crate::words::words;
use enza_work::{Change, Fault, Receipt};

/// The longest diff that a model is told, in characters.
const LONGEST_DIFF: usize = 6_000;

/// What came of a batch, for whoever is to judge it: with the change itself.
pub(super) fn to_review(told: String, batch: &Batch) -> String {
    // Where only a part was taken, it stands there already.
    match diff(batch).filter(|_| batch.picks.is_empty()) {
        Some(diff) => format!("{told}\n{diff}"),
        None => told,
    }
}

/// Everything that came of a batch.
pub(in super::super) fn results(state: &State, batch: &Batch) -> String {
    let lang = state.lang();
    let mut parts: Vec<String> = Vec::new();
    for order in &batch.orders {
        let name = order_name(state, batch, order.does);
        match order.receipt.as_deref() {
            Some(Receipt::Made(changes)) if changes.is_empty() => {}
            Some(Receipt::Made(changes)) => parts.push(made(lang, batch, changes)),
            Some(receipt) => parts.extend(receipt_text(lang, &name, receipt)),
            None if order.lost => parts.push(format!("{name}: {}", words::lost(lang))),
            None => {}
        }
    }
    parts.extend(denied(lang, batch));
    if parts.is_empty() { words::nothing(lang).to_owned() } else { parts.join("\n\n") }
}

fn receipt_text(lang: Lang, name: &str, receipt: &Receipt) -> Option<String> {
    let text = match receipt {
        Receipt::Listed(listed) => format!("{name}\n{}{}", fence("list", &listed.text), more(lang, listed.more)),
        Receipt::Read(read) => {
            let lines = read.text.lines().count() as u32;
            let last = read.from + lines.saturating_sub(1);
            let place = words(lang)
                .fill("report.read", &[("name", &name), ("of", &read.of), ("from", &read.from), ("last", &last)]);
            format!("{place}\n{}{}", fence(&read.path, &read.text), more(lang, read.more))
        }
        Receipt::Found(found) => format!("{name}\n{}{}", fence("found", &found.text), more(lang, found.more)),
        Receipt::Ran(ran) => {
            let beyond = ran.besides(lang).map(|line| format!("\n{line}")).unwrap_or_default();
            format!("{name}: {}\n{}{beyond}", ran.ended.say(lang), fence("output", &ran.output))
        }
        Receipt::Used(text) => format!("{name}\n{}", fence("result", text)),
        Receipt::Refused(why) => format!("{name}: {}", refused(lang, why)),
        Receipt::Restored(restored) => words::put_back(lang, &restored.restored),
        Receipt::Prepared(_) | Receipt::Made(_) | Receipt::Halted | Receipt::Committed(_) => return None,
    };
    Some(text)
}

/// What was changed. A model that is not told which part of its change a person took goes on as if it were all there.
fn made(lang: Lang, batch: &Batch, changes: &[Change]) -> String {
    let paths: Vec<&str> = changes.iter().map(|change| change.path.as_str()).collect();
    let changed = words(lang).fill("report.made", &[("paths", &lang.list(&paths))]);
    match diff(batch).filter(|_| !batch.picks.is_empty()) {
        Some(diff) => format!("{changed}\n{}\n{diff}", words::taken_in_part(lang)),
        None => changed,
    }
}

/// The changes of a batch as they stand now, in a fence.
fn diff(batch: &Batch) -> Option<String> {
    let whole: String = batch.prepared.iter().map(|one| one.diff.as_str()).collect();
    let shown: String = whole.chars().take(LONGEST_DIFF).collect();
    let rest = if shown.len() < whole.len() { "…\n" } else { "" };
    (!whole.is_empty()).then(|| fence("diff", &format!("{shown}{rest}")))
}

fn more(lang: Lang, more: bool) -> &'static str {
    if more { words(lang).say("report.more") } else { "" }
}

/// What was not done, each with its reason.
pub(super) fn denied(lang: Lang, batch: &Batch) -> Vec<String> {
    let denied = batch.decisions.iter().enumerate().filter_map(|(place, decision)| match decision {
        Decision::Denied(why) => Some((place, why)),
        Decision::Allowed(_) | Decision::Asked => None,
    });
    denied
        .filter(|(place, _)| *place < batch.wants.len())
        .map(|(place, why)| {
            let (what, why) = (want_line(batch, place), words::denial(lang, why));
            words(lang).fill("report.denied", &[("what", &what), ("why", &why)])
        })
        .collect()
}

/// What an order does, in one line.
pub(super) fn order_name(state: &State, batch: &Batch, does: OrderKind) -> String {
    match does {
        OrderKind::Look(place) | OrderKind::Run(place) | OrderKind::Tool(place) => {
            batch.wants.get(place as usize).map(|_| want_line(batch, place as usize)).unwrap_or_default()
        }
        OrderKind::Prepare | OrderKind::Choose | OrderKind::Make | OrderKind::PutBack(_) => {
            words(state.lang()).say("report.prepare").to_owned()
        }
        OrderKind::Check(place) => {
            let check = state.settings.checks.get(place as usize).map(CheckCommand::named).unwrap_or_default();
            words(state.lang()).fill("report.check", &[("check", &check)])
        }
        OrderKind::Recover(place) => {
            batch.orders.get(place as usize).map_or(String::new(), |lost| order_name(state, batch, lost.does))
        }
    }
}

/// What a want is, in one line: the operation and what it is about. A patch is about the files in it.
pub(in super::super) fn want_line(batch: &Batch, place: usize) -> String {
    let want = &batch.wants[place];
    format!("{} {}", want.operation.word(), want_target(batch, place))
}

/// What a want is about.
pub(in super::super) fn want_target(batch: &Batch, place: usize) -> String {
    let want = &batch.wants[place];
    let mut paths: Vec<&str> = batch.changes_of(place).map(|one| one.change.path.as_str()).collect();
    paths.dedup();
    if want.operation == Operation::Patch && !paths.is_empty() { paths.join(", ") } else { want.target.clone() }
}

/// Why an order was not carried out, for the model. What a tool or a file says in it is data, and stands in a fence.
fn refused(lang: Lang, why: &Fault) -> String {
    match why {
        Fault::Tool { why: words, .. } | Fault::DoesNotApply { why: words, .. } if !words.is_empty() => {
            let said = say(lang, why);
            let frame = said.message.replace(words.as_str(), "…");
            format!("{frame} {}\n{}", said.hint, fence("said", words))
        }
        _ => fault(lang, why),
    }
}

/// Why an order was not carried out, with the next step.
pub(super) fn fault(lang: Lang, fault: &Fault) -> String {
    say(lang, fault).in_one()
}

/// What is said of a fault. How a server's tools are looked at is our own to say.
fn say(lang: Lang, fault: &Fault) -> Said {
    let said = fault.say(lang);
    let is_of_server = matches!(fault, Fault::Tool { .. });
    if is_of_server { Said { hint: words(lang).say("said.tool_hint").to_owned(), ..said } } else { said }
}
