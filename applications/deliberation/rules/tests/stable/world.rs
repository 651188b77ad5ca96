//! A stable in memory: commands, errands and a clock that one pushes.

use enza_deliberation::{
    HouseRules, Stable, StableCommand, StableEvent, StableRefusal, StableState, of_words, stable_of,
};
use enza_kernel::application::{Application, Entry, restore, store};
use enza_kernel::effect::{Effect, Outcome};
use enza_kernel::errand::{Errand, ErrandKind};
use enza_kernel::text::Lang;
use enza_kernel::time::{Actor, Now, Seq, Timestamp};
use serde_json::Value;

pub struct World {
    pub app: Stable,
    pub state: StableState,
    pub log: Vec<Entry<StableEvent>>,
    pub time: Timestamp,
}

impl World {
    pub fn new() -> Self {
        Self::under(HouseRules::default())
    }

    pub fn under(house: HouseRules) -> Self {
        Self { app: Stable::new(house), state: StableState::default(), log: Vec::new(), time: Timestamp(1_000) }
    }

    /// With so many debaters, each of them there.
    pub fn with(count: usize) -> Self {
        let mut world = Self::new();
        for number in 0..count {
            world.tell(create(number)).unwrap();
            world.deliver();
        }
        world
    }

    pub fn take(&mut self, events: Vec<StableEvent>) {
        for event in events {
            assert_eq!(restore::<Stable>(&store::<Stable>(&event)), Ok(event.clone()));
            let entry = Entry { seq: self.head().next(), at: self.time, event };
            Stable::evolve(&mut self.state, &entry);
            self.log.push(entry);
        }
        let written = serde_json::to_string(&self.state).unwrap();
        assert_eq!(serde_json::from_str::<StableState>(&written).unwrap(), self.state);
    }

    pub fn by(&mut self, by: Actor, command: StableCommand) -> Result<Vec<StableEvent>, StableRefusal> {
        self.time = Timestamp(self.time.0 + 1);
        let now = Now { time: self.time, head: self.head(), by };
        let events = self.app.decide(&self.state, command, &now)?;
        self.take(events.clone());
        Ok(events)
    }

    /// Ada, the owner, asks for something.
    pub fn tell(&mut self, command: StableCommand) -> Result<Vec<StableEvent>, StableRefusal> {
        self.by(ada(), command)
    }

    pub fn settle(&mut self, effect: &Effect, outcome: Outcome) {
        let now = Now { time: self.time, head: self.head(), by: Actor::Runtime };
        let events = self.app.settle(&self.state, effect, outcome, &now);
        self.take(events);
    }

    pub fn errands(&self) -> Vec<Errand> {
        let due = self.app.due(&self.state).into_iter();
        due.filter_map(|effect| if let Effect::RunErrand(errand) = effect { Some(errand) } else { None }).collect()
    }

    /// The one errand that is due: whom it goes to, and what it says.
    pub fn errand(&self) -> (String, Value) {
        let mut errands = self.errands();
        assert_eq!(errands.len(), 1, "{errands:?}");
        match errands.remove(0).what {
            ErrandKind::Tell { session, command } | ErrandKind::Open { session, command, .. } => (session, command),
            ErrandKind::Look(look) => panic!("{look:?}"),
        }
    }

    pub fn deliver(&mut self) {
        for errand in self.errands() {
            self.settle(&Effect::RunErrand(errand), Outcome::Delivered { at: Seq(1) });
        }
    }

    pub fn decline(&mut self, code: &str) {
        for errand in self.errands() {
            let (code, why) = (code.to_owned(), "no".to_owned());
            self.settle(&Effect::RunErrand(errand), Outcome::Declined { code, why });
        }
    }

    pub fn head(&self) -> Seq {
        Seq(self.log.len() as u64)
    }
}

pub fn id(number: usize) -> String {
    of_words(&["debater", &number.to_string()])
}

pub fn create(number: usize) -> StableCommand {
    create_called(number, "メイ", ["honesty", "curiosity", "empathy"].map(str::to_owned).to_vec())
}

pub fn create_called(number: usize, name: &str, values: Vec<String>) -> StableCommand {
    StableCommand::Create { debater: id(number), name: name.to_owned(), values, lang: Lang::Ja, tutorial: None }
}

pub fn ada() -> Actor {
    Actor::Person("ada".to_owned())
}

pub fn bob() -> Actor {
    Actor::Person("bob".to_owned())
}

pub fn debater(number: usize) -> Actor {
    Actor::Session { session: id(number), application: "debater".to_owned() }
}

/// The stable itself, as its debaters see it.
pub fn itself() -> Actor {
    Actor::Session { session: stable_of("ada"), application: "debate-stable".to_owned() }
}
