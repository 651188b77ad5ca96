//! Bugs to plant, one per checker, to see that it can fail.
//!
//! Some sit in the store, some in the rules. A flawed application is the real one with one function
//! broken in the way that the checker exists to catch.

use std::sync::atomic::{AtomicU64, Ordering};

use enza_kernel::application::{Application, Entry, PromptRef, Row, Standing};
use enza_kernel::conversation::{Part, Request};
use enza_kernel::effect::{AskModel, Effect, Outcome, Safety};
use enza_kernel::errand::Reach;
use enza_kernel::testing::till::{Command, Event, Refusal, State, Till};
use enza_kernel::time::Now;

/// A planted bug.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Flaw {
    /// The store appends whatever head the events were decided on.
    SkipExpectedCheck,
    /// The store says yes without writing.
    AcknowledgeWithoutSaving,
    /// The store forgets idempotency keys.
    ForgetKeys,
    /// The store loses an event in the middle of a log.
    LoseAnEvent,
    /// Nobody takes up unfinished work.
    NeverClaim,
    /// The rules say that a card may be charged again.
    RepeatCharges,
    /// The rules forget the budget.
    ForgetBudget,
    /// The state depends on something other than events.
    ImpureState,
    /// What changes with every call stands first in the prompt.
    FreshTextFirst,
    /// The clerk is told the auditor's secret.
    LeakSecret,
    /// The rules say that a parcel was taken, and forget it.
    DropParcels,
    /// The rules take parcels from people, too.
    TakeFromAnyone,
}

impl Flaw {
    /// Every one.
    pub const ALL: [Self; 12] = [
        Self::SkipExpectedCheck,
        Self::AcknowledgeWithoutSaving,
        Self::ForgetKeys,
        Self::LoseAnEvent,
        Self::NeverClaim,
        Self::RepeatCharges,
        Self::ForgetBudget,
        Self::ImpureState,
        Self::FreshTextFirst,
        Self::LeakSecret,
        Self::DropParcels,
        Self::TakeFromAnyone,
    ];
}

/// The till with a flaw.
pub(super) struct FlawedTill {
    pub till: Till,
    pub flaw: Flaw,
}

/// What an impure state would read: something that is not in the log.
static OUTSIDE: AtomicU64 = AtomicU64::new(0);

impl Application for FlawedTill {
    type State = State;
    type Event = Event;
    type Command = Command;
    type Refusal = Refusal;

    const NAME: &'static str = Till::NAME;
    const REACH: Reach = Till::REACH;

    fn evolve(state: &mut State, entry: &Entry<Event>) {
        // The owner's name is how the flaw gets in: `evolve` has no access to the application.
        let impure = matches!(&entry.event, Event::Spoke { .. }) && state.owner.ends_with("impure");
        Till::evolve(state, entry);
        if impure {
            state.notes = OUTSIDE.fetch_add(1, Ordering::Relaxed) as u32;
        }
    }

    fn decide(&self, state: &State, command: Command, now: &Now) -> Result<Vec<Event>, Refusal> {
        if let (Command::Take { parcel }, Flaw::TakeFromAnyone) = (&command, self.flaw) {
            return Ok(vec![Event::ParcelTaken { parcel: parcel.clone(), from: "anyone".to_owned() }]);
        }
        let mut events = self.till.decide(state, command, now)?;
        if self.flaw == Flaw::DropParcels {
            events.retain(|event| !matches!(event, Event::ParcelTaken { .. }));
        }
        for event in &mut events {
            if let Event::Opened { owner, budget, .. } = event {
                match self.flaw {
                    Flaw::ForgetBudget => *budget = None,
                    Flaw::ImpureState => owner.push_str("impure"),
                    Flaw::SkipExpectedCheck
                    | Flaw::AcknowledgeWithoutSaving
                    | Flaw::ForgetKeys
                    | Flaw::LoseAnEvent
                    | Flaw::NeverClaim
                    | Flaw::RepeatCharges
                    | Flaw::FreshTextFirst
                    | Flaw::LeakSecret
                    | Flaw::DropParcels
                    | Flaw::TakeFromAnyone => {}
                }
            }
        }
        Ok(events)
    }

    fn due(&self, state: &State) -> Vec<Effect> {
        let mut due = self.till.due(state);
        for effect in &mut due {
            if let (Effect::RunTool(run), Flaw::RepeatCharges) = (effect, self.flaw) {
                run.safety = Safety::Repeatable;
            }
        }
        due
    }

    fn request(&self, state: &State, ask: &AskModel) -> Request {
        let mut request = self.till.request(state, ask);
        match self.flaw {
            Flaw::FreshTextFirst => request.stable.splice(0..0, std::mem::take(&mut request.fresh)).for_each(drop),
            Flaw::LeakSecret => request.fresh.push(Part { name: "aside".to_owned(), text: state.floor.clone().into() }),
            Flaw::SkipExpectedCheck
            | Flaw::AcknowledgeWithoutSaving
            | Flaw::ForgetKeys
            | Flaw::LoseAnEvent
            | Flaw::NeverClaim
            | Flaw::RepeatCharges
            | Flaw::ForgetBudget
            | Flaw::ImpureState
            | Flaw::DropParcels
            | Flaw::TakeFromAnyone => {}
        }
        request
    }

    fn settle(&self, state: &State, effect: &Effect, outcome: Outcome, now: &Now) -> Vec<Event> {
        self.till.settle(state, effect, outcome, now)
    }

    fn standing(state: &State) -> Standing {
        Till::standing(state)
    }

    fn rows(entry: &Entry<Event>) -> Vec<Row> {
        Till::rows(entry)
    }

    fn prompt_of(event: &Event) -> Option<PromptRef> {
        Till::prompt_of(event)
    }
}
