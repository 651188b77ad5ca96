//! Tasks as they begin, are planned, reviewed and come to their end.

use enza_kernel::limits;
use enza_kernel::moves::Mover;
use enza_kernel::review::ReviewVerdict as Found;

use crate::agent_state::{AgentState, Delta};
use crate::risk;
use crate::state::State;
use crate::steps::{Status, Step};
use crate::task::{ActionSpec, Assignment, Ending, ModelCall, Procedure, Task};
use crate::verdict::{Approval, Plan, Review};

/// A new task starts at PLANNING and in progress, which is no move (G7).
pub(super) fn begin(state: &mut State, id: u32, title: &str) {
    let since = state.turn;
    let Some(task) = state.task_mut(id) else { return };
    task.task = Some(Assignment::new(title, since));
    task.at = Mover::at_state(Step::Planning.word());
    task.status = Status::InProgress;
}

/// What remains of an assignment is a line of experience; the task is clear for the next one.
pub(super) fn end(state: &mut State, id: u32, ending: Ending) {
    let Some(task) = state.task_mut(id) else { return };
    let Some(work) = task.task.take() else { return };
    let goal = if task.mind.goal.is_empty() { work.title } else { task.mind.goal.clone() };
    let mind = std::mem::take(&mut task.mind);
    task.mind = AgentState {
        constraints: mind.constraints,
        decision_log: mind.decision_log,
        last_delta: mind.last_delta,
        ..AgentState::default()
    };
    task.at = Mover::at_state(Step::Planning.word());
    (task.batch, task.gate) = (None, None);
    task.status = match ending {
        Ending::Accepted | Ending::Answered => Status::Success,
        Ending::LeftBehind => Status::InProgress,
        Ending::Stopped | Ending::Reset | Ending::TakenBack => Status::RequiresUserInput,
    };
    match ending {
        Ending::Accepted => {
            state.last_task = Some(goal.clone());
            state.memory.experience(format!("+ {goal}"));
        }
        Ending::Stopped | Ending::Reset | Ending::TakenBack => state.memory.experience(format!("- {goal}")),
        Ending::Answered | Ending::LeftBehind => {}
    }
    super::set_call(state, id, ModelCall::Main);
}

/// A plan: its moves are held in mind, its steps become specs under its name. One that is made while another is carried
/// out is the plan of one of its steps (G47).
pub(super) fn plan(task: &mut Task, plan_id: &str, plan: &Plan) {
    task.mind.take(&Delta {
        plan_brief: Some(plan.steps.iter().map(|step| limits::one_line(step, 100)).collect()),
        context_refs: Some(vec![format!("plan:{plan_id}")]),
        ..Delta::default()
    });
    if task.mind.goal.is_empty() {
        task.mind.goal = limits::one_line(&plan.purpose, 200);
    }
    let Some(work) = &mut task.task else { return };
    let spec = |step: &String| ActionSpec {
        kind: "implement".to_owned(),
        path: path_in(step),
        description: limits::one_line(step, 200),
        optional: false,
    };
    work.specs = plan.steps.iter().map(spec).collect();
    work.raised = work.raised.max(risk::named(&plan.risk));
    let named = Some((plan_id.to_owned(), plan.clone()));
    match task.call {
        ModelCall::WithMain(Procedure::Execution) | ModelCall::Alone(Procedure::Execution) if work.plan.is_some() => {
            work.part = named;
        }
        ModelCall::Main | ModelCall::WithMain(_) | ModelCall::Alone(_) => (work.plan, work.part) = (named, None),
    }
}

/// The first word of a plan's step that looks like a path.
fn path_in(step: &str) -> Option<String> {
    let words = step.split(|letter: char| letter.is_whitespace() || "、。()「」,`'\"".contains(letter));
    let is_file = |word: &str| {
        word.rsplit_once('.').is_some_and(|(stem, ending)| !stem.is_empty() && (1..6).contains(&ending.len()))
    };
    words.map(|word| word.trim_end_matches('.')).find(|word| word.contains('/') || is_file(word)).map(str::to_owned)
}

/// What a reviewer found, and whether the work goes back.
pub(super) fn review(work: &mut Assignment, review: &Review) {
    let found = match review.approval {
        Approval::Approved => Found::Pass,
        Approval::Mend | Approval::Rejected => Found::Lacking(review.problems.clone()),
    };
    let step = work.reviews.next(found);
    work.reviews.evolve(&step);
    work.review = Some(review.clone());
}
