//! An interview that is worked on, and one that owes nothing, as a terminal knows them.
//!
//! While someone is at work the screen shows who, and how much is written; the words themselves are not for the respondent
//! until they are whole. Nothing is kept from one moment to the next that the log does not have.

use std::time::{Duration, Instant};

use enza_interview::{Interview, State};
use enza_kernel::application::Phase;
use enza_kernel::time::Seq;
use enza_models::choice::Chosen;
use enza_runtime::engine::Engine;
use enza_runtime::seams::model::Piece;
use enza_runtime::seams::store::{Recorded, SessionId};
use enza_terminal::keyboard::Keyboard;
use enza_terminal::screen::Screen;
use enza_terminal::talk::{Console, Drafts, Follower, LinePace, Moment};
use enza_terminal::trouble::Trouble;

use crate::words::interview as words;

/// After this long in which nobody here works on it we say what we wait for.
const LONG: Duration = Duration::from_secs(2);
/// Work that is done sooner is not worth a status.
const BRIEF: Duration = Duration::from_millis(250);
/// Before what is typed ahead.
const PROMPT: &str = "> ";

/// What an interview is held at.
pub type InterviewConsole<'a> = Console<'a, LetterCount>;

/// Keeps of a reply how many letters it has so far.
pub struct LetterCount;

impl Drafts for LetterCount {
    type Draft = usize;

    fn take(&self, draft: &mut usize, piece: &Piece) {
        match piece {
            Piece::Text(text) | Piece::Reasoning(text) | Piece::Call { fragment: text, .. } => {
                *draft += text.chars().count();
            }
            Piece::Again => *draft = 0,
        }
    }

    /// Everything that is written until it rests is counted together.
    fn ended_by(&self, _recorded: &Recorded) -> Option<String> {
        None
    }
}

/// A session that owes nothing: whoever looks may act.
pub struct IdleSession {
    pub seq: Seq,
    pub phase: Phase,
    /// What a person should know or do next.
    pub waiting_for: Option<String>,
    pub state: State,
}

impl IdleSession {
    /// What a moment of rest is to an interview; none where the session is another application's.
    pub fn of(moment: Moment) -> Option<Self> {
        let Moment { seq, standing, state, .. } = moment;
        let state = state.typed::<Interview>()?.clone();
        Some(Self { seq, phase: standing.phase, waiting_for: standing.waiting_for, state })
    }
}

/// A console over an interview, from its first event on.
pub fn console<'a>(
    engine: &Engine,
    screen: &'a Screen,
    session: &SessionId,
    keyboard: Keyboard,
) -> InterviewConsole<'a> {
    let follower = Follower::from(engine, session, Seq::START, LetterCount);
    Console::new(screen, keyboard, follower, LinePace::AtRest)
}

/// What is shown while an interview is worked on.
pub struct WorkStatus<'a> {
    session: SessionId,
    chosen: &'a Chosen,
    /// Since when it has been worked on, and since when by nobody here.
    since: Option<Instant>,
    idle: Option<Instant>,
    has_told: bool,
}

impl<'a> WorkStatus<'a> {
    /// With nothing shown yet.
    pub fn new(session: SessionId, chosen: &'a Chosen) -> Self {
        Self { session, chosen, since: None, idle: None, has_told: false }
    }

    /// It rests.
    pub fn rests(&mut self) {
        (self.since, self.idle, self.has_told) = (None, None, false);
    }

    /// It is at work still.
    pub async fn show(&mut self, console: &mut InterviewConsole<'_>) -> Result<(), Trouble> {
        let screen = console.screen;
        let since = *self.since.get_or_insert_with(Instant::now);
        if console.follower.engine().is_at_work(&self.session).await {
            self.idle = None;
        } else if self.idle.get_or_insert_with(Instant::now).elapsed() >= LONG {
            console.stands("", PROMPT);
            if !std::mem::replace(&mut self.has_told, true) {
                console.note(&screen.paint.faint(words::waiting(screen.lang)))?;
            }
            return Ok(());
        }
        if since.elapsed() < BRIEF {
            console.stands("", PROMPT);
            return Ok(());
        }
        let written = console.follower.drafts().sum();
        let status = words::at_work(screen.lang, self.chosen, since.elapsed(), written);
        console.stands(&status, PROMPT);
        if console.keyboard.draws() { Ok(()) } else { screen.status(&status) }
    }
}
