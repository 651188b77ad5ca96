//! A session at a terminal: what happens is shown as it comes, what is typed is taken.
//!
//! There is one loop, `hold`. It follows the session, listens to the keyboard, draws what is being written, looks where the
//! session stands, and keeps lines that came before their time. What is shown and what a line means is the part's: `PlainTalk`
//! needs nothing of an application but its lines and floors, and an application with orders of its own brings a part of
//! its own. All of them stand on one `Console`.
//!
//! The session stays, however a talk ends.

mod choices;
mod console;
mod draw;
mod follow;
mod panel;
mod plain;
mod spoken;

pub use console::{Asked, Console, LinePace, TimedLine, ask};
pub use follow::{Drafts, Follower, Moment, Seen};
pub use plain::{PlainTalk, TalkSetup, prepared};

use std::time::{Duration, Instant};

use async_trait::async_trait;
use enza_runtime::engine::SeenEvent;

use crate::keyboard::{Input, TimedInput};
use crate::trouble::Trouble;
use console::Came;

/// How often words that are being written are drawn at most.
const FRAME: Duration = Duration::from_millis(40);
/// How often we look where the session stands while words come.
const LOOK: Duration = Duration::from_millis(250);

/// What one kind of talk adds to the loop. It is asked by one loop at a time, and keeps nothing that the log does not have
/// but what is on the screen.
#[async_trait(?Send)]
pub trait TalkPart<'a> {
    /// What it keeps of replies while they are written.
    type Drafts: Drafts;

    /// What it stands on.
    fn console(&mut self) -> &mut Console<'a, Self::Drafts>;

    /// Something happened.
    async fn happened(&mut self, event: &SeenEvent) -> Result<(), Trouble>;

    /// The words that are being written, in lines that fit.
    fn words(&self) -> Vec<String> {
        Vec::new()
    }

    /// It is at work still: what stands below meanwhile.
    async fn at_work(&mut self, moment: Moment) -> Result<(), Trouble>;

    /// Everything that happened has been seen and nothing is owed: whoever is there may act.
    async fn rest(&mut self, moment: Moment) -> Result<Rest, Trouble>;

    /// A line was typed.
    async fn line(&mut self, line: TimedLine) -> Result<GoesOn, Trouble>;

    /// A key was pressed that sends no line.
    async fn key(&mut self, key: TalkKey) -> Result<GoesOn, Trouble> {
        match key {
            TalkKey::Interrupt | TalkKey::Ended => Err(self.console().interrupted()),
            TalkKey::Compose | TalkKey::Mode => Ok(GoesOn::Yes),
        }
    }

    /// The keyboard is gone, and every line of it is taken.
    async fn left(&mut self) -> Result<GoesOn, Trouble> {
        Ok(GoesOn::No)
    }
}

/// Whether a talk goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum GoesOn {
    Yes,
    No,
}

/// What a part made of a moment of rest.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Rest {
    /// Until something happens or is typed, it stays as it is.
    Waits,
    /// It did something itself, which is to be looked at.
    Acted,
    /// The talk is over.
    Ends,
}

/// A key that sends no line and whose meaning is the part's.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum TalkKey {
    /// Ctrl-C.
    Interrupt,
    /// Someone asks the whole program to end.
    Ended,
    /// What is typed is to be written in an editor.
    Compose,
    /// Shift-Tab.
    Mode,
}

/// Holds a talk to its end.
pub async fn hold<'a>(part: &mut impl TalkPart<'a>) -> Result<(), Trouble> {
    loop {
        let goes_on = match part.console().next().await? {
            Came::Seen(seen) => see(part, seen).await?,
            Came::Typed(typed) => take(part, typed).await?,
        };
        if goes_on == GoesOn::No {
            part.console().keyboard.lift();
            return Ok(());
        }
    }
}

async fn see<'a>(part: &mut impl TalkPart<'a>, seen: Seen) -> Result<GoesOn, Trouble> {
    let console = part.console();
    match seen {
        Seen::Event(event) => {
            console.unsettle();
            write(part);
            part.happened(&event).await?;
        }
        // While words come, there is never a quiet moment to look where it stands.
        Seen::Written(_) if console.looked.elapsed() >= LOOK => return look(part).await,
        Seen::Written(_) if console.drawn.elapsed() >= FRAME => draw(part),
        Seen::Written(_) => {}
        Seen::Gone => return Err(console.follower.is_gone()),
        // Until something happens or is typed, it stays as it is.
        Seen::Quiet if console.is_settled => {}
        Seen::Quiet => return look(part).await,
    }
    Ok(GoesOn::Yes)
}

/// Looks where it stands: at work, or with the person.
async fn look<'a>(part: &mut impl TalkPart<'a>) -> Result<GoesOn, Trouble> {
    let console = part.console();
    let moment = console.follower.moment().await?;
    console.looked = Instant::now();
    if !moment.rests {
        part.at_work(moment).await?;
        draw(part);
        return Ok(GoesOn::Yes);
    }
    console.follower.forget();
    console.keyboard.write(Vec::new());
    match part.rest(moment).await? {
        Rest::Ends => Ok(GoesOn::No),
        Rest::Acted => {
            part.console().unsettle();
            Ok(GoesOn::Yes)
        }
        Rest::Waits => {
            let console = part.console();
            console.settle();
            match console.kept() {
                Some(line) => obey(part, line).await,
                None if console.has_left => part.left().await,
                None => Ok(GoesOn::Yes),
            }
        }
    }
}

async fn take<'a>(part: &mut impl TalkPart<'a>, typed: TimedInput) -> Result<GoesOn, Trouble> {
    let console = part.console();
    let key = match typed.input {
        Input::Line(text) => {
            let line = TimedLine { text, at: typed.at };
            return match console.keep(line) {
                Some(line) => obey(part, line).await,
                None => Ok(GoesOn::Yes),
            };
        }
        Input::Gone => return if console.leaves() { part.left().await } else { Ok(GoesOn::Yes) },
        Input::Pause | Input::Clear | Input::Redraw => {
            console.redraw(&typed.input).await;
            return Ok(GoesOn::Yes);
        }
        Input::Interrupt => TalkKey::Interrupt,
        Input::Ended => TalkKey::Ended,
        Input::Compose => TalkKey::Compose,
        Input::Mode => TalkKey::Mode,
    };
    let goes_on = part.key(key).await?;
    part.console().unsettle();
    Ok(goes_on)
}

async fn obey<'a>(part: &mut impl TalkPart<'a>, line: TimedLine) -> Result<GoesOn, Trouble> {
    let goes_on = part.line(line).await?;
    part.console().unsettle();
    Ok(goes_on)
}

/// Draws the words that are being written, and what stands below them.
fn draw<'a>(part: &mut impl TalkPart<'a>) {
    write(part);
    part.console().lay();
}

/// Has the words that are being written drawn with what is shown next.
fn write<'a>(part: &mut impl TalkPart<'a>) {
    if part.console().keyboard.draws() {
        let words = part.words();
        part.console().keyboard.write(words);
    }
}
