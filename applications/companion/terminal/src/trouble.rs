//! What keeps the companion's orders from their end, with its code and its exit status.

use std::path::PathBuf;

use enza_companion::StepsFault;
use enza_kernel::text::{Lang, Said};
use enza_runtime::seams::store::SessionId;
use enza_server::prepare::Unfit;
use enza_terminal::trouble::{ApplicationTrouble, Trouble};
use enza_workshop::servers::SettingsError;

use crate::halt::Halt;
use crate::headless_orders::Misplaced;
use crate::words;

/// Why an order did not do what it was asked.
#[derive(Debug)]
pub enum CompanionTrouble {
    /// A server of tools in the settings cannot be used.
    Server {
        path: PathBuf,
        /// The server's name.
        name: String,
        unfit: SettingsError,
    },
    /// The table of moves cannot be used.
    Steps { path: PathBuf, fault: StepsFault },
    /// An order cannot be obeyed without a keyboard.
    Misplaced(Misplaced),
    /// The folder, or the settings for it, cannot be used.
    Folder(Said),
    /// The session came to a halt.
    Halted { session: SessionId, halt: Halt },
}

impl CompanionTrouble {
    /// The same for whoever sent a command and cannot have it submitted.
    pub fn to_unfit(&self, lang: Lang) -> Unfit {
        Unfit::Machine { code: self.code(), said: self.say(lang) }
    }
}

impl ApplicationTrouble for CompanionTrouble {
    fn code(&self) -> &'static str {
        match self {
            Self::Server { .. } => "file-unreadable",
            Self::Steps { .. } => "table-faulty",
            Self::Misplaced(_) => "usage-wrong",
            Self::Folder(_) => "folder-unfit",
            Self::Halted { halt, .. } => halt.code(),
        }
    }

    fn exit(&self) -> u8 {
        match self {
            Self::Server { .. } | Self::Steps { .. } | Self::Folder(_) => 1,
            Self::Misplaced(_) => 2,
            Self::Halted { halt, .. } => halt.exit(),
        }
    }

    fn say(&self, lang: Lang) -> Said {
        match self {
            Self::Server { path, name, unfit } => words::servers::unfit(lang, path, name, unfit),
            Self::Steps { path, fault } => words::steps(lang, path, fault),
            Self::Misplaced(misplaced) => words::orders::misplaced(lang, misplaced),
            Self::Folder(said) => said.clone(),
            Self::Halted { session, halt } => words::halt(lang, session, halt),
        }
    }

    fn session(&self) -> Option<&SessionId> {
        match self {
            Self::Halted { session, .. } => Some(session),
            Self::Server { .. } | Self::Steps { .. } | Self::Misplaced(_) | Self::Folder(_) => None,
        }
    }

    fn is_missing(&self) -> bool {
        match self {
            Self::Server { .. } | Self::Folder(_) => true,
            Self::Steps { .. } | Self::Misplaced(_) | Self::Halted { .. } => false,
        }
    }
}

impl From<CompanionTrouble> for Trouble {
    fn from(trouble: CompanionTrouble) -> Self {
        Self::Application(Box::new(trouble))
    }
}
