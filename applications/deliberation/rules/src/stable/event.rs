//! What can have happened to a person's debaters.

use enza_kernel::effect::Key;
use enza_kernel::text::Lang;
use enza_kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::command::TutorialOutcome;
use super::house::{DebaterStatus, HouseRules};

/// A fact in the history of a stable.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub enum StableEvent {
    Opened {
        owner: String,
        lang: Lang,
    },
    /// A place was taken; the debater is on its way into being.
    DebaterPlanned {
        debater: String,
        owner: String,
        name: String,
        values: [String; 3],
        lang: Lang,
        status: DebaterStatus,
        house: HouseRules,
        /// The tutorial that it goes to as soon as it is there.
        tutorial: Option<String>,
    },
    /// Its session is there.
    DebaterReady {
        debater: String,
    },
    /// Its session could not be opened; the place is free again.
    DebaterFailed {
        debater: String,
        code: String,
    },
    RenameAsked {
        debater: String,
        name: String,
    },
    Renamed {
        debater: String,
        name: String,
    },
    StatusAsked {
        debater: String,
        status: DebaterStatus,
    },
    StatusSet {
        debater: String,
        status: DebaterStatus,
    },
    /// The debater said no: it stays as it was.
    ChangeDeclined {
        debater: String,
        code: String,
    },
    /// It was let go, and is told.
    DebaterDeleted {
        debater: String,
    },
    /// A debater was summoned to the tutorial.
    TutorialBegun {
        debate: String,
        debater: String,
        title: String,
    },
    /// Everybody has a seat: the debate is opened with this command.
    TutorialSeated {
        debate: String,
        command: Value,
    },
    TutorialOpened {
        debate: String,
        started_at: Timestamp,
    },
    /// It did not come about, and can be begun again.
    TutorialFailed {
        debate: String,
        code: String,
    },
    TutorialEnded {
        debate: String,
        outcome: TutorialOutcome,
    },
    /// An errand has ended; there is a code where it was declined.
    ErrandEnded {
        key: Key,
        code: Option<String>,
    },
}
