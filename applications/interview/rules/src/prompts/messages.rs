//! The words with which the session speaks to an agent in its thread.

use std::fmt::Write as _;

use enza_kernel::prompt::fence;
use serde::Serialize;
use serde_json::{Value, json};

use super::fields;
use crate::state::{Exchange, FieldRecord, State};

/// How much of an answer is told again to the interviewer, in characters.
const ANSWER_TOLD: usize = 400;

/// The greeter's first word.
pub(crate) fn greeting(state: &State) -> String {
    state.lang().pick("回答者が来ました。あいさつしてください。", "A respondent has come. Greet them.").to_owned()
}

/// The architect's first word.
pub(crate) fn planning(state: &State) -> String {
    state.lang().pick("項目の順番を決めてください。", "Decide the order of the fields.").to_owned()
}

/// The interviewer's first word.
pub(crate) fn opening(state: &State) -> String {
    state
        .lang()
        .pick(
            "聞き取りを始めてください。短くあいさつし、最初の項目を尋ねます。",
            "Begin the interview: a short greeting, and the question for the first field.",
        )
        .to_owned()
}

/// The interviewer's first word about a further field.
pub(crate) fn next(state: &State) -> String {
    state
        .lang()
        .pick(
            "前の項目は済みました。あいさつはせずに、現在の項目を尋ねてください。",
            "The last field is done. Without another greeting, ask for the current field.",
        )
        .to_owned()
}

/// The interviewer's first word when an answer is to be changed.
pub(crate) fn reopening(state: &State) -> String {
    let previous = state.current().and_then(|(_, record)| record.value()).unwrap_or_default();
    let ask = state.lang().pick(
        "現在の項目の答えを直します。もう一度尋ねてください。これまでの値:",
        "The answer to the current field is to be changed. Ask for it again. It was:",
    );
    format!("{ask}\n{}", fence("value", previous))
}

/// The interviewer's first word where its thread was lost in the middle of a field.
pub(crate) fn asking_on(state: &State) -> String {
    format!("{}\n\n{}", next(state), result(state))
}

/// The interviewer's first word after the respondent has turned to another language.
pub(crate) fn in_another_language(state: &State) -> String {
    let ask = state.lang().pick(
        "回答者が言語を変えました。あいさつはせずに、現在の項目を新しい言語で尋ねてください。",
        "The respondent has changed the language. Without a greeting, ask for the current field in the new one.",
    );
    match state.current().and_then(|(_, record)| record.finding()) {
        Some(_) => format!("{ask}\n\n{}", result(state)),
        None => ask.to_owned(),
    }
}

/// What the interviewer is told when an answer comes back from its review.
pub(crate) fn result(state: &State) -> String {
    let Some((_, record)) = state.current() else { return String::new() };
    let answer = record.exchanges.last().map(|last| fields::excerpt(&last.answer, ANSWER_TOLD));
    let review = record.finding().map(|finding| {
        let mut review = json!(finding);
        if let Value::Object(review) = &mut review {
            review.retain(|key, _| ["stance", "passed", "feedback", "missing_facts"].contains(&key.as_str()));
        }
        review
    });
    json!({ "field": state.label(record), "answer": answer, "review": review }).to_string()
}

/// What a reviewer starts from, and what survives when the older half of a thread is dropped: the conversation so far,
/// the field, and the facts so far.
pub(crate) fn so_far(state: &State, record: &FieldRecord) -> String {
    let lang = state.lang();
    let mut out = format!("# {}\n", lang.pick("これまでのまとめ", "Summary so far"));
    let (done, total) = state.progress();
    let _ = writeln!(
        out,
        "{}",
        lang.pick(format!("{total}項目のうち{done}項目が済み"), format!("{done} of {total} fields are done"))
    );
    let _ = writeln!(out, "\n# {}\n{}", lang.pick("審査する項目", "The field under review"), state.label(record));
    if let Some(value) = record.value() {
        let _ = writeln!(out, "{}\n{}", lang.pick("これまでの値:", "Its value so far:"), fence("value", value));
    }
    let _ = writeln!(out, "\n# {}", lang.pick("この項目についての会話", "The conversation about it"));
    let lines: Vec<String> = record.exchanges.iter().map(line).collect();
    let _ = writeln!(out, "{}", fence("conversation", &lines.join("\n")));
    let _ = writeln!(out, "\n# {}", lang.pick("この項目で集まった事実", "The facts collected for it"));
    let _ = writeln!(out, "{}", fence("facts", &record.facts().join("\n")));
    out
}

/// One exchange, as one JSON line.
#[derive(Serialize)]
struct ExchangeLine<'a> {
    question: &'a str,
    answer: &'a str,
}

fn line(exchange: &Exchange) -> String {
    let line = ExchangeLine { question: &exchange.question, answer: &exchange.answer };
    serde_json::to_string(&line).expect("plain data always serialises")
}
