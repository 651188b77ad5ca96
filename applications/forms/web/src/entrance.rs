//! The way to one's forms from the first page: they are more than sessions.

use enza_server::design::{Weight, card, link_button};
use enza_server::part::Entrance;
use enza_server::words::Words;
use maud::html;

/// The card.
pub(crate) fn entrance(words: Words) -> Entrance {
    Entrance::Card(card(
        Some(words.say("forms.card")),
        html! {
            p.soft { (words.say("forms.card_what")) }
            div.row {
                (link_button("/forms/new", words.say("forms.new"), Weight::Main))
                (link_button("/forms", words.say("forms.name"), Weight::Quiet))
            }
        },
    ))
}
