//! A field as something to fill in: the proper input for its kind, with its label, mark and what is wrong with it.
//!
//! The same input stands in the classic form, in the panel beside the chat, on the confirmation and under a question.
//! It sends the spelling in which values are kept, so that what was not touched is not changed. What it is called when it
//! is sent is `f.ID`; what was written beside the options is `o.ID`.

use enza_interview::{Choice, Field, Kind};
use enza_kernel::limits;
use enza_server::design::{Tone, badge};
use enza_server::words::Words;
use maud::{Markup, html};

use super::pairs::{FIELD, OTHER};
use crate::actions::respond::{FieldMark, FieldView};

/// More options than this fold into a list.
const SPREAD: usize = 10;

/// A field to be filled in.
pub(super) struct Input<'a> {
    pub entry: &'a FieldView<'a>,
    /// What keeps its ids apart from those of the same field elsewhere on the page.
    pub place: &'a str,
    /// What was typed, where that is something else than what is kept.
    pub typed: Option<&'a str>,
    pub error: Option<&'a str>,
}

/// The input with everything around it.
pub(super) fn input(words: Words, input: &Input<'_>) -> Markup {
    let Input { entry, error, .. } = *input;
    let id = input.id();
    let wrong = format!("{id}-error");
    let lacking = entry.lacking(words.0);
    let complaint = error.or(lacking.as_deref());
    let described = complaint.map(|_| wrong.as_str());
    let body = html! {
        (control(words, input, described))
        @if let Some(complaint) = complaint { p.error id=(wrong) { (complaint) } }
    };
    if is_spread(entry.field) {
        html! {
            fieldset.field.spread id=(id) tabindex="-1" aria-describedby=[described] {
                legend { (name(words, entry)) }
                (body)
            }
        }
    } else {
        html! { div.field { label for=(id) { (name(words, entry)) } (body) } }
    }
}

/// What a mark says, in a word.
pub(super) fn mark(words: Words, mark: FieldMark) -> Markup {
    let (text, tone) = match mark {
        FieldMark::Missing => (words.say("respond.missing"), Tone::Warn),
        FieldMark::Incomplete => (words.say("respond.incomplete"), Tone::Warn),
        FieldMark::SentBack => (words.say("respond.sent_back"), Tone::Warn),
        FieldMark::Checking => (words.say("respond.checking"), Tone::Live),
        FieldMark::Absent(absence) => (absence.say(words.0), Tone::Plain),
    };
    badge(text, tone)
}

/// The control with its label for screen readers alone, for where the question stands already.
pub(super) fn bare(words: Words, input: &Input<'_>) -> Markup {
    let label = &input.entry.label;
    if is_spread(input.entry.field) {
        html! { fieldset.bare { legend.aloud { (label) } (control(words, input, None)) } }
    } else {
        html! { div.bare { label.aloud for=(input.id()) { (label) } (control(words, input, None)) } }
    }
}

fn control(words: Words, input: &Input<'_>, described: Option<&str>) -> Markup {
    let field = input.entry.field;
    let (id, name) = (input.id(), format!("{FIELD}{}", input.entry.id()));
    let value = input.value();
    let invalid = input.error.map(|_| "true");
    let line = |kind: &str, mode: Option<&str>, complete: Option<&str>, step: Option<&str>| {
        html! {
            input id=(id) name=(name) type=(kind) inputmode=[mode] value=(value) autocomplete=(complete.unwrap_or("off"))
                min=[field.min.as_deref()] max=[field.max.as_deref()] step=[step] aria-invalid=[invalid] aria-describedby=[described];
        }
    };
    match field.kind {
        Kind::Text => line("text", None, None, None),
        Kind::Number => line("number", Some("decimal"), None, Some("any")),
        Kind::Integer => line("number", Some("numeric"), None, Some("1")),
        Kind::Date => line("date", None, None, None),
        Kind::Time => line("time", None, None, None),
        Kind::Email => line("email", Some("email"), Some("email"), None),
        Kind::Phone => line("tel", Some("tel"), Some("tel"), None),
        Kind::LongText => html! {
            textarea id=(id) name=(name) rows="4" data-limit=(limits::MESSAGE.graphemes) aria-invalid=[invalid] aria-describedby=[described] { "\n" (value) }
        },
        Kind::Choice if field.options.len() > SPREAD => html! {
            select id=(id) name=(name) aria-invalid=[invalid] aria-describedby=[described] {
                option value="" { (words.say("respond.choose")) }
                @for option in &field.options {
                    option value=(option.value) selected[option.value == value] { (option.shown()) }
                }
            }
            (beside(words, input, field, &value))
        },
        Kind::Choice => html! {
            div.options { (spread(words, input, "radio", &field.options, &value)) }
            (beside(words, input, field, &value))
        },
        Kind::Choices => html! {
            div.options { (spread(words, input, "checkbox", &field.options, &value)) }
            (beside(words, input, field, &value))
        },
        Kind::YesNo => {
            let option = |value: &str, label: &str| Choice { value: value.to_owned(), label: Some(label.to_owned()) };
            let both = [option("yes", words.say("respond.yes")), option("no", words.say("respond.no"))];
            html! { div.options { (spread(words, input, "radio", &both, &value)) } }
        }
        Kind::File => html! {
            @if let Some(kept) = input.entry.shown(words.0) { p.kept-file { (kept) } }
            input id=(id) name=(name) type="file" aria-invalid=[invalid] aria-describedby=[described];
        },
    }
}

fn name(words: Words, entry: &FieldView<'_>) -> Markup {
    html! {
        span.field-name { (entry.label) }
        @if !entry.field.required { span.optional { (words.say("design.optional")) } }
        @if let Some(said) = entry.mark() { (mark(words, said)) }
    }
}

fn spread(words: Words, input: &Input<'_>, kind: &str, options: &[Choice], value: &str) -> Markup {
    let name = format!("{FIELD}{}", input.entry.id());
    let is_chosen = |option: &Choice| value.split("; ").any(|part| part == option.value);
    let may_be_none = kind == "radio" && !input.entry.field.required;
    html! {
        // Sent even where nothing is ticked: the field was on the page.
        @if kind == "checkbox" { input type="hidden" name=(name) value=""; }
        @for option in options {
            label.option {
                input type=(kind) name=(name) value=(option.value) checked[is_chosen(option)];
                span { (option.shown()) }
            }
        }
        @if may_be_none {
            label.option {
                input type=(kind) name=(name) value="" checked[value.is_empty()];
                span.soft { (words.say("respond.no_answer")) }
            }
        }
    }
}

/// A line for an answer beside the options, where one will do.
fn beside(words: Words, input: &Input<'_>, field: &Field, value: &str) -> Markup {
    if !field.allow_other {
        return html! {};
    }
    let id = format!("{}-other", input.id());
    let others = value.split("; ").filter(|part| !field.options.iter().any(|option| option.value == *part));
    html! {
        label.other for=(id) { (words.say("respond.other")) }
        input id=(id) name={ (OTHER) (input.entry.id()) } type="text" value=(others.collect::<Vec<_>>().join("; ")) autocomplete="off";
    }
}

/// Whether it is made of several inputs.
fn is_spread(field: &Field) -> bool {
    match field.kind {
        Kind::Choice => field.options.len() <= SPREAD,
        Kind::Choices | Kind::YesNo => true,
        Kind::Text
        | Kind::LongText
        | Kind::Number
        | Kind::Integer
        | Kind::Date
        | Kind::Time
        | Kind::Email
        | Kind::Phone
        | Kind::File => false,
    }
}

impl Input<'_> {
    fn id(&self) -> String {
        format!("{}-{}", self.place, self.entry.id())
    }

    fn value(&self) -> String {
        self.typed.or(self.entry.record.value()).unwrap_or_default().to_owned()
    }
}
