//! What may be done in a session now: the gate, the words to send, the buttons.
//!
//! Every form works by itself: it is posted, and the answer leads back to the page. `session.js` sends the same through
//! the interface for programs, so that nothing has to be loaded anew. The place to write stays while agents are at work,
//! so that nobody's sentence is cut off; sending waits.

use enza_kernel::floor::{Offer, Weight};
use enza_kernel::gate::{Gate, Risk};
use enza_kernel::limits;
use maud::{Markup, html};
use serde_json::Value;
use uuid::Uuid;

use crate::acts::sessions::Shown;
use crate::design::{self, Field, Kind, Tone, badge, button, dialog, field, patch, verdict_button};
use crate::words::Words;

/// what a person typed and why it was not taken.
#[derive(Default)]
pub(super) struct Unsent {
    /// The words for the session.
    pub words: String,
    /// The remark at the gate.
    pub note: String,
    /// What was wrong.
    pub error: Option<String>,
}

/// The gate as a card: five points, what is at stake, yes or no and a remark.
pub(super) fn gate(words: Words, view: &Shown, unsent: &Unsent) -> Markup {
    let Some(gate) = &view.floor.gate else { return html! {} };
    let action = format!("/sessions/{}/gates", view.row.id);
    let remark = Field {
        value: &unsent.note,
        kind: Kind::Area { rows: 2 },
        limit: Some(limits::NOTE.graphemes),
        error: unsent.error.as_deref(),
        ..Field::new("note", words.say("session.remark"))
    };
    html! {
        section.gate aria-labelledby="gate-title" {
            header.row.apart {
                p.gate-kind { (words.say("session.gate")) }
                (risk(words, gate.risk))
            }
            h2 #gate-title { (gate.ask.intent) }
            (points(words, gate))
            form.form method="post" action=(action) data-gate=(gate.id) data-session=(view.row.id) {
                input type="hidden" name="gate" value=(gate.id);
                (field(words, &remark))
                div.row {
                    (verdict_button("verdict", "yes", words.say("session.yes"), design::Weight::Main))
                    (verdict_button("verdict", "no", words.say("session.no"), design::Weight::Plain))
                }
            }
        }
    }
}

fn points(words: Words, gate: &Gate) -> Markup {
    let ask = &gate.ask;
    html! {
        dl.points {
            @if !ask.grounds.is_empty() { div { dt { (words.say("session.grounds")) } dd { (ask.grounds) } } }
            @if !ask.impact.is_empty() { div { dt { (words.say("session.impact")) } dd { (ask.impact) } } }
            @if !ask.alternatives.is_empty() {
                div {
                    dt { (words.say("session.alternatives")) }
                    dd { ul { @for one in &ask.alternatives { li { (one) } } } }
                }
            }
            @if let Some(diff) = &ask.diff { div.content { dt { (words.say("session.content")) } dd { (content(diff)) } } }
            @if let Some(expires) = gate.expires {
                div { dt { (words.say("session.expires")) } dd { (design::time(words, expires)) } }
            }
        }
    }
}

/// A patch is drawn as one; anything else is shown as it stands, since a list's hyphen removes nothing.
fn content(text: &str) -> Markup {
    let is_patch = text.lines().any(|line| line.starts_with("@@ "));
    if is_patch {
        patch(text)
    } else {
        html! { div.sheet { (text.trim_end()) } }
    }
}

fn risk(words: Words, risk: Risk) -> Markup {
    let tone = match risk {
        Risk::Low => Tone::Plain,
        Risk::Medium => Tone::Warn,
        Risk::High | Risk::Critical => Tone::Bad,
    };
    badge(&words.fill("session.risk", &[("risk", risk.word(words.0))]), tone)
}

/// The place to write.
pub(super) fn composer(words: Words, view: &Shown, unsent: &Unsent) -> Markup {
    let offer = view.floor.offers.iter().find_map(|offer| match offer {
        Offer::Say { label, limit, command, place } => Some((label.as_str(), limit.graphemes, command, place.as_str())),
        Offer::Press { .. } => None,
    });
    let is_working = !view.at_work.is_empty();
    let (label, limit) =
        offer.map_or((words.say("session.next_words"), limits::MESSAGE.graphemes), |(label, limit, ..)| (label, limit));
    let command = offer.map(|(_, _, command, _)| command.to_string());
    let place = offer.map(|(.., place)| place);
    html! {
        form.composer #composer method="post" action={ "/sessions/" (view.row.id) "/commands" }
            data-session=(view.row.id) data-command=[command.as_deref()] data-place=[place]
            hidden[offer.is_none() && !is_working] {
            input type="hidden" name="command" value=[command.as_deref()];
            input type="hidden" name="place" value=[place];
            input type="hidden" name="key" value=(Uuid::now_v7());
            label for="words" { (label) }
            div.composer-box {
                textarea #words name="words" rows="1" required data-limit=(limit) enterkeyhint="send"
                    placeholder=(words.say("session.write_here")) aria-describedby="words-hint" { "\n" (unsent.words) }
                button.button.main type="submit" disabled[offer.is_none()] { (words.say("session.send")) }
            }
            p.composer-foot {
                span #words-hint.keys { (words.say("session.keys")) }
                span.counter data-counts="words" hidden {}
            }
            p.error #words-error role="alert" hidden[unsent.error.is_none()] { (unsent.error.as_deref().unwrap_or_default()) }
        }
    }
}

/// The buttons.
pub(super) fn presses(words: Words, view: &Shown) -> Markup {
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

fn press(words: Words, view: &Shown, place: usize, label: &str, command: &Value, weight: Weight) -> Markup {
    let plainly = |shown: design::Weight| order(view, command, html! { (button(label, shown)) });
    match weight {
        Weight::Main => plainly(design::Weight::Main),
        Weight::Retry => plainly(design::Weight::Main),
        Weight::Plain => plainly(design::Weight::Plain),
        Weight::Grave => {
            let id = format!("sure-{place}");
            html! {
                (order(view, command, html! {
                    input type="hidden" name="grave" value=(label);
                    button.button.quiet type="submit" data-opens=(id) { (label) }
                }))
                (dialog(&id, label, sure(words, view, command, label)))
            }
        }
    }
}

/// Asks once more before something that is not to be taken lightly.
pub(super) fn sure(words: Words, view: &Shown, command: &Value, label: &str) -> Markup {
    html! {
        p { (words.say("session.sure")) }
        (order(view, command, html! {
            div.row {
                (button(label, design::Weight::Grave))
                a.button.quiet href={ "/sessions/" (view.row.id) } data-closes { (words.say("session.not_now")) }
            }
        }))
    }
}

/// A form that sends one command.
pub(super) fn order(view: &Shown, command: &Value, body: Markup) -> Markup {
    html! {
        form.order method="post" action={ "/sessions/" (view.row.id) "/commands" } data-session=(view.row.id)
            data-command=(command) {
            input type="hidden" name="command" value=(command);
            input type="hidden" name="key" value=(Uuid::now_v7());
            (body)
        }
    }
}
