//! Everything that can keep a command from its end, with its code and its exit status.
//!
//! The variants carry facts; the sentences for people are in `words/trouble.rs`. Refusals keep the words that their
//! application gave them, and what only an application's own orders can run into is said by it.

use std::fmt;
use std::path::PathBuf;

use enza_kernel::about::About;
use enza_kernel::application::Application;
use enza_kernel::text::{Lang, Said};
use enza_kernel::time::Seq;
use enza_kernel::words::Sentence;
use enza_models::catalog::ModelError;
use enza_models::client::ClientError;
use enza_models::local::folder::ModelFolderError;
use enza_models::local::pull::PullError;
use enza_runtime::engine::{Declined, Engine};
use enza_runtime::seams::store::{Failure, SessionId, SessionRow};
use enza_server::prepare::Unfit;
use enza_storage::BackupFailure;

/// What keeps an application's own orders from their end.
pub trait ApplicationTrouble: fmt::Debug + Send + Sync {
    /// The outward code; it has a page in `docs/errors/`.
    fn code(&self) -> &'static str;

    /// The exit status.
    fn exit(&self) -> u8;

    /// The words for it.
    fn say(&self, lang: Lang) -> Said;

    /// The session it is about, for whoever wants to go on with it.
    fn session(&self) -> Option<&SessionId> {
        None
    }

    /// Whether something that was named is not there or cannot be read.
    fn is_missing(&self) -> bool {
        false
    }
}

/// A session that was under way, and the command that goes on with it.
#[derive(Debug, Clone)]
pub struct UnderWay {
    pub session: SessionId,
    pub resume: String,
}

/// Why a command did not do what it was asked.
#[derive(Debug)]
pub enum Trouble {
    /// The command line cannot be understood.
    Usage(Box<clap::Error>),
    /// No folder was named and there is no home folder.
    NoHome,
    /// The data folder cannot be used.
    Folder {
        path: PathBuf,
        why: String,
    },
    /// The server cannot listen there.
    Address {
        address: String,
        why: String,
    },
    /// The server would be open to other machines without accounts.
    AccountsNeeded {
        address: String,
    },
    /// The public address is none.
    PublicUnfit {
        url: String,
    },
    /// A proxy's address is none.
    ProxyUnfit {
        typed: String,
    },
    /// The level of logs is none.
    LogLevel {
        level: String,
    },
    /// This build sends no traces.
    #[cfg_attr(feature = "otel", expect(dead_code, reason = "a build with the feature sends them"))]
    NoTraces,
    /// There is nobody of that name.
    NoPerson {
        name: String,
    },
    /// The database did not do what it was asked.
    Store(Failure),
    /// The engine did not accept a command.
    Declined(Declined),
    UnknownSession {
        part: String,
        /// The newest sessions there are.
        near: Vec<SessionId>,
    },
    /// Several sessions begin or end like this.
    AmbiguousSession {
        part: String,
        matches: Vec<SessionId>,
    },
    /// The session is of another application.
    OtherApplication {
        session: SessionId,
        /// What its application's sessions are called.
        called: Sentence,
        /// The one whose session was meant.
        wanted: About<'static>,
    },
    UnknownApplication {
        name: String,
        known: Vec<&'static str>,
    },
    /// The application has no such ready-made way to begin.
    NoOpening {
        application: String,
        /// Those it has.
        known: Vec<String>,
        /// Its own command that begins a session.
        begins: Option<&'static str>,
    },
    /// The session has no such event.
    NoSuchEvent {
        seq: Seq,
        /// The last there is.
        head: Seq,
    },
    /// The session has forks, which need its events.
    HasForks {
        forks: Vec<SessionId>,
    },
    /// Other sessions belong to it.
    HasFamily {
        count: u64,
    },
    /// A file cannot be read.
    File {
        path: PathBuf,
        /// What the system or the parser said.
        why: String,
    },
    Model(Box<ModelError>),
    /// Nobody can pull what was named.
    NothingToPull {
        name: String,
    },
    /// Weights or the server could not be pulled.
    Pull(Box<PullError>),
    /// The model did not answer when it was tried.
    ModelSilent {
        model: String,
        why: String,
    },
    /// What an application says of its own orders.
    Application(Box<dyn ApplicationTrouble>),
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
        seq: Seq,
    },
    /// The simulation found violations.
    Violations {
        /// The commands that play each of them again.
        replays: Vec<String>,
    },
    /// The doctor found something that does not work.
    NotWell {
        count: u64,
    },
    /// A backup was not taken, or not put back.
    Backup {
        path: PathBuf,
        why: BackupFailure,
    },
    /// Ctrl-C.
    Interrupted {
        /// The session that was under way.
        under_way: Option<UnderWay>,
    },
    /// Whoever read our output has gone; there is nobody to tell.
    NobodyReads,
}

impl Trouble {
    /// A session that is not of `A`, as was meant.
    pub fn other_application<A: Application>(engine: &Engine, row: SessionRow) -> Self {
        let about = engine.applications().about(&row.application);
        let called = Sentence { ja: about.called(Lang::Ja).to_owned(), en: about.called(Lang::En).to_owned() };
        Self::OtherApplication { session: row.id, called, wanted: About::of::<A>() }
    }

    /// The outward code; it has a page in `docs/errors/`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::Usage(_) => "usage-wrong",
            Self::NoHome | Self::Folder { .. } => "data-folder-unusable",
            Self::Address { .. } => "address-unusable",
            Self::AccountsNeeded { .. } => "accounts-needed",
            Self::PublicUnfit { .. }
            | Self::ProxyUnfit { .. }
            | Self::LogLevel { .. }
            | Self::NoOpening { .. }
            | Self::NoTraces => "usage-wrong",
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
            Self::File { .. } => "file-unreadable",
            Self::Model(trouble) => code_of_model(trouble),
            Self::NothingToPull { .. } => "model-unknown",
            Self::Pull(trouble) => code_of_pull(trouble),
            Self::ModelSilent { .. } => "model-silent",
            Self::Application(trouble) => trouble.code(),
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
            | Self::PublicUnfit { .. }
            | Self::ProxyUnfit { .. }
            | Self::LogLevel { .. }
            | Self::NoOpening { .. }
            | Self::NoTraces => 2,
            Self::Declined(Declined::Refused(_) | Declined::TooLarge { .. } | Declined::NameTaken(_))
            | Self::HasForks { .. }
            | Self::HasFamily { .. }
            | Self::AccountsNeeded { .. } => 3,
            Self::NeedsYes => 4,
            Self::Application(trouble) => trouble.exit(),
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
            Self::OtherApplication { session, .. } => Some(session),
            Self::Application(trouble) => trouble.session(),
            Self::Interrupted { under_way } => under_way.as_ref().map(|one| &one.session),
            Self::Usage(_)
            | Self::NoHome
            | Self::Folder { .. }
            | Self::Address { .. }
            | Self::AccountsNeeded { .. }
            | Self::PublicUnfit { .. }
            | Self::ProxyUnfit { .. }
            | Self::LogLevel { .. }
            | Self::NoTraces
            | Self::NoOpening { .. }
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
            | Self::Model(_)
            | Self::NothingToPull { .. }
            | Self::Pull(_)
            | Self::ModelSilent { .. }
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
fn code_of_model(trouble: &ModelError) -> &'static str {
    match trouble {
        ModelError::Config(_) | ModelError::Provider(_) | ModelError::Prices { .. } => "config-unusable",
        ModelError::Choice(_) => "model-unknown",
        ModelError::Key { .. } => "key-unusable",
        ModelError::Client(trouble) => match trouble {
            ClientError::KeyMissing { .. } => "key-missing",
            ClientError::KeyUnusable { .. } => "key-unusable",
            ClientError::ModelMissing { .. } => "model-unknown",
            ClientError::HeaderUnusable { .. } => "config-unusable",
            ClientError::NoConnections { .. } => "model-silent",
        },
        ModelError::Folder(ModelFolderError::Missing { .. }) => "weights-missing",
        ModelError::Folder(ModelFolderError::Damaged { .. } | ModelFolderError::Disk { .. })
        | ModelError::Weights { .. } => "weights-damaged",
        ModelError::Tape(_) => "cassette-unusable",
        ModelError::DoesNotFit(_) => "model-too-large",
        ModelError::NoServer => "server-missing",
    }
}

/// The outward code of a pull that failed.
fn code_of_pull(trouble: &PullError) -> &'static str {
    match trouble {
        PullError::Held { .. } => "pull-under-way",
        PullError::NoRoom { .. } | PullError::DiskFull { .. } => "disk-full",
        PullError::WrongDigest { .. } => "pull-damaged",
        PullError::NoWay { .. } => "pull-failed",
        PullError::Disk { .. } => "data-folder-unusable",
    }
}

/// The outward code of a declined command.
fn code_of_backup(why: &BackupFailure) -> &'static str {
    match why {
        BackupFailure::Exists => "backup-exists",
        BackupFailure::Nothing => "nothing-to-back-up",
        BackupFailure::Taken => "database-there",
        BackupFailure::InUse => "database-in-use",
        BackupFailure::Foreign(_) => "foreign-table",
        BackupFailure::Unsound(_) => "backup-damaged",
        BackupFailure::Failed(failure) => failure.code(),
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

impl From<ModelError> for Trouble {
    fn from(trouble: ModelError) -> Self {
        Self::Model(Box::new(trouble))
    }
}

impl From<PullError> for Trouble {
    fn from(trouble: PullError) -> Self {
        Self::Pull(Box::new(trouble))
    }
}

impl From<Unfit> for Trouble {
    fn from(unfit: Unfit) -> Self {
        match unfit {
            Unfit::Command(why) => Self::Declined(Declined::Malformed(why)),
            Unfit::Machine { code, said } => Self::Application(Box::new(UnfitMachine { code, said })),
        }
    }
}

/// What a command needs of this machine is not there or cannot be used, as its application says it.
#[derive(Debug)]
struct UnfitMachine {
    code: &'static str,
    said: Said,
}

impl ApplicationTrouble for UnfitMachine {
    fn code(&self) -> &'static str {
        self.code
    }

    fn exit(&self) -> u8 {
        1
    }

    fn say(&self, _lang: Lang) -> Said {
        self.said.clone()
    }

    fn is_missing(&self) -> bool {
        true
    }
}

impl From<Declined> for Trouble {
    fn from(declined: Declined) -> Self {
        Self::Declined(declined)
    }
}
