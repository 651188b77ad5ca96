//! A person's debaters: how many there are, which of them are active, and the one tutorial.
//!
//! There is one stable for each person, so that two pages of theirs cannot race for the last place. What it decides it has
//! the debaters do by errands; what they refuse stays as it was.
//!
//! Who a debater is, what it knows and where it sits is for the debater's own log to say.

mod codes;
mod command;
mod decide;
mod errands;
mod event;
mod evolve;
mod floor;
mod house;
mod refusal;
mod state;
mod transcript;

use std::sync::LazyLock;

use enza_kernel::application::{Application, Draft, Entry, Phase, Standing};
use enza_kernel::conversation::Request;
use enza_kernel::effect::{AskModel, Effect, Outcome, Wake};
use enza_kernel::errand::Reach;
use enza_kernel::floor::{Floor, Line, Opening};
use enza_kernel::reader::Reader;
use enza_kernel::schema::schema_of;
use enza_kernel::text::Lang;
use enza_kernel::time::Now;
use enza_kernel::words::Catalogue;
use serde_json::Value;

pub use codes::STABLE_CODES;
pub use command::{StableCommand, TutorialOutcome};
pub use event::StableEvent;
pub use house::{DebaterStatus, GrowthTime, HouseRules};
pub use refusal::StableRefusal;
pub use state::{KeptDebater, StableState, Tutorial, TutorialStep};

use crate::words::words;

/// The word of debaters.
const DEBATER: &str = "debater";
/// The word of debates.
const DEBATE: &str = "debate";
/// The timer of a tutorial that does not come about.
const TUTORIAL_TIMER: &str = "tutorial";

static ABOUT: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::built_in(&[include_str!("../../words/about-stable.toml")]));

/// The stables: the application whose sessions are one person's debaters each.
#[derive(Debug, Clone, Default)]
pub struct Stable {
    house: HouseRules,
}

impl Stable {
    /// The application under the rules of a house.
    pub fn new(house: HouseRules) -> Self {
        Self { house }
    }
}

impl Application for Stable {
    type State = StableState;
    type Event = StableEvent;
    type Command = StableCommand;
    type Refusal = StableRefusal;

    const NAME: &'static str = "debate-stable";
    const REACH: Reach = Reach { tells: &[DEBATER, DEBATE], looks: &[] };

    fn about() -> &'static Catalogue {
        &ABOUT
    }

    fn evolve(state: &mut StableState, entry: &Entry<StableEvent>) {
        evolve::evolve(state, entry);
    }

    fn decide(
        &self,
        state: &StableState,
        command: StableCommand,
        now: &Now,
    ) -> Result<Vec<StableEvent>, StableRefusal> {
        let mut draft = Draft::new(self, state, now);
        decide::decide(&mut draft, command)?;
        Ok(draft.into_events())
    }

    fn due(&self, state: &StableState) -> Vec<Effect> {
        let errands = state.errands.iter().map(|sent| Effect::RunErrand(sent.errand.clone()));
        let deadline = state.tutorial.as_ref().and_then(|tutorial| tutorial.deadline);
        let wake = deadline.map(|at| Effect::Wake(Wake { name: TUTORIAL_TIMER.to_owned(), at }));
        errands.chain(wake).collect()
    }

    /// A stable has no agents.
    fn request(&self, _state: &StableState, _ask: &AskModel) -> Request {
        Request::default()
    }

    fn settle(&self, state: &StableState, effect: &Effect, outcome: Outcome, now: &Now) -> Vec<StableEvent> {
        let mut draft = Draft::new(self, state, now);
        match effect {
            Effect::RunErrand(errand) => errands::settle(&mut draft, errand, outcome),
            Effect::Wake(_) => errands::give_tutorial_up(&mut draft),
            Effect::AskModel(_) | Effect::RunTool(_) => {}
        }
        draft.into_events()
    }

    fn standing(state: &StableState) -> Standing {
        let phase = if state.errands.is_empty() { Phase::Waiting } else { Phase::Working };
        let title = words(state.lang).say("stable.title").to_owned();
        Standing { phase, title, waiting_for: None }
    }

    fn line(entry: &Entry<StableEvent>, _reader: &Reader, lang: Lang) -> Option<Line> {
        transcript::line(&entry.event, lang)
    }

    fn floor(&self, state: &StableState, _reader: &Reader, lang: Lang) -> Floor {
        floor::floor(state, &self.house, lang)
    }

    fn openings(&self, lang: Lang) -> Vec<Opening> {
        floor::openings(lang)
    }

    fn commands() -> Value {
        schema_of::<StableCommand>()
    }
}

#[cfg(test)]
mod tests {
    use enza_kernel::testing::words::check_about;

    use super::*;

    #[test]
    fn the_application_says_what_it_is_for() {
        check_about::<Stable>(&[], &[]);
    }
}
