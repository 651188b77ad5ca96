//! The seam to the register: who there is, what lets them in, what was done, and which requests were answered.
//!
//! It is kept in the same database as the sessions, and held to its promises by the same contract suite. A register
//! never sees a secret: passwords come as argon2 hashes, everything that lets someone in as a digest of it. A session
//! belongs to a person by the person's name (`SessionRow::owner`), so a name is given once and never changed.
//!
//! Who may do what is decided by the server; the register only keeps it.

use async_trait::async_trait;
use enza_kernel::conversation::Digest;
use enza_kernel::text::Lang;
use enza_kernel::time::Timestamp;
use serde::{Deserialize, Serialize};
use serde_json::Value;

use super::store::Failure;
use crate::engine::Allowance;

/// The people.
#[async_trait]
pub trait People: Send + Sync {
    /// Adds a person, unless the name is taken.
    async fn add(&self, person: &Person) -> Result<Added, Failure>;

    /// The person of a name.
    async fn person(&self, name: &str) -> Result<Option<Person>, Failure>;

    /// At most `limit` people by name, those after `after`.
    async fn people(&self, after: Option<&str>, limit: usize) -> Result<Vec<Person>, Failure>;

    /// Replaces everything about a person but the name and when it was added. False where there is none.
    async fn change(&self, person: &Person) -> Result<bool, Failure>;

    /// Removes a person with every pass, kept answer and line of usage, in one transaction. Sessions have to be gone;
    /// the journal stays.
    async fn remove(&self, name: &str) -> Result<Removed, Failure>;
}

/// What lets people in: sign-ins, tokens, invitations, one-time links.
#[async_trait]
pub trait Passes: Send + Sync {
    /// Keeps a pass. Its digest is new: it comes of a secret that was drawn at random. Its person is there: a pass of
    /// somebody unknown is a failure, so that none outlives the person it was for.
    async fn issue(&self, pass: &Pass) -> Result<(), Failure>;

    /// The pass behind a digest, whether or not its time is over.
    async fn pass(&self, digest: &Digest) -> Result<Option<Pass>, Failure>;

    /// A person's passes of a kind, newest first; with no person, everybody's and nobody's.
    async fn passes(&self, person: Option<&str>, kind: PassKind) -> Result<Vec<Pass>, Failure>;

    /// Takes a pass away and returns it; of two at once exactly one gets it.
    async fn take(&self, digest: &Digest) -> Result<Option<Pass>, Failure>;

    /// Takes every pass of a kind away from a person, but for one. Says how many.
    async fn take_all(&self, person: &str, kind: PassKind, but: Option<&Digest>) -> Result<u64, Failure>;

    /// Remembers when a pass was last used; an earlier time changes nothing, nor does a pass that is gone.
    async fn used(&self, digest: &Digest, at: Timestamp) -> Result<(), Failure>;
}

/// What was done, by whom: sign-ins and administrative acts. Only added to.
#[async_trait]
pub trait AuditLog: Send + Sync {
    /// Adds a line.
    async fn note(&self, note: &NewAuditEntry) -> Result<(), Failure>;

    /// At most `limit` lines, newest first, those before line `before`; with a person, only that person's.
    async fn notes(&self, person: Option<&str>, before: Option<u64>, limit: usize) -> Result<Vec<AuditEntry>, Failure>;
}

/// Which requests with an idempotency key were answered, and how.
#[async_trait]
pub trait IdempotentRequests: Send + Sync {
    /// Begins a request, unless one of the same person and key is known; of two at once exactly one is `New`. The person
    /// is there: a request of somebody unknown is a failure.
    async fn begin(&self, request: &KeyedRequest) -> Result<Begun, Failure>;

    /// Takes over a request whose worker has died, if it is still under way as `seen`; of several at once exactly one
    /// is told that it is theirs.
    async fn take_over(&self, request: &KeyedRequest, seen: &PendingRequest) -> Result<bool, Failure>;

    /// Keeps the answer of a request that this worker has begun or taken over. The first one stays; where that request
    /// is not under way, or no longer this worker's, nothing is kept.
    async fn keep_answer(&self, request: &KeyedRequest, answer: &KeptAnswer) -> Result<(), Failure>;

    /// Forgets a request of this worker's that came to nothing, so that it may be sent again. One that has its answer
    /// stays.
    async fn forget(&self, request: &KeyedRequest) -> Result<(), Failure>;

    /// Forgets every request that a worker has under way: the worker has ended. Says how many.
    async fn abandon(&self, worker: &str) -> Result<u64, Failure>;

    /// Forgets every request begun before a time, and every pass whose time was over by then (`expires_at` not after
    /// it). Says how many went. A request of after `now` was begun by a clock that was ahead: it counts as begun now, so
    /// that it does not stay until that clock turns out to be right.
    async fn sweep(&self, before: Timestamp, now: Timestamp) -> Result<u64, Failure>;
}

/// What an administrator has set for the whole house, as one document.
#[async_trait]
pub trait Settings: Send + Sync {
    /// The document; none where nothing was set.
    async fn settings(&self) -> Result<Option<Value>, Failure>;

    /// Replaces it.
    async fn set_settings(&self, settings: &Value) -> Result<(), Failure>;
}

/// A whole register.
pub trait Register: People + Passes + AuditLog + IdempotentRequests + Settings {}

impl<R: People + Passes + AuditLog + IdempotentRequests + Settings> Register for R {}

/// A person.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The name that is signed in with and that sessions are owned by.
    pub name: String,
    /// What others see.
    pub display: String,
    /// The argon2 hash of the password; none for whoever is let in some other way.
    pub password: Option<String>,
    /// Whether this is an administrator.
    pub is_admin: bool,
    /// Whether the person may come in at all.
    pub is_blocked: bool,
    /// The language of everything on screen; none to follow the browser.
    pub lang: Option<Lang>,
    /// What the person may spend, besides what the house allows everyone.
    pub allowance: Allowance,
    /// When the person was added.
    pub added_at: Timestamp,
}

/// What became of adding a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Added {
    /// The person is there.
    Added,
    NameTaken,
}

/// What became of removing a person.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Removed {
    /// The person is gone.
    Removed,
    /// There was no such person.
    Unknown,
    /// The person still owns so many sessions.
    OwnsSessions(u64),
}

/// Something that lets a person in.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Pass {
    /// The digest of the secret.
    pub digest: Digest,
    pub kind: PassKind,
    /// Whose it is; none for an invitation or for a link that makes the first person.
    pub person: Option<String>,
    /// What its owner calls it: a token's name, a browser.
    pub label: String,
    /// What a token may do, as the server's words.
    pub scopes: Vec<String>,
    pub issued_at: Timestamp,
    /// When its time is over; none for never.
    pub expires_at: Option<Timestamp>,
    /// When it was last used, as far as that was kept.
    pub used_at: Option<Timestamp>,
}

/// What a pass is for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum PassKind {
    /// A browser that is signed in.
    SignIn,
    /// A program.
    Token,
    /// Makes an account, once.
    Invitation,
    /// Signs in, once.
    Link,
}

impl PassKind {
    /// The word used in storage.
    pub fn word(self) -> &'static str {
        match self {
            Self::SignIn => "sign_in",
            Self::Token => "token",
            Self::Invitation => "invitation",
            Self::Link => "link",
        }
    }

    /// The kind behind a word.
    pub fn from_word(word: &str) -> Option<Self> {
        [Self::SignIn, Self::Token, Self::Invitation, Self::Link].into_iter().find(|one| one.word() == word)
    }
}

/// A line of the journal, on its way in.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct NewAuditEntry {
    pub at: Timestamp,
    /// By whom; empty where nobody was signed in.
    pub by: String,
    /// What was done, as the server's word.
    pub act: String,
    /// Whom or what it was done to; empty where that is plain.
    pub on: String,
    /// From where: an address.
    pub from: String,
}

/// A line of the journal.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct AuditEntry {
    /// Its place, from 1.
    pub line: u64,
    #[serde(flatten)]
    pub note: NewAuditEntry,
}

/// A request with an idempotency key.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeyedRequest {
    pub person: String,
    /// The client's key.
    pub key: String,
    /// The digest of everything that is asked.
    pub digest: Digest,
    pub at: Timestamp,
    /// Who does it. No other worker has or had the name.
    pub worker: String,
}

/// A kept answer.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct KeptAnswer {
    /// The HTTP status.
    pub status: u16,
    pub body: Vec<u8>,
}

/// What is known of a request that is to begin.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Begun {
    /// Nothing: it has begun now.
    New,
    /// It has begun and has no answer yet.
    UnderWay(PendingRequest),
    Answered(KeptAnswer),
    /// The key was used for another request.
    OtherRequest,
}

/// A request that has begun and has no answer yet.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PendingRequest {
    pub since: Timestamp,
    /// Who does it; none where an older Enza has not kept that.
    pub by: Option<String>,
}
