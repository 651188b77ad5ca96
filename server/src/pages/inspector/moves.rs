//! The tables of moves that the application lives by, with everything that stands in them lit.

use enza_runtime::engine::Past;
use maud::{Markup, html};

use super::super::PageContext;
use super::query::InspectorQuery;
use crate::design::empty;
use crate::drawing::moves::diagram;
use crate::problem::Problem;

/// The panel.
pub fn panel(here: &PageContext, past: &Past, glance: &InspectorQuery) -> Result<Markup, Problem> {
    let words = here.words;
    let tables = past.host.tables();
    if tables.is_empty() {
        return Ok(empty(words.say("inspector.no_tables"), words.say("inspector.no_tables_why"), None));
    }
    let positions = past.state_at(glance.at)?.floor(here.lang()).positions;
    Ok(html! {
        section.moves-panel {
            @for table in &tables {
                h2 { (table.name()) }
                (diagram(words, table, &positions))
            }
            p.quiet-note { (words.say("inspector.moves_key")) }
        }
    })
}
