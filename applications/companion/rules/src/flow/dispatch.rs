//! A model's reply is read and obeyed, as far as the rules allow.
//!
//! The dispatch follows the JSON and never the words of the request (DUCK-11, DUCK-102). A model that says itself that
//! something goes against the goal or a constraint changes nothing: the turn becomes one question (G18). What it wants
//! otherwise is taken up in `wants` and done in `execute`.

use enza_kernel::application::Draft;
use enza_kernel::limits;
use enza_kernel::review::ReviewPhase;
use enza_kernel::schema;

use super::super::event::Event;
use super::super::note::Note;
use super::super::settings::Mode;
use super::super::steps::{Status, Step};
use super::super::task::{Ending, ModelCall, Procedure, Task};
use super::super::verdict::{Approval, NextStep, Pattern, Verdict};
use super::super::{Companion, reply, words};
use super::{call_model, leave_to_person, set_status, state_delta, transition, wants};

/// How often in a row a model may say that it goes on, and do nothing, before the person is asked.
const MOST_IDLE: u32 = 1;

/// Reads a reply, or says what is wrong with it.
pub(in super::super) fn read_reply(draft: &mut Draft<'_, Companion>, thread: &str, text: &str) -> Result<(), String> {
    let Some(task) = draft.state.task_of(thread) else { return Ok(()) };
    let verdict: Verdict = schema::parse(text).map_err(|malformed| malformed.to_string())?;
    let has_constraints = !draft.state.constraints.is_empty() || !task.mind.constraints.is_empty();
    if let Some(lack) = verdict.unexplained(!task.mind.goal.is_empty(), has_constraints) {
        return Err(lack);
    }
    let id = task.id;
    draft.record(Event::Judged { desk: id, verdict: Box::new(verdict) });
    Ok(())
}

/// Acts upon the verdict that was just recorded. Asked once the thread rests.
pub(super) fn act_on(draft: &mut Draft<'_, Companion>, id: u32, verdict: &Verdict) {
    state_delta::take(draft, id, verdict);
    if verdict.prompt_pattern.is_none() {
        draft.record(Event::Noted { desk: id, note: Note::PatternMissing });
    }
    if let Some(doubt) = verdict.doubt() {
        return ask_about_doubt(draft, id, verdict, doubt);
    }
    begin_task(draft, id, verdict);
    transition::check_proposal(draft, id, verdict.step);
    tell_person(draft, id, verdict);
    if let Some(plan) = &verdict.plan {
        let day = super::super::day(draft.now().time).replace('-', "");
        let plan_id = format!("{day}_{:03}", draft.state.plans + 1);
        state_delta::change(draft, id, Event::Planned { desk: id, plan_id, plan: plan.clone() });
    }
    if let Some(review) = &verdict.review {
        draft.record(Event::Reviewed { desk: id, review: review.clone() });
    }
    if verdict.next_step == NextStep::Defer {
        send_back(draft, id);
    }
    if verdict.actions.is_empty() { next_call(draft, id, verdict) } else { wants::record(draft, id, verdict) }
}

/// The task goes on in the background, with whatever it wants (G17).
fn send_back(draft: &mut Draft<'_, Companion>, id: u32) {
    let is_front = draft.state.focus == id;
    if is_front && draft.state.task(id).is_some_and(|task| !task.aside && task.task.is_some()) {
        draft.record(Event::SentBack { desk: id });
        super::open_front(draft);
    }
}

/// The model has a doubt of its own: nothing is done, and one question is put.
fn ask_about_doubt(draft: &mut Draft<'_, Companion>, id: u32, verdict: &Verdict, doubt: &str) {
    draft.record(Event::Noted { desk: id, note: Note::Doubt(doubt.to_owned()) });
    let question = words::shall_i(draft.state.lang(), doubt);
    let asked = verdict.reply.as_deref().filter(|reply| reply.contains(['?', '？'])).unwrap_or(&question);
    let text = reply::with_one_question(asked);
    state_delta::record_question(draft, id, &text);
    draft.record(Event::Spoke { desk: id, text });
    set_status(draft, id, Status::RequiresUserInput);
}

/// A request for work begins a task; one that is new ends what was reviewed before (G7, G13).
fn begin_task(draft: &mut Draft<'_, Companion>, id: u32, verdict: &Verdict) {
    let Some(task) = draft.state.task(id) else { return };
    let in_review = task.task.is_some() && task.step() == Step::Review;
    if verdict.new_task && in_review {
        transition::leave_behind(draft, id);
    }
    let Some(task) = draft.state.task(id) else { return };
    let is_work = verdict.prompt_pattern.is_some_and(|pattern| pattern != Pattern::BaseMain)
        || verdict.actions.iter().any(|action| !action.operation.only_looks());
    if is_work && !task.aside {
        begin_work(draft, id);
    }
}

/// What needs consent is a task, even where it was only talk before.
pub(super) fn begin_work(draft: &mut Draft<'_, Companion>, id: u32) {
    let Some(task) = draft.state.task(id).filter(|task| task.task.is_none()) else { return };
    let title = if task.mind.goal.is_empty() { &task.said } else { &task.mind.goal };
    draft.record(Event::TaskBegun { desk: id, title: limits::one_line(title, 100) });
}

/// What the person reads, in the manners of the dialogue.
fn tell_person(draft: &mut Draft<'_, Companion>, id: u32, verdict: &Verdict) {
    let lang = draft.state.lang();
    let mut parts: Vec<String> = Vec::new();
    if let Some(reply) = verdict.reply.as_deref().filter(|reply| !reply.trim().is_empty()) {
        let reply = reply::with_one_question(reply);
        state_delta::record_question(draft, id, &reply);
        parts.push(reply);
    }
    parts.extend(verdict.plan.as_ref().map(|plan| plan.say(lang)));
    parts.extend(verdict.review.as_ref().map(|review| review.say(lang)));
    if !parts.is_empty() {
        draft.record(Event::Spoke { desk: id, text: parts.join("\n\n") });
    }
}

/// Nothing is to be done in the folder: the next call, or the person's turn.
fn next_call(draft: &mut Draft<'_, Companion>, id: u32, verdict: &Verdict) {
    let Some(task) = draft.state.task(id) else { return };
    let lang = draft.state.lang();
    if let Some(procedure) = procedure_for(task, verdict) {
        if procedure == Procedure::Review && !is_in_review(draft, id, "the plan needs to be checked") {
            return set_status(draft, id, Status::RequiresUserInput);
        }
        return call_model(draft, id, ModelCall::WithMain(procedure), words::procedure(lang, procedure));
    }
    match (task.call, &verdict.review) {
        (ModelCall::WithMain(Procedure::Planning) | ModelCall::Alone(Procedure::Planning), _)
            if verdict.plan.is_some() =>
        {
            if draft.state.settings.mode == Mode::Plan || verdict.next_step == NextStep::PendingUser {
                leave_to_person(draft, id, Note::PlanAwaits);
            } else {
                call_model(
                    draft,
                    id,
                    ModelCall::Alone(Procedure::Execution),
                    words::procedure(lang, Procedure::Execution),
                );
            }
        }
        (ModelCall::WithMain(Procedure::Review) | ModelCall::Alone(Procedure::Review), Some(review)) => {
            act_on_review(draft, id, review.approval, &review.problems);
        }
        (ModelCall::WithMain(Procedure::Execution) | ModelCall::Alone(Procedure::Execution), _)
            if task.step() == Step::Execution && verdict.next_step != NextStep::PendingUser =>
        {
            to_review(draft, id, words::procedure(lang, Procedure::Review));
        }
        _ => end_turn(draft, id, verdict.next_step),
    }
}

/// The procedure that a commander's choice of prompt leads to, if it does (DUCK-99).
pub(super) fn procedure_for(task: &Task, verdict: &Verdict) -> Option<Procedure> {
    let is_chosen = verdict.prompt_pattern.is_some_and(|pattern| pattern != Pattern::BaseMain);
    if task.call != ModelCall::Main || task.aside || !is_chosen {
        return None;
    }
    Some(match (verdict.step, task.task.as_ref().is_some_and(|work| work.plan.is_some())) {
        (Step::Planning, _) | (Step::Execution | Step::AwaitingApproval, false) => Procedure::Planning,
        (Step::Execution | Step::AwaitingApproval, true) => Procedure::Execution,
        (Step::Review, _) => Procedure::Review,
    })
}

/// Whether a piece of work is in review, or gets there.
fn is_in_review(draft: &mut Draft<'_, Companion>, id: u32, trigger: &str) -> bool {
    draft.state.task(id).is_some_and(|task| task.step() == Step::Review)
        || transition::shift(draft, id, Step::Review.word(), trigger)
}

/// The work is carried out: it is looked at, with this word.
pub(super) fn to_review(draft: &mut Draft<'_, Companion>, id: u32, word: &str) {
    if is_in_review(draft, id, "carried out") {
        call_model(draft, id, ModelCall::Alone(Procedure::Review), word);
    } else {
        set_status(draft, id, Status::RequiresUserInput);
    }
}

/// What a review leads to: the person's word, another round, or back to planning.
fn act_on_review(draft: &mut Draft<'_, Companion>, id: u32, approval: Approval, problems: &[String]) {
    // A review that was tried again after a failure begins at planning.
    if !is_in_review(draft, id, "reviewed") {
        return set_status(draft, id, Status::RequiresUserInput);
    }
    let Some(task) = draft.state.task(id) else { return };
    let may_go_back = task.task.as_ref().is_some_and(|work| work.reviews.phase == ReviewPhase::Reviewing);
    let (lang, mended_by) = (draft.state.lang(), task.repair_procedure());
    let is_only_planned = task.is_only_planned() && draft.state.settings.mode != Mode::Plan;
    match approval {
        Approval::Approved if is_only_planned => {
            // The plan was checked, which is an utterance of its own (G11): now it is carried out.
            draft.record(Event::Completed { desk: id });
            call_model(draft, id, ModelCall::Alone(Procedure::Execution), words::procedure(lang, Procedure::Execution));
        }
        Approval::Approved if is_unproven(draft, id) => not_done(draft, id),
        Approval::Approved => {
            draft.record(Event::Noted { desk: id, note: Note::AwaitsAcceptance });
            set_status(draft, id, Status::RequiresUserInput);
        }
        Approval::Mend if may_go_back => {
            // A review that is done is an utterance of its own (G11): the mend may move once more.
            draft.record(Event::Completed { desk: id });
            let word = words::mend(lang, &problems.join("; "));
            call_model(draft, id, ModelCall::Alone(mended_by), &word);
        }
        Approval::Rejected if may_go_back => {
            let problems = problems.join("; ");
            transition::recover(draft, id, &problems, &problems);
        }
        Approval::Mend | Approval::Rejected => {
            leave_to_person(draft, id, Note::GivenUp { error: problems.join("; "), recoveries: None });
        }
    }
}

/// Whether the project's checks fail in a task, or nobody knows what they say of it.
fn is_unproven(draft: &Draft<'_, Companion>, id: u32) -> bool {
    let work = draft.state.task(id).and_then(|task| task.task.as_ref());
    work.is_some_and(|work| !work.red.is_empty() || draft.state.is_unchecked(work))
}

/// The model is done, and the checks decide. Where they were cut off, or were about other files, or a person has spoken
/// since, and so may have mended it by hand, they are asked once more.
fn not_done(draft: &mut Draft<'_, Companion>, id: u32) {
    let Some(task) = draft.state.task(id) else { return };
    let Some(work) = &task.task else { return };
    let has_spoken = task.turn > work.checked && draft.state.settings.mode != Mode::Plan;
    if has_spoken || draft.state.is_unchecked(work) {
        return draft.record(Event::CheckedAgain { desk: id });
    }
    let checks = work.red.clone();
    leave_to_person(draft, id, Note::ChecksFailed { checks });
}

/// The person's turn.
fn end_turn(draft: &mut Draft<'_, Companion>, id: u32, next: NextStep) {
    let Some(task) = draft.state.task(id) else { return };
    let (is_talk, idle) = (task.task.is_none(), task.idle);
    let made_nothing = task.task.as_ref().is_some_and(|work| work.changed == 0);
    match next {
        NextStep::Done if is_talk => set_status(draft, id, Status::Success),
        NextStep::Done if is_unproven(draft, id) => not_done(draft, id),
        NextStep::Done if made_nothing && matches!(task.step(), Step::Planning | Step::Execution) => {
            draft.record(Event::TaskEnded { desk: id, ending: Ending::Answered });
        }
        NextStep::Continue | NextStep::Defer if !is_talk && idle < MOST_IDLE => {
            draft.record(Event::Idled { desk: id });
            let next = draft.state.task(id).map_or(ModelCall::Main, |task| task.call);
            let lang = draft.state.lang();
            let word = next.procedure().map_or(words::do_something(lang), |one| words::procedure(lang, one));
            call_model(draft, id, next, word);
        }
        NextStep::Continue | NextStep::Defer if !is_talk => leave_to_person(draft, id, Note::Idle),
        NextStep::Done | NextStep::PendingUser | NextStep::Defer | NextStep::Continue => {
            set_status(draft, id, Status::RequiresUserInput);
        }
    }
}
