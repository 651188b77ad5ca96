//! The stand-in for the architect: a form by rule, from the words that people use when they describe one.
//!
//! It takes a title and a list out of the sentence and guesses each kind from its words, in both languages. It never
//! invents a field; where it finds no list, it asks for everything in one long text. Whoever shows its draft must say
//! that it is a stand-in's.

mod kinds;
mod outline;

use enza_kernel::conversation::{Message, Reply, Request, ToolCall, Usage, estimate_tokens};
use enza_kernel::text::Lang;
use serde::Deserialize as _;
use serde_json::json;

use super::prompts::ArchitectTask;
use super::sketch::{Sketch, SketchedField};
use super::tools::WRITE_FORM;
use crate::words::words;
use enza_interview::Kind;

/// No more fields than the tool takes.
const MOST_FIELDS: usize = 20;
const LONGEST_TITLE: usize = 60;
const LONGEST_LABEL: usize = 40;

/// The reply to the architect's prompt.
pub fn understudy(request: &Request) -> Reply {
    let task = request.task.as_ref().and_then(|task| ArchitectTask::deserialize(task).ok());
    let Some(task) = task else {
        // Nothing to write from: the loop will say what is left to do, and end.
        return Reply { usage: usage(request, 1), ..Reply::default() };
    };
    let arguments = json!(sketch(&task.sentence, task.language));
    let written = estimate_tokens(&arguments.to_string()) + 8;
    // The loop gives a call without an id one of its own.
    let call = ToolCall { id: String::new(), tool: WRITE_FORM.to_owned(), arguments };
    Reply { text: String::new(), calls: vec![call], usage: usage(request, written), ..Reply::default() }
}

fn sketch(sentence: &str, lang: Lang) -> Sketch {
    let outline = outline::read(sentence);
    let mut fields: Vec<SketchedField> =
        outline.items.iter().filter_map(|item| field(item)).take(MOST_FIELDS).collect();
    if fields.is_empty() {
        let label = words(lang).say("understudy.sketch_label").to_owned();
        fields.push(SketchedField { label, kind: Kind::LongText, required: true, ..SketchedField::default() });
    }
    let title = shortened(&outline.title, LONGEST_TITLE);
    let title = if title.is_empty() { words(lang).say("understudy.new_form").to_owned() } else { title };
    Sketch { title, fields }
}

fn field(item: &str) -> Option<SketchedField> {
    let item = outline::parse_item(item);
    let label = shortened(&item.label, LONGEST_LABEL);
    if !label.chars().any(char::is_alphanumeric) {
        return None;
    }
    let kind = if item.options.is_empty() { kinds::guess(&label) } else { Kind::Choice };
    let required = !item.is_optional && !kinds::is_a_remark(&label);
    let options = (!item.options.is_empty()).then_some(item.options);
    Some(SketchedField { label, kind, required, options, ..SketchedField::default() })
}

/// The beginning, with a capital where the script has them, and nothing that cannot be seen.
fn shortened(text: &str, most: usize) -> String {
    let mut letters = text.trim().chars().filter(|letter| !letter.is_control()).take(most);
    let first = letters.next().map(|letter| letter.to_uppercase().to_string()).unwrap_or_default();
    first.chars().chain(letters).collect::<String>().trim().to_owned()
}

/// What a model would have counted: the whole prompt as input, and no more output than it may write.
fn usage(request: &Request, written: u64) -> Usage {
    let parts = request.stable.iter().chain(&request.fresh);
    let sections: u64 = parts.map(|part| estimate_tokens(&part.text)).sum();
    let thread: u64 = request.messages.iter().map(Message::tokens).sum();
    Usage { input: sections + thread, output: written.min(u64::from(request.max_output)), ..Usage::default() }
}
