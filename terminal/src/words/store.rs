//! What is said when a database does not do what it was asked.

use enza_kernel::text::{Lang, Said};
use enza_runtime::seams::store::Failure;

use super::words;

/// What a failing database says. The technical text stays at the end, for whoever must look into it.
pub fn say(failure: &Failure, lang: Lang) -> Said {
    match failure {
        Failure::Unreachable(why) => words(lang).said("store.unreachable", &[("why", &why)]),
        Failure::Full(why) => words(lang).said("store.full", &[("why", &why)]),
        Failure::ReadOnly(why) => words(lang).said("store.read_only", &[("why", &why)]),
        Failure::Damaged(why) => words(lang).said("store.damaged", &[("why", &why)]),
        Failure::LogDamaged(why) => words(lang).said("store.log_damaged", &[("why", &why)]),
        Failure::Missing(why) => words(lang).said("store.missing", &[("why", &why)]),
        Failure::EventDamaged { session, seq } => {
            words(lang).said("store.event_damaged", &[("seq", &seq), ("session", &session)])
        }
        Failure::Newer { found, known } => words(lang).said("store.newer", &[("found", &found), ("known", &known)]),
        Failure::Unreadable(why) => words(lang).said("store.unreadable", &[("why", &why)]),
        Failure::Other(why) => words(lang).said("store.other", &[("why", &why)]),
    }
}
