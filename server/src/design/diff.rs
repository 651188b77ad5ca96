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
            ChangeTag::Equal => LineChange::Same,
            ChangeTag::Insert => LineChange::Added,
            ChangeTag::Delete => LineChange::Removed,
        };
        (kind, change.value().trim_end_matches(['\n', '\r']))
    });
    draw(lines)
}

#[derive(Clone, Copy)]
enum LineChange {
    Same,
    Added,
    Removed,
}

fn draw<'a>(lines: impl Iterator<Item = (LineChange, &'a str)>) -> Markup {
    html! {
        div.diff tabindex="0" {
            @for (kind, text) in lines {
                @match kind {
                    LineChange::Same => div.same { (text) },
                    LineChange::Added => ins { (text) },
                    LineChange::Removed => del { (text) },
                }
            }
        }
    }
}
