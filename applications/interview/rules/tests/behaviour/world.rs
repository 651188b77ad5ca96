//! A session in memory: commands, replies and a clock that one pushes.

use std::time::Duration;

use enza_interview::{Absence, Command, Event, Form, Interview, Open, Order, Refusal, State, understudy};
use enza_kernel::application::{Application, Entry};
use enza_kernel::conversation::{Reply, Request, Role, ToolCall, Usage};
use enza_kernel::effect::{AskModel, Effect, Outcome, RunTool};
use enza_kernel::gate::Verdict;
use enza_kernel::text::Lang;
use enza_kernel::time::{Actor, Now, Seq, Timestamp};
use serde_json::{Value, json};

/// Nothing meant by it but that it is left out.
pub const SKIP: Command = Command::Skip { absence: Absence::Skipped };

/// A form, opened for someone whose home is known, in the form's own order: the first to speak is the interviewer.
pub fn open(form: Form, budget: Option<u64>) -> Command {
    let form = Form { order: Order::Fixed, ..form };
    Command::Open(Box::new(Open { budget, ..Open::at_home(form) }))
}

pub struct World {
    pub app: Interview,
    pub state: State,
    pub log: Vec<Entry<Event>>,
    pub time: Timestamp,
}

impl World {
    pub fn new() -> Self {
        Self { app: Interview::new(), state: State::default(), log: Vec::new(), time: Timestamp(1_000) }
    }

    /// The sample form, opened by Ada.
    pub fn opened() -> Self {
        let mut world = Self::new();
        world.tell(open(Form::sample(Lang::En), None)).unwrap();
        world
    }

    /// Opened, and played by the understudy until every field is done.
    pub fn confirming() -> Self {
        let mut world = Self::opened();
        for answer in ["The lift is stuck since this morning", "Building A, ground floor", "ada@example.org"] {
            world.play();
            world.say(answer);
        }
        world.play();
        world
    }

    pub fn take(&mut self, events: Vec<Event>) {
        for event in events {
            let entry = Entry { seq: self.head().next(), at: self.time, event };
            Interview::evolve(&mut self.state, &entry);
            self.log.push(entry);
        }
    }

    pub fn by(&mut self, by: Actor, command: Command) -> Result<(), Refusal> {
        let now = Now { time: self.time, head: self.head(), by };
        let events = self.app.decide(&self.state, command, &now)?;
        self.take(events);
        Ok(())
    }

    pub fn tell(&mut self, command: Command) -> Result<(), Refusal> {
        self.by(Actor::Person("ada".to_owned()), command)
    }

    pub fn say(&mut self, text: &str) {
        self.tell(Command::Say { text: text.to_owned() }).unwrap();
    }

    pub fn confirm(&mut self, verdict: Verdict) -> Result<(), Refusal> {
        let gate = self.state.gate().map_or("none".to_owned(), |gate| gate.id.clone());
        self.tell(Command::Confirm { gate, verdict, note: None })
    }

    pub fn settle(&mut self, effect: &Effect, outcome: Outcome) {
        let now = Now { time: self.time, head: self.head(), by: Actor::Runtime };
        let events = self.app.settle(&self.state, effect, outcome, &now);
        self.take(events);
    }

    /// The model call that is due, which must be the only one.
    pub fn ask(&self) -> AskModel {
        let asks: Vec<AskModel> = self.asks();
        assert_eq!(asks.len(), 1, "one model call is due: {:?}", Interview::standing(&self.state));
        asks[0].clone()
    }

    pub fn asks(&self) -> Vec<AskModel> {
        let due = self.app.due(&self.state).into_iter();
        due.filter_map(|effect| if let Effect::AskModel(ask) = effect { Some(ask) } else { None }).collect()
    }

    pub fn run(&self) -> Option<RunTool> {
        let mut due = self.app.due(&self.state).into_iter();
        due.find_map(|effect| if let Effect::RunTool(run) = effect { Some(run) } else { None })
    }

    /// The first of the model calls that are due.
    pub fn first_ask(&self) -> AskModel {
        self.asks().remove(0)
    }

    pub fn first_request(&self) -> Request {
        self.app.request(&self.state, &self.first_ask())
    }

    pub fn request(&self) -> Request {
        self.app.request(&self.state, &self.ask())
    }

    /// The reviewer's prompt once the open question has an answer.
    pub fn request_after_an_answer(&mut self) -> Request {
        self.say("An answer");
        self.request()
    }

    pub fn reply(&mut self, reply: Reply) {
        let (ask, prompt) = (self.first_ask(), self.first_request().digest());
        let asked_at = self.head();
        self.settle(&Effect::AskModel(ask), Outcome::Replied { reply, asked_at, prompt });
    }

    /// The model whose turn it is calls these tools.
    pub fn calls(&mut self, calls: &[(&str, Value)]) {
        let calls = calls.iter().map(|(tool, arguments)| ToolCall {
            id: String::new(),
            tool: (*tool).to_owned(),
            arguments: arguments.clone(),
        });
        let usage = Usage { input: 10, output: 5, ..Usage::default() };
        self.reply(Reply { text: String::new(), calls: calls.collect(), usage, ..Reply::default() });
    }

    pub fn asks_for(&mut self, question: &str) {
        self.calls(&[("ask", json!({ "question": question }))]);
    }

    pub fn reviews(&mut self, finding: Value) {
        self.calls(&[("review", finding)]);
    }

    /// One round: the interviewer asks, Ada answers, the reviewer finds.
    pub fn round(&mut self, answer: &str, finding: Value) {
        self.asks_for("Tell me?");
        self.say(answer);
        self.reviews(finding);
    }

    /// The same from a question that is open already.
    pub fn round_from_question(&mut self, answer: &str, finding: Value) {
        self.say(answer);
        self.reviews(finding);
    }

    /// The understudy replies until a person is needed.
    pub fn play(&mut self) {
        while !self.asks().is_empty() {
            self.play_once();
        }
    }

    pub fn play_once(&mut self) {
        let (ask, reply) = (self.first_ask(), understudy(&self.first_request()));
        assert!(reply.usage.total() <= ask.reserve, "{:?} costs more than its reserve {}", reply.usage, ask.reserve);
        self.reply(reply);
    }

    pub fn wait(&mut self, span: Duration) {
        self.time = self.time + span;
    }

    /// What the thread was last told by a tool or by the session.
    pub fn last_told(&self, thread: &str) -> String {
        let messages = &self.state.threads().threads[thread].messages;
        let told = messages.iter().rev().find(|message| matches!(message.role, Role::Tool | Role::Session));
        told.map(|message| message.text.to_string()).unwrap_or_default()
    }

    pub fn field(&self, field_id: &str) -> &str {
        let (_, record) = self.state.fields().find(|(field, _)| field.field_id == field_id).unwrap();
        record.at()
    }

    pub fn head(&self) -> Seq {
        Seq(self.log.len() as u64)
    }
}
