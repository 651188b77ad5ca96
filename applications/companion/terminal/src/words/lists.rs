//! The words in the companion's lists.

use std::path::Path;

use enza_kernel::text::Lang;

use super::{CATALOGUE, words};
use crate::sources::SettingSource;

/// What is held in mind, in order: keys of the table `mind`.
pub const MIND: [&str; 8] = ["goal", "why_now", "constraints", "moves", "questions", "decided", "references", "change"];

/// A question asked beside the work.
pub fn aside(lang: Lang) -> &'static str {
    words(lang).say("lists.aside")
}

/// Talk without a task.
pub fn talk(lang: Lang) -> &'static str {
    words(lang).say("lists.talk")
}

/// A turn whose changes were taken back.
pub fn taken_back(lang: Lang, paths: &[String]) -> String {
    match paths.is_empty() {
        true => words(lang).say("lists.taken_back").to_owned(),
        false => words(lang).fill("lists.taken_back_paths", &[("paths", &lang.list(paths))]),
    }
}

/// Above the turns of the session that this one was forked from.
pub fn other_turns(lang: Lang, session: &str) -> String {
    words(lang).fill("lists.other_turns", &[("session", &session)])
}

/// Nothing was said yet.
pub fn no_turns(lang: Lang) -> &'static str {
    words(lang).say("lists.no_turns")
}

/// Nothing moved yet.
pub fn no_moves(lang: Lang) -> &'static str {
    words(lang).say("lists.no_moves")
}

/// How changes are treated.
pub fn mode(lang: Lang) -> &'static str {
    words(lang).say("lists.mode")
}

/// What the person forbade.
pub fn forbidden(lang: Lang) -> &'static str {
    words(lang).say("lists.forbidden")
}

/// Why the model did what it did.
pub fn reason(lang: Lang) -> &'static str {
    words(lang).say("lists.reason")
}

/// How long the conversation in mind is.
pub fn messages(lang: Lang, count: usize) -> String {
    words(lang).fill("lists.messages", &[("count", &count)])
}

/// What was used.
pub fn cost(lang: Lang, calls: u64, input: &str, output: &str, money: &str, limit: &str) -> String {
    words(lang).fill(
        "lists.cost",
        &[("calls", &calls), ("input", &input), ("output", &output), ("money", &money), ("limit", &limit)],
    )
}

/// How many model calls since a person last spoke.
pub fn rounds(lang: Lang, rounds: u32) -> String {
    let key = if rounds == 1 { "lists.rounds_one" } else { "lists.rounds" };
    words(lang).fill(key, &[("rounds", &rounds)])
}

/// What a task used.
pub fn tokens(lang: Lang, tokens: &str) -> String {
    words(lang).fill("lists.tokens", &[("tokens", &tokens)])
}

/// Its words are shown as they come.
pub fn watched(lang: Lang) -> &'static str {
    words(lang).say("lists.watched")
}

/// The last move that was refused, and why.
pub fn refused(lang: Lang, to: &str, trigger: &str, message: &str, hint: &str) -> String {
    words(lang).fill("lists.refused", &[("to", &to), ("trigger", &trigger), ("message", &message), ("hint", &hint)])
}

/// No model was asked yet.
pub fn no_prompt(lang: Lang) -> &'static str {
    words(lang).say("lists.no_prompt")
}

/// Above the prompt of the last call.
pub fn prompt_head(lang: Lang, agent: &str, seq: u64) -> String {
    words(lang).fill("lists.prompt_head", &[("agent", &agent), ("seq", &seq)])
}

/// The columns of what fills the window.
pub fn context_head(lang: Lang) -> [&'static str; 2] {
    ["lists.context_part", "lists.context_tokens"].map(|key| words(lang).say(key))
}

/// The sum.
pub fn all(lang: Lang) -> &'static str {
    words(lang).say("lists.all")
}

/// A part of a prompt.
pub fn part(lang: Lang, name: &str) -> String {
    let known = CATALOGUE.find(&format!("prompt.{name}"));
    known.map_or(name, |known| known.say(lang)).to_owned()
}

/// A list that is too long to be shown.
pub fn items(lang: Lang, count: usize) -> String {
    words(lang).fill("lists.items", &[("count", &count)])
}

/// Where a value comes from.
pub fn source(lang: Lang, source: SettingSource) -> &'static str {
    match source {
        SettingSource::Default => words(lang).say("lists.source_default"),
        SettingSource::User => words(lang).say("lists.source_user"),
        SettingSource::Project => words(lang).say("lists.source_project"),
        SettingSource::Session => words(lang).say("lists.source_session"),
    }
}

/// The files in which it can be set.
pub fn settings_files(lang: Lang, user: &Path, project: &Path) -> String {
    words(lang).fill("lists.settings_files", &[("user", &user.display()), ("project", &project.display())])
}

/// The first row of how often people said yes and no.
pub fn approvals(lang: Lang) -> [&'static str; 6] {
    [
        words(lang).say("lists.approvals"),
        words(lang).say("lists.approvals_risk"),
        words(lang).say("lists.approvals_yes"),
        words(lang).say("lists.approvals_in_part"),
        words(lang).say("lists.approvals_no"),
        words(lang).say("lists.approvals_withdrawn"),
    ]
}

/// There is no session to name.
pub fn no_sessions(lang: Lang) -> &'static str {
    words(lang).say("lists.no_sessions")
}

/// What one can do with another session.
pub fn go_on_with(lang: Lang) -> &'static str {
    words(lang).say("lists.go_on_with")
}

/// What did not fit into the window.
pub fn left_out(lang: Lang, parts: &str) -> String {
    words(lang).fill("lists.left_out", &[("parts", &parts)])
}

/// A part of which some was left out.
pub fn left_out_of(lang: Lang, name: &str, tokens: &str) -> String {
    words(lang).fill("lists.left_out_of", &[("part", &part(lang, name)), ("tokens", &tokens)])
}
