//! Events on their way to the log and back: whole, in every shape, through versions.

use enza_kernel::agent::{CallEnd, Step, ThreadEvent, ThreadFailure};
use enza_kernel::application::{Application, Entry, Reason, Standing, Stored, Unreadable, restore, store};
use enza_kernel::conversation::{Digest, Request, ToolCall, Usage};
use enza_kernel::effect::{AskModel, Effect, Outcome, Safety};
use enza_kernel::gate::{Answer, Gate, Points, Risk, Verdict};
use enza_kernel::testing::till::{Event, Till};
use enza_kernel::text::{Lang, Said};
use enza_kernel::time::{Now, Seq, Timestamp};
use proptest::prelude::*;
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};

fn stored(kind: &str, version: u16, body: &str) -> Stored {
    Stored { kind: kind.to_owned(), version, body: body.to_owned() }
}

#[test]
fn a_unit_variant_is_stored_by_its_name_alone() {
    assert_eq!(store::<Till>(&Event::Noted), stored("Noted", 1, "null"));
    assert_eq!(restore::<Till>(&stored("Noted", 1, "null")), Ok(Event::Noted));
}

#[test]
fn a_struct_variant_is_stored_as_its_name_and_its_content() {
    let closed = Event::Closed { why: "\"quoted\" {and} braced".to_owned() };
    let expected = stored("Closed", 1, r#"{"why":"\"quoted\" {and} braced"}"#);
    assert_eq!(store::<Till>(&closed), expected);
    assert_eq!(restore::<Till>(&expected), Ok(closed));
}

#[test]
fn an_event_of_a_newer_version_is_refused() {
    assert_eq!(
        restore::<Till>(&stored("Noted", 2, "null")),
        Err(Unreadable::Newer { kind: "Noted".to_owned(), found: 2, known: 1 })
    );
}

#[test]
fn an_event_that_does_not_parse_is_refused_with_the_parsers_words() {
    for (kind, body) in [("Closed", r#"{"reason":"x"}"#), ("Closed", "{"), ("Vanished", "null"), ("No\"ted", "null")] {
        match restore::<Till>(&stored(kind, 1, body)) {
            Err(Unreadable::Malformed { kind: found, version: 1, why }) => {
                assert_eq!(found, kind);
                assert!(!why.is_empty());
            }
            other => panic!("{kind} {body}: {other:?}"),
        }
    }
}

/// A log with a past: what is called `to` today was called `name` in version 1, and `Forgotten` was `Lost`.
struct Archive;

#[derive(Debug, Clone, PartialEq, Serialize, Deserialize)]
enum Archived {
    Renamed { to: String },
    Forgotten,
}

#[derive(Debug, Clone, PartialEq)]
struct Never;

impl Reason for Never {
    fn code(&self) -> &'static str {
        "never"
    }

    fn say(&self, _lang: Lang) -> Said {
        Said::new("", "")
    }
}

impl Application for Archive {
    type State = ();
    type Event = Archived;
    type Command = ();
    type Refusal = Never;

    const NAME: &'static str = "archive";
    const EVENT_VERSION: u16 = 2;

    fn lift(event: Stored) -> Stored {
        match event.kind.as_str() {
            "Lost" => Stored { kind: "Forgotten".to_owned(), ..event },
            "Renamed" => Stored { body: event.body.replace("\"name\":", "\"to\":"), ..event },
            _ => event,
        }
    }

    fn evolve(_state: &mut (), _entry: &Entry<Archived>) {}

    fn decide(&self, _state: &(), _command: (), _now: &Now) -> Result<Vec<Archived>, Never> {
        Ok(Vec::new())
    }

    fn due(&self, _state: &()) -> Vec<Effect> {
        Vec::new()
    }

    fn request(&self, _state: &(), _ask: &AskModel) -> Request {
        Request::default()
    }

    fn settle(&self, _state: &(), _effect: &Effect, _outcome: Outcome, _now: &Now) -> Vec<Archived> {
        Vec::new()
    }

    fn standing(_state: &()) -> Standing {
        Standing::default()
    }
}

#[test]
fn an_event_of_an_older_version_is_lifted() {
    let renamed = Archived::Renamed { to: "x".to_owned() };
    assert_eq!(restore::<Archive>(&stored("Renamed", 1, r#"{"name":"x"}"#)), Ok(renamed.clone()));
    assert_eq!(restore::<Archive>(&stored("Lost", 1, "null")), Ok(Archived::Forgotten));
    assert_eq!(restore::<Archive>(&stored("Renamed", 2, r#"{"to":"x"}"#)), Ok(renamed.clone()));
    assert_eq!(store::<Archive>(&renamed), stored("Renamed", 2, r#"{"to":"x"}"#));
}

#[test]
fn an_event_of_today_is_not_lifted() {
    assert!(restore::<Archive>(&stored("Lost", 2, "null")).is_err());
    assert!(restore::<Archive>(&stored("Renamed", 2, r#"{"name":"x"}"#)).is_err());
}

fn arguments() -> impl Strategy<Value = Value> {
    prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<u64>().prop_map(Value::from),
        ".{0,12}".prop_map(Value::from),
        (".{0,6}", any::<u32>(), ".{0,6}").prop_map(|(name, number, text)| json!({name: [number, text, null]})),
    ]
}

fn whats() -> impl Strategy<Value = ThreadEvent> {
    let call = (".{0,6}", "[a-z]{0,6}", arguments()).prop_map(|(id, tool, arguments)| ToolCall { id, tool, arguments });
    let usage = (any::<u32>(), any::<u32>(), any::<u32>()).prop_map(|(input, output, cache_read)| Usage {
        input: input.into(),
        output: output.into(),
        cache_read: cache_read.into(),
        cache_write: 0,
        cost: u64::from(input) * 3,
    });
    let failure = prop_oneof![
        any::<u32>().prop_map(|rounds| ThreadFailure::RoundsExhausted { rounds }),
        ".{0,12}".prop_map(|why| ThreadFailure::Malformed { why }),
        ".{0,12}".prop_map(|why| ThreadFailure::Unanswered { why }),
        any::<(u64, u64)>().prop_map(|(need, left)| ThreadFailure::BudgetExhausted { need, left }),
    ];
    prop_oneof![
        (".{0,6}", ".{0,20}").prop_map(|(agent, text)| ThreadEvent::Began { agent, text: text.into() }),
        ".{0,20}".prop_map(|text: String| ThreadEvent::Heard { text: text.into() }),
        (".{0,20}", proptest::collection::vec(call, 0..3), usage, any::<u64>()).prop_map(
            |(text, calls, usage, seq)| {
                let prompt = Digest::of(text.as_bytes());
                ThreadEvent::Replied {
                    text: text.clone().into(),
                    thoughts: text.into(),
                    calls,
                    usage,
                    model: "a/b".to_owned(),
                    asked_at: Seq(seq),
                    prompt,
                }
            }
        ),
        ".{0,6}".prop_map(|call| ThreadEvent::CallQueued { call, safety: Safety::Once }),
        (".{0,6}", ".{0,6}").prop_map(|(call, mark)| ThreadEvent::CallStarted { call, mark }),
        (".{0,6}", ".{0,6}").prop_map(|(call, words)| ThreadEvent::CallAsks { call, words: words.into() }),
        ".{0,6}".prop_map(|call| ThreadEvent::CallGated { call }),
        ".{0,6}".prop_map(|call| ThreadEvent::CallDelegated { call }),
        (".{0,6}", ".{0,20}").prop_map(|(call, text)| ThreadEvent::CallEnded {
            call,
            text: text.into(),
            end: CallEnd::Unknown
        }),
        (".{0,20}", any::<bool>()).prop_map(|(text, strike)| ThreadEvent::Nudged { text: text.into(), strike }),
        Just(ThreadEvent::Rested),
        Just(ThreadEvent::Closed),
        proptest::collection::vec((any::<usize>(), ".{0,20}"), 0..3).prop_map(|messages| ThreadEvent::Lightened {
            messages: messages.into_iter().map(|(place, text)| (place, text.into())).collect()
        }),
        (any::<usize>(), ".{0,20}")
            .prop_map(|(dropped, summary)| ThreadEvent::Compacted { dropped, summary: summary.into() }),
        any::<u64>().prop_map(|tokens| ThreadEvent::CallsLost { tokens }),
        any::<u64>().prop_map(|room| ThreadEvent::Overran { room }),
        failure.prop_map(|failure| ThreadEvent::Failed { failure }),
        Just(ThreadEvent::Retried),
    ]
}

fn events() -> impl Strategy<Value = Event> {
    let opened = (".{0,12}", any::<Option<u64>>(), ".{0,12}", any::<i64>())
        .prop_map(|(owner, budget, floor, at)| Event::Opened { owner, budget, floor, idle_at: Timestamp(at) });
    let gate = (".{0,6}", ".{0,12}", any::<Option<i64>>(), proptest::option::of(".{0,9}"), ".{0,6}").prop_map(
        |(id, intent, expires, diff, call)| {
            let ask = Points { intent, alternatives: vec!["wait".to_owned()], diff, ..Points::default() };
            let gate = Gate { id, ask, risk: Risk::Low, expires: expires.map(Timestamp), may_answer: vec![] };
            Event::GateOpened { gate, call }
        },
    );
    let answered = (".{0,6}", any::<i64>(), proptest::option::of(".{0,9}")).prop_map(|(by, at, note)| {
        Event::GateAnswered { answer: Answer { verdict: Verdict::No, by, at: Timestamp(at), note } }
    });
    prop_oneof![
        opened,
        any::<i64>().prop_map(|at| Event::Spoke { idle_at: Timestamp(at) }),
        (".{0,6}", whats()).prop_map(|(thread, what)| Event::Agent(Step { thread, what })),
        Just(Event::Noted),
        gate,
        answered,
        ".{0,9}".prop_map(|call| Event::LeftUnknown { call }),
        ".{0,20}".prop_map(|why| Event::Closed { why }),
    ]
}

proptest! {
    #[test]
    fn an_event_comes_back_from_the_log_as_it_went_in(event in events()) {
        let kept = store::<Till>(&event);
        prop_assert!(serde_json::from_str::<Value>(&kept.body).is_ok());
        prop_assert_eq!(restore::<Till>(&kept), Ok(event));
    }

    #[test]
    fn numbers_with_two_decimals_come_back_from_the_log_as_they_went_in(cents in any::<i32>()) {
        prop_assert!(survives(f64::from(cents) / 100.0));
    }

    #[test]
    fn numbers_with_any_fraction_come_back_from_the_log_as_they_went_in(number in any::<f64>()) {
        prop_assert!(survives(number));
    }
}

/// Whether a number in a call's arguments is the same after a visit to the log.
fn survives(number: f64) -> bool {
    let call = ToolCall { id: "a".to_owned(), tool: "note".to_owned(), arguments: json!({"price": number}) };
    let what = ThreadEvent::Replied {
        text: "".into(),
        thoughts: "".into(),
        calls: vec![call],
        usage: Usage::default(),
        model: String::new(),
        asked_at: Seq(1),
        prompt: Digest::of(b""),
    };
    let event = Event::Agent(Step { thread: "clerk".to_owned(), what });
    restore::<Till>(&store::<Till>(&event)) == Ok(event)
}
