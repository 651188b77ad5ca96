//! The words with which the session speaks to an agent in its thread.

use std::fmt::Write as _;

use enza_kernel::prompt::fence;
use serde::Serialize;
use serde_json::{Value, json};

use super::fields;
use crate::state::{Exchange, FieldRecord, State};
use crate::words::words;

/// How much of an answer is told again to the interviewer, in characters.
const ANSWER_TOLD: usize = 400;

/// The greeter's first word.
pub(crate) fn greeting(state: &State) -> String {
    words(state.lang()).say("messages.greeting").to_owned()
}

/// The architect's first word.
pub(crate) fn planning(state: &State) -> String {
    words(state.lang()).say("messages.planning").to_owned()
}

/// The interviewer's first word.
pub(crate) fn opening(state: &State) -> String {
    words(state.lang()).say("messages.opening").to_owned()
}

/// The interviewer's first word about a further field.
pub(crate) fn next(state: &State) -> String {
    words(state.lang()).say("messages.next").to_owned()
}

/// The interviewer's first word when an answer is to be changed.
pub(crate) fn reopening(state: &State) -> String {
    let previous = state.current().and_then(|(_, record)| record.value()).unwrap_or_default();
    let ask = words(state.lang()).say("messages.reopening");
    format!("{ask}\n{}", fence("value", previous))
}

/// The interviewer's first word where its thread was lost in the middle of a field.
pub(crate) fn asking_on(state: &State) -> String {
    format!("{}\n\n{}", next(state), result(state))
}

/// The interviewer's first word after the respondent has turned to another language.
pub(crate) fn in_another_language(state: &State) -> String {
    let ask = words(state.lang()).say("messages.in_another_language");
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
    let mut out = format!("# {}\n", words(lang).say("messages.summary"));
    let (done, total) = state.progress();
    let _ = writeln!(out, "{}", words(lang).fill("messages.done", &[("total", &total), ("done", &done)]));
    let _ = writeln!(out, "\n# {}\n{}", words(lang).say("messages.under_review"), state.label(record));
    if let Some(value) = record.value() {
        let _ = writeln!(out, "{}\n{}", words(lang).say("messages.value"), fence("value", value));
    }
    let _ = writeln!(out, "\n# {}", words(lang).say("messages.conversation"));
    let lines: Vec<String> = record.exchanges.iter().map(line).collect();
    let _ = writeln!(out, "{}", fence("conversation", &lines.join("\n")));
    let _ = writeln!(out, "\n# {}", words(lang).say("messages.facts"));
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
