//! Where a session stands, in the words and marks that every page shares.

use enza_kernel::application::{Phase, Standing};
use maud::Markup;

use crate::design::{Tone, badge};
use crate::words::Words;

/// How a session stands. What waits, and for nothing that can be named, is not said to wait for the reader.
pub fn standing_badge(words: Words, standing: &Standing) -> Markup {
    match (standing.phase, &standing.waiting_for) {
        (Phase::Waiting, None) => badge(words.say("session.at_rest"), Tone::Plain),
        (phase, _) => phase_badge(words, phase),
    }
}

/// The phase of a session.
pub fn phase_badge(words: Words, phase: Phase) -> Markup {
    let tone = match phase {
        Phase::Working => Tone::Live,
        Phase::Waiting => Tone::Plain,
        Phase::Gate => Tone::Warn,
        Phase::Stuck => Tone::Bad,
        Phase::Ended => Tone::Good,
    };
    badge(words.of("phase", phase.word()), tone)
}
