//! What the simulated model writes when it is to write a form: what the understudy writes, and what real models wrote
//! instead: no call, another tool, arguments that are text, too little, too much, kinds that there are not.

use enza_forms::understudy;
use enza_kernel::conversation::{Reply, Request, ToolCall};
use serde_json::{Value, json};

use super::dice::Dice;

const WRITE_FORM: &str = "write_form";

/// A reply to the architect's prompt.
pub fn reply(request: &Request, draw: u64) -> Reply {
    let mut dice = Dice::new(draw);
    if dice.below(2) == 0 {
        return understudy(request);
    }
    let call = |place: u64, tool: &str, arguments| ToolCall {
        id: format!("c{draw}-{place}"),
        tool: tool.to_owned(),
        arguments,
    };
    let calls = match dice.below(8) {
        0 => Vec::new(),
        1 => vec![call(0, "publish", json!({}))],
        2 => vec![call(0, WRITE_FORM, json!(sound().to_string()))],
        3 => vec![call(0, WRITE_FORM, sound()), call(1, WRITE_FORM, sound())],
        4 => vec![call(0, WRITE_FORM, nonsense(&mut dice)), call(1, WRITE_FORM, sound())],
        _ => vec![call(0, WRITE_FORM, nonsense(&mut dice))],
    };
    let text = if calls.is_empty() { "Here is your form: name, date, remarks." } else { "" };
    Reply { text: text.to_owned(), calls, ..Reply::default() }
}

fn sound() -> Value {
    json!({"title": "Sign-up", "fields": [field("Name", "text"), field("Name", "text"), field("備考", "long_text")]})
}

/// Arguments that make no form, or one only by indulgence.
fn nonsense(dice: &mut Dice) -> Value {
    let with = |fields: Value| json!({"title": "Sign-up", "fields": fields});
    match dice.below(12) {
        0 => json!(null),
        1 => with(json!([])),
        2 => with(json!([field("Name", "string")])),
        3 => with(json!((0..21).map(|nth| field(&format!("Field {nth}"), "text")).collect::<Vec<_>>())),
        4 => json!({"fields": [field("Name", "text")]}),
        5 => json!({"title": " ", "fields": [field("Name", "text")]}),
        6 => with(json!({"name": "text", "date": "date"})),
        7 => with(json!([field("", "text")])),
        8 => with(json!([field("Dish", "choice")])),
        9 => with(
            json!([{"label": "Dish", "kind": "text", "required": true, "options": ["fish", "fish; meat", "meat"]}]),
        ),
        10 => with(json!([{"label": "Name", "kind": "text", "required": true, "placeholder": "Ada"}])),
        _ => with(json!([field(&"long ".repeat(400), "text")])),
    }
}

fn field(label: &str, kind: &str) -> Value {
    json!({"label": label, "kind": kind, "required": true})
}
