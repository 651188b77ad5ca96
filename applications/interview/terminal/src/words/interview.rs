//! What an interview at the terminal says around the agents' own words.

use std::path::Path;
use std::time::Duration;

use enza_interview::{Bootstrap, Form, Stage, State, country_name, language_name};
use enza_kernel::agent::ThreadFailure;
use enza_kernel::text::{Lang, Said};
use enza_models::choice::{ChoiceReason, Chosen};
use enza_terminal::screen::{Screen, fold, pad, span, width};
use enza_terminal::words::models;

use super::words;
use crate::run::InputPlace;

/// The lines above the first question.
pub fn head(screen: &Screen, state: &State, session: &str, resumed: bool, chosen: &Chosen) -> String {
    let lang = screen.lang;
    let session =
        if resumed { words(lang).fill("interview.head_resumed", &[("session", &session)]) } else { session.to_owned() };
    let lines = [
        (words(lang).say("interview.head_form"), state.form().title.clone()),
        (words(lang).say("interview.head_session"), session),
        (words(lang).say("interview.head_model"), models::who(lang, chosen)),
        (words(lang).say("interview.head_language"), home(lang, state)),
        (words(lang).say("interview.head_commands"), "/skip  /back  /fields  /form  /quit  /help".to_owned()),
    ];
    let column = lines.iter().map(|(name, _)| width(name)).max().unwrap_or(0) + 2;
    let room = screen.width().saturating_sub(column);
    let lines = lines.into_iter().filter(|(_, text)| !text.is_empty()).map(|(name, text)| {
        let text = fold(&text, room).join(&format!("\n{}", " ".repeat(column)));
        format!("{}{text}", screen.paint.faint(&pad(name, column)))
    });
    let mut head = lines.collect::<Vec<_>>().join("\n");
    if chosen.because == ChoiceReason::NothingElse {
        for line in fold(models::how_to_get_one(lang), screen.width().saturating_sub(column)) {
            head += &format!("\n{}{}", " ".repeat(column), screen.paint.faint(&line));
        }
    }
    match state.form().description.as_deref().filter(|_| !resumed) {
        Some(text) => format!("{head}\n\n{}", fold(text, screen.width()).join("\n")),
        None => head,
    }
}

/// Where the respondent is at home, as far as is known.
fn home(lang: Lang, state: &State) -> String {
    let Bootstrap { language, country, .. } = state.bootstrap();
    let language = language.as_deref().map(|tag| language_name(tag, lang));
    let country = country.as_deref().map(|code| country_name(code, lang));
    lang.list([language, country].into_iter().flatten())
}

/// That someone is at work, and how far.
pub fn at_work(lang: Lang, chosen: &Chosen, since: Duration, written: usize) -> String {
    const TURNS: [&str; 4] = ["◜", "◝", "◞", "◟"];
    let turn = TURNS[(since.as_millis() / 250) as usize % TURNS.len()];
    let (who, since) = (models::name(lang, &chosen.pick), span(since));
    if written == 0 {
        return words(lang).fill("interview.thinking", &[("turn", &turn), ("who", &who), ("since", &since)]);
    }
    words(lang).fill("interview.writing", &[("turn", &turn), ("who", &who), ("since", &since), ("written", &written)])
}

/// An answer that was prepared.
pub fn prepared(screen: &Screen, text: &str) -> String {
    let lines = fold(text, screen.width().saturating_sub(2));
    format!("{}{}", screen.paint.strong("> "), lines.join("\n  "))
}

/// What one may type instead of an answer.
pub fn commands(screen: &Screen, place: InputPlace) -> String {
    let lang = screen.lang;
    let answering: &[(&str, &str)] = &[
        ("/skip", "skip"),
        ("/unknown", "unknown"),
        ("/decline", "decline"),
        ("/later", "later"),
        ("/keep", "keep"),
        ("/back", "back"),
    ];
    let everywhere: &[(&str, &str)] = &[("/change FIELD", "change"), ("/fields", "fields"), ("/form", "form")];
    let choosing: &[(&str, &str)] = &[("/back", "back_to_confirm")];
    let failed: &[(&str, &str)] = &[("/retry", "retry")];
    let leaving: &[(&str, &str)] = &[("/quit", "quit"), ("/abandon", "abandon")];
    let own = match place {
        InputPlace::Question => answering,
        InputPlace::Gate => &[],
        InputPlace::Choice => choosing,
        InputPlace::Stuck => failed,
    };
    let lines = own.iter().chain(everywhere).chain(leaving);
    let lines = lines.map(|(command, key)| {
        let what = fold(words(lang).of("typed", key), screen.width().saturating_sub(COMMAND + 2));
        format!("  {}{}", pad(command, COMMAND), what.join(&format!("\n  {}", " ".repeat(COMMAND))))
    });
    lines.collect::<Vec<_>>().join("\n")
}

/// How wide the column of commands is.
const COMMAND: usize = 15;

/// What stands before a line that is typed.
pub fn prompt(lang: Lang, place: InputPlace) -> &'static str {
    match place {
        InputPlace::Gate => words(lang).say("interview.prompt_gate"),
        InputPlace::Question | InputPlace::Choice | InputPlace::Stuck => "> ",
    }
}

/// A line that does nothing there, and what would.
pub fn not_here(lang: Lang, place: InputPlace) -> &'static str {
    match place {
        InputPlace::Question => words(lang).say("interview.not_here_question"),
        InputPlace::Gate => words(lang).say("interview.not_here_gate"),
        InputPlace::Choice => words(lang).say("interview.not_here_choice"),
        InputPlace::Stuck => words(lang).say("interview.not_here_stuck"),
    }
}

/// A command that there is not.
pub fn no_such_command(lang: Lang, command: &str) -> String {
    words(lang).fill("interview.no_such_command", &[("command", &command)])
}

/// The field can be skipped.
pub fn is_optional(lang: Lang) -> &'static str {
    words(lang).say("interview.is_optional")
}

/// The greeter's question cannot be skipped.
pub fn is_needed(lang: Lang) -> &'static str {
    words(lang).say("interview.is_needed")
}

/// There is nothing before.
pub fn is_first(lang: Lang) -> &'static str {
    words(lang).say("interview.is_first")
}

/// A required field is left for later.
pub fn left_for_later(lang: Lang, label: &str) -> String {
    words(lang).fill("interview.left_for_later", &[("label", &label)])
}

/// What filling in is.
pub fn filling(lang: Lang) -> &'static str {
    words(lang).say("interview.filling")
}

/// Nothing is left to fill in.
pub fn nothing_open(lang: Lang) -> &'static str {
    words(lang).say("interview.nothing_open")
}

/// Asks for consent.
pub fn consent(screen: &Screen, form: &Form) -> String {
    let text = fold(form.consent.as_deref().unwrap_or_default(), screen.width()).join("\n");
    format!("{}\n\n{text}\n", screen.paint.strong(&form.title))
}

/// The line that asks for consent.
pub fn consent_prompt(lang: Lang) -> &'static str {
    words(lang).say("interview.consent_prompt")
}

/// There is no consent.
pub fn no_consent(lang: Lang) -> &'static str {
    words(lang).say("interview.no_consent")
}

/// The word for yes.
pub fn yes(lang: Lang) -> &'static str {
    words(lang).say("interview.yes")
}

/// Why a session cannot go on: what the interview says, and the reason that its agent's failure has.
pub fn stuck_because(lang: Lang, said: &str, failure: Option<&ThreadFailure>) -> String {
    let reason = match failure {
        Some(ThreadFailure::Unanswered { why } | ThreadFailure::Malformed { why }) => why.clone(),
        Some(ThreadFailure::RoundsExhausted { rounds }) => {
            words(lang).fill("interview.stuck_because_rounds_exhausted", &[("rounds", &rounds)])
        }
        Some(ThreadFailure::BudgetExhausted { need, left }) => {
            words(lang).fill("interview.stuck_because_budget_exhausted", &[("need", &need), ("left", &left)])
        }
        None => return said.to_owned(),
    };
    words(lang).fill("interview.stuck_because", &[("said", &said), ("reason", &reason)])
}

/// An agent failed.
pub fn stuck(screen: &Screen, why: &str) -> String {
    let why = fold(why, screen.width()).join("\n");
    let next = fold(not_here(screen.lang, InputPlace::Stuck), screen.width()).join("\n");
    format!("\n{}\n{}", screen.paint.warn(&why), screen.paint.faint(&next))
}

/// A command was refused.
pub fn refused(screen: &Screen, said: &Said) -> String {
    let lines = |text: &str| fold(text, screen.width()).join("\n");
    format!("{}\n{}", screen.paint.warn(&lines(&said.message)), lines(&said.hint))
}

/// Nothing has changed for a while.
pub fn waiting(lang: Lang) -> &'static str {
    words(lang).say("interview.waiting")
}

/// The person left.
pub fn left(lang: Lang, session: &str) -> String {
    words(lang).fill("interview.left", &[("session", &session)])
}

/// The interview is over.
pub fn over(lang: Lang, stage: Stage, file: Option<&Path>) -> String {
    match (stage, file) {
        (Stage::Delivered, Some(file)) => words(lang).fill("interview.over_delivered", &[("file", &file.display())]),
        (Stage::Delivered, None) => words(lang).say("interview.over_delivered_before").to_owned(),
        (Stage::Abandoned, _) => words(lang).say("interview.over_abandoned").to_owned(),
        (
            Stage::New
            | Stage::Greeting
            | Stage::Planning
            | Stage::Interviewing
            | Stage::Confirming
            | Stage::Choosing
            | Stage::Delivering,
            _,
        ) => words(lang).say("interview.over_choosing").to_owned(),
    }
}

/// How to look at it again.
pub fn look_again(lang: Lang, session: &str) -> String {
    words(lang).fill("interview.look_again", &[("session", &session)])
}
/// How far an interview has come.
pub fn progress(lang: Lang, done: usize, of: usize) -> String {
    words(lang).fill("interview.progress", &[("of", &of), ("done", &done)])
}
