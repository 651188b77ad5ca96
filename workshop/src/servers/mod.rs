//! Tools of other programs: servers that speak the Model Context Protocol, at their standard input and output or over HTTP.
//!
//! A server is started, or connected to, when a session is opened, to ask for its tools, and again when one of them is
//! used and it is not running. What may be used was decided before; here it is made sure once more that the server is
//! one of the session's and that its settings allow the tool. One that has fallen is started once more at the next call;
//! if it falls again before it has given an answer, that is told and it is left alone. An address is simply asked again.
//!
//! Which servers a session has is written down elsewhere (`Directory`). Servers are not confined: whoever names one in
//! the settings lets it run as their own program, though never with their whole environment.

mod answer;
mod child;
mod connection;
mod error;
mod offer;
mod remote;
mod settings;
mod settings_error;
mod slot;

use std::collections::{BTreeMap, HashMap};
use std::ffi::OsString;
use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Duration;

use async_trait::async_trait;
use enza_kernel::effect::RunTool;
use enza_kernel::text::Lang;
use enza_runtime::seams::store::SessionId;
use enza_runtime::seams::tools::{NoTools, ToolFailure, Tools};
use enza_work::Offered;
use tokio::sync::Semaphore;
use tokio::task::JoinSet;

use child::ProcessStarter;
pub use error::ServerError;
pub use remote::HttpFailure;
pub use settings::{Server, Transport};
pub use settings_error::SettingsError;
use slot::ServerSlot;
pub use slot::ServerStatus;

/// How long a server may take to introduce itself and to name its tools.
const TO_START: Duration = Duration::from_secs(30);
/// How many are started at once.
const AT_ONCE: usize = 4;
/// How many run at most; the one that was not used for longest makes room.
const MOST: usize = 24;
/// The longest message or answer, in bytes. A longer one is not read to its end.
const LONGEST: usize = 16 << 20;
/// How long all farewells together may take.
const TO_PART: Duration = Duration::from_secs(2);
/// Between a server's name and its tool's.
const SLASH: char = '/';

/// What a session lets its servers do.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ServerTerms {
    /// The folder of work, in which they run.
    pub folder: PathBuf,
    /// The servers by their names.
    pub servers: BTreeMap<String, Server>,
    /// The most text that a tool gives back, in bytes.
    pub output: u64,
    /// How long a tool may take.
    pub patience: Duration,
    /// The language of messages.
    pub lang: Lang,
}

/// Where it is written down which servers a session has.
#[async_trait]
pub trait Directory: Send + Sync {
    /// The terms of a session as they are now, or why they cannot be read. Asked at every call, and may be asked again.
    async fn terms(&self, session: &SessionId) -> Result<ServerTerms, String>;
}

/// What every server is started with.
#[derive(Clone)]
pub struct ServerEnvironment {
    /// Words before the command that tie it to our own end; none where it is started as it is.
    pub launcher: Vec<OsString>,
    /// A variable by its name. Servers get those of `ALWAYS` and those that their settings name.
    pub variable: Arc<Variable>,
}

/// Looks up a variable of the environment.
pub type Variable = dyn Fn(&str) -> Option<OsString> + Send + Sync;

/// The variables that every server gets, where they are set.
const ALWAYS: [&str; 5] = ["PATH", "HOME", "LANG", "LC_ALL", "LC_CTYPE"];

/// Runs the tools of servers.
pub struct Servers {
    directory: Arc<dyn Directory>,
    nursery: ProcessStarter,
    rooms: Mutex<HashMap<(SessionId, String), Arc<ServerSlot>>>,
}

impl Servers {
    /// Servers of the sessions in a directory.
    pub fn new(directory: Arc<dyn Directory>, premises: ServerEnvironment) -> Self {
        Self { directory, nursery: ProcessStarter::new(premises), rooms: Mutex::default() }
    }

    /// Starts servers beside each other and asks each for its tools. One that cannot be started is told with the reason.
    pub async fn open(
        self: &Arc<Self>,
        session: &SessionId,
        terms: &ServerTerms,
    ) -> BTreeMap<String, Result<Vec<Offered>, ServerError>> {
        let turns = Arc::new(Semaphore::new(AT_ONCE));
        let mut starts = JoinSet::new();
        for (name, server) in terms.servers.clone() {
            let (this, turns, session) = (Arc::clone(self), Arc::clone(&turns), session.clone());
            let folder = terms.folder.clone();
            starts.spawn(async move {
                let _turn = turns.acquire().await;
                let offered = this.offered(&session, &name, &server, folder).await;
                (name, offered)
            });
        }
        let mut opened = BTreeMap::new();
        while let Some(started) = starts.join_next().await {
            // One whose start panicked is missing from the answer, and with it from the session.
            opened.extend(started);
        }
        opened
    }

    async fn offered(
        &self,
        session: &SessionId,
        name: &str,
        server: &Server,
        folder: PathBuf,
    ) -> Result<Vec<Offered>, ServerError> {
        let room = self.room(session, name);
        let mut guest = room.guest.lock().await;
        let connection = guest.connected(&self.nursery, server, folder).await?;
        match tokio::time::timeout(TO_START, connection.tools()).await {
            Ok(Ok(tools)) => {
                let allowed = tools.iter().filter(|tool| server.allows(&tool.name));
                Ok(allowed.filter_map(|tool| offer::of(name, tool)).collect())
            }
            Ok(Err(why)) => Err(guest.fell(why).await),
            Err(_) => Err(guest.was_slow(TO_START).await),
        }
    }

    /// Uses one tool.
    async fn used(
        &self,
        session: &SessionId,
        server: &str,
        run: &RunTool,
        terms: &ServerTerms,
    ) -> Result<String, ServerError> {
        let settings = terms.servers.get(server).ok_or_else(|| ServerError::NoServer { name: server.to_owned() })?;
        let tool = run.tool.get(server.len() + SLASH.len_utf8()..).unwrap_or_default();
        if !settings.allows(tool) {
            return Err(ServerError::NotAllowed { tool: run.tool.clone() });
        }
        let arguments = run.arguments.as_object().cloned().ok_or(ServerError::NoArguments)?;
        let room = self.room(session, server);
        let mut guest = room.guest.lock().await;
        guest.may_start(settings)?;
        let connection = guest.connected(&self.nursery, settings, terms.folder.clone()).await?;
        match tokio::time::timeout(terms.patience, connection.call(tool, arguments)).await {
            Ok(Ok(result)) => {
                guest.is_well();
                answer::text(&result, terms.output)
            }
            // A server that says no is well.
            Ok(Err(ServerError::Said { what })) => {
                guest.is_well();
                Err(ServerError::Said { what })
            }
            Ok(Err(why)) => Err(guest.fell(why).await),
            Err(_) => Err(guest.was_slow(terms.patience).await),
        }
    }

    fn room(&self, session: &SessionId, server: &str) -> Arc<ServerSlot> {
        let mut rooms = self.rooms.lock().expect("rooms");
        let room = Arc::clone(rooms.entry((session.clone(), server.to_owned())).or_insert_with(ServerSlot::empty));
        room.touch();
        while rooms.len() > MOST {
            let oldest = rooms.iter().min_by_key(|(_, room)| room.last_used()).map(|(key, _)| key.clone());
            // Whoever is using it keeps it until they are done.
            oldest.and_then(|key| rooms.remove(&key));
        }
        room
    }

    /// How the servers of a session are, as far as they were ever started by us.
    pub fn standing(&self, session: &SessionId) -> BTreeMap<String, ServerStatus> {
        let rooms = self.rooms.lock().expect("rooms");
        let of_session = rooms.iter().filter(|((of, _), _)| of == session);
        of_session.map(|((_, name), room)| (name.clone(), room.standing())).collect()
    }

    /// Ends all of them, and takes leave of those over HTTP, which keep a session for us.
    pub async fn close_all(&self) {
        let rooms = std::mem::take(&mut *self.rooms.lock().expect("rooms"));
        let mut partings = JoinSet::new();
        rooms.into_values().for_each(|room| drop(partings.spawn(async move { room.part().await })));
        // Whoever does not answer is left without a farewell.
        let _ = tokio::time::timeout(TO_PART, partings.join_all()).await;
    }

    /// Ends the servers of a session.
    pub fn close(&self, session: &SessionId) {
        self.rooms.lock().expect("rooms").retain(|(of, _), _| of != session);
    }
}

#[async_trait]
impl Tools for Servers {
    async fn run(&self, session: &SessionId, run: &RunTool) -> Result<String, ToolFailure> {
        let Some((server, _)) = run.tool.split_once(SLASH) else { return NoTools.run(session, run).await };
        let terms = self.directory.terms(session).await.map_err(ToolFailure)?;
        let used = self.used(session, server, run, &terms).await;
        used.map_err(|trouble| ToolFailure(trouble.say(terms.lang)))
    }
}
