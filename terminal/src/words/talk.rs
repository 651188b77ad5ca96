//! What a talk in a session says of its own accord.

use enza_kernel::text::{Lang, Said};

/// Before what is typed.
pub const PROMPT: &str = "> ";

/// Whoever types.
pub fn you(lang: Lang) -> &'static str {
    lang.pick("あなた", "You")
}

/// Someone is at work.
pub fn at_work(lang: Lang) -> &'static str {
    lang.pick("作業中…", "At work …")
}

/// How to answer a gate.
pub fn gate_answers(lang: Lang) -> &'static str {
    lang.pick(
        "はい / いいえ で答えます。理由を続けて書けます(いいえ、今日はやめる)",
        "Answer yes or no; a reason may follow (no, not today).",
    )
}

/// There is more than is shown.
pub fn more(lang: Lang) -> &'static str {
    lang.pick("/show ですべて表示します。", "/show shows everything.")
}

/// There is nothing on the floor.
pub fn nothing(lang: Lang) -> &'static str {
    lang.pick("いまできることはありません。", "There is nothing to do now.")
}

/// How far it has come.
pub fn progress(lang: Lang, done: usize, total: usize) -> String {
    lang.pick(format!("{total}のうち{done}まで済みました"), format!("{done} of {total} done"))
}

/// Something grave is asked once more.
pub fn asks_again(lang: Lang, label: &str, about: Option<&str>) -> String {
    let about = about.map(|about| format!("{about}\n")).unwrap_or_default();
    lang.pick(format!("{about}「{label}」を行いますか? はい / いいえ"), format!("{about}{label}: yes or no?"))
}

/// It was not done.
pub fn left_undone(lang: Lang) -> &'static str {
    lang.pick("行いませんでした。", "It was not done.")
}

/// There is no such order.
pub fn unknown(lang: Lang, order: &str) -> String {
    lang.pick(
        format!("「{order}」という指示はありません。/help で確かめられます。"),
        format!("There is no order \"{order}\"; /help lists them."),
    )
}

/// Words where nothing can be said.
pub fn nothing_to_say(lang: Lang) -> &'static str {
    lang.pick(
        "いまは発言できません。番号か名前で選んでください(/show で一覧)。",
        "Nothing can be said now. Choose by number or name (/show lists what there is).",
    )
}

/// The orders.
pub fn help(lang: Lang) -> &'static str {
    lang.pick(
        "書いた行はそのまま送ります。\n/番号 または /名前  選ぶ(発言できないときは / なしでも可)\n/show  すべて表示\n/leave  離れる(セッションは残ります)",
        "A line is sent as it is.\n/NUMBER or /NAME  chooses (without the slash where nothing can be said)\n/show  shows everything there is\n/leave  leaves; the session stays",
    )
}

/// The session is over.
pub fn ended(lang: Lang) -> &'static str {
    lang.pick("セッションは終わりました。", "The session has ended.")
}

/// The person left.
pub fn left(lang: Lang, session: &str) -> String {
    lang.pick(
        format!("離れました。続けるには: enza session talk {session}"),
        format!("Left. Go on with it: enza session talk {session}"),
    )
}

/// A session was opened.
pub fn opened(lang: Lang, session: &str) -> String {
    lang.pick(format!("セッション {session} を始めました。"), format!("Opened session {session}."))
}

/// An application has no such ready-made way to begin.
pub fn no_opening(lang: Lang, application: &str, known: &[String], begins: Option<&str>) -> Said {
    let message = lang.pick(
        format!("{application} には、そのような始め方がありません。"),
        format!("{application} has no such way to begin."),
    );
    let named = (!known.is_empty()).then(|| {
        let known = known.join(", ");
        lang.pick(format!("--opening に指定できるのは: {known}。"), format!("--opening may be: {known}."))
    });
    let command = lang.pick(
        "開くコマンドを --command JSON で渡せます。".to_owned(),
        "The command that opens it can be given with --command JSON.".to_owned(),
    );
    let own = begins.map(|begins| lang.pick(format!("または: {begins}"), format!("Or: {begins}")));
    let gap = lang.pick("", " ");
    Said::new(message, [named, Some(command), own].into_iter().flatten().collect::<Vec<_>>().join(gap))
}
