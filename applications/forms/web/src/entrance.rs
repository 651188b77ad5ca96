//! The card of forms on the first pages: the way to pages of their own, and a picture of a form with its answers.

use enza_server::design::vignette::{self, Look};
use enza_server::part::Entrance;
use enza_server::words::Words;
use maud::{Markup, html};

/// To the builder, and to the forms there are.
pub(crate) fn entrance(words: Words) -> Entrance {
    Entrance::Pages { begin: "/forms/new", list: Some(("/forms", words.say("forms.name"))) }
}

/// A form, and what people answered to one of its questions.
pub(crate) fn picture(words: Words) -> Markup {
    html! {
        (vignette::field(words.say("forms.picture_name"), words.say("forms.picture_name_value"), Look::Quiet))
        (vignette::bars(
            words.say("forms.picture_lunch"),
            &[
                (words.say("forms.picture_lunch_box"), 14),
                (words.say("forms.picture_lunch_snack"), 7),
                (words.say("forms.picture_lunch_none"), 3),
            ],
        ))
    }
}
