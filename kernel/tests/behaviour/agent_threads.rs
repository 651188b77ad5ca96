//! Child threads: begun with a written task, reminded of what is left, over with one result or one failure.

use enza_kernel::agent::{CallEnd, Step, ThreadEvent, ThreadFailure};
use enza_kernel::application::Application as _;
use enza_kernel::conversation::{Message, Reply, Role};
use enza_kernel::effect::{Effect, Outcome};
use enza_kernel::testing::Story;
use enza_kernel::testing::till::{AUDITOR, CLERK, Event, Till};

use crate::behaviour::shop::{asks, call, ended, greeted, owed, replied, reply, step, till};

const REMINDER: &str = "You still need to: Give your verdict using verdict";

fn auditing(till: &Till) -> Story<'_, Till> {
    let calls = [call("n", "note"), call("d", "audit")];
    let task = "Audit the deal. 1 notes were taken.";
    greeted(till, None)
        .when_settled(asks(CLERK), reply("", &calls))
        .then([
            step(CLERK, replied("", &calls)),
            Event::Noted,
            step(CLERK, ended("n", "noted", CallEnd::Done)),
            step(AUDITOR, ThreadEvent::Began { agent: AUDITOR.to_owned(), text: task.into() }),
            step(CLERK, ThreadEvent::CallDelegated { call: "d".to_owned() }),
        ])
        .then_due(|due| owed(due) == ["ask auditor"])
        .go_on()
}

#[test]
fn a_childs_result_is_the_result_of_its_parents_call_and_the_child_is_over() {
    let till = till();
    let state = auditing(&till)
        .when_settled(asks(AUDITOR), reply("", &[call("v", "verdict")]))
        .then([
            step(AUDITOR, replied("", &[call("v", "verdict")])),
            step(CLERK, ended("d", r#"{"of":"v"}"#, CallEnd::Done)),
            step(AUDITOR, ThreadEvent::Closed),
        ])
        .then_due(|due| owed(due) == ["ask clerk"])
        .into_state();
    assert_eq!(state.cast.threads.keys().collect::<Vec<_>>(), [CLERK]);
}

#[test]
fn a_text_while_something_is_left_to_do_is_answered_with_what_is_left() {
    let till = till();
    auditing(&till)
        .when_settled(asks(AUDITOR), reply("Looks fine.", &[]))
        .then([
            step(AUDITOR, replied("Looks fine.", &[])),
            step(AUDITOR, ThreadEvent::Nudged { text: REMINDER.into(), strike: false }),
        ])
        .then_due(|due| owed(due) == ["ask auditor"]);
}

#[test]
fn a_child_that_uses_up_its_rounds_hands_its_failure_to_its_parents_call() {
    let till = till();
    auditing(&till)
        .when_settled(asks(AUDITOR), reply("Well.", &[]))
        .when_settled(asks(AUDITOR), reply("Hm.", &[]))
        .when_settled(asks(AUDITOR), reply("Fine.", &[]))
        .then([
            step(AUDITOR, replied("Fine.", &[])),
            step(AUDITOR, ThreadEvent::Nudged { text: REMINDER.into(), strike: false }),
            step(AUDITOR, ThreadEvent::Failed { failure: ThreadFailure::RoundsExhausted { rounds: 3 } }),
            step(AUDITOR, ThreadEvent::Closed),
            step(CLERK, ended("d", "The audit failed: no answer after 3 rounds.", CallEnd::Error)),
        ])
        .then_due(|due| owed(due) == ["ask clerk"]);
}

#[test]
fn a_child_whose_model_cannot_be_had_hands_that_to_its_parents_call() {
    let till = till();
    auditing(&till)
        .when_settled(asks(AUDITOR), Outcome::Unanswered { why: "gone".to_owned() })
        .then([
            step(AUDITOR, ThreadEvent::Failed { failure: ThreadFailure::Unanswered { why: "gone".to_owned() } }),
            step(AUDITOR, ThreadEvent::Closed),
            step(CLERK, ended("d", "The audit failed: the model did not answer: gone.", CallEnd::Error)),
        ])
        .then_due(|due| owed(due) == ["ask clerk"]);
}

#[test]
fn a_second_child_of_the_same_name_is_refused() {
    let till = till();
    let calls = [call("d", "audit"), call("e", "audit")];
    greeted(&till, None)
        .when_settled(asks(CLERK), reply("", &calls))
        .then([
            step(CLERK, replied("", &calls)),
            step(
                AUDITOR,
                ThreadEvent::Began { agent: AUDITOR.to_owned(), text: "Audit the deal. 0 notes were taken.".into() },
            ),
            step(CLERK, ThreadEvent::CallDelegated { call: "d".to_owned() }),
            step(CLERK, ended("e", "The auditor is at work already.", CallEnd::Error)),
        ])
        .then_due(|due| owed(due) == ["ask auditor"]);
}

#[test]
fn a_child_starts_from_its_task_and_sees_nothing_else_of_its_parent() {
    let till = till();
    let state = auditing(&till).into_state();
    let due = till.due(&state);
    let Some(Effect::AskModel(ask)) = due.iter().find(|due| asks(AUDITOR)(due)) else { panic!("due: {due:?}") };
    let request = till.request(&state, ask);
    assert_eq!(request.messages, [Message::new(Role::Session, "Audit the deal. 1 notes were taken.")]);
    let sections: Vec<_> = request.stable.iter().map(|part| (part.name.as_str(), &*part.text)).collect();
    assert_eq!(sections, [("role", "You work at a till. Be brief and exact."), ("floor price", "7")]);
}

#[test]
fn what_only_the_child_may_know_is_not_in_its_parents_prompt() {
    let till = till();
    let state = greeted(&till, None).into_state();
    let due = till.due(&state);
    let Some(Effect::AskModel(ask)) = due.iter().find(|due| asks(CLERK)(due)) else { panic!("due: {due:?}") };
    let names: Vec<_> = till.request(&state, ask).stable.into_iter().map(|part| part.name).collect();
    assert_eq!(names, ["role"]);
}

/// A reply in words, with what was thought before them.
fn thought(text: &str) -> Outcome {
    match reply(text, &[]) {
        Outcome::Replied { reply, asked_at, prompt } => {
            Outcome::Replied { reply: Reply { thoughts: "Too cheap?".to_owned(), ..reply }, asked_at, prompt }
        }
        other => panic!("{other:?}"),
    }
}

fn kept(events: &[Event]) -> Vec<&str> {
    let thoughts = |event| match event {
        &Event::Agent(Step { what: ThreadEvent::Replied { ref thoughts, .. }, .. }) => Some(&**thoughts),
        _ => None,
    };
    events.iter().filter_map(thoughts).collect()
}

#[test]
fn what_is_thought_is_kept_of_an_agent_that_asks_for_it_and_is_in_no_prompt() {
    let till = till();
    let story = auditing(&till).when_settled(asks(AUDITOR), thought("Looks fine."));
    assert_eq!(kept(story.events()), ["Too cheap?"]);
    let state = story.into_state();
    for due in till.due(&state) {
        if let Effect::AskModel(ask) = due {
            assert!(!till.request(&state, &ask).to_plain_text().contains("Too cheap?"));
        }
    }
    let story = greeted(&till, None).when_settled(asks(CLERK), thought("Good day."));
    assert_eq!(kept(story.events()), [""]);
}
