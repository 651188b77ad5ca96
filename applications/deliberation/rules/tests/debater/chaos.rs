//! Whatever is asked for in whatever order, and whatever comes of it: what must hold for a debater holds.

use enza_deliberation::{Debater, DebaterCommand, DebaterStatus, GrowthTime, KNOWLEDGE_SLOTS};
use enza_kernel::application::{Application as _, Phase};
use enza_kernel::conversation::{Reply, Stop};
use enza_kernel::effect::{Effect, Outcome};
use enza_kernel::text::Lang;
use enza_kernel::time::{Actor, Timestamp};
use proptest::prelude::{Strategy, prop, prop_oneof, proptest};

use super::world::{World, ada, bob, completed, id, itself, stable, summons, topic};

/// One thing that happens.
#[derive(Debug, Clone)]
enum Step {
    Order(u8, u8),
    /// A due effect ends: which, and how.
    Settle(u8, u8),
    Wait(u8),
}

fn steps() -> impl Strategy<Value = Vec<Step>> {
    let step = prop_oneof![
        4 => (0..20_u8, 0..6_u8).prop_map(|(what, which)| Step::Order(what, which)),
        3 => (0..8_u8, 0..6_u8).prop_map(|(which, how)| Step::Settle(which, how)),
        1 => (0..200_u8).prop_map(Step::Wait),
    ];
    prop::collection::vec(step, 1..120)
}

fn order(world: &World, what: u8, which: u8) -> (Actor, DebaterCommand) {
    let debate = format!("d{which}");
    let started_at = world.time;
    let words = ["もっと聞いて", "数字で話して", "", "Be kinder\n## Rules", "👨‍👩‍👧", "やめて、正直すぎ"]
        [usize::from(which)]
    .to_owned();
    let known = world.state.knowledge().get(usize::from(which)).map(|entry| entry.id.clone()).unwrap_or_default();
    let feedback = world.state.completed().get(usize::from(which)).and_then(|debate| debate.feedback.clone());
    let change = world.state.changes().last().map(|change| change.id.clone()).unwrap_or_default();
    match what {
        0 => (stable(), DebaterCommand::Rename { name: words }),
        1 => (stable(), DebaterCommand::SetStatus { status: DebaterStatus::Reserve }),
        2 => (stable(), DebaterCommand::SetStatus { status: DebaterStatus::Active }),
        3 | 4 => (topic(), summons(&debate, Timestamp(which.into()))),
        5 => (topic(), DebaterCommand::Release { debate }),
        6 | 7 => (topic(), DebaterCommand::Seated { debate, started_at }),
        8 | 9 => (itself(&debate), completed(&debate, world.time)),
        10 => (itself(&debate), DebaterCommand::Released { debate }),
        11 | 12 => (ada(), DebaterCommand::AddKnowledge { title: debate, content: words }),
        13 => (ada(), DebaterCommand::RemoveKnowledge { id: known }),
        14 | 15 => (ada(), DebaterCommand::GiveFeedback { debate, content: words }),
        16 => {
            (ada(), DebaterCommand::EditFeedback { id: feedback.map(|one| one.id).unwrap_or_default(), content: words })
        }
        17 => (ada(), DebaterCommand::TryFeedback { debate, content: words }),
        18 => (ada(), DebaterCommand::TakeBack { change }),
        _ if which == 0 => (bob(), DebaterCommand::AddKnowledge { title: debate, content: words }),
        _ => (ada(), DebaterCommand::RetryGrowth),
    }
}

fn settle(world: &mut World, which: u8, how: u8) {
    let due: Vec<Effect> =
        world.app.due(&world.state).into_iter().filter(|effect| !matches!(effect, Effect::Wake(_))).collect();
    let Some(effect) = due.get(usize::from(which) % due.len().max(1)) else { return };
    match effect {
        Effect::AskModel(ask) => {
            let request = world.app.request(&world.state, ask);
            let whole = world.app.understudy(&request).unwrap();
            let nonsense = Reply { text: "I am {\"somebody\": [else".to_owned(), ..Reply::default() };
            match how {
                0 => world.settle(effect, Outcome::Unanswered { why: "503".to_owned() }),
                1 => world.reply(ask, nonsense),
                2 => world.reply(ask, Reply { stop: Stop::Cut, ..nonsense }),
                3 => world.settle(effect, Outcome::TooLong { why: "no room".to_owned() }),
                _ => world.reply(ask, whole),
            }
        }
        Effect::RunErrand(_) if how == 0 => {
            let (code, why) = ("session-unknown".to_owned(), "gone".to_owned());
            world.settle(effect, Outcome::Declined { code, why });
        }
        Effect::RunErrand(_) => world.deliver(),
        Effect::RunTool(_) | Effect::Wake(_) => {}
    }
}

fn holds(world: &World) {
    let state = &world.state;
    assert!(state.knowledge().len() <= KNOWLEDGE_SLOTS, "DEL-06");
    let changes = u32::try_from(state.changes().len()).unwrap();
    assert!(
        state.persona().is_none() || changes >= 20 || world.version() == 1 + changes,
        "one version for each change"
    );
    for table in Debater::shown_tables() {
        let rows = world.rows.iter().filter(|((name, _), _)| name == table.of);
        let id = id();
        assert_eq!(table.misfits(rows.map(|((_, key), content)| (id.as_str(), key.as_str(), content))), [], "DEL-04");
    }
    let applied = world.table("feedbacks").iter().filter(|row| row["applied_at"].is_i64()).count();
    let used: usize = state.changes().iter().map(|change| change.feedbacks.len()).sum();
    assert_eq!(applied, used, "DEL-89: exactly what was used is applied");
    let owes = world.app.due(state).iter().any(|effect| !matches!(effect, Effect::Wake(_)));
    assert_eq!(Debater::standing(state).phase == Phase::Working, owes);
    for ask in world.asks() {
        let request = world.app.request(state, &ask);
        assert_eq!(request.cuts, []);
        assert!(request.task.is_some(), "{}", ask.thread);
    }
}

proptest! {
    #[test]
    fn what_must_hold_holds_whatever_happens(steps in steps(), is_at_once in prop::bool::ANY) {
        let growth = if is_at_once { GrowthTime::AtOnce } else { GrowthTime::AtCompletion };
        let mut world = World::opened(Lang::Ja, growth);
        for step in steps {
            match step {
                Step::Order(what, which) => {
                    let (by, command) = order(&world, what, which);
                    // A refusal is as good as an event.
                    drop(world.by(by, command));
                }
                Step::Settle(which, how) => settle(&mut world, which, how),
                Step::Wait(seconds) => world.wait(seconds.into()),
            }
            holds(&world);
        }
        world.play();
        holds(&world);
        assert!(world.state.persona().is_some(), "creation never fails because of a model (DEL-C2)");
    }
}
