//! A request in the words of the Messages API.
//!
//! Tools, then stable sections as system blocks, then the thread, then what changes with every call, in blocks of its
//! own at the end of the last message. The places worth caching are marked: the end of what is stable, and the end of
//! the thread; never anything after it. Pure: a request and quirks in, JSON out.

use enza_kernel::conversation::{Request, ToolSpec};
use serde_json::{Map, Value, json};

use super::schema::supported;
use crate::constraints::{Constraints, ToolDirective, constraints_for};
use crate::openai::request::decimal;
use crate::quirks::Quirks;
use crate::thread::{Answered, GO_ON, Turn, arguments, plain, section, turns};

/// The body of a request to this model.
pub(crate) fn body(request: &Request, model: &str, quirks: &Quirks) -> Value {
    let asking = constraints_for(request, quirks);
    let mut system = system(request, &asking);
    let mut tools: Vec<Value> = asking.tools.iter().map(tool).collect();
    let mut messages = thread(request);
    mark(&mut system, &mut tools, &mut messages, quirks.cache_breakpoints);
    add_fresh(&mut messages, request, &asking);

    let mut body = Map::new();
    body.insert("model".into(), json!(model));
    body.insert("stream".into(), json!(true));
    body.insert("max_tokens".into(), json!(request.max_output));
    body.insert(
        "messages".into(),
        messages.into_iter().map(|(role, content)| json!({ "role": role, "content": content })).collect(),
    );
    if !system.is_empty() {
        body.insert("system".into(), Value::Array(system));
    }
    if !tools.is_empty() {
        body.insert("tools".into(), Value::Array(tools));
    }
    match &asking.choice {
        ToolDirective::Unsaid => {}
        ToolDirective::Some => drop(body.insert("tool_choice".into(), json!({ "type": "any" }))),
        ToolDirective::Named(tool) => drop(body.insert("tool_choice".into(), json!({ "type": "tool", "name": tool }))),
    }
    add_settings(&mut body, request, &asking, quirks);
    Value::Object(body)
}

fn add_settings(body: &mut Map<String, Value>, request: &Request, asking: &Constraints<'_>, quirks: &Quirks) {
    let mut output = Map::new();
    if let Some(schema) = asking.schema.as_deref() {
        output.insert("format".into(), json!({ "type": "json_schema", "schema": supported(schema) }));
    }
    if let Some(effort) = &quirks.effort {
        output.insert("effort".into(), json!(effort));
    }
    if !output.is_empty() {
        body.insert("output_config".into(), Value::Object(output));
    }
    // The two may not be set together, and temperatures end at 1.
    match (quirks.sampling, request.sampling.temperature, request.sampling.top_p) {
        (true, Some(temperature), _) => drop(body.insert("temperature".into(), decimal(temperature.min(1.0)))),
        (true, None, Some(top_p)) => drop(body.insert("top_p".into(), decimal(top_p))),
        (true, None, None) | (false, _, _) => {}
    }
}

fn system(request: &Request, asking: &Constraints<'_>) -> Vec<Value> {
    let texts = request.stable.iter().map(|part| &*part.text).chain(asking.schema_words.as_deref());
    texts.filter(|text| !text.trim().is_empty()).map(text_block).collect()
}

/// Messages as role and blocks. Those of one role that follow each other are one.
fn thread(request: &Request) -> Vec<(&'static str, Vec<Value>)> {
    let mut messages = Vec::new();
    for turn in turns(&request.messages) {
        match turn {
            Turn::Said { text, .. } => add(&mut messages, "user", [text_block(&text)]),
            Turn::Replied { text, calls } => {
                let words = (!text.trim().is_empty()).then(|| text_block(text));
                add(&mut messages, "assistant", words.into_iter().chain(calls.iter().map(call)));
                add(&mut messages, "user", calls.iter().map(result));
            }
        }
    }
    messages
}

fn add_fresh(messages: &mut Vec<(&'static str, Vec<Value>)>, request: &Request, asking: &Constraints<'_>) {
    let sections: Vec<String> = request.fresh.iter().map(section).collect();
    let texts = sections.iter().map(String::as_str).chain(asking.last_words.as_deref());
    add(messages, "user", texts.filter(|text| !text.trim().is_empty()).map(text_block));
    // The first word is a user's, and so is the last.
    if messages.first().is_some_and(|(role, _)| *role == "assistant") {
        messages.insert(0, ("user", vec![text_block(GO_ON)]));
    }
    if messages.last().is_none_or(|(role, _)| *role == "assistant") {
        messages.push(("user", vec![text_block(GO_ON)]));
    }
}

fn add(messages: &mut Vec<(&'static str, Vec<Value>)>, role: &'static str, blocks: impl IntoIterator<Item = Value>) {
    let mut blocks = blocks.into_iter().peekable();
    if blocks.peek().is_none() {
        return;
    }
    match messages.last_mut() {
        Some((last, content)) if *last == role => content.extend(blocks),
        Some(_) | None => messages.push((role, blocks.collect())),
    }
}

/// Marks the ends of what is worth caching, as far as there are marks: first what is stable, then the thread.
fn mark(system: &mut [Value], tools: &mut [Value], messages: &mut [(&'static str, Vec<Value>)], breakpoints: u8) {
    let stable = system.last_mut().or(tools.last_mut());
    let lasting = messages.last_mut().and_then(|(_, content)| content.last_mut());
    for block in stable.into_iter().chain(lasting).take(breakpoints.into()) {
        block["cache_control"] = json!({ "type": "ephemeral" });
    }
}

fn text_block(text: &str) -> Value {
    json!({ "type": "text", "text": text })
}

fn call(Answered { call, .. }: &Answered<'_>) -> Value {
    json!({ "type": "tool_use", "id": plain(&call.id), "name": plain(&call.tool), "input": arguments(call) })
}

fn result(Answered { call, result }: &Answered<'_>) -> Value {
    json!({ "type": "tool_result", "tool_use_id": plain(&call.id), "content": result })
}

fn tool(tool: &ToolSpec) -> Value {
    json!({ "name": tool.name, "description": tool.description, "input_schema": tool.parameters })
}
