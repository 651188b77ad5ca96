//! In what servers of one dialect differ, as data, and what to do when one cannot do what it was asked.
//!
//! A client begins with the quirks of its provider's file. When a server turns a request down and names the part it
//! does not know, that part is asked for in the next weaker way. Every step is weaker than the one before, so the steps
//! come to an end. What a server said of one odd schema says nothing about the next, so that step is not remembered.

use enza_kernel::conversation::{Calling, Request};
use serde::Deserialize;

/// In what a server differs from its siblings. What a file leaves out is what most servers do.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Quirks {
    /// How an answer is asked for that has to fit a schema.
    pub structured: Structured,
    /// Whether calls are written as JSON that a schema enforces, and tools explained in words. OpenAI's dialect only.
    pub written_calls: bool,
    /// How far the server can be told to call a tool.
    pub tool_choice: ToolChoice,
    /// Whether the stream ends with the tokens used if `stream_options.include_usage` asks for it.
    pub usage_in_stream: bool,
    /// What the limit of a reply is called.
    pub limit_field: LimitField,
    /// Whether a system message may stand in the middle of a conversation. Else it is sent as a user's.
    pub system_midway: bool,
    /// Whether `temperature` and `top_p` may be sent.
    pub sampling: bool,
    /// Whether `seed` may be sent.
    pub seed: bool,
    /// Whether `cache_prompt` is sent, which makes llama.cpp keep what it has read of a prompt.
    pub cache_prompt: bool,
    /// By how many percent a word that came lately is made less likely: llama.cpp's `repeat_penalty`, for models so small
    /// that they would repeat one word to the end of their limit.
    pub less_likely_again: Option<u8>,
    /// How many places of a prompt may be marked as worth caching. Only Anthropic's dialect has such marks.
    pub cache_breakpoints: u8,
    /// How long a model that thinks is to think: `low`, `medium`, `high`. Nothing is sent where nothing is said.
    pub effort: Option<String>,
}

/// How an answer is asked for that has to fit a schema, from the firmest way to the weakest.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum Structured {
    /// The dialect's own way: `response_format` of the type `json_schema`, or Anthropic's `output_config.format`.
    Native,
    /// A tool that takes the answer as its arguments, and that has to be called.
    Tool,
    /// `response_format` of the type `json_object`, and the schema in words. In Anthropic's dialect, words alone.
    JsonObject,
    /// The schema in words.
    Words,
}

/// How far a server can be told to call a tool.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum ToolChoice {
    /// To call a certain one.
    Named,
    /// To call some tool. A certain one is had by offering no other.
    Required,
    /// Not at all: it is asked in words.
    Free,
}

/// What the limit of a reply is called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum LimitField {
    /// The old name, which most servers know.
    MaxTokens,
    /// The name OpenAI's newer models insist on.
    MaxCompletionTokens,
}

/// How long a weaker way holds.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Holds {
    /// For this request.
    Once,
    /// For every request of this client.
    FromNowOn,
}

impl Default for Quirks {
    fn default() -> Self {
        Self {
            structured: Structured::Native,
            written_calls: false,
            tool_choice: ToolChoice::Required,
            usage_in_stream: false,
            limit_field: LimitField::MaxTokens,
            system_midway: false,
            sampling: true,
            seed: true,
            cache_prompt: false,
            less_likely_again: None,
            cache_breakpoints: 0,
            effort: None,
        }
    }
}

impl LimitField {
    /// Its name in a request.
    pub fn name(self) -> &'static str {
        match self {
            Self::MaxTokens => "max_tokens",
            Self::MaxCompletionTokens => "max_completion_tokens",
        }
    }

    fn other(self) -> Self {
        match self {
            Self::MaxTokens => Self::MaxCompletionTokens,
            Self::MaxCompletionTokens => Self::MaxTokens,
        }
    }
}

impl Quirks {
    /// Steps back from what the server's words complain of, if the request had it. `None` where nothing can be put more
    /// weakly, and the complaint stands.
    pub fn weaken(&mut self, request: &Request, complaint: &str) -> Option<Holds> {
        let complaint = complaint.to_lowercase();
        let names = |words: &[&str]| words.iter().any(|word| complaint.contains(word));
        let asks_schema = request.output.is_some() && request.calling == Calling::Free;
        let forces_answer = asks_schema && self.structured == Structured::Tool;
        let sampling = request.sampling;
        let samples = sampling.temperature.is_some() || sampling.top_p.is_some();

        if self.effort.is_some() && (names(&["effort"]) || (names(&["output_config"]) && !names(&["format"]))) {
            self.effort = None;
        } else if self.usage_in_stream && names(&["stream_options", "include_usage"]) {
            self.usage_in_stream = false;
        } else if names(&["tool_choice", "forced tool", "force tool"]) && forces_answer {
            self.structured = Structured::JsonObject;
        } else if names(&["tool_choice", "forced tool", "force tool"])
            && request.calling != Calling::Free
            && self.tool_choice != ToolChoice::Free
        {
            self.tool_choice =
                if self.tool_choice == ToolChoice::Named { ToolChoice::Required } else { ToolChoice::Free };
        } else if asks_schema
            && names(&[
                "response_format",
                "response format",
                "json_schema",
                "json_object",
                "schema",
                "output_config",
                "output_format",
                "structured output",
            ])
        {
            let is_the_schema =
                names(&["invalid schema", "schema is too complex", "unrecognized schema", "schema conversion"]);
            self.structured = self.weaker_structure()?;
            return Some(if is_the_schema { Holds::Once } else { Holds::FromNowOn });
        } else if self.sampling && samples && names(&["temperature", "top_p"]) {
            self.sampling = false;
        } else if self.seed && sampling.seed.is_some() && names(&["seed"]) {
            self.seed = false;
        } else if self.cache_prompt && names(&["cache_prompt"]) {
            self.cache_prompt = false;
        } else if self.cache_breakpoints > 0 && names(&["cache_control"]) {
            self.cache_breakpoints = 0;
        } else if self.system_midway
            && names(&["system"])
            && names(&["beginning", "must be first", "first message", "alternate", "role"])
        {
            self.system_midway = false;
        } else if names(&["max_tokens", "max_completion_tokens"]) && names(&UNKNOWN_FIELD) {
            self.limit_field = self.limit_field.other();
        } else {
            return None;
        }
        Some(Holds::FromNowOn)
    }

    fn weaker_structure(&self) -> Option<Structured> {
        match self.structured {
            Structured::Native if self.tool_choice != ToolChoice::Free => Some(Structured::Tool),
            Structured::Native | Structured::Tool => Some(Structured::JsonObject),
            Structured::JsonObject => Some(Structured::Words),
            Structured::Words => None,
        }
    }
}

/// How servers say that they do not know a field, as against not liking its value.
const UNKNOWN_FIELD: [&str; 7] =
    ["unsupported", "not supported", "unrecognized", "unknown", "unexpected", "extra inputs", "not permitted"];
