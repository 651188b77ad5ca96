//! The timeline: whatever happened, every event of the window has its mark.

use enza_kernel::about::About;
use enza_kernel::agent::{CallEnd, Step, ThreadEvent};
use enza_kernel::application::{Stored, store};
use enza_kernel::conversation::{Digest, ToolCall, Usage};
use enza_kernel::effect::Safety;
use enza_kernel::gate::{Answer, Gate, Points, Risk, Verdict};
use enza_kernel::testing::till::{Event, Till};
use enza_kernel::text::Lang;
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::seams::store::{Recorded, SessionId};
use enza_server::drawing::timeline::{Lane, Mark, MarkKind, Scene, TimelineLinks, View, WINDOW, timeline};
use enza_server::words::Words;
use proptest::prelude::{Just, Strategy, prop_oneof, proptest};
use proptest::{prop_assert, prop_assert_eq};
use serde_json::json;

fn log(events: Vec<Event>) -> Vec<Recorded> {
    let number = |(place, event): (usize, Event)| Recorded {
        seq: Seq(place as u64 + 1),
        at: Timestamp(1_000 * place as i64),
        stored: store::<Till>(&event),
    };
    events.into_iter().enumerate().map(number).collect()
}

fn step(thread: &str, what: ThreadEvent) -> Event {
    Event::Agent(Step { thread: thread.to_owned(), what })
}

fn began(thread: &str, agent: &str) -> Event {
    step(thread, ThreadEvent::Began { agent: agent.to_owned(), text: "go".into() })
}

fn replied(thread: &str, asked_at: u64, calls: &[&str]) -> Event {
    let call = |id: &&str| ToolCall { id: (*id).to_owned(), tool: "lookup".to_owned(), arguments: json!({}) };
    step(
        thread,
        ThreadEvent::Replied {
            text: "".into(),
            thoughts: "".into(),
            calls: calls.iter().map(call).collect(),
            usage: Usage { input: 1_000, output: 200, ..Usage::default() },
            model: "m".to_owned(),
            asked_at: Seq(asked_at),
            prompt: Digest::of(b"p"),
        },
    )
}

fn ended(thread: &str, call: &str, end: CallEnd) -> Event {
    step(thread, ThreadEvent::CallEnded { call: call.to_owned(), text: "so".into(), end })
}

fn gate() -> Event {
    let gate = Gate { id: "g".to_owned(), ask: Points::default(), risk: Risk::Low, expires: None, may_answer: vec![] };
    Event::GateOpened { gate, call: "c".to_owned() }
}

fn answered() -> Event {
    let answer = Answer { verdict: Verdict::Yes, by: "ada".to_owned(), at: Timestamp(0), note: None };
    Event::GateAnswered { answer }
}

fn read(events: Vec<Event>) -> Scene {
    Scene::read(&log(events), &|_| None)
}

fn spans(scene: &Scene) -> Vec<(u64, MarkKind, u64, u64)> {
    scene.marks.iter().map(|mark| (mark.seq, mark.sort, mark.from, mark.to)).collect()
}

#[test]
fn calls_runs_waits_and_gates_span_what_they_took() {
    let scene = read(vec![
        began("clerk", "clerk"),
        Event::Noted,
        replied("clerk", 1, &["a", "b"]),
        step("clerk", ThreadEvent::CallQueued { call: "a".to_owned(), safety: Safety::Once }),
        step("clerk", ThreadEvent::CallAsks { call: "b".to_owned(), words: "?".into() }),
        ended("clerk", "a", CallEnd::Error),
        gate(),
        Event::Noted,
        answered(),
        ended("clerk", "b", CallEnd::Done),
    ]);
    assert_eq!(
        spans(&scene),
        [
            (1, MarkKind::Step, 1, 1),
            (2, MarkKind::Fact, 2, 2),
            (3, MarkKind::Reply, 1, 3),
            (4, MarkKind::Step, 4, 4),
            (5, MarkKind::Step, 5, 5),
            (6, MarkKind::Run, 4, 6),
            (7, MarkKind::Gate, 7, 9),
            (8, MarkKind::Fact, 8, 8),
            (9, MarkKind::Person, 9, 9),
            (10, MarkKind::Wait, 5, 10),
        ]
    );
    let bad: Vec<u64> = scene.marks.iter().filter(|mark| mark.is_bad).map(|mark| mark.seq).collect();
    assert_eq!(bad, [6]);
    assert_eq!(scene.marks[2].tokens, Some(1_200));
}

#[test]
fn a_gate_that_nobody_answered_reaches_to_the_end() {
    assert_eq!(spans(&read(vec![gate(), Event::Noted, Event::Noted]))[0], (1, MarkKind::Gate, 1, 3));
}

#[test]
fn threads_of_one_agent_share_a_lane_unless_they_run_at_once() {
    let agent = |name: &str, nth| Lane::Agent { name: name.to_owned(), nth };
    let one_by_one = read(vec![began("r1", "reviewer"), step("r1", ThreadEvent::Closed), began("r2", "reviewer")]);
    assert_eq!(one_by_one.lanes, [Lane::People, Lane::Session, agent("reviewer", 0)]);
    let at_once = read(vec![began("r1", "reviewer"), began("r2", "reviewer"), step("r1", ThreadEvent::Closed)]);
    assert_eq!(at_once.lanes, [Lane::People, Lane::Session, agent("reviewer", 0), agent("reviewer", 1)]);
    let lanes = |scene: &Scene| scene.marks.iter().map(|mark: &Mark| mark.lane).collect::<Vec<_>>();
    assert_eq!(lanes(&at_once), [2, 3, 2]);
}

#[test]
fn an_event_that_cannot_be_read_still_has_its_mark() {
    let stored = Stored { kind: "FromTomorrow".to_owned(), version: 99, body: "{not json".to_owned() };
    let scene = Scene::read(&[Recorded { seq: Seq(1), at: Timestamp(0), stored }], &|_| None);
    assert_eq!(spans(&scene), [(1, MarkKind::Fact, 1, 1)]);
}

/// Anything that may stand in a log, in any order.
fn events() -> impl Strategy<Value = Vec<Event>> {
    let thread = prop_oneof![Just("clerk"), Just("auditor"), Just("third")];
    let one = prop_oneof![
        thread.clone().prop_map(|thread| began(thread, "clerk")),
        (thread.clone(), 0_u64..300).prop_map(|(thread, asked)| replied(thread, asked, &["a"])),
        thread.clone().prop_map(|thread| ended(thread, "a", CallEnd::Done)),
        thread.prop_map(|thread| step(thread, ThreadEvent::Closed)),
        Just(gate()),
        Just(answered()),
        Just(Event::Noted),
    ];
    proptest::collection::vec(one, 1..260)
}

proptest! {
    #[test]
    fn every_event_of_the_window_has_one_mark_in_its_own_place(events in events(), at in 1_u64..300) {
        let count = events.len() as u64;
        let scene = read(events);
        let view = View::around(&scene, at);
        let seqs: Vec<u64> = view.marks.iter().map(|placed| placed.mark.seq).collect();
        prop_assert_eq!(seqs, (view.first..=view.last).collect::<Vec<_>>());
        prop_assert!((view.first..=view.last).contains(&view.selected));
        prop_assert_eq!(view.last - view.first + 1, count.min(WINDOW));
        prop_assert!(view.marks.windows(2).all(|pair| pair[0].x < pair[1].x));
        for placed in view.marks.iter().chain(&view.passing) {
            prop_assert!(0.0 <= placed.from && placed.from <= placed.to && placed.to <= view.width, "{placed:?}");
            prop_assert!(0.0 < placed.y && placed.y < view.height, "{placed:?}");
        }
        prop_assert!(view.ticks().windows(2).all(|pair| pair[0] < pair[1]));
        prop_assert!(view.times(Lang::En).windows(2).all(|pair| pair[0].0 < pair[1].0 && pair[0].1 != pair[1].1));
    }

    #[test]
    fn the_drawing_links_to_every_event_and_carries_no_style(events in events(), at in 1_u64..300) {
        let scene = read(events);
        let view = View::around(&scene, at);
        let fork = SessionId::of("child-7777");
        let links = TimelineLinks {
            to_event: &|seq| format!("?at={seq}!"),
            forks: &[(fork, view.first)],
            to_fork: &|fork, at| format!("/{fork}/{at}"),
        };
        for lang in [Lang::Ja, Lang::En] {
            let drawn = timeline(Words(lang), About::of::<Till>(), &view, &links).into_string();
            for seq in view.first..=view.last {
                prop_assert!(drawn.contains(&format!("href=\"?at={seq}!\"")), "{seq}");
            }
            prop_assert_eq!(drawn.matches("aria-current=\"true\"").count(), 1);
            prop_assert!(drawn.contains("/child-7777/"));
            prop_assert!(!drawn.contains("style=") && !drawn.contains("NaN") && !drawn.contains('⁇'));
        }
    }
}
