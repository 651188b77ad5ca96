//! What the commands about models say.

use enza_kernel::text::Lang;
use enza_models::choice::{ChoiceReason, Chosen, ModelRef};
use enza_models::local::pull::{Progress, Source, Step};
use enza_models::probe::Skill;

use crate::screen::{Screen, bytes, gauge, span};

use super::words;

/// A model by name; the understudy says what it is.
pub fn name(lang: Lang, pick: &ModelRef) -> String {
    match pick {
        ModelRef::Understudy => understudy(lang).to_owned(),
        ModelRef::Local { .. } | ModelRef::Hosted { .. } => pick.to_string(),
    }
}

/// What the understudy is always shown as.
pub fn understudy(lang: Lang) -> &'static str {
    words(lang).say("models.understudy")
}

/// Who answers, for the head of a conversation.
pub fn who(lang: Lang, chosen: &Chosen) -> String {
    format!("{} · {}", name(lang, &chosen.pick), because(lang, &chosen.because))
}

/// Why a model was chosen.
pub fn because(lang: Lang, because: &ChoiceReason) -> String {
    match because {
        ChoiceReason::Typed => words(lang).say("models.because_typed").to_owned(),
        ChoiceReason::Variable => words(lang).say("models.because_variable").to_owned(),
        ChoiceReason::Config => words(lang).say("models.because_config").to_owned(),
        ChoiceReason::Key { variable } => words(lang).fill("models.because_key", &[("variable", &variable)]),
        ChoiceReason::OnDisk => words(lang).say("models.because_on_disk").to_owned(),
        ChoiceReason::NothingElse => words(lang).say("models.because_nothing_else").to_owned(),
        ChoiceReason::ForShow => words(lang).say("models.because_for_show").to_owned(),
    }
}

/// How to get a real model.
pub fn how_to_get_one(lang: Lang) -> &'static str {
    words(lang).say("models.how_to_get_one")
}

/// Heads of the list.
pub fn heads(lang: Lang) -> [&'static str; 3] {
    [
        words(lang).say("models.heads_in_use"),
        words(lang).say("models.heads_on_this_machine"),
        words(lang).say("models.heads_providers"),
    ]
}

/// What stands where no weights are.
pub fn no_weights(lang: Lang) -> &'static str {
    words(lang).say("models.no_weights")
}

/// What is known of the server program.
pub fn server(lang: Lang, program: Option<&str>) -> String {
    match program {
        Some(program) => program.to_owned(),
        None => words(lang).say("models.server_none").to_owned(),
    }
}

/// Whether weights were checked.
pub fn checked(lang: Lang, is_checked: bool) -> &'static str {
    if is_checked { words(lang).say("models.checked") } else { words(lang).say("models.not_checked_yet") }
}

/// How a provider stands.
pub fn key_state(lang: Lang, variable: Option<&str>, has_key: bool) -> String {
    match (variable, has_key) {
        (Some(_), true) => words(lang).say("models.key_found").to_owned(),
        (Some(variable), false) => words(lang).fill("models.key_missing", &[("variable", &variable)]),
        (None, _) => words(lang).say("models.key_not_needed").to_owned(),
    }
}

/// That a model is used from now on.
pub fn in_use(lang: Lang, name: &str, file: &str) -> String {
    words(lang).fill("models.in_use", &[("name", &name), ("file", &file)])
}

/// How far a pull has come, on one line.
pub fn progress(screen: &Screen, progress: &Progress, rate: Option<u64>, left: Option<std::time::Duration>) -> String {
    let Progress { what, done_bytes, total_bytes, step, .. } = progress;
    let lang = screen.lang;
    let share = (done_bytes * 100).checked_div(*total_bytes).unwrap_or(0);
    let cells = if screen.width() < 90 { 16 } else { 28 };
    let start = format!("{what}  {}  {share:>3} %", gauge(*done_bytes, *total_bytes, cells));
    match step {
        Step::Fetching => {
            let amount = format!("{} / {}", bytes(*done_bytes), bytes(*total_bytes));
            let rate = rate.filter(|rate| *rate > 0).map_or(String::new(), |rate| format!("  {}/s", bytes(rate)));
            let left =
                left.map_or(String::new(), |left| words(lang).fill("models.time_left", &[("left", &span(left))]));
            format!("{start}  {amount}{rate}{left}")
        }
        Step::Checking => format!("{start}  {}", words(lang).say("models.checking_digest")),
        Step::Placed => start,
    }
}

/// A pull that begins, for those who see no bar.
pub fn begins(lang: Lang, progress: &Progress) -> String {
    let from = source(&progress.source);
    let size = bytes(progress.total_bytes);
    words(lang).fill("models.begins", &[("what", &progress.what), ("size", &size), ("from", &from)])
}

/// A pull that is done.
pub fn pulled(lang: Lang, what: &str, size: u64, path: &str, was_there: bool) -> String {
    let size = bytes(size);
    if was_there {
        return words(lang).fill("models.pulled_before", &[("what", &what), ("size", &size), ("path", &path)]);
    }
    words(lang).fill("models.pulled_now", &[("what", &what), ("size", &size), ("path", &path)])
}

/// What to do with it.
pub fn then(lang: Lang, name: &str) -> String {
    words(lang).fill("models.then", &[("name", &name)])
}

/// Whether to remove weights.
pub fn really_remove(lang: Lang, name: &str) -> String {
    words(lang).fill("models.really_remove", &[("name", &name)])
}

/// That weights are gone.
pub fn removed(lang: Lang, name: &str, freed: u64) -> String {
    words(lang).fill("models.removed", &[("name", &name), ("freed", &bytes(freed))])
}

/// That nothing was done.
pub fn kept(lang: Lang) -> &'static str {
    words(lang).say("models.kept")
}

/// A skill by name.
pub fn skill(lang: Lang, skill: Skill) -> &'static str {
    match skill {
        Skill::Plain => words(lang).say("models.skill_plain"),
        Skill::Streaming => words(lang).say("models.skill_streaming"),
        Skill::ToolCall => words(lang).say("models.skill_tool_call"),
        Skill::Schema => words(lang).say("models.skill_schema"),
        Skill::Japanese => words(lang).say("models.skill_japanese"),
        Skill::Cache => words(lang).say("models.skill_cache"),
    }
}

/// A skill's word in JSON.
pub fn skill_key(skill: Skill) -> &'static str {
    match skill {
        Skill::Plain => "plain",
        Skill::Streaming => "streaming",
        Skill::ToolCall => "tool_call",
        Skill::Schema => "schema",
        Skill::Japanese => "japanese",
        Skill::Cache => "cache",
    }
}

/// What is measured.
pub fn measures(lang: Lang) -> [&'static str; 3] {
    [
        words(lang).say("models.measures_first_token"),
        words(lang).say("models.measures_speed"),
        words(lang).say("models.measures_used"),
    ]
}

/// Tokens a second.
pub fn speed(lang: Lang, tokens_per_second: Option<f64>) -> String {
    match tokens_per_second {
        Some(speed) => words(lang).fill("models.speed", &[("speed", &format_args!("{speed:.1}"))]),
        None => "–".to_owned(),
    }
}

/// Tokens, and what they cost.
pub fn spent(lang: Lang, tokens: u64, cost: u64) -> String {
    let money = if cost == 0 { String::new() } else { format!(", ${:.4}", cost as f64 / 1e6) };
    words(lang).fill("models.spent", &[("tokens", &tokens), ("money", &money)])
}

/// That a model is being tried.
pub fn trying(lang: Lang, what: &str) -> String {
    words(lang).fill("models.trying", &[("what", &what)])
}

fn source(source: &Source) -> String {
    match source {
        Source::Hub { address } => address.clone(),
        Source::Wheel { package } => format!("pip {package}"),
    }
}
