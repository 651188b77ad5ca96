//! Doing something once, however often it is asked for.
//!
//! What a client asks for with a key has one name, made from the person, the key and the content. Commands carry the name
//! into the log, and new sessions are called by it, so that asking again finds what was done before. Another content has
//! another name, so a key that is used again after its answer was forgotten does no harm.

use enza_kernel::conversation::Digest;
use enza_runtime::seams::store::SessionId;
use uuid::Uuid;

/// The name of what is asked for; none where asking twice means two things.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct IdempotencyKey(Option<Digest>);

impl IdempotencyKey {
    /// The name of this content under this person's key.
    pub fn of(person: &str, key: &str, content: &Digest) -> Self {
        // Lengths keep the parts apart, whatever is in them.
        let name = format!("{}:{person}{}:{key}{content}", person.len(), key.len());
        Self(Some(Digest::of(name.as_bytes())))
    }

    /// The key for the log.
    pub fn key(self) -> Option<String> {
        self.0.map(|name| name.to_string())
    }

    /// The name of a session that this makes.
    pub fn session(self) -> SessionId {
        let id = match self.0 {
            Some(name) => {
                let mut bytes = [0; 16];
                bytes.copy_from_slice(&name.0[..16]);
                uuid::Builder::from_custom_bytes(bytes).into_uuid()
            }
            None => Uuid::now_v7(),
        };
        SessionId::of(id.to_string())
    }
}
