//! Lists that were just answered, kept as the bytes they were.
//!
//! Programs ask for the same list again and again, and mostly nothing has changed. A kept answer is given only under the
//! same edition of the store, so it is never older than a fresh one would be; a store that cannot tell its edition is
//! read every time.

use std::collections::HashMap;
use std::sync::Mutex;

use axum::body::Bytes;

/// How many answers are kept.
const MOST: usize = 256;

/// The answers, by who asked for what.
#[derive(Debug, Default)]
pub struct ListCache(Mutex<HashMap<String, CachedList>>);

#[derive(Debug)]
struct CachedList {
    edition: u64,
    answer: Bytes,
}

impl ListCache {
    /// The answer to a question, if nothing has changed since.
    pub fn find(&self, question: &str, edition: Option<u64>) -> Option<Bytes> {
        let kept = self.0.lock().expect("lists");
        kept.get(question).filter(|kept| Some(kept.edition) == edition).map(|kept| kept.answer.clone())
    }

    /// Keeps an answer that was read after this edition was seen.
    pub fn keep(&self, question: String, edition: Option<u64>, answer: Bytes) {
        let Some(edition) = edition else { return };
        let mut kept = self.0.lock().expect("lists");
        if kept.len() >= MOST {
            kept.clear();
        }
        kept.insert(question, CachedList { edition, answer });
    }
}
