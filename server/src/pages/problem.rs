//! The page for whatever went wrong: what happened, and what to do next.

use enza_kernel::text::{Lang, Said};
use maud::{Markup, html};

use crate::access::Caller;
use crate::design::{Frame, page};
use crate::house::House;
use crate::problem::Problem;
use crate::words::Words;

/// A problem as a page.
pub fn problem_page(house: &House, caller: Option<&Caller>, lang: Lang, problem: &Problem) -> Markup {
    let words = Words(lang);
    let Said { message, hint } = problem.say(lang);
    let body = html! {
        h1 { (message) }
        p { (hint) }
        p { code { (problem.code()) } }
        p { a href="/" { (words.say("frame.back_home")) } }
    };
    page(&Frame { house, caller, words }, words.say("frame.problem_title"), &body)
}
