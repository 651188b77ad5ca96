//! Short things said beside the rest: a badge, a notice, a toast.

use maud::{Markup, html};

/// How something is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tone {
    /// Just so.
    Plain,
    /// It went well.
    Good,
    /// It wants attention.
    Warn,
    /// It went wrong.
    Bad,
    /// It is going on now.
    Live,
}

impl Tone {
    fn class(self) -> &'static str {
        match self {
            Self::Plain => "plain",
            Self::Good => "good",
            Self::Warn => "warn",
            Self::Bad => "bad",
            Self::Live => "live",
        }
    }
}

/// A word or two about something.
pub fn badge(text: &str, tone: Tone) -> Markup {
    html! { span class={ "badge " (tone.class()) } { (text) } }
}

/// Something to know before going on.
pub fn notice(tone: Tone, title: &str, text: &str) -> Markup {
    html! {
        div class={ "notice " (tone.class()) } role=[(tone == Tone::Bad).then_some("alert")] {
            p.notice-title { (title) }
            @if !text.is_empty() { p { (text) } }
        }
    }
}

/// Something that is said once and goes by itself. `enza.js` makes more of the same kind.
pub fn toast(tone: Tone, text: &str) -> Markup {
    html! { div class={ "toast " (tone.class()) } role="status" { p { (text) } } }
}
