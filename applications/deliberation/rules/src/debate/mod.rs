//! A debate: seats, strategies, turns, directions, statements, and what comes of them.
//!
//! One log decides all of it. All speakers of a turn are asked by the one decision that settles its directions; each says
//! one thing or fails, and a turn closes when everyone has. What belongs to one seat is shown to its owner alone, the host
//! included (DEL-C22). Where there is no model, rules of the cast stand in.
//!
//! Who sits down and when is decided by the topic; what a debater brings and learns, by the debater.

mod agents;
mod closing;
mod command;
mod commands;
mod event;
mod evolve;
mod floor;
mod redraw;
mod refusal;
mod replies;
mod rows;
mod state;
mod transcript;
mod turns;
mod understudy;
mod work;

use std::sync::LazyLock;

use enza_kernel::agent::{self, Agent, AgentApplication, CallVerdict, Step, ThreadFailure, Threads};
use enza_kernel::application::{Application, Draft, Entry, Phase, PromptRef, Row, Standing};
use enza_kernel::conversation::{Reply, Request, ToolCall};
use enza_kernel::effect::{AskModel, Effect, Key, Outcome, Wake};
use enza_kernel::errand::Reach;
use enza_kernel::floor::{Floor, Line};
use enza_kernel::reader::{Following, Reader, ReaderRole};
use enza_kernel::schema::schema_of;
use enza_kernel::table::DomainTable;
use enza_kernel::text::Lang;
use enza_kernel::time::Now;
use enza_kernel::words::Catalogue;
use serde_json::Value;

pub use command::{Choice, DebateCommand, DebateSettings, TopicCard};
pub use event::{
    Author, CancelReason, Card, DebateEvent, Direction, Redraw, Statement, Status, Strategy, TurnRow, TurnStatus,
};
pub use refusal::{DebateRefusal, OpeningFault};
pub use rows::TABLES;
pub use state::{DebateState, DrawnAgain, Outcomes, Seat, Stage, Turn};
pub use work::Work;

use crate::words::words;

/// What a debate and its agents are called.
static ABOUT: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::built_in(&[include_str!("../../words/about-debate.toml")]));

/// The outward codes of its refusals. Each has a page in `docs/errors/`.
pub const CODES: &[&str] = &[
    "debate-not-active",
    "debate-not-seated",
    "debate-opening-unfit",
    "direction-exists",
    "direction-frozen",
    "direction-unknown",
    "no-direction-window",
    "nothing-directed",
    "redraw-under-way",
    "statement-unknown",
    "turn-in-future",
];

/// The application whose sessions are one debate each.
#[derive(Debug, Clone)]
pub struct Debates {
    agents: Vec<Agent>,
}

impl Debates {
    /// The application with its agents.
    pub fn new() -> Self {
        Self { agents: agents::agents() }
    }
}

impl Default for Debates {
    fn default() -> Self {
        Self::new()
    }
}

impl Application for Debates {
    type State = DebateState;
    type Event = DebateEvent;
    type Command = DebateCommand;
    type Refusal = DebateRefusal;

    const NAME: &'static str = "debate";
    const SHARED: bool = true;
    const REACH: Reach = Reach { tells: &["debater", "debate-topic"], looks: &[] };

    fn about() -> &'static Catalogue {
        &ABOUT
    }

    fn evolve(state: &mut DebateState, entry: &Entry<DebateEvent>) {
        evolve::evolve(state, entry);
    }

    fn decide(
        &self,
        state: &DebateState,
        command: DebateCommand,
        now: &Now,
    ) -> Result<Vec<DebateEvent>, DebateRefusal> {
        let mut draft = Draft::new(self, state, now);
        commands::decide(&mut draft, command)?;
        turns::go_on(&mut draft);
        Ok(draft.into_events())
    }

    fn due(&self, state: &DebateState) -> Vec<Effect> {
        let mut due = state.cast.due(self, state);
        due.extend(state.errands.iter().cloned().map(Effect::RunErrand));
        due.extend(turns::timer(state).map(|(name, at)| Effect::Wake(Wake { name: name.to_owned(), at })));
        due
    }

    fn request(&self, state: &DebateState, ask: &AskModel) -> Request {
        agents::request(self, state, ask)
    }

    fn settle(&self, state: &DebateState, effect: &Effect, outcome: Outcome, now: &Now) -> Vec<DebateEvent> {
        let mut draft = Draft::new(self, state, now);
        match effect {
            Effect::AskModel(ask) => {
                let thoughts = replies::thoughts_in(&outcome);
                if agent::settle(&mut draft, effect, outcome) {
                    replies::keep_thoughts(&mut draft, &ask.thread, thoughts);
                }
            }
            Effect::RunTool(_) => {
                agent::settle(&mut draft, effect, outcome);
            }
            Effect::RunErrand(errand) => news_ended(&mut draft, errand.key, outcome),
            Effect::Wake(wake) => turns::rang(&mut draft, wake),
        }
        turns::go_on(&mut draft);
        draft.into_events()
    }

    fn understudy(&self, request: &Request) -> Option<Reply> {
        understudy::understudy(request)
    }

    fn standing(state: &DebateState) -> Standing {
        let is_busy = state.cast.threads.values().any(|thread| thread.asking().is_some()) || !state.errands.is_empty();
        let (phase, waiting_for) = match &state.stage {
            _ if is_busy => (Phase::Working, None),
            Stage::Over => (Phase::Ended, None),
            Stage::Waiting { turn, .. } => {
                (Phase::Waiting, Some(words(state.lang()).fill("said.waits_directions", &[("turn", turn)])))
            }
            Stage::Unopened | Stage::Preparing { .. } | Stage::Speaking { .. } | Stage::Closing => {
                (Phase::Waiting, None)
            }
        };
        Standing { phase, title: state.topic.title.clone(), waiting_for }
    }

    fn rows(entry: &Entry<DebateEvent>) -> Vec<Row> {
        rows::rows(entry)
    }

    fn shown_tables() -> &'static [DomainTable] {
        TABLES
    }

    fn logged(_state: &DebateState, event: &DebateEvent) -> Option<String> {
        let DebateEvent::StrategyFailed { debater, .. } = event else { return None };
        Some(format!("Failed to generate strategy for agent {debater}"))
    }

    fn prompt_of(event: &DebateEvent) -> Option<PromptRef> {
        let DebateEvent::Stepped(step) = event else { return None };
        step.prompt()
    }

    fn reader(state: &DebateState, person: Option<&str>, is_owner: bool) -> Option<Reader> {
        let seats = person.into_iter().flat_map(|person| state.seats_of(person)).map(|seat| seat.word.clone());
        let seats: Vec<String> = seats.collect();
        Some(match (is_owner, seats.is_empty()) {
            (true, _) => Reader { role: ReaderRole::Host, seats },
            (false, false) => Reader::seat_holder(seats),
            (false, true) => Reader::spectator(),
        })
    }

    fn line(entry: &Entry<DebateEvent>, reader: &Reader, lang: Lang) -> Option<Line> {
        transcript::line(&entry.event, reader, lang)
    }

    fn floor(&self, state: &DebateState, reader: &Reader, lang: Lang) -> Floor {
        floor::floor(state, reader, lang)
    }

    fn shows(entry: &Entry<DebateEvent>, reader: &Reader) -> bool {
        transcript::shows(&entry.event, reader)
    }

    /// It has the secrets of every seat in it.
    fn shows_state(_state: &DebateState, _reader: &Reader) -> bool {
        false
    }

    fn shows_prompt(thread: &str, reader: &Reader) -> bool {
        transcript::shows_thread(thread, reader)
    }

    fn follows(thread: &str, reader: &Reader) -> Following {
        if transcript::shows_thread(thread, reader) { Following::Whole } else { Following::Nothing }
    }

    /// Anybody who is known may vote; who may do what else is decided command by command.
    fn may_command(reader: &Reader) -> bool {
        match reader.role {
            ReaderRole::Host | ReaderRole::SeatHolder | ReaderRole::Spectator => true,
            ReaderRole::Guest => false,
        }
    }

    fn commands() -> Value {
        schema_of::<DebateCommand>()
    }
}

/// The topic or a debater knows, or will not hear of it: either way nothing more is owed.
fn news_ended(draft: &mut Draft<'_, Debates>, key: Key, outcome: Outcome) {
    let declined = match outcome {
        Outcome::Delivered { .. } => None,
        Outcome::Declined { code, .. } => Some(code),
        Outcome::Found { .. }
        | Outcome::Replied { .. }
        | Outcome::Unanswered { .. }
        | Outcome::TooLong { .. }
        | Outcome::CallsLost { .. }
        | Outcome::Starting { .. }
        | Outcome::Returned { .. }
        | Outcome::ToolFailed { .. }
        | Outcome::Unknown
        | Outcome::Rang => return,
    };
    if draft.state.errands.iter().any(|errand| errand.key == key) {
        draft.record(DebateEvent::ErrandEnded { key, declined });
    }
}

impl AgentApplication for Debates {
    fn threads(state: &DebateState) -> &Threads {
        &state.cast
    }

    fn step(step: Step) -> DebateEvent {
        DebateEvent::Stepped(step)
    }

    fn agent(&self, name: &str) -> &Agent {
        let found = self.agents.iter().find(|agent| agent.name == name);
        // Threads are only ever begun for agents of the list.
        found.unwrap_or(&self.agents[0])
    }

    fn remaining(&self, _state: &DebateState, _thread: &str) -> Vec<String> {
        Vec::new()
    }

    fn call(&self, _draft: &mut Draft<'_, Self>, _thread: &str, call: &ToolCall) -> CallVerdict {
        CallVerdict::Refuse(format!("{} is not at hand.", call.tool))
    }

    fn said(&self, draft: &mut Draft<'_, Self>, thread: &str, text: &str) -> Result<(), String> {
        replies::said(draft, thread, text)
    }

    fn failed(&self, draft: &mut Draft<'_, Self>, thread: &str, failure: &ThreadFailure) {
        replies::failed(draft, thread, failure);
    }

    fn summary(&self, _state: &DebateState, _thread: &str) -> String {
        String::new()
    }

    fn layout_tokens(&self, state: &DebateState, agent: &Agent, thread: &str) -> u64 {
        agents::prompt_tokens(self, state, agent, thread)
    }
}

#[cfg(test)]
mod tests {
    use enza_kernel::testing::words::check_about;

    use super::*;

    #[test]
    fn every_agent_has_a_name_and_the_application_says_what_it_is_for() {
        check_about::<Debates>(&work::AGENTS, &[]);
    }
}
