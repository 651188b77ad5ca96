//! The two dialects as servers speak them: the same reply in the frames of each.
//!
//! A test says what the model does; this file says how that looks on the wire. Both tell the same tokens, so that the
//! replies can be compared whole.

use enza_kernel::conversation::{Stop, Usage};
use enza_models::providers::Provider;
use serde_json::{Value, json};

/// A dialect.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Tongue {
    Anthropic,
    OpenAi,
}

/// A bit of a reply.
#[derive(Debug, Clone, Copy)]
pub enum Bit<'a> {
    Text(&'a str),
    Reasoning(&'a str),
    Call { place: u64, id: &'a str, tool: &'a str },
    Arguments { place: u64, fragment: &'a str },
    End(Stop),
}

/// The tokens of every reply here, at the price of `PRICE`.
pub const USAGE: Usage = Usage { input: 16, output: 5, cache_read: 4, cache_write: 2, cost: 23 };

impl Tongue {
    /// A provider of this dialect at this address.
    pub fn provider(self, base_url: &str) -> Provider {
        let dialect = match self {
            Self::Anthropic => "anthropic",
            Self::OpenAi => "openai",
        };
        let text = format!(
            r#"
            name = "fake"
            title = "Fake"
            dialect = "{dialect}"
            base_url = "{base_url}"
            key_variable = "FAKE_KEY"
            hint = "Start it with `fake`."
            [quirks]
            tool_choice = "named"
            usage_in_stream = true
            cache_breakpoints = 4
            "#
        );
        Provider::from_toml(&text).unwrap()
    }

    /// The frames of a reply.
    pub fn frames(self, bits: &[Bit<'_>]) -> Vec<String> {
        match self {
            Self::Anthropic => anthropic(bits),
            Self::OpenAi => bits.iter().flat_map(openai).collect(),
        }
    }

    /// A whole reply with this text, from a server that does not stream.
    pub fn whole(self, text: &str) -> String {
        match self {
            Self::Anthropic => json!({
                "type": "message", "role": "assistant", "content": [{ "type": "text", "text": text }],
                "stop_reason": "end_turn", "usage": anthropic_usage(),
            }),
            Self::OpenAi => json!({
                "choices": [{ "index": 0, "message": { "role": "assistant", "content": text }, "finish_reason": "stop" }],
                "usage": openai_usage(),
            }),
        }
        .to_string()
    }

    /// An error in the middle of a stream.
    pub fn error(self, kind: &str, message: &str) -> String {
        let error = json!({ "type": kind, "message": message });
        match self {
            Self::Anthropic => event(&json!({ "type": "error", "error": error })),
            Self::OpenAi => data(&json!({ "error": error })),
        }
    }

    /// A frame that keeps the line open and says nothing.
    pub fn ping(self) -> &'static str {
        match self {
            Self::Anthropic => "event: ping\r\ndata: {\"type\": \"ping\"}\r\n\r\n",
            Self::OpenAi => ": OPENROUTER PROCESSING\r\n\r\n",
        }
    }
}

fn event(value: &Value) -> String {
    format!("event: {}\ndata: {value}\n\n", value["type"].as_str().unwrap())
}

fn data(value: &Value) -> String {
    format!("data: {value}\n\n")
}

fn anthropic_usage() -> Value {
    json!({ "input_tokens": 10, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 2, "output_tokens": 5 })
}

fn openai_usage() -> Value {
    let details = json!({ "cached_tokens": 4, "cache_write_tokens": 2 });
    json!({ "prompt_tokens": 16, "completion_tokens": 5, "total_tokens": 21, "prompt_tokens_details": details })
}

/// Text is block 0, reasoning block 1, calls come after.
fn anthropic(bits: &[Bit<'_>]) -> Vec<String> {
    let start = json!({ "input_tokens": 10, "cache_read_input_tokens": 4, "cache_creation_input_tokens": 2, "output_tokens": 1 });
    let mut frames =
        vec![event(&json!({ "type": "message_start", "message": { "role": "assistant", "usage": start } }))];
    let mut open = Vec::new();
    let mut begin = |frames: &mut Vec<String>, index: u64, block: Value| {
        if !open.contains(&index) {
            open.push(index);
            frames.push(event(&json!({ "type": "content_block_start", "index": index, "content_block": block })));
        }
    };
    let delta =
        |index: u64, delta: Value| event(&json!({ "type": "content_block_delta", "index": index, "delta": delta }));
    for bit in bits {
        match bit {
            Bit::Text(text) => {
                begin(&mut frames, 0, json!({ "type": "text", "text": "" }));
                frames.push(delta(0, json!({ "type": "text_delta", "text": text })));
            }
            Bit::Reasoning(text) => {
                begin(&mut frames, 1, json!({ "type": "thinking", "thinking": "" }));
                frames.push(delta(1, json!({ "type": "thinking_delta", "thinking": text })));
                frames.push(delta(1, json!({ "type": "signature_delta", "signature": "c2ln" })));
            }
            Bit::Call { place, id, tool } => {
                begin(&mut frames, 2 + place, json!({ "type": "tool_use", "id": id, "name": tool, "input": {} }));
            }
            Bit::Arguments { place, fragment } => {
                frames.push(delta(2 + place, json!({ "type": "input_json_delta", "partial_json": fragment })));
            }
            Bit::End(stop) => {
                let reason = if *stop == Stop::Cut { "max_tokens" } else { "end_turn" };
                let usage = json!({ "output_tokens": 5 });
                frames.push(event(
                    &json!({ "type": "message_delta", "delta": { "stop_reason": reason }, "usage": usage }),
                ));
                frames.push(event(&json!({ "type": "message_stop" })));
            }
        }
    }
    frames
}

fn openai(bit: &Bit<'_>) -> Vec<String> {
    let chunk = |delta: Value| {
        data(&json!({ "choices": [{ "index": 0, "delta": delta, "finish_reason": null }], "usage": null }))
    };
    match bit {
        Bit::Text(text) => vec![chunk(json!({ "content": text }))],
        Bit::Reasoning(text) => vec![chunk(json!({ "reasoning_content": text }))],
        Bit::Call { place, id, tool } => {
            let function = json!({ "name": tool, "arguments": "" });
            vec![chunk(
                json!({ "tool_calls": [{ "index": place, "id": id, "type": "function", "function": function }] }),
            )]
        }
        Bit::Arguments { place, fragment } => {
            vec![chunk(json!({ "tool_calls": [{ "index": place, "function": { "arguments": fragment } }] }))]
        }
        Bit::End(stop) => {
            let reason = if *stop == Stop::Cut { "length" } else { "stop" };
            vec![
                data(&json!({ "choices": [{ "index": 0, "delta": {}, "finish_reason": reason }] })),
                data(&json!({ "choices": [], "usage": openai_usage() })),
                "data: [DONE]\n\n".into(),
            ]
        }
    }
}
