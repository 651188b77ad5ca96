//! Files of one folder of work, reached only through a handle to it.
//!
//! `reach` and `way` find what a path means and whether it may be touched; everything else here goes through it and never hands a
//! path to the system as a whole. `look` and `search` read; `prepare` and `choose` work out changes without touching anything;
//! `make` and `restore` carry them out and take them back; `snapshot` sees what a command has changed.

mod access;
mod aliases;
mod choose;
mod folder_entry;
mod git_guard;
mod ignored;
mod look;
mod make;
mod notes;
mod overlay;
mod path;
mod prepare;
mod record;
mod resolve;
mod restore;
mod search;
mod snapshot;
mod swap;
mod text_change;
mod walk;

pub(crate) use access::by_real_names;
pub use access::{Access, Purpose};
pub(crate) use aliases::{Aliases, Identity};
pub use choose::choose;
pub use git_guard::{Closes, GitGuard, PutBack};
pub use look::{list, read};
pub use make::make;
pub use prepare::{prepare, whole_diff};
pub use record::Record;
pub use restore::restore;
pub use search::search;
pub use snapshot::{Limits, Since, Snapshot};
