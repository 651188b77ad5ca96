//! What the interview adds to the server: the picture on its card. Everything else is the frame's: an interview is begun by
//! an opening, and read and answered on the page of any session.

use enza_interview::{INTERVIEWER, Interview};
use enza_kernel::about::About;
use enza_kernel::application::Application as _;
use enza_server::design::Speaker;
use enza_server::design::vignette::{self, Look};
use enza_server::part::{PartContents, WebPart};
use enza_server::words::{WordFiles, Words};
use maud::{Markup, html};

/// The interview's sentences.
pub const WORDS: WordFiles = &[include_str!("../words/frame.toml")];

/// The interview's part of a server.
pub struct InterviewWeb;

impl WebPart for InterviewWeb {
    fn contents(&self) -> PartContents {
        PartContents { words: WORDS, ..PartContents::of(Interview::NAME) }
    }

    /// A question, an answer, and the field that it fills.
    fn picture(&self, words: Words) -> Option<Markup> {
        let asker = About::of::<Interview>().agent(INTERVIEWER, words.0);
        Some(html! {
            (vignette::said(Speaker::Agent, asker, words.say("interview.picture_question")))
            (vignette::said(Speaker::Person, words.say("session.you"), words.say("interview.picture_answer")))
            (vignette::field(words.say("interview.picture_place"), words.say("interview.picture_place_value"), Look::Fresh))
        })
    }
}
