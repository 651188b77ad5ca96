//! Secrets that let someone in: drawn at random, shown once, kept only as a digest.

use std::fmt;

use enza_kernel::conversation::Digest;

/// A secret. Never printed by accident.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

impl Secret {
    /// A new one, with 256 bits of chance. The prefix says what it is for, so that a leaked one can be recognised.
    pub fn draw(prefix: &str) -> Self {
        let mut bytes = [0; 32];
        getrandom::fill(&mut bytes).expect("the system has chance to give");
        Self(format!("{prefix}_{}", Digest(bytes)))
    }

    /// One that someone brought.
    pub fn brought(text: &str) -> Self {
        Self(text.to_owned())
    }

    /// What is kept of it.
    pub fn digest(&self) -> Digest {
        Digest::of(self.0.as_bytes())
    }

    /// The secret itself, to be shown once.
    pub fn reveal(&self) -> &str {
        &self.0
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str("Secret(…)")
    }
}
