//! The tables of moves that the application lives by, with everything that stands in them lit.

use maud::{Markup, html};

use super::super::PageContext;
use super::query::InspectorQuery;
use super::read::ReadPast;
use crate::design::empty;
use crate::drawing::moves::diagram;
use crate::problem::Problem;

/// The panel.
pub fn panel(here: &PageContext, past: &ReadPast, glance: &InspectorQuery) -> Result<Markup, Problem> {
    let words = here.words;
    let tables = past.host().tables();
    if tables.is_empty() {
        return Ok(empty(words.say("inspector.no_tables"), words.say("inspector.no_tables_why"), None));
    }
    let positions = past.positions_at(glance.at, here.lang())?;
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
