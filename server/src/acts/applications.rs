//! The applications of this house: what they are called, how one begins, what they take and how they move.

use enza_kernel::floor::Opening;
use enza_kernel::moves::Table;
use enza_kernel::text::Lang;
use serde_json::Value;

use crate::house::House;

/// An application, as whoever uses it needs to know it.
pub struct Shown {
    /// Its word.
    pub name: &'static str,
    /// Ready-made ways to begin.
    pub openings: Vec<Opening>,
    /// JSON Schema of its commands.
    pub commands: Value,
    /// Its tables of moves.
    pub tables: Vec<Table>,
}

/// Every application, by its word.
pub fn all(house: &House, lang: Lang) -> Vec<Shown> {
    let repertoire = house.engine().repertoire();
    let hosts = repertoire.names().filter_map(|name| repertoire.find(name));
    hosts
        .map(|host| Shown {
            name: host.name(),
            openings: host.openings(lang),
            commands: host.commands(),
            tables: host.tables(),
        })
        .collect()
}
