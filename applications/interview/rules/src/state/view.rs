//! An interview's state under the names of the source document: one `MainSessionState` for each session.
//!
//! The truth is the log, and `State` is what rules need of it; this is the same as others may expect to read it. It is
//! made anew whenever it is asked for, and nothing reads it back.

use std::collections::BTreeMap;

use enza_kernel::agent::ThreadState;
use enza_kernel::conversation::Message;
use serde::Serialize;
use serde_json::{Value, json};

use super::{ARCHITECT, GREETER, INTERVIEWER, Stage, State};
use crate::command::Bootstrap;
use crate::form::Form;
use crate::plan::Plan;

/// The state of a session, by the document's names.
#[derive(Debug, Clone, PartialEq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct MainSessionState {
    pub session_id: String,
    /// The agents under way, the running one last.
    pub agent_stack: Vec<AgentStackEntry>,
    /// The history of the agent that speaks with the respondent.
    pub messages: Vec<Message>,
    /// The last result of each field's reviews, by field id.
    pub sub_session_results: BTreeMap<String, Value>,
    /// Where the respondent is at home.
    pub bootstrap: Bootstrap,
    /// The form, as it was when the interview was opened.
    pub form: SessionForm,
    /// The order of the fields, once it is decided.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub plan: Option<Plan>,
    /// The place of the current field in the plan.
    pub current_field_index: usize,
    /// The values, by field id.
    pub collected_fields: BTreeMap<String, String>,
    /// How often the current field was sent back.
    pub follow_up_count: u32,
    /// When it began, in milliseconds since 1970.
    pub created_at: i64,
    /// When something last happened.
    pub updated_at: i64,
}

/// An agent under way.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct AgentStackEntry {
    pub agent: String,
    /// Its thread, where it is a sub-session.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub sub_session_id: Option<String>,
}

/// A form, by the document's names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct SessionForm {
    pub fields: Vec<FormField>,
    /// The facts of all fields.
    pub facts: Vec<FactDefinition>,
}

/// A field, by the document's names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FormField {
    /// What facts refer to.
    pub id: String,
    /// Its name in values and exports.
    pub field_id: String,
    /// What the respondent sees.
    pub label: String,
    pub intent: Option<String>,
    /// Whether the form cannot be submitted without it.
    pub required: bool,
    /// Its place in the form.
    pub sort_order: usize,
}

/// A fact, by the document's names.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
#[serde(rename_all = "camelCase")]
pub struct FactDefinition {
    /// Its name among all facts.
    pub id: String,
    /// The field it belongs to.
    pub form_field_id: String,
    /// Its name in reviews and exports.
    pub fact_key: String,
    pub fact: String,
    /// When it is known well enough.
    pub done_criteria: String,
    pub questioning_hints: Option<String>,
}

impl State {
    /// The state by the document's names.
    pub fn main_session_state(&self, session_id: &str) -> MainSessionState {
        let results = self.records.iter().filter_map(|record| Some((record.id.clone(), json!(record.finding()?))));
        let place = |plan: &Plan| {
            let current = self.current.as_deref().and_then(|id| self.record(id));
            let field = current.map(|record| &self.form.fields[record.place].field_id);
            plan.fields.iter().position(|planned| Some(&planned.field_id) == field).unwrap_or(plan.fields.len())
        };
        MainSessionState {
            session_id: session_id.to_owned(),
            agent_stack: self.agent_stack(),
            messages: self.speaker().map(|thread| thread.messages.clone()).unwrap_or_default(),
            sub_session_results: results.collect(),
            bootstrap: self.bootstrap.clone(),
            form: session_form(&self.form),
            current_field_index: self.plan.as_ref().map_or(0, place),
            plan: self.plan.clone(),
            collected_fields: self.values().into_iter().map(|(id, value)| (id.to_owned(), value.to_owned())).collect(),
            follow_up_count: self.current().map_or(0, |(_, record)| record.follow_ups()),
            created_at: self.opened.0,
            updated_at: self.changed.0,
        }
    }

    /// The agent that follows another, by the document: the orchestrator's order.
    pub fn next_agent(agent: &str) -> Option<&'static str> {
        match agent {
            GREETER => Some(ARCHITECT),
            ARCHITECT | super::REVIEWER => Some(INTERVIEWER),
            _ => None,
        }
    }

    fn agent_stack(&self) -> Vec<AgentStackEntry> {
        let speaker = match self.stage {
            Stage::Greeting => Some(GREETER),
            Stage::Planning => Some(ARCHITECT),
            Stage::Interviewing => Some(INTERVIEWER),
            Stage::New
            | Stage::Confirming
            | Stage::Choosing
            | Stage::Delivering
            | Stage::Delivered
            | Stage::Abandoned => None,
        };
        let speaker = speaker.map(|agent| AgentStackEntry { agent: agent.to_owned(), sub_session_id: None });
        let children = self
            .cast
            .threads
            .iter()
            .filter(|(_, thread)| thread.agent == super::REVIEWER && thread.standing != ThreadState::Resting);
        let children = children
            .map(|(name, thread)| AgentStackEntry { agent: thread.agent.clone(), sub_session_id: Some(name.clone()) });
        speaker.into_iter().chain(children).collect()
    }

    fn speaker(&self) -> Option<&enza_kernel::agent::Thread> {
        [INTERVIEWER, ARCHITECT, GREETER].into_iter().find_map(|name| self.cast.threads.get(name))
    }
}

fn session_form(form: &Form) -> SessionForm {
    let fields = form.fields.iter().enumerate().map(|(place, field)| FormField {
        id: field.field_id.clone(),
        field_id: field.field_id.clone(),
        label: field.label.clone(),
        intent: field.intent.clone(),
        required: field.required,
        sort_order: place,
    });
    let facts = form.fields.iter().flat_map(|field| field.facts.iter().map(move |fact| (field, fact)));
    let facts = facts.map(|(field, fact)| FactDefinition {
        id: format!("{}.{}", field.field_id, fact.fact_key),
        form_field_id: field.field_id.clone(),
        fact_key: fact.fact_key.clone(),
        fact: fact.fact.clone(),
        done_criteria: fact.done_criteria.clone(),
        questioning_hints: fact.questioning_hints.clone(),
    });
    SessionForm { fields: fields.collect(), facts: facts.collect() }
}
