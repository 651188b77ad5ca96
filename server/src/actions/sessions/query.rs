//! Looking at sessions: lists, one of them, its events and lines, and its state and prompts as they were.
//!
//! Everything is read from the log, by whoever the session lets in, and as far as it is theirs to see. What is read at a time
//! is bounded, and says where to go on.

use enza_kernel::application::Phase;
use enza_kernel::conversation::Usage;
use enza_kernel::effect::Effect;
use enza_kernel::floor::{Floor, Line};
use enza_kernel::reader::{Following, Reader, ReaderRole};
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::engine::{Prompt, SeenEvent, SessionReading};
use enza_runtime::host::SessionState;
use enza_runtime::seams::store::{Family, Filter, Recorded, SessionId, SessionRow, UsageQuery};
use serde_json::Value;

use super::{cursor, how_many};
use crate::access::{Caller, Onlooker};
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
    /// Who looks.
    pub reading: SessionReading,
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

/// One session, with everything that this reader finds there. What it cost is its host's to know.
pub async fn show(app: &AppState, onlooker: &Onlooker, session: &str, lang: Lang) -> Result<SessionView, Problem> {
    let (reading, live) = onlooker.present(app, session).await?;
    let cost = if reading.reader.is_host() { Some(cost_of(app, &reading.row).await?) } else { None };
    Ok(SessionView { cost, ..view_in(reading, &*live, lang) })
}

async fn cost_of(app: &AppState, row: &SessionRow) -> Result<SessionCost, Problem> {
    let query = UsageQuery { session: Some(row.id.clone()), ..UsageQuery::default() };
    let lines = app.engine().store().usage(&query).await?;
    Ok(SessionCost {
        calls: lines.iter().map(|line| line.calls).sum(),
        spent: lines.iter().fold(Usage::default(), |sum, line| sum.plus(line.usage)),
    })
}

/// The same without what it cost, for whoever was let in to a session in another way.
pub fn view_in(reading: SessionReading, live: &dyn SessionState, lang: Lang) -> SessionView {
    let at_work = live.due().into_iter().filter_map(|effect| work(&reading, effect)).collect();
    let floor = live.floor(&reading.reader, lang);
    SessionView { row: reading.row.clone(), reading, floor, at_work, cost: None }
}

/// What is being worked on, as far as it is anything to the reader: of whom they hear nothing, they are not told.
fn work(reading: &SessionReading, effect: Effect) -> Option<Work> {
    let host = reading.host.as_ref()?;
    let follows = |thread: &str| host.follows(thread, &reading.reader) > Following::Nothing;
    match effect {
        Effect::AskModel(ask) => follows(&ask.thread).then_some(Work::Agent { agent: ask.agent, thread: ask.thread }),
        Effect::RunTool(run) => match reading.reader.role {
            ReaderRole::Host | ReaderRole::Guest => Some(Work::Tool { tool: run.tool }),
            ReaderRole::SeatHolder | ReaderRole::Spectator => None,
        },
        Effect::RunErrand(_) | Effect::Wake(_) => None,
    }
}

/// A stretch of a log.
pub struct EventPage {
    pub events: Vec<SeenEvent>,
    /// After which event to go on; none at the end of the log.
    pub next: Option<Seq>,
}

/// Events of a session, after one of them, as its reader may see them.
pub async fn events(
    app: &AppState,
    onlooker: &Onlooker,
    session: &str,
    after: Seq,
    limit: Option<usize>,
) -> Result<EventPage, Problem> {
    let limit = how_many(limit)?;
    let reading = onlooker.session(app, session).await?;
    let head = reading.row.head;
    let mut events = app.engine().store().events(&reading.row.id, after, limit).await?;
    // What was decided meanwhile may have made somebody else of the reader.
    events.retain(|recorded| recorded.seq <= head);
    let next = events.last().map(|last| last.seq).filter(|last| *last < head);
    Ok(EventPage { events: events.into_iter().map(|recorded| reading.event(recorded)).collect(), next })
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

/// Lines of a session's conversation as this reader has it, from after an event on.
pub async fn conversation(
    app: &AppState,
    onlooker: &Onlooker,
    session: &str,
    after: Seq,
    limit: Option<usize>,
    lang: Lang,
) -> Result<Conversation, Problem> {
    conversation_in(app, &onlooker.session(app, session).await?, after, limit, lang).await
}

/// The same, for whoever was let in to a session in another way.
pub async fn conversation_in(
    app: &AppState,
    reading: &SessionReading,
    after: Seq,
    limit: Option<usize>,
    lang: Lang,
) -> Result<Conversation, Problem> {
    let limit = how_many(limit)?;
    if reading.host.is_none() {
        return Err(Problem::NoApplication);
    }
    let head = reading.row.head;
    let (mut lines, mut seen, mut looked) = (Vec::new(), after, 0);
    while seen < head && looked < FAR {
        let page = app.engine().store().events(&reading.row.id, seen, PAGE).await?;
        if page.is_empty() {
            break;
        }
        for recorded in page.into_iter().filter(|recorded| recorded.seq <= head) {
            (seen, looked) = (recorded.seq, looked + 1);
            let (seq, at) = (recorded.seq, recorded.at);
            lines.extend(reading.event(recorded).line(lang).map(|line| SaidLine { seq, at, line }));
            if lines.len() == limit {
                return Ok(Conversation { lines, next: Some(seen).filter(|seen| *seen < head) });
            }
        }
    }
    Ok(Conversation { lines, next: Some(seen).filter(|seen| *seen < head) })
}

/// The state of a session as of an event, or as of its last; and which that is.
pub async fn state(app: &AppState, caller: &Caller, session: &str, at: Option<Seq>) -> Result<(Seq, Value), Problem> {
    let (reading, live) = Onlooker::of(caller).present(app, session).await?;
    match at {
        Some(at) if at == Seq::START || at > reading.row.head => Err(Problem::NoSuchEvent),
        Some(at) => state_for(&reading.reader, &*app.engine().state_at(&reading.row.id, Some(at)).await?),
        None => state_for(&reading.reader, &*live),
    }
}

fn state_for(reader: &Reader, live: &dyn SessionState) -> Result<(Seq, Value), Problem> {
    if live.shows_state(reader) { Ok((live.seq(), live.to_json())) } else { Err(CommonRefusal::NotYourPart.into()) }
}

/// The prompts around an event of a session that are for this reader to see: the one behind it, or those due after it.
pub async fn prompts(app: &AppState, caller: &Caller, session: &str, at: Seq) -> Result<Vec<Prompt>, Problem> {
    let reading = caller.session_as_reader(app, session).await?;
    if at == Seq::START || at > reading.row.head {
        return Err(Problem::NoSuchEvent);
    }
    prompts_in(app, &reading, at).await
}

/// The same, for whoever has looked already who reads. Where there are some and none is theirs, they are told.
pub async fn prompts_in(app: &AppState, reading: &SessionReading, at: Seq) -> Result<Vec<Prompt>, Problem> {
    let all = app.engine().prompts_at(&reading.row.id, at).await?;
    let had_some = !all.is_empty();
    let prompts: Vec<_> = all.into_iter().filter(|prompt| reading.shows_prompt(&prompt.thread)).collect();
    if had_some && prompts.is_empty() { Err(CommonRefusal::NotYourPart.into()) } else { Ok(prompts) }
}
