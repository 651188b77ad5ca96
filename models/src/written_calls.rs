//! Tool calls as plain JSON text, for servers that let a schema shape every reply but cannot be trusted with tools.
//!
//! A local server's tools depend on a chat template that many weights lack; its grammar does not. So the tools are
//! explained in words, a call is one object with the tool's name as its only key, `{"ask": {"question": "…"}}`, and the
//! schema of the reply leaves the model nothing else to write. What it may say in words goes the same way, under `say`.
//!
//! The words are the same in every call of an agent, so the beginning of its prompt stays the same too.

use std::fmt::Write as _;

use enza_kernel::conversation::{Calling, Request, ToolCall, ToolSpec};
use enza_runtime::seams::model::Piece;
use serde_json::{Map, Value, json};

/// As many items as a list may have where its schema does not say.
const MOST_ITEMS: u64 = 8;
/// As many letters as an item may have where its schema does not say.
const LONGEST_ITEM: u64 = 200;
/// The key under which a model says something instead of calling.
const SAY: &str = "say";

/// The tools in words, for the system prompt.
pub(crate) fn words(tools: &[ToolSpec]) -> String {
    let mut out =
        "You act by calling tools. A call is one JSON object: the tool's name, and its arguments. Tools:".to_owned();
    for tool in tools {
        let arguments = plain_schema(&tool.parameters);
        let _ = write!(out, "\n{{\"{}\": {arguments}}} {}", tool.name, tool.description);
    }
    out
}

/// The schema that leaves nothing but the wanted call, or some call, or a call or a word.
pub(crate) fn schema(request: &Request) -> Value {
    let of = |tool: &ToolSpec| only(&tool.name, whole(&tool.parameters));
    let mut ways: Vec<Value> = match &request.calling {
        Calling::Only(name) => request.tools.iter().filter(|tool| tool.name == *name).map(of).collect(),
        Calling::Any | Calling::Free => request.tools.iter().map(of).collect(),
    };
    if ways.is_empty() {
        // A tool that nobody has: any will do, and the agent loop says what is wrong.
        ways = request.tools.iter().map(of).collect();
    }
    if request.calling == Calling::Free {
        let said = request.output.clone().unwrap_or_else(|| json!({ "type": "string" }));
        ways.push(only(SAY, said));
    }
    if ways.len() == 1 { ways.remove(0) } else { json!({ "anyOf": ways }) }
}

/// A call as the model would have written it.
pub(crate) fn call(call: &ToolCall) -> String {
    json!({ call.tool.as_str(): *crate::thread::arguments(call) }).to_string()
}

/// What a model wrote, read as a call of one of the tools or as words.
pub(crate) fn read(text: &str) -> Option<Written> {
    let Ok(Value::Object(fields)) = serde_json::from_str(text.trim()) else { return None };
    let mut fields: Vec<(String, Value)> = Map::into_iter(fields).collect();
    let (name, value) = fields.pop().filter(|_| fields.is_empty())?;
    Some(match (name.as_str(), value) {
        (SAY, Value::String(text)) => Written::Words(text),
        (SAY, value) => Written::Words(value.to_string()),
        (_, value) => Written::Call { tool: name, arguments: value.to_string() },
    })
}

/// What a model wrote.
#[derive(Debug, Clone, PartialEq)]
pub(crate) enum Written {
    /// A call.
    Call {
        tool: String,
        /// Its arguments, as JSON.
        arguments: String,
    },
    Words(String),
}

/// Turns the text of a written call into pieces of a call while it is being written.
#[derive(Debug, Default)]
pub(crate) struct Unwrapper {
    begun: String,
    tool: Option<String>,
    held: String,
}

impl Unwrapper {
    /// The next text. What closes the outer object is held back.
    pub fn take(&mut self, text: &str) -> Option<Piece> {
        let Some(tool) = self.tool.clone() else { return self.begin(text) };
        let all = std::mem::take(&mut self.held) + text;
        let kept = all.trim_end_matches(|letter: char| letter == '}' || letter.is_whitespace()).len();
        self.held = all[kept..].to_owned();
        let fragment = all[..kept].to_owned();
        (!fragment.is_empty()).then(|| piece(&tool, fragment))
    }

    fn begin(&mut self, text: &str) -> Option<Piece> {
        self.begun += text;
        let rest = self.begun.trim_start().strip_prefix('{')?.trim_start().strip_prefix('"')?;
        let (name, rest) = rest.split_once('"')?;
        let rest = rest.trim_start().strip_prefix(':')?.to_owned();
        let name = name.to_owned();
        if name == SAY {
            return None;
        }
        self.tool = Some(name.clone());
        let first = self.take(&rest);
        Some(first.unwrap_or_else(|| piece(&name, String::new())))
    }
}

fn piece(tool: &str, fragment: String) -> Piece {
    Piece::Call { place: 0, tool: tool.to_owned(), fragment }
}

fn only(name: &str, value: Value) -> Value {
    json!({
        "type": "object",
        "properties": { name: value },
        "required": [name],
        "additionalProperties": false,
    })
}

/// A schema that asks for every property. A grammar writes what is required first; a small model that has to write
/// everything, in order, thinks before it judges. What may be missing has a way to say so, null or an empty list.
fn whole(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let mut fields: Map<String, Value> =
                fields.iter().map(|(name, value)| (name.clone(), whole(value))).collect();
            if let Some(Value::Object(properties)) = fields.get("properties") {
                let names = properties.keys().cloned().map(Value::String).collect();
                fields.insert("required".to_owned(), Value::Array(names));
            }
            bound(&mut fields);
            Value::Object(fields)
        }
        Value::Array(items) => Value::Array(items.iter().map(whole).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => schema.clone(),
    }
}

/// Bounds a list and its items. A small model that begins to repeat itself would go on until its limit, for minutes, and
/// end in the middle. A text that stands alone is not bounded: it may be a person's own words, and long.
fn bound(fields: &mut Map<String, Value>) {
    let Some(Value::Object(items)) = fields.get_mut("items") else { return };
    if items.get("type").is_some_and(|kind| kind == "string") && !items.contains_key("enum") {
        items.entry("maxLength").or_insert(json!(LONGEST_ITEM));
    }
    fields.entry("maxItems").or_insert(json!(MOST_ITEMS));
}

/// A schema without what only a validator reads: short enough for a small model's prompt.
fn plain_schema(schema: &Value) -> Value {
    match schema {
        Value::Object(fields) => {
            let noise = ["$schema", "title", "additionalProperties", "default"];
            let kept = fields.iter().filter(|(name, _)| !noise.contains(&name.as_str()));
            Value::Object(kept.map(|(name, value)| (name.clone(), plain_schema(value))).collect())
        }
        Value::Array(items) => Value::Array(items.iter().map(plain_schema).collect()),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => schema.clone(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tool(name: &str) -> ToolSpec {
        let parameters = json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"] });
        ToolSpec { name: name.to_owned(), description: format!("Does {name}."), parameters }
    }

    fn request(calling: Calling) -> Request {
        Request { tools: vec![tool("ask"), tool("tell")].into(), calling, ..Request::default() }
    }

    #[test]
    fn the_schema_leaves_the_wanted_call_or_some_call_or_a_word() {
        let of = |name| only(name, tool(name).parameters);
        assert_eq!(schema(&request(Calling::Only("tell".to_owned()))), of("tell"));
        assert_eq!(schema(&request(Calling::Any)), json!({ "anyOf": [of("ask"), of("tell")] }));
        let word = only("say", json!({ "type": "string" }));
        assert_eq!(schema(&request(Calling::Free)), json!({ "anyOf": [of("ask"), of("tell"), word] }));
    }

    #[test]
    fn a_model_writes_every_property_in_order() {
        let parameters = json!({
            "type": "object",
            "properties": { "b": { "type": "boolean" }, "a": { "type": ["string", "null"] } },
            "required": ["b"],
        });
        let tools = vec![ToolSpec { parameters, ..tool("judge") }];
        let asked = Request { tools: tools.into(), calling: Calling::Any, ..Request::default() };
        assert_eq!(schema(&asked)["properties"]["judge"]["required"], json!(["a", "b"]));
    }

    #[test]
    fn a_list_comes_to_an_end_and_a_text_of_its_own_may_be_long() {
        let list = |items: Value| json!({ "type": "array", "items": items });
        let text = json!({ "type": "string" });
        let asked = json!({ "properties": { "facts": list(text.clone()), "value": text } });
        let item = json!({ "type": "string", "maxLength": LONGEST_ITEM });
        let bounded = json!({ "type": "array", "items": item, "maxItems": MOST_ITEMS });
        let required = json!(["facts", "value"]);
        assert_eq!(whole(&asked), json!({ "properties": { "facts": bounded, "value": text }, "required": required }));
        let own = json!({ "type": "array", "items": { "type": "string", "maxLength": 3 }, "maxItems": 2 });
        assert_eq!(whole(&own), own);
    }

    #[test]
    fn what_was_written_is_a_call_or_words_or_neither() {
        let call = Written::Call { tool: "ask".to_owned(), arguments: r#"{"a":"b"}"#.to_owned() };
        assert_eq!(read(" {\"ask\": {\"a\": \"b\"}} "), Some(call));
        assert_eq!(read(r#"{"say": "hello"}"#), Some(Written::Words("hello".to_owned())));
        assert_eq!(read(r#"{"say": {"n": 1}}"#), Some(Written::Words(r#"{"n":1}"#.to_owned())));
        assert_eq!(read(r#"{"ask": {"a": "b""#), None);
        assert_eq!(read(r#"{"ask": {}, "tell": {}}"#), None);
        assert_eq!(read("hello"), None);
    }

    #[test]
    fn a_call_can_be_watched_while_it_is_written_however_the_text_is_cut() {
        let text = "{ \"ask\" : {\"a\": \"b}c\"}\n}";
        for size in 1..text.len() {
            let mut unwrapper = Unwrapper::default();
            let letters: Vec<char> = text.chars().collect();
            let mut fragments = String::new();
            for chunk in letters.chunks(size) {
                match unwrapper.take(&chunk.iter().collect::<String>()) {
                    Some(Piece::Call { place: 0, tool, fragment }) if tool == "ask" => fragments += &fragment,
                    Some(other) => panic!("{other:?}"),
                    None => {}
                }
            }
            assert_eq!(fragments.trim_start(), "{\"a\": \"b}c\"", "in chunks of {size}");
        }
    }

    #[test]
    fn a_call_is_written_as_it_is_read() {
        let made = ToolCall { id: "1".to_owned(), tool: "ask".to_owned(), arguments: json!({ "a": "é" }) };
        let again = Written::Call { tool: "ask".to_owned(), arguments: made.arguments.to_string() };
        assert_eq!(read(&call(&made)), Some(again));
    }
}
