//! Who looks at a session, as the session itself sees them.
//!
//! A session has a host, who owns it, and may have others in it: people who hold a seat, people who watch, guests whom an
//! application's own page lets in. An application says who somebody is (`Application::reader`) and what they see; whoever
//! shows anything of a session asks for a reader first and hands it to every such question. Who somebody is may change with
//! any event, so a reader is worked out anew when the session has changed, and never kept.
//!
//! Knowing that a person is who they say they are belongs to the edge.

use serde::{Deserialize, Serialize};

/// Somebody who looks at a session.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reader {
    pub role: ReaderRole,
    /// The seats they hold, by the names that the application gives them. A host may hold some, too.
    pub seats: Vec<String>,
}

/// What somebody is in a session.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ReaderRole {
    /// Whose session it is.
    Host,
    /// Who has a part in it.
    SeatHolder,
    /// Who watches: somebody who is signed in, or anybody at all where the session is public.
    Spectator,
    /// Who was let in by an application's own page, without an account.
    Guest,
}

/// How much of a reply somebody hears while it is being written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Following {
    Nothing,
    /// What is said to people in it: the argument that `Application::spoken` names.
    Spoken,
    /// Every piece, thoughts and calls included.
    Whole,
}

impl Reader {
    /// The owner, without a seat.
    pub fn host() -> Self {
        Self { role: ReaderRole::Host, seats: Vec::new() }
    }

    /// Somebody who holds these seats.
    pub fn seat_holder(seats: Vec<String>) -> Self {
        Self { role: ReaderRole::SeatHolder, seats }
    }

    /// Somebody who watches.
    pub fn spectator() -> Self {
        Self { role: ReaderRole::Spectator, seats: Vec::new() }
    }

    /// Somebody whom an application's own page let in.
    pub fn guest() -> Self {
        Self { role: ReaderRole::Guest, seats: Vec::new() }
    }

    /// Whether it is the owner.
    pub fn is_host(&self) -> bool {
        self.role == ReaderRole::Host
    }

    /// Whether they hold this seat.
    pub fn holds(&self, seat: &str) -> bool {
        self.seats.iter().any(|one| one == seat)
    }
}
