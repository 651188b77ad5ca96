//! The state after an event, and what the event changed in it.

use maud::{Markup, html};

use super::super::PageContext;
use super::change::{changed, changes};
use super::json::tree;
use super::query::{InspectorQuery, InspectorSide, raw_address};
use super::read::ReadPast;
use crate::problem::Problem;

/// The panel.
pub fn panel(here: &PageContext, past: &ReadPast, glance: &InspectorQuery) -> Result<Markup, Problem> {
    let words = here.words;
    let Some((before, after)) = past.around(glance.at)? else {
        return Ok(html! { p.quiet-note { (words.say("inspector.not_yours")) } });
    };
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
