//! What an interview at the terminal says around the agents' own words.

use std::path::Path;
use std::time::Duration;

use enza_applications::interview::{Stage, State};
use enza_kernel::agent::Failure;
use enza_kernel::gate::Verdict;
use enza_kernel::text::{Lang, Said};
use enza_models::choice::{Because, Chosen};

use crate::screen::{Screen, fold, pad, span, width};
use crate::words::models;

/// The lines above the first question.
pub fn head(screen: &Screen, state: &State, session: &str, resumed: bool, chosen: &Chosen) -> String {
    let lang = screen.lang;
    let session = if resumed {
        lang.pick(format!("{session} (再開)"), format!("{session} (resumed)"))
    } else {
        session.to_owned()
    };
    let lines = [
        (lang.pick("フォーム", "form"), screen.paint.strong(&state.form().title)),
        (lang.pick("セッション", "session"), session),
        (lang.pick("相手", "model"), models::who(lang, chosen)),
        (lang.pick("コマンド", "commands"), "/skip  /change FIELD  /quit  /help".to_owned()),
    ];
    let column = lines.iter().map(|(name, _)| width(name)).max().unwrap_or(0) + 2;
    let mut head = lines.map(|(name, text)| format!("{}{text}", screen.paint.faint(&pad(name, column)))).join("\n");
    if chosen.because == Because::NothingElse {
        for line in fold(models::how_to_get_one(lang), screen.width.saturating_sub(column)) {
            head += &format!("\n{}{}", " ".repeat(column), screen.paint.faint(&line));
        }
    }
    head
}

/// That someone is at work, and how far.
pub fn at_work(lang: Lang, chosen: &Chosen, since: Duration, written: usize) -> String {
    const TURNS: [&str; 4] = ["◜", "◝", "◞", "◟"];
    let turn = TURNS[(since.as_millis() / 250) as usize % TURNS.len()];
    let (who, since) = (models::name(lang, &chosen.pick), span(since));
    if written == 0 {
        return lang
            .pick(format!("{turn} {who} が考えています  {since}"), format!("{turn} {who} is thinking  {since}"));
    }
    lang.pick(
        format!("{turn} {who} が書いています  {since}  {written} 字"),
        format!("{turn} {who} is writing  {since}  {written} letters"),
    )
}

/// A question, with how far the interview has come.
pub fn question(screen: &Screen, state: &State, question: &str) -> String {
    let (done, of) = state.progress();
    let now = (done + 1).min(of);
    let place = screen.lang.pick(format!("{of}問中{now}問目"), format!("{now} of {of}"));
    let lines = fold(question, screen.width).join("\n");
    format!("\n{}\n{lines}", screen.paint.faint(&place))
}

/// An answer that was prepared.
pub fn prepared(screen: &Screen, text: &str) -> String {
    let lines = fold(text, screen.width.saturating_sub(2));
    format!("{}{}", screen.paint.strong("> "), lines.join("\n  "))
}

/// What one may type instead of an answer.
pub fn commands(lang: Lang, is_optional: bool) -> String {
    let skip = match (lang, is_optional) {
        (Lang::Ja, true) => "この項目を飛ばす",
        (Lang::Ja, false) => "任意の項目を飛ばす(この項目は必須です)",
        (Lang::En, true) => "leave this field empty",
        (Lang::En, false) => "leave an optional field empty (this one is required)",
    };
    let lines = [
        ("/skip", skip),
        ("/change FIELD", lang.pick("確認のときに、その項目を答え直す", "on the confirmation: answer a field again")),
        ("/quit", lang.pick("中断する(あとで再開できます)", "leave; go on later")),
        ("/abandon", lang.pick("取りやめる", "give up")),
    ];
    lines.map(|(command, what)| format!("  {}{what}", pad(command, 15))).join("\n")
}

/// The line that asks for a yes or a no.
pub fn gate_prompt(lang: Lang) -> &'static str {
    lang.pick("進めますか? [y/n、/change FIELD、/quit] ", "Go on? [y/n, /change FIELD, /quit] ")
}

/// The word for yes.
pub fn yes(lang: Lang) -> &'static str {
    lang.pick("はい", "yes")
}

/// What a person means by a line at a gate.
pub fn verdict(line: &str) -> Option<Verdict> {
    match line.trim().to_lowercase().as_str() {
        "y" | "yes" | "はい" | "ｙ" => Some(Verdict::Yes),
        "n" | "no" | "いいえ" | "ｎ" => Some(Verdict::No),
        _ => None,
    }
}

/// Which answer to change.
pub fn choice(screen: &Screen, state: &State, question: &str) -> String {
    let mut out = format!("\n{question}\n");
    let column = state.form().fields.iter().map(|field| width(&field.field_id)).max().unwrap_or(0) + 2;
    for field in &state.form().fields {
        out += &format!("  {}{}\n", pad(&field.field_id, column), field.label);
    }
    let back = screen.pick("/back で確認に戻ります。", "/back returns to the confirmation.");
    out + &screen.paint.faint(back)
}

/// Why a session cannot go on: what the interview says, and the reason that its agent's failure has.
pub fn stuck_because(lang: Lang, said: &str, failure: Option<&Failure>) -> String {
    let reason = match failure {
        Some(Failure::Unanswered { why } | Failure::Malformed { why }) => why.clone(),
        Some(Failure::RoundsExhausted { rounds }) => lang.pick(
            format!("{rounds}回尋ねても使える返事がありませんでした。別のモデルなら進むかもしれません(--model)。"),
            format!("no reply in {rounds} rounds was of use. Another model may do better (--model)."),
        ),
        Some(Failure::BudgetExhausted { need, left }) => lang.pick(
            format!("次の呼び出しに {need} トークン要りますが、予算の残りは {left} です。"),
            format!("the next call needs {need} tokens, and the budget has {left} left."),
        ),
        None => return said.to_owned(),
    };
    lang.pick(format!("{said}\n理由: {reason}"), format!("{said}\nReason: {reason}"))
}

/// An agent failed.
pub fn stuck(screen: &Screen, why: &str) -> String {
    let next = screen.pick("/retry もう一度試す  /quit 中断  /abandon 取りやめ", "/retry  /quit  /abandon");
    format!("\n{}\n{}", screen.paint.warn(why), screen.paint.faint(next))
}

/// A command was refused.
pub fn refused(screen: &Screen, said: &Said) -> String {
    format!("{} {}", screen.paint.warn(&said.message), said.hint)
}

/// Nothing has changed for a while.
pub fn waiting(lang: Lang) -> &'static str {
    lang.pick(
        "ほかのプロセスが担当していたようです。引き継げるまで待っています(15秒ほど)…",
        "Another process seems to hold this session; waiting to take over (about 15 seconds)…",
    )
}

/// The person left.
pub fn left(lang: Lang, session: &str) -> String {
    lang.pick(
        format!("\n中断しました。続きは: enza interview run --session {session}"),
        format!("\nLeft as it is. Go on with: enza interview run --session {session}"),
    )
}

/// The interview is over.
pub fn over(lang: Lang, stage: Stage, file: Option<&Path>) -> String {
    match (stage, file) {
        (Stage::Delivered, Some(file)) => {
            lang.pick(format!("送信しました: {}", file.display()), format!("Submitted: {}", file.display()))
        }
        (Stage::Delivered, None) => lang.pick("送信は済んでいます。", "It has been submitted.").to_owned(),
        (Stage::Abandoned, _) => lang.pick("取りやめになりました。", "It was given up.").to_owned(),
        (
            Stage::New
            | Stage::Greeting
            | Stage::Planning
            | Stage::Interviewing
            | Stage::Confirming
            | Stage::Choosing
            | Stage::Delivering,
            _,
        ) => lang.pick("まだ終わっていません。", "It is not over yet.").to_owned(),
    }
}

/// How to look at it again.
pub fn look_again(lang: Lang, session: &str) -> String {
    lang.pick(format!("見直すには: enza session show {session}"), format!("Look at it: enza session show {session}"))
}
