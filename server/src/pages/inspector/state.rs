//! The state after an event, and what the event changed in it.

use enza_runtime::engine::Past;
use maud::{Markup, html};
use serde_json::Value;

use super::super::PageContext;
use super::change::{changed, changes};
use super::json::tree;
use super::query::{InspectorQuery, InspectorSide, raw_address};
use crate::problem::Problem;

/// The panel.
pub fn panel(here: &PageContext, past: &Past, glance: &InspectorQuery) -> Result<Markup, Problem> {
    let words = here.words;
    let (before, after) = past.around(glance.at)?;
    let (before, after) = (json_of(&before), json_of(&after.to_snapshot()));
    let all = raw_address(&past.row.id, glance.at, InspectorSide::State);
    let names = (words.say("inspector.before"), words.say("inspector.after"));
    Ok(html! {
        section.state {
            h2 { (words.say("inspector.what_changed")) }
            (changed(words, &changes(&before, &after), names))
            h2 { (words.say("inspector.whole_state")) }
            (tree(words, &after, &all))
            p.rest { a href=(all) { (words.say("inspector.raw")) } }
        }
    })
}

/// A frozen state as JSON. A state always is JSON; were one not, nothing would be shown rather than something wrong.
pub fn json_of(frozen: &[u8]) -> Value {
    serde_json::from_slice(frozen).unwrap_or_default()
}
