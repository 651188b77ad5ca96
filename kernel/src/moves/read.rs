//! Reads a table's TOML into names that remember their lines.
//!
//! We walk the parsed document by hand instead of deserialising into a struct, because a struct stops at the first
//! thing it does not know, and the author of a table wants to hear of all of them at once. Whether the names make
//! sense together is for `check`.

use std::ops::Range;

use toml::Spanned;
use toml::de::{DeTable, DeValue};

use super::fault::{Flaw, Kind, Problem, TableFault};

/// A table as written, not yet checked.
pub(super) struct Raw {
    pub name: String,
    pub states: Vec<LocatedName>,
    pub start: LocatedName,
    pub ends: Vec<LocatedName>,
    pub moves: Vec<RawMove>,
    pub errors: Vec<RawMove>,
    pub most_per_utterance: Option<u32>,
}

/// A name and the line it stands on.
pub(super) struct LocatedName {
    pub name: String,
    pub line: usize,
}

/// A move as written.
pub(super) struct RawMove {
    pub from: LocatedName,
    pub to: LocatedName,
    pub on: Option<String>,
    pub line: usize,
}

const TABLE_KEYS: [&str; 7] = ["name", "states", "start", "ends", "move", "error", "most_per_utterance"];
const MOVE_KEYS: [&str; 3] = ["from", "to", "on"];

pub(super) fn read(toml: &str) -> Result<Raw, TableFault> {
    let document = DeTable::parse(toml).map_err(|error| {
        let line = line_of(toml, error.span().map_or(0, |span| span.start));
        TableFault::new(None, vec![Problem { line, flaw: Flaw::NotToml { why: error.message().to_owned() } }])
    })?;
    let mut reader = TableReader { toml, problems: Vec::new() };
    let top = Block { entries: document.get_ref(), line: 1 };
    reader.refuse_unknown_keys(&top, &TABLE_KEYS);
    let name = reader.need(&top, "name");
    let states = reader.names(&top, "states");
    let start = reader.need(&top, "start");
    let ends = reader.names(&top, "ends");
    let moves = reader.moves(&top, "move");
    let errors = reader.moves(&top, "error");
    let most_per_utterance = reader.count(&top, "most_per_utterance");
    match (name, start) {
        (Some(name), Some(start)) if reader.problems.is_empty() => {
            Ok(Raw { name: name.name, states, start, ends, moves, errors, most_per_utterance })
        }
        (name, _) => Err(TableFault::new(name.map(|named| named.name), reader.problems)),
    }
}

/// A run of `key = value` lines, and the line it begins on.
struct Block<'a> {
    entries: &'a DeTable<'a>,
    line: usize,
}

struct TableReader<'a> {
    toml: &'a str,
    problems: Vec<Problem>,
}

impl TableReader<'_> {
    fn refuse_unknown_keys(&mut self, block: &Block<'_>, known: &[&str]) {
        for (key, _) in block.entries {
            if !known.contains(&key.get_ref().as_ref()) {
                self.note(key.span(), Flaw::UnknownKey { key: key.get_ref().to_string() });
            }
        }
    }

    fn need(&mut self, block: &Block<'_>, key: &'static str) -> Option<LocatedName> {
        match block.entries.get(key) {
            Some(value) => self.named(value, key),
            None => {
                self.problems.push(Problem { line: block.line, flaw: Flaw::MissingKey { key } });
                None
            }
        }
    }

    fn names(&mut self, block: &Block<'_>, key: &'static str) -> Vec<LocatedName> {
        let Some(value) = block.entries.get(key) else {
            self.problems.push(Problem { line: block.line, flaw: Flaw::MissingKey { key } });
            return Vec::new();
        };
        let Some(items) = value.get_ref().as_array().filter(|items| !items.is_empty()) else {
            self.note(value.span(), Flaw::WrongKind { key, expected: Kind::Names });
            return Vec::new();
        };
        items.iter().filter_map(|item| self.named(item, key)).collect()
    }

    fn moves(&mut self, block: &Block<'_>, key: &'static str) -> Vec<RawMove> {
        let Some(value) = block.entries.get(key) else { return Vec::new() };
        let Some(items) = value.get_ref().as_array() else {
            self.note(value.span(), Flaw::WrongKind { key, expected: Kind::Tables });
            return Vec::new();
        };
        items.iter().filter_map(|item| self.one_move(item, key)).collect()
    }

    fn one_move(&mut self, item: &Spanned<DeValue<'_>>, key: &'static str) -> Option<RawMove> {
        let Some(entries) = item.get_ref().as_table() else {
            self.note(item.span(), Flaw::WrongKind { key, expected: Kind::Tables });
            return None;
        };
        let line = line_of(self.toml, item.span().start);
        let block = Block { entries, line };
        self.refuse_unknown_keys(&block, &MOVE_KEYS);
        let from = self.need(&block, "from");
        let to = self.need(&block, "to");
        let on = entries.get("on").and_then(|value| self.named(value, "on"));
        Some(RawMove { from: from?, to: to?, on: on.map(|named| named.name), line })
    }

    fn named(&mut self, value: &Spanned<DeValue<'_>>, key: &'static str) -> Option<LocatedName> {
        let Some(name) = value.get_ref().as_str().filter(|name| !name.trim().is_empty()) else {
            self.note(value.span(), Flaw::WrongKind { key, expected: Kind::Name });
            return None;
        };
        Some(LocatedName { name: name.to_owned(), line: line_of(self.toml, value.span().start) })
    }

    fn count(&mut self, block: &Block<'_>, key: &'static str) -> Option<u32> {
        let value = block.entries.get(key)?;
        let count = value
            .get_ref()
            .as_integer()
            .and_then(|integer| u32::from_str_radix(integer.as_str(), integer.radix()).ok())
            .filter(|count| *count > 0);
        if count.is_none() {
            self.note(value.span(), Flaw::WrongKind { key, expected: Kind::Count });
        }
        count
    }

    fn note(&mut self, span: Range<usize>, flaw: Flaw) {
        self.problems.push(Problem { line: line_of(self.toml, span.start), flaw });
    }
}

/// The line, counted from 1, on which a byte stands.
fn line_of(toml: &str, byte: usize) -> usize {
    1 + toml.bytes().take(byte).filter(|one| *one == b'\n').count()
}
