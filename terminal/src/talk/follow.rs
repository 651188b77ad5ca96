//! Follows a session of whatever application: its lines as they come, the words of replies as they are written, and where
//! it stands.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use enza_kernel::application::{Phase, Standing};
use enza_kernel::floor::{Floor, Line};
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_runtime::engine::{Engine, ReaderFeed, ReaderItem, SeenEvent};
use enza_runtime::host::{AnyApplication, SessionState};
use enza_runtime::seams::store::SessionId;

use super::spoken::SpokenSoFar;
use crate::trouble::Trouble;

/// How long we wait for the next event before we look where the session stands.
const LOOK: Duration = Duration::from_millis(120);

/// Someone who follows a session.
pub struct Follower {
    engine: Engine,
    host: Arc<dyn AnyApplication>,
    /// Knows a reply when it sees one; no state is kept in it.
    replies: Box<dyn SessionState>,
    session: SessionId,
    lang: Lang,
    /// As its owner reads it; none before the first look.
    feed: Option<ReaderFeed>,
    seen: Seq,
    writing: BTreeMap<String, SpokenSoFar>,
}

/// What came next.
pub enum Seen {
    Line(Seq, Box<Line>),
    /// A piece of a reply.
    Written,
    /// Nothing to see for a moment.
    Quiet,
}

/// Where a session stands.
pub struct Moment {
    pub seq: Seq,
    pub standing: Standing,
    pub floor: Floor,
    /// Whether everything that happened has been seen and nothing is owed.
    pub rests: bool,
}

impl Follower {
    /// A session, from its first event on.
    pub fn of(engine: &Engine, host: Arc<dyn AnyApplication>, session: &SessionId, lang: Lang) -> Self {
        let (engine, session) = (engine.clone(), session.clone());
        let replies = host.fresh();
        Self { engine, host, replies, session, lang, feed: None, seen: Seq::START, writing: BTreeMap::new() }
    }

    /// What comes next. May be given up and asked again.
    pub async fn next(&mut self) -> Result<Seen, Trouble> {
        let feed = match &mut self.feed {
            Some(feed) => feed,
            unopened => unopened.insert(open(&self.engine, &self.session).await?),
        };
        match tokio::time::timeout(LOOK, feed.next()).await {
            Ok(Ok(ReaderItem::Event(seen))) => Ok(self.take(&seen)),
            Ok(Ok(ReaderItem::Delta { thread, piece })) => {
                let host = &self.host;
                self.writing.entry(thread).or_default().take(&piece, |tool| host.spoken(tool));
                Ok(Seen::Written)
            }
            // What is being written comes again from its beginning.
            Ok(Ok(ReaderItem::Skipped)) => {
                self.writing.clear();
                Ok(Seen::Quiet)
            }
            Ok(Ok(ReaderItem::Gone | ReaderItem::Closed)) => Err(unknown(&self.session)),
            Ok(Err(failure)) if failure.may_retry() => {
                tokio::time::sleep(LOOK).await;
                Ok(Seen::Quiet)
            }
            Ok(Err(failure)) => Err(failure.into()),
            Err(_) => Ok(Seen::Quiet),
        }
    }

    fn take(&mut self, event: &SeenEvent) -> Seen {
        self.seen = event.seq();
        // What was being written is said now.
        if let Some(reply) = event.recorded().and_then(|recorded| self.replies.prompt_of(recorded)) {
            self.writing.remove(&reply.thread);
        }
        match event.line(self.lang) {
            Some(line) => Seen::Line(event.seq(), Box::new(line)),
            None => Seen::Quiet,
        }
    }

    /// The words that are being written.
    pub fn writing(&self) -> Vec<String> {
        self.writing.values().map(SpokenSoFar::words).filter(|words| !words.is_empty()).collect()
    }

    /// Where it stands.
    pub async fn moment(&mut self) -> Result<Moment, Trouble> {
        let owner = self.engine.row(&self.session).await?.owner;
        let found = self.engine.present_as(&self.session, Some(&owner)).await?;
        let (reading, live) = found.ok_or_else(|| unknown(&self.session))?;
        let (seq, standing) = (live.seq(), live.standing());
        let rests = standing.phase != Phase::Working && seq <= self.seen;
        if rests {
            self.writing.clear();
        }
        Ok(Moment { seq, standing, floor: live.floor(&reading.reader, self.lang), rests })
    }
}

/// The session as its owner follows it: whoever sits here speaks for them.
async fn open(engine: &Engine, session: &SessionId) -> Result<ReaderFeed, Trouble> {
    let owner = engine.row(session).await?.owner;
    engine.watch_as(session, Seq::START, Some(&owner)).await?.ok_or_else(|| unknown(session))
}

fn unknown(session: &SessionId) -> Trouble {
    Trouble::UnknownSession { part: session.to_string(), near: Vec::new() }
}
