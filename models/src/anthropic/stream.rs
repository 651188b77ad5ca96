//! A reply as the Messages API sends it: block by block, or whole where a server takes no notice of `stream`.
//!
//! Pure: events in, a draft that grows. Events and blocks that are not known are passed over; more will come. A reply is
//! whole once it has a reason to end. Its prompt is what was read anew, from the cache and into the cache together.

use enza_kernel::conversation::Stop;
use enza_runtime::seams::model::ModelFailure;
use serde_json::Value;

use crate::draft::Draft;
use crate::failure::in_stream;
use crate::http::Flow;
use crate::openai::stream::start_of;

/// Reads the events of one reply.
#[derive(Debug, Default)]
pub(crate) struct MessagesReader {
    /// The places of the calls, by the index of their block, each with the input it began with.
    calls: Vec<(u64, usize, Value)>,
    anew: Option<u64>,
    refused: bool,
    explanation: String,
}

impl MessagesReader {
    /// Takes the data of one event. Its name is in the data, too.
    pub fn event(&mut self, data: &str, draft: &mut Draft) -> Result<Flow, ModelFailure> {
        let event: Value = serde_json::from_str(data)
            .map_err(|_| ModelFailure::Broken(format!("it sent an event that is not JSON: {}", start_of(data))))?;
        let index = event["index"].as_u64().unwrap_or_default();
        match event["type"].as_str().unwrap_or_default() {
            "message_start" => self.count(&event["message"]["usage"], draft),
            "content_block_start" => self.begin(index, &event["content_block"], draft),
            "content_block_delta" => self.go_on(index, &event["delta"], draft),
            "content_block_stop" => self.end(index, draft),
            "message_delta" => {
                self.count(&event["usage"], draft);
                self.stop(&event["delta"], draft);
            }
            "message_stop" => {
                draft.stop.get_or_insert(Stop::Finished);
                return Ok(Flow::Done);
            }
            "error" => return Err(in_stream(&event["error"])),
            _ => {}
        }
        Ok(Flow::More)
    }

    /// Takes a whole reply.
    pub fn whole(&mut self, body: &Value, draft: &mut Draft) -> Result<(), ModelFailure> {
        if let Some(error) = body.get("error").filter(|error| !error.is_null()) {
            return Err(in_stream(error));
        }
        self.count(&body["usage"], draft);
        let Some(blocks) = body["content"].as_array() else { return Ok(()) };
        for (index, block) in blocks.iter().enumerate() {
            self.begin(index as u64, block, draft);
            self.end(index as u64, draft);
        }
        draft.stop = Some(Stop::Finished);
        self.stop(body, draft);
        Ok(())
    }

    /// What is wrong with a reply that has ended, if it is no reply.
    pub fn verdict(&self, draft: &Draft) -> Result<(), ModelFailure> {
        if !self.refused {
            return Ok(());
        }
        let words = [self.explanation.as_str(), draft.said()].into_iter().map(start_of).find(|words| !words.is_empty());
        Err(ModelFailure::Refused(format!("the model declined: {}", words.as_deref().unwrap_or("it gave no reason"))))
    }

    fn begin(&mut self, index: u64, block: &Value, draft: &mut Draft) {
        match block["type"].as_str().unwrap_or_default() {
            "text" => draft.text(block["text"].as_str().unwrap_or_default()),
            "thinking" => draft.reasoning(block["thinking"].as_str().unwrap_or_default()),
            "tool_use" => {
                let call =
                    draft.call(block["id"].as_str().unwrap_or_default(), block["name"].as_str().unwrap_or_default());
                self.calls.push((index, call, block["input"].clone()));
            }
            _ => {}
        }
    }

    fn go_on(&mut self, index: u64, delta: &Value, draft: &mut Draft) {
        match delta["type"].as_str().unwrap_or_default() {
            "text_delta" => draft.text(delta["text"].as_str().unwrap_or_default()),
            "thinking_delta" => draft.reasoning(delta["thinking"].as_str().unwrap_or_default()),
            "input_json_delta" => {
                let call = self.calls.iter().rfind(|(at, _, _)| *at == index);
                if let Some((_, call, _)) = call {
                    draft.arguments(*call, delta["partial_json"].as_str().unwrap_or_default());
                }
            }
            _ => {}
        }
    }

    /// A call may have come with its whole input at once.
    fn end(&mut self, index: u64, draft: &mut Draft) {
        let call = self.calls.iter().rfind(|(at, _, _)| *at == index);
        if let Some((_, call, input)) = call
            && !draft.has_arguments(*call)
            && input.as_object().is_some_and(|fields| !fields.is_empty())
        {
            draft.arguments(*call, &input.to_string());
        }
    }

    fn stop(&mut self, delta: &Value, draft: &mut Draft) {
        match delta["stop_reason"].as_str() {
            Some("max_tokens" | "model_context_window_exceeded") => draft.stop = Some(Stop::Cut),
            Some("refusal") => {
                self.refused = true;
                self.explanation = delta["stop_details"]["explanation"].as_str().unwrap_or_default().to_owned();
                draft.stop = Some(Stop::Finished);
            }
            Some(_) => draft.stop = Some(Stop::Finished),
            None => {}
        }
    }

    fn count(&mut self, usage: &Value, draft: &mut Draft) {
        let number = |name: &str| usage[name].as_u64();
        let tally = &mut draft.tally;
        self.anew = number("input_tokens").or(self.anew);
        tally.cache_read = number("cache_read_input_tokens").unwrap_or(tally.cache_read);
        tally.cache_write = number("cache_creation_input_tokens").unwrap_or(tally.cache_write);
        tally.input = self.anew.map(|anew| anew + tally.cache_read + tally.cache_write);
        // The first event counts what is written so far: nothing, or a token.
        tally.output = number("output_tokens").filter(|written| *written > 0).or(tally.output);
    }
}
