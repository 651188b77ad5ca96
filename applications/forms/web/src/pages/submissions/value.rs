//! A value on a page: as people read it, masked where it is sensitive, cut where there is little room.

use enza_interview::{Absence, Field, show};
use enza_server::words::Words;
use maud::{Markup, html};
use unicode_segmentation::UnicodeSegmentation as _;

/// How much of a value a list shows.
const BRIEF: usize = 60;

/// A value in full.
pub(super) fn value(words: Words, field: Option<&Field>, value: &str, is_masked: bool) -> Markup {
    let text = field.map_or_else(|| value.to_owned(), |field| show(field, value, words.0));
    if is_masked {
        masked(words, html! { span.value { (text) } })
    } else {
        html! { span.value { (text) } }
    }
}

/// A value in a list.
pub(super) fn brief(words: Words, field: Option<&Field>, value: &str, is_masked: bool) -> Markup {
    let text = field.map_or_else(|| value.to_owned(), |field| show(field, value, words.0));
    let cut: String = text.graphemes(true).take(BRIEF).collect();
    let text = if cut.len() < text.len() { format!("{}…", cut.trim_end()) } else { text };
    if is_masked {
        masked(words, html! { span.value { (text) } })
    } else {
        html! { (text) }
    }
}

/// Why there is no value.
pub(super) fn absent(words: Words, absence: Option<Absence>) -> Markup {
    match absence {
        Some(absence) => html! { span.absent { (absence.say(words.0)) } },
        None => html! { span.absent { (words.say("submissions.no_value")) } },
    }
}

/// Something that is shown only to who asks for it.
pub(super) fn masked(words: Words, body: Markup) -> Markup {
    html! {
        details.masked {
            summary { span aria-hidden="true" { "••••••" } " " span.reveal { (words.say("submissions.reveal")) } }
            (body)
        }
    }
}
