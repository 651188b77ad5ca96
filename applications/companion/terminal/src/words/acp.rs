//! The words that an editor shows of the companion.

use enza_companion::Operation;
use enza_kernel::gate::Gate;
use enza_kernel::text::Lang;
use enza_runtime::seams::store::SessionId;
use enza_terminal::words::gate as points;

/// Yes, for this alone.
pub const ONCE: &str = "once";
/// Yes, for this session.
pub const SESSION: &str = "session";
/// Yes, for this folder.
pub const PROJECT: &str = "project";
/// No, for this alone.
pub const REJECT: &str = "reject";
/// No, for this session.
pub const REJECT_SESSION: &str = "reject-session";
/// No, for this folder.
pub const REJECT_PROJECT: &str = "reject-project";

/// What may be answered at a gate: its name, what the person reads, its kind.
pub fn choices(lang: Lang) -> [(&'static str, &'static str, &'static str); 6] {
    [
        (ONCE, lang.pick("今回だけ許可", "Allow once"), "allow_once"),
        (SESSION, lang.pick("このセッションでは常に許可", "Allow for this session"), "allow_always"),
        (PROJECT, lang.pick("このフォルダーでは常に許可", "Allow for this project"), "allow_always"),
        (REJECT, lang.pick("断る", "Reject"), "reject_once"),
        (REJECT_SESSION, lang.pick("このセッションでは常に断る", "Reject for this session"), "reject_always"),
        (REJECT_PROJECT, lang.pick("このフォルダーでは常に断る", "Reject for this project"), "reject_always"),
    ]
}

/// The modes: name, title, what they mean.
pub fn modes(lang: Lang) -> [(&'static str, &'static str, &'static str); 3] {
    [
        (
            "ask",
            lang.pick("確認する", "Ask"),
            lang.pick("変更とコマンドは承認を得てから", "asks before each change and command"),
        ),
        (
            "plan",
            lang.pick("計画だけ", "Plan only"),
            lang.pick("見て計画するだけで、何も変更しない", "looks and plans; changes nothing"),
        ),
        (
            "accept_edits",
            lang.pick("編集を許可", "Accept edits"),
            lang.pick("リスクの低い変更はたずねずに行う", "makes changes of low risk without asking"),
        ),
    ]
}

/// The orders: word, what it does, what may follow.
pub fn orders(lang: Lang) -> [(&'static str, &'static str, Option<&'static str>); 25] {
    let turn = Some(lang.pick("ターンの番号", "turn"));
    let task = Some(lang.pick("作業の番号", "task"));
    let line = Some(lang.pick("/rules の番号", "its number in /rules"));
    let rule = Some("[--project] change src/**");
    [
        ("help", lang.pick("使えるコマンド", "what can be typed"), None),
        ("undo", lang.pick("変更を元に戻す", "takes back the changes of the last turn, or from one on"), turn),
        (
            "fork",
            lang.pick("ターンの前から別のセッションを始める", "another session from before a turn; files stay"),
            turn,
        ),
        ("rewind", lang.pick("ファイルも会話もターンの前に戻す", "files and talk from before a turn"), turn),
        ("accept", lang.pick("結果を受け入れる", "accepts the result"), None),
        (
            "commit",
            lang.pick("変更を git にコミットする", "commits what was changed, with git"),
            Some(lang.pick("メッセージ", "message")),
        ),
        ("status", lang.pick("今の様子", "where it stands"), None),
        ("why", lang.pick("どう進んだか、なぜか", "the latest moves, and why"), None),
        ("turns", lang.pick("ターンの一覧", "the turns"), None),
        ("stop", lang.pick("作業を止める", "stops a task"), task),
        ("back", lang.pick("作業を背景に回す", "lets the task go on behind"), None),
        ("front", lang.pick("作業を前に出す", "brings a task to the front"), task),
        ("rules", lang.pick("決まりと、禁じたこと", "the rules, and what is forbidden"), None),
        ("allow", lang.pick("許す決まりを足す", "adds a rule that allows"), rule),
        ("deny", lang.pick("拒む決まりを足す", "adds a rule that denies"), rule),
        ("forget", lang.pick("このセッションの決まりを消す", "forgets a rule of this session"), line),
        ("forbid", lang.pick("触ってはいけないものを決める", "forbids changes to something"), Some("src/auth")),
        ("lift", lang.pick("禁じたことを解く", "lifts what was forbidden"), line),
        ("settings", lang.pick("設定と、その出どころ", "what is set, and where"), None),
        ("cost", lang.pick("使った量", "what was used"), None),
        ("budget", lang.pick("トークンの上限を上げる", "allows more tokens"), Some(lang.pick("トークン数", "tokens"))),
        ("retry", lang.pick("失敗をもう一度試す", "tries again after a failure"), None),
        ("reset", lang.pick("作業を取りやめて最初に戻す", "clears the task away and begins anew"), None),
        ("compact", lang.pick("会話を要約して縮める", "shortens the conversation to its summary"), None),
        ("export", lang.pick("会話をファイルに書き出す", "writes the talk, or the log, to a file"), Some("md | log")),
    ]
}

/// What an order of a person's own does.
pub fn of_your_own(lang: Lang) -> &'static str {
    lang.pick("自分のコマンド", "a command of your own")
}

/// What may follow an order of a person's own.
pub fn more_words(lang: Lang) -> &'static str {
    lang.pick("続ける言葉", "more words")
}

/// Another session was begun, which the editor does not have open.
pub fn open_it(lang: Lang, told: &str, session: &SessionId) -> String {
    lang.pick(
        format!("{told}\n新しいセッションは {session} です。エディターのセッションの一覧から開いてください。ここは元のまま残ります。"),
        format!("{told}\nThe new session is {session}: open it from your editor's list of sessions. This one stays as it is."),
    )
}

/// An operation, in one line.
pub fn call(lang: Lang, operation: Operation, target: &str) -> String {
    format!("{}: {target}", operation.say(lang)).trim_end_matches([':', ' ']).to_owned()
}

/// Why an operation was not done: a rule, the mode or something forbidden.
pub fn denied(lang: Lang, why: &str) -> String {
    lang.pick(format!("決まりにより行いませんでした: {why}"), format!("A rule kept it from being done: {why}"))
}

/// An operation that was given up.
pub fn not_done(lang: Lang) -> &'static str {
    lang.pick("行いませんでした。", "It was not done.")
}

/// The points of a gate, as text beside its diff.
pub fn points(lang: Lang, gate: &Gate) -> String {
    let ask = &gate.ask;
    let line = |name: &str, text: &str| format!("**{name}**: {text}");
    let mut lines = vec![format!("**{}**", points::risk(lang, gate.risk))];
    let shown = [(points::grounds(lang), ask.grounds.as_str()), (points::impact(lang), ask.impact.as_str())];
    lines.extend(shown.into_iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| line(name, text)));
    lines.join("\n\n")
}

/// Between words that are no answer after all, and those that are.
pub fn anew(lang: Lang) -> String {
    let text = lang.pick(
        "(ここまでは回答になりませんでした。書き直します。)",
        "(That did not become an answer. It begins again.)",
    );
    format!("\n\n{text}\n\n")
}

/// Behind words that nobody goes on with.
pub fn broke_off(lang: Lang) -> String {
    format!("…\n\n{}\n\n", lang.pick("(ここで途切れました。)", "(The reply broke off here.)"))
}

/// A turn is under way already.
pub fn busy(lang: Lang) -> (&'static str, &'static str) {
    (
        lang.pick("このセッションでは、前の依頼がまだ進んでいます。", "A turn of this session is still under way."),
        lang.pick("終わるのを待つか、中止してください。", "Wait for its end, or cancel it."),
    )
}

/// Something was shown that cannot be seen here.
pub fn unseen(lang: Lang) -> (&'static str, &'static str) {
    (
        lang.pick("画像と音声は扱えません。", "Pictures and sounds cannot be used."),
        lang.pick("言葉で説明するか、ファイルを添えてください。", "Describe it in words, or attach a file."),
    )
}

/// Nothing was said.
pub fn empty(lang: Lang) -> (&'static str, &'static str) {
    (lang.pick("言葉がありません。", "Nothing was said."), lang.pick("何か書いてください。", "Write something."))
}

/// A mode that there is not.
pub fn no_mode(lang: Lang, mode: &str) -> (String, &'static str) {
    (
        lang.pick(format!("{mode} というモードはありません。"), format!("There is no mode {mode}.")),
        lang.pick("ask、plan、accept_edits から選んでください。", "Choose ask, plan or accept_edits."),
    )
}

/// A method that we do not serve.
pub fn no_method(lang: Lang, method: &str) -> (String, &'static str) {
    (
        lang.pick(format!("{method} には対応していません。"), format!("{method} is not served here.")),
        lang.pick("initialize の答えにある機能を使ってください。", "Use what the answer to initialize lists."),
    )
}

/// Parameters that do not fit.
pub fn unfit(lang: Lang, why: &str) -> (String, &'static str) {
    (
        lang.pick(format!("params を読めません: {why}"), format!("The params cannot be read: {why}")),
        lang.pick("プロトコルのバージョン1に合わせてください。", "Make them fit version 1 of the protocol."),
    )
}

/// A folder that is not absolute.
pub fn relative(lang: Lang, folder: &str) -> (String, &'static str) {
    (
        lang.pick(format!("cwd が絶対パスではありません: {folder}"), format!("cwd is not absolute: {folder}")),
        lang.pick("絶対パスを渡してください。", "Give an absolute path."),
    )
}

/// A server that is reached in a way that we do not speak.
pub fn no_way_to(lang: Lang, server: &str) -> String {
    lang.pick(
        format!("サーバー{server}は使えません。標準入出力か HTTP(streamable)で話すサーバーだけに対応しています。"),
        format!(
            "The server {server} cannot be used: only those at standard input and output or over streamable HTTP can."
        ),
    )
}
