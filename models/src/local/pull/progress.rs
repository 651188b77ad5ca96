//! What a pull says about itself while it runs.

/// How far a pull has come.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Progress {
    /// What is being pulled.
    pub what: String,
    /// Bytes that are here.
    pub done_bytes: u64,
    /// Bytes that there will be.
    pub total_bytes: u64,
    /// Where they come from.
    pub source: Source,
    /// What is being done.
    pub step: Step,
}

/// Where bytes come from.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    Hub {
        /// The file's address.
        address: String,
    },
    /// A Python wheel.
    Wheel { package: String },
}

/// What a pull is doing.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Step {
    /// Bytes are coming.
    Fetching,
    /// The digest is being computed.
    Checking,
    /// It is whole and in its place.
    Placed,
}

/// Where progress is told.
pub type OnProgress<'a> = &'a (dyn Fn(Progress) + Send + Sync);

/// Tells progress of one thing from one source.
pub(super) struct ProgressReporter<'a> {
    pub(super) what: &'a str,
    pub(super) source: &'a Source,
    pub(super) on_progress: OnProgress<'a>,
}

impl ProgressReporter<'_> {
    pub(super) fn tell(&self, step: Step, done_bytes: u64, total_bytes: u64) {
        let (what, source) = (self.what.to_owned(), self.source.clone());
        (self.on_progress)(Progress { what, done_bytes: done_bytes.min(total_bytes), total_bytes, source, step });
    }
}
