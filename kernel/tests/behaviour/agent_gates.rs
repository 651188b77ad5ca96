//! Calls that need a person's yes, and calls that must not run twice.

use enza_kernel::agent::{CallEnd, ThreadEvent};
use enza_kernel::application::{Application as _, Phase, Standing};
use enza_kernel::conversation::Message;
use enza_kernel::effect::{Effect, Key, Outcome, RunTool, Safety};
use enza_kernel::gate::{Answer, Gate, GateRefusal, Points, Risk, Verdict};
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::testing::Story;
use enza_kernel::testing::till::{CLERK, Command, Event, Refusal, Till};
use enza_kernel::time::{Actor, Seq, Timestamp};
use serde_json::json;

use crate::behaviour::shop::{asks, call, ended, greeted, owed, replied, reply, returned, runs, step, till};

fn gate() -> Gate {
    let ask = Points { intent: r#"pay {"of":"p"}"#.to_owned(), ..Points::default() };
    Gate { id: "g1".to_owned(), ask, risk: Risk::High, expires: None, may_answer: Vec::new() }
}

fn at_the_gate(till: &Till) -> Story<'_, Till> {
    greeted(till, None)
        .when_settled(asks(CLERK), reply("", &[call("p", "pay")]))
        .then([
            step(CLERK, replied("", &[call("p", "pay")])),
            Event::GateOpened { gate: gate(), call: "p".to_owned() },
            step(CLERK, ThreadEvent::CallGated { call: "p".to_owned() }),
        ])
        .go_on()
}

fn answer(verdict: Verdict) -> Command {
    Command::Answer { gate: "g1".to_owned(), verdict }
}

fn answered(verdict: Verdict) -> Event {
    Event::GateAnswered { answer: Answer { verdict, by: "ada".to_owned(), at: Timestamp(0), note: None } }
}

#[test]
fn a_gated_call_waits_and_nothing_is_due() {
    let till = till();
    let state = at_the_gate(&till).then_due(|due| owed(due).is_empty()).into_state();
    assert_eq!(
        Till::standing(&state),
        Standing { phase: Phase::Gate, title: "till of ada".to_owned(), waiting_for: Some(gate().ask.intent) }
    );
}

#[test]
fn a_gates_yes_queues_the_call() {
    at_the_gate(&till())
        .when(answer(Verdict::Yes))
        .then([
            answered(Verdict::Yes),
            step(CLERK, ThreadEvent::CallQueued { call: "p".to_owned(), safety: Safety::Once }),
        ])
        .then_due(|due| owed(due) == ["run pay"]);
}

#[test]
fn a_gates_no_ends_the_call_and_the_model_is_told() {
    at_the_gate(&till())
        .when(answer(Verdict::No))
        .then([answered(Verdict::No), step(CLERK, ended("p", "The person said no.", CallEnd::Error))])
        .then_due(|due| owed(due) == ["ask clerk"]);
}

#[test]
fn a_second_answer_is_told_of_the_first() {
    at_the_gate(&till())
        .when(answer(Verdict::Yes))
        .when(answer(Verdict::No))
        .then_refused(Refusal::Gate(GateRefusal::AlreadyAnswered { by: "ada".to_owned() }));
}

#[test]
fn neither_a_stranger_nor_the_clock_nor_another_gates_answer_opens_it() {
    let till = till();
    let stranger = Actor::Person("eve".to_owned());
    at_the_gate(&till)
        .by(stranger)
        .when(answer(Verdict::Yes))
        .then_refused(Refusal::Gate(GateRefusal::NotAllowed { who: "eve".to_owned() }));
    at_the_gate(&till).by(Actor::Clock).when(answer(Verdict::Yes)).then_refused(Refusal::Gate(GateRefusal::NotAPerson));
    at_the_gate(&till)
        .when(Command::Answer { gate: "g9".to_owned(), verdict: Verdict::Yes })
        .then_refused(Refusal::Common(CommonRefusal::NoSuchGate));
}

#[test]
fn a_start_is_recorded_once_with_its_mark() {
    let till = till();
    let run = |started: Option<&str>| RunTool {
        key: Key { seq: Seq(5), ordinal: 0 },
        tool: "charge".to_owned(),
        arguments: json!({"of": "c"}),
        safety: Safety::Once,
        started: started.map(str::to_owned),
        reserve: 0,
    };
    let is = |due: &[Effect], expected: RunTool| match &due[0] {
        Effect::RunTool(run) => RunTool { reserve: 0, ..run.clone() } == expected,
        Effect::AskModel(_) | Effect::RunErrand(_) | Effect::Wake(_) => false,
    };
    greeted(&till, None)
        .when_settled(asks(CLERK), reply("", &[call("c", "charge")]))
        .then_due(|due| is(due, run(None)))
        .when_settled(runs("charge"), Outcome::Starting { mark: "w#1".to_owned() })
        .then([step(CLERK, ThreadEvent::CallStarted { call: "c".to_owned(), mark: "w#1".to_owned() })])
        .then_due(|due| is(due, run(Some("w#1"))))
        .when_settled(runs("charge"), returned("paid"))
        .then([step(CLERK, ended("c", "paid", CallEnd::Done))])
        .then_due(|due| owed(due) == ["ask clerk"]);
}

#[test]
fn an_unknown_end_is_told_to_the_model_and_to_a_person() {
    let till = till();
    let told = "It is not known whether this ran: the process stopped in the middle. Do not repeat it; a person has \
                been asked to check.";
    let state = greeted(&till, None)
        .when_settled(asks(CLERK), reply("", &[call("c", "charge")]))
        .when_settled(runs("charge"), Outcome::Starting { mark: "w#1".to_owned() })
        .when_settled(runs("charge"), Outcome::Unknown)
        .then([step(CLERK, ended("c", told, CallEnd::Unknown)), Event::LeftUnknown { call: "c".to_owned() }])
        .then_due(|due| owed(due) == ["ask clerk"])
        .into_state();
    assert_eq!(state.cast.threads[CLERK].messages.last(), Some(&Message::result("c", told)));
    assert_eq!(state.unknown, 1);
}

#[test]
fn a_late_outcome_of_an_ended_call_changes_nothing() {
    let till = till();
    let before = greeted(&till, None)
        .when_settled(asks(CLERK), reply("", &[call("a", "lookup"), call("b", "charge")]))
        .into_state();
    let now = crate::behaviour::person("ada", 0);
    let run = till.due(&before).into_iter().find(|due| runs("lookup")(due)).unwrap();
    let mut after = before.clone();
    for event in till.settle(&before, &run, returned("3 left"), &now) {
        Till::evolve(&mut after, &enza_kernel::application::Entry { seq: Seq(9), at: Timestamp(0), event });
    }
    assert_eq!(till.settle(&after, &run, returned("4 left"), &now), []);
}

#[test]
fn a_late_reply_changes_nothing_and_a_late_cost_counts() {
    let till = till();
    let before = greeted(&till, None).into_state();
    let now = crate::behaviour::person("ada", 0);
    let ask = till.due(&before).into_iter().find(|due| asks(CLERK)(due)).unwrap();
    let mut after = before.clone();
    for (place, event) in till.settle(&before, &ask, reply("Good morning.", &[]), &now).into_iter().enumerate() {
        let entry = enza_kernel::application::Entry { seq: Seq(9 + place as u64), at: Timestamp(0), event };
        Till::evolve(&mut after, &entry);
    }
    assert_eq!(till.settle(&after, &ask, reply("Good evening.", &[]), &now), []);
    let cost = till.settle(&after, &ask, Outcome::CallsLost { tokens: 7 }, &now);
    assert_eq!(cost, [step(CLERK, ThreadEvent::CallsLost { tokens: 7 })]);
}
