//! What is said of backups, and of a check of everything.

use std::path::Path;

use enza_kernel::text::{Lang, Said};
use enza_storage::{BackupFailure, Concern, DeepCheck, Defect, Stranger};

use super::{many, store};

/// A backup was taken.
pub fn taken(lang: Lang, to: &Path, deep: &DeepCheck, size: &str) -> String {
    let (to, DeepCheck { sessions, events, .. }) = (to.display(), deep);
    let (talks, lines) = (many(*sessions, "session"), many(*events, "event"));
    lang.pick(
        format!("バックアップを取り、全体を確かめました: {to} (セッション {sessions}、イベント {events}、{size})"),
        format!("Backed up and checked: {to} ({talks}, {lines}, {size})"),
    )
}

/// A backup was put back.
pub fn restored(lang: Lang, deep: &DeepCheck, aside: Option<&Path>) -> String {
    let DeepCheck { sessions, events, .. } = deep;
    let (talks, lines) = (many(*sessions, "session"), many(*events, "event"));
    let done = lang.pick(
        format!("バックアップを確かめ、元に戻しました (セッション {sessions}、イベント {events})。"),
        format!("Checked and restored: {talks}, {lines}."),
    );
    match aside {
        None => done,
        Some(aside) => {
            let aside = aside.display();
            let kept = lang.pick(
                format!("それまでのデータベースは {aside} に残してあります。"),
                format!("The database that was there is kept at {aside}."),
            );
            format!("{done}\n{kept}")
        }
    }
}

/// How far a check has come.
pub fn checked_so_far(lang: Lang, done: u64, total: u64) -> String {
    lang.pick(format!("確認中: セッション {done} / {total}"), format!("checking: {done} of {}", many(total, "session")))
}

/// A check of everything found nothing wrong.
pub fn all_well(lang: Lang, deep: &DeepCheck) -> String {
    let DeepCheck { sessions, events, files, unlinked, .. } = deep;
    let said = lang.pick(
        format!("セッション {sessions}、イベント {events}、ファイル {files} をすべて確かめました"),
        format!(
            "{}, {} and {} checked, all as written",
            many(*sessions, "session"),
            many(*events, "event"),
            many(*files, "file")
        ),
    );
    match unlinked {
        0 => said,
        _ => lang.pick(
            format!("{said}。うち {unlinked} イベントはチェックサム導入前のもので、順序だけを確かめました"),
            format!(
                "{said}; {} from before there were checksums, only the order was checked",
                if *unlinked == 1 { "1 event is".to_owned() } else { format!("{unlinked} events are") }
            ),
        ),
    }
}

/// The database could not be checked.
pub fn not_deep(lang: Lang) -> &'static str {
    lang.pick(
        "データベースがないか、古い版です。一度 enza を起動してから調べてください",
        "there is none, or an older one; start enza once, then check again",
    )
}

/// Something that a check of everything found.
pub fn wrong(lang: Lang, wrong: &Defect) -> String {
    match wrong {
        Defect::Structure(said) => lang.pick(
            format!("データベースの構造が壊れています: {said}"),
            format!("the structure of the database is damaged: {said}"),
        ),
        Defect::Event { session, seq } => lang.pick(
            format!("セッション {session} のイベント {seq} が、書いたときと違うか、なくなっています"),
            format!("event {seq} of session {session} is not what was written, or is gone"),
        ),
        Defect::End { session, seq } => lang.pick(
            format!("セッション {session} の最後のイベント {seq} が、見出しと合いません"),
            format!("the last event ({seq}) of session {session} does not agree with its row"),
        ),
        Defect::Snapshot { session } => lang.pick(
            format!("セッション {session} の写しが壊れています(記録から作り直すので、失われたものはありません)"),
            format!("the snapshot of session {session} is damaged; it is made anew from the log, nothing is lost"),
        ),
        Defect::File { digest } => lang.pick(
            format!("保存したファイル {digest} が、書いたときと違います"),
            format!("the stored file {digest} is not what was written"),
        ),
        Defect::Orphans { table, rows } => lang.pick(
            format!("表 {table} に、セッションのない行が {rows} あります"),
            format!("table {table} has {} of sessions that are not there", many(*rows, "row")),
        ),
    }
}

/// Something that a start found.
pub fn concern(lang: Lang, concern: &Concern) -> String {
    match concern {
        Concern::Fewer { known, found } => lang.pick(
            format!(
                "このデータベースには、これまでに {known} のセッションがありましたが、いまは {found} までしか知りません。古い写しに置き換わっているかもしれません"
            ),
            format!(
                "this database has had {} and now knows of {found} only; an older copy may stand in its place",
                many(*known, "session")
            ),
        ),
        Concern::Another => lang.pick(
            "これまで使っていたものとは別のデータベースが置かれています".to_owned(),
            "another database stands where the one in use was".to_owned(),
        ),
        Concern::Damaged { session, seq } => lang.pick(
            format!("セッション {session} の記録が、イベント {seq} で終わっていません"),
            format!("the log of session {session} does not end with event {seq} as it should"),
        ),
    }
}

/// What to do about it.
pub fn concern_hint(lang: Lang) -> &'static str {
    lang.pick(
        "enza doctor --deep で全体を調べ、必要ならバックアップから戻してください(enza restore)。いまのままでよければ enza doctor --begin-anew で覚え直します。",
        "Check everything with enza doctor --deep, and restore a backup if need be (enza restore). If it is meant to be so, enza doctor --begin-anew remembers it as it is now.",
    )
}

/// A broken log was cut off.
pub fn cut_off(lang: Lang, copy: &Path) -> String {
    let copy = copy.display();
    lang.pick(
        format!("壊れたログを読める所までにしました。写しは {copy} にあります"),
        format!("the broken log was cut off where it breaks; a copy is at {copy}"),
    )
}

/// There was nothing to cut off.
pub fn not_broken(lang: Lang) -> &'static str {
    lang.pick("壊れていません。何も変えていません", "it is not broken; nothing was changed")
}

/// What was known of a database is forgotten.
pub fn forgotten(lang: Lang, aside: Option<&Path>) -> String {
    match aside {
        None => lang
            .pick(
                "次に開くときのデータベースを、いまのまま覚えます",
                "it is remembered as it is when it is next opened",
            )
            .to_owned(),
        Some(aside) => {
            let aside = aside.display();
            lang.pick(
                format!("残っていたものを {aside} に移しました。次に開くときに新しく作ります"),
                format!("what was left of it is at {aside} now; a new one is made when it is next opened"),
            )
        }
    }
}

/// Why a backup was not taken, or not put back.
pub fn untaken(lang: Lang, path: &Path, why: &BackupFailure) -> Said {
    let path = path.display();
    let said = |ja: (String, &str), en: (String, &str)| {
        let (message, hint) = lang.pick(ja, en);
        Said::new(message, hint)
    };
    match why {
        BackupFailure::Failed(failure) => store::say(failure, lang),
        BackupFailure::Exists => said(
            (format!("{path} はすでにあります。"), "別の名前かフォルダーを指定してください。上書きはしません。"),
            (format!("{path} is there already."), "Name another file, or a folder. Nothing is overwritten."),
        ),
        BackupFailure::Nothing => said(
            (
                "バックアップを取るデータベースがありません。".to_owned(),
                "--data か --database が正しいかを確かめてください。",
            ),
            ("There is no database to back up.".to_owned(), "Make sure that --data or --database is right."),
        ),
        BackupFailure::Taken => said(
            (
                "戻す先には、すでにデータベースがあります。何も変えていません。".to_owned(),
                "置き換えるなら --replace を付けてください。SQLite なら、いまのものは別の名前で残します。先に enza backup でバックアップを取れます。",
            ),
            (
                "There is a database where the backup would go. Nothing was changed.".to_owned(),
                "To replace it, add --replace; a SQLite file is then kept under another name. You can take a backup of it first, with enza backup.",
            ),
        ),
        BackupFailure::InUse => said(
            (
                "戻す先のデータベースは、ほかの enza が使っています。何も変えていません。".to_owned(),
                "サーバーなど、動いている enza を終わらせてから、もう一度試してください。",
            ),
            (
                "Another enza has that database open. Nothing was changed.".to_owned(),
                "Stop the server and every other enza that uses it, then try again.",
            ),
        ),
        BackupFailure::Foreign(stranger) => {
            let what = foreign(lang, stranger);
            said(
                (
                    format!("Enza が作ったのではない{what}があります。何も変えていません。"),
                    "自分で加えたものなら、データベースから取り除いて、バックアップを取り直してください。覚えがなければ、別のバックアップを使ってください。",
                ),
                (
                    format!("There is {what} that Enza did not make. Nothing was changed."),
                    "If you added it, remove it from the database and take the backup again. If you did not, use another backup.",
                ),
            )
        }
        BackupFailure::Unsound(why) => said(
            (
                format!("{path} は使えるバックアップではありません: {why}"),
                "何も変えていません。別のバックアップで試してください。",
            ),
            (format!("{path} is not a sound backup: {why}."), "Nothing was changed. Try another backup."),
        ),
    }
}

/// Something in a database that is not ours. Names are shown with what a terminal would act on escaped.
fn foreign(lang: Lang, stranger: &Stranger) -> String {
    let shown = |name: &String| name.escape_debug().to_string();
    match stranger {
        Stranger::Table(name) => lang.pick(format!("表「{}」", shown(name)), format!("a table \"{}\"", shown(name))),
        Stranger::Column { table, column } => lang.pick(
            format!("列「{}」(表「{}」)", shown(column), shown(table)),
            format!("a column \"{}\" in the table \"{}\"", shown(column), shown(table)),
        ),
        Stranger::Trigger(name) => {
            lang.pick(format!("トリガー「{}」", shown(name)), format!("a trigger \"{}\"", shown(name)))
        }
        Stranger::View(name) => lang.pick(format!("ビュー「{}」", shown(name)), format!("a view \"{}\"", shown(name))),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn one_of_a_thing_is_not_said_in_the_plural() {
        let orphans = |rows| wrong(Lang::En, &Defect::Orphans { table: "events", rows });
        assert_eq!(orphans(1), "table events has 1 row of sessions that are not there");
        assert_eq!(orphans(2), "table events has 2 rows of sessions that are not there");
        let deep = DeepCheck { sessions: 1, events: 1, unlinked: 1, files: 1, wrong: 0, faults: Vec::new() };
        let said = "1 session, 1 event and 1 file checked, all as written; 1 event is from before there were checksums, \
                    only the order was checked";
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
