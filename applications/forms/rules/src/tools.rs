//! The architect and its one tool, `write_form`.
//!
//! The tool is pure. A sketch that makes no form that can be asked is answered with what is wrong with it, and changes
//! nothing; one that does replaces the draft and ends the thread.

use enza_kernel::agent::{Agent, CallVerdict};
use enza_kernel::application::{Draft, Reason as _};
use enza_kernel::conversation::{Sampling, ToolCall, ToolSpec};
use enza_kernel::schema;
use enza_kernel::text::Lang;

use super::commands::replace;
use super::event::Author;
use super::sketch::Sketch;
use super::state::ARCHITECT;
use super::{Forms, prompts};

pub(super) const WRITE_FORM: &str = "write_form";
/// A sketch of twenty fields in Japanese takes about this much.
const LONGEST_REPLY: u32 = 3_000;
/// A model that cannot write a form in so many attempts will not; the owner waits meanwhile.
const ROUNDS: u32 = 5;

/// The agent that writes drafts.
pub(super) fn architect() -> Agent {
    let tool = ToolSpec {
        name: WRITE_FORM.to_owned(),
        description: "Writes the form: its title and its fields, in order.".to_owned(),
        parameters: schema::schema_of::<Sketch>(),
    };
    Agent {
        layout_ceiling: prompts::CEILING,
        max_output: LONGEST_REPLY,
        rounds: ROUNDS,
        sampling: Sampling { temperature: Some(0.2), ..Sampling::default() },
        ..Agent::new(ARCHITECT, vec![tool])
    }
}

/// Decides a call. The loop has seen to it that it is `write_form`.
pub(super) fn call(draft: &mut Draft<'_, Forms>, call: &ToolCall) -> CallVerdict {
    let sketch: Sketch = match schema::read(&call.arguments) {
        Ok(sketch) => sketch,
        Err(malformed) => return CallVerdict::Refuse(malformed.to_string()),
    };
    match sketch.into_form(draft.state.draft.language).checked() {
        Ok(form) => {
            replace(draft, form, Author::Architect);
            CallVerdict::Finish
        }
        Err(fault) => {
            let said = fault.say(Lang::En);
            CallVerdict::Refuse(format!("{} {} Write the whole form again.", said.message, said.hint))
        }
    }
}
