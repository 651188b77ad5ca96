//! The place to write.
//!
//! It works by itself: it is posted, and the answer leads back to the page; `session.js` sends the same form. It stays while
//! agents are at work, so that nobody's sentence is cut off; sending waits.

use enza_kernel::floor::Offer;
use enza_kernel::limits;
use maud::{Markup, html};
use uuid::Uuid;

use super::viewer::{Act, Viewer};
use crate::actions::sessions::SessionView;

/// What a person typed and why it was not taken.
#[derive(Default)]
pub struct UnsentWords {
    /// The words for the session.
    pub words: String,
    /// The remark at the gate.
    pub note: String,
    pub error: Option<String>,
}

/// What the place to write says and sends.
pub struct Composer {
    pub label: String,
    /// Whether the label is for those alone who cannot see where they are.
    pub is_aloud: bool,
    pub placeholder: &'static str,
    pub send: &'static str,
    /// How many characters the words may have.
    pub limit: usize,
    /// What is sent beside the words.
    pub fields: Vec<(&'static str, String)>,
    /// Several ways to say it, where there are: the label, and the command that the words go into.
    pub ways: Vec<(String, String)>,
    /// Whether it is the viewer's turn.
    pub may_send: bool,
    /// Whether there will be something to say.
    pub is_shown: bool,
}

impl Composer {
    /// What the floor offers to be said. Where there are several ways to say something, the first is chosen until another is.
    pub(super) fn of_floor(viewer: &Viewer, view: &SessionView) -> Self {
        let words = viewer.words;
        let says = view.floor.offers.iter().filter_map(|offer| match offer {
            Offer::Say { label, limit, command, place } => Some((label, limit.graphemes, command.to_string(), place)),
            Offer::Press { .. } => None,
        });
        let says: Vec<_> = says.filter(|_| viewer.may(Act::Command)).collect();
        let label = match &says[..] {
            [(label, ..)] => (*label).clone(),
            [] | [_, ..] => words.say("session.next_words").to_owned(),
        };
        let mut fields: Vec<_> = says.first().map(|(.., place)| ("place", (*place).clone())).into_iter().collect();
        let ways = match &says[..] {
            [] => Vec::new(),
            [(_, _, command, _)] => {
                fields.push(("command", command.clone()));
                Vec::new()
            }
            several => several.iter().map(|(label, _, command, _)| ((*label).clone(), command.clone())).collect(),
        };
        Self {
            label,
            is_aloud: false,
            placeholder: words.say("session.write_here"),
            send: words.say("session.send"),
            limit: says.first().map_or(limits::MESSAGE.graphemes, |(_, limit, ..)| *limit),
            fields,
            ways,
            may_send: !says.is_empty(),
            is_shown: !says.is_empty() || !view.at_work.is_empty(),
        }
    }
}

/// The place to write.
pub(super) fn composer(viewer: &Viewer, composer: &Composer, unsent: &UnsentWords) -> Markup {
    let words = viewer.words;
    html! {
        form.composer #composer method="post" action=(viewer.orders()) hidden[!composer.is_shown] {
            input type="hidden" name="key" value=(Uuid::now_v7());
            label.aloud[composer.is_aloud] for="words" { (composer.label) }
            (ways(viewer, composer))
            div.composer-box {
                textarea #words name="words" rows="1" required data-limit=(composer.limit) enterkeyhint="send"
                    placeholder=(composer.placeholder) aria-describedby="words-hint" { "\n" (unsent.words) }
                button.button.main type="submit" disabled[!composer.may_send] { (composer.send) }
            }
            p.composer-foot {
                span #words-hint.keys { (words.say("session.keys")) }
                span.counter data-counts="words" hidden {}
            }
            p.error #words-error role="alert" hidden[unsent.error.is_none()] { (unsent.error.as_deref().unwrap_or_default()) }
        }
    }
}

/// What is sent beside the words, and the choice among several ways.
fn ways(viewer: &Viewer, composer: &Composer) -> Markup {
    html! {
        div.ways-to-say #ways-to-say {
            @for (name, value) in &composer.fields { input type="hidden" name=(name) value=(value); }
            @if !composer.ways.is_empty() {
                fieldset.segments {
                    legend { (viewer.words.say("session.how_to_say")) }
                    @for (place, (label, command)) in composer.ways.iter().enumerate() {
                        label {
                            input type="radio" name="command" value=(command) checked[place == 0];
                            span { (label) }
                        }
                    }
                }
            }
        }
    }
}
