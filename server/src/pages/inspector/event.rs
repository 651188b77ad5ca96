//! The event itself: what it is, what it says, what it cost, and its body.

use enza_kernel::agent::{Step, ThreadEvent};
use enza_kernel::floor::Line;
use enza_runtime::seams::store::Recorded;
use maud::{Markup, html};
use serde_json::{Value, json};

use super::super::PageContext;
use super::json::{folded, pretty};
use super::query::{InspectorQuery, InspectorSide, raw_address};
use super::read::ReadPast;
use crate::design::facts;
use crate::drawing::figures;
use crate::drawing::timeline::{step_of, step_word};

/// The panel.
pub fn panel(here: &PageContext, past: &ReadPast, glance: &InspectorQuery) -> Markup {
    let words = here.words;
    let Some(seen) = past.event(glance.at) else { return html! {} };
    let line = seen.line(here.lang());
    let Some(recorded) = seen.recorded() else { return closed(here, line) };
    let step = step_of(recorded);
    let all = raw_address(&past.row.id, glance.at, InspectorSide::Event);
    html! {
        section.event {
            h2.event-kind {
                code { (recorded.stored.kind) }
                @if let Some(step) = &step { span.event-step { (words.of("inspector-step", step_word(&step.what))) } }
            }
            (facts(&about(here, past, recorded, step.as_ref())))
            @if let Some(line) = line {
                blockquote.event-line { (folded(words, &line.text)) }
            }
            h3 { (words.say("inspector.body")) }
            (pretty(words, &body(recorded), &all))
            p.rest { a href=(all) { (words.say("inspector.raw")) } }
        }
    }
}

/// An event that is for others in the session to see, with the line that everyone reads of it.
fn closed(here: &PageContext, line: Option<Line>) -> Markup {
    html! {
        section.event {
            p.quiet-note { (here.words.say("inspector.not_yours")) }
            @if let Some(line) = line { blockquote.event-line { (folded(here.words, &line.text)) } }
        }
    }
}

/// The event as it stands in the log, with its body as JSON.
pub fn whole(recorded: &Recorded) -> Value {
    json!({
        "seq": recorded.seq,
        "at": recorded.at,
        "kind": recorded.stored.kind,
        "version": recorded.stored.version,
        "body": body(recorded),
    })
}

fn body(recorded: &Recorded) -> Value {
    // What is no JSON is shown as the text it is.
    serde_json::from_str(&recorded.stored.body).unwrap_or_else(|_| Value::String(recorded.stored.body.clone()))
}

fn about<'a>(
    here: &'a PageContext,
    past: &ReadPast,
    recorded: &Recorded,
    step: Option<&Step>,
) -> Vec<(&'a str, Markup)> {
    let words = here.words;
    let mut list = vec![
        (words.say("inspector.time"), html! { (exact_time(recorded)) }),
        (words.say("inspector.version"), html! { (recorded.stored.version) }),
    ];
    let before = past.events.iter().take_while(|one| one.seq() < recorded.seq).last();
    if let Some(before) = before {
        let after = figures::span(here.lang(), before.at().until(recorded.at));
        list.push((words.say("inspector.since_last"), html! { (after) }));
    }
    let together: Vec<u64> = past.events.iter().filter(|one| one.at() == recorded.at).map(|one| one.seq().0).collect();
    if let (Some(first), Some(last), true) = (together.first(), together.last(), together.len() > 1) {
        list.push((words.say("inspector.decided_with"), html! { (first) "–" (last) }));
    }
    if let Some(step) = step {
        list.push((words.say("inspector.thread"), html! { code { (step.thread) } }));
        if let ThreadEvent::Replied { usage, model, asked_at, .. } = &step.what {
            let tokens = format!("{} → {}", figures::count(usage.input), figures::count(usage.output));
            list.push((words.say("inspector.model"), html! { (model) }));
            list.push((words.say("inspector.tokens_in_out"), html! { (tokens) }));
            list.push((words.say("inspector.asked_at"), html! { (asked_at) }));
            if usage.cost > 0 {
                list.push((words.say("inspector.cost"), html! { (figures::money(usage.cost)) }));
            }
        }
    }
    list
}

/// To the millisecond, as the log has it.
fn exact_time(recorded: &Recorded) -> Markup {
    let Ok(moment) = jiff::Timestamp::from_millisecond(recorded.at.0) else { return html! { (recorded.at.0) } };
    let exact = moment.strftime("%Y-%m-%d %H:%M:%S%.3f UTC").to_string();
    html! { span.exact { (exact) } }
}
