//! Follows a session of the companion: the frame's follower, with what the companion keeps of a reply and where it stands.
//!
//! The words of a reply stand in fields of its own JSON; they are kept until any event of their thread.

use std::time::Duration;

use enza_companion::{Companion, Event, State};
use enza_kernel::application::Phase;
use enza_kernel::time::Seq;
use enza_runtime::engine::Engine;
use enza_runtime::seams::model::Piece;
use enza_runtime::seams::store::{Recorded, SessionId};
use enza_terminal::talk::{Drafts, Moment};
use enza_terminal::trouble::Trouble;

use super::partial_reply::PartialReply;

/// How often we look whether files are still being changed.
const LOOK: Duration = Duration::from_millis(30);

/// The longest that is waited for changes to files on leaving.
const LONGEST_CHANGE: Duration = Duration::from_secs(10);

/// Someone who follows a session of the companion.
pub type Follower = enza_terminal::talk::Follower<ReplyDrafts>;

/// Replies of the companion's agents while they are written.
pub struct ReplyDrafts;

/// Where a session of the companion stands.
pub struct SessionStatus {
    pub phase: Phase,
    /// Whether everything that happened has been seen.
    pub is_seen: bool,
    /// Whether everything that happened has been seen and nothing is owed.
    pub rests: bool,
    pub waiting_for: Option<String>,
    pub state: State,
}

impl Drafts for ReplyDrafts {
    type Draft = PartialReply;

    fn take(&self, draft: &mut PartialReply, piece: &Piece) {
        match piece {
            Piece::Text(text) => draft.feed(text),
            // Only the first call is a reply.
            Piece::Call { place: 0, fragment, .. } => draft.feed(fragment),
            Piece::Call { .. } => {}
            Piece::Reasoning(text) => draft.think(text),
            Piece::Again => *draft = PartialReply::default(),
        }
    }

    fn ended_by(&self, recorded: &Recorded) -> Option<String> {
        match recorded.event::<Companion>() {
            Ok(Event::Stepped(step)) => Some(step.thread),
            Ok(_) | Err(_) => None,
        }
    }
}

/// Follows a session from behind an event on.
pub fn follow(engine: &Engine, session: &SessionId, seen: Seq) -> Follower {
    Follower::from(engine, session, seen, ReplyDrafts)
}

/// Where it stands.
pub async fn status(follower: &Follower) -> Result<SessionStatus, Trouble> {
    SessionStatus::of(follower.moment().await?).ok_or_else(|| follower.is_gone())
}

/// How many letters are written of everything that is being written, and since when anything last happened.
pub fn pace(follower: &Follower) -> (usize, Duration) {
    (follower.drafts().map(PartialReply::letters).sum(), follower.idle())
}

impl SessionStatus {
    /// What a moment is to the companion; none where the session is another application's.
    pub fn of(moment: Moment) -> Option<Self> {
        let Moment { standing, state, is_seen, rests, .. } = moment;
        let state = state.typed::<Companion>()?.clone();
        Some(Self { phase: standing.phase, is_seen, rests, waiting_for: standing.waiting_for, state })
    }
}

/// Waits until no file is in the middle of being changed: whoever leaves finds them as they were, or as they are to be.
/// What takes longer than files ever take goes on when the session is next taken up.
pub async fn wait_for_changes(engine: &Engine, session: &SessionId) {
    let settled = async {
        while let Ok((_, state)) = engine.state::<Companion>(session).await {
            if !state.is_changing_files() {
                return;
            }
            tokio::time::sleep(LOOK).await;
        }
    };
    let _ = tokio::time::timeout(LONGEST_CHANGE, settled).await;
}
