//! Looking at sessions: lists, one of them, its events and lines, and its state and prompts as they were.
//!
//! Everything is read from the log. What is read at a time is bounded, and says where to go on.

use enza_kernel::application::Phase;
use enza_kernel::conversation::Usage;
use enza_kernel::effect::Effect;
use enza_kernel::floor::{Floor, Line};
use enza_kernel::text::Lang;
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::engine::Prompt;
use enza_runtime::host::SessionState;
use enza_runtime::seams::store::{Family, Filter, Recorded, SessionId, SessionRow, UsageQuery};
use serde_json::Value;

use super::{cursor, how_many};
use crate::access::Caller;
use crate::problem::Problem;
use crate::state::AppState;

/// How many events are read at a time when lines are looked for, and for an export.
const PAGE: usize = 256;
/// How many events are looked through for the lines of one answer.
const FAR: usize = 2_048;

/// Which of the caller's sessions to list.
#[derive(Debug, Clone, Default)]
pub struct SessionFilter {
    pub application: Option<String>,
    /// In one of these phases; all where empty.
    pub phases: Vec<Phase>,
    pub title: Option<String>,
    /// Belonging to this session of the caller's; where nothing is said, belonging to none.
    pub of: Option<String>,
    pub limit: Option<usize>,
    /// Where the page before ended.
    pub cursor: Option<String>,
}

/// A page of a list.
#[derive(Debug, Clone, PartialEq)]
pub struct SessionPage {
    /// The sessions, the last changed first.
    pub rows: Vec<SessionRow>,
    /// Where the next page begins; none after the last.
    pub next: Option<String>,
}

/// The caller's sessions that belong to no other, or those that belong to one.
pub async fn list(app: &AppState, caller: &Caller, wanted: SessionFilter) -> Result<SessionPage, Problem> {
    let limit = how_many(wanted.limit)?;
    let after = wanted.cursor.as_deref().map(cursor::read).transpose()?;
    let family = match &wanted.of {
        None => Family::Alone,
        Some(of) => Family::Of(caller.session(app, of).await?.id),
    };
    let filter = Filter {
        application: wanted.application,
        phases: wanted.phases,
        owner: Some(caller.name().to_owned()),
        family,
        id_part: None,
        title_part: wanted.title,
        after,
        limit: limit + 1,
    };
    let mut rows = app.engine().store().list(&filter).await?;
    let is_more = rows.len() > limit;
    rows.truncate(limit);
    let next = rows.last().filter(|_| is_more).map(cursor::write);
    Ok(SessionPage { rows, next })
}

/// A session as one comes to it.
pub struct SessionView {
    pub row: SessionRow,
    /// What may be done, and what is known.
    pub floor: Floor,
    /// What is being worked on.
    pub at_work: Vec<Work>,
    /// What it has cost; none where that is nothing to whoever looks.
    pub cost: Option<SessionCost>,
}

/// What a session has cost so far.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct SessionCost {
    /// How many calls it has made.
    pub calls: u64,
    pub spent: Usage,
}

/// Something that a session waits for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Work {
    /// An agent's reply.
    Agent { agent: String, thread: String },
    /// A tool's end.
    Tool { tool: String },
}

/// One session of the caller's, with everything a person finds there.
pub async fn show(app: &AppState, caller: &Caller, session: &str, lang: Lang) -> Result<SessionView, Problem> {
    let id = caller.session(app, session).await?.id;
    let (row, live) = app.engine().present(&id).await?;
    let lines = app.engine().store().usage(&UsageQuery { session: Some(id), ..UsageQuery::default() }).await?;
    let cost = SessionCost {
        calls: lines.iter().map(|line| line.calls).sum(),
        spent: lines.iter().fold(Usage::default(), |sum, line| sum.plus(line.usage)),
    };
    Ok(SessionView { cost: Some(cost), ..view_in(row, &*live, lang) })
}

/// The same without what it cost, for whoever was let in to a session in another way.
pub fn view_in(row: SessionRow, live: &dyn SessionState, lang: Lang) -> SessionView {
    let work = |effect: Effect| match effect {
        Effect::AskModel(ask) => Some(Work::Agent { agent: ask.agent, thread: ask.thread }),
        Effect::RunTool(run) => Some(Work::Tool { tool: run.tool }),
        Effect::RunErrand(_) | Effect::Wake(_) => None,
    };
    let at_work = live.due().into_iter().filter_map(work).collect();
    SessionView { row, floor: live.floor(lang), at_work, cost: None }
}

/// A stretch of a log.
pub struct EventPage {
    pub events: Vec<Recorded>,
    /// After which event to go on; none at the end of the log.
    pub next: Option<Seq>,
}

/// Events of a session of the caller's, after one of them.
pub async fn events(
    app: &AppState,
    caller: &Caller,
    session: &str,
    after: Seq,
    limit: Option<usize>,
) -> Result<EventPage, Problem> {
    let limit = how_many(limit)?;
    let row = caller.session(app, session).await?;
    let events = app.engine().store().events(&row.id, after, limit).await?;
    let next = events.last().map(|last| last.seq).filter(|last| *last < row.head);
    Ok(EventPage { events, next })
}

/// The next events of an export, up to the last that it is to have; empty at its end.
pub async fn export_page(app: &AppState, session: &SessionId, after: Seq, head: Seq) -> Result<Vec<Recorded>, Problem> {
    let mut page = app.engine().store().events(session, after, PAGE).await?;
    page.retain(|recorded| recorded.seq <= head);
    Ok(page)
}

/// A stretch of a conversation.
pub struct Conversation {
    pub lines: Vec<SaidLine>,
    /// After which event to go on; none at the end of the log.
    pub next: Option<Seq>,
}

/// A line in its place.
pub struct SaidLine {
    /// The event that it was made from.
    pub seq: Seq,
    pub at: Timestamp,
    pub line: Line,
}

/// Lines of a session of the caller's, from after an event on.
pub async fn conversation(
    app: &AppState,
    caller: &Caller,
    session: &str,
    after: Seq,
    limit: Option<usize>,
    lang: Lang,
) -> Result<Conversation, Problem> {
    let row = caller.session(app, session).await?;
    conversation_in(app, &row, after, limit, lang).await
}

/// The same, for whoever was let in to a session in another way.
pub async fn conversation_in(
    app: &AppState,
    row: &SessionRow,
    after: Seq,
    limit: Option<usize>,
    lang: Lang,
) -> Result<Conversation, Problem> {
    let limit = how_many(limit)?;
    let host = app.engine().applications().find(&row.application).ok_or(Problem::NoApplication)?;
    let (mut lines, mut seen, mut looked) = (Vec::new(), after, 0);
    while seen < row.head && looked < FAR {
        let page = app.engine().store().events(&row.id, seen, PAGE).await?;
        if page.is_empty() {
            break;
        }
        for recorded in page {
            (seen, looked) = (recorded.seq, looked + 1);
            if let Some(line) = host.line(&recorded, lang) {
                lines.push(SaidLine { seq: recorded.seq, at: recorded.at, line });
            }
            if lines.len() == limit {
                return Ok(Conversation { lines, next: Some(seen).filter(|seen| *seen < row.head) });
            }
        }
    }
    Ok(Conversation { lines, next: Some(seen).filter(|seen| *seen < row.head) })
}

/// The state of a session of the caller's as of an event, or as of its last; and which that is.
pub async fn state(app: &AppState, caller: &Caller, session: &str, at: Option<Seq>) -> Result<(Seq, Value), Problem> {
    let row = caller.session(app, session).await?;
    let live = match at {
        Some(at) if at == Seq::START || at > row.head => return Err(Problem::NoSuchEvent),
        Some(at) => app.engine().state_at(&row.id, Some(at)).await?,
        None => app.engine().present(&row.id).await?.1,
    };
    Ok((live.seq(), live.to_json()))
}

/// The prompts around an event of a session of the caller's: the one behind it, or those due after it.
pub async fn prompts(app: &AppState, caller: &Caller, session: &str, at: Seq) -> Result<Vec<Prompt>, Problem> {
    let row = caller.session(app, session).await?;
    if at == Seq::START || at > row.head {
        return Err(Problem::NoSuchEvent);
    }
    Ok(app.engine().prompts_at(&row.id, at).await?)
}
