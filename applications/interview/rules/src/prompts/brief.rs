//! What an agent is to do now: as data for the understudy, and as the last sentence of its prompt.

use enza_kernel::text::Lang;
use serde::{Deserialize, Serialize};

use super::{fields, subject};
use crate::findings::is_last_round;
use crate::form::Field;
use crate::greeter_tasks;
use crate::locale::Locale;
use crate::phrase::unpunctuated;
use crate::plan::Plan;
use crate::state::{ARCHITECT, FieldRecord, GREETER, REVIEWER, State};
use crate::words::words;

/// What is to be done now, with all that a stand-in needs for it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Brief {
    pub next: NextTool,
    pub language: Lang,
    pub title: String,
    /// What the greeter still has to do.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub remaining: Vec<String>,
    /// The form's own order, for the architect.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub fields: Vec<String>,
    /// The field that is spoken of.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub about: Option<FieldBrief>,
}

/// The field that is spoken of, and what was said about it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct FieldBrief {
    pub label: String,
    pub field: Field,
    pub locale: Locale,
    pub today: String,
    /// Whether the field cannot be sent back any more.
    pub last_round: bool,
    /// What was lacking when it was sent back.
    pub lacking: Vec<String>,
    /// What was answered, the last at the end.
    pub answers: Vec<String>,
}

/// The tool that is to be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(crate) enum NextTool {
    /// The greeter's first word.
    Greet,
    /// The greeter keeps what it heard, or asks on.
    Settle,
    Plan,
    Ask,
    Subtask,
    Review,
}

/// What an agent is to do now.
pub(crate) fn brief(state: &State, agent: &str, thread: &str) -> Option<Brief> {
    let plain = |next| Brief {
        next,
        language: state.lang(),
        title: state.form.title.clone(),
        remaining: Vec::new(),
        fields: Vec::new(),
        about: None,
    };
    match agent {
        GREETER => {
            let next = if state.greetings == 0 { NextTool::Greet } else { NextTool::Settle };
            Some(Brief { remaining: greeter_tasks(state), ..plain(next) })
        }
        ARCHITECT => {
            let fields = Plan::as_written(&state.form).fields.into_iter().map(|planned| planned.field_id);
            Some(Brief { fields: fields.collect(), ..plain(NextTool::Plan) })
        }
        _ => {
            let record = subject(state, agent, thread)?;
            let next = match (agent == REVIEWER, record.unreviewed) {
                (true, true | false) => NextTool::Review,
                (false, true) => NextTool::Subtask,
                (false, false) => NextTool::Ask,
            };
            Some(Brief { about: Some(about(state, record)), ..plain(next) })
        }
    }
}

fn about(state: &State, record: &FieldRecord) -> FieldBrief {
    FieldBrief {
        label: state.label(record),
        field: state.field_of(record).clone(),
        locale: state.locale(),
        today: state.today.clone(),
        last_round: is_last_round(&record.review),
        lacking: record
            .finding()
            .filter(|finding| !finding.passed)
            .map(|finding| finding.lacking())
            .unwrap_or_default(),
        answers: record.exchanges.iter().map(|one| one.answer.clone()).collect(),
    }
}

/// The task in words: the last that an agent reads before it acts.
pub(super) fn sentence(state: &State, brief: &Brief) -> String {
    let lang = brief.language;
    let (label, need) = brief
        .about
        .as_ref()
        .map_or((String::new(), ""), |about| (about.label.clone(), fields::necessity(lang, about.field.required)));
    match brief.next {
        NextTool::Greet | NextTool::Settle => {
            let left = brief.remaining.join("; ");
            words(lang).fill("brief.left", &[("left", &left)])
        }
        NextTool::Plan => words(lang).say("brief.plan").to_owned(),
        NextTool::Ask => {
            let (done, total) = state.progress();
            words(lang).fill("brief.ask", &[("label", &label), ("need", &need), ("total", &total), ("done", &done)])
        }
        NextTool::Subtask => {
            words(lang).fill("brief.subtask", &[("field", &unpunctuated(&label)), ("call", &r#"{"agent":"reviewer"}"#)])
        }
        NextTool::Review => {
            let last_round = brief.about.as_ref().is_some_and(|about| about.last_round);
            let last = if last_round { words(lang).say("brief.last_round") } else { "" };
            words(lang).fill("brief.review", &[("label", &label), ("need", &need), ("last", &last)])
        }
    }
}
