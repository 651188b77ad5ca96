//! What a debate says to people: refusals in both languages, each with a code that has a page; and a log that can be read
//! again.

use std::collections::BTreeSet;

use enza_deliberation::Debates;
use enza_deliberation::debate::{CODES, DebateCommand, DebateRefusal, DebateState, OpeningFault, Redraw, Work};
use enza_kernel::application::{Application, Entry, Reason, restore, store};
use enza_kernel::conversation::Reply;
use enza_kernel::floor::Who;
use enza_kernel::text::Lang;

use super::world::{World, feedback, owner, two};

fn refusals() -> Vec<DebateRefusal> {
    use OpeningFault::{Mode, Name, Persona, Seats, Turns};
    let mut all = vec![
        DebateRefusal::NotActive,
        DebateRefusal::NotSeated,
        DebateRefusal::DirectionExists,
        DebateRefusal::DirectionUnknown,
        DebateRefusal::DirectionFrozen,
        DebateRefusal::TurnInFuture { turn: 3 },
        DebateRefusal::NoWindow,
        DebateRefusal::StatementUnknown,
        DebateRefusal::NothingDirected,
        DebateRefusal::RedrawUnderWay,
    ];
    all.extend([Seats, Turns, Mode, Persona, Name].map(DebateRefusal::Opening));
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
    let mut state = DebateState::default();
    for entry in &world.log {
        let event = restore::<Debates>(&store::<Debates>(&entry.event)).unwrap();
        Debates::evolve(&mut state, &Entry { event, ..entry.clone() });
    }
    assert_eq!(state, world.state);
    let json = serde_json::to_string(&state).unwrap();
    assert_eq!(serde_json::from_str::<DebateState>(&json).unwrap(), state);
}

#[test]
fn the_schema_of_commands_offers_people_what_people_may_send() {
    let schema = Debates::commands().to_string();
    assert!(schema.contains("direct") && schema.contains("speak_now"));
    for hidden in ["counterfactual", "withdraw\"", "\"open\""] {
        assert!(!schema.contains(hidden), "{hidden}: {schema}");
    }
}

/// What a reader's conversation says, line by line, of a debate in which everything has happened once.
fn told(lang: Lang, person: Option<&str>, is_owner: bool) -> String {
    let mut seats = two(lang);
    seats[0].feedback = Some(feedback(lang.pick("短く話して", "Be brief")));
    let mut world = World::opened_in(lang, 2, seats);
    let strategy = Work::Strategy { seat: "s1".into() };
    world.reply(&strategy, Reply { text: lang.pick("短く話す", "Speak briefly").into(), ..Reply::default() });
    world.direct("d1", 1, lang.pick("質問で始めて", "Begin with a question")).unwrap();
    world.advance();
    let direction = lang.pick("遅すぎた指示", "Too late");
    world.direct("d2", 1, direction).unwrap();
    let spoken = lang
        .pick("<thinking>まず聞こう</thinking>どう思いますか。", "<thinking>Ask first</thinking>What do you think?");
    world.says(1, "s1", spoken);
    world.unanswered(&Work::Speak { turn: 1, seat: "s2".into() });
    world.owner("d1", DebateCommand::DrawWithout { turn: 1, seat: "s1".into() }).unwrap();
    for (way, text) in [(Redraw::Unchanged, "A"), (Redraw::Without, "B")] {
        let work = Work::Redraw { way, turn: 1, seat: "s1".into() };
        world.reply(&work, Reply { text: text.into(), ..Reply::default() });
    }
    world.advance();
    world.says(2, "s1", lang.pick("木を植えます。", "I would plant trees."));
    world.says(2, "s2", lang.pick("賛成です。", "I agree."));
    world.answer_all(false);
    let reader = Debates::reader(&world.state, person, is_owner).unwrap();
    let line = |entry| Debates::line(entry, &reader, lang);
    let who = |who: &Who| match who {
        Who::Agent(name) => format!("{name}: "),
        Who::Session | Who::Person(_) => String::new(),
    };
    world.log.iter().filter_map(line).map(|line| format!("{}{}\n", who(&line.who), line.text)).collect()
}

#[test]
fn the_conversation_as_an_owner_and_as_anybody_reads_it() {
    for (lang, word) in [(Lang::Ja, "ja"), (Lang::En, "en")] {
        insta::assert_snapshot!(format!("lines_owner_{word}"), told(lang, Some(&owner("d1")), false));
        insta::assert_snapshot!(format!("lines_anybody_{word}"), told(lang, None, false));
    }
}

#[test]
fn a_thread_is_known_by_its_name() {
    let (turn, seat) = (12, || "s3".to_owned());
    let all = [
        Work::Strategy { seat: seat() },
        Work::Speak { turn, seat: seat() },
        Work::Redraw { way: Redraw::Without, turn, seat: seat() },
        Work::Redraw { way: Redraw::Unchanged, turn, seat: seat() },
        Work::TurnSummary { turn },
        Work::Summary,
        Work::Verdict,
        Work::Candidates,
        Work::Ranking { seat: seat() },
        Work::Next,
    ];
    for work in all {
        assert_eq!(Work::of(&work.thread()), Some(work));
    }
    for name in ["", "turn-1", "turn/s1", "summary/s1", "strategy", "clerk"] {
        assert_eq!(Work::of(name), None, "{name}");
    }
}
