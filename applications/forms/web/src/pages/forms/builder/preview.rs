//! What a respondent will see: the words before the first question, that question, and every field as a plain form.
//!
//! It is drawn in the form's own language, and nothing in it can be sent.

use enza_interview::{Field, Form, Kind};
use enza_kernel::time::Timestamp;
use enza_server::words::Words;
use maud::{Markup, html};

use super::dry_run::first_question;

/// The preview of a draft. The titles are the owner's, the rest is the respondent's.
pub(super) fn preview(words: Words, form: &Form, at: Timestamp) -> Markup {
    let theirs = Words(form.language);
    html! {
        h2 { (words.say("preview.name")) }
        div.preview-sheet lang=(form.language) {
            p.preview-title { (form.title) }
            @if let Some(description) = &form.description { p.preview-text { (description) } }
            @if let Some(consent) = &form.consent {
                p.preview-text.preview-consent { (consent) }
                p.preview-agree { span.preview-box aria-hidden="true" {} (theirs.say("preview.agree")) }
            }
        }
        h3 { (words.say("preview.first")) }
        @match first_question(form, at) {
            Some(question) => {
                p.preview-question lang=(form.language) { (question) }
                p.hint { (words.say("preview.first_hint")) }
            }
            None => p.hint { (words.say("preview.no_first")) }
        }
        h3 { (words.say("preview.classic")) }
        @if form.fields.is_empty() { p.hint { (words.say("preview.nothing")) } }
        ol.preview-fields lang=(form.language) {
            @for field in form.fields.iter().filter(|field| !field.hidden) { li { (shown(theirs, form, field)) } }
        }
    }
}

fn shown(words: Words, form: &Form, field: &Field) -> Markup {
    let item = field.group.as_deref().and_then(|group| form.group(group)).map(|group| group.item.as_str());
    html! {
        p.preview-label {
            (if field.label.trim().is_empty() { words.say("builder.unnamed") } else { field.label.trim() })
            @if field.required { span.preview-mark { (words.say("preview.required")) } }
            @if !field.when.is_empty() { span.preview-mark { (words.say("preview.sometimes")) } }
            @if let Some(item) = item { span.preview-mark { (words.fill("preview.each", &[("item", item)])) } }
        }
        @match field.kind {
            Kind::Choice | Kind::Choices => {
                ul.preview-options {
                    @for option in &field.options { li { (option.shown()) } }
                    @if field.allow_other { li { (words.say("preview.other")) } }
                }
            }
            Kind::YesNo => { ul.preview-options { li { (words.say("preview.yes")) } li { (words.say("preview.no")) } } }
            Kind::LongText => { div.preview-entry.tall aria-hidden="true" {} }
            Kind::Text
            | Kind::Number
            | Kind::Integer
            | Kind::Date
            | Kind::Time
            | Kind::Email
            | Kind::Phone
            | Kind::File => {
                div.preview-entry aria-hidden="true" { (words.of("preview-entry", field.kind.word())) }
            }
        }
    }
}
