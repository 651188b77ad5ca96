//! Gates: who may answer, when, and how often.

use enza_kernel::application::Reason as _;
use enza_kernel::effect::Wake;
use enza_kernel::gate::{Answer, Gate, GateRefusal, GateState, Points, Risk, Verdict, plain_answer, typed_answer};
use enza_kernel::text::Lang;
use enza_kernel::time::{Actor, Now, Seq, Timestamp};

use crate::person;

fn gate() -> Gate {
    Gate {
        id: "write-1".into(),
        ask: Points {
            intent: "Write src/main.rs".into(),
            grounds: "The plan's second step".into(),
            impact: "One file changes".into(),
            alternatives: vec!["Only show the change".into()],
            diff: Some("+fn main() {}".into()),
        },
        risk: Risk::Medium,
        expires: Some(Timestamp(100)),
        may_answer: vec![],
    }
}

fn yes_by(name: &str, at: i64) -> Answer {
    Answer { verdict: Verdict::Yes, by: name.into(), at: Timestamp(at), note: None }
}

#[test]
fn the_owner_answers_a_gate_that_names_nobody() {
    let open = GateState::Open(gate());
    assert_eq!(
        open.answer(Verdict::No, Some("Not yet".into()), "ada", &person("ada", 5)),
        Ok(Answer { verdict: Verdict::No, by: "ada".into(), at: Timestamp(5), note: Some("Not yet".into()) })
    );
    assert_eq!(
        open.answer(Verdict::Yes, None, "ada", &person("bob", 5)),
        Err(GateRefusal::NotAllowed { who: "bob".into() })
    );
}

#[test]
fn a_gate_that_names_persons_is_theirs_and_not_the_owners() {
    let open = GateState::Open(Gate { may_answer: vec!["bob".into()], ..gate() });
    assert_eq!(open.answer(Verdict::Yes, None, "ada", &person("bob", 5)), Ok(yes_by("bob", 5)));
    assert_eq!(
        open.answer(Verdict::Yes, None, "ada", &person("ada", 5)),
        Err(GateRefusal::NotAllowed { who: "ada".into() })
    );
}

#[test]
fn neither_the_clock_nor_the_runtime_answers() {
    for by in [Actor::Clock, Actor::Runtime] {
        let now = Now { time: Timestamp(5), head: Seq::START, by };
        assert_eq!(GateState::Open(gate()).answer(Verdict::Yes, None, "ada", &now), Err(GateRefusal::NotAPerson));
    }
}

#[test]
fn a_second_answer_is_refused_and_names_the_first() {
    let mut state = GateState::Open(gate());
    state.close(&yes_by("ada", 5));
    assert_eq!(
        state.answer(Verdict::No, None, "ada", &person("ada", 6)),
        Err(GateRefusal::AlreadyAnswered { by: "ada".into() })
    );
    state.close(&yes_by("bob", 7));
    state.expire(Timestamp(100));
    assert_eq!(state, GateState::Answered { gate: gate(), answer: yes_by("ada", 5) });
}

#[test]
fn an_answer_at_the_expiry_is_too_late_even_if_no_timer_rang() {
    let mut state = GateState::Open(gate());
    let late = Err(GateRefusal::Expired { at: Timestamp(100) });
    assert_eq!(state.answer(Verdict::Yes, None, "ada", &person("ada", 100)), late);
    state.expire(Timestamp(100));
    assert_eq!(state.answer(Verdict::Yes, None, "ada", &person("ada", 99)), late);
}

#[test]
fn only_an_open_gate_owes_a_timer() {
    let mut state = GateState::Open(gate());
    assert_eq!(state.wake(), Some(Wake { name: "gate/write-1".into(), at: Timestamp(100) }));
    state.close(&yes_by("ada", 5));
    assert_eq!(state.wake(), None);
}

#[test]
fn a_gate_survives_being_written_down() {
    let state = GateState::Answered { gate: gate(), answer: yes_by("ada", 5) };
    let json = serde_json::to_string(&state).unwrap();
    assert_eq!(serde_json::from_str::<GateState>(&json).unwrap(), state);
}

#[test]
fn every_refusal_has_its_code_and_a_next_step_in_both_languages() {
    let refusals = [
        (GateRefusal::AlreadyAnswered { by: "ada".into() }, "gate-answered"),
        (GateRefusal::Expired { at: Timestamp(1) }, "gate-expired"),
        (GateRefusal::NotAllowed { who: "bob".into() }, "gate-not-yours"),
        (GateRefusal::NotAPerson, "gate-needs-a-person"),
    ];
    for (refusal, code) in refusals {
        assert_eq!(refusal.code(), code);
        let (ja, en) = (refusal.say(Lang::Ja), refusal.say(Lang::En));
        assert!(!ja.message.is_ascii() && !ja.hint.is_ascii() && en.message.is_ascii() && !en.hint.is_empty());
    }
}

#[test]
fn only_the_whole_of_what_is_typed_is_a_yes_or_a_no() {
    for yes in ["yes", "Y", "ＯＫ", "はい。", "承認｡", "　承認します　"] {
        assert_eq!(plain_answer(yes), Some(Verdict::Yes), "{yes}");
    }
    for no in ["no", "ｎ", "いいえ", "拒否！"] {
        assert_eq!(plain_answer(no), Some(Verdict::No), "{no}");
    }
    for talk in
        ["yes but first show me the diff", "はい、でも待って", "y not", "ok, then", "承認しますか", "no, not today", ""]
    {
        assert_eq!(typed_answer(talk), None, "{talk}");
    }
}

#[test]
fn a_reason_goes_behind_the_letter_of_a_no_alone() {
    let no = |reason: &str| Some((Verdict::No, Some(reason.to_owned())));
    assert_eq!(typed_answer("n not today"), no("not today"));
    assert_eq!(typed_answer("Ｎ　今日はやめる"), no("今日はやめる"));
    assert_eq!(typed_answer("n"), Some((Verdict::No, None)));
    assert_eq!(typed_answer("not today"), None);
}
