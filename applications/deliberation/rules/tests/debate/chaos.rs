//! Whatever fails, in whatever order replies come, and whoever leaves: a debate comes to its end and hides what it has to.

use enza_deliberation::debate::{DebateCommand, Stage, Status};
use enza_kernel::text::Lang;
use proptest::prelude::*;

use super::world::{World, brief, debater, feedback, two};

proptest! {
    #![proptest_config(ProptestConfig::with_cases(24))]

    #[test]
    fn no_debate_hangs_whatever_fails_in_whatever_order(
        steps in proptest::collection::vec((0_usize..8, any::<bool>()), 8..64),
        leaves_at in 0_usize..40,
        turns in 1_u32..6,
    ) {
        let mut seats = two(Lang::En);
        seats.push(brief("d3", "Kent", Lang::En));
        seats[0].feedback = Some(feedback("Be brief"));
        let mut world = World::opened_in(Lang::En, turns, seats);
        for step in 0..600 {
            let (place, is_answered) = steps[step % steps.len()];
            if step == leaves_at {
                world.by(debater("d3"), DebateCommand::Withdraw { debater: "d3".into() }).unwrap();
            }
            if !world.answer_next(place, is_answered) {
                match world.state.stage {
                    Stage::Waiting { .. } => world.ring("window"),
                    Stage::Over => break,
                    Stage::Unopened | Stage::Preparing { .. } | Stage::Speaking { .. } | Stage::Closing => {
                        prop_assert!(false, "it waits for nothing: {:?}", world.state.stage);
                    }
                }
            }
        }
        prop_assert_eq!(world.state.card.status, Status::Completed);
        for turn in 1..=turns {
            for seat in ["s1", "s2"] {
                let said = world.state.statements.iter().filter(|one| one.turn == turn && one.seat == seat).count();
                prop_assert_eq!(said, 1, "DEL-C6: {} {}", turn, seat);
            }
        }
    }
}
