//! The replies that are being written right now, as far as they have come.
//!
//! Kept in memory alone and only until a reply is whole or given up: then its event says it all. Every piece has a number,
//! so that a watcher who was shown a beginning knows which pieces are in it.

use std::collections::{BTreeMap, HashMap, VecDeque};
use std::sync::Arc;

use super::feed::FeedItem;
use crate::seams::model::Piece;
use crate::seams::store::SessionId;

/// The most bytes that are kept of one reply; a longer one is shown to latecomers without its end so far.
const KEPT: usize = 256 * 1_024;

/// A piece with its number.
#[derive(Debug, Clone, PartialEq)]
pub(super) struct NumberedPiece {
    pub number: u64,
    pub thread: Arc<str>,
    pub piece: Piece,
}

/// What is being written.
#[derive(Debug, Default)]
pub(super) struct PartialReplies {
    last: u64,
    replies: HashMap<SessionId, BTreeMap<Arc<str>, Vec<Piece>>>,
}

impl NumberedPiece {
    /// As a watcher sees it.
    pub fn shown(self) -> FeedItem {
        FeedItem::Delta { thread: self.thread.to_string(), piece: self.piece }
    }
}

impl PartialReplies {
    /// Takes in the next piece and gives it its number.
    pub fn hear(&mut self, session: &SessionId, thread: &Arc<str>, piece: Piece) -> NumberedPiece {
        self.last += 1;
        let threads = self.replies.entry(session.clone()).or_default();
        let so_far = threads.entry(thread.clone()).or_default();
        match &piece {
            Piece::Again => so_far.clear(),
            Piece::Text(_) | Piece::Reasoning(_) | Piece::Call { .. } => add(so_far, &piece),
        }
        NumberedPiece { number: self.last, thread: thread.clone(), piece }
    }

    /// The reply in a thread is whole, or given up.
    pub fn end(&mut self, session: &SessionId, thread: &str) {
        if let Some(threads) = self.replies.get_mut(session) {
            threads.remove(thread);
            if threads.is_empty() {
                self.replies.remove(session);
            }
        }
    }

    /// Everything that is being written in a session, and the number of the last piece of all.
    pub fn so_far(&self, session: &SessionId) -> (VecDeque<NumberedPiece>, u64) {
        let threads = self.replies.get(session).into_iter().flatten();
        let pieces = threads.flat_map(|(thread, pieces)| {
            pieces.iter().map(|piece| NumberedPiece { number: self.last, thread: thread.clone(), piece: piece.clone() })
        });
        (pieces.collect(), self.last)
    }
}

/// Adds a piece to those before it; one that goes on where the last ended becomes one with it.
fn add(so_far: &mut Vec<Piece>, piece: &Piece) {
    let bytes: usize = so_far.iter().map(length).sum();
    if bytes >= KEPT {
        return;
    }
    match (so_far.last_mut(), piece) {
        (Some(Piece::Text(last)), Piece::Text(more)) | (Some(Piece::Reasoning(last)), Piece::Reasoning(more)) => {
            last.push_str(more);
        }
        (Some(Piece::Call { place: known, fragment: last, .. }), Piece::Call { place, fragment, .. })
            if known == place =>
        {
            last.push_str(fragment);
        }
        _ => so_far.push(piece.clone()),
    }
}

fn length(piece: &Piece) -> usize {
    match piece {
        Piece::Text(text) | Piece::Reasoning(text) | Piece::Call { fragment: text, .. } => text.len(),
        Piece::Again => 0,
    }
}
