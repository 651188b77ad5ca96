//! The stand-in for a model: plays all four agents by rule, well enough to carry a person through any form.
//!
//! It reads what is to be done from the request's task and nothing from prose. It judges by the field's kind whether an
//! answer is one, and for the rest only whether there is an answer at all; whoever shows its words must say that it is a
//! stand-in.

use enza_kernel::conversation::{Message, Reply, Request, ToolCall, Usage, estimate_tokens};
use enza_kernel::limits;
use enza_kernel::text::Lang;
use serde::Deserialize as _;
use serde_json::{Value, json};

use super::findings::{Finding, Stance};
use super::form::{Form, Kind};
use super::phrase::{is_question, quoted};
use super::prompts::{Brief, FieldBrief, NextTool};
use super::tools::{ASK, CREATE_PLAN, REVIEW, SUBTASK};
use super::values::{self, Absence, ReadContext, ValueFault};
use super::words;
use crate::words::words;

/// An answer of one word, shorter than this, is sent back once.
const HARDLY_AN_ANSWER: usize = 4;

/// The reply to a prompt of the interview.
pub fn understudy(request: &Request) -> Reply {
    let brief = request.task.as_ref().and_then(|task| Brief::deserialize(task).ok());
    // No task, no tool: the loop will say what is left to do, or end.
    let Some(brief) = brief else { return Reply { usage: usage(request, 1), ..Reply::default() } };
    let (tool, arguments) = match (brief.next, &brief.about) {
        (NextTool::Greet | NextTool::Settle, _) => (ASK, json!({ "question": greeting(&brief) })),
        (NextTool::Plan, _) => (CREATE_PLAN, plan(&brief)),
        (NextTool::Subtask, _) => (SUBTASK, json!({ "agent": "reviewer" })),
        (NextTool::Ask, Some(about)) => (ASK, json!({ "question": question(brief.language, about) })),
        (NextTool::Review, Some(about)) => (REVIEW, json!(review(brief.language, about))),
        (NextTool::Ask | NextTool::Review, None) => return Reply { usage: usage(request, 1), ..Reply::default() },
    };
    let written = estimate_tokens(&arguments.to_string()) + 8;
    // The loop gives a call without an id one of its own.
    let call = ToolCall { id: String::new(), tool: tool.to_owned(), arguments };
    Reply { text: String::new(), calls: vec![call], usage: usage(request, written), ..Reply::default() }
}

/// What a rule could read of the answer, the session has kept; the rest is asked for.
fn greeting(brief: &Brief) -> String {
    let Brief { next, language: lang, title, remaining, .. } = brief;
    let lacks = |what: &str| remaining.iter().any(|task| task.contains(what));
    let hello = match next {
        NextTool::Greet => {
            let title = quoted(*lang, title);
            words(*lang).fill("understudy.greet", &[("quoted", &title)])
        }
        NextTool::Settle | NextTool::Plan | NextTool::Ask | NextTool::Subtask | NextTool::Review => String::new(),
    };
    let ask = match (lacks("set_language"), lacks("set_country")) {
        (true, true) => words(*lang).say("understudy.language_and_country"),
        (true, false) => words(*lang).say("understudy.language"),
        (false, true | false) => words(*lang).say("understudy.country"),
    };
    format!("{hello}{ask}")
}

fn plan(brief: &Brief) -> Value {
    let fields: Vec<Value> = brief.fields.iter().map(|id| json!({ "field_id": id })).collect();
    json!({ "fields": fields })
}

/// A question that says all there is to say: each case is a sentence of its own, and nothing is said twice.
fn question(lang: Lang, about: &FieldBrief) -> String {
    let name = quoted(lang, &about.label);
    if about.lacking.is_empty() {
        return first_question(lang, about);
    }
    match judge(about) {
        RuleReading::Absent(absence) => words::needed_again(lang, &about.label, absence),
        RuleReading::Unread(unread) => {
            let why = unread.say(lang);
            words(lang).fill("understudy.unread", &[("quoted", &name), ("why", &why)])
        }
        RuleReading::Short => words(lang).fill("understudy.short", &[("quoted", &name)]),
        RuleReading::Question | RuleReading::Value(_) => words(lang).fill("understudy.question", &[("quoted", &name)]),
    }
}

fn first_question(lang: Lang, about: &FieldBrief) -> String {
    let (label, name) = (about.label.trim(), quoted(lang, &about.label));
    let optional = if about.field.required { "" } else { words(lang).say("understudy.optional") };
    // Many a label is a question already, whichever language it was written in.
    if is_question(label) {
        let end = if label.ends_with('か') { "。" } else { "" };
        return format!("{label}{end}{optional}");
    }
    words(lang).fill("understudy.first_question", &[("quoted", &name), ("optional", &optional)])
}

/// What a rule makes of the last answer.
enum RuleReading {
    Absent(Absence),
    Question,
    Unread(ValueFault),
    Short,
    Value(String),
}

fn judge(about: &FieldBrief) -> RuleReading {
    let answer = last_answer(about);
    if let Some(absence) = values::read_absence(answer) {
        return RuleReading::Absent(absence);
    }
    if !about.last_round && is_a_question(answer) {
        return RuleReading::Question;
    }
    let alone = Form { fields: vec![about.field.clone()], ..Form::default() };
    let answer = values::labelled(&alone, answer).first().map_or(answer, |(_, part)| part);
    let today = about.today.parse().unwrap_or_default();
    match values::read(&about.field, answer, &ReadContext { locale: &about.locale, today }) {
        Ok(_) if is_hardly_an_answer(about, answer) => RuleReading::Short,
        Ok(value) => RuleReading::Value(value),
        Err(unread) => RuleReading::Unread(unread),
    }
}

fn last_answer(about: &FieldBrief) -> &str {
    about.answers.last().map_or("", |answer| answer.trim())
}

fn review(lang: Lang, about: &FieldBrief) -> Finding {
    match judge(about) {
        RuleReading::Absent(absence) => Finding::absent(absence, &about.field, lang),
        RuleReading::Question => Finding { stance: Stance::Question, ..Finding::default() },
        RuleReading::Unread(unread) => Finding { feedback: Some(unread.say(lang)), ..Finding::default() },
        RuleReading::Short => Finding {
            missing_facts: Some(vec![words(lang).say("understudy.specific").to_owned()]),
            ..Finding::default()
        },
        RuleReading::Value(value) => Finding {
            passed: true,
            extracted_facts: Some(vec![format!("{}: {}", about.field.field_id, first_words(last_answer(about)))]),
            field_value: Some(value),
            ..Finding::default()
        },
    }
}

fn is_a_question(answer: &str) -> bool {
    answer.ends_with(['?', '？']) || answer.ends_with("ですか") || answer.ends_with("ますか。")
}

fn is_hardly_an_answer(about: &FieldBrief, answer: &str) -> bool {
    let is_first = about.answers.len() <= 1 && !about.last_round;
    let is_free = about.field.kind.is_free_text() && about.field.kind != Kind::Text || !about.field.facts.is_empty();
    let is_a_number = answer.chars().any(char::is_numeric);
    let is_short = answer.split_whitespace().count() == 1 && limits::length(answer) < HARDLY_AN_ANSWER;
    is_first && is_free && is_short && !is_a_number
}

fn first_words(answer: &str) -> String {
    const FEW: usize = 80;
    answer.chars().take(FEW).collect()
}

/// What a model would have counted: the whole prompt as input, and no more output than it may write.
fn usage(request: &Request, written: u64) -> Usage {
    let parts = request.stable.iter().chain(&request.fresh);
    let sections: u64 = parts.map(|part| estimate_tokens(&part.text)).sum();
    let thread: u64 = request.messages.iter().map(Message::tokens).sum();
    Usage { input: sections + thread, output: written.min(u64::from(request.max_output)), ..Usage::default() }
}
