//! Pictures of the real thing, in small: scenes for the cards of applications, made of what the pages are made of.
//!
//! They are looked at and not used: nothing in them can be focused or clicked, and whoever shows one hides it from
//! whoever has pages read aloud. The texts are the part's, in the reader's language.

use maud::{Markup, html};

use super::Speaker;

/// Whether a field has just been filled.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Look {
    Quiet,
    /// The one that the scene is about.
    Fresh,
}

/// Somebody says something.
pub fn said(who: Speaker, name: &str, text: &str) -> Markup {
    let class = match who {
        Speaker::Person => "person",
        Speaker::Agent | Speaker::Session => "agent",
    };
    html! {
        div class={ "scene-said " (class) } {
            span.seat {}
            span.scene-name { (name) }
            span.scene-words { (text) }
        }
    }
}

/// A field of a form, with what stands in it; an empty one waits.
pub fn field(label: &str, value: &str, look: Look) -> Markup {
    html! {
        div.scene-field.is-fresh[look == Look::Fresh] {
            span.scene-label { (label) }
            span.scene-value { (value) }
        }
    }
}

/// What many answered to one question: each answer with how many gave it.
pub fn bars(question: &str, answers: &[(&str, u32)]) -> Markup {
    let most = answers.iter().map(|(_, count)| *count).max().unwrap_or(1);
    html! {
        div.scene-bars {
            span.scene-label { (question) }
            @for (answer, count) in answers {
                div.scene-bar {
                    span { (answer) }
                    svg viewBox="0 0 100 8" preserveAspectRatio="none" { rect width=(f64::from(*count) / f64::from(most) * 100.0) height="8" {} }
                    span.scene-count { (count) }
                }
            }
        }
    }
}

/// A change of a file, as it is shown before it is made.
pub fn change(path: &str, before: &str, after: &str) -> Markup {
    html! {
        div.scene-change {
            span.scene-path { (path) }
            div.diff { del { (before) } ins { (after) } }
        }
    }
}

/// What is asked before it is done, with both answers.
pub fn verdict(question: &str, yes: &str, no: &str) -> Markup {
    html! {
        div.scene-verdict {
            span { (question) }
            span.row { span.button.main { (yes) } span.button.plain { (no) } }
        }
    }
}
