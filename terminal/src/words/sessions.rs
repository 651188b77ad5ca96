//! What the commands that look at sessions say.

use enza_kernel::application::Phase;
use enza_kernel::conversation::Digest;
use enza_kernel::text::Lang;

use super::{many, words};

/// Names of lines of `session show`.
pub fn about_session(lang: Lang) -> &'static str {
    words(lang).say("sessions.about_session")
}

/// What it is called.
pub fn about_title(lang: Lang) -> &'static str {
    words(lang).say("sessions.about_title")
}

/// Its phase.
pub fn about_phase(lang: Lang) -> &'static str {
    words(lang).say("sessions.about_phase")
}

/// What it waits for.
pub fn about_waits_for(lang: Lang) -> &'static str {
    words(lang).say("sessions.about_waits_for")
}

/// When it was opened.
pub fn about_opened(lang: Lang) -> &'static str {
    words(lang).say("sessions.about_opened")
}

/// When it was last changed.
pub fn about_changed(lang: Lang) -> &'static str {
    words(lang).say("sessions.about_changed")
}

/// How many events it has.
pub fn about_events(lang: Lang) -> &'static str {
    words(lang).say("sessions.about_events")
}

/// Where it was forked.
pub fn about_forked(lang: Lang) -> &'static str {
    words(lang).say("sessions.about_forked")
}

/// What it belongs to.
pub fn about_belongs(lang: Lang) -> &'static str {
    words(lang).say("sessions.about_belongs")
}

/// What it used.
pub fn about_usage(lang: Lang) -> &'static str {
    words(lang).say("sessions.about_usage")
}

/// Who replied in it.
pub fn about_models(lang: Lang) -> &'static str {
    words(lang).say("sessions.about_models")
}

/// The names of the columns of a list.
pub fn list_head(lang: Lang) -> [&'static str; 6] {
    [
        "ID",
        words(lang).say("sessions.list_head_application"),
        words(lang).say("sessions.list_head_phase"),
        words(lang).say("sessions.list_head_events"),
        words(lang).say("sessions.list_head_changed"),
        words(lang).say("sessions.list_head_title"),
    ]
}

/// A phase, in a word.
pub fn phase(lang: Lang, phase: Phase) -> &'static str {
    match phase {
        Phase::Working => words(lang).say("sessions.phase_working"),
        Phase::Waiting => words(lang).say("sessions.phase_waiting"),
        Phase::Gate => words(lang).say("sessions.phase_gate"),
        Phase::Stuck => words(lang).say("sessions.phase_stuck"),
        Phase::Ended => words(lang).say("sessions.phase_ended"),
    }
}

/// There are none.
pub fn none(lang: Lang, begins: &str) -> String {
    words(lang).fill("sessions.none", &[("begins", &begins)])
}

/// There are none of these.
pub fn no_events(lang: Lang, after: u64, head: u64) -> String {
    words(lang).fill("sessions.no_events", &[("after", &after), ("head", &head)])
}

/// Where a fork comes from.
pub fn forked_from(lang: Lang, parent: &str, at: u64) -> String {
    words(lang).fill("sessions.forked_from", &[("parent", &parent), ("at", &at)])
}

/// What a session used.
pub fn usage(lang: Lang, calls: u64, input: u64, output: u64) -> String {
    words(lang).fill("sessions.usage", &[("calls", &calls), ("input", &input), ("output", &output)])
}

/// And what that cost.
pub fn at_cost(lang: Lang, usage: &str, dollars: &str) -> String {
    words(lang).fill("sessions.at_cost", &[("usage", &usage), ("dollars", &dollars)])
}

/// A watched session ended.
pub fn ended(lang: Lang) -> &'static str {
    words(lang).say("sessions.ended")
}

/// A fork was made.
pub fn forked(lang: Lang, child: &str, parent: &str, at: u64) -> String {
    words(lang).fill("sessions.forked", &[("child", &child), ("parent", &parent), ("at", &at)])
}

/// How to go on with it.
pub fn go_on(lang: Lang, resume: &str) -> String {
    words(lang).fill("sessions.go_on", &[("resume", &resume)])
}

/// A replay gave the same.
pub fn replayed(lang: Lang, events: u64, prompts: u64) -> String {
    words(lang).fill("sessions.replayed", &[("events", &events), ("prompts", &prompts)])
}

/// The digest of a state.
pub fn digest(lang: Lang, state: &Digest) -> String {
    words(lang).fill("sessions.digest", &[("state", &state)])
}

/// Asks before deleting.
pub fn really(lang: Lang, session: &str, title: &str, events: u64) -> String {
    words(lang)
        .fill("sessions.really", &[("session", &session), ("title", &title), ("events", &many(lang, events, "event"))])
}

/// It was not deleted.
pub fn kept(lang: Lang) -> &'static str {
    words(lang).say("sessions.kept")
}

/// It was deleted.
pub fn deleted(lang: Lang, session: &str) -> String {
    words(lang).fill("sessions.deleted", &[("session", &session)])
}

/// No prompt belongs to an event.
pub fn no_prompt(lang: Lang, seq: u64) -> String {
    words(lang).fill("sessions.no_prompt", &[("seq", &seq)])
}

/// The line above a prompt.
pub fn prompt_head(lang: Lang, thread: &str, asked_at: u64) -> String {
    words(lang).fill("sessions.prompt_head", &[("thread", &thread), ("asked_at", &asked_at)])
}

/// It is the recorded one.
pub fn prompt_exact(lang: Lang, digest: &Digest) -> String {
    words(lang).fill("sessions.prompt_exact", &[("digest", &digest)])
}

/// It is not.
pub fn prompt_differs(lang: Lang, digest: &Digest) -> String {
    words(lang).fill("sessions.prompt_differs", &[("digest", &digest)])
}

/// There is nothing to compare it with.
pub fn prompt_due(lang: Lang) -> &'static str {
    words(lang).say("sessions.prompt_due")
}

/// What a session is called, with what was said in it where that was looked for.
pub fn found_in(title: &str, line: Option<&str>) -> String {
    line.map_or_else(|| title.to_owned(), |line| format!("{title} · {line}"))
}

/// Not everything was looked through.
pub fn not_all_searched(lang: Lang, sessions: usize, events: usize) -> String {
    words(lang).fill("sessions.not_all_searched", &[("sessions", &sessions), ("events", &events)])
}
