//! Going back: the files, the conversation, or both.
//!
//! `/undo` takes back files and goes on here; `/fork` goes on in another session from before a turn and leaves files as
//! they are; `/rewind` does both, one after the other: first the files are taken back, and only once that is in the log
//! does the fork begin. What a person has changed since is left alone and told.

use enza_companion::{Command, State};
use enza_kernel::time::Seq;
use enza_runtime::engine::Engine;
use enza_runtime::seams::store::SessionId;
use enza_terminal::screen::Screen;
use enza_terminal::setup::short_id;
use enza_terminal::talk::GoesOn;
use enza_terminal::trouble::Trouble;

use super::talk::Talk;
use super::{lists, open, resume};
use crate::words::talk as words;

impl Talk<'_> {
    /// Goes on in another session from before a turn.
    pub(super) async fn fork(&mut self, state: &State, turn: u32) -> Result<GoesOn, Trouble> {
        let lang = self.show.screen.lang;
        match open::before(state, turn) {
            Some(before) => self.go_back(&self.session.clone(), before, words::forked(lang)).await,
            None => self.tell(words::no_such_turn(lang)),
        }
    }

    /// The turns.
    pub(super) async fn turns(&mut self, state: &State) -> Result<GoesOn, Trouble> {
        let told = turns(self.engine, self.show.screen, &self.session, state).await?;
        self.told(&told)
    }

    /// Goes on in another session from before a turn of a third one.
    pub(super) async fn fork_of(&mut self, part: &str, turn: u32) -> Result<GoesOn, Trouble> {
        let lang = self.show.screen.lang;
        let parent = match open::find_companion_session(self.engine, part).await {
            Ok(parent) => parent,
            Err(trouble @ (Trouble::UnknownSession { .. } | Trouble::OtherApplication { .. })) => {
                let said = enza_terminal::words::trouble::say(&trouble, lang);
                return self.tell(&said.in_one());
            }
            Err(trouble) => return Err(trouble),
        };
        let known = open::state_of(self.engine, &parent).await?;
        match open::before(&known, turn).filter(|_| known.folder == self.folder.display().to_string()) {
            Some(before) => self.go_back(&parent, before, words::forked(lang)).await,
            None => self.tell(words::no_such_turn(lang)),
        }
    }

    /// Takes files back and goes on from before the same turn; without a turn, tells what there is to go back to.
    pub(super) async fn rewind(&mut self, state: &State, turn: Option<u32>) -> Result<GoesOn, Trouble> {
        let screen = self.show.screen;
        let Some(turn) = turn else {
            let told = ways_back(self.engine, screen, &self.session, state).await?;
            return self.told(&told);
        };
        let Some(before) = open::before(state, turn) else { return self.tell(words::no_such_turn(screen.lang)) };
        if !state.turns.iter().any(|one| one.number >= turn && !one.changes.is_empty()) {
            return self.go_back(&self.session.clone(), before, words::rewound(screen.lang)).await;
        }
        if self.send(&Command::TakeBack { turn }).await? {
            self.rewinding = Some(PendingRewind { turn, before });
        }
        Ok(GoesOn::Yes)
    }

    /// The files are as they were before a turn, as far as that was possible: a rewind goes on with the conversation.
    pub(super) async fn taken_back(&mut self, turn: u32) -> Result<(), Trouble> {
        if let Some(PendingRewind { before, .. }) = self.rewinding.take_if(|rewinding| rewinding.turn == turn) {
            let lang = self.show.screen.lang;
            self.go_back(&self.session.clone(), before, words::rewound(lang)).await?;
        }
        Ok(())
    }

    async fn go_back(&mut self, session: &SessionId, before: Seq, told: &str) -> Result<GoesOn, Trouble> {
        let lang = self.show.screen.lang;
        let child = open::fork_from(self.engine, session, before).await?;
        let seen = self.engine.row(&child).await?.head;
        // What was forbidden in a turn that is gone is forbidden all the same.
        resume::tighten(self.around, self.show.screen, self.engine, &child).await?;
        self.say(&self.show.note(&words::turned_to(lang, told, short_id(&child), short_id(session))))?;
        self.turn_to(child, seen);
        Ok(GoesOn::Yes)
    }
}

/// The turns, and those of every session from which this one came that it knows nothing of: a rewind leaves them there, and
/// so does the next.
pub async fn turns(engine: &Engine, screen: &Screen, session: &SessionId, state: &State) -> Result<String, Trouble> {
    let mut told = vec![lists::turns(screen, state)];
    let mut next = engine.row(session).await?.parent;
    while let Some((parent, forked_at)) = next {
        let known = open::state_of(engine, &parent).await?;
        told.extend(lists::turns_of(screen, short_id(&parent), &known, forked_at));
        next = engine.row(&parent).await?.parent;
    }
    Ok(told.join("\n"))
}

/// The turns, and the ways back to them.
pub async fn ways_back(
    engine: &Engine,
    screen: &Screen,
    session: &SessionId,
    state: &State,
) -> Result<String, Trouble> {
    let ways = enza_terminal::screen::fold(words::ways_back(screen.lang), screen.width()).join("\n");
    Ok(format!("{}\n{ways}", turns(engine, screen, session, state).await?))
}

/// A rewind whose files are being taken back.
pub struct PendingRewind {
    /// From this turn on.
    turn: u32,
    /// The last event before it, where the fork begins.
    before: Seq,
}
