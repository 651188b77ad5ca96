//! A debater in memory: commands, replies, errands, a clock that one pushes, and the rows that its events wrote.

use std::collections::BTreeMap;

use enza_deliberation::{
    Debater, DebaterCommand, DebaterEvent, DebaterRefusal, DebaterState, DebaterStatus, GrowthTime, HouseRules,
    OwnStatement, of_words, stable_of,
};
use enza_kernel::application::{Application, Entry, restore, store};
use enza_kernel::conversation::{Reply, Request};
use enza_kernel::effect::{AskModel, Effect, Outcome};
use enza_kernel::errand::{Errand, ErrandKind};
use enza_kernel::text::Lang;
use enza_kernel::time::{Actor, Now, Seq, Timestamp};
use serde_json::Value;

/// A topic that summons.
pub const TOPIC: &str = "topic-1";
pub const RUN: Timestamp = Timestamp(7);

pub struct World {
    pub app: Debater,
    pub state: DebaterState,
    pub log: Vec<Entry<DebaterEvent>>,
    pub rows: BTreeMap<(String, String), Value>,
    pub time: Timestamp,
}

impl World {
    /// Opened by its stable; its persona is being written.
    pub fn opened(lang: Lang, growth: GrowthTime) -> Self {
        let mut world = Self {
            app: Debater::new(),
            state: DebaterState::default(),
            log: Vec::new(),
            rows: BTreeMap::new(),
            time: Timestamp(1_000),
        };
        world.by(stable(), open(lang, HouseRules { growth, ..HouseRules::default() })).unwrap();
        world
    }

    /// With a persona that a rule has written.
    pub fn born() -> Self {
        let mut world = Self::opened(Lang::Ja, GrowthTime::AtCompletion);
        world.play();
        world
    }

    /// The same in English.
    pub fn born_in(lang: Lang, growth: GrowthTime) -> Self {
        let mut world = Self::opened(lang, growth);
        world.play();
        world
    }

    /// It has been through one debate, `d1`, and its question is asked.
    pub fn back_home() -> Self {
        let mut world = Self::born();
        world.sit_through("d1");
        world
    }

    pub fn take(&mut self, events: Vec<DebaterEvent>) {
        for event in events {
            let stored = store::<Debater>(&event);
            assert_eq!(restore::<Debater>(&stored), Ok(event.clone()), "what is written is read again");
            let entry = Entry { seq: self.head().next(), at: self.time, event };
            for row in Debater::rows(&entry) {
                match row.content {
                    Some(content) => drop(self.rows.insert((row.table, row.key), content)),
                    None => drop(self.rows.remove(&(row.table, row.key))),
                }
            }
            Debater::evolve(&mut self.state, &entry);
            self.log.push(entry);
        }
        let written = serde_json::to_string(&self.state).unwrap();
        assert_eq!(serde_json::from_str::<DebaterState>(&written).unwrap(), self.state);
    }

    pub fn by(&mut self, by: Actor, command: DebaterCommand) -> Result<Vec<DebaterEvent>, DebaterRefusal> {
        self.time = Timestamp(self.time.0 + 1);
        let now = Now { time: self.time, head: self.head(), by };
        let events = self.app.decide(&self.state, command, &now)?;
        self.take(events.clone());
        Ok(events)
    }

    /// Ada, the owner, asks for something.
    pub fn tell(&mut self, command: DebaterCommand) -> Result<Vec<DebaterEvent>, DebaterRefusal> {
        self.by(ada(), command)
    }

    pub fn settle(&mut self, effect: &Effect, outcome: Outcome) {
        let now = Now { time: self.time, head: self.head(), by: Actor::Runtime };
        let events = self.app.settle(&self.state, effect, outcome, &now);
        self.take(events);
    }

    pub fn asks(&self) -> Vec<AskModel> {
        let due = self.app.due(&self.state).into_iter();
        due.filter_map(|effect| if let Effect::AskModel(ask) = effect { Some(ask) } else { None }).collect()
    }

    pub fn ask(&self, thread: &str) -> AskModel {
        let found = self.asks().into_iter().find(|ask| ask.thread == thread);
        found.unwrap_or_else(|| panic!("{thread} asks for nothing; due is {:?}", self.app.due(&self.state)))
    }

    pub fn is_asking(&self, thread: &str) -> bool {
        self.asks().iter().any(|ask| ask.thread == thread)
    }

    pub fn request(&self, thread: &str) -> Request {
        self.app.request(&self.state, &self.ask(thread))
    }

    /// A model answers in a thread.
    pub fn say(&mut self, thread: &str, text: &str) {
        self.reply(&self.ask(thread), Reply { text: text.to_owned(), ..Reply::default() });
    }

    pub fn reply(&mut self, ask: &AskModel, reply: Reply) {
        let (prompt, asked_at) = (self.app.request(&self.state, ask).digest(), self.head());
        self.settle(&Effect::AskModel(ask.clone()), Outcome::Replied { reply, asked_at, prompt });
    }

    pub fn unanswered(&mut self, thread: &str) {
        self.settle(&Effect::AskModel(self.ask(thread)), Outcome::Unanswered { why: "503".to_owned() });
    }

    /// The understudy answers everything that is asked.
    pub fn play(&mut self) {
        while let Some(ask) = self.asks().into_iter().next() {
            let request = self.app.request(&self.state, &ask);
            let reply = self.app.understudy(&request).unwrap();
            assert!(
                reply.usage.total() <= ask.reserve,
                "{:?} costs more than its reserve {}",
                reply.usage,
                ask.reserve
            );
            self.reply(&ask, reply);
        }
    }

    /// Time goes by, and whatever timer is due rings.
    pub fn wait(&mut self, seconds: i64) {
        self.time = Timestamp(self.time.0 + seconds * 1_000);
        for effect in self.app.due(&self.state) {
            if matches!(&effect, Effect::Wake(wake) if wake.at <= self.time) {
                self.settle(&effect, Outcome::Rang);
            }
        }
    }

    pub fn errands(&self) -> Vec<Errand> {
        let due = self.app.due(&self.state).into_iter();
        due.filter_map(|effect| if let Effect::RunErrand(errand) = effect { Some(errand) } else { None }).collect()
    }

    /// Whom errands go to, and what they say.
    pub fn told(&self) -> Vec<(String, Value)> {
        let told = self.errands().into_iter().filter_map(|errand| match errand.what {
            ErrandKind::Tell { session, command } => Some((session, command)),
            ErrandKind::Open { .. } | ErrandKind::Look(_) => None,
        });
        told.collect()
    }

    pub fn deliver(&mut self) {
        for errand in self.errands() {
            self.settle(&Effect::RunErrand(errand), Outcome::Delivered { at: Seq(1) });
        }
    }

    pub fn summon(&mut self, debate: &str) -> Result<Vec<DebaterEvent>, DebaterRefusal> {
        self.by(topic(), summons(debate, RUN))
    }

    pub fn seat(&mut self, debate: &str) {
        self.summon_in_own_run(debate);
        let started_at = self.time;
        self.by(topic(), DebaterCommand::Seated { debate: debate.to_owned(), started_at }).unwrap();
        self.deliver();
    }

    fn summon_in_own_run(&mut self, debate: &str) {
        let run = self.time;
        self.by(topic(), summons(debate, run)).unwrap();
    }

    pub fn complete(&mut self, debate: &str) {
        let completed = completed(debate, self.time);
        self.by(itself(debate), completed).unwrap();
    }

    /// Summoned, seated, over, and the question asked.
    pub fn sit_through(&mut self, debate: &str) {
        self.seat(debate);
        self.complete(debate);
        self.play();
    }

    pub fn give(&mut self, debate: &str, content: &str) -> Result<Vec<DebaterEvent>, DebaterRefusal> {
        self.tell(DebaterCommand::GiveFeedback { debate: debate.to_owned(), content: content.to_owned() })
    }

    pub fn learn(&mut self, title: &str) -> Result<Vec<DebaterEvent>, DebaterRefusal> {
        let content = format!("What {title} says");
        self.tell(DebaterCommand::AddKnowledge { title: title.to_owned(), content })
    }

    pub fn persona(&self) -> String {
        self.state.persona().map(|persona| persona.raw().to_owned()).unwrap_or_default()
    }

    pub fn version(&self) -> u32 {
        self.state.persona().map_or(0, enza_deliberation_cast::Persona::version)
    }

    pub fn table(&self, table: &str) -> Vec<&Value> {
        self.rows.iter().filter(|((name, _), _)| name == table).map(|(_, content)| content).collect()
    }

    pub fn head(&self) -> Seq {
        Seq(self.log.len() as u64)
    }
}

pub fn id() -> String {
    of_words(&["a debater of the tests"])
}

pub fn open(lang: Lang, house: HouseRules) -> DebaterCommand {
    DebaterCommand::Open {
        debater: id(),
        owner: "ada".to_owned(),
        name: "メイ".to_owned(),
        values: ["honesty", "curiosity", "empathy"].map(str::to_owned),
        lang,
        status: DebaterStatus::Active,
        house,
    }
}

pub fn summons(debate: &str, run: Timestamp) -> DebaterCommand {
    DebaterCommand::Summon {
        debate: debate.to_owned(), run, most_per_run: 2, title: "給食は無料がよいか".to_owned()
    }
}

pub fn completed(debate: &str, completed_at: Timestamp) -> DebaterCommand {
    let own = [(1, "まず数字を見たいです。"), (2, "費用は誰が払うのでしょう。")];
    DebaterCommand::Completed {
        debate: debate.to_owned(),
        title: "給食は無料がよいか".to_owned(),
        completed_at,
        own: own.map(|(turn, content)| OwnStatement { turn, content: content.to_owned() }).to_vec(),
        summary: "費用と公平さが話された。".to_owned(),
        highlights: vec!["ソラ: 誰も取り残さないことが大事です。".to_owned()],
    }
}

pub fn session(session: &str, application: &str) -> Actor {
    Actor::Session { session: session.to_owned(), application: application.to_owned() }
}

pub fn topic() -> Actor {
    session(TOPIC, "debate-topic")
}

pub fn itself(debate: &str) -> Actor {
    session(debate, "debate")
}

pub fn stable() -> Actor {
    session(&stable_of("ada"), "debate-stable")
}

pub fn ada() -> Actor {
    Actor::Person("ada".to_owned())
}

pub fn bob() -> Actor {
    Actor::Person("bob".to_owned())
}
