//! A person accepts what waits for it: a result, which ends its task, or a plan, which is carried out.
//!
//! Only a person does (G13). A plan that was made while nothing may be changed is the end of planning: from then on changes
//! are asked for, one by one, as usual.

use enza_kernel::application::Draft;

use super::Companion;
use super::event::Event;
use super::flow::{self, transition};
use super::refusal::Refusal;
use super::settings::Mode;
use super::state::State;
use super::steps::{DONE, Step};
use super::task::{Ending, ModelCall, Procedure};
use super::{commit, words};

/// What waits to be accepted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Acceptable {
    /// The result of a task.
    Result,
    /// A plan of which nothing has been carried out.
    Plan,
}

impl State {
    /// What in front waits to be accepted, if anything does. What fails its checks is no result.
    pub fn acceptable(&self) -> Option<Acceptable> {
        if !self.red_in_front().is_empty() {
            return None;
        }
        let task = self.front().filter(|task| task.task.is_some() && task.gate.is_none() && !self.is_busy(task))?;
        match task.step() {
            Step::Review => Some(Acceptable::Result),
            Step::Planning if task.is_only_planned() => Some(Acceptable::Plan),
            Step::Planning | Step::Execution | Step::AwaitingApproval => None,
        }
    }

    fn red_in_front(&self) -> &[String] {
        self.front().and_then(|task| task.task.as_ref()).map_or(&[], |work| &work.red)
    }
}

/// Accepts it.
pub(super) fn accept(draft: &mut Draft<'_, Companion>) -> Result<(), Refusal> {
    let id = draft.state.focus;
    let red = draft.state.red_in_front();
    if !red.is_empty() {
        return Err(Refusal::ChecksFailed { checks: red.to_vec() });
    }
    match draft.state.acceptable().ok_or(Refusal::NothingToAccept)? {
        Acceptable::Result => end(draft, id),
        Acceptable::Plan => carry_out(draft, id),
    }
    Ok(())
}

fn end(draft: &mut Draft<'_, Companion>, id: u32) {
    draft.record(Event::Completed { desk: id });
    if transition::shift(draft, id, DONE, "accepted") {
        draft.record(Event::TaskEnded { desk: id, ending: Ending::Accepted });
        commit::commit_if_set(draft);
    }
}

fn carry_out(draft: &mut Draft<'_, Companion>, id: u32) {
    if draft.state.settings.mode == Mode::Plan {
        draft.record(Event::ModeSet { mode: Mode::Ask });
    }
    draft.record(Event::Completed { desk: id });
    let word = words::procedure(draft.state.lang(), Procedure::Execution);
    flow::call_model(draft, id, ModelCall::Alone(Procedure::Execution), word);
}
