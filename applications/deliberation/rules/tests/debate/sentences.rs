//! What a debate says to people: refusals in both languages, each with a code that has a page; and a log that can be read
//! again.

use std::collections::BTreeSet;

use enza_deliberation::Debates;
use enza_deliberation::debate::{CODES, OpeningFault, Refusal, State};
use enza_kernel::application::{Application, Entry, Reason, restore, store};
use enza_kernel::text::Lang;

use super::world::{World, feedback, two};

fn refusals() -> Vec<Refusal> {
    use OpeningFault::{Mode, Name, Persona, Seats, Turns};
    let mut all = vec![
        Refusal::NotActive,
        Refusal::NotSeated,
        Refusal::DirectionExists,
        Refusal::DirectionUnknown,
        Refusal::DirectionFrozen,
        Refusal::TurnInFuture { turn: 3 },
        Refusal::NoWindow,
        Refusal::StatementUnknown,
        Refusal::NothingDirected,
        Refusal::RedrawUnderWay,
    ];
    all.extend([Seats, Turns, Mode, Persona, Name].map(Refusal::Opening));
    all
}

#[test]
fn every_refusal_is_said_in_both_languages_with_what_to_do_next() {
    for refusal in refusals() {
        for lang in [Lang::Ja, Lang::En] {
            let said = refusal.say(lang);
            for text in [&said.message, &said.hint] {
                assert!(text.ends_with(['.', '。']) && !text.contains(['⁇', '{']), "{refusal:?}: {text}");
            }
        }
        assert_ne!(refusal.say(Lang::Ja), refusal.say(Lang::En));
    }
    let given: BTreeSet<&str> = refusals().iter().map(Reason::code).collect();
    assert_eq!(given, CODES.iter().copied().collect());
}

#[test]
#[expect(clippy::disallowed_methods, reason = "a test looks for pages")]
fn every_code_has_a_page() {
    let pages = concat!(env!("CARGO_MANIFEST_DIR"), "/../../../docs/errors");
    for code in CODES.iter().chain(enza_deliberation::topic::CODES) {
        let page =
            std::fs::read_to_string(format!("{pages}/{code}.md")).unwrap_or_else(|_| panic!("{code} has no page"));
        assert!(page.starts_with(&format!("# {code}\n")) && page.contains("## 日本語"), "{code}");
    }
}

#[test]
fn a_whole_debate_reads_the_same_from_its_log() {
    let mut seats = two(Lang::Ja);
    seats[0].feedback = Some(feedback("短く"));
    let mut world = World::opened(5, seats);
    world.answer_all(false);
    world.direct("d1", 1, "質問で始めて").unwrap();
    world.play();
    let mut state = State::default();
    for entry in &world.log {
        let event = restore::<Debates>(&store::<Debates>(&entry.event)).unwrap();
        Debates::evolve(&mut state, &Entry { event, ..entry.clone() });
    }
    assert_eq!(state, world.state);
    let json = serde_json::to_string(&state).unwrap();
    assert_eq!(serde_json::from_str::<State>(&json).unwrap(), state);
}

#[test]
fn the_schema_of_commands_offers_people_what_people_may_send() {
    let schema = Debates::commands().to_string();
    assert!(schema.contains("direct") && schema.contains("speak_now"));
    for hidden in ["counterfactual", "withdraw\"", "\"open\""] {
        assert!(!schema.contains(hidden), "{hidden}: {schema}");
    }
}
