//! What someone finds who is not signed in: what this is, what can be done with it, and the way in.

use maud::{Markup, html};

use super::cards;
use crate::assets;
use crate::design::{self, Frame, Weight, circle, link_button};
use crate::pages::PageContext;

/// The page.
pub(super) fn landing(here: &PageContext) -> Markup {
    let words = here.words;
    let body = html! {
        link rel="stylesheet" href=(assets::address("home.css"));
        div.landing {
            div.welcome {
                (circle())
                h1 { (words.say("landing.sentence")) }
                p.lead { (words.say("landing.lead")) }
                (link_button("/sign-in", words.say("frame.sign_in"), Weight::Main))
            }
            section.part {
                h2.aloud { (words.say("landing.cards")) }
                (cards::shown(here))
            }
            ul.promises {
                @for promise in ["gates", "kept"] {
                    li {
                        h2 { (words.of("promise", promise)) }
                        p { (words.of("promise-text", promise)) }
                    }
                }
            }
        }
    };
    // The way in is on the page itself, once.
    design::page(&Frame { invites: false, ..here.frame() }, words.say("landing.name"), &body)
}
