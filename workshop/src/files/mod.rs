//! Files of one folder of work, reached only through a handle to it.
//!
//! `reach` and `way` find what a path means and whether it may be touched; everything else here goes through it and never hands a
//! path to the system as a whole. `look` and `search` read; `prepare` and `choose` work out changes without touching anything;
//! `make` and `restore` carry them out and take them back; `snapshot` sees what a command has changed.

mod aliases;
mod choose;
mod guarded;
mod ignored;
mod look;
mod make;
mod notes;
mod overlay;
mod path;
mod prepare;
mod reach;
mod record;
mod restore;
mod search;
mod sheet;
mod snapshot;
mod spot;
mod swap;
mod walk;
mod way;

pub(crate) use aliases::{Aliases, Identity};
pub use choose::choose;
pub use guarded::{Closes, Guarded, PutBack};
pub use look::{list, read};
pub use make::make;
pub use prepare::{prepare, whole_diff};
pub(crate) use reach::by_real_names;
pub use reach::{Purpose, Reach};
pub use record::Record;
pub use restore::restore;
pub use search::search;
pub use snapshot::{Limits, Since, Snapshot};
