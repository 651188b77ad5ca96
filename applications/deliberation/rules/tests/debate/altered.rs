//! "Without my words": statements drawn again, and how a debate might have gone.

use enza_deliberation::debate::{DebateCommand, DebateEvent, DebateRefusal, Redraw, Stage, Status, Work};
use enza_kernel::application::Application;
use enza_kernel::effect::Effect;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;
use enza_kernel::time::Actor;

use super::world::{HOST, World, owner, someone, two};
use enza_deliberation::Debates;

/// Turn 1 was spoken, with a direction for the first seat.
fn directed() -> World {
    let mut world = World::opened(3, two(Lang::Ja));
    world.direct("d1", 1, "質問で始めて").unwrap();
    world.advance();
    world.answer_all(false);
    world
}

fn redraw(way: Redraw) -> Work {
    Work::Redraw { way, turn: 1, seat: "s1".into() }
}

fn ask() -> DebateCommand {
    DebateCommand::DrawWithout { turn: 1, seat: "s1".into() }
}

#[test]
fn del_c23_both_draws_have_the_prompt_of_the_statement_and_one_is_without_the_direction() {
    let mut world = World::opened(3, two(Lang::Ja));
    world.direct("d1", 1, "質問で始めて").unwrap();
    world.advance();
    let said = world.request(&Work::Speak { turn: 1, seat: "s1".into() });
    world.answer_all(false);
    // What has happened since then enters neither.
    world.direct("d1", 2, "次は短く").unwrap();
    world.owner("d1", ask()).unwrap();
    let unchanged = world.request(&redraw(Redraw::Unchanged));
    let without = world.request(&redraw(Redraw::Without));
    assert_eq!((&unchanged.stable, &unchanged.messages), (&said.stable, &said.messages));
    assert_eq!(unchanged.sampling, said.sampling, "the same chance");
    assert!(unchanged.sampling.seed.is_some());
    assert_eq!(without.messages, said.messages);
    let cut = said.stable[0]
        .text
        .replace("## ユーザーからの指示（このターンのみ）\n質問で始めて\n\n", "")
        .replace("\n6. ユーザーの指示を今回の発言に反映する", "");
    assert_eq!(&*without.stable[0].text, cut);
}

#[test]
fn del_c23_by_rule_nothing_changes_where_nothing_was_changed_and_no_prompt_reads_either() {
    let mut world = directed();
    world.owner("d1", ask()).unwrap();
    world.answer_all(false);
    let drawn = world.state.redraws[0].texts.clone();
    let said = world.state.statement(1, "s1").unwrap().content.clone();
    assert_eq!(drawn[&Redraw::Unchanged].as_ref(), Some(&said));
    let without = drawn[&Redraw::Without].clone().unwrap();
    assert_ne!(without, said, "the direction had an effect");
    world.advance();
    let (system, user) = world.prompt(2, "s2");
    assert!(!user.contains(&without) && !system.contains(&without));
    world.play();
    assert_eq!(world.state.card.status, Status::Completed);
}

#[test]
fn a_draw_is_for_the_seats_owner_and_where_there_was_a_direction() {
    let mut world = directed();
    assert_eq!(world.owner("d2", ask()), Err(DebateRefusal::NotSeated));
    assert_eq!(world.by(someone(HOST), ask()), Err(DebateRefusal::NotSeated));
    let of = |turn, seat: &str| DebateCommand::DrawWithout { turn, seat: seat.into() };
    assert_eq!(world.owner("d2", of(1, "s2")), Err(DebateRefusal::NothingDirected));
    assert_eq!(world.owner("d1", of(2, "s1")), Err(DebateRefusal::StatementUnknown));
    world.owner("d1", ask()).unwrap();
    assert_eq!(world.owner("d1", ask()), Err(DebateRefusal::RedrawUnderWay));
    world.unanswered(&redraw(Redraw::Without));
    world.unanswered(&redraw(Redraw::Unchanged));
    assert_eq!(world.state.redraws[0].texts[&Redraw::Without], None);
    world.owner("d1", ask()).unwrap();
}

#[test]
fn a_draw_can_be_asked_for_when_the_debate_is_over() {
    let mut world = directed();
    world.play();
    world.owner("d1", ask()).unwrap();
    world.answer_all(false);
    assert_eq!(world.state.redraws[0].texts.len(), 2);
    assert_eq!(world.state.card.status, Status::Completed);
}

/// A fork at a place in the log, as the runtime makes one.
fn forked(world: &World, turn: u32) -> World {
    let at = world.state.fork_before(turn).unwrap();
    let mut fork = World::new();
    for entry in world.log.iter().take(at.0 as usize) {
        Debates::evolve(&mut fork.state, entry);
        fork.log.push(entry.clone());
    }
    fork.time = world.time;
    fork
}

fn counterfactual(direction: Option<&str>) -> DebateCommand {
    DebateCommand::Counterfactual { turn: 1, seat: "s1".into(), direction: direction.map(str::to_owned) }
}

#[test]
fn del_c23_a_quiet_fork_goes_on_to_the_end_without_a_timer() {
    let mut world = directed();
    world.play();
    let mut fork = forked(&world, 1);
    fork.by(Actor::Runtime, counterfactual(None)).unwrap();
    assert!(!fork.prompt(1, "s1").0.contains("質問で始めて"));
    assert!(!fork.app.due(&fork.state).iter().any(|effect| matches!(effect, Effect::Wake(_))));
    fork.answer_all(false);
    assert_eq!(fork.state.card.status, Status::Completed, "answers alone bring it to its end");
    assert_eq!(fork.errands(), [], "and nobody is told");
    let mut same = forked(&world, 1);
    same.by(Actor::Runtime, counterfactual(Some("質問で始めて"))).unwrap();
    same.answer_all(false);
    assert_eq!(world.state.differing_from(&same.state, 1), 0, "nothing was changed, and by rule nothing is by chance");
    assert!(world.state.differing_from(&fork.state, 1) > 0);
}

#[test]
fn a_debate_that_goes_on_is_never_turned_back_by_anyone_in_it() {
    let mut world = World::opened(3, two(Lang::Ja));
    for name in [owner("d1"), HOST.to_owned()] {
        let refused = world.by(someone(&name), counterfactual(None));
        assert_eq!(refused, Err(DebateRefusal::Common(CommonRefusal::NotYourPart)));
    }
    let mut fork = directed();
    fork.by(Actor::Runtime, DebateCommand::Counterfactual { turn: 2, seat: "s1".into(), direction: None }).unwrap();
    assert_eq!(fork.state.stage, Stage::Speaking { turn: 2 });
    fork.answer_all(false);
    assert_eq!(fork.by(Actor::Runtime, counterfactual(None)), Err(DebateRefusal::NoWindow));
    assert_eq!(
        fork.log.iter().filter(|entry| matches!(entry.event, DebateEvent::CounterfactualBegun { .. })).count(),
        1
    );
}
