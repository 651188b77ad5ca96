//! One ledger for a session and its children: a call is set aside before it is made, and lost ones are gone.

use enza_kernel::agent::{CallEnd, ThreadEvent, ThreadFailure};
use enza_kernel::application::Application as _;
use enza_kernel::budget::Ledger;
use enza_kernel::conversation::Usage;
use enza_kernel::effect::{AskModel, Effect, Key, Outcome};
use enza_kernel::testing::given;
use enza_kernel::testing::till::{AUDITOR, CLERK, Command, Event, State};
use enza_kernel::time::{Actor, Now, Seq, Timestamp};

use crate::behaviour::shop::{asks, call, costly_reply, ended, greeted, owed, reply, say, spoke, step, till};

/// What the clerk's first call sets aside: layout, the reply's most, and "hello".
const FIRST: u64 = 200 + 600 + 6;

fn cost(tokens: u64) -> Usage {
    Usage { input: tokens, ..Usage::default() }
}

#[test]
fn a_call_whose_reserve_just_fits_is_due() {
    let reserve_of = |due: &[Effect]| match &due[0] {
        Effect::AskModel(ask) => ask.reserve,
        other => panic!("due: {other:?}"),
    };
    greeted(&till(), Some(FIRST)).then_due(|due| reserve_of(due) == FIRST);
}

#[test]
fn a_call_whose_reserve_does_not_fit_fails_visibly() {
    let failure = ThreadFailure::BudgetExhausted { need: FIRST, left: FIRST - 1 };
    given(&till(), [])
        .when(Command::Open { budget: Some(FIRST - 1), floor: String::new() })
        .when(say("hello"))
        .then([
            spoke(),
            step(CLERK, ThreadEvent::Heard { text: "hello".into() }),
            step(CLERK, ThreadEvent::Failed { failure: failure.clone() }),
        ])
        .then_due(|due| owed(due).is_empty())
        .when(Command::Retry)
        .then([step(CLERK, ThreadEvent::Retried), step(CLERK, ThreadEvent::Failed { failure })]);
}

#[test]
fn usage_is_summed_and_charged() {
    let till = till();
    let usage = Usage { input: 300, output: 50, cache_read: 100, cache_write: 20, cost: 7 };
    let state = greeted(&till, Some(10_000))
        .when_settled(asks(CLERK), costly_reply("", &[call("n", "note")], usage))
        .when_settled(asks(CLERK), costly_reply("Done.", &[], usage))
        .into_state();
    assert_eq!(state.cast.usage, usage.plus(usage));
    assert_eq!(state.cast.replies, 2);
    assert_eq!(state.cast.ledger, Ledger { limit: Some(10_000), spent: 700, held: 0 });
}

#[test]
fn children_spend_from_the_same_ledger() {
    let till = till();
    let state = greeted(&till, Some(10_000))
        .when_settled(asks(CLERK), costly_reply("", &[call("d", "audit")], cost(100)))
        .when_settled(asks(AUDITOR), costly_reply("", &[call("v", "verdict")], cost(40)))
        .into_state();
    assert_eq!(state.cast.ledger, Ledger { limit: Some(10_000), spent: 140, held: 0 });
}

#[test]
fn a_child_that_does_not_fit_hands_its_failure_to_its_parent_which_may_not_fit_either() {
    let till = till();
    // The auditor's first call needs 200 + 300 + the 13 tokens of its task.
    let left = 200 + 300 + 13 - 1;
    let failed = ThreadEvent::Failed { failure: ThreadFailure::BudgetExhausted { need: left + 1, left } };
    let story = greeted(&till, Some(FIRST))
        .when_settled(asks(CLERK), costly_reply("", &[call("d", "audit")], cost(FIRST - left)));
    let told = format!("The audit failed: the next call needs {} tokens, the budget has {left} left.", left + 1);
    assert_eq!(
        story.events()[3..6],
        [step(AUDITOR, failed), step(AUDITOR, ThreadEvent::Closed), step(CLERK, ended("d", &told, CallEnd::Error))]
    );
    // And the clerk's own next call does not fit either.
    let Event::Agent(last) = story.events().last().unwrap() else { panic!("{:?}", story.events()) };
    assert!(matches!(last.what, ThreadEvent::Failed { failure: ThreadFailure::BudgetExhausted { .. } }), "{last:?}");
}

#[test]
fn lost_calls_count_as_spent_and_the_call_is_still_due() {
    let till = till();
    let state = greeted(&till, Some(10_000))
        .when_settled(asks(CLERK), Outcome::CallsLost { tokens: 900 })
        .then([step(CLERK, ThreadEvent::CallsLost { tokens: 900 })])
        .then_due(|due| owed(due) == ["ask clerk"])
        .into_state();
    assert_eq!(state.cast.ledger, Ledger { limit: Some(10_000), spent: 900, held: 0 });
}

#[test]
fn lost_calls_can_use_up_the_budget() {
    let till = till();
    greeted(&till, Some(1_000))
        .when_settled(asks(CLERK), Outcome::CallsLost { tokens: 900 })
        .then([
            step(CLERK, ThreadEvent::CallsLost { tokens: 900 }),
            step(CLERK, ThreadEvent::Failed { failure: ThreadFailure::BudgetExhausted { need: FIRST, left: 100 } }),
        ])
        .then_due(|due| owed(due).is_empty());
}

/// What follows in this state from a call that is no longer the one that is due, and may have cost 900.
fn after_giving_up(state: &State) -> Vec<Event> {
    let given_up = Effect::AskModel(AskModel {
        key: Key { seq: Seq(1), ordinal: 7 },
        agent: CLERK.to_owned(),
        thread: CLERK.to_owned(),
        reserve: FIRST,
    });
    let now = Now { time: Timestamp(0), head: Seq(9), by: Actor::Runtime };
    till().settle(state, &given_up, Outcome::CallsLost { tokens: 900 }, &now)
}

#[test]
fn a_call_that_was_given_up_leaves_no_room_for_the_one_that_came_after_it() {
    let state = greeted(&till(), Some(1_000)).into_state();
    let failure = ThreadFailure::BudgetExhausted { need: FIRST, left: 100 };
    let follows = [step(CLERK, ThreadEvent::CallsLost { tokens: 900 }), step(CLERK, ThreadEvent::Failed { failure })];
    assert_eq!(after_giving_up(&state), follows);
}

#[test]
fn a_call_that_was_given_up_with_the_whole_session_counts_and_nothing_else_follows() {
    let state = greeted(&till(), Some(1_000)).when(Command::Close).into_state();
    assert_eq!(after_giving_up(&state), [step(CLERK, ThreadEvent::CallsLost { tokens: 900 })]);
}

#[test]
fn a_reply_that_ends_the_turn_is_charged_even_to_the_last_token() {
    let till = till();
    let state =
        greeted(&till, Some(FIRST)).when_settled(asks(CLERK), costly_reply("Bye.", &[], cost(FIRST))).into_state();
    assert_eq!(state.cast.ledger.left(), Some(0));
    greeted(&till, None).when_settled(asks(CLERK), reply("Bye.", &[])).then_due(|due| owed(due).is_empty());
}
