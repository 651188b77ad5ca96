//! What the agents read: rules, the form, the field under way, and what is known.
//!
//! Done criteria are for the reviewer alone and questioning hints for the interviewer alone; the layout sees to it.
//! A respondent's words stand in fences, or as strings inside JSON lines, never bare. The section `task` comes last and
//! says in one sentence what is to be done now; the understudy gets the same as data, with the conversation so far.
//! Nothing here grows with the number of fields that are done.
//!
//! All texts exist in Japanese and English, and say the same.

mod brief;
mod fields;
mod messages;

use std::fmt::Write as _;

use enza_kernel::prompt::{Layout, Section};

use super::locale::language_name;
use super::state::{ARCHITECT, FieldRecord, GREETER, INTERVIEWER, REVIEWER, State};
use crate::words::words;

pub(super) use brief::{Brief, FieldBrief, NextTool, brief};
pub(super) use messages::{
    asking_on, greeting, in_another_language, next, opening, planning, reopening, result, so_far,
};

/// The most tokens of a prompt without its thread: the layers below, and the tools.
pub(super) const CEILING: u64 = RULES + FORM + TASK + FIELD + FACTS + 1_000;
const RULES: u64 = 1_500;
const FORM: u64 = 2_500;
const TASK: u64 = 1_200;
const FIELD: u64 = 3_000;
const FACTS: u64 = 1_000;
/// Room for the thread beside it; threads are compacted long before, so that no section has to give way to one.
const THREAD: u64 = 100_000;

/// The prompt of an agent in its thread.
pub(super) fn layout(state: &State, agent: &str, thread: &str) -> Layout {
    let layout = Layout::new(CEILING + THREAD)
        .layer("rules", RULES, [Section::new("rules", rules(state, agent))])
        .layer("form", FORM, [Section::new("form", overview(state, agent)).trimmed(4)]);
    let layout = match subject(state, agent, thread) {
        Some(record) => about(layout, state, agent, record),
        None => layout,
    };
    let sentence = brief(state, agent, thread).map(|brief| brief::sentence(state, &brief)).unwrap_or_default();
    layout.layer("task", TASK, [Section::new("task", sentence).fresh()])
}

/// The record that an agent's thread is about.
pub(super) fn subject<'a>(state: &'a State, agent: &str, thread: &str) -> Option<&'a FieldRecord> {
    match agent {
        INTERVIEWER => state.current().map(|(_, record)| record),
        REVIEWER => state.records.iter().find(|record| record.thread.as_deref() == Some(thread)),
        _ => None,
    }
}

fn about(layout: Layout, state: &State, agent: &str, record: &FieldRecord) -> Layout {
    let lang = state.lang();
    let field = state.field_of(record);
    let own = match agent {
        REVIEWER => Section::new("criteria", fields::criteria(field)),
        _ => Section::new("hints", fields::hints(field)),
    };
    layout
        .layer(
            "field",
            FIELD,
            [Section::new("field", fields::definition(state, record)).fresh().trimmed(1), own.fresh().trimmed(2)],
        )
        .layer(
            "facts",
            FACTS,
            [Section::new("facts", fields::known(state, record, lang, agent == INTERVIEWER)).fresh().trimmed(3)],
        )
}

fn rules(state: &State, agent: &str) -> String {
    let lang = state.lang();
    let text = match agent {
        GREETER => lang.pick(include_str!("greeter.ja.txt"), include_str!("greeter.en.txt")),
        ARCHITECT => lang.pick(include_str!("architect.ja.txt"), include_str!("architect.en.txt")),
        REVIEWER => lang.pick(include_str!("reviewer.ja.txt"), include_str!("reviewer.en.txt")),
        _ => lang.pick(include_str!("interviewer.ja.txt"), include_str!("interviewer.en.txt")),
    };
    text.replace("{language}", &language_name(&state.locale().language, lang))
}

/// The form at a glance. The reviewer finds ids in it, the architect what depends on what, the interviewer neither.
fn overview(state: &State, agent: &str) -> String {
    let lang = state.lang();
    let form = &state.form;
    let mut out = format!("{}: {}\n", words(lang).say("prompt.form"), form.title);
    if agent == GREETER {
        return out;
    }
    if let Some(description) = &form.description {
        let _ = writeln!(out, "{}", fields::excerpt(description, 300));
    }
    for field in form.fields.iter().filter(|field| !field.hidden) {
        let id = if agent == INTERVIEWER { String::new() } else { format!("{}: ", field.field_id) };
        let _ = write!(out, "- {id}{} ({})", field.label, fields::necessity(lang, field.required));
        if agent == ARCHITECT {
            let looks_at = field.when.iter().map(|condition| &condition.field).chain(&field.depends_on);
            let looks_at: Vec<&str> = looks_at.map(String::as_str).collect();
            if !looks_at.is_empty() {
                let _ = write!(out, " {} {}", words(lang).say("prompt.after"), looks_at.join(", "));
            }
            if let Some(group) = &field.group {
                let _ = write!(out, " {} {group}", words(lang).say("prompt.group"));
            }
        }
        out.push('\n');
    }
    out
}
