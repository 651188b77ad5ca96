//! Finds sessions by what they are called and by what was said in them.
//!
//! Titles are the store's to search. What was said is looked for in the log, the newest sessions first and no further than
//! a bound, so that a long history does not keep anybody waiting; whoever asks is told where the bound was reached. The
//! line that is shown is in the form in which sessions are printed: secrets are masked.

use enza_kernel::floor::Who;
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_runtime::engine::Engine;
use enza_runtime::seams::store::SessionRow;

use super::SecretMasking;
use crate::applications::Applications;
use crate::screen::clip;
use crate::trouble::Trouble;

/// In how many sessions what was said is looked for.
pub const MOST_SESSIONS: usize = 200;
/// In how many events of each.
pub const MOST_EVENTS: usize = 5_000;
/// How much of a line is shown, and how much of it before the text, in columns.
const SHOWN: usize = 100;
const BEFORE: usize = 40;

/// A session that was found.
pub struct SearchHit {
    pub row: SessionRow,
    /// What was said, where the text is not in the title.
    pub line: Option<String>,
}

/// What came of looking into one session.
pub enum SearchOutcome {
    Said(String),
    Nowhere,
    /// Not as far as was looked.
    NotSoFar,
}

/// Whether a title has a text in it, as the store takes it: whatever the case of ASCII letters.
pub fn is_called(row: &SessionRow, text: &str) -> bool {
    row.standing.title.to_ascii_lowercase().contains(&text.to_ascii_lowercase())
}

/// Looks for a text in what people and agents said in a session.
pub async fn search_session(
    applications: &Applications,
    engine: &Engine,
    row: &SessionRow,
    text: &str,
    lang: Lang,
) -> Result<SearchOutcome, Trouble> {
    let Some(reading) = engine.read_as(&row.id, Some(&row.owner)).await? else { return Ok(SearchOutcome::Nowhere) };
    let events = engine.store().events(&row.id, Seq::START, MOST_EVENTS).await?;
    let wanted = text.to_lowercase();
    // Most events are about something else, and to read one takes long. Quotes are written otherwise in them.
    let is_plain = !wanted.contains(['"', '\\']);
    let count = events.len();
    for recorded in events {
        if is_plain && !recorded.stored.body.to_lowercase().contains(&wanted) {
            continue;
        }
        let said = reading.event(recorded).line(lang).filter(|line| match line.who {
            Who::Person(_) | Who::Agent(_) => true,
            Who::Session => false,
        });
        let line = said
            .and_then(|said| said.text.lines().find(|line| line.to_lowercase().contains(&wanted)).map(str::to_owned));
        if let Some(line) = line {
            return Ok(SearchOutcome::Said(around(&SecretMasking::of(applications, row, false).text(&line), &wanted)));
        }
    }
    Ok(if count < MOST_EVENTS { SearchOutcome::Nowhere } else { SearchOutcome::NotSoFar })
}

/// As much of a line as is shown, with the text in it.
fn around(line: &str, wanted: &str) -> String {
    let line = line.trim();
    let at = line.to_lowercase().find(wanted).unwrap_or(0).min(line.len());
    let start = line.floor_char_boundary(at.saturating_sub(BEFORE));
    let sign = if start > 0 { "…" } else { "" };
    clip(&format!("{sign}{}", &line[start..]), SHOWN)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_long_line_is_shown_around_the_text() {
        assert_eq!(around("  greet the moon ", "moon"), "greet the moon");
        let long = format!("{}the moon{}", "あ".repeat(100), "x".repeat(200));
        let shown = around(&long, "moon");
        assert!(shown.starts_with('…') && shown.contains("the moon") && shown.chars().count() <= SHOWN, "{shown}");
    }
}
