//! What an interview at the terminal says around the agents' own words.

use std::path::Path;
use std::time::Duration;

use enza_interview::{Bootstrap, Form, Stage, State, country_name, language_name};
use enza_kernel::agent::ThreadFailure;
use enza_kernel::text::{Lang, Said};
use enza_models::choice::{ChoiceReason, Chosen};
use enza_terminal::screen::{Screen, fold, pad, span, width};
use enza_terminal::words::models;

use crate::run::InputPlace;

/// The lines above the first question.
pub fn head(screen: &Screen, state: &State, session: &str, resumed: bool, chosen: &Chosen) -> String {
    let lang = screen.lang;
    let session = if resumed {
        lang.pick(format!("{session} (再開)"), format!("{session} (resumed)"))
    } else {
        session.to_owned()
    };
    let lines = [
        (lang.pick("フォーム", "form"), state.form().title.clone()),
        (lang.pick("セッション", "session"), session),
        (lang.pick("相手", "model"), models::who(lang, chosen)),
        (lang.pick("言語", "language"), home(lang, state)),
        (lang.pick("コマンド", "commands"), "/skip  /back  /fields  /form  /quit  /help".to_owned()),
    ];
    let column = lines.iter().map(|(name, _)| width(name)).max().unwrap_or(0) + 2;
    let room = screen.width().saturating_sub(column);
    let lines = lines.into_iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| {
        let text = fold(&text, room).join(&format!("\n{}", " ".repeat(column)));
        format!("{}{text}", screen.paint.faint(&pad(name, column)))
    });
    let mut head = lines.collect::<Vec<_>>().join("\n");
    if chosen.because == ChoiceReason::NothingElse {
        for line in fold(models::how_to_get_one(lang), screen.width().saturating_sub(column)) {
            head += &format!("\n{}{}", " ".repeat(column), screen.paint.faint(&line));
        }
    }
    match state.form().description.as_deref().filter(|_| !resumed) {
        Some(text) => format!("{head}\n\n{}", fold(text, screen.width()).join("\n")),
        None => head,
    }
}

/// Where the respondent is at home, as far as is known.
fn home(lang: Lang, state: &State) -> String {
    let Bootstrap { language, country, .. } = state.bootstrap();
    let language = language.as_deref().map(|tag| language_name(tag, lang));
    let country = country.as_deref().map(|code| country_name(code, lang));
    [language, country].into_iter().flatten().collect::<Vec<_>>().join(lang.pick("、", ", "))
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

/// An answer that was prepared.
pub fn prepared(screen: &Screen, text: &str) -> String {
    let lines = fold(text, screen.width().saturating_sub(2));
    format!("{}{}", screen.paint.strong("> "), lines.join("\n  "))
}

/// What one may type instead of an answer.
pub fn commands(screen: &Screen, place: InputPlace) -> String {
    let lang = screen.lang;
    let answering: &[(&str, &str, &str)] = &[
        ("/skip", "答えずに進む(必須の項目は後回し)", "go on without an answer (a required field is left for later)"),
        ("/unknown", "「わからない」として進む", "say that you do not know"),
        ("/decline", "「答えたくない」として進む", "say that you would rather not answer"),
        ("/later", "必須の項目を後回しにする", "leave a required field for later"),
        ("/keep", "尋ね直されたときに、今の答えのままにする", "keep the answer as it is, after being asked again"),
        ("/back", "一つ前の項目に戻る", "go back to the field before"),
    ];
    let everywhere: &[(&str, &str, &str)] = &[
        ("/change FIELD", "項目を答え直す(番号、ID、名前)", "answer a field again: its number, id or label"),
        ("/fields", "これまでの答えを見る", "see what is known so far"),
        ("/form", "残りの項目を順に埋める(モデルなし)", "fill in the rest field by field, without a model"),
    ];
    let choosing: &[(&str, &str, &str)] = &[("/back", "確認に戻る", "return to the confirmation")];
    let failed: &[(&str, &str, &str)] = &[("/retry", "もう一度試す", "try again")];
    let leaving: &[(&str, &str, &str)] =
        &[("/quit", "中断する(あとで再開できます)", "leave; go on later"), ("/abandon", "取りやめる", "give up")];
    let own = match place {
        InputPlace::Question => answering,
        InputPlace::Gate => &[],
        InputPlace::Choice => choosing,
        InputPlace::Stuck => failed,
    };
    let lines = own.iter().chain(everywhere).chain(leaving);
    let lines = lines.map(|(command, ja, en)| {
        let what = fold(lang.pick(ja, en), screen.width().saturating_sub(COMMAND + 2));
        format!("  {}{}", pad(command, COMMAND), what.join(&format!("\n  {}", " ".repeat(COMMAND))))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// How wide the column of commands is.
const COMMAND: usize = 15;

/// What stands before a line that is typed.
pub fn prompt(lang: Lang, place: InputPlace) -> &'static str {
    match place {
        InputPlace::Gate => {
            lang.pick("進めますか? [y/n、/change FIELD、/help] ", "Go on? [y/n, /change FIELD, /help] ")
        }
        InputPlace::Question | InputPlace::Choice | InputPlace::Stuck => "> ",
    }
}

/// A line that does nothing there, and what would.
pub fn not_here(lang: Lang, place: InputPlace) -> &'static str {
    match place {
        InputPlace::Question => lang.pick(
            "答えを入力してください。/help でコマンドの一覧を表示します。",
            "Type your answer, or /help for everything else.",
        ),
        InputPlace::Gate => lang.pick(
            "y(はい)か n(いいえ)で答えてください。/change で答えを直せます。",
            "Answer y (yes) or n (no). /change answers a field again.",
        ),
        InputPlace::Choice => lang.pick(
            "項目の番号か名前を入力してください。/back で確認に戻ります。",
            "Type a field's number or name. /back returns to the confirmation.",
        ),
        InputPlace::Stuck => lang.pick(
            "/retry でもう一度試すか、/form で残りの項目を埋めるか、/quit で中断してください。",
            "/retry tries again, /form fills in the rest without a model, /quit leaves.",
        ),
    }
}

/// A command that there is not.
pub fn no_such_command(lang: Lang, command: &str) -> String {
    lang.pick(
        format!("{command} というコマンドはありません。/help で一覧を表示します。"),
        format!("There is no command {command}. /help shows them all."),
    )
}

/// The field can be skipped.
pub fn is_optional(lang: Lang) -> &'static str {
    lang.pick(
        "任意の項目です。/skip で飛ばせます。あとで /change で答えることもできます。",
        "This one is optional: /skip leaves it empty, and /change comes back to it.",
    )
}

/// The greeter's question cannot be skipped.
pub fn is_needed(lang: Lang) -> &'static str {
    lang.pick(
        "日付や電話番号を正しく読むために必要です。「日本」のように答えてください。",
        "It is needed to read dates and telephone numbers rightly. Answer like \"England\".",
    )
}

/// There is nothing before.
pub fn is_first(lang: Lang) -> &'static str {
    lang.pick("最初の項目です。", "This is the first field.")
}

/// A required field is left for later.
pub fn left_for_later(lang: Lang, label: &str) -> String {
    lang.pick(
        format!("「{label}」は後回しにしました。送信の前に答えてください。"),
        format!("\"{label}\" is left for later. It is needed before submitting."),
    )
}

/// What filling in is.
pub fn filling(lang: Lang) -> &'static str {
    lang.pick(
        "残りの項目を順に埋めます。空のまま Enter で次へ、/back で会話に戻ります。",
        "What is left, field by field. Enter alone goes on; /back returns to the conversation.",
    )
}

/// Nothing is left to fill in.
pub fn nothing_open(lang: Lang) -> &'static str {
    lang.pick("残っている項目はありません。", "No field is left open.")
}

/// Asks for consent.
pub fn consent(screen: &Screen, form: &Form) -> String {
    let text = fold(form.consent.as_deref().unwrap_or_default(), screen.width()).join("\n");
    format!("{}\n\n{text}\n", screen.paint.strong(&form.title))
}

/// The line that asks for consent.
pub fn consent_prompt(lang: Lang) -> &'static str {
    lang.pick("同意しますか? [y/n] ", "Do you agree? [y/n] ")
}

/// There is no consent.
pub fn no_consent(lang: Lang) -> &'static str {
    lang.pick("同意がないので始めません。何も残していません。", "Without consent it does not begin. Nothing was kept.")
}

/// The word for yes.
pub fn yes(lang: Lang) -> &'static str {
    lang.pick("はい", "yes")
}

/// Why a session cannot go on: what the interview says, and the reason that its agent's failure has.
pub fn stuck_because(lang: Lang, said: &str, failure: Option<&ThreadFailure>) -> String {
    let reason = match failure {
        Some(ThreadFailure::Unanswered { why } | ThreadFailure::Malformed { why }) => why.clone(),
        Some(ThreadFailure::RoundsExhausted { rounds }) => lang.pick(
            format!("{rounds}回尋ねても使える返事がありませんでした。別のモデルなら進むかもしれません(--model)。"),
            format!("no reply in {rounds} rounds was of use. Another model may do better (--model)."),
        ),
        Some(ThreadFailure::BudgetExhausted { need, left }) => lang.pick(
            format!("次の呼び出しに {need} トークン要りますが、予算の残りは {left} です。"),
            format!("the next call needs {need} tokens, and the budget has {left} left."),
        ),
        None => return said.to_owned(),
    };
    lang.pick(format!("{said}\n理由: {reason}"), format!("{said}\nReason: {reason}"))
}

/// An agent failed.
pub fn stuck(screen: &Screen, why: &str) -> String {
    let why = fold(why, screen.width()).join("\n");
    let next = fold(not_here(screen.lang, InputPlace::Stuck), screen.width()).join("\n");
    format!("\n{}\n{}", screen.paint.warn(&why), screen.paint.faint(&next))
}

/// A command was refused.
pub fn refused(screen: &Screen, said: &Said) -> String {
    let lines = |text: &str| fold(text, screen.width()).join("\n");
    format!("{}\n{}", screen.paint.warn(&lines(&said.message)), lines(&said.hint))
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
/// How far an interview has come.
pub fn progress(lang: Lang, done: usize, of: usize) -> String {
    lang.pick(format!("{of}項目中{done}項目"), format!("{done} of {of} done"))
}
