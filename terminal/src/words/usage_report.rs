//! What `enza usage` says: what was spent, on what, and how to begin where nothing was.

use enza_kernel::text::Lang;

use crate::arguments::UsageBy;

use super::words;

/// The names of the columns.
pub fn head(lang: Lang, by: UsageBy) -> [&'static str; 6] {
    let first = match by {
        UsageBy::Day => words(lang).say("usage_report.head_day"),
        UsageBy::Model => words(lang).say("usage_report.head_model"),
        UsageBy::Application => words(lang).say("usage_report.head_application"),
        UsageBy::Session => words(lang).say("usage_report.head_session"),
    };
    [
        first,
        words(lang).say("usage_report.head_calls"),
        words(lang).say("usage_report.head_input"),
        words(lang).say("usage_report.head_output"),
        words(lang).say("usage_report.head_cached"),
        words(lang).say("usage_report.head_cost"),
    ]
}

/// What the table is about.
pub fn title(lang: Lang, days: u32, by: UsageBy) -> String {
    let by = match by {
        UsageBy::Day => words(lang).say("usage_report.title_day"),
        UsageBy::Model => words(lang).say("usage_report.title_model"),
        UsageBy::Application => words(lang).say("usage_report.title_application"),
        UsageBy::Session => words(lang).say("usage_report.title_session"),
    };
    if days == 1 {
        return words(lang).fill("usage_report.title_session_usage_of_today", &[("by", &by)]);
    }
    words(lang).fill("usage_report.title_session_usage_of_the", &[("days", &days), ("by", &by)])
}

/// The days it is about.
pub fn range(lang: Lang, from: &str, to: &str) -> String {
    words(lang).fill("usage_report.range", &[("from", &from), ("to", &to)])
}

/// The stand-in is no model.
pub fn understudy(lang: Lang) -> &'static str {
    words(lang).say("usage_report.understudy")
}

/// Sessions that are gone.
pub fn deleted(lang: Lang) -> &'static str {
    words(lang).say("usage_report.deleted")
}

/// Lines that were left out, in one.
pub fn others(lang: Lang, count: usize) -> String {
    words(lang).fill("usage_report.others", &[("count", &count)])
}

/// The last line.
pub fn total(lang: Lang) -> &'static str {
    words(lang).say("usage_report.total")
}

/// What bars show where nothing costs anything.
pub fn bars_show_tokens(lang: Lang) -> &'static str {
    words(lang).say("usage_report.bars_show_tokens")
}

/// Nothing was ever used.
pub fn nothing_yet(lang: Lang, begins: &str) -> String {
    words(lang).fill("usage_report.nothing_yet", &[("begins", &begins)])
}

/// A session has used nothing; how to go on with it, where that is known.
pub fn nothing_by(lang: Lang, session: &str, resume: Option<&str>) -> String {
    let said = words(lang).fill("usage_report.nothing_by", &[("session", &session)]);
    match resume {
        Some(resume) => words(lang).fill("usage_report.nothing_by_go_on_with", &[("said", &said), ("resume", &resume)]),
        None => said,
    }
}

/// Nothing was used in these days, but earlier.
pub fn nothing_lately(lang: Lang, days: u32, last: &str, further_back: &str) -> String {
    words(lang)
        .fill("usage_report.nothing_lately", &[("days", &days), ("last", &last), ("further_back", &further_back)])
}
