//! The applications of this house: what they are called, how one begins, what they take and how they move.

use enza_kernel::floor::Opening;
use enza_kernel::moves::Table;
use enza_kernel::text::Lang;
use serde_json::Value;

use crate::state::AppState;

/// An application, as whoever uses it needs to know it.
pub struct ApplicationSummary {
    pub name: &'static str,
    /// Ready-made ways to begin.
    pub openings: Vec<Opening>,
    /// JSON Schema of its commands.
    pub commands: Value,
    /// Its tables of moves.
    pub tables: Vec<Table>,
}

/// Every application, by its word.
pub fn all(app: &AppState, lang: Lang) -> Vec<ApplicationSummary> {
    let repertoire = app.engine().applications();
    let hosts = repertoire.names().filter_map(|name| repertoire.find(name));
    hosts
        .map(|host| ApplicationSummary {
            name: host.name(),
            openings: host.openings(lang),
            commands: host.commands(),
            tables: host.tables(),
        })
        .collect()
}
