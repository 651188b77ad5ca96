//! Words of a reply, passed on as they are written.
//!
//! What was passed on of a reply cannot be taken back, so it is remembered as it was: the next piece is what comes behind it,
//! and a reply that goes on otherwise begins anew and says so. When a reply is whole, the next one in its thread begins.

use std::collections::BTreeMap;

/// What was passed on so far, thread by thread.
#[derive(Debug, Default)]
pub struct SentReplies(BTreeMap<String, String>);

/// What there is to say about a reply.
#[derive(Debug, PartialEq, Eq)]
pub enum ReplyDelta {
    /// It begins anew.
    Again,
    /// This comes next.
    Next(String),
}

impl SentReplies {
    /// What is new of a reply that stands so far.
    pub fn written(&mut self, thread: &str, reply: &str) -> Vec<ReplyDelta> {
        let before = self.0.entry(thread.to_owned()).or_default();
        let mut pieces = Vec::new();
        if !reply.starts_with(before.as_str()) {
            before.clear();
            pieces.push(ReplyDelta::Again);
        }
        let next = &reply[before.len()..];
        if !next.is_empty() {
            pieces.push(ReplyDelta::Next(next.to_owned()));
        }
        reply.clone_into(before);
        pieces
    }

    /// The reply of a thread is whole.
    pub fn is_whole(&mut self, thread: &str) {
        self.0.remove(thread);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn next(text: &str) -> ReplyDelta {
        ReplyDelta::Next(text.to_owned())
    }

    /// The second reply of a thread was taken for the rest of the first, and cut in the middle of a letter.
    #[test]
    fn a_second_reply_is_passed_on_from_its_beginning() {
        let mut passed_on = SentReplies::default();
        assert_eq!(passed_on.written("desk-1", "Don"), [next("Don")]);
        assert_eq!(passed_on.written("desk-1", "Done."), [next("e.")]);
        passed_on.is_whole("desk-1");
        assert_eq!(passed_on.written("desk-1", "日本語です"), [next("日本語です")]);
        assert_eq!(passed_on.written("desk-1", "日本です"), [ReplyDelta::Again, next("日本です")]);
        assert_eq!(passed_on.written("desk-1", "日本です"), []);
    }
}
