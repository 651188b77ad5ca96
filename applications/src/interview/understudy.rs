//! The stand-in for a model: plays interviewer and reviewer by rule, well enough to carry a person through any form.
//!
//! It reads what is to be done from the request's task, the last review from its tool's result, and nothing from prose.
//! It judges nothing but whether there is an answer at all; whoever shows its words must say that it is a stand-in.

use enza_kernel::conversation::{Message, Reply, Request, Role, ToolCall, Usage, estimate_tokens};
use enza_kernel::limits;
use enza_kernel::text::Lang;
use serde::Deserialize as _;
use serde_json::{Value, json};

use super::prompts::{Brief, Line, Next, Task};
use super::tools::{ASK, REVIEW, SUBTASK};

/// An answer of one word, shorter than this, is sent back once.
const HARDLY_AN_ANSWER: usize = 4;

/// The reply to a prompt of the interview.
pub fn understudy(request: &Request) -> Reply {
    let brief = request.task.as_ref().and_then(|task| Brief::deserialize(task).ok());
    let (tool, arguments) = match brief {
        Some(Brief { task, exchanges }) => match task.next {
            Next::Ask => (ASK, json!({ "question": question(request, &task) })),
            Next::Subtask => (SUBTASK, json!({ "agent": "reviewer" })),
            Next::Review => (REVIEW, review(&task, &exchanges)),
        },
        // No task, no tool: the loop will say what is left to do, or end.
        None => return Reply { usage: usage(request, 1), ..Reply::default() },
    };
    let written = estimate_tokens(&arguments.to_string()) + 8;
    // The loop gives a call without an id one of its own.
    let call = ToolCall { id: String::new(), tool: tool.to_owned(), arguments };
    Reply { text: String::new(), calls: vec![call], usage: usage(request, written), ..Reply::default() }
}

fn question(request: &Request, task: &Task) -> String {
    let label = &task.label;
    let lang = task.language;
    if let Some(missing) = missing_facts(request, task) {
        return lang.pick(
            format!("「{label}」について、もう少し教えてください({missing})。"),
            format!("Could you tell me a little more about \"{label}\" ({missing})?"),
        );
    }
    let optional = match (lang, task.required) {
        (Lang::Ja, false) => "(任意。飛ばすこともできます)",
        (Lang::En, false) => " (Optional; you may skip it.)",
        (Lang::Ja | Lang::En, true) => "",
    };
    lang.pick(
        format!("「{label}」を教えてください。{optional}"),
        format!("Please tell me about \"{label}\".{optional}"),
    )
}

/// What the last review of this field found lacking.
fn missing_facts(request: &Request, task: &Task) -> Option<String> {
    let last = request.messages.iter().rev().find(|message| message.role == Role::Tool)?;
    let result: Value = serde_json::from_str(&last.text).ok()?;
    if result["field_id"] != task.field_id.as_str() || result["review"]["passed"] != false {
        return None;
    }
    let missing = result["review"]["missing_facts"].as_array()?;
    let missing: Vec<&str> = missing.iter().filter_map(Value::as_str).collect();
    (!missing.is_empty()).then(|| missing.join(task.language.pick("、", ", ")))
}

fn review(task: &Task, exchanges: &[Line]) -> Value {
    let answer = exchanges.last().map_or("", |line| line.answer.trim());
    let is_first = exchanges.len() <= 1;
    if answer.is_empty() || (is_first && !task.last_round && says_hardly_anything(answer)) {
        let missing = task.language.pick("具体的な内容", "something specific");
        return json!({
            "passed": false,
            "missing_facts": [missing],
            "feedback": task.language.pick("答えが短すぎます。", "The answer is too short."),
        });
    }
    json!({
        "passed": true,
        "extracted_facts": [format!("{}: {}", task.field_id, first_words(answer))],
        "field_value": answer,
    })
}

fn says_hardly_anything(answer: &str) -> bool {
    let is_a_number = answer.chars().any(char::is_numeric);
    !is_a_number && answer.split_whitespace().count() == 1 && limits::length(answer) < HARDLY_AN_ANSWER
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
