//! Everything that can keep a command from its end, with its code and its exit status.
//!
//! The variants carry facts; the sentences for people are in `words/trouble.rs`. Refusals keep the words that their
//! application gave them.

use std::path::PathBuf;

use enza_applications::companion::StepsFault;
use enza_applications::interview::FormFault;
use enza_kernel::application::Reason as _;
use enza_kernel::time::Seq;
use enza_models::client::ClientTrouble;
use enza_models::local::pull::PullTrouble;
use enza_models::local::shelf::ShelfTrouble;
use enza_models::troupe::ModelTrouble;
use enza_runtime::engine::Declined;
use enza_runtime::seams::store::{Failure, SessionId};
use enza_storage::Unrestored;
use enza_workshop::servers::Unfit;

use crate::commands::{Halt, Misplaced};

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub enum Trouble {
    /// The command line cannot be understood.
    Usage(Box<clap::Error>),
    /// No folder was named and there is no home folder.
    NoHome,
    /// The data folder cannot be used.
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        why: String,
    },
    /// The server cannot listen there.
    Address {
        /// What was typed.
        address: String,
        /// What the system said.
        why: String,
    },
    /// The server would be open to other machines without accounts.
    AccountsNeeded {
        /// What was typed.
        address: String,
    },
    /// The public address is none.
    PublicUnfit {
        /// What was typed.
        url: String,
    },
    /// A proxy's address is none.
    ProxyUnfit {
        /// What was typed.
        typed: String,
    },
    /// The level of logs is none.
    LogLevel {
        /// What was typed.
        level: String,
    },
    /// This build sends no traces.
    #[cfg_attr(feature = "otel", expect(dead_code, reason = "a build with the feature sends them"))]
    NoTraces,
    /// There is nobody of that name.
    NoPerson {
        /// What was typed.
        name: String,
    },
    /// The database did not do what it was asked.
    Store(Failure),
    /// The engine did not accept a command.
    Declined(Declined),
    /// There is no such session.
    UnknownSession {
        /// What was typed.
        part: String,
        /// The newest sessions there are.
        near: Vec<SessionId>,
    },
    /// Several sessions begin or end like this.
    AmbiguousSession {
        /// What was typed.
        part: String,
        /// Those that match.
        matches: Vec<SessionId>,
    },
    /// The session is of another application.
    OtherApplication {
        /// The session.
        session: SessionId,
        /// Its application.
        application: String,
    },
    /// There is no such application.
    UnknownApplication {
        /// What was typed.
        name: String,
        /// Those there are.
        known: Vec<&'static str>,
    },
    /// The session has no such event.
    NoSuchEvent {
        /// What was typed.
        seq: Seq,
        /// The last there is.
        head: Seq,
    },
    /// The session has forks, which need its events.
    HasForks {
        /// Them.
        forks: Vec<SessionId>,
    },
    /// Other sessions belong to it.
    HasFamily {
        /// How many.
        count: u64,
    },
    /// A file cannot be read.
    File {
        /// The file.
        path: PathBuf,
        /// What the system or the parser said.
        why: String,
    },
    /// A server of tools in the settings cannot be used.
    Server {
        /// The file.
        path: PathBuf,
        /// The server's name.
        name: String,
        /// What does not fit.
        unfit: Unfit,
    },
    /// The companion's table of moves cannot be used.
    Steps {
        /// The file.
        path: PathBuf,
        /// What is wrong with it.
        fault: StepsFault,
    },
    /// There is no model, or not the one that was named.
    Model(Box<ModelTrouble>),
    /// Nobody can pull what was named.
    NothingToPull {
        /// What was typed.
        name: String,
    },
    /// Weights or the server could not be pulled.
    Pull(Box<PullTrouble>),
    /// The model did not answer when it was tried.
    ModelSilent {
        /// The model.
        model: String,
        /// Why.
        why: String,
    },
    /// The form cannot be asked.
    Form(FormFault),
    /// Forms that were checked cannot be asked.
    UnsoundForms {
        /// How many.
        count: usize,
    },
    /// The form asks for consent, and nobody is there to give it.
    AtConsent {
        /// What the form is called.
        title: String,
    },
    /// A question is open and nobody is there to answer.
    AtQuestion {
        /// Where.
        session: SessionId,
        /// What is asked.
        question: String,
    },
    /// A gate is open and nobody is there to answer.
    AtGate {
        /// Where.
        session: SessionId,
        /// What is to be done.
        intent: String,
    },
    /// An order to the companion cannot be obeyed without a keyboard.
    Misplaced(Misplaced),
    /// The companion came to a halt.
    Companion {
        /// Where.
        session: SessionId,
        /// How.
        halt: Halt,
    },
    /// The session cannot go on without help, and nobody is there to give it.
    Stuck {
        /// Where.
        session: SessionId,
        /// Why.
        why: String,
    },
    /// The command asks for a yes, and nobody is there to give it.
    NeedsYes,
    /// A replay did not give what is recorded.
    ReplayDiffers {
        /// Replies whose prompt came out differently.
        seqs: Vec<Seq>,
        /// Whether the state by way of the snapshot is the same.
        snapshot_agrees: bool,
    },
    /// A prompt did not come out as recorded.
    PromptDiffers {
        /// Of which reply.
        seq: Seq,
    },
    /// The simulation found violations.
    Violations {
        /// The commands that play each of them again.
        replays: Vec<String>,
    },
    /// The doctor found something that does not work.
    NotWell {
        /// How many things.
        count: usize,
    },
    /// A backup was not taken, or not put back.
    Backup {
        /// The backup.
        path: PathBuf,
        /// Why not.
        why: Unrestored,
    },
    /// Ctrl-C.
    Interrupted {
        /// The session that was under way.
        session: Option<SessionId>,
    },
    /// Whoever read our output has gone; there is nobody to tell.
    NobodyReads,
}

impl Trouble {
    /// The outward code; it has a page in `docs/errors/`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Usage(_) | Self::Misplaced(_) => "usage-wrong",
            Self::NoHome | Self::Folder { .. } => "data-folder-unusable",
            Self::Address { .. } => "address-unusable",
            Self::AccountsNeeded { .. } => "accounts-needed",
            Self::PublicUnfit { .. } | Self::ProxyUnfit { .. } | Self::LogLevel { .. } | Self::NoTraces => {
                "usage-wrong"
            }
            Self::NoPerson { .. } => "person-unknown",
            Self::Store(failure) => failure.code(),
            Self::Declined(declined) => code_of(declined),
            Self::UnknownSession { .. } => "session-unknown",
            Self::AmbiguousSession { .. } => "session-ambiguous",
            Self::OtherApplication { .. } => "session-of-another-kind",
            Self::UnknownApplication { .. } => "application-unknown",
            Self::NoSuchEvent { .. } => "event-unknown",
            Self::HasForks { .. } => "session-has-forks",
            Self::HasFamily { .. } => "session-has-family",
            Self::File { .. } | Self::Server { .. } => "file-unreadable",
            Self::Steps { .. } => "table-faulty",
            Self::Model(trouble) => code_of_model(trouble),
            Self::NothingToPull { .. } => "model-unknown",
            Self::Pull(trouble) => code_of_pull(trouble),
            Self::ModelSilent { .. } => "model-silent",
            Self::Form(fault) => fault.code(),
            Self::UnsoundForms { .. } => "form-faulty",
            Self::AtConsent { .. } => "consent-missing",
            Self::AtQuestion { .. } => "waiting-for-an-answer",
            Self::AtGate { .. } => "waiting-at-a-gate",
            Self::Companion { halt, .. } => halt.code(),
            Self::Stuck { .. } => "session-stuck",
            Self::NeedsYes => "needs-a-yes",
            Self::ReplayDiffers { .. } => "replay-differs",
            Self::PromptDiffers { .. } => "prompt-differs",
            Self::Violations { .. } => "simulation-violated",
            Self::NotWell { .. } => "doctor-found-faults",
            Self::Backup { why, .. } => code_of_backup(why),
            Self::Interrupted { .. } | Self::NobodyReads => "interrupted",
        }
    }

    /// The exit status.
    pub fn exit(&self) -> u8 {
        match self {
            Self::Usage(_)
            | Self::Misplaced(_)
            | Self::PublicUnfit { .. }
            | Self::ProxyUnfit { .. }
            | Self::LogLevel { .. }
            | Self::NoTraces => 2,
            Self::Declined(Declined::Refused(_) | Declined::TooLarge { .. } | Declined::NameTaken(_))
            | Self::HasForks { .. }
            | Self::HasFamily { .. }
            | Self::AccountsNeeded { .. }
            | Self::Form(_)
            | Self::UnsoundForms { .. } => 3,
            Self::AtConsent { .. }
            | Self::AtQuestion { .. }
            | Self::AtGate { .. }
            | Self::Stuck { .. }
            | Self::NeedsYes => 4,
            Self::Companion { halt, .. } => halt.exit(),
            Self::Interrupted { .. } | Self::NobodyReads => 130,
            Self::NoHome
            | Self::Folder { .. }
            | Self::Address { .. }
            | Self::NoPerson { .. }
            | Self::Store(_)
            | Self::Declined(
                Declined::UnknownSession(_)
                | Declined::UnknownApplication(_)
                | Declined::Malformed(_)
                | Declined::Contended
                | Declined::Failed(_),
            )
            | Self::UnknownSession { .. }
            | Self::AmbiguousSession { .. }
            | Self::OtherApplication { .. }
            | Self::UnknownApplication { .. }
            | Self::NoSuchEvent { .. }
            | Self::File { .. }
            | Self::Server { .. }
            | Self::Steps { .. }
            | Self::Model(_)
            | Self::NothingToPull { .. }
            | Self::Pull(_)
            | Self::ModelSilent { .. }
            | Self::ReplayDiffers { .. }
            | Self::PromptDiffers { .. }
            | Self::Violations { .. }
            | Self::Backup { .. }
            | Self::NotWell { .. } => 1,
        }
    }

    /// The session it is about, for whoever wants to go on with it.
    pub fn session(&self) -> Option<&SessionId> {
        match self {
            Self::AtQuestion { session, .. }
            | Self::AtGate { session, .. }
            | Self::Companion { session, .. }
            | Self::Stuck { session, .. }
            | Self::OtherApplication { session, .. } => Some(session),
            Self::Interrupted { session } => session.as_ref(),
            Self::Usage(_)
            | Self::Misplaced(_)
            | Self::NoHome
            | Self::Folder { .. }
            | Self::Address { .. }
            | Self::AccountsNeeded { .. }
            | Self::PublicUnfit { .. }
            | Self::ProxyUnfit { .. }
            | Self::LogLevel { .. }
            | Self::NoTraces
            | Self::NoPerson { .. }
            | Self::Store(_)
            | Self::Declined(_)
            | Self::UnknownSession { .. }
            | Self::AmbiguousSession { .. }
            | Self::UnknownApplication { .. }
            | Self::NoSuchEvent { .. }
            | Self::HasForks { .. }
            | Self::HasFamily { .. }
            | Self::File { .. }
            | Self::Server { .. }
            | Self::Steps { .. }
            | Self::Model(_)
            | Self::NothingToPull { .. }
            | Self::Pull(_)
            | Self::ModelSilent { .. }
            | Self::Form(_)
            | Self::UnsoundForms { .. }
            | Self::AtConsent { .. }
            | Self::NeedsYes
            | Self::ReplayDiffers { .. }
            | Self::PromptDiffers { .. }
            | Self::Violations { .. }
            | Self::NotWell { .. }
            | Self::Backup { .. }
            | Self::NobodyReads => None,
        }
    }
}

/// The outward code of a model that is not to be had.
fn code_of_model(trouble: &ModelTrouble) -> &'static str {
    match trouble {
        ModelTrouble::Config(_) | ModelTrouble::Provider(_) | ModelTrouble::Prices { .. } => "config-unusable",
        ModelTrouble::Choice(_) => "model-unknown",
        ModelTrouble::Key { .. } => "key-unusable",
        ModelTrouble::Client(trouble) => match trouble {
            ClientTrouble::KeyMissing { .. } => "key-missing",
            ClientTrouble::KeyUnusable { .. } => "key-unusable",
            ClientTrouble::ModelMissing { .. } => "model-unknown",
            ClientTrouble::HeaderUnusable { .. } => "config-unusable",
            ClientTrouble::NoConnections { .. } => "model-silent",
        },
        ModelTrouble::Shelf(ShelfTrouble::Missing { .. }) => "weights-missing",
        ModelTrouble::Shelf(ShelfTrouble::Damaged { .. } | ShelfTrouble::Disk { .. })
        | ModelTrouble::Weights { .. } => "weights-damaged",
        ModelTrouble::Tape(_) => "cassette-unusable",
        ModelTrouble::DoesNotFit(_) => "model-too-large",
        ModelTrouble::NoServer => "server-missing",
    }
}

/// The outward code of a pull that failed.
fn code_of_pull(trouble: &PullTrouble) -> &'static str {
    match trouble {
        PullTrouble::Held { .. } => "pull-under-way",
        PullTrouble::NoRoom { .. } | PullTrouble::DiskFull { .. } => "disk-full",
        PullTrouble::WrongDigest { .. } => "pull-damaged",
        PullTrouble::NoWay { .. } => "pull-failed",
        PullTrouble::Disk { .. } => "data-folder-unusable",
    }
}

/// The outward code of a declined command.
fn code_of_backup(why: &Unrestored) -> &'static str {
    match why {
        Unrestored::Exists => "backup-exists",
        Unrestored::Nothing => "nothing-to-back-up",
        Unrestored::Taken => "database-there",
        Unrestored::InUse => "database-in-use",
        Unrestored::Foreign(_) => "foreign-table",
        Unrestored::Unsound(_) => "backup-damaged",
        Unrestored::Failed(failure) => failure.code(),
    }
}

fn code_of(declined: &Declined) -> &'static str {
    match declined {
        Declined::UnknownSession(_) => "session-unknown",
        Declined::UnknownApplication(_) => "application-unknown",
        Declined::NameTaken(_) => "session-exists",
        Declined::Malformed(_) => "command-malformed",
        Declined::TooLarge { .. } => "command-too-large",
        Declined::Refused(refused) => refused.code,
        Declined::Contended => "session-contended",
        Declined::Failed(failure) => failure.code(),
    }
}

impl From<Failure> for Trouble {
    fn from(failure: Failure) -> Self {
        Self::Store(failure)
    }
}

impl From<ModelTrouble> for Trouble {
    fn from(trouble: ModelTrouble) -> Self {
        Self::Model(Box::new(trouble))
    }
}

impl From<PullTrouble> for Trouble {
    fn from(trouble: PullTrouble) -> Self {
        Self::Pull(Box::new(trouble))
    }
}

impl From<Declined> for Trouble {
    fn from(declined: Declined) -> Self {
        Self::Declined(declined)
    }
}
