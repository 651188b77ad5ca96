//! What a request asks of a server besides its words: an answer that fits a schema, a call of a tool.
//!
//! Both dialects decide this alike, from the request and the server's quirks, and write it down differently. A request
//! that has to call a tool answers nothing, so its schema is left out.

use std::borrow::Cow;

use enza_kernel::conversation::{Calling, Request, ToolSpec, estimate_tokens};
use serde_json::{Map, Value, json};

use crate::quirks::{Quirks, Structured, ToolChoice};
use crate::written_calls;

/// What is asked for, as far as the server can be asked.
#[derive(Debug, Clone, PartialEq)]
pub(crate) struct Constraints<'a> {
    /// The schema to ask for in the dialect's own way.
    pub schema: Option<Cow<'a, Value>>,
    /// Whether calls are written, and are to be read out of the text.
    pub written: bool,
    /// Whether to ask for some JSON object.
    pub json_object: bool,
    /// The tool that takes the answer, where that is the way.
    pub answer_tool: Option<ToolSpec>,
    /// The tools to offer.
    pub tools: Cow<'a, [ToolSpec]>,
    /// What to say about calling.
    pub choice: ToolDirective,
    /// The schema in words, for the system prompt: the same in every call of this agent.
    pub schema_words: Option<String>,
    /// What to say last of all, where a call cannot be forced.
    pub last_words: Option<String>,
    /// Whether a fence around the answer is to be taken off.
    pub fenced: bool,
}

/// What a server is told about calling tools.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) enum ToolDirective {
    /// Nothing.
    Unsaid,
    /// To call some tool.
    Some,
    /// To call this one.
    Named(String),
}

/// What a request asks of a server with these quirks.
pub(crate) fn constraints_for<'a>(request: &'a Request, quirks: &Quirks) -> Constraints<'a> {
    let mut asking = Constraints {
        schema: None,
        written: false,
        json_object: false,
        answer_tool: None,
        tools: Cow::Borrowed(&request.tools),
        choice: ToolDirective::Unsaid,
        schema_words: None,
        last_words: None,
        fenced: false,
    };
    if quirks.written_calls && !request.tools.is_empty() {
        asking.written = true;
        asking.tools = Cow::Borrowed(&[]);
        asking.schema_words = Some(written_calls::words(&request.tools));
        asking.schema = Some(Cow::Owned(written_calls::schema(request)));
        return asking;
    }
    match &request.calling {
        Calling::Free => ask_for_answer(&mut asking, request, quirks),
        // Nothing to call: a server would refuse the wish, and the agent loop says what is missing.
        Calling::Any | Calling::Only(_) if request.tools.is_empty() => {}
        Calling::Any => match quirks.tool_choice {
            ToolChoice::Named | ToolChoice::Required => asking.choice = ToolDirective::Some,
            ToolChoice::Free => asking.last_words = Some("Call one of the tools now.".into()),
        },
        Calling::Only(tool) => match quirks.tool_choice {
            ToolChoice::Named => asking.choice = ToolDirective::Named(tool.clone()),
            ToolChoice::Required => {
                let only: Vec<ToolSpec> = request.tools.iter().filter(|spec| spec.name == *tool).cloned().collect();
                if !only.is_empty() {
                    asking.tools = only.into();
                }
                asking.choice = ToolDirective::Some;
            }
            ToolChoice::Free => asking.last_words = Some(format!("Call the tool `{tool}` now.")),
        },
    }
    asking
}

fn ask_for_answer<'a>(asking: &mut Constraints<'a>, request: &'a Request, quirks: &Quirks) {
    let Some(schema) = &request.output else { return };
    match quirks.structured {
        Structured::Native => asking.schema = Some(Cow::Borrowed(schema)),
        Structured::Tool => {
            let tool = answer_tool(request, schema);
            // With other tools around, the model chooses between calling them and answering.
            match quirks.tool_choice {
                ToolChoice::Named if request.tools.is_empty() => {
                    asking.choice = ToolDirective::Named(tool.name.clone());
                }
                ToolChoice::Named | ToolChoice::Required => asking.choice = ToolDirective::Some,
                ToolChoice::Free => asking.last_words = Some(format!("Give your answer by calling `{}`.", tool.name)),
            }
            asking.tools.to_mut().push(tool.clone());
            asking.answer_tool = Some(tool);
        }
        Structured::JsonObject | Structured::Words => {
            asking.json_object = quirks.structured == Structured::JsonObject;
            asking.fenced = true;
            asking.schema_words = Some(format!(
                "Answer with JSON alone, without any other words. It has to fit this JSON Schema:\n{schema}"
            ));
        }
    }
}

fn answer_tool(request: &Request, schema: &Value) -> ToolSpec {
    let mut name = String::from("answer");
    while request.tools.iter().any(|tool| tool.name == name) {
        name.push('_');
    }
    ToolSpec { name, description: "Gives the answer.".into(), parameters: schema.clone() }
}

/// About how many tokens the whole prompt takes, a little on the high side.
pub(crate) fn prompt_tokens(request: &Request) -> u64 {
    let parts = request.stable.iter().chain(&request.fresh).map(|part| 4 + estimate_tokens(&part.text));
    let messages = request.messages.iter().map(|message| message.tokens());
    let tools = request.tools.iter().map(|tool| {
        8 + estimate_tokens(&tool.name)
            + estimate_tokens(&tool.description)
            + estimate_tokens(&tool.parameters.to_string())
    });
    let schema = request.output.iter().map(|schema| estimate_tokens(&schema.to_string()));
    8 + parts.chain(messages).chain(tools).chain(schema).sum::<u64>()
}

/// Whether a schema says for every object which properties it has, and that it has all of them: what servers ask of a
/// schema before they promise to keep to it.
pub(crate) fn is_strict(schema: &Value) -> bool {
    match schema {
        Value::Object(fields) => {
            let keeps = !is_object_schema(fields)
                || (fields.get("additionalProperties") == Some(&json!(false)) && requires_all(fields));
            keeps && fields.values().all(is_strict)
        }
        Value::Array(items) => items.iter().all(is_strict),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => true,
    }
}

fn is_object_schema(fields: &Map<String, Value>) -> bool {
    fields.get("properties").is_some_and(Value::is_object) || fields.get("type") == Some(&json!("object"))
}

fn requires_all(fields: &Map<String, Value>) -> bool {
    let required: Vec<&str> =
        fields.get("required").and_then(Value::as_array).into_iter().flatten().filter_map(Value::as_str).collect();
    let properties = fields.get("properties").and_then(Value::as_object);
    properties.into_iter().flatten().all(|(name, _)| required.contains(&name.as_str()))
}
