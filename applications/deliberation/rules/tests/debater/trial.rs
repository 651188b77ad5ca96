//! Trying a feedback before it is given: what it leads to is seen, and nothing of it stays.

use enza_deliberation::{DebaterCommand, DebaterRefusal, TrialSide};
use enza_kernel::refusal::CommonRefusal;

use super::world::{World, bob};

const WISH: &str = "もっと具体的に、数字を出して";

fn try_out(content: &str) -> DebaterCommand {
    DebaterCommand::TryFeedback { debate: "d1".to_owned(), content: content.to_owned() }
}

#[test]
fn a_feedback_shows_its_strategy_and_the_first_sentence_with_and_without_it() {
    let mut world = World::back_home();
    world.tell(try_out(WISH)).unwrap();
    world.play();
    let trial = world.state.trial().unwrap();
    assert!(trial.is_over() && !trial.has_failed);
    assert!(trial.strategy.as_ref().unwrap().contains("具体"), "{trial:?}");
    assert_eq!(trial.said.len(), 2);
    assert!(trial.said.values().all(|sentence| !sentence.is_empty() && !sentence.contains('\n')));
}

/// What is tried is what would come: strategy and speaker read P2 and P1, alike but for the strategy.
#[test]
fn both_sides_differ_in_the_strategy_alone() {
    let mut world = World::back_home();
    world.learn("表").unwrap();
    world.tell(try_out(WISH)).unwrap();
    let without = world.request("trial/without");
    world.say("trial/strategy", "<thinking>考え中</thinking>\n数字を一つ出す。");
    let with = world.request("trial/with");
    assert_eq!(without.messages, with.messages);
    assert_eq!(without.sampling, with.sampling);
    assert!(with.sampling.seed.is_some());
    let (with, without) = (with.stable[0].text.to_string(), without.stable[0].text.to_string());
    let block = "## 今回の熟議方針\n数字を一つ出す。\n\n";
    let rule = "\n5. 今回の熟議方針を意識して発言する";
    assert_eq!(with.replace(block, "").replace(rule, ""), without);
    assert_ne!(with, without);
}

/// Its events are read by no other prompt, as those of DEL-C23.
#[test]
fn nothing_else_ever_hears_of_a_trial() {
    let (mut tried, mut plain) = (World::back_home(), World::back_home());
    tried.tell(try_out(WISH)).unwrap();
    tried.play();
    let rows = tried.rows.clone();
    assert_eq!(rows, plain.rows, "no row and no activity");
    for world in [&mut tried, &mut plain] {
        world.give("d1", "もっと聞いて").unwrap();
        world.summon("d2").unwrap();
    }
    assert_eq!(tried.state.brief(), plain.state.brief());
    for world in [&mut tried, &mut plain] {
        world.deliver();
        let started_at = world.time;
        world.by(super::world::topic(), DebaterCommand::Seated { debate: "d2".to_owned(), started_at }).unwrap();
        world.complete("d2");
        assert!(!world.request("growth").to_plain_text().contains(WISH));
        assert!(!world.request("reflection/d2").to_plain_text().contains(WISH));
    }
    assert_eq!(tried.request("growth").to_plain_text(), plain.request("growth").to_plain_text());
}

#[test]
fn a_trial_is_held_to_what_a_feedback_is_held_to() {
    let mut world = World::back_home();
    assert!(matches!(world.tell(try_out(&"あ".repeat(401))), Err(DebaterRefusal::Text(_))));
    assert!(matches!(world.tell(try_out(" \n")), Err(DebaterRefusal::Text(_))));
    assert_eq!(world.by(bob(), try_out(WISH)), Err(DebaterRefusal::Common(CommonRefusal::NotYourPart)));
    world.tell(try_out(WISH)).unwrap();
    assert_eq!(world.tell(try_out("別の案")), Err(DebaterRefusal::TrialUnderWay));
    world.play();
    world.tell(try_out("別の案")).unwrap();
    world.play();
    world.give("d1", WISH).unwrap();
    assert_eq!(world.tell(try_out("遅い")), Err(DebaterRefusal::FeedbackExists));
    let mut world = World::back_home();
    world.summon("d2").unwrap();
    assert_eq!(world.tell(try_out(WISH)), Err(DebaterRefusal::FeedbackClosed));
}

#[test]
fn a_model_that_is_not_there_says_nothing_or_hangs_ends_the_trial_and_nothing_else() {
    let mut unanswered = World::back_home();
    unanswered.tell(try_out(WISH)).unwrap();
    unanswered.unanswered("trial/strategy");
    let mut nothing = World::back_home();
    nothing.tell(try_out(WISH)).unwrap();
    while nothing.is_asking("trial/without") {
        nothing.say("trial/without", "<thinking>……</thinking>");
    }
    let mut hanging = World::back_home();
    hanging.tell(try_out(WISH)).unwrap();
    hanging.wait(121);
    for mut world in [unanswered, nothing, hanging] {
        assert!(world.state.trial().unwrap().has_failed);
        assert!(world.asks().is_empty(), "{:?}", world.asks());
        world.tell(try_out(WISH)).unwrap();
        world.play();
        assert!(world.state.trial().unwrap().said.contains_key(&TrialSide::With));
    }
}

/// Ten pieces of knowledge, each as large as it may be: the call is counted before it is made, and nothing is cut.
#[test]
fn the_largest_prompt_is_counted_and_whole() {
    let mut world = World::back_home();
    for _ in 0..10 {
        let content = "👩🏽‍🚀".repeat(400);
        world.tell(DebaterCommand::AddKnowledge { title: "題".repeat(30), content }).unwrap();
    }
    world.tell(try_out(&"👩🏽‍🚀".repeat(270))).unwrap();
    for thread in ["trial/strategy", "trial/without"] {
        let (request, ask) = (world.request(thread), world.ask(thread));
        assert_eq!(request.cuts, []);
        let whole = enza_kernel::conversation::estimate_tokens(&request.to_plain_text());
        assert!(whole + u64::from(request.max_output) <= ask.reserve, "{whole} of {}", ask.reserve);
    }
    world.play();
    assert!(world.state.trial().unwrap().said.len() == 2);
}
