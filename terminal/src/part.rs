//! What an application adds to the terminal, and to the engines that are started from it.
//!
//! An application that can do with the frame's own orders brings none of this. Whoever implements these seams is called
//! with everything resolved: folders, language, screen.

use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use async_trait::async_trait;
use clap::{ArgMatches, Command};
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_kernel::words::Catalogue;
use enza_runtime::engine::Engine;
use enza_runtime::host::SessionState;
use enza_runtime::seams::store::{Recorded, SessionId};
use enza_runtime::seams::tools::ToolRegistry;
use enza_server::AppState;
use enza_server::prepare::Prepare;
use enza_server::state::ContentStore;
use serde_json::Value;

use crate::environment::Environment;
use crate::screen::{Columns, Screen};
use crate::trouble::Trouble;

/// An application's own orders, and what it says of its sessions. One order runs at a time, on the main thread.
#[async_trait(?Send)]
pub trait TerminalPart: Send + Sync {
    /// Its orders, without their help.
    fn orders(&self) -> Vec<Command>;

    /// Its sentences. Those of the table `help` are the help of its orders: one for each of them and for each of their
    /// arguments.
    fn help(&self) -> &'static Catalogue;

    /// Runs the order of this name.
    async fn run(
        &self,
        around: &Environment,
        screen: &Screen,
        order: &str,
        matches: &ArgMatches,
    ) -> Result<(), Trouble>;

    /// Whether its orders mind the signal to stop themselves, and end in order.
    fn stops_by_itself(&self) -> bool {
        false
    }

    /// The command that begins a session, for whoever has none yet.
    fn begins(&self) -> Option<&'static str> {
        None
    }

    /// The command that goes on with a session.
    fn resumes(&self, _session: &str) -> Option<String> {
        None
    }

    /// What `enza session show` tells of a session's state besides what it tells of every one.
    fn details(&self, _lang: Lang, _state: &dyn SessionState) -> Option<SessionDetails> {
        None
    }
}

/// What is told of one session beyond what is told of all.
pub struct SessionDetails {
    /// How far it has come, for scripts.
    pub progress: Value,
    /// The same for people.
    pub head: String,
    /// What it has so far.
    pub rows: Columns,
}

/// What an application puts behind an engine that works.
#[async_trait]
pub trait ToolSet: Send + Sync {
    /// Adds its tools, in place of those of the same names.
    fn add_to(&self, registry: ToolRegistry) -> ToolRegistry;

    /// Adds the tools that only a server has, in place of those of the same names.
    fn add_to_server(&self, registry: ToolRegistry) -> ToolRegistry {
        registry
    }

    /// What looks up what must go with a person's command before it is decided, where anything must.
    fn prepares(&self, _around: &Environment, _engine: &Engine) -> Option<Arc<dyn Prepare>> {
        None
    }

    /// Where its tools keep the contents of files.
    fn contents(&self, _around: &Environment) -> Option<Arc<dyn ContentStore>> {
        None
    }

    /// A server is ready, and about to take connections.
    fn served(&self, _app: &AppState) {}

    /// Ends what its tools have started.
    async fn close(&self) {}
}

/// A server that is being put together, as an application's part of it needs to know it.
#[derive(Debug, Clone, Copy)]
pub struct Serving {
    /// Whether what it sends on people's behalf may go to addresses inside this network. Where there are accounts, nobody
    /// must learn through us what stands there.
    pub reaches_private: bool,
}

/// How scripted people play an application in crash tests, from what the log has alone.
pub trait DrillScript: Send + Sync {
    /// The application's word.
    fn application(&self) -> &'static str;

    /// Adds tools that count what was done, in place of those that do it.
    fn tools(&self, around: &Environment, registry: ToolRegistry) -> ToolRegistry;

    /// The command that opens a session.
    fn opening(&self) -> Value;

    /// The next command of person number so-and-so in a session whose state is this, and the words that must be found in
    /// the log afterwards.
    fn next(&self, person: u32, session: &SessionId, seq: Seq, state: &dyn SessionState) -> (Value, Option<String>);

    /// What an event says to whoever looks afterwards at what was lost or repeated.
    fn trace(&self, event: &Recorded) -> Option<DrillTrace>;

    /// The file in a data folder to which the counting tools add a line for each thing they do; none where its sessions do
    /// nothing outside. A line begins with the session's name and a space, and no two things have the same.
    fn counted(&self) -> Option<&'static str>;
}

/// What crash tests look for in the events of sessions that scripted people play.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DrillTrace {
    /// Words of a person, as `next` gave them.
    Said(String),
    GateOpened,
    GateAnswered,
    /// Something was done outside, which the counting tools must have a line of.
    Done,
    /// Nobody knows whether it was done.
    CutOff,
}

/// The session that `enza tour` shows.
#[async_trait(?Send)]
pub trait TourScript: Send + Sync {
    /// Plays it at this screen, with a breath between lines.
    async fn play(&self, around: &Environment, screen: &Screen, breath: Duration) -> Result<TourSession, Trouble>;

    /// What to try oneself afterwards: the command, and what it does.
    fn try_next(&self, lang: Lang) -> (&'static str, &'static str);
}

/// The session that was shown.
pub struct TourSession {
    pub session: SessionId,
    /// What came of it.
    pub file: PathBuf,
}
