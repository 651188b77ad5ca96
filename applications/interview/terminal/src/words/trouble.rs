//! What is said when these orders do not come to their end: what happened, why, and what to do next.

use enza_kernel::application::Reason as _;
use enza_kernel::text::{Lang, Said};
use enza_runtime::seams::store::SessionId;
use enza_terminal::setup::short_id;

use crate::trouble::InterviewTrouble;
use crate::words::forms;

/// The words for it.
pub fn say(trouble: &InterviewTrouble, lang: Lang) -> Said {
    match trouble {
        InterviewTrouble::Form(fault) => fault.say(lang),
        InterviewTrouble::UnsoundForms { count } => forms::unsound(lang, *count),
        InterviewTrouble::AtConsent { title } => Said::new(
            lang.pick(
                format!("「{title}」には同意が必要ですが、答える人がいません。"),
                format!("\"{title}\" asks for consent, and nobody is there to give it."),
            ),
            lang.pick(
                "端末で始めるか、同意の文を読んだうえで --consent を付けてください。",
                "Begin at a terminal, or add --consent once the consent text has been read.",
            ),
        ),
        InterviewTrouble::AtQuestion { session, question } => Said::new(
            lang.pick(
                format!("答える人がいません。質問: {question}"),
                format!("A question is open and nobody is there to answer: {question}"),
            ),
            resume(
                session,
                lang.pick(
                    "端末で続けるか、--answers で答えを渡してください",
                    "Go on at a terminal, or with --answers FILE",
                ),
            ),
        ),
        InterviewTrouble::AtGate { session, intent } => Said::new(
            lang.pick(
                format!("確認に答える人がいません: {intent}"),
                format!("A gate is open and nobody is there to answer: {intent}."),
            ),
            resume(session, lang.pick("端末で続けるか、--yes を付けてください", "Go on at a terminal, or with --yes")),
        ),
        InterviewTrouble::Stuck { session, why } => {
            Said::new(why.clone(), resume(session, lang.pick("端末で続けてください", "Go on at a terminal")))
        }
    }
}

fn resume(session: &SessionId, how: &str) -> String {
    format!("{how}: {}", crate::resumes(short_id(session)))
}
