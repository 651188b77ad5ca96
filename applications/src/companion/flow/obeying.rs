//! A model's reply is read and obeyed, as far as the rules allow.
//!
//! The dispatch follows the JSON and never the words of the request (DUCK-11, DUCK-102). A model that says itself that
//! something goes against the goal or a constraint changes nothing: the turn becomes one question (G18). What is left to
//! do then is decided in `carrying`.

use enza_kernel::application::Draft;
use enza_kernel::conversation::Digest;
use enza_kernel::limits;
use enza_kernel::schema;

use super::super::action::{Action, Operation};
use super::super::agent_state::Delta;
use super::super::desk::{Call, Ending, Procedure, Want};
use super::super::event::{Event, Note};
use super::super::steps::{DONE, Status, Step};
use super::super::verdict::{Approval, NextStep, Pattern, Verdict};
use super::super::{Companion, manners, words};
use super::{call, give_up, moving, set_status};

/// The same wish so often, and it goes in circles.
const MOST_ALIKE: usize = 3;

/// Reads a reply, or says what is wrong with it.
pub(in super::super) fn said(draft: &mut Draft<'_, Companion>, thread: &str, text: &str) -> Result<(), String> {
    let Some(id) = draft.state.desk_of(thread).map(|desk| desk.id) else { return Ok(()) };
    let verdict: Verdict = schema::parse(text).map_err(|malformed| malformed.to_string())?;
    draft.record(Event::Judged { desk: id, verdict: Box::new(verdict) });
    Ok(())
}

/// Acts upon the verdict that was just recorded. Asked once the thread rests.
pub(super) fn obey(draft: &mut Draft<'_, Companion>, id: u32, verdict: &Verdict) {
    take_mind(draft, id, verdict);
    if verdict.prompt_pattern.is_none() {
        draft.record(Event::Noted { desk: id, note: Note::PatternMissing });
    }
    if let Some(doubt) = verdict.doubt() {
        return hesitate(draft, id, verdict, doubt);
    }
    begin_task(draft, id, verdict);
    moving::proposed(draft, id, verdict.step);
    speak(draft, id, verdict);
    if let Some(plan) = &verdict.plan {
        let plan_id = format!("{}_{:03}", draft.state.on.replace('-', "").get(..8).unwrap_or("0"), draft.state.turn);
        draft.record(Event::Planned { desk: id, plan_id, plan: plan.clone() });
    }
    if let Some(review) = &verdict.review {
        draft.record(Event::Reviewed { desk: id, review: review.clone() });
    }
    if verdict.actions.is_empty() { go_further(draft, id, verdict) } else { want(draft, id, verdict) }
}

fn take_mind(draft: &mut Draft<'_, Companion>, id: u32, verdict: &Verdict) {
    let Some(delta) = verdict.state_delta.clone().filter(|delta| !delta.is_empty()) else { return };
    let (delta, cut) = delta.fitted();
    draft.record(Event::Minded { desk: id, delta, cut: cut.into_iter().map(str::to_owned).collect() });
    let mismatches = draft.state.desk(id).map(|desk| desk.mind.mismatches()).unwrap_or_default();
    for mismatch in mismatches {
        draft.record(Event::Noted { desk: id, note: Note::Mismatch(mismatch) });
    }
}

/// The model has a doubt of its own: nothing is done, and one question is put.
fn hesitate(draft: &mut Draft<'_, Companion>, id: u32, verdict: &Verdict, doubt: &str) {
    draft.record(Event::Noted { desk: id, note: Note::Doubt(doubt.to_owned()) });
    let question = words::shall_i(draft.state.lang(), doubt);
    let asked = verdict.reply.as_deref().filter(|reply| reply.contains(['?', '？'])).unwrap_or(&question);
    let text = manners::reply(asked);
    let open = Delta { open_questions: Some(vec![limits::one_line(&text, 100)]), ..Delta::default() };
    draft.record(Event::Minded { desk: id, delta: open, cut: Vec::new() });
    draft.record(Event::Spoke { desk: id, text });
    set_status(draft, id, Status::RequiresUserInput);
}

/// A request for work begins a task; one that is new ends what was reviewed before (G7, G13).
fn begin_task(draft: &mut Draft<'_, Companion>, id: u32, verdict: &Verdict) {
    let Some(desk) = draft.state.desk(id) else { return };
    let in_review = desk.task.is_some() && desk.step() == Step::Review;
    if verdict.new_task && in_review && moving::shift(draft, id, DONE, "a new task") {
        draft.record(Event::TaskEnded { desk: id, ending: Ending::Accepted });
    }
    let Some(desk) = draft.state.desk(id) else { return };
    let is_work = verdict.prompt_pattern.is_some_and(|pattern| pattern != Pattern::BaseMain)
        || verdict.actions.iter().any(|action| !action.operation.only_looks());
    if is_work && desk.task.is_none() && !desk.aside {
        let title = if desk.mind.goal.is_empty() { &desk.said } else { &desk.mind.goal };
        draft.record(Event::TaskBegun { desk: id, title: limits::one_line(title, 100) });
    }
}

/// What the person reads, in the manners of the dialogue.
fn speak(draft: &mut Draft<'_, Companion>, id: u32, verdict: &Verdict) {
    let lang = draft.state.lang();
    let mut parts: Vec<String> = Vec::new();
    if let Some(reply) = verdict.reply.as_deref().filter(|reply| !reply.trim().is_empty()) {
        parts.push(manners::reply(reply));
    }
    parts.extend(verdict.plan.as_ref().map(|plan| plan.say(lang)));
    parts.extend(verdict.review.as_ref().map(|review| review.say(lang)));
    if !parts.is_empty() {
        draft.record(Event::Spoke { desk: id, text: parts.join("\n\n") });
    }
}

/// Operations are wanted: they go their way, unless the same was wanted again and again.
fn want(draft: &mut Draft<'_, Companion>, id: u32, verdict: &Verdict) {
    let wants: Vec<Want> = verdict.actions.iter().map(|action| wish(action, &verdict.rationale)).collect();
    let json = serde_json::to_string(&verdict.actions).unwrap_or_default();
    let trace = Digest::of(json.as_bytes()).to_string()[..16].to_owned();
    let alike = draft.state.desk(id).and_then(|desk| desk.task.as_ref());
    let alike = alike.map_or(0, |work| work.traces.iter().filter(|known| **known == trace).count());
    if alike + 1 >= MOST_ALIKE {
        return give_up(draft, id, Note::Loop);
    }
    draft.record(Event::Wanted { desk: id, wants, trace });
}

fn wish(action: &Action, rationale: &str) -> Want {
    let target = match action.operation {
        Operation::Run | Operation::Tool => action.command.clone().unwrap_or_default().join(" "),
        Operation::Patch => action.path.clone().unwrap_or_else(|| "patch".to_owned()),
        Operation::Search => action.pattern.clone().unwrap_or_default(),
        Operation::List
        | Operation::Read
        | Operation::Write
        | Operation::Edit
        | Operation::Create
        | Operation::Delete
        | Operation::Move => action.path.clone().unwrap_or_default(),
    };
    let why = action.rationale.as_deref().filter(|why| !why.trim().is_empty()).unwrap_or(rationale);
    Want { operation: action.operation, target, why: limits::one_line(why, 200) }
}

/// Nothing is to be done in the folder: the next call, or the person's turn.
fn go_further(draft: &mut Draft<'_, Companion>, id: u32, verdict: &Verdict) {
    let Some(desk) = draft.state.desk(id) else { return };
    let lang = draft.state.lang();
    if verdict.next_step == NextStep::Defer && !desk.aside && desk.task.is_some() {
        draft.record(Event::SentBack { desk: id });
        super::set_front(draft);
    }
    let Some(desk) = draft.state.desk(id) else { return };
    match (desk.call, &verdict.review) {
        (Call::Main, _)
            if verdict.prompt_pattern.is_some_and(|pattern| pattern != Pattern::BaseMain) && !desk.aside =>
        {
            let procedure = match (verdict.step, desk.task.as_ref().is_some_and(|work| work.plan.is_some())) {
                (Step::Planning, _) | (Step::Execution | Step::AwaitingApproval, false) => Procedure::Planning,
                (Step::Execution | Step::AwaitingApproval, true) => Procedure::Execution,
                (Step::Review, _) => Procedure::Review,
            };
            call(draft, id, Call::WithMain(procedure), words::procedure(lang, procedure));
        }
        (Call::WithMain(Procedure::Planning) | Call::Alone(Procedure::Planning), _) if verdict.plan.is_some() => {
            if draft.state.settings.mode == super::super::settings::Mode::Plan
                || verdict.next_step == NextStep::PendingUser
            {
                set_status(draft, id, Status::RequiresUserInput);
            } else {
                call(draft, id, Call::Alone(Procedure::Execution), words::procedure(lang, Procedure::Execution));
            }
        }
        (Call::WithMain(Procedure::Review) | Call::Alone(Procedure::Review), Some(review)) => {
            reviewed(draft, id, review.approval, &review.problems);
        }
        (Call::WithMain(Procedure::Execution) | Call::Alone(Procedure::Execution), _)
            if desk.step() == Step::Execution && verdict.next_step != NextStep::PendingUser =>
        {
            to_review(draft, id);
        }
        _ => rest(draft, id, verdict.next_step),
    }
}

/// The work is carried out: it is looked at.
pub(super) fn to_review(draft: &mut Draft<'_, Companion>, id: u32) {
    if moving::shift(draft, id, Step::Review.word(), "carried out") {
        let word = words::procedure(draft.state.lang(), Procedure::Review);
        call(draft, id, Call::Alone(Procedure::Review), word);
    } else {
        set_status(draft, id, Status::RequiresUserInput);
    }
}

/// What a review leads to: the person's word, another round, or back to planning.
fn reviewed(draft: &mut Draft<'_, Companion>, id: u32, approval: Approval, problems: &[String]) {
    let may_go_back = draft.state.desk(id).and_then(|desk| desk.task.as_ref());
    let may_go_back = may_go_back.is_some_and(|work| work.reviews.phase == enza_kernel::review::Phase::Reviewing);
    match approval {
        Approval::Approved => {
            draft.record(Event::Noted { desk: id, note: Note::AwaitsAcceptance });
            set_status(draft, id, Status::RequiresUserInput);
        }
        Approval::Mend if may_go_back => {
            let word = words::mend(draft.state.lang(), &problems.join("; "));
            call(draft, id, Call::Alone(Procedure::Execution), &word);
        }
        Approval::Rejected if may_go_back => moving::recover(draft, id, &problems.join("; ")),
        Approval::Mend | Approval::Rejected => {
            give_up(draft, id, Note::GivenUp { error: problems.join("; ") });
        }
    }
}

/// The person's turn.
fn rest(draft: &mut Draft<'_, Companion>, id: u32, next: NextStep) {
    let Some(desk) = draft.state.desk(id) else { return };
    let is_talk = desk.task.is_none();
    let made_nothing = desk.task.as_ref().is_some_and(|work| work.changed == 0);
    match next {
        NextStep::Done if is_talk => set_status(draft, id, Status::Success),
        NextStep::Done if made_nothing && desk.step() == Step::Planning => {
            draft.record(Event::TaskEnded { desk: id, ending: Ending::Answered });
        }
        NextStep::Done | NextStep::PendingUser | NextStep::Defer | NextStep::Continue => {
            set_status(draft, id, Status::RequiresUserInput);
        }
    }
}
