//! The words that an editor shows of the companion.

use super::words;
use enza_companion::Operation;
use enza_kernel::gate::Gate;
use enza_kernel::text::Lang;
use enza_runtime::seams::store::SessionId;
use enza_terminal::words::gate as points;

/// Yes, for this alone.
pub const ONCE: &str = "once";
/// Yes, for this session.
pub const SESSION: &str = "session";
/// Yes, for this folder.
pub const PROJECT: &str = "project";
/// No, for this alone.
pub const REJECT: &str = "reject";
/// No, for this session.
pub const REJECT_SESSION: &str = "reject-session";
/// No, for this folder.
pub const REJECT_PROJECT: &str = "reject-project";

/// What may be answered at a gate: its name, what the person reads, its kind.
pub fn choices(lang: Lang) -> [(&'static str, &'static str, &'static str); 6] {
    [
        (ONCE, words(lang).say("acp.choices_once"), "allow_once"),
        (SESSION, words(lang).say("acp.choices_session"), "allow_always"),
        (PROJECT, words(lang).say("acp.choices_project"), "allow_always"),
        (REJECT, words(lang).say("acp.choices_reject"), "reject_once"),
        (REJECT_SESSION, words(lang).say("acp.choices_reject_session"), "reject_always"),
        (REJECT_PROJECT, words(lang).say("acp.choices_reject_project"), "reject_always"),
    ]
}

/// The modes: name, title, what they mean.
pub fn modes(lang: Lang) -> [(&'static str, &'static str, &'static str); 3] {
    [
        ("ask", words(lang).say("acp.modes_ask"), words(lang).say("acp.modes_ask_about")),
        ("plan", words(lang).say("acp.modes_plan"), words(lang).say("acp.modes_plan_about")),
        ("accept_edits", words(lang).say("acp.modes_accept_edits"), words(lang).say("acp.modes_accept_edits_about")),
    ]
}

/// The orders: word, what it does, what may follow.
pub fn orders(lang: Lang) -> [(&'static str, &'static str, Option<&'static str>); 25] {
    let turn = Some(words(lang).say("acp.takes_turn"));
    let task = Some(words(lang).say("acp.takes_task"));
    let line = Some(words(lang).say("acp.takes_line"));
    let rule = Some("[--project] change src/**");
    [
        ("help", words(lang).say("acp.help"), None),
        ("undo", words(lang).say("acp.undo"), turn),
        ("fork", words(lang).say("acp.fork"), turn),
        ("rewind", words(lang).say("acp.rewind"), turn),
        ("accept", words(lang).say("acp.accept"), None),
        ("commit", words(lang).say("acp.commit"), Some(words(lang).say("acp.takes_message"))),
        ("status", words(lang).say("acp.status"), None),
        ("why", words(lang).say("acp.why"), None),
        ("turns", words(lang).say("acp.turns"), None),
        ("stop", words(lang).say("acp.stop"), task),
        ("back", words(lang).say("acp.back"), None),
        ("front", words(lang).say("acp.front"), task),
        ("rules", words(lang).say("acp.rules"), None),
        ("allow", words(lang).say("acp.allow"), rule),
        ("deny", words(lang).say("acp.deny"), rule),
        ("forget", words(lang).say("acp.forget"), line),
        ("forbid", words(lang).say("acp.forbid"), Some("src/auth")),
        ("lift", words(lang).say("acp.lift"), line),
        ("settings", words(lang).say("acp.settings"), None),
        ("cost", words(lang).say("acp.cost"), None),
        ("budget", words(lang).say("acp.budget"), Some(words(lang).say("acp.takes_tokens"))),
        ("retry", words(lang).say("acp.retry"), None),
        ("reset", words(lang).say("acp.reset"), None),
        ("compact", words(lang).say("acp.compact"), None),
        ("export", words(lang).say("acp.export"), Some("md | log")),
    ]
}

/// What an order of a person's own does.
pub fn of_your_own(lang: Lang) -> &'static str {
    words(lang).say("acp.of_your_own")
}

/// What may follow an order of a person's own.
pub fn more_words(lang: Lang) -> &'static str {
    words(lang).say("acp.more_words")
}

/// Another session was begun, which the editor does not have open.
pub fn open_it(lang: Lang, told: &str, session: &SessionId) -> String {
    words(lang).fill("acp.open_it", &[("told", &told), ("session", &session)])
}

/// An operation, in one line.
pub fn call(lang: Lang, operation: Operation, target: &str) -> String {
    format!("{}: {target}", operation.say(lang)).trim_end_matches([':', ' ']).to_owned()
}

/// Why an operation was not done: a rule, the mode or something forbidden.
pub fn denied(lang: Lang, why: &str) -> String {
    words(lang).fill("acp.denied", &[("why", &why)])
}

/// An operation that was given up.
pub fn not_done(lang: Lang) -> &'static str {
    words(lang).say("acp.not_done")
}

/// The points of a gate, as text beside its diff.
pub fn points(lang: Lang, gate: &Gate) -> String {
    let ask = &gate.ask;
    let line = |name: &str, text: &str| format!("**{name}**: {text}");
    let mut lines = vec![format!("**{}**", points::risk(lang, gate.risk))];
    let shown = [(points::grounds(lang), ask.grounds.as_str()), (points::impact(lang), ask.impact.as_str())];
    lines.extend(shown.into_iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| line(name, text)));
    lines.join("\n\n")
}

/// Between words that are no answer after all, and those that are.
pub fn anew(lang: Lang) -> String {
    let text = words(lang).say("acp.anew");
    format!("\n\n{text}\n\n")
}

/// Behind words that nobody goes on with.
pub fn broke_off(lang: Lang) -> String {
    format!("…\n\n{}\n\n", words(lang).say("acp.broke_off"))
}

/// A turn is under way already.
pub fn busy(lang: Lang) -> (&'static str, &'static str) {
    (words(lang).say("acp.busy"), words(lang).say("acp.busy_hint"))
}

/// Something was shown that cannot be seen here.
pub fn unseen(lang: Lang) -> (&'static str, &'static str) {
    (words(lang).say("acp.unseen"), words(lang).say("acp.unseen_hint"))
}

/// Nothing was said.
pub fn empty(lang: Lang) -> (&'static str, &'static str) {
    (words(lang).say("acp.empty"), words(lang).say("acp.empty_hint"))
}

/// A mode that there is not.
pub fn no_mode(lang: Lang, mode: &str) -> (String, &'static str) {
    (words(lang).fill("acp.no_mode", &[("mode", &mode)]), words(lang).say("acp.no_mode_hint"))
}

/// A method that we do not serve.
pub fn no_method(lang: Lang, method: &str) -> (String, &'static str) {
    (words(lang).fill("acp.no_method", &[("method", &method)]), words(lang).say("acp.no_method_hint"))
}

/// Parameters that do not fit.
pub fn unfit(lang: Lang, why: &str) -> (String, &'static str) {
    (words(lang).fill("acp.unfit", &[("why", &why)]), words(lang).say("acp.unfit_hint"))
}

/// A folder that is not absolute.
pub fn relative(lang: Lang, folder: &str) -> (String, &'static str) {
    (words(lang).fill("acp.relative", &[("folder", &folder)]), words(lang).say("acp.relative_hint"))
}

/// A server that is reached in a way that we do not speak.
pub fn no_way_to(lang: Lang, server: &str) -> String {
    words(lang).fill("acp.no_way_to", &[("server", &server)])
}
