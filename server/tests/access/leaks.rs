//! The till with one leak planted in it, for each way in which an application says what somebody may see.
//!
//! The walk over a session of several people is worth something only if it finds these.

use enza_kernel::application::{Application, Entry, PromptRef, Row, Standing};
use enza_kernel::conversation::{Reply, Request};
use enza_kernel::effect::{AskModel, Effect, Outcome};
use enza_kernel::floor::{Floor, Line, Opening};
use enza_kernel::gate::Given;
use enza_kernel::reader::{Following, Reader};
use enza_kernel::testing::till::{Command, Event, Refusal, State, Till};
use enza_kernel::text::Lang;
use enza_kernel::time::Now;
use enza_kernel::words::Catalogue;

/// Lines are made as for somebody who holds every seat.
pub const LINES: u8 = 1;
/// So is the floor.
pub const FLOOR: u8 = 2;
/// Every event is shown as it stands in the log.
pub const EVENTS: u8 = 3;
/// So is every state.
pub const STATE: u8 = 4;
/// So is every prompt.
pub const PROMPTS: u8 = 5;
/// Everybody hears every reply as it is written, thoughts included.
pub const DELTAS: u8 = 6;

/// A till that leaks.
pub struct LeakyTill<const LEAK: u8>(pub Till);

/// Whoever asks, as if they held every seat.
fn in_every_seat(reader: &Reader) -> Reader {
    Reader { seats: vec!["cashier".to_owned(), "porter".to_owned()], ..reader.clone() }
}

impl<const LEAK: u8> Application for LeakyTill<LEAK> {
    type State = State;
    type Event = Event;
    type Command = Command;
    type Refusal = Refusal;

    const NAME: &'static str = Till::NAME;
    const SHARED: bool = true;

    fn about() -> &'static Catalogue {
        Till::about()
    }

    fn evolve(state: &mut State, entry: &Entry<Event>) {
        Till::evolve(state, entry);
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
        self.0.settle(state, effect, outcome, now)
    }

    fn understudy(&self, request: &Request) -> Option<Reply> {
        self.0.understudy(request)
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

    fn answer_gate(gate: &str, given: Given) -> Option<Command> {
        Till::answer_gate(gate, given)
    }

    fn openings(&self, lang: Lang) -> Vec<Opening> {
        self.0.openings(lang)
    }

    fn reader(state: &State, person: Option<&str>, is_owner: bool) -> Option<Reader> {
        Till::reader(state, person, is_owner)
    }

    fn line(entry: &Entry<Event>, reader: &Reader, lang: Lang) -> Option<Line> {
        if LEAK == LINES { Till::line(entry, &in_every_seat(reader), lang) } else { Till::line(entry, reader, lang) }
    }

    fn floor(&self, state: &State, reader: &Reader, lang: Lang) -> Floor {
        if LEAK == FLOOR {
            self.0.floor(state, &in_every_seat(reader), lang)
        } else {
            self.0.floor(state, reader, lang)
        }
    }

    fn shows(entry: &Entry<Event>, reader: &Reader) -> bool {
        LEAK == EVENTS || Till::shows(entry, reader)
    }

    fn shows_state(state: &State, reader: &Reader) -> bool {
        LEAK == STATE || Till::shows_state(state, reader)
    }

    fn shows_prompt(thread: &str, reader: &Reader) -> bool {
        LEAK == PROMPTS || Till::shows_prompt(thread, reader)
    }

    fn follows(thread: &str, reader: &Reader) -> Following {
        if LEAK == DELTAS { Following::Whole } else { Till::follows(thread, reader) }
    }
}
