//! What is said between a session and a model, independent of any provider.
//!
//! Texts are shared, not copied: a prompt is rendered before every call and most of it was there the
//! call before. What the log keeps of a prompt is its digest.

mod digest;

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use digest::{Digest, PromptPrefix};

/// A shared piece of text.
pub type Text = Arc<str>;

/// One message of a thread. Shared, and its tokens are counted once: a thread is copied far more often than it grows.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Message(Arc<Words>);

/// What a message holds.
#[derive(Debug, PartialEq, Serialize, Deserialize)]
pub struct Words {
    pub role: Role,
    pub text: Text,
    /// The tools a model wants to call.
    #[serde(default, skip_serializing_if = "<[ToolCall]>::is_empty")]
    pub calls: Arc<[ToolCall]>,
    /// The call that this message answers.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub answers: Option<Text>,
    tokens: u64,
}

/// Whose message it is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Role {
    /// The session's own words to the model, in the middle of a thread.
    Session,
    Person,
    /// The model.
    Agent,
    /// A tool's result.
    Tool,
}

impl Message {
    /// A message without calls.
    pub fn new(role: Role, text: impl Into<Text>) -> Self {
        Self::whole(role, text.into(), &[], None)
    }

    /// A model's reply.
    pub fn reply(text: Text, calls: &[ToolCall]) -> Self {
        Self::whole(Role::Agent, text, calls, None)
    }

    /// The result of a call.
    pub fn result(call: &str, text: impl Into<Text>) -> Self {
        Self::whole(Role::Tool, text.into(), &[], Some(call.into()))
    }

    fn whole(role: Role, text: Text, calls: &[ToolCall], answers: Option<Text>) -> Self {
        let in_calls: u64 = calls.iter().map(|call| 8 + estimate_tokens(&call.arguments.to_string())).sum();
        let tokens = 4 + estimate_tokens(&text) + in_calls;
        Self(Arc::new(Words { role, text, calls: calls.into(), answers, tokens }))
    }

    /// The same message with another text.
    pub(crate) fn saying(&self, text: Text) -> Self {
        Self::whole(self.role, text, &self.calls, self.answers.clone())
    }

    /// Whether it is this very message, and not one that only says the same.
    fn is(&self, other: &Self) -> bool {
        Arc::ptr_eq(&self.0, &other.0)
    }

    /// About how many tokens it takes, calls included.
    pub fn tokens(&self) -> u64 {
        self.0.tokens
    }
}

impl Deref for Message {
    type Target = Words;

    fn deref(&self) -> &Words {
        &self.0
    }
}

/// A tool call in a model's reply.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolCall {
    /// The provider's or our own name for it, unique in its thread.
    pub id: String,
    pub tool: String,
    /// What it is called with: an object, or the model's own text where that was not JSON.
    pub arguments: Value,
}

/// A tool as the model sees it.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct ToolSpec {
    pub name: String,
    pub description: String,
    /// JSON Schema of its arguments.
    pub parameters: Value,
}

/// A piece of the system prompt.
#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// The section's name.
    pub name: String,
    pub text: Text,
}

/// Everything a model is asked with. Stable text first: `tools`, `stable`, then messages, then what changes.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Request {
    /// The application whose session asks.
    pub application: String,
    /// The agent that asks.
    pub agent: String,
    /// The thread the reply belongs to.
    pub thread: String,
    /// The tools it may call.
    pub tools: Arc<[ToolSpec]>,
    /// Sections that change rarely; a provider may cache them.
    pub stable: Vec<Part>,
    /// The thread so far.
    pub messages: Vec<Message>,
    /// Sections that change with every call; they come last so that all before them can be reused.
    pub fresh: Vec<Part>,
    /// JSON Schema that the reply's text must satisfy, where the agent answers in text.
    pub output: Option<Value>,
    /// Whether the reply has to call a tool.
    pub calling: Calling,
    /// How freely the reply is chosen.
    pub sampling: Sampling,
    /// The most tokens the reply may take.
    pub max_output: u32,
    /// What is to be done, as data: for the understudy, which reads no prose. No provider is sent it.
    pub task: Option<Value>,
    /// What did not fit and was left out.
    pub cuts: Vec<Cut>,
}

/// Whether a reply has to call a tool. A wish: a provider that cannot enforce it is corrected by the agent loop.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Calling {
    /// It may answer in text.
    #[default]
    Free,
    /// It calls one of the tools.
    Any,
    /// It calls this one.
    Only(String),
}

/// How freely a model chooses its words. What is not said is left to the provider.
#[derive(Debug, Clone, Copy, PartialEq, Default, Serialize, Deserialize)]
pub struct Sampling {
    /// From 0, the likeliest word every time, upwards.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub temperature: Option<f32>,
    /// The share of likely words to choose from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub top_p: Option<f32>,
    /// Where chance starts from, at providers that let one say so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub seed: Option<u32>,
}

/// A piece of a prompt that did not fit.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Cut {
    /// The section's name.
    pub section: String,
    /// How many tokens of it were left out.
    pub tokens: u64,
}

impl Request {
    /// The prompt as a person reads it.
    pub fn to_plain_text(&self) -> String {
        let mut out = String::new();
        for tool in self.tools.iter() {
            out += &format!("[tool] {}: {}\n  {}\n", tool.name, tool.description, tool.parameters);
        }
        for part in &self.stable {
            out += &format!("[{}]\n{}\n\n", part.name, part.text);
        }
        for message in &self.messages {
            out += &format!("<{}> {}\n", message.role.word(), message.text);
            for call in message.calls.iter() {
                out += &format!("  -> {}({}) #{}\n", call.tool, call.arguments, call.id);
            }
        }
        for part in &self.fresh {
            out += &format!("\n[{}]\n{}\n", part.name, part.text);
        }
        out
    }
}

impl Role {
    /// The word for it in transcripts.
    pub fn word(self) -> &'static str {
        match self {
            Self::Session => "session",
            Self::Person => "person",
            Self::Agent => "agent",
            Self::Tool => "tool",
        }
    }
}

/// A model's final reply.
#[derive(Debug, Clone, PartialEq, Default, Serialize, Deserialize)]
pub struct Reply {
    pub text: String,
    /// What the model said to itself before it spoke, where the provider tells. No prompt has it.
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub thoughts: String,
    /// What it wants to call.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub calls: Vec<ToolCall>,
    #[serde(default)]
    pub stop: Stop,
    /// Who said it: `anthropic/claude-sonnet-4-5`, `local/default`, `understudy`.
    #[serde(default)]
    pub model: String,
    pub usage: Usage,
}

/// Why a reply ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Stop {
    /// It was finished, with or without calls.
    #[default]
    Finished,
    /// It reached the most tokens it may take: its end is missing.
    Cut,
}

/// Tokens, as providers count them, and what they cost.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Usage {
    /// Read by the model.
    pub input: u64,
    /// Written by the model.
    pub output: u64,
    /// Of the input, read from the provider's cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cache_read: u64,
    /// Of the input, written to the provider's cache.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cache_write: u64,
    /// What it cost, in millionths of a US dollar, by the prices of the day; zero where nothing is charged or known.
    #[serde(default, skip_serializing_if = "is_zero")]
    pub cost: u64,
}

fn is_zero(number: &u64) -> bool {
    *number == 0
}

impl Usage {
    /// Input and output together: what budgets count.
    pub fn total(self) -> u64 {
        self.input + self.output
    }

    /// The sum of two.
    pub fn plus(self, other: Self) -> Self {
        Self {
            input: self.input + other.input,
            output: self.output + other.output,
            cache_read: self.cache_read + other.cache_read,
            cache_write: self.cache_write + other.cache_write,
            cost: self.cost + other.cost,
        }
    }
}

/// About how many tokens a text takes: four ASCII bytes or one other character each, rounded up.
///
/// An estimate on the high side for every common tokenizer, cheap enough to take on every message. A provider's own
/// count corrects it in the ledger.
pub fn estimate_tokens(text: &str) -> u64 {
    let ascii = text.bytes().filter(u8::is_ascii).count() as u64;
    let other = text.bytes().filter(|byte| *byte >= 0xC0).count() as u64;
    ascii.div_ceil(4) + other
}
