//! What may be asked of a topic, and how its debates are set up.

use enza_deliberation_cast::{NextTopic, mode};
use enza_kernel::schedule::{Recurs, Schedule, Written, WrittenDays};
use enza_kernel::text::Lang;
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::refusal::SettingsFault;
use crate::Brief;

/// What may be asked for.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
pub enum TopicCommand {
    /// Begins a topic. By a person, or by the topic that it follows.
    Begin {
        /// The topic's own session, to which its debates are to belong.
        #[serde(default)]
        id: Option<String>,
        title: String,
        description: String,
        lang: Lang,
        /// The house's where nothing is said.
        #[serde(default)]
        settings: Option<TopicSettings>,
        /// Whose it is; said only where another topic begins it.
        #[serde(default)]
        owner: Option<String>,
    },
    /// Other words for it.
    Edit {
        title: String,
        description: String,
    },
    SetSettings {
        settings: TopicSettings,
    },
    /// Draws debaters and opens a debate now.
    RunNow,
    /// Opens a debate with these debaters, now.
    Convene {
        debaters: Vec<String>,
        #[serde(default)]
        turns: Option<u32>,
    },
    /// No more runs by the schedule.
    Pause,
    Resume,
    /// It is over.
    Archive,
    /// Begins a topic out of what a debate proposed.
    AcceptNext {
        debate: String,
    },
    DropNext {
        debate: String,
    },
    /// A debater has sat down. Only the debater itself says so.
    #[schemars(skip)]
    Brief {
        debate: String,
        brief: Brief,
    },
    /// A debate is over. Only the debate itself says so.
    #[schemars(skip)]
    Ended {
        debate: String,
        outcome: DebateOutcome,
        summary: String,
        next: Option<NextTopic>,
    },
}

/// How a debate ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum DebateOutcome {
    Completed,
    Cancelled,
}

/// How a topic's debates come about (DEL-C3).
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct TopicSettings {
    pub participants: usize,
    /// With fewer, there is no debate.
    pub minimum: usize,
    /// A debater is drawn if its owner did something for it within so many days.
    pub activity_days: u32,
    /// How many debates of one run a debater sits in at most.
    pub most_per_run: u32,
    /// The key of a mode.
    pub mode: String,
    pub turns: u32,
    /// How long a turn waits for directions.
    pub window_seconds: u32,
    /// Whether partners of the house fill empty seats.
    pub partners: bool,
    /// When debates are opened; by hand alone where there is none.
    pub schedule: Option<Written>,
    /// Tokens that a debate may spend.
    pub budget: Option<u64>,
}

impl Default for TopicSettings {
    fn default() -> Self {
        let times = ["3:00", "7:00", "11:00", "15:00", "19:00", "23:00"].map(str::to_owned);
        let recurs = Recurs::At { times: times.into(), on: WrittenDays::default() };
        Self {
            participants: 4,
            minimum: 2,
            activity_days: 3,
            most_per_run: 2,
            mode: "double_diamond".to_owned(),
            turns: 10,
            window_seconds: 15 * 60,
            partners: false,
            schedule: Some(Written::new("Asia/Tokyo", recurs)),
            budget: None,
        }
    }
}

impl TopicSettings {
    /// The schedule, where all of it does.
    pub(super) fn check(&self) -> Result<Option<Schedule>, SettingsFault> {
        const DAY: u32 = 24 * 60 * 60;
        let seats = 2..=self.participants;
        match self {
            _ if !(2..=8).contains(&self.participants) || !seats.contains(&self.minimum) => Err(SettingsFault::Seats),
            _ if !(1..=20).contains(&self.turns) => Err(SettingsFault::Turns),
            _ if mode(&self.mode).is_none() => Err(SettingsFault::Mode),
            _ if !(1..=365).contains(&self.activity_days) => Err(SettingsFault::Days),
            _ if !(1..=10).contains(&self.most_per_run) => Err(SettingsFault::PerRun),
            _ if self.window_seconds > DAY => Err(SettingsFault::Window),
            _ => self.schedule.as_ref().map(Schedule::read).transpose().map_err(SettingsFault::Schedule),
        }
    }
}
