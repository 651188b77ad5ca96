//! The frame around every page: head, header with the way around, main, footer.

use maud::{DOCTYPE, Markup, html};

use crate::access::Caller;
use crate::assets;
use crate::house::House;
use crate::words::Words;

/// What a page needs to know of its reader.
pub struct Frame<'a> {
    /// The house.
    pub house: &'a House,
    /// Who reads, if anyone is signed in.
    pub caller: Option<&'a Caller>,
    /// The reader's words.
    pub words: Words,
}

/// A whole page.
pub fn page(frame: &Frame<'_>, title: &str, body: &Markup) -> Markup {
    let words = frame.words;
    html! {
        (DOCTYPE)
        html lang=(words.0) {
            head {
                meta charset="utf-8";
                meta name="viewport" content="width=device-width, initial-scale=1";
                meta name="color-scheme" content="light dark";
                title { (title) " · Enza" }
                link rel="icon" type="image/svg+xml" href=(assets::address("mark.svg"));
                link rel="stylesheet" href=(assets::address("enza.css"));
                script type="module" src=(assets::address("enza.js")) {}
            }
            body {
                a.skip href="#main" { (words.say("frame.skip")) }
                header { a href="/" { "Enza" } " " (words.say("frame.tagline")) }
                main #main { (body) }
            }
        }
    }
}
