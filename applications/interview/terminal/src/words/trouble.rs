//! What is said when these orders do not come to their end: what happened, why, and what to do next.

use enza_kernel::application::Reason as _;
use enza_kernel::text::{Lang, Said};
use enza_runtime::seams::store::SessionId;
use enza_terminal::setup::short_id;

use crate::trouble::InterviewTrouble;
use crate::words::{forms, words};

/// The words for it.
pub fn say(trouble: &InterviewTrouble, lang: Lang) -> Said {
    match trouble {
        InterviewTrouble::Form(fault) => fault.say(lang),
        InterviewTrouble::UnsoundForms { count } => forms::unsound(lang, *count),
        InterviewTrouble::AtConsent { title } => words(lang).said("trouble.at_consent", &[("title", title)]),
        InterviewTrouble::AtQuestion { session, question } => Said::new(
            words(lang).fill("trouble.at_question", &[("question", question)]),
            resume(session, words(lang).say("trouble.at_question_hint")),
        ),
        InterviewTrouble::AtGate { session, intent } => Said::new(
            words(lang).fill("trouble.at_gate", &[("intent", intent)]),
            resume(session, words(lang).say("trouble.at_gate_hint")),
        ),
        InterviewTrouble::Stuck { session, why } => {
            Said::new(why.clone(), resume(session, words(lang).say("trouble.stuck")))
        }
    }
}

fn resume(session: &SessionId, how: &str) -> String {
    format!("{how}: {}", crate::resumes(short_id(session)))
}
