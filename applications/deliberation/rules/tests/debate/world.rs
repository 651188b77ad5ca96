//! A debate to act on: a log, a clock that is pushed by hand, and replies that a story gives or a stand-in does.

use enza_deliberation::debate::{
    DebateCommand, DebateEvent, DebateRefusal, DebateSettings, DebateState, Stage, TopicCard, Work,
};
use enza_deliberation::{Brief, Debates, FeedbackBrief, KnowledgeEntry, OwnStatement};
use enza_deliberation_cast::{Persona, check_chosen};
use enza_kernel::application::{Application, Entry};
use enza_kernel::conversation::{Digest, Reply, Request};
use enza_kernel::effect::{AskModel, Effect, Outcome};
use enza_kernel::errand::{Errand, ErrandKind};
use enza_kernel::text::Lang;
use enza_kernel::time::{Actor, Now, Seq, Timestamp};

/// The debate's session, its topic's, and its host.
pub const DEBATE: &str = "debate-1";
pub const TOPIC: &str = "topic-1";
pub const HOST: &str = "hana";
/// How long a turn waits.
pub const WINDOW: i64 = 900_000;

pub struct World {
    pub app: Debates,
    pub state: DebateState,
    pub log: Vec<Entry<DebateEvent>>,
    pub time: i64,
}

/// What a debater brings; its owner is called after it.
pub fn brief(debater: &str, name: &str, lang: Lang) -> Brief {
    let sets =
        [["fairness", "honesty", "patience"], ["empathy", "kindness", "peace"], ["curiosity", "challenge", "freedom"]];
    let values = check_chosen(&sets[name.len() % 3]).unwrap();
    let persona = Persona::by_rule(lang, &values, debater);
    Brief {
        debater: debater.to_owned(),
        owner: Some(owner(debater)),
        name: name.to_owned(),
        persona: persona.raw().to_owned(),
        persona_version: persona.version(),
        knowledge: Vec::new(),
        feedback: None,
    }
}

pub fn owner(debater: &str) -> String {
    format!("owner-of-{debater}")
}

pub fn known(title: &str, content: &str) -> KnowledgeEntry {
    KnowledgeEntry { id: format!("k-{title}"), title: title.to_owned(), content: content.to_owned(), created_at: 1 }
}

pub fn feedback(content: &str) -> FeedbackBrief {
    let own = vec![OwnStatement { turn: 1, content: "前に話したことです。".to_owned() }];
    FeedbackBrief { id: "f1".to_owned(), debate: "debate-0".to_owned(), content: content.to_owned(), own }
}

/// Two debaters, Sora and Hal.
pub fn two(lang: Lang) -> Vec<Brief> {
    vec![brief("d1", lang.pick("ソラ", "Sora"), lang), brief("d2", lang.pick("ハルカ", "Haruka"), lang)]
}

pub fn opening(lang: Lang, turns: u32, seats: Vec<Brief>) -> DebateCommand {
    DebateCommand::Open {
        topic: TopicCard {
            id: "whatever".to_owned(),
            title: lang.pick("駅前の広場をどう使うか", "How to use the square").to_owned(),
            description: lang.pick("みんなで使い方を考えます。", "Let us think about it.").to_owned(),
            lang,
        },
        mode: "free_discussion".to_owned(),
        turns,
        seats,
        window: WINDOW as u64,
        settings: DebateSettings {
            debate: DEBATE.to_owned(),
            host: HOST.to_owned(),
            seed: "seed".to_owned(),
            ..DebateSettings::default()
        },
    }
}

pub fn topic() -> Actor {
    Actor::Session { session: TOPIC.to_owned(), application: "debate-topic".to_owned() }
}

pub fn debater(id: &str) -> Actor {
    Actor::Session { session: id.to_owned(), application: "debater".to_owned() }
}

pub fn someone(name: &str) -> Actor {
    Actor::Person(name.to_owned())
}

impl World {
    pub fn new() -> Self {
        Self { app: Debates::new(), state: DebateState::default(), log: Vec::new(), time: 1_000 }
    }

    /// A debate of so many turns in which turn 1 waits, unless strategies are made first.
    pub fn opened(turns: u32, seats: Vec<Brief>) -> Self {
        Self::opened_in(Lang::Ja, turns, seats)
    }

    pub fn opened_in(lang: Lang, turns: u32, seats: Vec<Brief>) -> Self {
        let mut world = Self::new();
        world.by(topic(), opening(lang, turns, seats)).unwrap();
        world
    }

    fn now(&self, by: Actor) -> Now {
        Now { time: Timestamp(self.time), head: Seq(self.log.len() as u64), by }
    }

    fn take(&mut self, events: Vec<DebateEvent>) {
        for event in events {
            let entry = Entry { seq: Seq(self.log.len() as u64 + 1), at: Timestamp(self.time), event };
            Debates::evolve(&mut self.state, &entry);
            self.log.push(entry);
        }
        self.time += 1;
    }

    pub fn by(&mut self, by: Actor, command: DebateCommand) -> Result<Vec<DebateEvent>, DebateRefusal> {
        let events = self.app.decide(&self.state, command, &self.now(by))?;
        self.take(events.clone());
        Ok(events)
    }

    /// The owner of a debater asks for something.
    pub fn owner(&mut self, of: &str, command: DebateCommand) -> Result<Vec<DebateEvent>, DebateRefusal> {
        self.by(someone(&owner(of)), command)
    }

    pub fn direct(&mut self, debater: &str, turn: u32, text: &str) -> Result<Vec<DebateEvent>, DebateRefusal> {
        let (debater, text) = (debater.to_owned(), text.to_owned());
        self.owner(&debater.clone(), DebateCommand::Direct { debater, turn, text })
    }

    pub fn advance(&mut self) {
        self.by(someone(HOST), DebateCommand::Advance).unwrap();
    }

    pub fn asks(&self) -> Vec<AskModel> {
        let due = self.app.due(&self.state).into_iter();
        due.filter_map(|effect| match effect {
            Effect::AskModel(ask) => Some(ask),
            Effect::RunTool(_) | Effect::RunErrand(_) | Effect::Wake(_) => None,
        })
        .collect()
    }

    pub fn threads(&self) -> Vec<String> {
        self.asks().into_iter().map(|ask| ask.thread).collect()
    }

    pub fn errands(&self) -> Vec<Errand> {
        self.state.errands.clone()
    }

    /// What was told to a session, command by command.
    pub fn told(&self, to: &str) -> Vec<serde_json::Value> {
        let errands = self.state.errands.iter().filter_map(|errand| match &errand.what {
            ErrandKind::Tell { session, command } if session == to => Some(command.clone()),
            ErrandKind::Tell { .. } | ErrandKind::Open { .. } | ErrandKind::Look(_) => None,
        });
        errands.collect()
    }

    pub fn request(&self, work: &Work) -> Request {
        let ask = self.asks().into_iter().find(|ask| ask.thread == work.thread());
        self.app.request(&self.state, &ask.unwrap_or_else(|| panic!("{work:?} is not asked for: {:?}", self.threads())))
    }

    /// A statement's system prompt and user prompt.
    pub fn prompt(&self, turn: u32, seat: &str) -> (String, String) {
        let request = self.request(&Work::Speak { turn, seat: seat.to_owned() });
        (request.stable[0].text.to_string(), request.messages[0].text.to_string())
    }

    pub fn settle(&mut self, effect: &Effect, outcome: Outcome) {
        let events = self.app.settle(&self.state, effect, outcome, &self.now(Actor::Runtime));
        self.take(events);
    }

    fn ask(&self, work: &Work) -> AskModel {
        self.asks().into_iter().find(|ask| ask.thread == work.thread()).expect("it is asked for")
    }

    pub fn reply(&mut self, work: &Work, reply: Reply) {
        let effect = Effect::AskModel(self.ask(work));
        let (asked_at, prompt) = (Seq(self.log.len() as u64), Digest::of(b""));
        self.settle(&effect, Outcome::Replied { reply, asked_at, prompt });
    }

    pub fn says(&mut self, turn: u32, seat: &str, text: &str) {
        let work = Work::Speak { turn, seat: seat.to_owned() };
        self.reply(&work, Reply { text: text.to_owned(), ..Reply::default() });
    }

    pub fn unanswered(&mut self, work: &Work) {
        let effect = Effect::AskModel(self.ask(work));
        self.settle(&effect, Outcome::Unanswered { why: "gone".to_owned() });
    }

    /// Stand-ins answer everything that is asked, the newest first where `backwards`.
    pub fn answer_all(&mut self, backwards: bool) {
        loop {
            let asks = self.asks();
            let next = if backwards { asks.last() } else { asks.first() };
            let Some(ask) = next.cloned() else { return };
            let request = self.app.request(&self.state, &ask);
            let reply = self.app.understudy(&request).expect("there is a stand-in");
            let (asked_at, prompt) = (Seq(self.log.len() as u64), Digest::of(b""));
            self.settle(&Effect::AskModel(ask), Outcome::Replied { reply, asked_at, prompt });
        }
    }

    /// The first thing that is asked is answered by a stand-in, or by nobody. Whether anything was.
    pub fn answer_next(&mut self, place: usize, is_answered: bool) -> bool {
        let asks = self.asks();
        let Some(ask) = asks.get(place % asks.len().max(1)).cloned() else { return false };
        let request = self.app.request(&self.state, &ask);
        let (asked_at, prompt) = (Seq(self.log.len() as u64), Digest::of(b""));
        let outcome = match self.app.understudy(&request).filter(|_| is_answered) {
            Some(reply) => Outcome::Replied { reply, asked_at, prompt },
            None => Outcome::Unanswered { why: "gone".to_owned() },
        };
        self.settle(&Effect::AskModel(ask), outcome);
        true
    }

    /// Has the timer of a name ring at its time.
    pub fn ring(&mut self, name: &str) {
        let due = self.app.due(&self.state);
        let wake = due.into_iter().find_map(|effect| match effect {
            Effect::Wake(wake) if wake.name == name => Some(wake),
            Effect::Wake(_) | Effect::AskModel(_) | Effect::RunTool(_) | Effect::RunErrand(_) => None,
        });
        let wake = wake.unwrap_or_else(|| panic!("no timer {name}"));
        self.time = self.time.max(wake.at.0);
        self.settle(&Effect::Wake(wake), Outcome::Rang);
    }

    /// Plays to the end: windows run out, stand-ins answer.
    pub fn play(&mut self) {
        for _ in 0..100 {
            self.answer_all(false);
            match self.state.stage {
                Stage::Waiting { .. } => self.ring("window"),
                Stage::Over => return,
                Stage::Unopened | Stage::Preparing { .. } | Stage::Speaking { .. } | Stage::Closing => {}
            }
        }
        panic!("it does not end: {:?}", self.state.stage);
    }

    /// Every errand is delivered.
    pub fn deliver(&mut self) {
        for errand in self.errands() {
            self.settle(&Effect::RunErrand(errand), Outcome::Delivered { at: Seq(1) });
        }
    }
}
