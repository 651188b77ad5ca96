//! What someone finds who is not signed in: what this is, and the way in.

use maud::{Markup, html};

use crate::design::{Weight, circle, link_button};
use crate::pages::PageContext;

/// The page.
pub(super) fn landing(here: &PageContext) -> Markup {
    let words = here.words;
    let body = html! {
        div.landing {
            (circle())
            h1 { (words.say("frame.tagline")) }
            p.lead { (words.say("landing.lead")) }
            div.row { (link_button("/sign-in", words.say("frame.sign_in"), Weight::Main)) }
            ul.promises {
                @for promise in ["people", "gates", "kept"] {
                    li {
                        h2 { (words.of("promise", promise)) }
                        p { (words.of("promise-text", promise)) }
                    }
                }
            }
        }
    };
    here.page(words.say("landing.name"), &body)
}
