//! What is said about a fault: what happened and what to do next, in both languages.
//!
//! The person reads it and the model is told the same, so every hint must be something that either of them can do. A new
//! fault gets its words here before anything compiles.

use enza_kernel::text::{Lang, Said};

use super::Fault;
use crate::words::words;

impl Fault {
    /// What happened and what to do next.
    pub fn say(&self, lang: Lang) -> Said {
        match self {
            Self::OutsideToRead { path } => words(lang).said("fault.outside_to_read", &[("path", &path)]),
            Self::OutsideToWrite { path } => words(lang).said("fault.outside_to_write", &[("path", &path)]),
            Self::Secret { path } => words(lang).said("fault.secret", &[("path", &path)]),
            Self::Closed { path } => words(lang).said("fault.closed", &[("path", &path)]),
            Self::Missing { path } => words(lang).said("fault.missing", &[("path", &path)]),
            Self::Exists { path } => words(lang).said("fault.exists", &[("path", &path)]),
            Self::IsFolder { path } => words(lang).said("fault.is_folder", &[("path", &path)]),
            Self::NotAFolder { path } => words(lang).said("fault.not_afolder", &[("path", &path)]),
            Self::NotText { path } => words(lang).said("fault.not_text", &[("path", &path)]),
            Self::TooLarge { path, bytes, most } => {
                words(lang).said("fault.too_large", &[("path", &path), ("bytes", &bytes), ("most", &most)])
            }
            Self::TooMany { path, most } => words(lang).said("fault.too_many", &[("path", &path), ("most", &most)]),
            Self::NoFiles { path } => words(lang).said("fault.no_files", &[("path", &path)]),
            Self::UnusablePath { path } => words(lang).said("fault.unusable_path", &[("path", &path)]),
            Self::IsLink { path } => words(lang).said("fault.is_link", &[("path", &path)]),
            Self::Special { path } => words(lang).said("fault.special", &[("path", &path)]),
            Self::Forgotten { path } => words(lang).said("fault.forgotten", &[("path", &path)]),
            Self::HalfMade { why, left } => {
                let (why, left) = (why.say(lang).message, lang.list(left));
                words(lang).said("fault.half_made", &[("why", &why), ("left", &left)])
            }
            Self::Changed { path } => words(lang).said("fault.changed", &[("path", &path)]),
            Self::UnreadablePatch { line, why } => {
                words(lang).said("fault.unreadable_patch", &[("line", &line), ("why", &why)])
            }
            Self::DoesNotApply { path, piece, why } => {
                words(lang).said("fault.does_not_apply", &[("path", &path), ("piece", &piece), ("why", &why)])
            }
            Self::UnreadablePattern { why } => words(lang).said("fault.unreadable_pattern", &[("why", &why)]),
            Self::NoSuchProgram { name } => words(lang).said("fault.no_such_program", &[("name", &name)]),
            Self::NothingToCommit { why } => words(lang).said("fault.nothing_to_commit", &[("why", &why)]),
            Self::NoSandbox { why } => words(lang).said("fault.no_sandbox", &[("why", &why)]),
            Self::KeptFrom { path } => words(lang).said("fault.kept_from", &[("path", &path)]),
            Self::Unsealed { why } => words(lang).said("fault.unsealed", &[("why", &why)]),
            Self::Tool { tool, why } => Said::new(format!("{tool}: {why}"), words(lang).say("fault.tool")),
            Self::System { path, why } => words(lang).said("fault.system", &[("path", &path), ("why", &why)]),
        }
    }
}
