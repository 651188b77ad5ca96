//! What is said when a database does not do what it was asked.

use enza_kernel::text::{Lang, Said};
use enza_runtime::seams::store::Failure;

/// What a failing database says. The technical text stays at the end, for whoever must look into it.
pub fn say(failure: &Failure, lang: Lang) -> Said {
    let said = |ja: (String, &str), en: (String, &str)| {
        let (message, hint) = lang.pick(ja, en);
        Said::new(message, hint)
    };
    match failure {
        Failure::Unreachable(why) => said(
            (
                format!("データベースに接続できません: {why}"),
                "サーバーが動いているか、--database のアドレスが正しいかを確かめてください。受け付けられた内容は残っています。",
            ),
            (
                format!("The database cannot be reached: {why}."),
                "Make sure that the server runs and that --database is right. What was acknowledged is kept.",
            ),
        ),
        Failure::Full(why) => said(
            (format!("ディスクに空きがありません: {why}"), "空きを作ってから、もう一度試してください。"),
            (format!("There is no room left on the disk: {why}."), "Make room, then try again."),
        ),
        Failure::ReadOnly(why) => said(
            (
                format!("データベースに書き込めません: {why}"),
                "ファイルとフォルダーの権限を直すか、--data で書き込める場所を選んでください。",
            ),
            (
                format!("The database may not be written: {why}."),
                "Correct the permissions of file and folder, or choose another place with --data.",
            ),
        ),
        Failure::Damaged(why) => said(
            (
                format!("データベースが壊れているか、enza のものではありません: {why}"),
                "ファイルはそのまま残してあります。写しを取り、バックアップから戻すか、--data で新しい場所を使ってください。",
            ),
            (
                format!("The database is damaged, or not one of enza's: {why}."),
                "The file was left as it is. Copy it, then restore a backup, or use another place with --data.",
            ),
        ),
        Failure::LogDamaged(why) => said(
            (
                format!("データベースの書き込みログが途中で壊れています: {why}"),
                "開くと、壊れた所より後の受け付けずみの内容が失われるため、何も変えずに止めました。バックアップから戻す(enza restore)か、読める所まででよければ、壊れたログの写しを残して続けられます(enza doctor --accept-log-loss)。",
            ),
            (
                format!("The database's write-ahead log is broken before its end: {why}."),
                "Opening it would lose what was acknowledged after that place, so nothing was changed. Restore a backup (enza restore), or go on with what is readable and keep a copy of the broken log: enza doctor --accept-log-loss.",
            ),
        ),
        Failure::Missing(why) => said(
            (
                format!("使っていたデータベースが空になっているか、なくなっています: {why}"),
                "新しいものは作っていません。バックアップから戻す(enza restore)か、移した先を --database で指定してください。本当に新しく始めるなら enza doctor --begin-anew を実行してください。",
            ),
            (
                format!("The database that was in use is empty or gone: {why}."),
                "No new one was made. Restore a backup (enza restore), or say with --database where it is now. To really begin anew, run enza doctor --begin-anew.",
            ),
        ),
        Failure::EventDamaged { session, seq } => said(
            (
                format!("セッション {session} のイベント {seq} が、書いたときと違うか、なくなっています。"),
                "このセッションだけを止めました。ほかは使えます。enza doctor --deep で全体を調べ、バックアップから戻してください(enza restore)。",
            ),
            (
                format!("Event {seq} of session {session} is not what was written, or is gone."),
                "Only this session is stopped; all others go on. Check everything with enza doctor --deep, then restore a backup (enza restore).",
            ),
        ),
        Failure::Newer { found, known } => said(
            (
                format!("データベースは新しい版の enza のものです(版 {found}。この enza は {known} まで)。"),
                "新しい enza を使うか、--data で別の場所を使ってください。データベースには触れていません。",
            ),
            (
                format!(
                    "The database was made by a newer enza: schema version {found}, this build knows up to {known}."
                ),
                "Use the newer enza, or another place with --data. The database was not touched.",
            ),
        ),
        Failure::Unreadable(why) => said(
            (
                format!("この版の enza では読めないイベントがあります: {why}"),
                "記録した版(またはそれより新しい版)の enza で開いてください。記録には触れていません。",
            ),
            (
                format!("There is an event that this build cannot read: {why}."),
                "Open it with the version of enza that recorded it, or a newer one. The log was not touched.",
            ),
        ),
        Failure::Other(why) => said(
            (
                format!("データベースに断られました: {why}"),
                "enza doctor を実行し、原因がわからなければこの文面とともに報告してください。",
            ),
            (
                format!("The database refused: {why}."),
                "Run enza doctor; if it finds nothing, report this with the text above.",
            ),
        ),
    }
}
