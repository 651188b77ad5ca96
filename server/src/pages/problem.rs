//! The page for whatever went wrong: what happened, and what to do next.

use enza_kernel::text::{Lang, Said};
use maud::{Markup, html};

use crate::access::Caller;
use crate::design::{Frame, Weight, circle, link_button, page};
use crate::problem::Problem;
use crate::state::AppState;
use crate::words::Words;

/// A problem as a page.
pub fn problem_page(app: &AppState, caller: Option<&Caller>, lang: Lang, problem: &Problem) -> Markup {
    let words = Words(lang);
    let Said { message, hint } = problem.say(lang);
    let body = html! {
        div.problem {
            (circle())
            p.problem-status { (problem.status().as_u16()) }
            h1 { (message) }
            p.lead { (hint) }
            div.row {
                @if *problem == Problem::NotSignedIn {
                    (link_button("/sign-in", words.say("frame.sign_in"), Weight::Main))
                } @else {
                    (link_button("/", words.say("frame.back_home"), Weight::Main))
                }
            }
            p.small.soft { (words.say("frame.code")) " " code { (problem.code()) } }
        }
    };
    page(&Frame { app, caller, words, invites: true }, words.say("frame.problem_title"), &body)
}
