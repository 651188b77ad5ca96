//! What a server's refusals and breakdowns mean to the engine, in words that say what to do next.
//!
//! Only five things matter to whoever asks again: come back later, too slow, broken, shorter, never. Servers say them in many
//! ways: by status, by headers, in the body, in the middle of a stream. Everything is read here, and nowhere else.

use std::time::Duration;

use enza_runtime::seams::model::ModelFailure;
use reqwest::StatusCode;
use serde_json::Value;

use crate::http::Lost;
use crate::keys::MARK;
use crate::openai::stream::start_of;
use crate::providers::Provider;

/// Whom was asked for what, for messages.
#[derive(Debug, Clone, Copy)]
pub(crate) struct RequestContext<'a> {
    pub provider: &'a Provider,
    pub model: &'a str,
    /// Whether a key went along.
    pub with_key: bool,
}

/// What a status other than success means.
pub(crate) fn by_status(
    asked: RequestContext<'_>,
    status: StatusCode,
    after: Option<Duration>,
    body: &str,
) -> ModelFailure {
    let RequestContext { provider, model, .. } = asked;
    let (title, words) = (&provider.title, words_of(body));
    if is_out_of_credit(&words) || status == StatusCode::PAYMENT_REQUIRED {
        return ModelFailure::Refused(with_hint(provider, format!("{title} says the credit is used up: {words}.")));
    }
    match status.as_u16() {
        429 | 503 | 529 => ModelFailure::Busy { after },
        408 | 504 | 524 => ModelFailure::TimedOut,
        401 | 403 => ModelFailure::Refused(wrong_key(asked, &words)),
        _ if is_too_long(&words) || status == StatusCode::PAYLOAD_TOO_LARGE => ModelFailure::TooLong(format!(
            "the prompt is too long for {model} at {title}: {words}. Take a model with a larger window."
        )),
        404 => ModelFailure::Refused(with_hint(
            provider,
            format!("{title} has no model {model} at {}: {words}. Check the model's name.", provider.base_url),
        )),
        300..=399 => ModelFailure::Refused(format!(
            "{title} is not at {}: it points elsewhere (status {status}). Put the right address into base_url.",
            provider.base_url
        )),
        500.. => ModelFailure::Broken(format!("{title} answered with status {status}: {words}")),
        _ => ModelFailure::Refused(format!("{title} did not accept the request (status {status}): {words}")),
    }
}

/// What an error in the middle of a stream, or in a body with a good status, means.
pub(crate) fn in_stream(error: &Value) -> ModelFailure {
    let kind =
        ["type", "code", "status"].into_iter().filter_map(|name| error[name].as_str()).collect::<Vec<_>>().join(" ");
    let kind = kind.to_lowercase();
    let code = error["code"].as_u64().unwrap_or_default();
    let words = words_in(error).unwrap_or_else(|| error.to_string());
    let is = |names: &[&str]| names.iter().any(|name| kind.contains(name));
    if is_out_of_credit(&words) || is_out_of_credit(&kind) {
        ModelFailure::Refused(format!("the provider says the credit is used up: {}", start_of(&words)))
    } else if is(&["overloaded", "rate_limit", "unavailable", "exhausted"]) || [429, 503, 529].contains(&code) {
        ModelFailure::Busy { after: None }
    } else if is(&["timeout"]) || [408, 504].contains(&code) {
        ModelFailure::TimedOut
    } else if is_too_long(&words) || is_too_long(&kind) {
        ModelFailure::TooLong(format!(
            "the prompt is too long: {}. Take a model with a larger window.",
            start_of(&words)
        ))
    } else if is(&["invalid_request", "authentication", "permission", "not_found"]) || (400..500).contains(&code) {
        ModelFailure::Refused(format!("the provider did not accept the request: {}", start_of(&words)))
    } else {
        ModelFailure::Broken(format!("it stopped in the middle of the reply with an error: {}", start_of(&words)))
    }
}

/// What it means that no answer came, or only a part.
pub(crate) fn by_loss(asked: RequestContext<'_>, lost: &Lost) -> ModelFailure {
    match lost {
        Lost::Late => ModelFailure::TimedOut,
        Lost::Broken(error) => by_connection(asked, error),
        Lost::NotOnTape(why) => ModelFailure::Refused(why.clone()),
        Lost::Endless => ModelFailure::Broken(format!("{} sent far more bytes than a reply has", asked.provider.title)),
    }
}

fn by_connection(asked: RequestContext<'_>, error: &reqwest::Error) -> ModelFailure {
    if error.is_timeout() {
        return ModelFailure::TimedOut;
    }
    let RequestContext { provider, .. } = asked;
    let cause = deepest(error);
    if error.is_connect() {
        let question = if is_loopback(&provider.base_url) { " Is the server running?" } else { "" };
        let words = format!("{} cannot be reached at {}: {cause}.{question}", provider.title, provider.base_url);
        return ModelFailure::Broken(with_hint(provider, words));
    }
    ModelFailure::Broken(format!("the connection to {} broke: {cause}", provider.title))
}

/// Whether an address is on this machine.
pub(crate) fn is_loopback(url: &str) -> bool {
    let Ok(url) = reqwest::Url::parse(url) else { return false };
    let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
    host == "localhost" || host.parse::<std::net::IpAddr>().is_ok_and(|address| address.is_loopback())
}

/// A message without the key, nor any long part of its beginning or end: servers echo what they were sent.
pub(crate) fn scrub(message: &str, key: Option<&str>) -> String {
    const LEAST: usize = 8;
    let mut message = message.to_owned();
    let Some(key) = key.filter(|key| !key.is_empty()) else { return message };
    for length in (LEAST.min(key.len())..=key.len()).rev() {
        for part in [key.get(..length), key.get(key.len() - length..)].into_iter().flatten() {
            message = message.replace(part, MARK);
        }
    }
    message
}

/// The cause at the bottom: `reqwest` wraps it in sentences that say nothing, and in addresses.
fn deepest(error: &reqwest::Error) -> String {
    let mut cause: &dyn std::error::Error = error;
    while let Some(next) = cause.source() {
        cause = next;
    }
    cause.to_string()
}

fn wrong_key(RequestContext { provider, model, with_key }: RequestContext<'_>, words: &str) -> String {
    let variable = provider.key_variable.as_deref();
    let what = match (with_key, variable) {
        (true, Some(variable)) => {
            format!("did not accept the key from {variable} for {model}: {words}. Check {variable}.")
        }
        (true, None) => format!("did not accept the key for {model}: {words}. Check it."),
        (false, Some(variable)) => format!("wants a key, and {variable} is not set: {words}. Set {variable}."),
        (false, None) => format!("wants a key: {words}. Name its variable as key_variable in a provider file."),
    };
    with_hint(provider, format!("{} {what}", provider.title))
}

fn with_hint(provider: &Provider, words: String) -> String {
    match &provider.hint {
        Some(hint) => format!("{words} {hint}"),
        None => words,
    }
}

fn is_too_long(words: &str) -> bool {
    const SIGNS: [&str; 9] = [
        "context_length_exceeded",
        "exceed_context_size",
        "prompt is too long",
        "maximum context length",
        "context size",
        "context window",
        "context length",
        "too many tokens",
        "input is too long",
    ];
    let words = words.to_lowercase();
    SIGNS.iter().any(|sign| words.contains(sign))
}

fn is_out_of_credit(words: &str) -> bool {
    let words = words.to_lowercase();
    ["insufficient_quota", "exceeded your current quota", "credit balance is too low", "insufficient credits"]
        .iter()
        .any(|sign| words.contains(sign))
}

/// What the server says, out of the shapes that errors come in.
pub(crate) fn words_of(body: &str) -> String {
    let body = body.trim();
    let said = serde_json::from_str::<Value>(body).ok().and_then(|value| {
        let first = value.get(0).unwrap_or(&value).clone();
        [&first["error"], &first["detail"], &first].into_iter().find_map(words_in)
    });
    match said {
        Some(words) => start_of(words.trim_end_matches('.')),
        None if body.is_empty() => "it said nothing".into(),
        None if body.starts_with('<') => "it sent a web page".into(),
        None => start_of(body.trim_end_matches('.')),
    }
}

fn words_in(error: &Value) -> Option<String> {
    let text = match error {
        Value::String(text) => return Some(text.clone()),
        Value::Array(items) => return items.iter().find_map(words_in),
        Value::Object(_) => ["message", "msg"].into_iter().find_map(|name| error[name].as_str())?,
        Value::Null | Value::Bool(_) | Value::Number(_) => return None,
    };
    // A code says more than some messages, and what a field is called may stand nowhere else.
    let facts =
        ["code", "param"].into_iter().filter_map(|name| error[name].as_str()).filter(|fact| !text.contains(*fact));
    let facts = facts.collect::<Vec<_>>().join(", ");
    Some(if facts.is_empty() { text.to_owned() } else { format!("{} ({facts})", text.trim_end_matches('.')) })
}
