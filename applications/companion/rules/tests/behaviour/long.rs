//! A long session: what lies behind does not weigh on the next turn.
//!
//! Counted, not timed. `early` and `late` are the same work at two places of one session, so that their instructions can
//! be compared: `valgrind --tool=callgrind --collect-atstart=no --toggle-collect='*companion::long::late' BINARY long::`.

use std::ops::Range;
use std::sync::Arc;

use enza_companion::{Companion, Rule, Ruling, Settings, State};
use enza_kernel::application::Application as _;
use serde_json::json;

use super::world::World;

/// Questions, looks and edits that a rule allows, in turn.
fn play(world: &mut World, turns: Range<u32>) {
    for number in turns {
        let path = format!("part/module{}.py", number % 50);
        world.say(&format!("turn {number:04} about {path}"));
        match number % 3 {
            0 => {}
            1 => world.decides(json!({ "actions": [{ "operation": "read", "path": "README.md" }] })),
            _ => {
                let content = format!("value = {number}\n");
                let actions = json!([{ "operation": "write", "path": path, "content": content }]);
                world.decides(json!({ "next_step": "done", "new_task": true, "actions": actions }));
                let review = json!({ "rating": "good", "problems": [], "proposals": [], "approval": "approved" });
                world.decides(json!({ "step": "REVIEW", "next_step": "done", "review": review }));
                continue;
            }
        }
        world.decides(json!({ "next_step": "done", "reply": "It keeps the values of one part, a line for each." }));
    }
}

#[inline(never)]
fn early(world: &mut World) {
    play(world, 11..111);
}

#[inline(never)]
fn late(world: &mut World) {
    play(world, 901..1_001);
}

/// The size of a state, but for its threads: those have a window of their own.
fn bytes(state: &State) -> usize {
    let mut state = state.clone();
    state.cast.threads.clear();
    serde_json::to_vec(&state).unwrap().len()
}

#[test]
fn the_thousandth_turn_is_as_light_as_any() {
    let allow = Rule { verdict: Ruling::Allow, operation: "change".to_owned(), pattern: String::new() };
    let mut world = World::with(Settings { rules: vec![allow], ..Settings::default() });
    play(&mut world, 1..11);
    early(&mut world);
    play(&mut world, 111..451);
    let full = bytes(&world.state);
    play(&mut world, 451..901);
    late(&mut world);
    assert_eq!((world.state.turn, world.state.turns.len(), world.state.moves.len()), (1_000, 200, 200));
    let title = Companion::standing(&world.state).title;
    assert_eq!(title, "turn 0001 about part/module1.py", "it is known by its first words, however long ago");
    // Only numbers have grown by a digit.
    let grown = bytes(&world.state);
    assert!(grown <= full + full / 50, "{full} bytes at turn 450, {grown} at turn 1,000");
    // Whatever was decided on a copy, the rest of it was not copied.
    let before = world.state.clone();
    play(&mut world, 1_001..1_003);
    let (old, new) = (&before.turns[2..], &world.state.turns[..198]);
    assert!(old.iter().zip(new).all(|(old, new)| Arc::ptr_eq(old, new)), "turns are shared");
    let (old, new) = (before.moves.last().unwrap(), world.state.moves.iter());
    assert!(new.into_iter().any(|one| Arc::ptr_eq(old, one)), "moves are shared");
    assert_eq!(
        (before.turn, before.turns.last().map(|turn| turn.number)),
        (1_000, Some(1_000)),
        "a copy stays as it was"
    );
}
