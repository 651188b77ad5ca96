//! The words in the companion's lists.

use std::path::Path;

use enza_kernel::text::Lang;

use crate::sources::SettingSource;

/// What is held in mind, in order.
pub const MIND: [(&str, &str); 8] = [
    ("目標", "goal"),
    ("なぜ今", "why now"),
    ("制約", "constraints"),
    ("計画", "next moves"),
    ("未解決", "open questions"),
    ("決めたこと", "decided"),
    ("参照", "refers to"),
    ("最近の変化", "latest change"),
];

/// A question asked beside the work.
pub fn aside(lang: Lang) -> &'static str {
    lang.pick("(作業中の質問)", "(a question beside the work)")
}

/// Talk without a task.
pub fn talk(lang: Lang) -> &'static str {
    lang.pick("(会話)", "(talk)")
}

/// A turn whose changes were taken back.
pub fn taken_back(lang: Lang, paths: &[String]) -> String {
    match paths.is_empty() {
        true => lang.pick("(取り消し済み)", "(taken back)").to_owned(),
        false => {
            lang.pick(format!("(取り消し済み: {})", paths.join("、")), format!("(taken back: {})", paths.join(", ")))
        }
    }
}

/// Above the turns of the session that this one was forked from.
pub fn other_turns(lang: Lang, session: &str) -> String {
    lang.pick(
        format!("分岐元のセッション {session} のターン(/fork {session}@番号 で、そこから続けられます)"),
        format!("Turns of session {session}, from which this one was forked (/fork {session}@N goes on from there)"),
    )
}

/// Nothing was said yet.
pub fn no_turns(lang: Lang) -> &'static str {
    lang.pick("まだターンはありません。", "There are no turns yet.")
}

/// Nothing moved yet.
pub fn no_moves(lang: Lang) -> &'static str {
    lang.pick("まだ何も進んでいません。", "Nothing has moved yet.")
}

/// How changes are treated.
pub fn mode(lang: Lang) -> &'static str {
    lang.pick("モード", "mode")
}

/// What the person forbade.
pub fn forbidden(lang: Lang) -> &'static str {
    lang.pick("禁じたこと(/lift 番号 で解く)", "forbidden (/lift N lifts it)")
}

/// Why the model did what it did.
pub fn reason(lang: Lang) -> &'static str {
    lang.pick("理由", "reason")
}

/// How long the conversation in mind is.
pub fn messages(lang: Lang, count: usize) -> String {
    lang.pick(
        format!("会話 {count} 件(/compact で縮める)"),
        format!("{count} messages in the conversation (/compact shortens it)"),
    )
}

/// What was used.
pub fn cost(lang: Lang, calls: u64, input: &str, output: &str, money: &str, limit: &str) -> String {
    lang.pick(
        format!("呼び出し {calls} 回、入力 {input}、出力 {output} トークン、費用 {money}、上限 {limit}"),
        format!("{calls} calls, {input} tokens in, {output} out, cost {money}, limit {limit}"),
    )
}

/// How many model calls since a person last spoke.
pub fn rounds(lang: Lang, rounds: u32) -> String {
    let plural = if rounds == 1 { "" } else { "s" };
    lang.pick(format!("{rounds} 回"), format!("{rounds} round{plural}"))
}

/// What a task used.
pub fn tokens(lang: Lang, tokens: &str) -> String {
    lang.pick(format!("{tokens} トークン"), format!("{tokens} tokens"))
}

/// Its words are shown as they come.
pub fn watched(lang: Lang) -> &'static str {
    lang.pick("表示中", "watched")
}

/// The last move that was refused, and why.
pub fn refused(lang: Lang, to: &str, trigger: &str, message: &str, hint: &str) -> String {
    lang.pick(
        format!("最後に断られた移動: {to}({trigger})\n  {message} {hint}"),
        format!("The last move that was refused: {to} ({trigger})\n  {message} {hint}"),
    )
}

/// No model was asked yet.
pub fn no_prompt(lang: Lang) -> &'static str {
    lang.pick("まだモデルに何もたずねていません。", "No model has been asked yet.")
}

/// Above the prompt of the last call.
pub fn prompt_head(lang: Lang, agent: &str, seq: u64) -> String {
    lang.pick(
        format!("最後の呼び出し({agent}、記録 {seq} の時点)"),
        format!("The last call ({agent}, as of event {seq})"),
    )
}

/// The columns of what fills the window.
pub fn context_head(lang: Lang) -> [&'static str; 2] {
    lang.pick(["内訳(概算)", "トークン"], ["part, about", "tokens"])
}

/// The sum.
pub fn all(lang: Lang) -> &'static str {
    lang.pick("合計", "all")
}

/// A part of a prompt.
pub fn part(lang: Lang, name: &str) -> String {
    const NAMES: [(&str, &str, &str); 11] = [
        ("base", "基本", "base"),
        ("instructions", "プロジェクトの決まり", "project instructions"),
        ("map", "ファイルの一覧", "names of files"),
        ("format", "返答の形", "form of the reply"),
        ("tools", "ツール", "tools"),
        ("memory", "記憶", "memory"),
        ("forbidden", "禁じたこと", "forbidden"),
        ("main", "今の状況", "where it stands"),
        ("specialized", "手順書", "procedure"),
        ("conversation", "会話", "conversation"),
        ("schema", "スキーマ", "schema"),
    ];
    let known = NAMES.iter().find(|(known, _, _)| *known == name);
    known.map_or_else(|| name.to_owned(), |(_, ja, en)| lang.pick(*ja, *en).to_owned())
}

/// A list that is too long to be shown.
pub fn items(lang: Lang, count: usize) -> String {
    lang.pick(format!("{count} 件"), format!("{count} entries"))
}

/// Where a value comes from.
pub fn source(lang: Lang, source: SettingSource) -> &'static str {
    match source {
        SettingSource::Default => lang.pick("既定", "default"),
        SettingSource::User => lang.pick("利用者の設定", "your file"),
        SettingSource::Project => lang.pick("プロジェクトの設定", "the project's file"),
        SettingSource::Session => lang.pick("このセッション", "this session"),
    }
}

/// The files in which it can be set.
pub fn settings_files(lang: Lang, user: &Path, project: &Path) -> String {
    lang.pick(
        format!(
            "利用者の設定: {}\nプロジェクトの設定: {}\nファイルの変更は、次に始めるセッションから効きます。",
            user.display(),
            project.display()
        ),
        format!(
            "your file: {}\nthe project's file: {}\nWhat is changed there counts for the next session that is begun.",
            user.display(),
            project.display()
        ),
    )
}

/// The first row of how often people said yes and no.
pub fn approvals(lang: Lang) -> [&'static str; 6] {
    [
        lang.pick("承認の集計", "approvals"),
        lang.pick("リスク", "risk"),
        lang.pick("はい", "yes"),
        lang.pick("一部", "in part"),
        lang.pick("いいえ", "no"),
        lang.pick("取り下げ", "withdrawn"),
    ]
}

/// There is no session to name.
pub fn no_sessions(lang: Lang) -> &'static str {
    lang.pick("このフォルダーに、そのようなセッションはありません。", "There is no such session of this folder.")
}

/// What one can do with another session.
pub fn go_on_with(lang: Lang) -> &'static str {
    lang.pick(
        "* は今のセッションです。続けるには enza companion --resume ID、途中から分けるには enza companion --fork ID@ターン",
        "* is this one. To go on with another: enza companion --resume ID; to fork it: enza companion --fork ID@TURN",
    )
}

/// What did not fit into the window.
pub fn left_out(lang: Lang, parts: &str) -> String {
    lang.pick(format!("入りきらず省いたもの: {parts}"), format!("Left out for want of room: {parts}"))
}

/// A part of which some was left out.
pub fn left_out_of(lang: Lang, name: &str, tokens: &str) -> String {
    lang.pick(
        format!("{}(約{tokens}トークン)", part(lang, name)),
        format!("{} (about {tokens} tokens)", part(lang, name)),
    )
}
