//! What a handler needs of its caller, in one word each.

/// A need, which is also the scope that a token must have for it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Need {
    /// To look at one's own things.
    Read,
    /// To change them.
    Write,
    /// To look after one's own account. A token never may: whoever finds one could lock its owner out.
    Keep,
    /// To run the house.
    Run,
    /// To let someone into an account that is not one's own. An administrator's token never may: with the link it could
    /// become whomever it likes, and read what they have said.
    Vouch,
}

impl Need {
    /// The scope of a token that may; none where no token may.
    pub fn scope(self) -> Option<&'static str> {
        match self {
            Self::Read => Some("read"),
            Self::Write => Some("write"),
            Self::Keep | Self::Vouch => None,
            Self::Run => Some("admin"),
        }
    }
}

/// A need as a type, so that a handler's signature says it.
pub trait Wants: Send + Sync + 'static {
    /// The need.
    const NEED: Need;
}

/// To look at one's own things.
pub struct ToRead;
/// To change them.
pub struct ToWrite;
/// To look after one's own account.
pub struct ToKeep;
/// To run the house.
pub struct ToRun;
/// To let someone into an account that is not one's own.
pub struct ToVouch;

impl Wants for ToRead {
    const NEED: Need = Need::Read;
}

impl Wants for ToWrite {
    const NEED: Need = Need::Write;
}

impl Wants for ToKeep {
    const NEED: Need = Need::Keep;
}

impl Wants for ToRun {
    const NEED: Need = Need::Run;
}

impl Wants for ToVouch {
    const NEED: Need = Need::Vouch;
}
