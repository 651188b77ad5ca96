//! Where a page of a list ended, as a word that clients hand back and need not understand.

use enza_kernel::time::Timestamp;
use enza_runtime::seams::store::{SessionId, SessionRow};

use crate::problem::Problem;

/// The longest session name that a cursor carries.
const LONGEST: usize = 200;

/// The word for a row.
pub(super) fn write(row: &SessionRow) -> String {
    format!("{:x}.{}", row.changed_at.0, row.id)
}

/// The row behind a word.
pub(super) fn read(word: &str) -> Result<(Timestamp, SessionId), Problem> {
    let parts = word.split_once('.').filter(|(_, id)| !id.is_empty() && id.len() <= LONGEST);
    let parts = parts.and_then(|(at, id)| Some((Timestamp(i64::from_str_radix(at, 16).ok()?), SessionId::of(id))));
    parts.ok_or_else(|| Problem::BodyUnfit("cursor".to_owned()))
}
