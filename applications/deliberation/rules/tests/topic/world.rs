//! A topic to act on: a log, a clock that is pushed by hand, and debaters who come or decline as a story says.

use enza_deliberation::topic::{TopicCommand, TopicEvent, TopicRefusal, TopicSettings, TopicState};
use enza_deliberation::{Brief, ToDebater, Topics};
use enza_deliberation_cast::{Persona, check_chosen};
use enza_kernel::application::{Application, Entry};
use enza_kernel::effect::{Effect, Outcome, Wake};
use enza_kernel::errand::{Errand, ErrandKind, FoundRow};
use enza_kernel::text::Lang;
use enza_kernel::time::{Actor, Now, Seq, Timestamp};
use serde_json::{Value, json};

pub const OWNER: &str = "hana";
pub const HOUR: i64 = 3_600_000;

#[derive(Default)]
pub struct World {
    pub app: Topics,
    pub state: TopicState,
    pub log: Vec<Entry<TopicEvent>>,
    pub time: i64,
}

pub fn brief(debater: &str) -> Brief {
    let values = check_chosen(&["fairness", "honesty", "patience"]).unwrap();
    let persona = Persona::by_rule(Lang::Ja, &values, debater);
    Brief {
        debater: debater.to_owned(),
        owner: Some(format!("owner-of-{debater}")),
        name: format!("名前 {debater}"),
        persona: persona.raw().to_owned(),
        persona_version: 1,
        knowledge: Vec::new(),
        feedback: None,
    }
}

pub fn session(id: &str, application: &str) -> Actor {
    Actor::Session { session: id.to_owned(), application: application.to_owned() }
}

pub fn owner() -> Actor {
    Actor::Person(OWNER.to_owned())
}

/// Every four hours from midnight, UTC.
pub fn every_four_hours() -> TopicSettings {
    let schedule = json!({"zone": "UTC", "recurs": {"cron": "0 */4 * * *"}});
    TopicSettings { schedule: serde_json::from_value(schedule).unwrap(), ..TopicSettings::default() }
}

pub fn begin(settings: TopicSettings) -> TopicCommand {
    TopicCommand::Begin {
        id: Some("topic-1".to_owned()),
        title: "駅前の広場".to_owned(),
        description: "どう使うかを考えます。".to_owned(),
        lang: Lang::Ja,
        settings: Some(settings),
        owner: None,
    }
}

impl World {
    pub fn begun(settings: TopicSettings) -> Self {
        let mut world = Self::default();
        world.by(owner(), begin(settings)).unwrap();
        world
    }

    fn now(&self, by: Actor) -> Now {
        Now { time: Timestamp(self.time), head: Seq(self.log.len() as u64), by }
    }

    fn take(&mut self, events: Vec<TopicEvent>) {
        for event in events {
            let entry = Entry { seq: Seq(self.log.len() as u64 + 1), at: Timestamp(self.time), event };
            Topics::evolve(&mut self.state, &entry);
            self.log.push(entry);
        }
    }

    pub fn by(&mut self, by: Actor, command: TopicCommand) -> Result<Vec<TopicEvent>, TopicRefusal> {
        let events = self.app.decide(&self.state, command, &self.now(by))?;
        self.take(events.clone());
        Ok(events)
    }

    pub fn owner(&mut self, command: TopicCommand) -> Result<Vec<TopicEvent>, TopicRefusal> {
        self.by(owner(), command)
    }

    pub fn settle(&mut self, effect: &Effect, outcome: Outcome) {
        let events = self.app.settle(&self.state, effect, outcome, &self.now(Actor::Runtime));
        self.take(events);
    }

    pub fn timer(&self, name: &str) -> Option<Wake> {
        self.app.due(&self.state).into_iter().find_map(|effect| match effect {
            Effect::Wake(wake) if wake.name == name => Some(wake),
            Effect::Wake(_) | Effect::AskModel(_) | Effect::RunTool(_) | Effect::RunErrand(_) => None,
        })
    }

    /// Has a timer ring, at its time or, where the world was asleep, later.
    pub fn ring(&mut self, name: &str) {
        let wake = self.timer(name).unwrap_or_else(|| panic!("no timer {name}"));
        self.time = self.time.max(wake.at.0);
        self.settle(&Effect::Wake(wake), Outcome::Rang);
    }

    pub fn errands(&self) -> Vec<Errand> {
        self.state.errands.clone()
    }

    /// The look for candidates finds these.
    pub fn find(&mut self, debaters: &[&str]) {
        self.find_with(debaters, [7, 11]);
    }

    /// The same, with this draw.
    pub fn find_with(&mut self, debaters: &[&str], draw: [u64; 2]) {
        let look = self.errands().into_iter().find(|errand| matches!(errand.what, ErrandKind::Look(_)));
        let rows = debaters.iter().map(|debater| FoundRow {
            session: (*debater).to_owned(),
            key: "debater".to_owned(),
            content: json!({"status": "active", "active_at": self.time}),
        });
        let outcome = Outcome::Found { rows: rows.collect(), draw };
        self.settle(&Effect::RunErrand(look.expect("it looks")), outcome);
    }

    /// What debaters are told now, by whom it is for.
    pub fn told(&self) -> Vec<(String, ToDebater)> {
        let told = self.state.errands.iter().filter_map(|errand| match &errand.what {
            ErrandKind::Tell { session, command } => {
                Some((session.clone(), serde_json::from_value(command.clone()).unwrap()))
            }
            ErrandKind::Open { .. } | ErrandKind::Look(_) => None,
        });
        told.collect()
    }

    /// Those who are being summoned.
    pub fn summoned(&self) -> Vec<String> {
        let is_summons = |(_, command): &(String, ToDebater)| matches!(command, ToDebater::Summon { .. });
        self.told().into_iter().filter(is_summons).map(|(debater, _)| debater).collect()
    }

    /// Those who are told that their seat is free.
    pub fn released(&self) -> Vec<String> {
        let is_release = |(_, command): &(String, ToDebater)| matches!(command, ToDebater::Release { .. });
        self.told().into_iter().filter(is_release).map(|(debater, _)| debater).collect()
    }

    fn errand_for(&self, debater: &str) -> Effect {
        let errand = self.errands().into_iter().find(|errand| {
            matches!(&errand.what, ErrandKind::Tell { session, command } if session == debater && command.get("summon").is_some())
        });
        Effect::RunErrand(errand.unwrap_or_else(|| panic!("{debater} is not summoned")))
    }

    pub fn debate(&self) -> String {
        self.state.run.as_ref().and_then(|run| run.debate.clone()).expect("a debate was drawn for")
    }

    /// A debater accepts and sits down.
    pub fn comes(&mut self, debater: &str) {
        let errand = self.errand_for(debater);
        self.settle(&errand, Outcome::Delivered { at: Seq(9) });
        self.sits_down(debater).unwrap();
    }

    pub fn sits_down(&mut self, debater: &str) -> Result<Vec<TopicEvent>, TopicRefusal> {
        let debate = self.debate();
        self.by(session(debater, "debater"), TopicCommand::Brief { debate, brief: brief(debater) })
    }

    pub fn declines(&mut self, debater: &str) {
        let errand = self.errand_for(debater);
        self.settle(&errand, Outcome::Declined { code: "debater-reserve".to_owned(), why: String::new() });
    }

    /// The debate that is to be opened, and its opening command.
    pub fn opening(&self) -> Option<(Errand, Value)> {
        self.errands().into_iter().find_map(|errand| match errand.what.clone() {
            ErrandKind::Open { command, .. } => Some((errand, command)),
            ErrandKind::Tell { .. } | ErrandKind::Look(_) => None,
        })
    }

    /// Everybody comes, and the debate opens.
    pub fn opens(&mut self) -> String {
        while let Some(debater) = self.summoned().into_iter().next() {
            self.comes(&debater);
        }
        let (errand, _) = self.opening().expect("a debate is to be opened");
        let ErrandKind::Open { session, .. } = errand.what.clone() else { panic!("it opens") };
        self.settle(&Effect::RunErrand(errand), Outcome::Delivered { at: Seq(1) });
        session
    }

    pub fn skips(&self) -> Vec<enza_deliberation::topic::SkipReason> {
        self.state.skipped.iter().map(|(_, why)| *why).collect()
    }
}
