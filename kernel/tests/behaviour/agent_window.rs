//! What a model sees of a thread: a growing prefix, cut at a reply when it outgrows its window, the same after a reload.

use std::collections::BTreeSet;

use enza_kernel::agent::{ThreadEvent, ThreadFailure, Threads};
use enza_kernel::application::{Application as _, Entry};
use enza_kernel::conversation::{Message, Request, Role};
use enza_kernel::effect::{Effect, Outcome};
use enza_kernel::testing::till::{AUDITOR, CLERK, Command, Event, State, Till};
use enza_kernel::testing::{Story, given};
use enza_kernel::time::{Actor, Now, Seq, Timestamp};
use proptest::prelude::*;

use crate::behaviour::shop::{asks, call, greeted, owed, reply, returned, runs, say, step, till};

/// A text of about so many tokens.
fn long(tokens: usize) -> String {
    "word".repeat(tokens)
}

fn compactions(events: &[Event]) -> Vec<&ThreadEvent> {
    events
        .iter()
        .filter_map(|event| match event {
            Event::Agent(step) if matches!(step.what, ThreadEvent::Compacted { .. }) => Some(&step.what),
            _ => None,
        })
        .collect()
}

/// Every result in a thread answers a call that is in it, before it.
fn no_result_is_an_orphan(cast: &Threads) -> bool {
    cast.threads.values().all(|thread| {
        let mut called = BTreeSet::new();
        thread.messages.iter().all(|message| {
            called.extend(message.calls.iter().map(|call| call.id.as_str()));
            message.answers.as_deref().is_none_or(|id| called.contains(id))
        })
    })
}

#[test]
fn a_thread_that_outgrows_its_window_keeps_the_summary_and_what_follows_the_last_reply() {
    let till = till();
    let story = greeted(&till, None)
        .when_settled(asks(CLERK), reply(&long(2_500), &[]))
        .when(say("go on"))
        .when_settled(asks(CLERK), reply("", &[call("a", "lookup")]))
        .when_settled(runs("lookup"), returned(&long(1_600)));
    let summary = "Earlier talk was left out. 0 notes were taken.";
    let events = story.events().to_vec();
    assert_eq!(
        events[1..],
        [step(CLERK, ThreadEvent::Compacted { dropped: 3, summary: summary.into() })],
        "the compaction comes with the result that made it necessary"
    );
    let state = story.then_due(|due| owed(due) == ["ask clerk"]).into_state();
    assert_eq!(
        state.cast.threads[CLERK].messages,
        [
            Message::new(Role::Session, summary),
            Message::reply("".into(), &[call("a", "lookup")]),
            Message::result("a", long(1_600)),
        ]
    );
    assert_eq!(
        state.cast.threads[CLERK].tokens,
        state.cast.threads[CLERK].messages.iter().map(Message::tokens).sum::<u64>()
    );
}

/// A model may have less room than its thread's window; then the thread is made shorter and asked again, once for each time.
#[test]
fn a_model_without_room_is_asked_again_with_a_shorter_thread() {
    let till = till();
    let too_long = || Outcome::TooLong { why: "11 tokens > 10".to_owned() };
    let story = greeted(&till, None)
        .when_settled(asks(CLERK), reply(&long(1_500), &[]))
        .when(say("go on"))
        .when_settled(asks(CLERK), reply("shorter", &[]))
        .when(say("and again"))
        .when_settled(asks(CLERK), too_long());
    let events = story.events().to_vec();
    assert!(matches!(&events[0], Event::Agent(step) if matches!(step.what, ThreadEvent::Overran { .. })), "{events:?}");
    assert_eq!(compactions(&events).len(), 1, "{events:?}");
    let story = story.then_due(|due| owed(due) == ["ask clerk"]);
    let story = story.when_settled(asks(CLERK), reply(&long(1_200), &[]));
    assert_eq!(compactions(story.events()).len(), 1, "it does not grow to the old length again");
}

#[test]
fn a_thread_of_which_nothing_can_go_fails_where_the_model_has_no_room() {
    let till = till();
    let why = "11 tokens > 10".to_owned();
    let story = greeted(&till, None).when_settled(asks(CLERK), Outcome::TooLong { why: why.clone() });
    let failed = step(CLERK, ThreadEvent::Failed { failure: ThreadFailure::Unanswered { why } });
    assert_eq!(story.events().last(), Some(&failed));
    story.then_due(|due| owed(due).is_empty());
}

#[test]
fn a_thread_inside_its_window_is_left_alone() {
    let till = till();
    let story = greeted(&till, None).when_settled(asks(CLERK), reply(&long(3_900), &[]));
    assert_eq!(compactions(story.events()), [] as [&ThreadEvent; 0]);
}

#[test]
fn a_summary_was_replaced_by_itself_over_and_over() {
    let till = till();
    let story = greeted(&till, None)
        .when_settled(asks(CLERK), reply("", &[call("a", "lookup"), call("b", "lookup"), call("c", "charge")]))
        .when_settled(runs("lookup"), returned(&long(5_000)));
    assert_eq!(compactions(story.events()).len(), 1);
    let story = story.when_settled(runs("charge"), Outcome::Starting { mark: "w#1".to_owned() });
    assert_eq!(compactions(story.events()), [] as [&ThreadEvent; 0], "there is nothing left to drop");
}

/// The clerk's next prompt, if it waits for one.
fn prompt(till: &Till, state: &State) -> Option<Request> {
    till.due(state).iter().find_map(|due| match due {
        Effect::AskModel(ask) if ask.thread == CLERK => Some(till.request(state, ask)),
        Effect::AskModel(_) | Effect::RunTool(_) | Effect::RunErrand(_) | Effect::Wake(_) => None,
    })
}

#[test]
fn what_lasts_of_a_prompt_is_a_prefix_of_the_next() {
    let till = till();
    let mut states = Vec::new();
    let mut look = |story: Story<'_, Till>, so_far: &mut Vec<Event>| {
        so_far.extend(story.events().to_vec());
        states.push(enza_kernel::testing::fold::<Till>(so_far.iter().cloned()));
    };
    let mut so_far = Vec::new();
    look(given(&till, []).when(Command::Open { budget: None, floor: "7".to_owned() }), &mut so_far);
    look(given(&till, so_far.clone()).when(say("hello")), &mut so_far);
    look(
        given(&till, so_far.clone()).when_settled(asks(CLERK), reply("", &[call("n", "note"), call("d", "audit")])),
        &mut so_far,
    );
    look(given(&till, so_far.clone()).when_settled(asks(AUDITOR), reply("", &[call("v", "verdict")])), &mut so_far);
    look(given(&till, so_far.clone()).when_settled(asks(CLERK), reply("Sold.", &[])), &mut so_far);
    look(given(&till, so_far.clone()).when(say("thanks")), &mut so_far);
    let prompts: Vec<_> = states.iter().filter_map(|state| prompt(&till, state)).collect();
    assert_eq!(prompts.len(), 3);
    for pair in prompts.windows(2) {
        assert!(pair[1].lasting_bytes().starts_with(&pair[0].lasting_bytes()));
        assert_ne!(pair[0].digest(), pair[1].digest());
    }
    assert_eq!(&*prompts[2].fresh[0].text, "1 notes so far", "what changes with every call stands behind the thread");
}

/// One thing that happens at the till: an effect is settled, or a person acts.
fn happen(till: &Till, state: &State, head: Seq, draw: u8) -> Vec<Event> {
    let now = Now { time: Timestamp(i64::from(draw)), head, by: Actor::Person("ada".to_owned()) };
    let due: Vec<_> = till.due(state).into_iter().filter(|due| !matches!(due, Effect::Wake(_))).collect();
    let Some(effect) = due.get(usize::from(draw) % due.len().max(1)) else {
        let gate = state.gate.as_ref().and_then(|(gate, _)| gate.open()).map(|gate| gate.id.clone());
        let verdict =
            if draw.is_multiple_of(2) { enza_kernel::gate::Verdict::Yes } else { enza_kernel::gate::Verdict::No };
        let command = gate.map_or_else(|| say("go on"), |gate| Command::Answer { gate, verdict });
        return till
            .decide(state, command, &now)
            .or_else(|_| till.decide(state, Command::Retry, &now))
            .unwrap_or_default();
    };
    let outcome = match effect {
        Effect::AskModel(_) => {
            let tools = ["note", "lookup", "charge", "pay", "audit", "ask", "verdict", "nonsense"];
            let tool = |at: u8| call(&format!("c{}", at % 3), tools[usize::from(at / 3) % tools.len()]);
            let calls = [tool(draw), tool(draw.wrapping_mul(7))];
            reply(&long(usize::from(draw) * 8), &calls[..usize::from(draw % 3)])
        }
        Effect::RunTool(run) if run.started.is_none() && draw.is_multiple_of(2) => {
            Outcome::Starting { mark: "m".to_owned() }
        }
        Effect::RunTool(_) if draw.is_multiple_of(5) => Outcome::Unknown,
        Effect::RunTool(_) => returned(&long(usize::from(draw) * 12)),
        Effect::RunErrand(_) => Outcome::Delivered { at: now.head },
        Effect::Wake(_) => Outcome::Rang,
    };
    till.settle(state, effect, outcome, &now)
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn whatever_happens_prompts_grow_and_no_result_is_an_orphan_and_a_reload_changes_nothing(
        draws in proptest::collection::vec(any::<u8>(), 1..60),
    ) {
        let till = till();
        let opened = given(&till, []).when(Command::Open { budget: Some(200_000), floor: "7".to_owned() });
        let mut state = opened.into_state();
        let mut head = Seq(2);
        let mut last: Option<Request> = None;
        for draw in draws {
            let reloaded: State = serde_json::from_slice(&serde_json::to_vec(&state).unwrap()).unwrap();
            prop_assert_eq!(&reloaded, &state);
            prop_assert_eq!(till.due(&reloaded), till.due(&state));
            let events = happen(&till, &state, head, draw);
            prop_assert_eq!(&happen(&till, &reloaded, head, draw), &events);
            if !compactions(&events).is_empty() {
                last = None;
            }
            for event in events {
                head = head.next();
                Till::evolve(&mut state, &Entry { seq: head, at: Timestamp(0), event });
            }
            prop_assert!(no_result_is_an_orphan(&state.cast));
            let next = prompt(&till, &state);
            if let (Some(last), Some(next)) = (&last, &next) {
                prop_assert!(next.lasting_bytes().starts_with(&last.lasting_bytes()));
            }
            last = next.or(last);
        }
    }
}
