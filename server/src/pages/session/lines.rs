//! Stretches of a conversation, read from the log: the last lines before a place, and all after one.
//!
//! Who reads was decided by whoever has the session's reading, and the lines are that reader's.

use enza_kernel::floor::Line;
use enza_kernel::text::Lang;
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::engine::SessionReading;

use crate::problem::Problem;
use crate::state::AppState;

/// How many events to read at a time.
const STRETCH: u64 = 256;
/// How many lines a page shows before the older ones are asked for.
const LINES: usize = 60;

/// A line with its place.
pub struct PlacedLine {
    /// Its place in the log.
    pub seq: Seq,
    pub at: Timestamp,
    pub line: Line,
}

/// A stretch of the conversation.
pub struct LinePage {
    /// Its lines, in order.
    pub lines: Vec<PlacedLine>,
    /// Where the older ones end, if there are any.
    pub older: Option<Seq>,
}

/// The last lines before a place.
pub async fn lines_before(app: &AppState, reading: &SessionReading, end: Seq, lang: Lang) -> Result<LinePage, Problem> {
    let mut lines = Vec::new();
    let mut start = end;
    while start > Seq::START && lines.len() < LINES {
        let from = Seq(start.0.saturating_sub(STRETCH));
        let mut earlier = lines_after(app, reading, from, start, lang).await?;
        earlier.append(&mut lines);
        lines = earlier;
        start = from;
    }
    let surplus = lines.len().saturating_sub(LINES);
    let kept = lines.split_off(surplus);
    let is_all = surplus == 0 && start == Seq::START;
    let older = kept.first().filter(|_| !is_all).map(|first| Seq(first.seq.0 - 1));
    Ok(LinePage { lines: kept, older })
}

/// Every line after a place, up to another.
pub async fn lines_after(
    app: &AppState,
    reading: &SessionReading,
    mut after: Seq,
    end: Seq,
    lang: Lang,
) -> Result<Vec<PlacedLine>, Problem> {
    if reading.host.is_none() {
        return Err(Problem::NoApplication);
    }
    let mut lines = Vec::new();
    while after < end {
        let page = app.engine().store().events(&reading.row.id, after, STRETCH as usize).await?;
        let Some(last) = page.last() else { break };
        after = last.seq;
        let upto = page.into_iter().filter(|recorded| recorded.seq <= end).map(|recorded| reading.event(recorded));
        lines.extend(
            upto.filter_map(|seen| Some(PlacedLine { seq: seen.seq(), at: seen.at(), line: seen.line(lang)? })),
        );
    }
    Ok(lines)
}
