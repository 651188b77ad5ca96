//! Bugs planted into the companion, one for each check, to see that it can fail.

use std::sync::Arc;

use enza_companion::{Command, Companion, Constraint, Event, Mode, Refusal, State, Step};
use enza_kernel::application::{Application, Entry, PromptRef, Standing};
use enza_kernel::conversation::Request;
use enza_kernel::effect::{AskModel, Effect, Outcome};
use enza_kernel::time::Now;
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::simulation::{Scenario, Violation, run_seed};
use enza_storage::Memory;
use enza_work::Receipt;

use super::CompanionRole;

/// What was forbidden is forgotten.
const FORGETS: u8 = 0;
/// Every event is an utterance, so any number of moves may be made.
const WANDERS: u8 = 1;
/// Edits are accepted though nobody said so.
const ACCEPTS: u8 = 2;
/// A change that was made is not recorded.
const CONCEALS: u8 = 3;
/// A gate opens without the step that waits for it.
const HURRIES: u8 = 4;
/// A gate does not show what it asks for.
const HIDES: u8 = 5;
/// What was forbidden while it was being made is left as it was made.
const LEAVES: u8 = 6;
/// No bug: somebody forbids at the last moment whatever is being made, which by chance hardly ever happens.
const LAST_MOMENT: u8 = 7;

/// The companion with one of them.
struct Flawed<const FLAW: u8>(Companion);

impl<const FLAW: u8> Application for Flawed<FLAW> {
    type State = State;
    type Event = Event;
    type Command = Command;
    type Refusal = Refusal;

    const NAME: &'static str = Companion::NAME;

    fn evolve(state: &mut State, entry: &Entry<Event>) {
        Companion::evolve(state, entry);
        match FLAW {
            FORGETS => state.constraints.clear(),
            WANDERS => state.desks.iter_mut().for_each(|task| task.at.begin_utterance()),
            ACCEPTS => state.settings.mode = Mode::AcceptEdits,
            LEAVES => state.leaving.retain(|one| !one.back),
            _ => {}
        }
    }

    fn decide(&self, state: &State, command: Command, now: &Now) -> Result<Vec<Event>, Refusal> {
        self.0.decide(state, command, now)
    }

    fn due(&self, state: &State) -> Vec<Effect> {
        self.0.due(state)
    }

    fn request(&self, state: &State, ask: &AskModel) -> Request {
        self.0.request(state, ask)
    }

    fn settle(&self, state: &State, effect: &Effect, outcome: Outcome, now: &Now) -> Vec<Event> {
        let mut events = self.0.settle(state, effect, outcome, now);
        if matches!(FLAW, LEAVES | LAST_MOMENT) {
            forbid_at_the_last_moment(&mut events);
        }
        for event in &mut events {
            if let (Event::OrderEnded { receipt, .. }, CONCEALS) = (&mut *event, FLAW)
                && let Receipt::Made(_) = **receipt
            {
                **receipt = Receipt::Made(Vec::new());
            }
            if let (Event::GateOpened { gate, .. }, HIDES) = (&mut *event, FLAW) {
                gate.ask.diff = None;
            }
        }
        events.retain(|event| match event {
            Event::Moved { to, .. } => FLAW != HURRIES || to != Step::AwaitingApproval.word(),
            _ => true,
        });
        events
    }

    fn standing(state: &State) -> Standing {
        Companion::standing(state)
    }

    fn prompt_of(event: &Event) -> Option<PromptRef> {
        Companion::prompt_of(event)
    }
}

/// Has a part of the folder forbidden right before it is recorded what was made.
fn forbid_at_the_last_moment(events: &mut Vec<Event>) {
    let is_made =
        |event: &Event| matches!(event, Event::OrderEnded { receipt, .. } if matches!(**receipt, Receipt::Made(_)));
    if let Some(place) = events.iter().position(is_made) {
        let constraint = Constraint::of("Do not touch src/").expect("a path to keep away from");
        events.insert(place, Event::Forbidden { constraint });
    }
}

/// Plays seeds until one of them shows this rule broken.
fn is_caught<const FLAW: u8>(rule: &str) {
    assert!((1..=200).any(|seed| is_broken::<FLAW>(seed, rule)), "no seed of 200 shows {rule:?} broken");
}

/// Whether a seed shows this rule broken.
fn is_broken<const FLAW: u8>(seed: u64, rule: &str) -> bool {
    let stage = Scenario {
        store: Arc::new(|| Arc::new(Memory::new())),
        repertoire: ApplicationRegistry::default().with(Flawed::<FLAW>(Companion::new())),
        roles: vec![Arc::new(CompanionRole)],
        flaw: None,
    };
    run_seed(&stage, seed)
        .violations
        .iter()
        .any(|(_, violation)| matches!(violation, Violation::RuleBroken { rule: broken, .. } if broken.contains(rule)))
}

#[test]
fn a_forbidden_file_that_is_changed_is_seen() {
    is_caught::<FORGETS>("a forbidden path was changed");
}

#[test]
fn a_second_move_in_one_utterance_is_seen() {
    is_caught::<WANDERS>("DUCK-76");
}

#[test]
fn a_change_that_nobody_allowed_is_seen() {
    is_caught::<ACCEPTS>("G23");
}

#[test]
fn a_change_that_the_log_does_not_tell_is_seen() {
    is_caught::<CONCEALS>("the folder is not what the log tells");
}

#[test]
fn a_gate_without_its_step_is_seen() {
    is_caught::<HURRIES>("G29");
}

#[test]
fn a_gate_that_does_not_show_what_it_asks_for_is_seen() {
    is_caught::<HIDES>("DUCK-87");
}

#[test]
fn a_path_that_was_forbidden_too_late_and_is_not_put_back_is_seen() {
    const RULE: &str = "was not put back";
    is_caught::<LEAVES>(RULE);
    let put_back = (1..=20).filter(|seed| is_broken::<LAST_MOMENT>(*seed, RULE)).collect::<Vec<_>>();
    assert!(put_back.is_empty(), "it is put back, and these seeds say otherwise: {put_back:?}");
}
