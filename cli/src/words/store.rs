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
                "ファイルはそのまま残してあります。写しを取り、控えから戻すか、--data で新しい場所を使ってください。",
            ),
            (
                format!("The database is damaged, or not one of enza's: {why}."),
                "The file was left as it is. Copy it, then restore a backup, or use another place with --data.",
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
