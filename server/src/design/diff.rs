//! What changes between two texts, line by line.
//!
//! Added and removed lines are told apart by a sign and by what a screen reader says, never by colour alone.

use maud::{Markup, html};
use similar::{ChangeTag, TextDiff};

/// The change from one text to another.
pub fn diff(before: &str, after: &str) -> Markup {
    let compared = TextDiff::from_lines(before, after);
    let lines = compared.iter_all_changes().map(|change| {
        let kind = match change.tag() {
            ChangeTag::Equal => Line::Same,
            ChangeTag::Insert => Line::Added,
            ChangeTag::Delete => Line::Removed,
        };
        (kind, change.value().trim_end_matches(['\n', '\r']))
    });
    draw(lines)
}

#[derive(Clone, Copy)]
enum Line {
    Same,
    Added,
    Removed,
}

fn draw<'a>(lines: impl Iterator<Item = (Line, &'a str)>) -> Markup {
    html! {
        div.diff tabindex="0" {
            @for (kind, text) in lines {
                @match kind {
                    Line::Same => div.same { (text) },
                    Line::Added => ins { (text) },
                    Line::Removed => del { (text) },
                }
            }
        }
    }
}
