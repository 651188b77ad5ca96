//! What the agents' tools do: `ask` and `subtask` for the interviewer, `review` for the reviewer.
//!
//! All three are pure. Whatever a model calls out of turn is answered with an error that says what to do instead, and
//! changes nothing.

use enza_kernel::agent::{Agent, Verdict};
use enza_kernel::application::Draft;
use enza_kernel::conversation::{Calling, Sampling, ToolCall, ToolSpec};
use enza_kernel::limits;
use enza_kernel::schema::{self, Check};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::finding::Finding;
use super::prompts::Next;
use super::state::{INTERVIEWER, INTERVIEWING, REVIEWER, REVIEWING};
use super::{Interview, flow, prompts};

/// A longer question is none; a model that goes on and on is stopped by its schema. The schema of `Ask` says the same.
const LONGEST_QUESTION: usize = 300;

pub(super) const ASK: &str = "ask";
pub(super) const SUBTASK: &str = "subtask";
pub(super) const REVIEW: &str = "review";

/// A question to the respondent.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Ask {
    /// The question, in the language of the form.
    #[schemars(length(max = 300))]
    question: String,
}

/// Work for another agent.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Subtask {
    /// Which agent.
    agent: Helper,
}

/// An agent that takes work.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(rename_all = "snake_case")]
enum Helper {
    /// Checks the answers to the current field.
    Reviewer,
}

impl Check for Ask {
    fn check(&self) -> Result<(), String> {
        let length = limits::length(&self.question);
        if length > LONGEST_QUESTION {
            return Err(format!("question: it has {length} letters, at most {LONGEST_QUESTION} are allowed"));
        }
        limits::NOTE.check(&self.question).map(drop).map_err(|unfit| format!("question: {unfit}"))
    }
}

impl Check for Subtask {}

/// The agent that speaks with the respondent.
pub(super) fn interviewer() -> Agent {
    let tools = vec![
        spec::<Ask>(ASK, "Asks the respondent one question about the current field and waits for the answer."),
        spec::<Subtask>(
            SUBTASK,
            "Has the reviewer check the last answer to the current field. Call it after every answer.",
        ),
    ];
    Agent { layout_ceiling: prompts::CEILING, max_output: 512, sampling: at(0.3), ..Agent::new(INTERVIEWER, tools) }
}

/// The agent that checks; it never speaks to the respondent.
pub(super) fn reviewer() -> Agent {
    let tools = vec![spec::<Finding>(REVIEW, "Returns the result of the review.")];
    Agent { layout_ceiling: prompts::CEILING, max_output: 2_048, sampling: at(0.0), ..Agent::new(REVIEWER, tools) }
}

fn at(temperature: f32) -> Sampling {
    Sampling { temperature: Some(temperature), ..Sampling::default() }
}

fn spec<T: JsonSchema>(name: &str, description: &str) -> ToolSpec {
    ToolSpec { name: name.to_owned(), description: description.to_owned(), parameters: schema::schema_of::<T>() }
}

/// The call that takes the interview on.
pub(super) fn wanted(next: Next) -> Calling {
    let tool = match next {
        Next::Ask => ASK,
        Next::Subtask => SUBTASK,
        Next::Review => REVIEW,
    };
    Calling::Only(tool.to_owned())
}

/// Decides a call. The loop has seen to it that the agent owns the tool.
pub(super) fn call(draft: &mut Draft<'_, Interview>, call: &ToolCall) -> Verdict {
    let decided = match call.tool.as_str() {
        ASK => ask(draft, call),
        SUBTASK => subtask(draft, call),
        REVIEW => review(draft, call),
        other => Err(format!("There is no tool named {other}.")),
    };
    decided.unwrap_or_else(Verdict::Refuse)
}

fn ask(draft: &Draft<'_, Interview>, call: &ToolCall) -> Result<Verdict, String> {
    let Ask { question } = schema::read(&call.arguments).map_err(|malformed| malformed.to_string())?;
    let Some((_, record)) = draft.state.current() else { return Err("There is nothing left to ask.".to_owned()) };
    if record.at() != INTERVIEWING {
        return Err("Not asked: the last answer is being reviewed. Wait for the result.".to_owned());
    }
    if record.unreviewed {
        return Err("Not asked: the last answer has not been reviewed. \
                    Run subtask with {\"agent\":\"reviewer\"} first, then ask on."
            .to_owned());
    }
    Ok(Verdict::Ask(question))
}

fn subtask(draft: &mut Draft<'_, Interview>, call: &ToolCall) -> Result<Verdict, String> {
    let Subtask { agent: Helper::Reviewer } =
        schema::read(&call.arguments).map_err(|malformed| malformed.to_string())?;
    let Some(place) = draft.state.current_place() else { return Err("There is nothing left to review.".to_owned()) };
    let record = &draft.state.records[place];
    if record.at() == REVIEWING {
        return Err("The last answer is being reviewed already. Wait for the result.".to_owned());
    }
    if !record.unreviewed {
        return Err("There is no answer to review yet. Ask about the current field using ask.".to_owned());
    }
    flow::begin_review(draft, place).map_err(|stay| stay.to_string())?;
    Ok(Verdict::Delegate)
}

fn review(draft: &mut Draft<'_, Interview>, call: &ToolCall) -> Result<Verdict, String> {
    let finding: Finding = schema::read(&call.arguments).map_err(|malformed| malformed.to_string())?;
    let under_review = draft.state.current_place().filter(|place| draft.state.records[*place].at() == REVIEWING);
    let Some(place) = under_review else { return Err("No field is under review.".to_owned()) };
    finding.fits(&draft.state.form.fields[place], &draft.state.records[place].review)?;
    flow::take_finding(draft, place, finding).map_err(|stay| stay.to_string())?;
    Ok(Verdict::Finish)
}
