//! What may be done in a session now: the words to send, the buttons.
//!
//! Every form works by itself: it is posted, and the answer leads back to the page. `session.js` sends the same through
//! the interface for programs, so that nothing has to be loaded anew. The place to write stays while agents are at work,
//! so that nobody's sentence is cut off; sending waits.

use enza_kernel::floor::{Offer, Weight};
use enza_kernel::limits;
use maud::{Markup, html};
use serde_json::Value;
use uuid::Uuid;

use crate::actions::sessions::SessionView;
use crate::design::{self, button, dialog};
use crate::words::Words;

/// What a person typed and why it was not taken.
#[derive(Default)]
pub(super) struct UnsentWords {
    /// The words for the session.
    pub words: String,
    /// The remark at the gate.
    pub note: String,
    pub error: Option<String>,
}

/// One way to say something.
struct ComposerMode<'a> {
    label: &'a str,
    limit: usize,
    command: String,
    place: &'a str,
}

/// The place to write. Where there are several ways to say something, the first is chosen until another is.
pub(super) fn composer(words: Words, view: &SessionView, unsent: &UnsentWords) -> Markup {
    let ways: Vec<ComposerMode<'_>> = view.floor.offers.iter().filter_map(way).collect();
    let first = ways.first();
    let is_working = !view.at_work.is_empty();
    let (label, limit) = match &ways[..] {
        [one] => (one.label, one.limit),
        [] | [_, ..] => (words.say("session.next_words"), first.map_or(limits::MESSAGE.graphemes, |way| way.limit)),
    };
    let (command, place) = (first.map(|way| way.command.as_str()), first.map(|way| way.place));
    html! {
        form.composer #composer method="post" action={ "/sessions/" (view.row.id) "/commands" }
            data-session=(view.row.id) data-command=[command] data-place=[place] hidden[first.is_none() && !is_working] {
            input type="hidden" name="place" value=[place];
            input type="hidden" name="key" value=(Uuid::now_v7());
            label for="words" { (label) }
            (choice_of_way(words, &ways))
            div.composer-box {
                textarea #words name="words" rows="1" required data-limit=(limit) enterkeyhint="send"
                    placeholder=(words.say("session.write_here")) aria-describedby="words-hint" { "\n" (unsent.words) }
                button.button.main type="submit" disabled[first.is_none()] { (words.say("session.send")) }
            }
            p.composer-foot {
                span #words-hint.keys { (words.say("session.keys")) }
                span.counter data-counts="words" hidden {}
            }
            p.error #words-error role="alert" hidden[unsent.error.is_none()] { (unsent.error.as_deref().unwrap_or_default()) }
        }
    }
}

fn way(offer: &Offer) -> Option<ComposerMode<'_>> {
    match offer {
        Offer::Say { label, limit, command, place } => {
            Some(ComposerMode { label, limit: limit.graphemes, command: command.to_string(), place })
        }
        Offer::Press { .. } => None,
    }
}

/// The command that the words go into: one, or one of several.
fn choice_of_way(words: Words, ways: &[ComposerMode<'_>]) -> Markup {
    html! {
        div.ways-to-say #ways-to-say {
            @match ways {
                [] => {},
                [one] => input type="hidden" name="command" value=(one.command);,
                several => fieldset.segments {
                    legend { (words.say("session.how_to_say")) }
                    @for (place, way) in several.iter().enumerate() {
                        label {
                            input type="radio" name="command" value=(way.command) checked[place == 0];
                            span { (way.label) }
                        }
                    }
                },
            }
        }
    }
}

/// The buttons.
pub(super) fn presses(words: Words, view: &SessionView) -> Markup {
    let presses = view.floor.offers.iter().filter_map(|offer| match offer {
        Offer::Press { label, command, weight } => Some((label, command, *weight)),
        Offer::Say { .. } => None,
    });
    html! {
        div.presses.row {
            @for (place, (label, command, weight)) in presses.enumerate() {
                (press(words, view, place, label, command, weight))
            }
        }
    }
}

fn press(words: Words, view: &SessionView, place: usize, label: &str, command: &Value, weight: Weight) -> Markup {
    let plainly = |shown: design::Weight| order(view, command, html! { (button(label, shown)) });
    match weight {
        Weight::Main => plainly(design::Weight::Main),
        Weight::Retry => plainly(design::Weight::Main),
        Weight::Plain => plainly(design::Weight::Plain),
        Weight::Grave => asked_once_more(words, view, &format!("sure-{place}"), label, command, None),
    }
}

/// A button whose command is sent only after one more question; what it comes to, or that it cannot be undone.
pub(super) fn asked_once_more(
    words: Words,
    view: &SessionView,
    id: &str,
    label: &str,
    command: &Value,
    about: Option<&str>,
) -> Markup {
    html! {
        (order(view, command, html! {
            input type="hidden" name="grave" value=(label);
            @if let Some(about) = about { input type="hidden" name="about" value=(about); }
            button.button.quiet type="submit" data-opens=(id) { (label) }
        }))
        (dialog(id, label, sure(words, view, command, label, about.unwrap_or_else(|| words.say("session.sure")))))
    }
}

/// Asks once more before something that is not to be taken lightly.
pub(super) fn sure(words: Words, view: &SessionView, command: &Value, label: &str, about: &str) -> Markup {
    html! {
        p { (about) }
        (order(view, command, html! {
            div.row {
                (button(label, design::Weight::Grave))
                a.button.quiet href={ "/sessions/" (view.row.id) } data-closes { (words.say("session.not_now")) }
            }
        }))
    }
}

/// A form that sends one command.
pub(super) fn order(view: &SessionView, command: &Value, body: Markup) -> Markup {
    html! {
        form.order method="post" action={ "/sessions/" (view.row.id) "/commands" } data-session=(view.row.id)
            data-command=(command) {
            input type="hidden" name="command" value=(command);
            input type="hidden" name="key" value=(Uuid::now_v7());
            (body)
        }
    }
}
