//! A topic: when its debates are opened, and who sits down in them.
//!
//! One log decides the schedule, the draw and who is left out. Each debater decides for itself whether it comes, and the
//! debate decides what happens in it. What debaters bring passes through here and is shown to nobody.

mod command;
mod commands;
mod event;
mod evolve;
mod floor;
mod refusal;
mod rows;
mod run;
mod state;
mod transcript;

use std::sync::LazyLock;

use enza_kernel::application::{Application, Draft, Entry, Phase, Row, Standing};
use enza_kernel::conversation::Request;
use enza_kernel::effect::{AskModel, Effect, Outcome};
use enza_kernel::errand::Reach;
use enza_kernel::floor::{Floor, Line};
use enza_kernel::reader::Reader;
use enza_kernel::schema::schema_of;
use enza_kernel::table::DomainTable;
use enza_kernel::text::Lang;
use enza_kernel::time::Now;
use enza_kernel::words::Catalogue;
use serde_json::Value;

pub use command::{DebateOutcome, TopicCommand, TopicSettings};
pub use event::{Listing, RunName, SkipReason, TopicEvent, TopicStatus};
pub use evolve::house;
pub use refusal::{SettingsFault, TopicRefusal};
pub use rows::TABLES;
pub use run::lot;
pub use state::{DebateCard, Run, TopicState};

/// The table in which debaters say whether they can be drawn: `status`, and `active_at` in milliseconds.
pub const DEBATERS: &str = "debaters";

/// What a topic is called.
static ABOUT: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::built_in(&[include_str!("../../words/about-topic.toml")]));

/// The outward codes of its refusals. Each has a page in `docs/errors/`.
pub const CODES: &[&str] =
    &["debate-unknown", "not-summoned", "proposal-unknown", "run-under-way", "topic-archived", "topic-settings-unfit"];

/// The application whose sessions are one topic each.
#[derive(Debug, Clone, Default)]
pub struct Topics {
    /// How the house sets up topics that say nothing themselves.
    pub defaults: TopicSettings,
}

impl Application for Topics {
    type State = TopicState;
    type Event = TopicEvent;
    type Command = TopicCommand;
    type Refusal = TopicRefusal;

    const NAME: &'static str = "debate-topic";
    const SHARED: bool = true;
    const REACH: Reach = Reach { tells: &["debater", "debate", "debate-topic"], looks: &[DEBATERS] };

    fn about() -> &'static Catalogue {
        &ABOUT
    }

    fn evolve(state: &mut TopicState, entry: &Entry<TopicEvent>) {
        evolve::evolve(state, entry);
    }

    fn decide(&self, state: &TopicState, command: TopicCommand, now: &Now) -> Result<Vec<TopicEvent>, TopicRefusal> {
        let mut draft = Draft::new(self, state, now);
        commands::decide(&mut draft, command)?;
        run::go_on(&mut draft);
        Ok(draft.into_events())
    }

    fn due(&self, state: &TopicState) -> Vec<Effect> {
        let errands = state.errands.iter().cloned().map(Effect::RunErrand);
        errands.chain(run::timers(state).into_iter().map(Effect::Wake)).collect()
    }

    /// Nobody is asked.
    fn request(&self, _state: &TopicState, ask: &AskModel) -> Request {
        Request { agent: ask.agent.clone(), thread: ask.thread.clone(), ..Request::default() }
    }

    fn settle(&self, state: &TopicState, effect: &Effect, outcome: Outcome, now: &Now) -> Vec<TopicEvent> {
        let mut draft = Draft::new(self, state, now);
        match effect {
            Effect::RunErrand(errand) => run::settle(&mut draft, errand, outcome),
            Effect::Wake(wake) => run::rang(&mut draft, wake),
            Effect::AskModel(_) | Effect::RunTool(_) => {}
        }
        draft.into_events()
    }

    fn standing(state: &TopicState) -> Standing {
        let phase = match (state.errands.is_empty(), &state.listing) {
            (false, _) => Phase::Working,
            (true, Some(Listing { status: TopicStatus::Archived, .. })) => Phase::Ended,
            (true, Some(Listing { status: TopicStatus::Active, .. }) | None) => Phase::Waiting,
        };
        Standing { phase, title: state.title().to_owned(), waiting_for: None }
    }

    fn rows(entry: &Entry<TopicEvent>) -> Vec<Row> {
        rows::rows(entry)
    }

    fn shown_tables() -> &'static [DomainTable] {
        TABLES
    }

    fn logged(_state: &TopicState, event: &TopicEvent) -> Option<String> {
        let TopicEvent::RunSkipped { run, why, .. } = event else { return None };
        Some(format!("no debate for the run of {}: {why:?}", run.at.0))
    }

    fn reader(_state: &TopicState, _person: Option<&str>, is_owner: bool) -> Option<Reader> {
        Some(if is_owner { Reader::host() } else { Reader::spectator() })
    }

    fn line(entry: &Entry<TopicEvent>, reader: &Reader, lang: Lang) -> Option<Line> {
        transcript::line(&entry.event, reader, lang)
    }

    fn floor(&self, state: &TopicState, reader: &Reader, lang: Lang) -> Floor {
        floor::floor(state, reader, lang)
    }

    fn shows(entry: &Entry<TopicEvent>, reader: &Reader) -> bool {
        transcript::shows(&entry.event, reader)
    }

    /// What debaters bring passes through it.
    fn shows_state(_state: &TopicState, _reader: &Reader) -> bool {
        false
    }

    fn commands() -> Value {
        schema_of::<TopicCommand>()
    }
}

#[cfg(test)]
mod tests {
    use enza_kernel::testing::words::check_about;

    use super::*;

    #[test]
    fn a_topic_says_what_it_is_for() {
        check_about::<Topics>(&[], &[]);
    }
}
