//! What the interview adds to the server: what it and its agents are called. Everything else is the frame's: an interview is
//! begun by an opening, and read and answered on the page of any session.

use enza_interview::Interview;
use enza_kernel::application::Application as _;
use enza_server::part::{PartContents, WebPart};
use enza_server::words::WordFiles;

/// The interview's sentences.
pub const WORDS: WordFiles = &[include_str!("../words/frame.toml")];

/// The interview's part of a server.
pub struct InterviewWeb;

impl WebPart for InterviewWeb {
    fn contents(&self) -> PartContents {
        PartContents { words: WORDS, ..PartContents::of(Interview::NAME) }
    }
}
