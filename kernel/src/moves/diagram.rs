//! Prints a table as a Mermaid state diagram, for the docs and the inspector.
//!
//! Mermaid has its own ideas of what an identifier is and reads colons and semicolons in labels as syntax. Names that
//! it might misread get an alias, and labels are escaped, so that any table that loads also draws.

use std::collections::BTreeMap;
use std::fmt::Write as _;

use super::table::{Move, Table};

pub(super) fn mermaid(table: &Table) -> String {
    let ids = identifiers(table);
    let mut out = String::from("stateDiagram-v2\n");
    for state in table.states() {
        let id = &ids[state.as_str()];
        if id != state {
            let _ = writeln!(out, "    state \"{}\" as {id}", escape(state));
        }
    }
    let _ = writeln!(out, "    [*] --> {}", ids[table.start()]);
    for one in table.moves() {
        line(&mut out, &ids, one, one.on.clone());
    }
    for one in table.errors() {
        let label = one.on.as_ref().map_or("error".to_owned(), |on| format!("error ({on})"));
        line(&mut out, &ids, one, Some(label));
    }
    for end in table.ends() {
        let _ = writeln!(out, "    {} --> [*]", ids[end.as_str()]);
    }
    out
}

fn line(out: &mut String, ids: &BTreeMap<&str, String>, one: &Move, label: Option<String>) {
    let label = label.map_or(String::new(), |label| format!(" : {}", escape(&label)));
    let _ = writeln!(out, "    {} --> {}{label}", ids[one.from.as_str()], ids[one.to.as_str()]);
}

fn identifiers(table: &Table) -> BTreeMap<&str, String> {
    let number = table.states().iter().enumerate();
    number.map(|(place, state)| (state.as_str(), identifier(state, place))).collect()
}

/// The state's own name where Mermaid takes it; names in the shape of our aliases get one too, so none can collide.
fn identifier(state: &str, place: usize) -> String {
    const WORDS_OF_MERMAID: [&str; 13] = [
        "state",
        "note",
        "end",
        "direction",
        "class",
        "classDef",
        "click",
        "style",
        "as",
        "hide",
        "scale",
        "default",
        "href",
    ];
    let plain = state.chars().all(|letter| letter.is_ascii_alphanumeric() || letter == '_');
    if plain && !state.starts_with("state_") && !WORDS_OF_MERMAID.contains(&state) {
        state.to_owned()
    } else {
        format!("state_{place}")
    }
}

fn escape(label: &str) -> String {
    let mut out = String::new();
    for letter in label.chars() {
        match letter {
            '#' | ';' | ':' | '"' | '<' | '>' => {
                let _ = write!(out, "#{};", u32::from(letter));
            }
            letter if letter.is_control() => out.push(' '),
            letter => out.push(letter),
        }
    }
    out
}
