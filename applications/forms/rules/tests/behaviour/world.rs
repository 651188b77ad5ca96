//! A form in memory: commands, replies and a clock that one pushes.

use std::collections::BTreeMap;

use enza_forms::{Command, Event, Forms, LinkKind, Refusal, Secret, State, Webhook, understudy};
use enza_interview::{Field, Form, Kind};
use enza_kernel::application::{Application, Entry};
use enza_kernel::conversation::{Reply, Request, Role, ToolCall};
use enza_kernel::effect::{AskModel, Effect, Outcome};
use enza_kernel::text::Lang;
use enza_kernel::time::{Actor, Now, Seq, Timestamp};
use serde_json::Value;

/// A token of the right length.
pub const TOKEN: &str = "abcDEF1234";

pub struct World {
    pub app: Forms,
    pub state: State,
    pub log: Vec<Entry<Event>>,
    pub time: Timestamp,
}

impl World {
    pub fn new() -> Self {
        Self { app: Forms::new(), state: State::default(), log: Vec::new(), time: Timestamp(1_000) }
    }

    /// A form of Ada's with one field, not published.
    pub fn begun() -> Self {
        let mut world = Self::new();
        world.tell(begin(Some(form("Visit")), None)).unwrap();
        world
    }

    /// The same, begun with a sentence: the architect is at work.
    pub fn described(sentence: &str, language: Lang) -> Self {
        let mut world = Self::new();
        let sentence = Some(sentence.to_owned());
        world.tell(Command::Begin { title: String::new(), language, form: None, sentence }).unwrap();
        world
    }

    /// Published, with a link of each kind: `TOKEN` is public, `single(n)` count once.
    pub fn shared() -> Self {
        let mut world = Self::begun();
        world.tell(Command::Publish).unwrap();
        world.tell(link(TOKEN, LinkKind::Public)).unwrap();
        for number in 0..3 {
            world.tell(link(&single(number), LinkKind::Single)).unwrap();
        }
        world
    }

    pub fn take(&mut self, events: Vec<Event>) {
        for event in events {
            let entry = Entry { seq: self.head().next(), at: self.time, event };
            Forms::evolve(&mut self.state, &entry);
            self.log.push(entry);
        }
    }

    /// What would be decided, with nothing changed.
    pub fn decide(&self, by: Actor, command: Command) -> Result<Vec<Event>, Refusal> {
        let now = Now { time: self.time, head: self.head(), by };
        self.app.decide(&self.state, command, &now)
    }

    pub fn by(&mut self, by: Actor, command: Command) -> Result<Vec<Event>, Refusal> {
        let events = self.decide(by, command)?;
        self.take(events.clone());
        Ok(events)
    }

    /// Ada, the owner, asks for something.
    pub fn tell(&mut self, command: Command) -> Result<Vec<Event>, Refusal> {
        self.by(ada(), command)
    }

    pub fn edit(&mut self, form: Form) -> Result<Vec<Event>, Refusal> {
        let edition = self.state.card().edition;
        self.tell(Command::Edit { form, edition })
    }

    pub fn admit(&mut self, token: &str, session: &str) -> Result<Vec<Event>, Refusal> {
        self.by(Actor::Runtime, Command::Admit { token: token.to_owned(), session: session.to_owned() })
    }

    pub fn receive(&mut self, session: &str) -> Result<Vec<Event>, Refusal> {
        self.by(Actor::Runtime, Command::Receive { session: session.to_owned() })
    }

    pub fn settle(&mut self, effect: &Effect, outcome: Outcome) {
        let now = Now { time: self.time, head: self.head(), by: Actor::Runtime };
        let events = self.app.settle(&self.state, effect, outcome, &now);
        self.take(events);
    }

    /// The model call that is due, if one is.
    pub fn ask(&self) -> Option<AskModel> {
        let mut due = self.app.due(&self.state).into_iter();
        due.find_map(|effect| if let Effect::AskModel(ask) = effect { Some(ask) } else { None })
    }

    pub fn request(&self) -> Request {
        self.app.request(&self.state, &self.ask().expect("a model call is due"))
    }

    pub fn reply(&mut self, reply: Reply) {
        let (ask, prompt) = (self.ask().expect("a model call is due"), self.request().digest());
        let asked_at = self.head();
        self.settle(&Effect::AskModel(ask), Outcome::Replied { reply, asked_at, prompt });
    }

    /// The architect calls a tool.
    pub fn calls(&mut self, tool: &str, arguments: Value) {
        let call = ToolCall { id: String::new(), tool: tool.to_owned(), arguments };
        self.reply(Reply { calls: vec![call], ..Reply::default() });
    }

    /// The understudy writes.
    pub fn play(&mut self) {
        let (ask, reply) = (self.ask().expect("a model call is due"), understudy(&self.request()));
        assert!(reply.usage.total() <= ask.reserve, "{:?} costs more than its reserve {}", reply.usage, ask.reserve);
        self.reply(reply);
    }

    pub fn unanswered(&mut self) {
        let ask = self.ask().expect("a model call is due");
        self.settle(&Effect::AskModel(ask), Outcome::Unanswered { why: "503".to_owned() });
    }

    /// What the architect was last told by its tool or by the session.
    pub fn last_told(&self) -> String {
        let messages = &self.state.threads().threads["architect"].messages;
        let told = messages.iter().rev().find(|message| matches!(message.role, Role::Tool | Role::Session));
        told.map(|message| message.text.to_string()).unwrap_or_default()
    }

    pub fn head(&self) -> Seq {
        Seq(self.log.len() as u64)
    }
}

pub fn ada() -> Actor {
    Actor::Person("ada".to_owned())
}

pub fn bob() -> Actor {
    Actor::Person("bob".to_owned())
}

pub fn begin(form: Option<Form>, sentence: Option<&str>) -> Command {
    Command::Begin { title: String::new(), language: Lang::En, form, sentence: sentence.map(str::to_owned) }
}

/// A sound form with one field, `customer`.
pub fn form(title: &str) -> Form {
    let fields = vec![Field::new("customer", "Customer", Kind::Text).required()];
    Form { title: title.to_owned(), fields, ..Form::default() }
}

pub fn link(token: &str, kind: LinkKind) -> Command {
    Command::MakeLink { token: token.to_owned(), kind, note: "Mail".to_owned(), prefill: BTreeMap::new() }
}

/// The token of a single link.
pub fn single(number: usize) -> String {
    format!("single{number:04}")
}

/// A receiver that will do; its secret stands for 24 bytes.
pub fn webhook() -> Webhook {
    Webhook {
        url: "https://hooks.example.org/in?key=k".to_owned(),
        secret: Secret::new("whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw"),
    }
}
