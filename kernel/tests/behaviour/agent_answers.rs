//! Answers in text: one that does not fit is asked for again at most twice, and then the thread fails.
//!
//! The till has no agent that answers in text, so an oracle does: a question in, a number out.

use enza_kernel::agent::{self, Agent, AgentApplication, CallVerdict, Step, ThreadEvent, ThreadFailure, Threads};
use enza_kernel::application::{Application, Draft, Entry, Phase, Reason, Standing};
use enza_kernel::conversation::{Request, ToolCall};
use enza_kernel::effect::{AskModel, Effect, Outcome};
use enza_kernel::prompt::Layout;
use enza_kernel::testing::{Story, given};
use enza_kernel::text::{Lang, Said};
use enza_kernel::time::Now;
use serde::{Deserialize, Serialize};
use serde_json::json;

use crate::behaviour::shop::{asks, cut_off, owed, replied, reply};

struct Oracle(Agent);

#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
struct State {
    cast: Threads,
    answer: Option<u32>,
}

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Event {
    Agent(Step),
    Answered(u32),
    GaveUp,
}

#[derive(Debug, Clone, Serialize, Deserialize)]
enum Command {
    Ask,
    AskAgain,
}

#[derive(Debug, Clone, PartialEq)]
struct Never;

impl Reason for Never {
    fn code(&self) -> &'static str {
        "never"
    }

    fn say(&self, _lang: Lang) -> Said {
        Said::new("", "")
    }
}

impl Application for Oracle {
    type State = State;
    type Event = Event;
    type Command = Command;
    type Refusal = Never;

    const NAME: &'static str = "oracle";

    fn evolve(state: &mut State, entry: &Entry<Event>) {
        match &entry.event {
            Event::Agent(step) => state.cast.evolve(entry.seq, step),
            Event::Answered(number) => state.answer = Some(*number),
            Event::GaveUp => state.answer = None,
        }
    }

    fn decide(&self, state: &State, command: Command, now: &Now) -> Result<Vec<Event>, Never> {
        let mut draft = Draft::new(self, state, now);
        match command {
            Command::Ask => agent::start(&mut draft, "oracle", "oracle", "How many?"),
            Command::AskAgain => {
                draft.record(Event::Agent(Step { thread: "oracle".to_owned(), what: ThreadEvent::Retried }));
                agent::enforce_limits(&mut draft);
            }
        }
        Ok(draft.into_events())
    }

    fn due(&self, state: &State) -> Vec<Effect> {
        state.cast.due(self, state)
    }

    fn request(&self, state: &State, ask: &AskModel) -> Request {
        state.cast.request(&self.0, &ask.thread, &Layout::new(1_000))
    }

    fn settle(&self, state: &State, effect: &Effect, outcome: Outcome, now: &Now) -> Vec<Event> {
        let mut draft = Draft::new(self, state, now);
        agent::settle(&mut draft, effect, outcome);
        draft.into_events()
    }

    fn standing(_state: &State) -> Standing {
        Standing { phase: Phase::Waiting, ..Standing::default() }
    }
}

impl AgentApplication for Oracle {
    fn threads(state: &State) -> &Threads {
        &state.cast
    }

    fn step(step: Step) -> Event {
        Event::Agent(step)
    }

    fn agent(&self, _name: &str) -> &Agent {
        &self.0
    }

    fn remaining(&self, _state: &State, _thread: &str) -> Vec<String> {
        Vec::new()
    }

    fn call(&self, _draft: &mut Draft<'_, Self>, _thread: &str, _call: &ToolCall) -> CallVerdict {
        CallVerdict::Refuse("There are no tools.".to_owned())
    }

    fn said(&self, draft: &mut Draft<'_, Self>, _thread: &str, text: &str) -> Result<(), String> {
        let number = text.parse().map_err(|_| format!("{text:?} is not a number."))?;
        draft.record(Event::Answered(number));
        Ok(())
    }

    fn failed(&self, draft: &mut Draft<'_, Self>, _thread: &str, _failure: &ThreadFailure) {
        draft.record(Event::GaveUp);
    }

    fn summary(&self, _state: &State, _thread: &str) -> String {
        "A number was asked for.".to_owned()
    }
}

fn oracle() -> Oracle {
    Oracle(Agent { output: Some(json!({"type": "integer"})), ..Agent::new("oracle", Vec::new()) })
}

fn asked(oracle: &Oracle) -> Story<'_, Oracle> {
    given(oracle, []).when(Command::Ask).go_on()
}

fn step(what: ThreadEvent) -> Event {
    Event::Agent(Step { thread: "oracle".to_owned(), what })
}

fn told_off(text: &str) -> Event {
    let words =
        format!("Your answer could not be used: {text:?} is not a number. Answer again, and mend exactly that.");
    step(ThreadEvent::Nudged { text: words.into(), strike: true })
}

#[test]
fn an_answer_whose_end_is_missing_is_never_taken_even_if_it_would_fit() {
    let words = "Your answer could not be used: it was cut off, since it may take at most 1024 tokens. \
                 Make it much shorter. Answer again, and mend exactly that.";
    let oracle = oracle();
    let state = asked(&oracle)
        .when_settled(asks("oracle"), cut_off("12"))
        .then([step(replied("12", &[])), step(ThreadEvent::Nudged { text: words.into(), strike: true })])
        .then_due(|due| owed(due) == ["ask oracle"])
        .when_settled(asks("oracle"), cut_off("123"))
        .when_settled(asks("oracle"), cut_off("1234"))
        .into_state();
    assert_eq!(state.answer, None);
    assert!(state.cast.threads["oracle"].standing.is_failed());
}

#[test]
fn an_answer_that_fits_is_taken() {
    asked(&oracle())
        .when_settled(asks("oracle"), reply("7", &[]))
        .then([step(replied("7", &[])), Event::Answered(7), step(ThreadEvent::Rested)])
        .then_due(|due| owed(due).is_empty());
}

#[test]
fn an_answer_that_does_not_fit_is_asked_for_again_with_the_reason() {
    let oracle = oracle();
    let state = asked(&oracle)
        .when_settled(asks("oracle"), reply("seven", &[]))
        .then([step(replied("seven", &[])), told_off("seven")])
        .then_due(|due| owed(due) == ["ask oracle"])
        .when_settled(asks("oracle"), reply("7", &[]))
        .into_state();
    assert_eq!(state.answer, Some(7));
}

#[test]
fn after_two_re_asks_the_thread_fails_and_a_failure_is_never_an_empty_answer() {
    let why = "\"\" is not a number.".to_owned();
    asked(&oracle())
        .when_settled(asks("oracle"), reply("seven", &[]))
        .when_settled(asks("oracle"), reply("sieben", &[]))
        .then([step(replied("sieben", &[])), told_off("sieben")])
        .when_settled(asks("oracle"), reply("", &[]))
        .then([
            step(replied("", &[])),
            step(ThreadEvent::Failed { failure: ThreadFailure::Malformed { why } }),
            Event::GaveUp,
        ])
        .then_due(|due| owed(due).is_empty());
}

#[test]
fn a_retry_starts_the_count_of_re_asks_anew() {
    asked(&oracle())
        .when_settled(asks("oracle"), reply("a", &[]))
        .when_settled(asks("oracle"), reply("b", &[]))
        .when_settled(asks("oracle"), reply("c", &[]))
        .when(Command::AskAgain)
        .then_due(|due| owed(due) == ["ask oracle"])
        .when_settled(asks("oracle"), reply("d", &[]))
        .then([step(replied("d", &[])), told_off("d")]);
}

#[test]
fn the_schema_of_the_answer_is_part_of_the_prompt() {
    let oracle = oracle();
    let state = asked(&oracle).into_state();
    let due = oracle.due(&state);
    let [Effect::AskModel(ask)] = due.as_slice() else { panic!("due: {due:?}") };
    let request = oracle.request(&state, ask);
    assert_eq!(request.output, Some(json!({"type": "integer"})));
    assert_ne!(Request { output: None, ..request.clone() }.digest(), request.digest());
}
