//! A reply that an editor is told while it is being written.
//!
//! An editor joins what it is told, and nothing can be taken back; so words are only ever added to, and a reply that turns
//! out otherwise is said to be none before the one that counts begins. One reply is told at a time, and what else happens
//! meanwhile waits for its end: nothing comes between its words, and nothing is told twice. What comes in which order is
//! the log's; this knows only what the editor has heard.

use enza_companion::{Event, reply_so_far};
use enza_kernel::text::Lang;

use super::updates::{TextBlock, Update};
use crate::words::acp as words;

/// What an editor hears of replies as they are written.
pub struct ReplyStream {
    lang: Lang,
    under_way: Option<BegunReply>,
    /// The last that was whole.
    last: Option<BegunReply>,
    /// What happened since the reply was begun.
    waiting: Vec<Update>,
}

/// A reply that was begun.
struct BegunReply {
    thread: String,
    told: String,
}

impl ReplyStream {
    /// Nothing yet.
    pub fn new(lang: Lang) -> Self {
        Self { lang, under_way: None, last: None, waiting: Vec::new() }
    }

    /// The thread of the reply that was begun.
    pub fn thread(&self) -> Option<&str> {
        self.under_way.as_ref().map(|reply| reply.thread.as_str())
    }

    /// A reply is written as far as this: what is to be told of it now. A second one beside it is told once it is whole.
    pub fn written(&mut self, thread: &str, reply: &str) -> Option<Update> {
        let written = reply_so_far(reply);
        // Pieces may come behind the event with the whole reply.
        let is_known = self.last.as_ref().is_some_and(|last| last.thread == thread && last.told.starts_with(&written));
        if self.thread().is_some_and(|writes| writes != thread) || (self.under_way.is_none() && is_known) {
            return None;
        }
        let reply = self.under_way.get_or_insert_with(|| BegunReply { thread: thread.to_owned(), told: String::new() });
        // One that is begun anew may have the same words for a while.
        let more = match written.strip_prefix(&reply.told) {
            Some(more) => more.to_owned(),
            None if reply.told.starts_with(&written) => return None,
            None => words::anew(self.lang) + &written,
        };
        reply.told = written;
        (!more.is_empty()).then(|| message_chunk(more))
    }

    /// Something happened, of which this is to be told: at once, or behind the reply that is being written.
    pub fn happened(&mut self, event: &Event, updates: Vec<Update>) -> Vec<Update> {
        let Event::Spoke { desk, text } = event else { return self.in_turn(updates) };
        let thread = format!("desk-{desk}");
        let reply = self.under_way.take_if(|reply| reply.thread == thread);
        self.last = Some(BegunReply { thread, told: text.clone() });
        let Some(reply) = reply else { return self.in_turn(updates) };
        let rest = match text.strip_prefix(&reply.told) {
            Some(rest) => rest.to_owned(),
            None => words::anew(self.lang) + text,
        };
        std::iter::once(message_chunk(format!("{}\n\n", rest.trim_end()))).chain(self.waiting.drain(..)).collect()
    }

    /// Nobody writes any more: what was begun is said to have broken off, and what waited is told.
    pub fn broke_off(&mut self) -> Vec<Update> {
        let broken = self.under_way.take().filter(|reply| !reply.told.is_empty());
        let broken = broken.map(|_| message_chunk(words::broke_off(self.lang)));
        broken.into_iter().chain(self.waiting.drain(..)).collect()
    }

    fn in_turn(&mut self, updates: Vec<Update>) -> Vec<Update> {
        if self.under_way.is_none() {
            return updates;
        }
        self.waiting.extend(updates);
        Vec::new()
    }
}

fn message_chunk(text: String) -> Update {
    Update::Said { content: TextBlock::of(text) }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn spoke(desk: u32, text: &str) -> Event {
        Event::Spoke { desk, text: text.to_owned() }
    }

    fn noted(text: &str) -> Update {
        Update::Noted { content: TextBlock::of(text) }
    }

    /// Everything that was told, as an editor joins it.
    fn joined(updates: impl IntoIterator<Item = Update>) -> String {
        let text = |update| match update {
            Update::Said { content } | Update::Noted { content } => content.text,
            other => panic!("{other:?}"),
        };
        updates.into_iter().map(text).collect()
    }

    #[test]
    fn what_happens_meanwhile_is_told_behind_the_reply() {
        let mut speech = ReplyStream::new(Lang::En);
        let mut told: Vec<Update> = speech.written("desk-1", "Hel").into_iter().collect();
        told.extend(speech.happened(&spoke(2, "Beside."), vec![message_chunk("Beside.".to_owned())]));
        assert_eq!(speech.written("desk-2", "More"), None);
        told.extend(speech.happened(&Event::Closed, vec![noted("[a note]")]));
        told.extend(speech.written("desk-1", "Hello."));
        told.extend(speech.happened(&spoke(1, "Hello.\n\nPlan"), vec![message_chunk("never".to_owned())]));
        assert_eq!(joined(told), "Hello.\n\nPlan\n\nBeside.[a note]");
        assert_eq!(speech.happened(&Event::Closed, vec![noted("at once")]), [noted("at once")]);
    }

    #[test]
    fn words_that_come_behind_their_reply_are_not_told_again() {
        let mut speech = ReplyStream::new(Lang::En);
        assert_eq!(
            speech.happened(&spoke(1, "Hello."), vec![message_chunk("Hello.".to_owned())]),
            [message_chunk("Hello.".to_owned())]
        );
        let written = ["Hel", "Hello.", "Hello. And"];
        let told: Vec<Option<Update>> = written.into_iter().map(|text| speech.written("desk-1", text)).collect();
        assert_eq!(told, [None, None, Some(message_chunk("Hello. And".to_owned()))]);
    }

    #[test]
    fn a_reply_that_is_begun_anew_with_the_same_words_goes_on_where_it_was() {
        let mut speech = ReplyStream::new(Lang::En);
        let written = ["I will ", "I", "I will gre", "I will greet"];
        let mut told: Vec<Update> = written.into_iter().filter_map(|text| speech.written("desk-1", text)).collect();
        told.extend(speech.happened(&spoke(1, "I will greet"), Vec::new()));
        assert_eq!(joined(told), "I will greet\n\n");
    }

    #[test]
    fn a_reply_that_turns_out_otherwise_says_so_before_it_begins_again() {
        let anew = words::anew(Lang::En);
        let mut speech = ReplyStream::new(Lang::En);
        let mut told: Vec<Update> = speech.written("desk-1", "I have").into_iter().collect();
        told.extend(speech.written("desk-1", "No, I"));
        told.extend(speech.happened(&spoke(1, "Shall I?"), Vec::new()));
        assert_eq!(joined(told), format!("I have{anew}No, I{anew}Shall I?\n\n"));
    }

    #[test]
    fn a_reply_that_nobody_ends_is_said_to_have_broken_off() {
        let mut speech = ReplyStream::new(Lang::En);
        let mut told: Vec<Update> = speech.written("desk-1", "I ha").into_iter().collect();
        told.extend(speech.happened(&Event::Closed, vec![noted("[stopped]")]));
        told.extend(speech.broke_off());
        assert_eq!(joined(told), format!("I ha{}[stopped]", words::broke_off(Lang::En)));
        assert_eq!(speech.broke_off(), []);
    }
}
