//! What a rehearsal says.

use enza_interview::unpunctuated;
use enza_kernel::text::Lang;
use enza_terminal::screen::{Columns, Screen, clip, fold, span};
use enza_terminal::setup::short_id;

use super::words;
use crate::rehearse::{Miss, RehearsalOutcome, RehearsalResult, Sums, ratio};

/// One respondent is through.
pub fn played(screen: &Screen, played: &RehearsalResult, nth: usize, of: usize) -> String {
    let mark = match played.outcome {
        RehearsalOutcome::Completed if played.misses.is_empty() => screen.paint.good("✓"),
        RehearsalOutcome::Completed => screen.paint.warn("✓"),
        RehearsalOutcome::Unfinished { .. } | RehearsalOutcome::Stuck { .. } | RehearsalOutcome::Endless => {
            screen.paint.bad("✗")
        }
    };
    let took = span(played.took);
    let head = format!(
        "{mark} {nth}/{of} {}  {}",
        played.name,
        screen.paint.faint(&format!("{}  {took}", short_id(&played.session)))
    );
    let why = why(screen.lang, &played.outcome);
    let lines = why.into_iter().chain(played.misses.iter().map(|miss| missed(screen.lang, miss)));
    let lines = lines.flat_map(|line| fold(&clip(&line, 240), screen.width().saturating_sub(4)));
    std::iter::once(head).chain(lines.map(|line| format!("    {line}"))).collect::<Vec<_>>().join("\n")
}

fn why(lang: Lang, outcome: &RehearsalOutcome) -> Option<String> {
    match outcome {
        RehearsalOutcome::Completed => None,
        RehearsalOutcome::Unfinished { labels } => {
            let labels: Vec<&str> = labels.iter().map(|label| unpunctuated(label)).collect();
            let labels = lang.list(&labels);
            Some(words(lang).fill("rehearse.why_unfinished", &[("labels", &labels)]))
        }
        RehearsalOutcome::Stuck { why } => Some(why.clone()),
        RehearsalOutcome::Endless => Some(words(lang).say("rehearse.why_endless").to_owned()),
    }
}

fn missed(lang: Lang, miss: &Miss) -> String {
    let Miss { field, meant, came } = miss;
    let field = unpunctuated(field);
    let none = words(lang).say("rehearse.missed_nothing");
    let or_none = |text: &str| if text.is_empty() { none.to_owned() } else { text.to_owned() };
    let (meant, came) = (or_none(meant), or_none(came));
    words(lang).fill("rehearse.missed", &[("field", &field), ("meant", &meant), ("came", &came)])
}

/// All of them in a table.
pub fn table(screen: &Screen, all: &[RehearsalResult]) -> Vec<String> {
    let head = [
        "rehearse.columns_respondent",
        "rehearse.columns_done",
        "rehearse.columns_fields",
        "rehearse.columns_wrong",
        "rehearse.columns_turns",
        "rehearse.columns_calls",
        "rehearse.columns_tokens",
        "rehearse.columns_seconds",
    ]
    .map(|key| words(screen.lang).say(key));
    let mut columns = Columns::new(&head);
    for one in all {
        columns.row([
            one.name.clone(),
            outcome(screen.lang, &one.outcome).to_owned(),
            one.fields.to_string(),
            one.misses.len().to_string(),
            format!("{:.1}", ratio(one.turns as f64, one.fields)),
            format!("{:.1}", ratio(one.calls as f64, one.fields)),
            one.tokens.to_string(),
            format!("{:.0}", one.took.as_secs_f64()),
        ]);
    }
    columns.lines(screen.width())
}

fn outcome(lang: Lang, outcome: &RehearsalOutcome) -> &'static str {
    match outcome {
        RehearsalOutcome::Completed => words(lang).say("rehearse.outcome_completed"),
        RehearsalOutcome::Unfinished { .. } => words(lang).say("rehearse.outcome_unfinished"),
        RehearsalOutcome::Stuck { .. } => words(lang).say("rehearse.outcome_stuck"),
        RehearsalOutcome::Endless => words(lang).say("rehearse.outcome_endless"),
    }
}

/// Everything together.
pub fn sums(screen: &Screen, sums: &Sums) -> String {
    let Sums { respondents, completed, fields, wrong, seconds, .. } = sums;
    let (turns, calls, tokens) = (sums.turns_per_field(), sums.calls_per_field(), sums.tokens_per_form());
    let text = words(screen.lang).fill(
        "rehearse.sums",
        &[
            ("respondents", respondents),
            ("completed", completed),
            ("fields", fields),
            ("wrong", wrong),
            ("turns", &format!("{turns:.1}")),
            ("calls", &format!("{calls:.1}")),
            ("tokens", &format!("{tokens:.0}")),
            ("seconds", &format!("{seconds:.0}")),
        ],
    );
    format!(
        "
{}",
        fold(&text, screen.width()).join(
            "
"
        )
    )
}
