//! What is said of backups, and of a check of everything.

use std::path::Path;

use enza_kernel::text::{Lang, Said};
use enza_storage::{BackupFailure, Concern, DeepCheck, Defect, Stranger};

use super::{many, store, words};

/// A backup was taken.
pub fn taken(lang: Lang, to: &Path, deep: &DeepCheck, size: &str) -> String {
    let (to, DeepCheck { sessions, events, .. }) = (to.display(), deep);
    words(lang).fill(
        "backup.taken",
        &[
            ("to", &to),
            ("sessions", &many(lang, *sessions, "session")),
            ("events", &many(lang, *events, "event")),
            ("size", &size),
        ],
    )
}

/// A backup was put back.
pub fn restored(lang: Lang, deep: &DeepCheck, aside: Option<&Path>) -> String {
    let DeepCheck { sessions, events, .. } = deep;
    let done = words(lang).fill(
        "backup.restored",
        &[("sessions", &many(lang, *sessions, "session")), ("events", &many(lang, *events, "event"))],
    );
    match aside {
        None => done,
        Some(aside) => {
            let aside = aside.display();
            let kept = words(lang).fill("backup.restored_aside", &[("aside", &aside)]);
            format!("{done}\n{kept}")
        }
    }
}

/// How far a check has come.
pub fn checked_so_far(lang: Lang, done: u64, total: u64) -> String {
    words(lang).fill("backup.checked_so_far", &[("done", &done), ("total", &many(lang, total, "session"))])
}

/// A check of everything found nothing wrong.
pub fn all_well(lang: Lang, deep: &DeepCheck) -> String {
    let DeepCheck { sessions, events, files, unlinked, .. } = deep;
    let said = words(lang).fill(
        "backup.all_well",
        &[
            ("sessions", &many(lang, *sessions, "session")),
            ("events", &many(lang, *events, "event")),
            ("files", &many(lang, *files, "file")),
        ],
    );
    match unlinked {
        0 => said,
        _ => words(lang)
            .fill("backup.all_well_unlinked", &[("said", &said), ("unlinked", &many(lang, *unlinked, "event_is"))]),
    }
}

/// The database could not be checked.
pub fn not_deep(lang: Lang) -> &'static str {
    words(lang).say("backup.not_deep")
}

/// Something that a check of everything found.
pub fn wrong(lang: Lang, wrong: &Defect) -> String {
    match wrong {
        Defect::Structure(said) => words(lang).fill("backup.wrong_structure", &[("said", &said)]),
        Defect::Event { session, seq } => {
            words(lang).fill("backup.wrong_event", &[("seq", &seq), ("session", &session)])
        }
        Defect::End { session, seq } => words(lang).fill("backup.wrong_end", &[("seq", &seq), ("session", &session)]),
        Defect::Snapshot { session } => words(lang).fill("backup.wrong_snapshot", &[("session", &session)]),
        Defect::File { digest } => words(lang).fill("backup.wrong_file", &[("digest", &digest)]),
        Defect::Orphans { table, rows } => {
            words(lang).fill("backup.wrong_orphans", &[("table", &table), ("rows", &many(lang, *rows, "row"))])
        }
    }
}

/// Something that a start found.
pub fn concern(lang: Lang, concern: &Concern) -> String {
    match concern {
        Concern::Fewer { known, found } => {
            words(lang).fill("backup.concern_fewer", &[("known", &many(lang, *known, "session")), ("found", &found)])
        }
        Concern::Another => words(lang).say("backup.concern_another").to_owned(),
        Concern::Damaged { session, seq } => {
            words(lang).fill("backup.concern_damaged", &[("session", &session), ("seq", &seq)])
        }
    }
}

/// What to do about it.
pub fn concern_hint(lang: Lang) -> &'static str {
    words(lang).say("backup.concern_hint")
}

/// A broken log was cut off.
pub fn cut_off(lang: Lang, copy: &Path) -> String {
    let copy = copy.display();
    words(lang).fill("backup.cut_off", &[("copy", &copy)])
}

/// There was nothing to cut off.
pub fn not_broken(lang: Lang) -> &'static str {
    words(lang).say("backup.not_broken")
}

/// What was known of a database is forgotten.
pub fn forgotten(lang: Lang, aside: Option<&Path>) -> String {
    match aside {
        None => words(lang).say("backup.forgotten_none").to_owned(),
        Some(aside) => {
            let aside = aside.display();
            words(lang).fill("backup.forgotten", &[("aside", &aside)])
        }
    }
}

/// Why a backup was not taken, or not put back.
pub fn untaken(lang: Lang, path: &Path, why: &BackupFailure) -> Said {
    let path = path.display();
    match why {
        BackupFailure::Failed(failure) => store::say(failure, lang),
        BackupFailure::Exists => words(lang).said("backup.untaken_exists", &[("path", &path)]),
        BackupFailure::Nothing => words(lang).said("backup.untaken_nothing", &[]),
        BackupFailure::Taken => words(lang).said("backup.untaken_taken", &[]),
        BackupFailure::InUse => words(lang).said("backup.untaken_in_use", &[]),
        BackupFailure::Foreign(stranger) => {
            let what = foreign(lang, stranger);
            words(lang).said("backup.untaken_foreign", &[("what", &what)])
        }
        BackupFailure::Unsound(why) => words(lang).said("backup.untaken_unsound", &[("path", &path), ("why", &why)]),
    }
}

/// Something in a database that is not ours. Names are shown with what a terminal would act on escaped.
fn foreign(lang: Lang, stranger: &Stranger) -> String {
    let shown = |name: &String| name.escape_debug().to_string();
    match stranger {
        Stranger::Table(name) => words(lang).fill("backup.foreign_table", &[("name", &shown(name))]),
        Stranger::Column { table, column } => {
            words(lang).fill("backup.foreign_column", &[("column", &shown(column)), ("table", &shown(table))])
        }
        Stranger::Trigger(name) => words(lang).fill("backup.foreign_trigger", &[("name", &shown(name))]),
        Stranger::View(name) => words(lang).fill("backup.foreign_view", &[("name", &shown(name))]),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_a_thing_is_not_said_in_the_plural() {
        let orphans = |rows| wrong(Lang::En, &Defect::Orphans { table: "events", rows });
        assert_eq!(orphans(1), "table events has 1 row whose sessions are missing");
        assert_eq!(orphans(2), "table events has 2 rows whose sessions are missing");
        let deep = DeepCheck { sessions: 1, events: 1, unlinked: 1, files: 1, wrong: 0, faults: Vec::new() };
        let said = "1 session, 1 event and 1 file checked: all are intact; 1 event is older than the checksums, so only \
                    the order was checked";
        assert_eq!(all_well(Lang::En, &deep), said);
        assert_eq!(restored(Lang::En, &deep, None), "Checked and restored: 1 session, 1 event.");
    }

    #[test]
    fn what_is_not_enzas_is_named_without_what_a_terminal_would_act_on() {
        let name = "x\u{1b}[2J".to_owned();
        let column = Stranger::Column { table: "people".to_owned(), column: name.clone() };
        for stranger in [Stranger::Table(name.clone()), column, Stranger::Trigger(name.clone()), Stranger::View(name)] {
            for lang in [Lang::Ja, Lang::En] {
                let said = untaken(lang, Path::new("b"), &BackupFailure::Foreign(stranger.clone()));
                assert!(said.message.contains("x\\u{1b}[2J") && !said.message.contains('\u{1b}'), "{said:?}");
            }
        }
    }
}
