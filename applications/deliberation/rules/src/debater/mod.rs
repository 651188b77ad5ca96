//! A debater: the sole judge of its knowledge, its seats, its feedback and its growth.
//!
//! One log with one writer: so no eleventh piece of knowledge slips in, no debate gets two feedbacks, and a feedback that
//! comes after the next seat was held is late, whichever page it came from. Its owner reads everything of it and nobody
//! else anything; what a debate needs travels there in a brief.
//!
//! How many debaters a person has belongs to the stable; who sits with whom, to topics; what is said, to debates.

mod agents;
mod codes;
mod command;
mod decide;
mod errands;
mod event;
mod evolve;
mod floor;
mod growth_log;
mod refusal;
mod rows;
mod state;
mod transcript;
mod understudy;

use std::sync::LazyLock;

use enza_kernel::agent::{Agent, AgentApplication, CallVerdict, Step, ThreadFailure, ThreadState, Threads};
use enza_kernel::application::{Application, Draft, Entry, Phase, PromptRef, Row, Standing};
use enza_kernel::conversation::{Reply, Request, Sampling, ToolCall, estimate_tokens};
use enza_kernel::effect::{AskModel, Effect, Outcome, Wake};
use enza_kernel::errand::Reach;
use enza_kernel::floor::{Floor, Line};
use enza_kernel::moves::Table;
use enza_kernel::reader::Reader;
use enza_kernel::schema::schema_of;
use enza_kernel::table::DomainTable;
use enza_kernel::text::Lang;
use enza_kernel::time::Now;
use enza_kernel::words::Catalogue;
use serde_json::{Value, json};

pub use codes::DEBATER_CODES;
pub use command::DebaterCommand;
pub use event::{
    AgentCard, AskedReflection, DebaterCounts, DebaterEvent, DebaterLookUp, GivenFeedback, PersonaAuthor,
    PersonaChange, SummonedBy, TrialSide,
};
pub use refusal::DebaterRefusal;
pub use rows::DEBATERS;
pub use state::{CompletedDebate, DebaterState, FeedbackTrial, GrowthState, HeldSeat, Profile};

use crate::words::words;
use agents::DebaterAgents;

/// The word of topics, which summon.
const TOPIC: &str = "debate-topic";
/// The word of stables, in which debaters live.
const STABLE: &str = "debate-stable";
/// The word of debates.
const DEBATE: &str = "debate";
/// What the names of its timers begin with.
const DEADLINE: &str = "deadline-";

static ABOUT: LazyLock<Catalogue> =
    LazyLock::new(|| Catalogue::built_in(&[include_str!("../../words/about-debater.toml")]));

/// The debaters: the application whose sessions are one debater each.
#[derive(Debug, Clone)]
pub struct Debater {
    agents: DebaterAgents,
    seats: Table,
}

impl Debater {
    /// The application with its agents and its table of seats.
    pub fn new() -> Self {
        let seats =
            Table::parse(include_str!("seat.toml")).expect("a table that is compiled in is sound: tests read it");
        Self { agents: DebaterAgents::new(), seats }
    }
}

impl Default for Debater {
    fn default() -> Self {
        Self::new()
    }
}

impl Application for Debater {
    type State = DebaterState;
    type Event = DebaterEvent;
    type Command = DebaterCommand;
    type Refusal = DebaterRefusal;

    const NAME: &'static str = "debater";
    const REACH: Reach = Reach { tells: &[TOPIC, STABLE, DEBATE], looks: &[] };

    fn about() -> &'static Catalogue {
        &ABOUT
    }

    fn evolve(state: &mut DebaterState, entry: &Entry<DebaterEvent>) {
        evolve::evolve(state, entry);
    }

    fn decide(
        &self,
        state: &DebaterState,
        command: DebaterCommand,
        now: &Now,
    ) -> Result<Vec<DebaterEvent>, DebaterRefusal> {
        let mut draft = Draft::new(self, state, now);
        decide::decide(&mut draft, command)?;
        Ok(draft.into_events())
    }

    fn due(&self, state: &DebaterState) -> Vec<Effect> {
        let mut due = state.cast.due(self, state);
        due.extend(state.errands.iter().cloned().map(Effect::RunErrand));
        let wake = |(thread, at): (&String, &_)| Effect::Wake(Wake { name: format!("{DEADLINE}{thread}"), at: *at });
        due.extend(state.deadlines.iter().map(wake));
        due
    }

    fn request(&self, state: &DebaterState, ask: &AskModel) -> Request {
        let agent = self.agents.named(&ask.agent);
        let request = state.cast.request(agent, &ask.thread, &agents::layout(state, &ask.thread));
        let task = understudy::task(state, &ask.thread).map(|task| json!(task));
        // With the same seed on both sides of a trial, what differs is the strategy's doing.
        let seed = state.trial.as_ref().and_then(|trial| u32::try_from(trial.number).ok());
        let is_trial = ask.agent == agents::SPEAKER;
        let sampling = if is_trial { Sampling { seed, ..request.sampling } } else { request.sampling };
        Request { task, sampling, ..request }
    }

    fn understudy(&self, request: &Request) -> Option<Reply> {
        Some(understudy::reply(request))
    }

    fn settle(&self, state: &DebaterState, effect: &Effect, outcome: Outcome, now: &Now) -> Vec<DebaterEvent> {
        let mut draft = Draft::new(self, state, now);
        match effect {
            Effect::AskModel(_) => agents::settle(&mut draft, effect, outcome),
            Effect::RunErrand(errand) => errands::settle(&mut draft, errand, outcome),
            Effect::Wake(wake) => agents::ring(&mut draft, &wake.name),
            Effect::RunTool(_) => {}
        }
        draft.into_events()
    }

    fn standing(state: &DebaterState) -> Standing {
        let Some(profile) = &state.profile else { return Standing { phase: Phase::Waiting, ..Standing::default() } };
        let is_asking = |threads: &Threads| {
            threads.threads.values().any(|thread| matches!(thread.standing, ThreadState::Asking { .. }))
        };
        let phase = match state.is_retired {
            _ if is_asking(&state.cast) || !state.errands.is_empty() => Phase::Working,
            true => Phase::Ended,
            false => Phase::Waiting,
        };
        let question = state.open_questions().next().map(|asked| asked.question.clone());
        let failed = state.growth.failed.is_some().then(|| words(profile.lang).say("debater.growth_failed").to_owned());
        Standing { phase, title: profile.name.clone(), waiting_for: question.or(failed) }
    }

    fn rows(entry: &Entry<DebaterEvent>) -> Vec<Row> {
        rows::rows(entry)
    }

    fn shown_tables() -> &'static [DomainTable] {
        rows::SHOWN
    }

    fn prompt_of(event: &DebaterEvent) -> Option<PromptRef> {
        let DebaterEvent::Stepped(step) = event else { return None };
        step.prompt()
    }

    fn tables(&self) -> Vec<&Table> {
        vec![&self.seats]
    }

    fn line(entry: &Entry<DebaterEvent>, _reader: &Reader, lang: Lang) -> Option<Line> {
        transcript::line(&entry.event, lang)
    }

    fn floor(&self, state: &DebaterState, _reader: &Reader, lang: Lang) -> Floor {
        floor::floor(state, &self.seats, lang)
    }

    fn commands() -> Value {
        schema_of::<DebaterCommand>()
    }
}

impl AgentApplication for Debater {
    fn threads(state: &DebaterState) -> &Threads {
        &state.cast
    }

    fn step(step: Step) -> DebaterEvent {
        DebaterEvent::Stepped(step)
    }

    fn agent(&self, name: &str) -> &Agent {
        self.agents.named(name)
    }

    fn remaining(&self, _state: &DebaterState, _thread: &str) -> Vec<String> {
        Vec::new()
    }

    fn call(&self, _draft: &mut Draft<'_, Self>, _thread: &str, _call: &ToolCall) -> CallVerdict {
        agents::call()
    }

    fn said(&self, draft: &mut Draft<'_, Self>, thread: &str, text: &str) -> Result<(), String> {
        agents::said(draft, thread, text)
    }

    fn failed(&self, draft: &mut Draft<'_, Self>, thread: &str, failure: &ThreadFailure) {
        agents::failed(draft, thread, failure);
    }

    /// Knowledge may be long or short: what is there is counted, and room for a schema beside it.
    fn layout_tokens(&self, state: &DebaterState, _agent: &Agent, thread: &str) -> u64 {
        const SCHEMA: u64 = 300;
        let layout = agents::layout(state, thread);
        let sections = layout.layers.iter().flat_map(|layer| &layer.sections);
        sections.map(|section| estimate_tokens(&section.text)).sum::<u64>() + SCHEMA
    }

    /// Threads are a question and its answer; there is nothing to sum up that the answer would not say.
    fn summary(&self, _state: &DebaterState, _thread: &str) -> String {
        String::new()
    }
}

#[cfg(test)]
mod tests {
    use enza_kernel::testing::words::check_about;

    use super::*;

    #[test]
    fn every_agent_has_a_name_and_the_application_says_what_it_is_for() {
        let agents = [agents::PORTRAIT, agents::GROWTH, agents::REFLECTION, agents::STRATEGIST, agents::SPEAKER];
        check_about::<Debater>(&agents, &[]);
    }
}
