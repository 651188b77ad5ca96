//! The place of one server of one session: whether it runs, and how often it has fallen.
//!
//! A server that died or hung is ended and may be started once more. One that falls again before it has answered anything is
//! left alone, so that nothing is started again and again. An address starts nothing, so it may be tried at every use.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use super::child::ProcessStarter;
use super::connection::Connection;
use super::{Server, ServerError, TO_START};

/// How often a server may fall without having answered in between.
const FALLS: u32 = 2;

/// How a server is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ServerStatus {
    /// It runs.
    Running,
    /// It is not running, and is started when it is needed.
    Resting,
    /// It has fallen too often and is left alone.
    Fallen,
}

/// The place of one server of one session. Whoever uses the server holds it.
pub struct ServerSlot {
    pub(super) guest: tokio::sync::Mutex<SlotState>,
    used: Mutex<Instant>,
}

/// Who is in a room.
#[derive(Default)]
pub struct SlotState {
    connection: Option<Connection>,
    falls: u32,
    /// Whether it is a program, which is not started again and again.
    is_program: bool,
    last_words: String,
}

impl ServerSlot {
    /// With nobody in it.
    pub fn empty() -> Arc<Self> {
        Arc::new(Self { guest: tokio::sync::Mutex::default(), used: Mutex::new(Instant::now()) })
    }

    /// It is used now.
    pub fn touch(&self) {
        *self.used.lock().expect("used") = Instant::now();
    }

    /// When it was last used.
    pub fn last_used(&self) -> Instant {
        *self.used.lock().expect("used")
    }

    /// How its server is.
    pub fn standing(&self) -> ServerStatus {
        // Whoever holds it is using it or starting it.
        let Ok(guest) = self.guest.try_lock() else { return ServerStatus::Running };
        match &guest.connection {
            Some(connection) if !connection.is_over() => ServerStatus::Running,
            Some(_) | None if guest.is_left_alone() => ServerStatus::Fallen,
            Some(_) | None => ServerStatus::Resting,
        }
    }

    /// Ends its server with a farewell. One that is in use goes when that is over.
    pub async fn part(&self) {
        let connection = self.guest.try_lock().ok().and_then(|mut guest| guest.connection.take());
        if let Some(connection) = connection {
            connection.part().await;
        }
    }
}

impl SlotState {
    /// The connection to the server, which is started if it is not running.
    pub async fn connected(
        &mut self,
        nursery: &ProcessStarter,
        server: &Server,
        folder: PathBuf,
    ) -> Result<&Connection, ServerError> {
        self.is_program = server.url.is_none();
        if self.connection.as_ref().is_some_and(Connection::is_over) {
            self.connection = None;
            self.falls += 1;
        }
        if self.connection.is_none() {
            match Connection::open(nursery, server, folder, TO_START).await {
                Ok(connection) => self.connection = Some(connection),
                Err(why) => return Err(self.fell(why).await),
            }
        }
        self.connection.as_ref().ok_or(ServerError::Fallen { last_words: String::new() })
    }

    /// It has answered.
    pub fn is_well(&mut self) {
        self.falls = 0;
    }

    /// It died, hangs or speaks nonsense, and is ended; what it said last goes into the reason.
    pub async fn fell(&mut self, why: ServerError) -> ServerError {
        self.falls += 1;
        self.last_words = match self.connection.take() {
            Some(connection) => connection.last_words().await,
            None => why.last_words().to_owned(),
        };
        why.with(&self.last_words)
    }

    /// It did not answer in this time.
    pub async fn was_slow(&mut self, patience: Duration) -> ServerError {
        let slow = if self.is_program { ServerError::slow(patience) } else { ServerError::silent(patience) };
        self.fell(slow).await
    }

    /// Whether it may be started, or was left alone.
    pub fn may_start(&self, server: &Server) -> Result<(), ServerError> {
        if server.url.is_some() || !self.is_left_alone() {
            return Ok(());
        }
        Err(ServerError::Fallen { last_words: self.last_words.clone() })
    }

    fn is_left_alone(&self) -> bool {
        self.is_program && self.falls >= FALLS
    }
}
