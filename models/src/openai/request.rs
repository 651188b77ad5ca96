//! A request in the words of chat completions.
//!
//! Stable sections first, as the system message; then the thread; then what changes with every call, last of all, so
//! that everything before it is the beginning of the next prompt. Pure: a request and quirks in, JSON out.

use std::borrow::Cow;

use enza_kernel::conversation::{Request, ToolSpec};
use serde_json::{Map, Value, json};

use crate::constraints::{Constraints, ToolDirective, constraints_for, is_strict};
use crate::quirks::Quirks;
use crate::thread::{Answered, GO_ON, Speaker, Turn, arguments, plain, section, turns};
use crate::written_calls;

/// How many tokens back a word came lately.
const LATELY: u32 = 256;

/// The body of a request to this model.
pub(crate) fn body(request: &Request, model: &str, quirks: &Quirks) -> Value {
    let asking = constraints_for(request, quirks);
    let mut body = Map::new();
    body.insert("model".into(), json!(model));
    body.insert("stream".into(), json!(true));
    body.insert(quirks.limit_field.name().into(), json!(request.max_output));
    body.insert("messages".into(), Value::Array(messages(request, &asking, quirks)));
    if !asking.tools.is_empty() {
        body.insert("tools".into(), asking.tools.iter().map(tool).collect());
    }
    match &asking.choice {
        ToolDirective::Unsaid => {}
        ToolDirective::Some => drop(body.insert("tool_choice".into(), json!("required"))),
        ToolDirective::Named(tool) => {
            body.insert("tool_choice".into(), json!({ "type": "function", "function": { "name": tool } }));
        }
    }
    if let Some(schema) = asking.schema.as_deref() {
        let format = json!({ "name": "answer", "strict": is_strict(schema), "schema": schema });
        body.insert("response_format".into(), json!({ "type": "json_schema", "json_schema": format }));
    } else if asking.json_object {
        body.insert("response_format".into(), json!({ "type": "json_object" }));
    }
    add_settings(&mut body, request, quirks);
    Value::Object(body)
}

fn add_settings(body: &mut Map<String, Value>, request: &Request, quirks: &Quirks) {
    if quirks.usage_in_stream {
        body.insert("stream_options".into(), json!({ "include_usage": true }));
    }
    if let (true, Some(temperature)) = (quirks.sampling, request.sampling.temperature) {
        body.insert("temperature".into(), decimal(temperature));
    }
    if let (true, Some(top_p)) = (quirks.sampling, request.sampling.top_p) {
        body.insert("top_p".into(), decimal(top_p));
    }
    if let (true, Some(seed)) = (quirks.seed, request.sampling.seed) {
        body.insert("seed".into(), json!(seed));
    }
    if let Some(effort) = &quirks.effort {
        body.insert("reasoning_effort".into(), json!(effort));
    }
    if let Some(percent) = quirks.less_likely_again {
        body.insert("repeat_penalty".into(), decimal(1.0 + f32::from(percent) / 100.0));
        body.insert("repeat_last_n".into(), json!(LATELY));
    }
    if quirks.cache_prompt {
        body.insert("cache_prompt".into(), json!(true));
    }
}

/// A number as it was written: 0.2, not 0.20000000298.
pub(crate) fn decimal(number: f32) -> Value {
    number.to_string().parse::<f64>().map_or(Value::Null, |number| json!(number))
}

fn messages(request: &Request, asking: &Constraints<'_>, quirks: &Quirks) -> Vec<Value> {
    let mut messages = Vec::new();
    let system = joined(request.stable.iter().map(|part| &*part.text).chain(asking.schema_words.as_deref()));
    if !system.is_empty() {
        messages.push(json!({ "role": "system", "content": system }));
    }
    for turn in turns(&request.messages) {
        match turn {
            Turn::Said { by, text } => say(&mut messages, role(by, quirks), &text),
            Turn::Replied { text, calls } if asking.written => reply_written(&mut messages, text, &calls, quirks),
            Turn::Replied { text, calls } => reply(&mut messages, text, &calls),
        }
    }
    let fresh: Vec<String> = request.fresh.iter().map(section).collect();
    let fresh = joined(fresh.iter().map(String::as_str).chain(asking.last_words.as_deref()));
    if !fresh.is_empty() {
        say(&mut messages, role(Speaker::Session, quirks), &fresh);
    }
    let has_question = messages.iter().any(|message| message["role"] != "system");
    let ends_with_reply = messages.last().is_some_and(|message| message["role"] == "assistant");
    if !has_question || ends_with_reply {
        say(&mut messages, "user", GO_ON);
    }
    messages
}

fn joined<'a>(texts: impl Iterator<Item = &'a str>) -> String {
    texts.filter(|text| !text.trim().is_empty()).collect::<Vec<_>>().join("\n\n")
}

fn role(by: Speaker, quirks: &Quirks) -> &'static str {
    match by {
        Speaker::Session if quirks.system_midway => "system",
        Speaker::Session | Speaker::Person => "user",
    }
}

/// Adds words, to the last message if that is the user's too: many chat templates insist on turns.
fn say(messages: &mut Vec<Value>, role: &str, text: &str) {
    match messages.last_mut() {
        Some(last) if role == "user" && last["role"] == "user" => {
            let so_far = last["content"].as_str().unwrap_or_default();
            last["content"] = json!(format!("{so_far}\n\n{text}"));
        }
        Some(_) | None => messages.push(json!({ "role": role, "content": text })),
    }
}

fn reply(messages: &mut Vec<Value>, text: &str, calls: &[Answered<'_>]) {
    let mut message = json!({ "role": "assistant", "content": text });
    if !calls.is_empty() {
        message["tool_calls"] = calls.iter().map(call).collect();
    }
    messages.push(message);
    for Answered { call, result } in calls {
        messages.push(json!({ "role": "tool", "tool_call_id": plain(&call.id), "content": result }));
    }
}

/// A reply with its calls as the model wrote them, and what came of them as the session's words.
fn reply_written(messages: &mut Vec<Value>, text: &str, calls: &[Answered<'_>], quirks: &Quirks) {
    let written = calls.iter().map(|Answered { call, .. }| Cow::Owned(written_calls::call(call)));
    let lines: Vec<_> = std::iter::once(Cow::Borrowed(text)).chain(written).filter(|line| !line.is_empty()).collect();
    messages.push(json!({ "role": "assistant", "content": lines.join("\n") }));
    for Answered { call, result } in calls {
        say(messages, role(Speaker::Session, quirks), &format!("Result of {}:\n{result}", call.tool));
    }
}

fn call(Answered { call, .. }: &Answered<'_>) -> Value {
    let function = json!({ "name": plain(&call.tool), "arguments": arguments(call).to_string() });
    json!({ "id": plain(&call.id), "type": "function", "function": function })
}

fn tool(tool: &ToolSpec) -> Value {
    let function = json!({ "name": tool.name, "description": tool.description, "parameters": tool.parameters });
    json!({ "type": "function", "function": function })
}
