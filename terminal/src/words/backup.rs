//! What is said of backups, and of a check of everything.

use std::path::Path;

use enza_kernel::text::{Lang, Said};
use enza_storage::{BackupFailure, Concern, DeepCheck, Defect};

use super::store;

/// A backup was taken.
pub fn taken(lang: Lang, to: &Path, deep: &DeepCheck, size: &str) -> String {
    let (to, DeepCheck { sessions, events, .. }) = (to.display(), deep);
    lang.pick(
        format!("バックアップを取り、全体を確かめました: {to} (セッション {sessions}、イベント {events}、{size})"),
        format!("Backed up and checked: {to} ({sessions} sessions, {events} events, {size})"),
    )
}

/// A backup was put back.
pub fn restored(lang: Lang, deep: &DeepCheck, aside: Option<&Path>) -> String {
    let DeepCheck { sessions, events, .. } = deep;
    let done = lang.pick(
        format!("バックアップを確かめ、元に戻しました (セッション {sessions}、イベント {events})。"),
        format!("Checked and restored: {sessions} sessions, {events} events."),
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
    lang.pick(format!("確認中: セッション {done} / {total}"), format!("checking: {done} of {total} sessions"))
}

/// A check of everything found nothing wrong.
pub fn all_well(lang: Lang, deep: &DeepCheck) -> String {
    let DeepCheck { sessions, events, files, unlinked, .. } = deep;
    let said = lang.pick(
        format!("セッション {sessions}、イベント {events}、ファイル {files} をすべて確かめました"),
        format!("{sessions} sessions, {events} events and {files} files checked, all as written"),
    );
    match unlinked {
        0 => said,
        _ => lang.pick(
            format!("{said}。うち {unlinked} イベントはチェックサム導入前のもので、順序だけを確かめました"),
            format!("{said}; {unlinked} events are from before there were checksums, only their order was checked"),
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
            format!("table {table} has {rows} rows of sessions that are not there"),
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
                "this database has had {known} sessions and now knows of {found} only; an older copy may stand in its place"
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
        BackupFailure::Unsound(why) => said(
            (
                format!("{path} は使えるバックアップではありません: {why}"),
                "何も変えていません。別のバックアップで試してください。",
            ),
            (format!("{path} is not a sound backup: {why}."), "Nothing was changed. Try another backup."),
        ),
    }
}
