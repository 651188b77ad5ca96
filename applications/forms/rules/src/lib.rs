//! A form, written, published and shared in a session of its own.
//!
//! Versions, links, rules and admissions are events of one log with one writer. So a form has a history, can be taken
//! back by a fork, and no race lets in one respondent too many or lets a single link be used twice. A published version
//! never changes; the draft may be anything of bounded size, and `problems` lists what keeps it from being published.
//!
//! Interviews are sessions of their own, with rules in `interview`. Drawing tokens and secrets, sending submissions on
//! and deleting what is past its days belong to the server.

mod codes;
mod command;
mod commands;
mod event;
mod evolve;
mod floor;
mod link;
mod problems;
mod prompts;
mod refusal;
mod rows;
mod rules;
mod sketch;
mod state;
mod tools;
mod transcript;
mod understudy;
mod webhook;
mod words;

use enza_kernel::agent::{self, Agent, AgentApplication, CallVerdict, Step, ThreadFailure, Threads};
use enza_kernel::application::{Application, Draft, Entry, Phase, PromptRef, Row, Standing};
use enza_kernel::conversation::{Calling, Reply, Request, ToolCall};
use enza_kernel::effect::{AskModel, Effect, Outcome, Wake};
use enza_kernel::floor::{Floor, Line, Opening};
use enza_kernel::reader::Reader;
use enza_kernel::schema::schema_of;
use enza_kernel::text::Lang;
use enza_kernel::time::{Now, Timestamp};
use enza_kernel::words::Catalogue;
use serde_json::{Value, json};

pub use codes::CODES;
pub use command::Command;
pub use event::{Author, Card, CloseReason, Event, Going};
pub use floor::examples;
pub use link::{Link, LinkFault, LinkKind, LinkUse, MOST_LINKS, PREFILL};
pub use problems::problems;
pub use refusal::Refusal;
pub use rules::{AskLocale, KEEP_DAYS, RuleFault, Rules};
pub use state::{Admission, Published, State};
pub use understudy::understudy;
pub use webhook::{Secret, Webhook, WebhookFault};

/// How large a draft may be, in bytes of JSON.
pub const LARGEST_DRAFT: usize = 200_000;
const CLOSING_TIMER: &str = "closing";

/// The forms: the application whose sessions are one form each.
#[derive(Debug, Clone)]
pub struct Forms {
    architect: Agent,
}

impl Forms {
    /// The application with its one agent.
    pub fn new() -> Self {
        Self { architect: tools::architect() }
    }
}

impl Default for Forms {
    fn default() -> Self {
        Self::new()
    }
}

impl Application for Forms {
    type State = State;
    type Event = Event;
    type Command = Command;
    type Refusal = Refusal;

    const NAME: &'static str = "form";
    /// Version 2 knows whole numbers. What version 1 wrote reads as it did.
    const EVENT_VERSION: u16 = 2;

    fn about() -> &'static Catalogue {
        &words::ABOUT
    }

    fn evolve(state: &mut State, entry: &Entry<Event>) {
        evolve::evolve(state, entry);
    }

    fn decide(&self, state: &State, command: Command, now: &Now) -> Result<Vec<Event>, Refusal> {
        let mut draft = Draft::new(self, state, now);
        commands::decide(&mut draft, command)?;
        Ok(draft.into_events())
    }

    fn due(&self, state: &State) -> Vec<Effect> {
        let mut due = state.cast.due(self, state);
        due.extend(closes_at(state).map(|at| Effect::Wake(Wake { name: CLOSING_TIMER.to_owned(), at })));
        due
    }

    fn request(&self, state: &State, ask: &AskModel) -> Request {
        Request {
            calling: Calling::Only(tools::WRITE_FORM.to_owned()),
            task: prompts::task(state).map(|task| json!(task)),
            ..state.cast.request(&self.architect, &ask.thread, &prompts::layout(state))
        }
    }

    fn understudy(&self, request: &Request) -> Option<Reply> {
        Some(understudy(request))
    }

    fn settle(&self, state: &State, effect: &Effect, outcome: Outcome, now: &Now) -> Vec<Event> {
        let mut draft = Draft::new(self, state, now);
        match effect {
            // The architect may have been called off while a model was thinking.
            Effect::AskModel(_) => {
                agent::settle(&mut draft, effect, outcome);
            }
            Effect::Wake(_) => {
                if closes_at(state).is_some_and(|at| now.time >= at) {
                    commands::shut(&mut draft, CloseReason::Date);
                }
            }
            Effect::RunTool(_) | Effect::RunErrand(_) => {}
        }
        draft.into_events()
    }

    fn standing(state: &State) -> Standing {
        let lang = state.draft.language;
        let (phase, waiting_for) = match (state.failure(), state.is_writing()) {
            (Some(failure), _) => (Phase::Stuck, Some(words::stuck(lang, failure))),
            (None, true) => (Phase::Working, None),
            // A draft waits for its owner. One that was published goes on without: it takes answers, or is closed.
            (None, false) => (Phase::Waiting, state.published.is_none().then(|| words::unpublished(lang))),
        };
        Standing { phase, title: state.card.title.clone(), waiting_for }
    }

    fn rows(entry: &Entry<Event>) -> Vec<Row> {
        rows::rows(entry)
    }

    fn prompt_of(event: &Event) -> Option<PromptRef> {
        let Event::Stepped(step) = event else { return None };
        step.prompt()
    }

    fn line(entry: &Entry<Event>, _reader: &Reader, lang: Lang) -> Option<Line> {
        transcript::line(&entry.event, lang)
    }

    fn floor(&self, state: &State, _reader: &Reader, lang: Lang) -> Floor {
        floor::floor(state, lang)
    }

    fn openings(&self, lang: Lang) -> Vec<Opening> {
        floor::openings(lang)
    }

    fn commands() -> Value {
        schema_of::<Command>()
    }
}

impl AgentApplication for Forms {
    fn threads(state: &State) -> &Threads {
        &state.cast
    }

    fn step(step: Step) -> Event {
        Event::Stepped(step)
    }

    fn agent(&self, _name: &str) -> &Agent {
        &self.architect
    }

    fn remaining(&self, _state: &State, _thread: &str) -> Vec<String> {
        vec!["Write the form using write_form".to_owned()]
    }

    fn call(&self, draft: &mut Draft<'_, Self>, _thread: &str, call: &ToolCall) -> CallVerdict {
        tools::call(draft, call)
    }

    /// Nothing to record: the failed thread is in the state, and `standing` shows it until it is told to try again.
    fn failed(&self, _draft: &mut Draft<'_, Self>, _thread: &str, _failure: &ThreadFailure) {}

    fn summary(&self, state: &State, _thread: &str) -> String {
        prompts::opening(state.draft.language, state.sentence.as_deref().unwrap_or_default())
    }
}

/// When the close date shuts an open form.
fn closes_at(state: &State) -> Option<Timestamp> {
    state.rules.closes.filter(|_| state.card.is_open)
}
