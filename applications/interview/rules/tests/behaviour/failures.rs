//! Failure of agents, budgets, idleness: nothing is lost, and somebody is told.

use std::time::Duration;

use enza_interview::{Command, Form, IDLE, Interview, Refusal, Stage};
use enza_kernel::agent::ThreadFailure;
use enza_kernel::application::{Application, Phase};
use enza_kernel::effect::{Effect, Outcome, Wake};
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;
use enza_kernel::time::Actor;
use serde_json::json;

use super::world::{World, open};

fn unanswered(world: &mut World) {
    let ask = world.ask();
    world.settle(&Effect::AskModel(ask), Outcome::Unanswered { why: "503".to_owned() });
}

fn idle(world: &World) -> Option<Wake> {
    world.app.due(&world.state).into_iter().find_map(|effect| match effect {
        Effect::Wake(wake) => Some(wake),
        Effect::AskModel(_) | Effect::RunTool(_) | Effect::RunErrand(_) => None,
    })
}

/// Section 3, "LLM failure or timeout": the answer was saved first, and "try again" goes on from it.
#[test]
fn a_session_without_a_model_is_stuck_and_goes_on_where_it_was() {
    let mut world = World::opened();
    world.asks_for("What is wrong?");
    world.say("The lift is stuck");
    unanswered(&mut world);
    let standing = Interview::standing(&world.state);
    assert_eq!(standing.phase, Phase::Stuck);
    assert_eq!(
        standing.waiting_for.as_deref(),
        Some("The language model did not answer. Your answers are kept. Try again.")
    );
    assert_eq!(world.tell(Command::Say { text: "Hello?".to_owned() }), Err(Refusal::Stuck));
    world.tell(Command::RetryModel).unwrap();
    world.reviews(json!({ "passed": true, "field_value": "The lift is stuck" }));
    assert_eq!(world.field("symptom"), "done");
}

#[test]
fn a_reviewer_that_used_up_its_rounds_is_stuck_and_may_try_again() {
    let mut world = World::opened();
    world.asks_for("What is wrong?");
    world.say("The lift is stuck");
    for _ in 0..10 {
        world.reviews(json!({ "passed": true }));
    }
    assert_eq!(world.state.failure(), Some(&ThreadFailure::RoundsExhausted { rounds: 10 }));
    assert_eq!(world.field("symptom"), "reviewing");
    world.tell(Command::RetryModel).unwrap();
    world.reviews(json!({ "passed": true, "field_value": "The lift is stuck" }));
    assert_eq!(world.field("symptom"), "done");
    assert_eq!(world.tell(Command::RetryModel), Err(Refusal::Common(CommonRefusal::NothingToRetry)));
}

#[test]
fn a_budget_is_never_exceeded_and_can_be_raised() {
    let mut world = World::new();
    world.tell(open(Form::sample(Lang::En), Some(100))).unwrap();
    assert!(matches!(world.state.failure(), Some(ThreadFailure::BudgetExhausted { .. })));
    assert!(world.asks().is_empty());
    assert!(matches!(world.tell(Command::RetryModel), Err(Refusal::Budget(_))));
    assert_eq!(world.tell(Command::RaiseBudget { budget: 100 }), Err(Refusal::BudgetNotHigher { limit: Some(100) }));
    world.tell(Command::RaiseBudget { budget: 1_000_000 }).unwrap();
    world.tell(Command::RetryModel).unwrap();
    world.asks_for("What is wrong?");
    assert!(world.state.question().is_some());
}

/// Section 3, "Expiry".
#[test]
fn thirty_days_without_a_word_give_the_interview_up_once() {
    let mut world = World::opened();
    world.play();
    let first = idle(&world).unwrap();
    assert_eq!(first.at, world.time + IDLE);
    world.wait(Duration::from_secs(24 * 60 * 60));
    world.say("The lift is stuck since this morning");
    assert_eq!(idle(&world).unwrap(), Wake { name: first.name.clone(), at: world.time + IDLE });

    world.time = first.at;
    let before = world.log.len();
    world.settle(&Effect::Wake(first.clone()), Outcome::Rang);
    assert_eq!(world.log.len(), before, "a timer that was moved rings for nothing");

    world.wait(IDLE);
    world.settle(&Effect::Wake(first.clone()), Outcome::Rang);
    assert_eq!(world.state.stage(), Stage::Abandoned);
    assert!(world.app.due(&world.state).is_empty());
    let before = world.log.len();
    world.settle(&Effect::Wake(first), Outcome::Rang);
    assert_eq!(world.log.len(), before);
    let row = Interview::rows(world.log.last().unwrap()).remove(0);
    assert_eq!(row.content, Some(json!({ "status": "abandoned", "why": "idle" })));
}

#[test]
fn a_reply_that_comes_after_the_end_changes_nothing() {
    let mut world = World::opened();
    let ask = world.ask();
    world.tell(Command::Abandon).unwrap();
    let prompt = enza_kernel::conversation::Digest::of(b"");
    let outcome = Outcome::Replied { reply: Default::default(), asked_at: world.head(), prompt };
    let before = world.log.len();
    world.settle(&Effect::AskModel(ask), outcome);
    assert_eq!(world.log.len(), before);
    assert_eq!(world.tell(Command::Say { text: "Hello".to_owned() }), Err(Refusal::Abandoned));
    assert_eq!(world.by(Actor::Clock, Command::Abandon), Err(Refusal::Common(CommonRefusal::NotAPerson)));
}

/// Days are counted from the respondent's own last answer: what keeps an interview going is none.
#[test]
fn a_raised_budget_another_try_and_a_late_finding_counted_as_a_word_of_the_respondents() {
    let day = Duration::from_secs(24 * 60 * 60);
    let mut world = World::new();
    world.tell(open(Form::sample(Lang::En), Some(100))).unwrap();
    let opened = world.state.last_answer();
    assert_eq!(opened, world.time);
    world.wait(day);
    world.tell(Command::RaiseBudget { budget: 1_000_000 }).unwrap();
    world.tell(Command::RetryModel).unwrap();
    world.asks_for("What is wrong?");
    assert_eq!(world.state.last_answer(), opened);
    world.wait(day);
    world.say("The lift in Building A is stuck");
    let answered = world.state.last_answer();
    assert_eq!(answered, world.time);
    world.wait(day);
    let finding = json!({ "passed": true, "field_value": "The lift is stuck", "other_fields": ["place"] });
    world.reviews(finding);
    assert_eq!(world.field("place"), "reviewing", "the reviewer found another answer in it");
    world.wait(day);
    world.tell(Command::Abandon).unwrap();
    assert_eq!(world.state.last_answer(), answered);
}
