//! The place of one server of one session: whether it runs, and how often it has fallen.
//!
//! A server that died or hung is ended and may be started once more. One that falls again before it has answered anything is
//! left alone, so that nothing is started again and again.

use std::path::PathBuf;
use std::sync::{Arc, Mutex};
use std::time::Instant;

use super::child::Nursery;
use super::connection::Connection;
use super::{Server, TO_START, Trouble};

/// How often a server may fall without having answered in between.
const FALLS: u32 = 2;

/// How a server is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Standing {
    /// It runs.
    Running,
    /// It is not running, and is started when it is needed.
    Resting,
    /// It has fallen too often and is left alone.
    Fallen,
}

/// The place of one server of one session. Whoever uses the server holds it.
pub struct Room {
    pub(super) guest: tokio::sync::Mutex<Guest>,
    used: Mutex<Instant>,
}

/// Who is in a room.
#[derive(Default)]
pub struct Guest {
    connection: Option<Connection>,
    falls: u32,
    last_words: String,
}

impl Room {
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
    pub fn standing(&self) -> Standing {
        // Whoever holds it is using it or starting it.
        let Ok(guest) = self.guest.try_lock() else { return Standing::Running };
        match &guest.connection {
            Some(connection) if !connection.is_over() => Standing::Running,
            Some(_) | None if guest.falls >= FALLS => Standing::Fallen,
            Some(_) | None => Standing::Resting,
        }
    }
}

impl Guest {
    /// The connection to the server, which is started if it is not running.
    pub async fn connected(
        &mut self,
        nursery: &Nursery,
        server: &Server,
        folder: PathBuf,
    ) -> Result<&Connection, Trouble> {
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
        self.connection.as_ref().ok_or(Trouble::Fallen { last_words: String::new() })
    }

    /// It has answered.
    pub fn is_well(&mut self) {
        self.falls = 0;
    }

    /// It died, hangs or speaks nonsense, and is ended; what it said last goes into the reason.
    pub async fn fell(&mut self, why: Trouble) -> Trouble {
        self.falls += 1;
        self.last_words = match self.connection.take() {
            Some(connection) => connection.last_words().await,
            None => why.last_words().to_owned(),
        };
        why.with(&self.last_words)
    }

    /// Whether it may be started, or was left alone.
    pub fn may_start(&self) -> Result<(), Trouble> {
        if self.falls < FALLS {
            return Ok(());
        }
        Err(Trouble::Fallen { last_words: self.last_words.clone() })
    }
}
