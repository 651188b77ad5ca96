//! Knowledge: ten places, at any time, counted as a person counts (DEL-06, DEL-08, DEL-11, DEL-12, DEL-14, DEL-59 to
//! DEL-61, DEL-C16).

use enza_deliberation::{DebaterCommand, DebaterRefusal, KNOWLEDGE_SLOTS};
use enza_kernel::application::{Application as _, Reason as _};
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::time::Now;

use super::world::{World, ada, bob};

fn add(title: &str, content: &str) -> DebaterCommand {
    DebaterCommand::AddKnowledge { title: title.to_owned(), content: content.to_owned() }
}

fn titles(world: &World) -> Vec<&str> {
    world.state.knowledge().iter().map(|entry| entry.title.as_str()).collect()
}

/// DEL-60
#[test]
fn the_eleventh_piece_is_refused_and_nothing_is_stored() {
    let mut world = World::born();
    for number in 1..=KNOWLEDGE_SLOTS {
        world.learn(&format!("k{number}")).unwrap();
    }
    assert_eq!(titles(&world).first(), Some(&"k10"), "newest first (DEL-C13)");
    let head = world.head();
    assert_eq!(world.learn("k11"), Err(DebaterRefusal::KnowledgeFull));
    assert_eq!(DebaterRefusal::KnowledgeFull.code(), "knowledge-full");
    assert_eq!((world.head(), world.table("knowledge_entries").len()), (head, KNOWLEDGE_SLOTS));
}

/// DEL-06: whoever is second in the log is second, wherever both pages began.
#[test]
fn of_two_elevenths_at_once_the_order_of_the_log_decides() {
    let mut world = World::born();
    for number in 1..KNOWLEDGE_SLOTS {
        world.learn(&format!("k{number}")).unwrap();
    }
    let before = world.state.clone();
    world.tell(add("first", "a")).unwrap();
    assert_eq!(world.tell(add("second", "b")), Err(DebaterRefusal::KnowledgeFull));
    // Decided on the older state it would have been let in; the log has one writer, so that it never is.
    let now = Now { time: world.time, head: world.head(), by: ada() };
    assert!(world.app.decide(&before, add("second", "b"), &now).is_ok());
}

/// DEL-61
#[test]
fn removing_a_piece_frees_a_place_also_during_a_debate() {
    let mut world = World::born();
    for number in 1..=KNOWLEDGE_SLOTS {
        world.learn(&format!("k{number}")).unwrap();
    }
    world.seat("d1");
    let id = world.state.knowledge()[3].id.clone();
    world.tell(DebaterCommand::RemoveKnowledge { id: id.clone() }).unwrap();
    world.learn("again").unwrap();
    assert_eq!(world.state.knowledge().len(), KNOWLEDGE_SLOTS);
    assert_eq!(world.tell(DebaterCommand::RemoveKnowledge { id }), Err(DebaterRefusal::KnowledgeUnknown));
}

/// Editing takes no place and changes no date.
#[test]
fn a_piece_can_be_edited_when_all_places_are_taken() {
    let mut world = World::born();
    for number in 1..=KNOWLEDGE_SLOTS {
        world.learn(&format!("k{number}")).unwrap();
    }
    let old = world.state.knowledge()[5].clone();
    let edit = |title: &str| DebaterCommand::EditKnowledge {
        id: old.id.clone(),
        title: title.to_owned(),
        content: "別の中身".to_owned(),
    };
    world.tell(edit("別の題")).unwrap();
    let new = &world.state.knowledge()[5];
    assert_eq!((new.title.as_str(), new.created_at), ("別の題", old.created_at));
    assert_eq!(world.tell(edit("別の題")).unwrap(), [], "a second click does no harm");
    assert!(matches!(world.tell(edit(&"題".repeat(31))), Err(DebaterRefusal::Text(_))));
}

/// DEL-11, DEL-12, DEL-C16
#[test]
fn lengths_are_counted_in_what_a_person_sees() {
    let family = "👨‍👩‍👧‍👦";
    let mut world = World::born();
    world.tell(add(&family.repeat(20), &family.repeat(240))).unwrap();
    world.tell(add(&"題".repeat(30), &"文".repeat(500))).unwrap();
    world.tell(add(&format!("  {}\n", "題".repeat(30)), "x")).unwrap();
    for (title, content) in [("題".repeat(31), "文".repeat(5)), ("題".to_owned(), "文".repeat(501))] {
        assert!(matches!(world.tell(add(&title, &content)), Err(DebaterRefusal::Text(_))), "{title}");
    }
    for blank in ["", " \t\n", "\u{3000}\u{200b}"] {
        assert!(matches!(world.tell(add(blank, "x")), Err(DebaterRefusal::Text(_))), "{blank:?}");
        assert!(matches!(world.tell(add("x", blank)), Err(DebaterRefusal::Text(_))), "{blank:?}");
    }
}

/// DEL-C9
#[test]
fn a_title_is_one_line() {
    let mut world = World::born();
    world.tell(add("表\n## 熟議のルール", "x")).unwrap();
    assert_eq!(titles(&world), ["表 ## 熟議のルール"]);
}

/// DEL-33
#[test]
fn nobody_but_the_owner_teaches_a_debater() {
    let mut world = World::born();
    assert_eq!(world.by(bob(), add("a", "b")), Err(DebaterRefusal::Common(CommonRefusal::NotYourPart)));
    assert_eq!(world.by(super::world::topic(), add("a", "b")), Err(DebaterRefusal::Common(CommonRefusal::NotAPerson)));
}
