//! The respondent speaks another language from now on.
//!
//! What waits for an answer is asked in it at once: a question in a language that somebody has just turned away from is
//! no question. What is being reviewed goes on, and whoever asks next asks in the new one. The form's own texts stay as
//! they were written.

use enza_kernel::agent::{self, ThreadEvent};
use enza_kernel::application::Draft;

use super::must_be_unsubmitted;
use crate::command::Bootstrap;
use crate::event::{DecidedBy, Event};
use crate::flow::{start, step};
use crate::refusal::Refusal;
use crate::state::{GREETER, INTERVIEWER, Stage};
use crate::{Interview, locale, prompts, words};

pub(super) fn change(draft: &mut Draft<'_, Interview>, language: &str) -> Result<(), Refusal> {
    must_be_unsubmitted(draft)?;
    let spoken = locale::read_language(language).ok_or_else(|| Refusal::UnknownPlace { text: language.to_owned() })?;
    let is_same = locale::primary(&spoken) == locale::primary(&draft.state.locale().language);
    let known = Bootstrap { language: Some(spoken), ..draft.state.bootstrap.clone() };
    start::settle(draft, known, DecidedBy::Rule);
    match draft.state.stage {
        Stage::Greeting if draft.state.failure().is_none() => greet_anew(draft),
        Stage::Interviewing if !is_same && draft.state.failure().is_none() && !draft.state.is_reviewing() => {
            ask_anew(draft);
            Ok(())
        }
        Stage::New
        | Stage::Greeting
        | Stage::Planning
        | Stage::Interviewing
        | Stage::Confirming
        | Stage::Choosing
        | Stage::Delivering
        | Stage::Delivered
        | Stage::Abandoned => Ok(()),
    }
}

/// The greeter asks for what is still not known, or has nothing left to ask.
fn greet_anew(draft: &mut Draft<'_, Interview>) -> Result<(), Refusal> {
    if start::is_settled(&draft.state.bootstrap) {
        draft.record(step(GREETER, ThreadEvent::Closed));
        return start::plan(draft).map_err(Refusal::Move);
    }
    let word = prompts::greeting(&draft.state);
    agent::start(draft, GREETER, GREETER, &word);
    Ok(())
}

fn ask_anew(draft: &mut Draft<'_, Interview>) {
    let state = &draft.state;
    let Some((field, record)) = state.current() else { return };
    if state.plea.is_some() {
        // What is lacking was put in the other language, so it is not told again.
        let text = words::ask_for_help(state.lang(), &state.label(record), field.required, &[]);
        let field_id = record.id().to_owned();
        draft.record(Event::HelpAsked { field_id, text });
        return;
    }
    let word = prompts::in_another_language(state);
    agent::start(draft, INTERVIEWER, INTERVIEWER, &word);
}
