//! `enza session events`: the log, as lines for people or as JSON lines.

use enza_kernel::time::Seq;
use enza_runtime::seams::store::Recorded;
use serde_json::{Value, json};

use super::{SecretMasking, when};
use crate::arguments::SessionEvents;
use crate::environment::Environment;
use crate::screen::{Screen, clip, pad, width};
use crate::setup;
use crate::trouble::Trouble;
use crate::words::sessions as words;

/// Prints events.
pub async fn run(around: &Environment, screen: &Screen, order: &SessionEvents) -> Result<(), Trouble> {
    let engine = setup::read_only_engine(around).await?;
    let row = setup::find_session(&**engine.store(), &order.id).await?;
    let reading = setup::read_session(&engine, &row).await?;
    let events = engine.store().events(&row.id, Seq(order.after), order.limit.unwrap_or(usize::MAX)).await?;
    if events.is_empty() && !screen.json {
        return screen.say(&words::no_events(screen.lang, order.after, row.head.0));
    }
    let form = SecretMasking::of(&around.applications, &row, order.raw);
    for recorded in events.into_iter().map(|recorded| form.event(reading.event(recorded).outline())) {
        if screen.json {
            screen.value(&as_json(&recorded))?;
        } else {
            screen.say(&as_line(screen, &recorded))?;
        }
    }
    Ok(())
}

/// An event as JSON, its body opened.
pub fn as_json(recorded: &Recorded) -> Value {
    let body: Value = serde_json::from_str(&recorded.stored.body).unwrap_or(Value::Null);
    json!({
        "seq": recorded.seq,
        "at": recorded.at,
        "kind": recorded.stored.kind,
        "version": recorded.stored.version,
        "body": body,
    })
}

/// An event as one line.
pub fn as_line(screen: &Screen, recorded: &Recorded) -> String {
    let body: Value = serde_json::from_str(&recorded.stored.body).unwrap_or(Value::Null);
    let time = when(recorded.at);
    let time = time.split(' ').next_back().unwrap_or_default();
    let head = format!("{:>4}  {time}  ", recorded.seq.0);
    let kind = pad(&recorded.stored.kind, 17);
    let room = screen.width().saturating_sub(width(&head) + width(&kind));
    let line = format!("{}{kind}{}", screen.paint.faint(&head), clip(&gist(&body), room.max(10)));
    line.trim_end().to_owned()
}

/// What an event says, in a few words: the thread and what happened in it, or names and values.
fn gist(body: &Value) -> String {
    let Value::Object(fields) = body else { return String::new() };
    let thread = fields.get("thread").and_then(Value::as_str);
    let rest = fields.iter().filter(|(name, _)| name.as_str() != "thread");
    match thread {
        // In a thread one thing happens at a time; where its name says all, there is nothing behind it.
        Some(thread) => {
            let happened = rest.map(|(name, value)| if value.is_null() { name.clone() } else { part(name, value) });
            format!("{thread} {}", happened.collect::<Vec<_>>().join("  "))
        }
        None => {
            let parts = rest.map(|(name, value)| part(name, value)).filter(|part| !part.is_empty());
            parts.collect::<Vec<_>>().join("  ")
        }
    }
}

fn part(name: &str, value: &Value) -> String {
    match value {
        Value::Null => String::new(),
        Value::String(text) => format!("{name}: {text}"),
        Value::Bool(_) | Value::Number(_) => format!("{name}: {value}"),
        Value::Array(all) if all.is_empty() => String::new(),
        Value::Array(all) => format!("{name}: {}", all.iter().map(short_of).collect::<Vec<_>>().join(", ")),
        Value::Object(_) => format!("{name}: {}", short_of(value)),
    }
}

/// The one thing in a value that a person looks for: what is most telling in a reply, a call and a gate, which are the same
/// in every application, and otherwise the first part of which one can tell it.
fn short_of(value: &Value) -> String {
    const TELLING: [&str; 9] = ["text", "calls", "tool", "intent", "title", "verdict", "agent", "call", "ask"];
    match value {
        Value::String(text) => text.clone(),
        Value::Object(fields) => {
            let is_telling = |value: &&Value| matches!(value, Value::Object(inner) if TELLING.iter().any(|name| inner.contains_key(*name)));
            let telling = TELLING.iter().find_map(|name| fields.get(*name));
            let telling = telling.or_else(|| fields.values().find(is_telling));
            telling.map_or_else(|| value.to_string(), short_of)
        }
        Value::Array(all) => all.iter().map(short_of).collect::<Vec<_>>().join(", "),
        Value::Null | Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}
