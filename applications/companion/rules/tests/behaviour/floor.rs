//! What a person finds on coming to a session, and may decide at its gate, from whatever screen.

use enza_companion::{Command, Companion, Event, Mode, Note, Pick, Refusal, Rule, Ruling, Scope, Settings, Step, When};
use enza_kernel::application::{Application as _, Entry, Reason as _};
use enza_kernel::conversation::Digest;
use enza_kernel::floor::{Floor, Offer, Weight, put_words};
use enza_kernel::gate::{FileAsked, Given, Leeway, OperationAsked, Picking, Verdict as Yes};
use enza_kernel::panel::{ListItem, Meter};
use enza_kernel::reader::Reader;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;
use enza_kernel::time::{Actor, Now, Seq, Timestamp};
use enza_work::RestoreResult;
use serde_json::{Value, json};

use super::world::World;

fn floor(world: &World) -> Floor {
    world.app.floor(&world.state, &Reader::host(), Lang::En)
}

/// What is in the list of this title; none where it is not drawn.
fn list(world: &World, title: &str) -> Option<Vec<ListItem>> {
    floor(world).lists().find(|(its, _)| *its == title).map(|(_, things)| things.to_vec())
}

fn write(path: &str, content: &str) -> Value {
    json!({ "operation": "write", "path": path, "content": content })
}

fn rule(verdict: Ruling, operation: &str, pattern: &str) -> Rule {
    Rule { verdict, operation: operation.to_owned(), pattern: pattern.to_owned() }
}

/// A session that stands at a gate for two files and a command; the first of three changes is allowed by a rule.
fn asked() -> World {
    let rules = vec![rule(Ruling::Allow, "change", "docs/**")];
    let mut world = World::with(Settings { rules, ..Settings::default() });
    world.say("Greet");
    let run = json!({ "operation": "run", "command": ["cargo", "test", "-q"] });
    world.decides(
        json!({ "actions": [write("docs/a.md", "a\n"), write("src/b.rs", "b\n"), write("src/c.rs", "c\n"), run] }),
    );
    world
}

/// Where there are buttons nobody types orders: what the session says names the act, and each screen knows its own way.
#[test]
fn nothing_that_stands_on_every_screen_has_to_be_typed() {
    let notes = [
        Note::Loop,
        Note::GivenUp { error: "e".to_owned(), recoveries: None },
        Note::GivenUp { error: "e".to_owned(), recoveries: Some(2) },
        Note::RoundsSpent { rounds: 8 },
        Note::NoModel { why: "w".to_owned() },
        Note::Unknown { what: "w".to_owned(), changed: Vec::new() },
        Note::ChangedSince { path: "p".to_owned() },
        Note::AwaitsAcceptance,
    ];
    let refusals = [
        Refusal::Common(CommonRefusal::AlreadyOpen),
        Refusal::Common(CommonRefusal::NotOpen),
        Refusal::QueueFull,
        Refusal::TooManyTasks,
        Refusal::NoSuchTask,
        Refusal::Common(CommonRefusal::NoSuchGate),
        Refusal::NothingToAccept,
        Refusal::NothingToCommit,
        Refusal::NothingUnderWay,
        Refusal::NoSuchTurn,
        Refusal::Busy,
        Refusal::Common(CommonRefusal::NothingToRetry),
        Refusal::NoSuchLine,
        Refusal::NoSuchHunk,
    ];
    for lang in [Lang::En, Lang::Ja] {
        let noted = notes.iter().map(|note| {
            let event = Event::Noted { desk: 1, note: note.clone() };
            Companion::line(&Entry { seq: Seq(1), at: Timestamp(0), event }, &Reader::host(), lang)
                .expect("a note is a line")
                .text
        });
        let refused = refusals.iter().map(|refusal| {
            let said = refusal.say(lang);
            format!("{} {}", said.message, said.hint)
        });
        let typed: Vec<String> = noted.chain(refused).filter(|text| text.contains('/')).collect();
        assert_eq!(typed, Vec::<String>::new());
    }
}

/// Every command that a floor carries.
fn commands(floor: &Floor) -> Vec<Value> {
    let offered = floor.offers.iter().map(|offer| match offer {
        Offer::Say { command, place, .. } => put_words(command, place, "And then?"),
        Offer::Press { command, .. } => command.clone(),
    });
    let deeds = floor.lists().flat_map(|(_, things)| things).flat_map(|thing| &thing.deeds);
    let ways = floor.switches.iter().flat_map(|switch| &switch.ways).map(|way| way.command.clone());
    offered.chain(deeds.map(|deed| deed.command.clone())).chain(ways).collect()
}

/// Whatever is offered is accepted.
fn all_are_accepted(world: &World) {
    let now = Now { time: world.time, head: world.head(), by: Actor::Person("ada".to_owned()) };
    for command in commands(&floor(world)) {
        let read: Command = serde_json::from_value(command.clone()).unwrap();
        assert!(world.app.decide(&world.state, read, &now).is_ok(), "{command}");
    }
}

#[test]
fn every_offer_of_a_session_is_one_that_would_be_accepted() {
    let mut world = World::opened();
    all_are_accepted(&world);
    world.say("Greet");
    all_are_accepted(&world);
    world.decides(json!({ "actions": [write("src/b.rs", "b\n")], "next_step": "done" }));
    all_are_accepted(&world);
    world.answer(Yes::Yes);
    all_are_accepted(&world);
    let review = json!({ "rating": "good", "problems": [], "proposals": [], "approval": "approved" });
    world.decides(json!({ "step": "REVIEW", "next_step": "done", "review": review }));
    assert_eq!(world.position().0, Step::Review);
    world.tell(Command::Forbid { text: "secret".to_owned() }).unwrap();
    world.tell(Command::Remember { rule: rule(Ruling::Deny, "run", ""), scope: Scope::Session }).unwrap();
    let titles: Vec<String> = floor(&world).lists().map(|(title, _)| title.to_owned()).collect();
    assert_eq!(titles, ["Tasks", "Changed files", "Forbidden", "Rules"]);
    all_are_accepted(&world);
    world.tell(Command::Close).unwrap();
    assert_eq!(commands(&floor(&world)), Vec::<Value>::new(), "a session that is over offers nothing");
}

/// Section 4, 4: a word waits, interrupts or is asked aside, and the difference is offered.
#[test]
fn while_it_works_there_are_three_ways_to_speak() {
    let says = |world: &World| -> Vec<Value> {
        let said = |offer| match offer {
            Offer::Say { command, .. } => Some(command["say"]["when"].clone()),
            Offer::Press { .. } => None,
        };
        floor(world).offers.into_iter().filter_map(said).collect()
    };
    let mut world = World::opened();
    assert_eq!(says(&world), [json!("turn")]);
    world.say("Greet");
    assert_eq!(says(&world), [json!("turn"), json!("now"), json!("aside")]);
    world.say_when("And then?", When::Turn).unwrap();
    let waiting = list(&world, "Waiting messages").unwrap();
    assert_eq!(waiting[0].text, "And then?");
}

/// DUCK-86, DUCK-87: a gate's files keep the numbers that an answer names, though those that need no answer are not shown.
#[test]
fn the_leeway_of_a_gate_has_the_files_that_are_asked_about_under_their_own_numbers() {
    let file = |place, path: &str, content: &str| FileAsked {
        place,
        path: path.to_owned(),
        to: None,
        added: 1,
        removed: 0,
        hunks: 1,
        diff: format!("+{content}"),
        remarks: Vec::new(),
        picking: Picking::Hunks,
        content: Some(Digest::of(content.as_bytes())),
    };
    assert_eq!(
        floor(&asked()).leeway,
        Leeway {
            files: vec![file(1, "src/b.rs", "b\n"), file(2, "src/c.rs", "c\n")],
            operations: vec![OperationAsked { place: 3, text: "run cargo test -q".to_owned() }],
            asks_more: true,
            lasting: ["change src/b.rs", "change src/c.rs", "run cargo test *"].map(str::to_owned).to_vec(),
        }
    );
}

/// An answer from any screen becomes the companion's own.
#[test]
fn an_answer_keeps_its_scope_and_its_picks() {
    let picks = vec![Pick { file: 1, hunks: Some(vec![1]), content: None }];
    let given = Given { verdict: Yes::Yes, note: None, scope: Scope::Project, picks, left: vec![3] };
    assert_eq!(
        Companion::answer_gate("gate-1", given),
        Some(Command::Answer {
            gate: "gate-1".to_owned(),
            verdict: Yes::Yes,
            note: None,
            scope: Scope::Project,
            picks: vec![Pick { file: 1, hunks: Some(vec![1]), content: None }],
            left: vec![3],
        })
    );
}

fn refuse(world: &mut World, scope: Scope) {
    let gate = world.gate().unwrap().id;
    world
        .tell(Command::Answer { gate, verdict: Yes::No, note: None, scope, picks: Vec::new(), left: Vec::new() })
        .unwrap();
    world.work();
}

/// Section 4, 3: "never" is an answer, for the path or the command that was asked about and for nothing else.
#[test]
fn a_no_that_counts_for_longer_denies_what_was_asked_from_then_on() {
    let mut world = asked();
    refuse(&mut world, Scope::Session);
    let denied = ["src/b.rs", "src/c.rs"].map(|path| rule(Ruling::Deny, "change", path));
    assert_eq!(world.state.rules, [&denied[..], &[rule(Ruling::Deny, "run", "cargo test *")]].concat());
    world.say("Try again");
    world.decides(json!({ "actions": [write("src/b.rs", "again\n")] }));
    assert_eq!(world.gate(), None, "nobody is asked again");
    assert!(!world.files.contains_key("src/b.rs"));
}

#[test]
fn a_plain_no_makes_no_rule() {
    let mut world = asked();
    refuse(&mut world, Scope::Once);
    assert_eq!(world.state.rules, Vec::<Rule>::new());
}

/// G28: what changed since it was shown is another question, and an answer to the old one is refused.
#[test]
fn an_answer_to_a_gate_that_is_gone_is_refused() {
    let mut world = asked();
    let gate = world.gate().unwrap().id;
    refuse(&mut world, Scope::Once);
    let again = Companion::answer_gate(&gate, Given::new(Yes::Yes, None)).unwrap();
    assert_eq!(world.tell(again), Err(Refusal::Common(CommonRefusal::NoSuchGate)));
    assert!(!world.files.contains_key("src/b.rs"));
}

#[test]
fn a_turn_that_changed_files_can_be_taken_back_and_says_what_that_means() {
    let mut world = World::opened();
    world.say("Greet");
    world.decides(json!({ "actions": [write("src/b.rs", "b\n")], "next_step": "done" }));
    world.answer(Yes::Yes);
    let changed = |world: &World| list(world, "Changed files");
    assert_eq!(changed(&world).unwrap()[0].deeds, [], "not while it works");
    world.decides(json!({ "reply": "Done.", "next_step": "pending_user" }));
    let thing = changed(&world).unwrap().remove(0);
    assert_eq!((thing.text.as_str(), thing.remark.as_deref()), ("Greet", Some("src/b.rs")));
    assert!(
        thing.deeds[0].about.as_ref().is_some_and(|about| about.contains("you have edited")),
        "it is asked once more"
    );
    world.tell(serde_json::from_value(thing.deeds[0].command.clone()).unwrap()).unwrap();
    world.work();
    assert!(!world.files.contains_key("src/b.rs"));
    assert_eq!(changed(&world), None);
}

#[test]
fn the_mode_is_a_switch_and_the_budget_a_meter() {
    let mut world = World::with(Settings { budget: Some(1_000_000), ..Settings::default() });
    world.say("Greet");
    world.decides(json!({ "reply": "Hello." }));
    let current = |world: &World| -> Vec<String> {
        let ways = floor(world).switches.remove(0).ways;
        ways.into_iter().filter(|way| way.current).map(|way| way.label).collect()
    };
    assert_eq!(current(&world), ["ask"]);
    world.tell(Command::SetMode { mode: Mode::Plan }).unwrap();
    assert_eq!(current(&world), ["plan only"]);
    let label = "Token budget".to_owned();
    assert!(floor(&world).meters().eq([&Meter { label, used: 15, limit: 1_000_000 }]));
}

#[test]
fn a_budget_that_is_gone_can_be_raised_from_the_floor() {
    let mut world = World::with(Settings { budget: Some(10), ..Settings::default() });
    world.say("Greet");
    let raise = floor(&world).offers.into_iter().find_map(|offer| match offer {
        Offer::Press { command, weight: Weight::Retry, .. } => Some(command),
        Offer::Press { .. } | Offer::Say { .. } => None,
    });
    world.tell(serde_json::from_value(raise.unwrap()).unwrap()).unwrap();
    assert_eq!(world.asks().len(), 1, "it goes on");
}

#[test]
fn whoever_takes_a_turn_back_is_told_where_their_own_words_are() {
    let set_aside = vec![("mine.txt".to_owned(), "/store/objects/ab/cd".to_owned())];
    let restored = RestoreResult { restored: vec!["mine.txt".to_owned()], set_aside, ..RestoreResult::default() };
    let entry = Entry { seq: Seq(9), at: Timestamp(0), event: Event::TakenBack { turn: 1, restored } };
    for lang in [Lang::Ja, Lang::En] {
        let said = format!("{:?}", Companion::line(&entry, &Reader::host(), lang));
        assert!(said.contains("mine.txt: /store/objects/ab/cd"), "{said}");
    }
}
