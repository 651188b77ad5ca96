//! Waits until a session owes nothing, and says where it stands then.
//!
//! Meanwhile the screen shows that someone is at work. Nothing is kept from one moment to the next: each is read from
//! the log.

use std::time::{Duration, Instant};

use enza_interview::{Interview, State};
use enza_kernel::application::Phase;
use enza_kernel::time::Seq;
use enza_models::choice::Chosen;
use enza_runtime::engine::{Engine, Feed, FeedItem};
use enza_runtime::seams::model::Piece;
use enza_runtime::seams::store::SessionId;
use enza_terminal::screen::Screen;
use enza_terminal::trouble::Trouble;

use crate::words::interview as words;

/// After this long in which nobody here works on it we say what we wait for.
const LONG: Duration = Duration::from_secs(2);
/// How often we look, and the status is drawn anew.
const LOOK: Duration = Duration::from_millis(250);

/// A session that owes nothing: whoever looks may act.
pub struct IdleSession {
    pub phase: Phase,
    /// What a person should know or do next.
    pub waiting_for: Option<String>,
    pub state: State,
}

/// Someone who waits for a session.
pub struct SessionWaiter<'a> {
    engine: &'a Engine,
    screen: &'a Screen,
    session: SessionId,
    feed: Feed,
    chosen: &'a Chosen,
}

impl<'a> SessionWaiter<'a> {
    /// Over a session.
    pub fn over(engine: &'a Engine, screen: &'a Screen, session: SessionId, chosen: &'a Chosen) -> Self {
        let feed = engine.watch(&session, Seq::START);
        Self { engine, screen, session, feed, chosen }
    }

    /// The session's state, whatever it owes.
    pub async fn state(&self) -> Result<State, Trouble> {
        Ok(self.engine.state::<Interview>(&self.session).await?.1)
    }

    /// The session, once it owes nothing.
    pub async fn at_rest(&mut self) -> Result<IdleSession, Trouble> {
        let began = Instant::now();
        let mut idle = Duration::ZERO;
        let mut written = 0;
        loop {
            let (_, live) = self.engine.present(&self.session).await?;
            let standing = live.standing();
            if standing.phase != Phase::Working {
                let gone = || Trouble::UnknownSession { part: self.session.to_string(), near: Vec::new() };
                let state = live.into_typed::<Interview>().ok_or_else(gone)?;
                return Ok(IdleSession { phase: standing.phase, waiting_for: standing.waiting_for, state });
            }
            let is_here = self.engine.is_at_work(&self.session).await;
            match tokio::time::timeout(LOOK, self.feed.next()).await {
                Ok(Ok(FeedItem::Delta { piece, .. })) => written = after(written, &piece),
                Ok(Ok(FeedItem::Event(_) | FeedItem::Skipped | FeedItem::Gone) | Err(_)) => {}
                Err(_) if is_here => idle = Duration::ZERO,
                Err(_) => idle += LOOK,
            }
            if idle == LONG {
                self.screen.note(&self.screen.paint.faint(words::waiting(self.screen.lang)))?;
            } else if idle < LONG && began.elapsed() >= LOOK {
                self.screen.status(&words::at_work(self.screen.lang, self.chosen, began.elapsed(), written))?;
            }
        }
    }
}

/// How many letters of a reply there are after another piece of it.
fn after(written: usize, piece: &Piece) -> usize {
    match piece {
        Piece::Text(text) | Piece::Reasoning(text) | Piece::Call { fragment: text, .. } => {
            written + text.chars().count()
        }
        Piece::Again => 0,
    }
}
