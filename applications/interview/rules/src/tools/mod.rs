//! What the agents' tools do, and who has which.
//!
//! All are pure. Whatever a model calls out of turn is answered with an error that says what to do instead, and changes
//! nothing. Reviews are begun by the session as soon as there is an answer, so that `subtask` costs no call of its own;
//! the interviewer still has it, for an answer that waits for a review.

mod bootstrap;

use enza_kernel::agent::{Agent, CallVerdict};
use enza_kernel::application::Draft;
use enza_kernel::conversation::{Calling, Sampling, ToolCall, ToolSpec};
use enza_kernel::limits;
use enza_kernel::schema::{self, Check};
use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::event::DecidedBy;
use super::findings::Finding;
use super::flow::{self, review};
use super::prompts::NextTool;
use super::state::{ARCHITECT, GREETER, INTERVIEWER, INTERVIEWING, REVIEWER};
use super::{Interview, prompts};

/// A longer question is none; a model that goes on and on is stopped by its schema. The schema of `Ask` says the same.
const LONGEST_QUESTION: usize = 400;

pub(super) const ASK: &str = "ask";
pub(super) const SUBTASK: &str = "subtask";
pub(super) const REVIEW: &str = "review";
pub(super) const CREATE_PLAN: &str = "create_plan";
pub(super) const SET_LANGUAGE: &str = "set_language";
pub(super) const SET_COUNTRY: &str = "set_country";
pub(super) const SET_TIMEZONE: &str = "set_timezone";

/// A question to the respondent.
#[derive(Debug, Serialize, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
struct Ask {
    /// What the respondent is asked, in the respondent's language.
    #[schemars(length(max = 400))]
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

/// The agent that finds out where the respondent is at home.
pub(super) fn greeter() -> Agent {
    let mut tools = vec![spec::<Ask>(ASK, "Says something to the respondent and waits for the answer.")];
    tools.extend(bootstrap::greeter_specs());
    Agent { layout_ceiling: prompts::CEILING, max_output: 512, sampling: at(0.3), ..Agent::new(GREETER, tools) }
}

/// The agent that decides the order of the fields; it never speaks to the respondent.
pub(super) fn architect() -> Agent {
    let tools = vec![bootstrap::architect_spec()];
    Agent {
        layout_ceiling: prompts::CEILING,
        max_output: 2_048,
        rounds: 3,
        sampling: at(0.0),
        ..Agent::new(ARCHITECT, tools)
    }
}

/// The agent that speaks with the respondent about the fields.
pub(super) fn interviewer() -> Agent {
    let tools = vec![
        spec::<Ask>(ASK, "Asks the respondent one question about the current field and waits for the answer."),
        spec::<Subtask>(
            SUBTASK,
            "Has the reviewer check the last answer to the current field, if it still waits for that.",
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

/// The call that takes the interview on. The greeter alone has a choice.
pub(super) fn calling_for(next: NextTool) -> Calling {
    let tool = match next {
        NextTool::Greet => ASK,
        NextTool::Settle => return Calling::Any,
        NextTool::Plan => CREATE_PLAN,
        NextTool::Ask => ASK,
        NextTool::Subtask => SUBTASK,
        NextTool::Review => REVIEW,
    };
    Calling::Only(tool.to_owned())
}

/// Decides a call. The loop has seen to it that the agent owns the tool.
pub(super) fn call(draft: &mut Draft<'_, Interview>, thread: &str, call: &ToolCall) -> CallVerdict {
    let decided = match call.tool.as_str() {
        ASK => ask(draft, thread, call),
        SUBTASK => subtask(draft, call),
        REVIEW => review(draft, thread, call),
        CREATE_PLAN => bootstrap::create_plan(draft, call),
        SET_LANGUAGE => bootstrap::set_language(draft, call),
        SET_COUNTRY => bootstrap::set_country(draft, call),
        SET_TIMEZONE => bootstrap::set_timezone(draft, call),
        other => Err(format!("There is no tool named {other}.")),
    };
    decided.unwrap_or_else(CallVerdict::Refuse)
}

fn ask(draft: &Draft<'_, Interview>, thread: &str, call: &ToolCall) -> Result<CallVerdict, String> {
    let Ask { question } = read(call)?;
    if thread == GREETER {
        return Ok(CallVerdict::Ask(question));
    }
    let Some((_, record)) = draft.state.current() else { return Err("There is nothing left to ask.".to_owned()) };
    if record.at() != INTERVIEWING {
        return Err("Not asked: the last answer is being reviewed. Wait for the result.".to_owned());
    }
    if record.unreviewed {
        return Err("Not asked: the last answer has not been reviewed. \
                    Run subtask with {\"agent\":\"reviewer\"} first, then ask on."
            .to_owned());
    }
    Ok(CallVerdict::Ask(question))
}

fn subtask(draft: &mut Draft<'_, Interview>, call: &ToolCall) -> Result<CallVerdict, String> {
    let Subtask { agent: Helper::Reviewer } = read(call)?;
    let Some((_, record)) = draft.state.current() else { return Err("There is nothing left to review.".to_owned()) };
    if record.is_under_review() {
        return Err("The last answer is being reviewed already. Wait for the result.".to_owned());
    }
    if !record.unreviewed {
        return Err("The last answer has been reviewed. Ask about the current field using ask.".to_owned());
    }
    let id = record.id.clone();
    review::begin_review(draft, &id).map_err(|stay| stay.to_string())?;
    Ok(CallVerdict::Delegate)
}

fn review(draft: &mut Draft<'_, Interview>, thread: &str, call: &ToolCall) -> Result<CallVerdict, String> {
    let finding: Finding = read(call)?;
    let is_of_this_thread = |record: &&super::FieldRecord| record.thread.as_deref() == Some(thread);
    let Some(record) = draft.state.records.iter().find(is_of_this_thread).filter(|record| record.is_under_review())
    else {
        return Err("No field is under review.".to_owned());
    };
    finding.fits(draft.state.field_of(record), &record.review)?;
    let id = record.id.clone();
    review::take_finding(draft, &id, finding, DecidedBy::Agent).map_err(|stay| stay.to_string())?;
    flow::advance(draft).map_err(|stay| stay.to_string())?;
    Ok(CallVerdict::Finish)
}

fn read<T: serde::de::DeserializeOwned + JsonSchema + Check>(call: &ToolCall) -> Result<T, String> {
    schema::read(&call.arguments).map_err(|malformed| malformed.to_string())
}
