//! Commands that are under way, by the names of their runs, so that one can be told to end.
//!
//! The word to end a command and the command itself come by different ways, so the word may be there first. It is kept for
//! a while: a command that was stopped before it began does not begin.

use std::collections::{HashMap, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use enza_kernel::effect::Key;
use enza_runtime::seams::store::SessionId;
use tokio::sync::watch;

/// How many words are kept for commands that have not begun. Most are for commands that were over already.
const KEPT: usize = 256;

type Name = (SessionId, Key);

/// Who is to be ended.
#[derive(Debug, Clone, Default)]
pub struct RunningCommands(Arc<Mutex<Board>>);

#[derive(Debug, Default)]
struct Board {
    under_way: HashMap<Name, watch::Sender<bool>>,
    early: VecDeque<Name>,
}

/// A command that can be told to end, for as long as this is kept.
#[derive(Debug)]
pub struct RunningCommand {
    halting: RunningCommands,
    name: Name,
    halted: watch::Receiver<bool>,
}

impl RunningCommands {
    /// A command begins.
    pub fn begin(&self, session: &SessionId, key: Key) -> RunningCommand {
        let name = (session.clone(), key);
        let mut board = self.board();
        let is_halted = board.early.iter().any(|early| *early == name);
        board.early.retain(|early| *early != name);
        let (tell, halted) = watch::channel(is_halted);
        board.under_way.insert(name.clone(), tell);
        RunningCommand { halting: self.clone(), name, halted }
    }

    /// Tells a command to end. One that is over is left alone, one that has not begun will not.
    pub fn halt(&self, session: &SessionId, key: Key) {
        let name = (session.clone(), key);
        let mut board = self.board();
        match board.under_way.get(&name) {
            Some(tell) => drop(tell.send_replace(true)),
            None => {
                board.early.push_back(name);
                let surplus = board.early.len().saturating_sub(KEPT);
                board.early.drain(..surplus);
            }
        }
    }

    fn board(&self) -> MutexGuard<'_, Board> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl RunningCommand {
    /// Whether it was told to end.
    pub fn is_halted(&self) -> bool {
        *self.halted.borrow()
    }

    /// Waits until it is told to end.
    pub async fn halted(&self) {
        // The other end is kept on the board for as long as we are.
        let _ = self.halted.clone().wait_for(|is_halted| *is_halted).await;
    }
}

impl Drop for RunningCommand {
    fn drop(&mut self) {
        self.halting.board().under_way.remove(&self.name);
    }
}

#[cfg(test)]
mod tests {
    use enza_kernel::time::Seq;

    use super::*;

    fn key(ordinal: u16) -> Key {
        Key { seq: Seq(7), ordinal }
    }

    #[test]
    fn a_command_is_told_to_end_before_and_after_it_has_begun() {
        let halting = RunningCommands::default();
        let session = SessionId::of("s");
        let one = halting.begin(&session, key(0));
        let other = halting.begin(&session, key(1));
        halting.halt(&session, key(0));
        halting.halt(&session, key(2));
        halting.halt(&SessionId::of("t"), key(1));
        let late = halting.begin(&session, key(2));
        assert_eq!([one.is_halted(), other.is_halted(), late.is_halted()], [true, false, true]);
    }

    #[test]
    fn words_for_commands_that_never_come_are_forgotten_in_time() {
        let halting = RunningCommands::default();
        let session = SessionId::of("s");
        for ordinal in 0..=KEPT {
            halting.halt(&session, key(ordinal as u16));
        }
        assert!(!halting.begin(&session, key(0)).is_halted());
        assert!(halting.begin(&session, key(KEPT as u16)).is_halted());
        assert_eq!(halting.board().early.len(), KEPT - 1);
    }
}
