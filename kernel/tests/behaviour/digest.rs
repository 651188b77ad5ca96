//! The digest of a prompt: the same bytes, the same digest, whatever was read before.

use enza_kernel::conversation::{Digest, Message, Part, PromptPrefix, Request, Role, ToolCall};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::json;

/// What may happen between two calls.
#[derive(Debug, Clone)]
enum Between {
    Said(Role, String),
    Called(String),
    Answered(String),
    /// The oldest messages made room for a summary.
    Compacted(usize),
    /// The newest messages are gone.
    TakenBack(usize),
    /// The session was loaded again: every message is another one that says the same.
    Reloaded,
    /// A message in the middle says something else.
    Swapped(usize, String),
    Stable(String),
    Fresh(String),
}

fn between() -> impl Strategy<Value = Between> {
    let word = "[a-c]{0,2}";
    prop_oneof![
        4 => (prop_oneof![Just(Role::Person), Just(Role::Agent), Just(Role::Session)], word)
            .prop_map(|(role, text)| Between::Said(role, text)),
        1 => word.prop_map(Between::Called),
        1 => word.prop_map(Between::Answered),
        1 => (0..4usize).prop_map(Between::Compacted),
        1 => (0..4usize).prop_map(Between::TakenBack),
        1 => Just(Between::Reloaded),
        1 => (0..6usize, word).prop_map(|(place, text)| Between::Swapped(place, text)),
        1 => word.prop_map(Between::Stable),
        1 => word.prop_map(Between::Fresh),
    ]
}

fn happens(request: &mut Request, between: Between) {
    let part = |text: String| vec![Part { name: "part".to_owned(), text: text.into() }];
    let messages = &mut request.messages;
    match between {
        Between::Said(role, text) => messages.push(Message::new(role, text)),
        Between::Called(id) => {
            let call = ToolCall { id, tool: "note".to_owned(), arguments: json!({ "text": "a" }) };
            messages.push(Message::reply("".into(), &[call]));
        }
        Between::Answered(call) => messages.push(Message::result(&call, "done")),
        Between::Compacted(dropped) => {
            messages.drain(..dropped.min(messages.len()));
            messages.insert(0, Message::new(Role::Session, "so far"));
        }
        Between::TakenBack(gone) => messages.truncate(messages.len().saturating_sub(gone)),
        Between::Reloaded => *messages = serde_json::from_value(json!(messages)).unwrap(),
        Between::Swapped(place, text) => {
            if let Some(message) = messages.get_mut(place) {
                *message = Message::new(message.role, text);
            }
        }
        Between::Stable(text) => request.stable = part(text),
        Between::Fresh(text) => request.fresh = part(text),
    }
}

proptest! {
    #[test]
    fn what_was_read_before_does_not_change_a_digest(story in vec(between(), 0..40)) {
        let mut request = Request::default();
        let mut beginning = PromptPrefix::default();
        for one in story {
            happens(&mut request, one);
            prop_assert_eq!(beginning.digest(&request), request.digest());
            let lasting = Request { fresh: Vec::new(), ..request.clone() };
            prop_assert_eq!(lasting.digest(), Digest::of(&lasting.lasting_bytes()));
        }
    }
}

/// Logs written long ago are checked against it.
#[test]
fn the_digest_of_a_prompt_is_what_it_was() {
    let mut request = Request { output: Some(json!({ "type": "object" })), ..Request::default() };
    for between in [
        Between::Stable("You are a clerk.".to_owned()),
        Between::Said(Role::Person, "こんにちは".to_owned()),
        Between::Called("c1".to_owned()),
        Between::Answered("c1".to_owned()),
        Between::Fresh("It is noon.".to_owned()),
    ] {
        happens(&mut request, between);
    }
    assert_eq!(request.digest().to_string(), "2c95e64e705f7493dd20a8e4d0848cb4cdb13ff2372baf13c04fbac3657c5f6f");
}
