//! The agent loop: a model is called until it owes a person an answer, and everything it calls is answered.

use enza_kernel::agent::{CallEnd, ThreadEvent, ThreadFailure, ThreadState};
use enza_kernel::conversation::{Message, Role};
use enza_kernel::effect::{Outcome, Safety};
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::testing::given;
use enza_kernel::testing::till::{CLERK, Command, Event, Refusal};
use proptest::prelude::*;

use crate::behaviour::shop::{
    asks, call, ended, greeted, owed, replied, reply, returned, runs, say, spoke, step, till,
};

#[test]
fn a_word_from_a_person_makes_a_model_call_due() {
    given(&till(), [])
        .when(Command::Open { budget: None, floor: "7".to_owned() })
        .then_due(|due| owed(due).is_empty())
        .when(say("  hello "))
        .then([spoke(), step(CLERK, ThreadEvent::Heard { text: "hello".into() })])
        .then_due(|due| owed(due) == ["ask clerk"]);
}

#[test]
fn text_without_a_call_ends_the_turn() {
    let till = till();
    let state = greeted(&till, None)
        .when_settled(asks(CLERK), reply("Welcome.", &[]))
        .then([step(CLERK, replied("Welcome.", &[])), step(CLERK, ThreadEvent::Rested)])
        .then_due(|due| owed(due).is_empty())
        .into_state();
    let clerk = &state.cast.threads[CLERK];
    assert_eq!(clerk.messages, [Message::new(Role::Person, "hello"), Message::reply("Welcome.".into(), &[])]);
    assert_eq!(clerk.standing, ThreadState::Resting);
}

#[test]
fn the_model_is_called_again_after_every_result_until_it_owes_a_person_an_answer() {
    let till = till();
    greeted(&till, None)
        .when_settled(asks(CLERK), reply("", &[call("a", "note")]))
        .then([
            step(CLERK, replied("", &[call("a", "note")])),
            Event::Noted,
            step(CLERK, ended("a", "noted", CallEnd::Done)),
        ])
        .then_due(|due| owed(due) == ["ask clerk"])
        .when_settled(asks(CLERK), reply("", &[call("b", "lookup")]))
        .then([
            step(CLERK, replied("", &[call("b", "lookup")])),
            step(CLERK, ThreadEvent::CallQueued { call: "b".to_owned(), safety: Safety::Repeatable }),
        ])
        .then_due(|due| owed(due) == ["run lookup"])
        .when_settled(runs("lookup"), returned("3 left"))
        .then([step(CLERK, ended("b", "3 left", CallEnd::Done))])
        .then_due(|due| owed(due) == ["ask clerk"])
        .when_settled(asks(CLERK), reply("", &[call("c", "ask")]))
        .then([
            step(CLERK, replied("", &[call("c", "ask")])),
            step(CLERK, ThreadEvent::CallAsks { call: "c".to_owned(), words: "".into() }),
        ])
        .then_due(|due| owed(due).is_empty());
}

#[test]
fn a_tools_error_goes_back_to_the_model() {
    let till = till();
    let state = greeted(&till, None)
        .when_settled(asks(CLERK), reply("", &[call("a", "lookup")]))
        .when_settled(runs("lookup"), Outcome::ToolFailed { why: "The shelf is empty.".to_owned() })
        .then([step(CLERK, ended("a", "The shelf is empty.", CallEnd::Error))])
        .then_due(|due| owed(due) == ["ask clerk"])
        .into_state();
    let clerk = &state.cast.threads[CLERK];
    assert_eq!(clerk.messages.last(), Some(&Message::result("a", "The shelf is empty.")));
}

#[test]
fn a_tool_the_agent_does_not_own_is_answered_with_an_error_and_changes_nothing() {
    let till = till();
    let stolen = [call("a", "verdict"), call("b", "rm")];
    let sorry = |tool| format!("You have no tool named {tool}. Your tools: lookup, charge, pay, note, audit, ask.");
    greeted(&till, None)
        .when_settled(asks(CLERK), reply("", &stolen))
        .then([
            step(CLERK, replied("", &stolen)),
            step(CLERK, ended("a", &sorry("verdict"), CallEnd::Error)),
            step(CLERK, ended("b", &sorry("rm"), CallEnd::Error)),
        ])
        .then_due(|due| owed(due) == ["ask clerk"]);
}

#[test]
fn calls_of_one_reply_are_decided_in_order_and_run_side_by_side() {
    let till = till();
    let calls = [call("a", "note"), call("b", "lookup"), call("c", "charge"), call("d", "note")];
    let state = greeted(&till, None)
        .when_settled(asks(CLERK), reply("At once.", &calls))
        .then([
            step(CLERK, replied("At once.", &calls)),
            Event::Noted,
            step(CLERK, ended("a", "noted", CallEnd::Done)),
            step(CLERK, ThreadEvent::CallQueued { call: "b".to_owned(), safety: Safety::Repeatable }),
            step(CLERK, ThreadEvent::CallQueued { call: "c".to_owned(), safety: Safety::Once }),
            Event::Noted,
            step(CLERK, ended("d", "noted", CallEnd::Done)),
        ])
        .then_due(|due| owed(due) == ["run lookup", "run charge"])
        .when_settled(runs("charge"), returned("paid"))
        .then_due(|due| owed(due) == ["run lookup"])
        .when_settled(runs("lookup"), returned("3 left"))
        .then_due(|due| owed(due) == ["ask clerk"])
        .into_state();
    let answered: Vec<_> = state.cast.threads[CLERK].messages.iter().filter_map(|one| one.answers.as_deref()).collect();
    assert_eq!(answered, ["a", "d", "c", "b"]);
}

#[test]
fn after_a_question_the_rest_of_a_reply_is_not_executed() {
    let till = till();
    let calls = [call("a", "note"), call("b", "ask"), call("c", "note"), call("d", "charge")];
    let first = "Not executed: your question to the person comes first.";
    greeted(&till, None)
        .when_settled(asks(CLERK), reply("", &calls))
        .then([
            step(CLERK, replied("", &calls)),
            Event::Noted,
            step(CLERK, ended("a", "noted", CallEnd::Done)),
            step(CLERK, ThreadEvent::CallAsks { call: "b".to_owned(), words: "".into() }),
            step(CLERK, ended("c", first, CallEnd::Error)),
            step(CLERK, ended("d", first, CallEnd::Error)),
        ])
        .then_due(|due| owed(due).is_empty());
}

#[test]
fn a_questions_answer_is_the_result_of_its_call() {
    let till = till();
    let state = greeted(&till, None)
        .when_settled(asks(CLERK), reply("Which?", &[call("q", "ask")]))
        .when(say("the red one"))
        .then([spoke(), step(CLERK, ThreadEvent::Heard { text: "the red one".into() })])
        .then_due(|due| owed(due) == ["ask clerk"])
        .into_state();
    assert_eq!(
        state.cast.threads[CLERK].messages,
        [
            Message::new(Role::Person, "hello"),
            Message::reply("Which?".into(), &[call("q", "ask")]),
            Message::result("q", "the red one"),
        ]
    );
}

#[test]
fn an_answered_question_waits_for_the_other_calls_of_its_reply() {
    let till = till();
    greeted(&till, None)
        .when_settled(asks(CLERK), reply("", &[call("a", "lookup"), call("q", "ask")]))
        .when(say("the red one"))
        .then_due(|due| owed(due) == ["run lookup"])
        .when_settled(runs("lookup"), returned("3 left"))
        .then_due(|due| owed(due) == ["ask clerk"]);
}

#[test]
fn nobody_is_heard_while_the_clerk_is_at_work() {
    greeted(&till(), None).when(say("hurry")).then_refused(Refusal::NotYourTurn);
}

#[test]
fn rounds_exhausted_is_a_failure_with_a_name_and_a_retry_goes_on() {
    let till = till();
    let mut story = greeted(&till, None);
    for round in 1..10 {
        story = story.when_settled(asks(CLERK), reply("", &[call(&format!("n{round}"), "note")])).go_on();
    }
    story
        .when_settled(asks(CLERK), reply("", &[call("last", "note")]))
        .then([
            step(CLERK, replied("", &[call("last", "note")])),
            Event::Noted,
            step(CLERK, ended("last", "noted", CallEnd::Done)),
            step(CLERK, ThreadEvent::Failed { failure: ThreadFailure::RoundsExhausted { rounds: 10 } }),
        ])
        .then_due(|due| owed(due).is_empty())
        .when(Command::Retry)
        .then([step(CLERK, ThreadEvent::Retried)])
        .then_due(|due| owed(due) == ["ask clerk"]);
}

#[test]
fn an_answer_to_a_question_starts_the_count_of_rounds_anew() {
    let till = till();
    let mut story = greeted(&till, None);
    for round in 1..10 {
        story = story.when_settled(asks(CLERK), reply("", &[call(&format!("n{round}"), "note")])).go_on();
    }
    let state = story.when_settled(asks(CLERK), reply("", &[call("q", "ask")])).when(say("yes")).into_state();
    assert_eq!(state.cast.threads[CLERK].round, 0);
}

#[test]
fn a_failed_thread_stays_failed_until_it_is_retried() {
    let till = till();
    let failure = ThreadFailure::Unanswered { why: "gone".to_owned() };
    greeted(&till, None)
        .when_settled(asks(CLERK), Outcome::Unanswered { why: "gone".to_owned() })
        .then([step(CLERK, ThreadEvent::Failed { failure })])
        .then_due(|due| owed(due).is_empty())
        .when(say("anyone there?"))
        .then_refused(Refusal::NotYourTurn)
        .then_due(|due| owed(due).is_empty());
    greeted(&till, None)
        .when_settled(asks(CLERK), Outcome::Unanswered { why: "gone".to_owned() })
        .when(Command::Retry)
        .then_due(|due| owed(due) == ["ask clerk"])
        .when(Command::Retry)
        .then_refused(Refusal::Common(CommonRefusal::NothingToRetry));
}

#[test]
fn missing_and_repeated_call_ids_are_made_distinct() {
    let till = till();
    let calls = [call("", "lookup"), call("x", "lookup"), call("x", "lookup"), call("", "lookup")];
    let ids = ids_of_pending(greeted(&till, None).when_settled(asks(CLERK), reply("", &calls)).into_state());
    assert_eq!(ids, ["4-0", "x", "4-2", "4-3"]);
}

fn ids_of_pending(state: enza_kernel::testing::till::State) -> Vec<String> {
    state.cast.threads[CLERK].pending().iter().map(|pending| pending.call.id.clone()).collect()
}

#[test]
fn an_id_that_looks_like_ours_was_given_out_twice() {
    let till = till();
    let calls = [call("4-1", "lookup"), call("", "lookup"), call("4-1", "lookup")];
    let ids = ids_of_pending(greeted(&till, None).when_settled(asks(CLERK), reply("", &calls)).into_state());
    assert_eq!(ids.iter().collect::<std::collections::BTreeSet<_>>().len(), 3, "{ids:?}");
    assert_eq!(ids[0], "4-1");
}

#[test]
fn an_id_of_an_earlier_reply_was_taken_again() {
    let till = till();
    let state = greeted(&till, None)
        .when_settled(asks(CLERK), reply("", &[call("call_0", "note")]))
        .when_settled(asks(CLERK), reply("", &[call("call_0", "note")]))
        .into_state();
    let answered: Vec<_> = state.cast.threads[CLERK].messages.iter().filter_map(|one| one.answers.as_deref()).collect();
    assert_eq!(answered.len(), 2);
    assert_ne!(answered[0], answered[1], "each result must name one call of the thread");
}

proptest! {
    #[test]
    fn every_call_of_a_reply_gets_one_result_whatever_its_id(
        ids in proptest::collection::vec("[4x]?(-[0-3])?", 1..6),
    ) {
        let till = till();
        let calls: Vec<_> = ids.iter().map(|id| call(id, "note")).collect();
        let state = greeted(&till, None).when_settled(asks(CLERK), reply("", &calls)).into_state();
        let clerk = &state.cast.threads[CLERK];
        let called: Vec<_> = clerk.messages[1].calls.iter().map(|call| call.id.as_str()).collect();
        let answered: Vec<_> = clerk.messages[2..].iter().filter_map(|one| one.answers.as_deref()).collect();
        prop_assert_eq!(called, answered);
        prop_assert!(clerk.asking().is_some());
    }
}
