//! How a debate ends: outcomes with their fallbacks, who is told, votes, and those who leave.

use enza_deliberation::debate::{
    Author, CancelReason, Choice, DebateCommand, DebateEvent, DebateRefusal, Stage, Status, Work,
};
use enza_deliberation_cast::Axis;
use enza_kernel::application::{Application, Phase};
use enza_kernel::conversation::Reply;
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;
use serde_json::json;

use super::world::{DEBATE, HOST, TOPIC, World, brief, debater, feedback, owner, someone, two};
use enza_deliberation::Debates;

#[test]
fn del_84_a_whole_debate_comes_to_its_end_by_stand_ins_in_both_languages() {
    for lang in [Lang::Ja, Lang::En] {
        let mut seats = two(lang);
        seats[0].feedback = Some(feedback(lang.pick("もっと具体的に", "Be more concrete")));
        let mut world = World::opened_in(lang, 6, seats);
        world.play();
        let card = &world.state.card;
        assert_eq!((card.status, card.current_turn), (Status::Completed, 6));
        assert!(card.completed_at.is_some() && card.summary.is_some());
        assert_eq!(world.state.statements.len(), 12);
        assert!(world.state.statements.iter().all(|one| !one.content.is_empty()));
        let verdict = world.state.outcome.verdict.clone().unwrap();
        assert_eq!(verdict.axes.iter().map(|one| one.axis).collect::<Vec<_>>(), Axis::ALL);
        assert!(world.state.outcome.closing.is_some() && world.state.outcome.next.is_some());
        assert_eq!(world.state.cast.threads.len(), 0, "nothing is left under way");
    }
}

#[test]
fn the_topic_and_every_debater_are_told_how_it_ended() {
    let mut seats = two(Lang::Ja);
    let partner = enza_deliberation::topic::house(Lang::Ja).remove(0);
    seats.push(partner.clone());
    let mut world = World::opened(1, seats);
    world.play();
    assert_eq!(Debates::standing(&world.state).phase, Phase::Working, "it owes the news");
    let told = world.told(TOPIC);
    assert_eq!((told.len(), &told[0]["ended"]["debate"]), (1, &json!(DEBATE)));
    assert_eq!(told[0]["ended"]["outcome"], json!("completed"));
    let told = &world.told("d1")[0]["completed"];
    assert_eq!((&told["debate"], &told["own"][0]["turn"]), (&json!(DEBATE), &json!(1)));
    assert_eq!(told["own"].as_array().unwrap().len(), 1);
    assert_eq!(told["own"][0]["content"], json!(world.state.statement(1, "s1").unwrap().content));
    assert_eq!(world.told(&partner.debater), Vec::<serde_json::Value>::new(), "a partner of the house learns nothing");
    world.deliver();
    assert_eq!(Debates::standing(&world.state).phase, Phase::Ended);
}

#[test]
fn a_debater_that_cannot_be_told_is_left_out() {
    let mut world = World::opened(1, two(Lang::Ja));
    world.play();
    for errand in world.errands() {
        let declined = enza_kernel::effect::Outcome::Declined { code: "session-unknown".into(), why: String::new() };
        world.settle(&enza_kernel::effect::Effect::RunErrand(errand), declined);
    }
    assert_eq!(Debates::standing(&world.state).phase, Phase::Ended);
}

/// A debate of one turn whose outcomes are asked for.
fn closing() -> World {
    let mut world = World::opened(1, two(Lang::Ja));
    world.advance();
    world.says(1, "s1", "わたしは広場に木を植えたいです。");
    world.says(1, "s2", "費用が心配です。");
    world
}

#[test]
fn every_outcome_has_a_fallback_by_rule() {
    let mut world = closing();
    for work in [Work::Summary, Work::Verdict, Work::Candidates, Work::Next] {
        world.unanswered(&work);
    }
    for seat in ["s1", "s2"] {
        world.unanswered(&Work::Ranking { seat: seat.into() });
    }
    assert_eq!(world.state.card.status, Status::Completed);
    let by_rule = world.log.iter().filter(|entry| {
        matches!(
            entry.event,
            DebateEvent::SummaryWritten { by: Author::Rule, .. }
                | DebateEvent::VerdictGiven { by: Author::Rule, .. }
                | DebateEvent::CandidatesWritten { by: Author::Rule, .. }
                | DebateEvent::NextProposed { by: Author::Rule, .. }
                | DebateEvent::SeatRanked { by: Author::Rule, .. }
        )
    });
    assert_eq!(by_rule.count(), 6);
}

#[test]
fn a_verdict_without_all_seven_axes_is_sent_back() {
    let mut world = closing();
    let short = json!({"axes": [], "summary": "s", "highlights": [], "consensus": "c"}).to_string();
    world.reply(&Work::Verdict, Reply { text: short, ..Reply::default() });
    assert_eq!(world.state.outcome.verdict, None);
    let told = world.request(&Work::Verdict).messages.last().unwrap().text.to_string();
    assert!(told.contains("quality must be there once"), "{told}");
}

#[test]
fn the_closing_statement_is_the_one_the_seats_would_rather_have() {
    let mut world = closing();
    for work in [Work::Summary, Work::Verdict, Work::Next] {
        world.unanswered(&work);
    }
    let text = json!({"candidates": ["木を植える", "費用を調べる", "もう一度集まる"]}).to_string();
    world.reply(&Work::Candidates, Reply { text, ..Reply::default() });
    assert!(world.request(&Work::Ranking { seat: "s1".into() }).messages[0].text.contains("2. 費用を調べる"));
    for (seat, order) in [("s1", [2, 1, 3]), ("s2", [2, 3, 1])] {
        let text = json!({ "order": order }).to_string();
        world.reply(&Work::Ranking { seat: seat.into() }, Reply { text, ..Reply::default() });
    }
    assert_eq!(world.state.outcome.closing.as_deref(), Some("費用を調べる"));
}

#[test]
fn the_judge_and_everybody_else_who_sums_up_is_told_no_owners_name() {
    let world = closing();
    for work in [Work::Summary, Work::Verdict, Work::Candidates, Work::Next] {
        let request = world.request(&work);
        let shown = format!("{}{:?}", request.to_plain_text(), request.task);
        assert!(!shown.contains("owner-of") && !shown.contains(HOST), "{shown}");
    }
}

#[test]
fn anyone_who_is_signed_in_votes_on_statements_and_may_change_their_mind() {
    let mut world = closing();
    let id = world.state.statements[0].id.clone();
    let vote = |choice| DebateCommand::Vote { statement: id.clone(), choice };
    world.by(someone("mira"), vote(Choice::Agree)).unwrap();
    assert_eq!(world.by(someone("mira"), vote(Choice::Agree)), Ok(vec![]));
    world.by(someone("mira"), vote(Choice::Disagree)).unwrap();
    world.by(someone("noor"), vote(Choice::Pass)).unwrap();
    assert_eq!(world.state.votes[&id].len(), 2);
    let nothing = DebateCommand::Vote { statement: "x".into(), choice: Choice::Agree };
    assert_eq!(world.by(someone("mira"), nothing), Err(DebateRefusal::StatementUnknown));
}

#[test]
fn a_host_cancels_and_everyone_is_released() {
    let mut world = World::opened(3, two(Lang::Ja));
    world.advance();
    world.by(someone(HOST), DebateCommand::Cancel).unwrap();
    assert_eq!((world.state.card.status, &world.state.stage), (Status::Cancelled, &Stage::Over));
    assert_eq!(world.threads(), Vec::<String>::new());
    assert_eq!(world.told("d1"), [json!({"released": {"debate": DEBATE}})]);
    assert_eq!(world.told(TOPIC)[0]["ended"]["outcome"], json!("cancelled"));
    assert_eq!(world.by(someone(HOST), DebateCommand::Cancel), Err(DebateRefusal::NotActive));
}

#[test]
fn a_debater_withdrawn_in_mid_debate_leaves_its_words_and_nothing_else() {
    let mut seats = two(Lang::Ja);
    seats.push(brief("d3", "ケン", Lang::Ja));
    let mut world = World::opened(3, seats);
    world.advance();
    world.answer_all(false);
    world.direct("d1", 2, "最後に質問を").unwrap();
    world.advance();
    world.says(2, "s2", "はい。");
    world.says(2, "s3", "いいえ。");
    let gone = DebateCommand::Withdraw { debater: "d1".into() };
    world.by(debater("d1"), gone.clone()).unwrap();
    assert!(matches!(world.state.stage, Stage::Waiting { turn: 3, .. }), "nobody waits for it");
    assert_eq!(world.state.directions, []);
    assert!(world.state.statement(1, "s1").is_some(), "what it said stays");
    let floor = json!(world.app.floor(&world.state, &Reader::spectator(), Lang::Ja)).to_string();
    assert!(floor.contains("削除されたディベーター (1)") && !floor.contains("ソラ (1)"), "{floor}");
    assert_eq!(world.direct("d1", 3, "まだいる？"), Err(DebateRefusal::NotSeated));
    world.advance();
    assert_eq!(world.threads().iter().filter(|thread| thread.starts_with("turn-3")).count(), 2);
    assert_eq!(world.by(debater("d1"), gone), Ok(vec![]), "told twice, it happens once");
}

#[test]
fn with_one_debater_left_there_is_no_debate() {
    let mut world = World::opened(3, two(Lang::Ja));
    world.by(debater("d1"), DebateCommand::Withdraw { debater: "d1".into() }).unwrap();
    let last = world.log.iter().rev().find_map(|entry| match &entry.event {
        DebateEvent::Cancelled { why, .. } => Some(*why),
        _ => None,
    });
    assert_eq!(last, Some(CancelReason::Withdrawn));
    assert_eq!(world.told("d1"), Vec::<serde_json::Value>::new());
    assert_eq!(world.told("d2").len(), 1);
}

#[test]
fn nobody_but_the_debater_withdraws_it() {
    let mut world = World::opened(3, two(Lang::Ja));
    let gone = || DebateCommand::Withdraw { debater: "d1".into() };
    for by in [debater("d2"), someone(&owner("d1")), someone(HOST)] {
        assert!(world.by(by, gone()).is_err());
    }
}

#[test]
fn a_budget_that_is_used_up_ends_the_debate_by_rule_and_not_in_mid_air() {
    let mut world = World::new();
    let DebateCommand::Open { topic, mode, turns, seats, window, settings } =
        super::world::opening(Lang::Ja, 2, two(Lang::Ja))
    else {
        panic!("it opens")
    };
    let settings = enza_deliberation::debate::DebateSettings { budget: Some(10), ..settings };
    world.by(super::world::topic(), DebateCommand::Open { topic, mode, turns, seats, window, settings }).unwrap();
    world.play();
    assert_eq!(world.state.card.status, Status::Completed);
    assert!(world.state.statements.iter().all(|one| one.content.is_empty()));
}
