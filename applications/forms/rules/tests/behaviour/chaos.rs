//! An owner, a stranger, respondents and a model that do anything, in any order: the rules hold all the same.
//!
//! Every run has a seed, and a failure names it.

use std::collections::{BTreeMap, BTreeSet};
use std::panic::{AssertUnwindSafe, catch_unwind};

use enza_forms::{Command, Event, Forms, Going, LinkKind, Rules, State};
use enza_interview::Form;
use enza_kernel::application::{Application, Phase, store};
use enza_kernel::conversation::Reply;
use enza_kernel::effect::{Effect, Outcome};
use enza_kernel::text::Lang;
use enza_kernel::time::{Actor, Timestamp};
use serde_json::json;

use super::world::{TOKEN, World, ada, begin, bob, form, link, single, webhook};

const RUNS: u64 = 300;
const STEPS: usize = 120;

/// A small generator of our own: the same numbers from the same seed for ever.
struct Dice(u64);

impl Dice {
    fn below(&mut self, sides: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) % sides
    }

    fn pick<T: Clone>(&mut self, of: &[T]) -> T {
        of[self.below(of.len() as u64) as usize].clone()
    }
}

fn a_command(dice: &mut Dice, world: &World) -> Command {
    let current = world.state.card().edition;
    let token = dice.pick(&[TOKEN.to_owned(), single(0), single(1), "nosuchlink".to_owned()]);
    let session = dice.pick(&["s1", "s2", "s3", "s4"]).to_owned();
    let draft = dice.pick(&[form("One"), form("Two"), form("Three"), Form::default()]);
    let edition = dice.pick(&[current, current, current.wrapping_sub(1), current + 1, 0]);
    let closes = dice.pick(&[None, None, Some(Timestamp(world.time.0 + 40)), Some(Timestamp(0))]);
    let rules = Rules { closes, most_answers: dice.pick(&[None, Some(1), Some(3), Some(0)]), ..Rules::default() };
    let (receiver, kind) = (dice.pick(&[None, Some(webhook())]), dice.pick(&[LinkKind::Public, LinkKind::Single]));
    dice.pick(&[
        begin(None, None),
        Command::Edit { form: draft, edition },
        Command::Describe { sentence: "a visit report with date, customer".to_owned() },
        Command::Publish,
        Command::Publish,
        Command::Close,
        Command::Reopen,
        Command::SetRules { rules },
        Command::SetWebhook { webhook: receiver },
        link(&token, kind),
        Command::RevokeLink { token: token.clone() },
        Command::Admit { token: token.clone(), session: session.clone() },
        Command::Admit { token: token.clone(), session: session.clone() },
        Command::Admit { token, session: session.clone() },
        Command::Receive { session: session.clone() },
        Command::Forget { session, copies: 0, why: Going::Owner },
        Command::RetryModel,
    ])
}

fn a_reply(dice: &mut Dice, world: &mut World) {
    match dice.below(6) {
        0 => world.reply(Reply { text: "Well".to_owned(), ..Reply::default() }),
        1 => world.unanswered(),
        2 => world.calls("write_form", json!({ "title": "", "fields": [] })),
        3 => world.calls("publish", json!({})),
        _ => world.play(),
    }
}

fn a_step(dice: &mut Dice, world: &mut World) {
    world.time = Timestamp(world.time.0 + i64::try_from(dice.below(10)).unwrap());
    if world.ask().is_some() && dice.below(3) > 0 {
        return a_reply(dice, world);
    }
    if dice.below(8) == 0
        && let Some(effect) = world.app.due(&world.state).into_iter().find(|one| matches!(one, Effect::Wake(_)))
    {
        return world.settle(&effect, Outcome::Rang);
    }
    let by = dice.pick(&[ada(), ada(), ada(), Actor::Runtime, bob()]);
    let command = a_command(dice, world);
    let before = (world.state.clone(), world.log.len());
    let is_stale = matches!(command, Command::Edit { edition, .. } if edition != before.0.card().edition);
    let told = world.by(by.clone(), command.clone());
    if told.is_err() || is_stale {
        assert_eq!((&world.state, world.log.len()), (&before.0, before.1), "{command:?} by {by:?} changed something");
    }
    if by == bob() && !matches!(command, Command::Admit { .. }) {
        assert_eq!(world.log.len(), before.1, "a stranger changed something by {command:?}");
    }
}

/// Reads the whole history once more, by rules of its own.
fn check(world: &World) {
    let (mut version, mut edition, mut is_open, mut received) = (0, 0, false, 0);
    let mut rules = Rules::default();
    let mut singles: BTreeMap<&str, Option<&str>> = BTreeMap::new();
    let mut revoked = BTreeSet::new();
    for entry in &world.log {
        if let Some(card) = entry.event.card() {
            assert!(card.version >= version && card.edition >= edition, "a number went down");
            let is_version = matches!(entry.event, Event::Published { .. });
            assert_eq!(card.version - version, u64::from(is_version));
            (version, edition, is_open) = (card.version, card.edition, card.is_open);
        }
        match &entry.event {
            Event::RulesSet { rules: new } => rules = new.clone(),
            Event::LinkMade { token, kind: LinkKind::Single, .. } => {
                assert!(singles.insert(token, None).is_none(), "a token came back");
            }
            Event::LinkRevoked { token, .. } => {
                revoked.insert(token.as_str());
            }
            Event::Admitted { token, session, version: admitted_to } => {
                assert!(is_open && version > 0 && *admitted_to == version, "let in while closed");
                assert!(!rules.has_closed(entry.at), "let in after the close date");
                assert!(rules.most_answers.is_none_or(|most| received < most), "let in though full");
                assert!(!revoked.contains(token.as_str()), "let in by a withdrawn link");
                if let Some(user) = singles.get_mut(token.as_str()) {
                    assert_eq!(user.replace(session), None, "a single link was used twice");
                }
            }
            Event::Received { count, .. } => {
                received += 1;
                assert_eq!(*count, received);
            }
            Event::Begun { .. }
            | Event::Edited { .. }
            | Event::Described { .. }
            | Event::Published { .. }
            | Event::Closed { .. }
            | Event::Reopened { .. }
            | Event::WebhookSet { .. }
            | Event::LinkMade { kind: LinkKind::Public, .. }
            | Event::Forgotten { .. }
            | Event::Stepped(_) => {}
        }
    }
}

/// Nothing hangs: the form works on something, says what it waits for, or is published and waits for nobody.
fn check_standing(world: &World) {
    let standing = Forms::standing(&world.state);
    match standing.phase {
        Phase::Working => assert!(world.ask().is_some(), "works on nothing"),
        Phase::Waiting => {
            assert_eq!(standing.waiting_for.is_none(), world.state.published().is_some());
            assert!(world.ask().is_none());
        }
        Phase::Stuck => assert!(standing.waiting_for.is_some() && world.ask().is_none()),
        Phase::Gate | Phase::Ended => panic!("a form has no gate and no end"),
    }
}

fn run(seed: u64) -> Vec<String> {
    let mut dice = Dice(seed);
    let mut world = World::described("a visit report with date, customer", Lang::En);
    for _ in 0..STEPS {
        a_step(&mut dice, &mut world);
        check_standing(&world);
    }
    check(&world);
    let mut folded = State::default();
    world.log.iter().for_each(|entry| Forms::evolve(&mut folded, entry));
    assert_eq!(folded, world.state);
    world.log.iter().map(|entry| store::<Forms>(&entry.event).kind).collect()
}

#[test]
fn whatever_is_asked_the_rules_of_a_form_hold() {
    let mut seen = BTreeSet::new();
    for seed in 0..RUNS {
        // The reason is printed where it happened; this adds the seed.
        let kinds = catch_unwind(AssertUnwindSafe(|| run(seed)));
        assert!(kinds.is_ok(), "seed {seed}");
        seen.extend(kinds.into_iter().flatten());
    }
    let expected = [
        "Admitted",
        "Begun",
        "Closed",
        "Described",
        "Edited",
        "Forgotten",
        "LinkMade",
        "LinkRevoked",
        "Published",
        "Received",
        "Reopened",
        "RulesSet",
        "Stepped",
        "WebhookSet",
    ];
    assert!(seen.iter().eq(expected), "the runs reach every kind of event: {seen:?}");
}
