//! A reply as chat completions send it: in chunks, or whole where a server takes no notice of `stream`.
//!
//! Pure: events in, a draft that grows. Servers differ in what they leave out, so everything may be missing and nothing
//! unknown is an error. A reply is whole once it has a reason to end or `[DONE]` came; what follows is only the count.

use enza_kernel::conversation::Stop;
use enza_runtime::seams::model::ModelFailure;
use serde_json::Value;

use crate::draft::Draft;
use crate::failure::in_stream;
use crate::http::Flow;

/// Reads the events of one reply.
#[derive(Debug, Default)]
pub(crate) struct ChatReader {
    /// For each index the server used, the place of the call it stands for now, and its id.
    open: Vec<(u64, usize, String)>,
    refusal: String,
    filtered: bool,
}

impl ChatReader {
    /// Takes the data of one event.
    pub fn event(&mut self, data: &str, draft: &mut Draft) -> Result<Flow, ModelFailure> {
        if data.trim() == "[DONE]" {
            draft.stop.get_or_insert(Stop::Finished);
            return Ok(Flow::Done);
        }
        let chunk: Value = serde_json::from_str(data)
            .map_err(|_| ModelFailure::Broken(format!("it sent an event that is not JSON: {}", start_of(data))))?;
        self.take(&chunk, "delta", draft)?;
        Ok(Flow::More)
    }

    /// Takes a whole reply.
    pub fn whole(&mut self, body: &Value, draft: &mut Draft) -> Result<(), ModelFailure> {
        self.take(body, "message", draft)?;
        if body["choices"].is_array() {
            draft.stop.get_or_insert(Stop::Finished);
        }
        Ok(())
    }

    /// What is wrong with a reply that has ended, if it is no reply.
    pub fn verdict(&self, draft: &Draft) -> Result<(), ModelFailure> {
        if !self.refusal.is_empty() {
            return Err(ModelFailure::Refused(format!("the model declined: {}", self.refusal)));
        }
        if self.filtered {
            let said = start_of(draft.said());
            let words = if said.is_empty() { "it gave no reason".to_owned() } else { format!("it had said: {said}") };
            return Err(ModelFailure::Refused(format!("the provider's content filter stopped the reply; {words}")));
        }
        Ok(())
    }

    fn take(&mut self, chunk: &Value, message: &str, draft: &mut Draft) -> Result<(), ModelFailure> {
        if let Some(error) = chunk.get("error").filter(|error| !error.is_null()) {
            return Err(in_stream(error));
        }
        count(chunk, draft);
        let choice = &chunk["choices"][0];
        self.take_message(&choice[message], draft);
        match choice["finish_reason"].as_str() {
            Some("length") => draft.stop = Some(Stop::Cut),
            Some("content_filter") => {
                self.filtered = true;
                draft.stop = Some(Stop::Finished);
            }
            Some("error") => return Err(in_stream(&choice["error"])),
            Some(_) => draft.stop = Some(Stop::Finished),
            None => {}
        }
        Ok(())
    }

    fn take_message(&mut self, message: &Value, draft: &mut Draft) {
        for name in ["reasoning_content", "reasoning"] {
            if let Some(text) = message[name].as_str().filter(|text| !text.is_empty()) {
                draft.reasoning(text);
                break;
            }
        }
        match &message["content"] {
            Value::String(text) => draft.text(text),
            Value::Array(parts) => {
                parts.iter().filter_map(|part| part["text"].as_str()).for_each(|text| draft.text(text));
            }
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Object(_) => {}
        }
        if let Some(refusal) = message["refusal"].as_str() {
            self.refusal.push_str(refusal);
        }
        for (place, call) in message["tool_calls"].as_array().into_iter().flatten().enumerate() {
            self.take_call(call, place as u64, draft);
        }
    }

    /// A part of a call. Some servers give no index, or the same one to all calls; then a new id begins a new call.
    fn take_call(&mut self, part: &Value, place: u64, draft: &mut Draft) {
        let index = part["index"].as_u64().unwrap_or(place);
        let id = part["id"].as_str().unwrap_or_default();
        let tool = part["function"]["name"].as_str().unwrap_or_default();
        let known = self.open.iter().rposition(|(at, _, _)| *at == index);
        let known = known.filter(|at| tool.is_empty() || id.is_empty() || self.open[*at].2 == id);
        let call = match known {
            Some(at) => self.open[at].1,
            None => {
                let call = draft.call(id, tool);
                self.open.push((index, call, id.to_owned()));
                call
            }
        };
        match &part["function"]["arguments"] {
            Value::String(fragment) => draft.arguments(call, fragment),
            Value::Object(fields) => draft.arguments(call, &Value::Object(fields.clone()).to_string()),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::Array(_) => {}
        }
    }
}

/// Reads the count of tokens, wherever this server puts it.
fn count(chunk: &Value, draft: &mut Draft) {
    let usage = [&chunk["usage"], &chunk["x_groq"]["usage"]].into_iter().find(|usage| usage.is_object());
    let tally = &mut draft.tally;
    if let Some(usage) = usage {
        let number = |name: &str| usage[name].as_u64();
        tally.input = number("prompt_tokens").or(tally.input);
        // Some leave what the model thought out of `completion_tokens`, but not out of the sum.
        let thought = number("total_tokens").zip(tally.input).map(|(all, input)| all.saturating_sub(input));
        tally.output = number("completion_tokens").max(thought).or(tally.output);
        let details = &usage["prompt_tokens_details"];
        let cached = details["cached_tokens"].as_u64().or(number("prompt_cache_hit_tokens"));
        tally.cache_read = cached.unwrap_or(tally.cache_read);
        tally.cache_write = details["cache_write_tokens"].as_u64().unwrap_or(tally.cache_write);
        tally.cost = usage["cost"].as_f64().map(|dollars| (dollars * 1e6).ceil() as u64).or(tally.cost);
    }
    let timings = &chunk["timings"];
    if let Some(read) = timings["prompt_n"].as_u64() {
        let cached = timings["cache_n"].as_u64().or(chunk["tokens_cached"].as_u64()).unwrap_or(0);
        tally.cache_read = tally.cache_read.max(cached);
        tally.input.get_or_insert(read + cached);
        tally.output = tally.output.or(timings["predicted_n"].as_u64());
    }
}

/// The beginning of a text, for a message.
pub(crate) fn start_of(text: &str) -> String {
    let text = text.trim();
    let start: String = text.chars().take(200).collect();
    if start.len() < text.len() { format!("{start}…") } else { start }
}
