//! What the agents read: rules, the form, the field under way, and what is known.
//!
//! Done criteria are for the reviewer alone and questioning hints for the interviewer alone; the layout sees to it.
//! A respondent's words stand in fences, or as strings inside JSON lines, never bare. The section `task` comes last and
//! says in one sentence what is to be done now; the understudy gets the same as data, with the conversation so far.
//!
//! All texts exist in Japanese and English, and say the same.

use std::fmt::Write as _;

use enza_kernel::prompt::{Layout, Section, fence};
use enza_kernel::text::Lang;
use serde::{Deserialize, Serialize};

use super::finding::is_last_round;
use super::form::Field;
use super::state::{INTERVIEWER, REVIEWER, Record, State};

/// The most tokens of a prompt without its thread: the layers below, and the tools.
pub(super) const CEILING: u64 = RULES + FORM + TASK + FIELD + FACTS + 600;
const RULES: u64 = 1_200;
const FORM: u64 = 1_000;
const TASK: u64 = 1_200;
const FIELD: u64 = 2_000;
const FACTS: u64 = 1_000;
/// Room for the thread beside it; threads are compacted long before, so that no section has to give way to one.
const THREAD: u64 = 100_000;
/// How much of a finished field's value is told again, in characters.
const VALUE_TOLD: usize = 120;

/// What is to be done now, as data.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Task {
    pub next: Next,
    pub field_id: String,
    pub label: String,
    pub required: bool,
    pub language: Lang,
    /// Whether the field cannot be sent back any more.
    pub last_round: bool,
}

/// The tool that is to be called.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub(super) enum Next {
    Ask,
    Subtask,
    Review,
}

/// What the understudy is told: the task, and what was said about the field.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Brief {
    #[serde(flatten)]
    pub task: Task,
    pub exchanges: Vec<Line>,
}

/// One exchange, as one JSON line.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Line {
    pub question: String,
    pub answer: String,
}

/// The prompt of both agents; each sees its own part.
pub(super) fn layout(state: &State) -> Layout {
    let lang = state.form.language;
    let rules = [
        (
            INTERVIEWER,
            lang.pick(include_str!("prompts/interviewer.ja.txt"), include_str!("prompts/interviewer.en.txt")),
        ),
        (REVIEWER, lang.pick(include_str!("prompts/reviewer.ja.txt"), include_str!("prompts/reviewer.en.txt"))),
    ]
    .map(|(agent, text)| Section::new("rules", text).only_for([agent]));
    let layout = Layout::new(CEILING + THREAD).layer("rules", RULES, rules).layer(
        "form",
        FORM,
        [Section::new("form", overview(state)).trimmed(4)],
    );
    let Some((field, record)) = state.current() else { return layout };
    layout
        .layer(
            "field",
            FIELD,
            [
                Section::new("field", definition(lang, field)).fresh().trimmed(1),
                Section::new("hints", hints(field)).fresh().trimmed(2).only_for([INTERVIEWER]),
                Section::new("criteria", criteria(field)).fresh().trimmed(2).only_for([REVIEWER]),
            ],
        )
        .layer("facts", FACTS, [Section::new("facts", facts(state)).fresh().trimmed(3)])
        .layer(
            "task",
            TASK,
            [INTERVIEWER, REVIEWER].map(|agent| {
                let text = sentence(&task(lang, field, record, agent));
                Section::new("task", text).fresh().only_for([agent])
            }),
        )
}

/// What an agent is to do now, as data.
pub(super) fn brief(state: &State, agent: &str) -> Option<Brief> {
    let (field, record) = state.current()?;
    Some(Brief { task: task(state.form.language, field, record, agent), exchanges: lines(record).collect() })
}

/// The interviewer's first word.
pub(super) fn opening(state: &State) -> String {
    state
        .form
        .language
        .pick(
            "聞き取りを始めてください。短くあいさつし、最初の項目を尋ねます。",
            "Begin the interview: a short greeting, and the question for the first field.",
        )
        .to_owned()
}

/// The interviewer's first word when an answer is to be changed.
pub(super) fn reopening(state: &State) -> String {
    let lang = state.form.language;
    let previous = state.current().and_then(|(_, record)| record.value.as_deref()).unwrap_or_default();
    let ask = lang.pick(
        "回答者は確認の画面で、現在の項目の答えを直すことを選びました。もう一度尋ねてください。これまでの値:",
        "On the confirmation the respondent chose to change the answer to the current field. Ask for it again. It was:",
    );
    format!("{}\n\n{ask}\n{}", so_far(state), fence("value", previous))
}

/// What a reviewer starts from, and what survives when the older half of a thread is dropped: the conversation so far,
/// the current field, and the facts so far.
pub(super) fn so_far(state: &State) -> String {
    let lang = state.form.language;
    let mut out = format!("# {}\n", lang.pick("これまでのまとめ", "Summary so far"));
    let _ = writeln!(out, "{}", fence("values", &known_values(state)));
    let Some((field, record)) = state.current() else { return out };
    let _ = writeln!(out, "\n# {}\n{}", lang.pick("現在の項目", "The current field"), definition(lang, field));
    let _ = writeln!(out, "\n# {}", lang.pick("現在の項目についての会話", "The conversation about it"));
    let conversation: Vec<_> = lines(record).map(|line| json_line(&line)).collect();
    let _ = writeln!(out, "{}", fence("conversation", &conversation.join("\n")));
    let _ = writeln!(out, "\n# {}", lang.pick("現在の項目で集まった事実", "The facts collected for it"));
    let _ = writeln!(out, "{}", fence("facts", &record.facts.join("\n")));
    out
}

fn overview(state: &State) -> String {
    let lang = state.form.language;
    let mut out = format!("{}: {}\n", lang.pick("フォーム", "Form"), state.form.title);
    for (place, field) in state.form.fields.iter().enumerate() {
        let _ = writeln!(out, "{}. {} ({})", place + 1, field.label, necessity(lang, field.required));
    }
    out
}

fn task(lang: Lang, field: &Field, record: &Record, agent: &str) -> Task {
    Task {
        next: match (agent == REVIEWER, record.unreviewed) {
            (true, true | false) => Next::Review,
            (false, true) => Next::Subtask,
            (false, false) => Next::Ask,
        },
        field_id: field.field_id.clone(),
        label: field.label.clone(),
        required: field.required,
        language: lang,
        last_round: is_last_round(&record.review),
    }
}

/// The task in words: the last that an agent reads before it acts.
fn sentence(task: &Task) -> String {
    let Task { next, label, required, language: lang, last_round, .. } = task;
    let need = necessity(*lang, *required);
    match next {
        Next::Ask => lang.pick(
            format!("今すること: ask で、項目「{label}」({need})について回答者に一つだけ短く尋ねます。"),
            format!("Now: with ask, put one short question to the respondent about the field \"{label}\" ({need})."),
        ),
        Next::Subtask => lang.pick(
            format!("今すること: 項目「{label}」に答えがありました。subtask({{\"agent\":\"reviewer\"}}) を呼びます。"),
            format!("Now: there is an answer to \"{label}\". Call subtask with {{\"agent\":\"reviewer\"}}."),
        ),
        Next::Review => {
            let last = match (lang, last_round) {
                (Lang::Ja, true) => "これが最後の回です(last_round)。",
                (Lang::En, true) => " This is the last round (last_round).",
                (Lang::Ja | Lang::En, false) => "",
            };
            lang.pick(
                format!(
                    "今すること: 項目「{label}」({need})への回答を criteria に照らして審査し、review で返します。{last}"
                ),
                format!("Now: with review, judge the answers to \"{label}\" ({need}) by the criteria.{last}"),
            )
        }
    }
}

fn lines(record: &Record) -> impl Iterator<Item = Line> {
    record.exchanges.iter().map(|one| Line { question: one.question.clone(), answer: one.answer.clone() })
}

fn definition(lang: Lang, field: &Field) -> String {
    let mut out = format!("{} ({}, {})\n", field.label, field.field_id, necessity(lang, field.required));
    if let Some(intent) = &field.intent {
        let _ = writeln!(out, "{}: {intent}", lang.pick("目的", "Intent"));
    }
    for fact in &field.facts {
        let _ = writeln!(out, "- {}: {}", fact.fact_key, fact.fact);
    }
    out
}

fn hints(field: &Field) -> String {
    let hints = field.facts.iter().filter_map(|fact| Some((fact, fact.questioning_hints.as_ref()?)));
    hints.map(|(fact, hint)| format!("- {}: {hint}\n", fact.fact_key)).collect()
}

fn criteria(field: &Field) -> String {
    field.facts.iter().map(|fact| format!("- {}: {}\n", fact.fact_key, fact.done_criteria)).collect()
}

fn facts(state: &State) -> String {
    let current = state.current().map(|(_, record)| record.facts.join("\n")).unwrap_or_default();
    let known = format!("{}{current}", known_values(state));
    if known.is_empty() { String::new() } else { fence("facts", &known) }
}

/// The values of finished fields, one line each, in the order of the form.
fn known_values(state: &State) -> String {
    let lang = state.form.language;
    let done = state.fields().filter(|(_, record)| record.is_done());
    done.map(|(field, record)| {
        let value = record.value.as_deref().unwrap_or(lang.pick("(未記入)", "(left empty)"));
        format!("{}: {}\n", field.field_id, excerpt(value))
    })
    .collect()
}

/// The beginning of a value, on one line. Looks no further than it tells, so that a prompt costs the same however long
/// the answers were.
fn excerpt(value: &str) -> String {
    let start: String = value.chars().take(VALUE_TOLD).collect();
    let rest = if start.len() < value.len() { "…" } else { "" };
    let line = start.split_whitespace().collect::<Vec<_>>().join(" ");
    format!("{line}{rest}")
}

fn necessity(lang: Lang, required: bool) -> &'static str {
    if required { lang.pick("必須", "required") } else { lang.pick("任意", "optional") }
}

fn json_line(value: &impl Serialize) -> String {
    serde_json::to_string(value).expect("plain data always serialises")
}
