//! Changes are taken back where files are as they left them; what a person changed since is never touched.

use std::collections::BTreeMap;
use std::fs;

use enza_work::{Change, NotRestored, Proposal, RestoreResult};
use proptest::prelude::*;

use crate::behaviour::project::{TestProject, Tree, delete, put, rename};

#[test]
fn what_was_changed_since_is_kept_and_the_rest_is_taken_back() {
    let yard = TestProject::with(&[("a.txt", "a\n"), ("b.txt", "b\n"), ("c.txt", "c\n"), ("d.txt", "d\n")]);
    let changes = yard.changes(&[put("a.txt", "A\n"), put("b.txt", "B\n"), rename("c.txt", "cc.txt"), delete("d.txt")]);
    yard.make(&changes).unwrap();
    yard.write("b.txt", "by hand\n");
    yard.write("cc.txt", "by hand\n");
    yard.write("d.txt", "by hand\n");
    let kept = ["d.txt", "c.txt", "b.txt"].map(|path| (path.to_owned(), NotRestored::ChangedSince)).to_vec();
    let expected = RestoreResult { restored: vec!["a.txt".to_owned()], kept, ..RestoreResult::default() };
    assert_eq!(yard.restore(&changes), expected);
    let names: Vec<String> = yard.tree().into_keys().collect();
    assert_eq!(names, ["a.txt", "b.txt", "cc.txt", "d.txt"]);
    assert_eq!((yard.text("a.txt").as_str(), yard.text("d.txt").as_str()), ("a\n", "by hand\n"));
    assert_eq!(yard.restore(&changes), expected);
}

#[test]
fn what_is_no_longer_kept_cannot_come_back_and_is_said_to_be_forgotten() {
    let yard = TestProject::with(&[("a.txt", "a\n")]);
    let changes = yard.changes(&[put("a.txt", "A\n")]);
    yard.make(&changes).unwrap();
    let hex = changes[0].before.unwrap().to_string();
    let object = yard.top.join("store/objects").join(&hex[..2]).join(&hex[2..]);
    for damage in ["spoiled", ""] {
        // Damaged first, then not there at all: the damaged one was removed.
        if !damage.is_empty() {
            fs::write(&object, damage).unwrap();
        }
        let kept = vec![("a.txt".to_owned(), NotRestored::Forgotten)];
        let forgotten = RestoreResult { kept, ..RestoreResult::default() };
        assert_eq!(yard.restore(&changes), forgotten);
        assert_eq!((yard.text("a.txt").as_str(), object.exists()), ("A\n", false));
    }
}

#[test]
fn folders_that_came_with_a_file_go_with_it_unless_someone_uses_them() {
    let yard = TestProject::with(&[("old/.keep", "")]);
    fs::remove_file(yard.work.join("old/.keep")).unwrap();
    let before = yard.tree();
    let changes = yard.changes(&[put("new/deep/a.txt", "a\n"), put("new/deep/b.txt", "b\n"), put("old/c.txt", "c\n")]);
    yard.make(&changes).unwrap();
    yard.restore(&changes);
    assert_eq!(yard.tree(), before);
    yard.make(&changes).unwrap();
    yard.write("new/mine.txt", "mine\n");
    yard.restore(&changes);
    let names: Vec<String> = yard.tree().into_keys().collect();
    assert_eq!(names, ["new/", "new/mine.txt", "old/"]);
}

/// What happens in a story.
#[derive(Debug, Clone)]
enum Act {
    Propose(Vec<Proposal>),
    Edit(String, String),
    Remove(String),
    Restore(usize),
}

const NAMES: &[&str] = &["a.txt", "b.txt", "d/a.txt", "d/b.txt", "d/e/a.txt", "n/x.txt"];

fn name() -> impl Strategy<Value = String> {
    prop::sample::select(NAMES).prop_map(str::to_owned)
}

fn proposal() -> impl Strategy<Value = Proposal> {
    prop_oneof![
        4 => (name(), "[a-c]{0,3}").prop_map(|(name, text)| put(&name, &text)),
        1 => name().prop_map(|name| delete(&name)),
        1 => Just(delete("d")),
        1 => (name(), name()).prop_map(|(name, to)| rename(&name, &to)),
    ]
}

fn act() -> impl Strategy<Value = Act> {
    prop_oneof![
        4 => prop::collection::vec(proposal(), 1..4).prop_map(Act::Propose),
        2 => (name(), "[x-z]{1,3}").prop_map(|(name, text)| Act::Edit(name, format!("by hand {text}"))),
        1 => name().prop_map(Act::Remove),
        2 => (0..8usize).prop_map(Act::Restore),
    ]
}

fn files_of(tree: &Tree) -> BTreeMap<String, String> {
    tree.iter().filter(|(name, _)| !name.ends_with('/')).map(|(name, held)| (name.clone(), held.clone())).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(120))]

    #[test]
    fn without_a_hand_in_between_taking_back_is_the_opposite_of_making(
        rows in prop::collection::vec(prop::collection::vec(proposal(), 1..5), 1..4),
    ) {
        let yard = TestProject::with(&[("a.txt", "a"), ("d/a.txt", "da"), ("d/e/a.txt", "dea"), ("empty/x", "")]);
        fs::remove_file(yard.work.join("empty/x")).unwrap();
        let before = yard.tree();
        let mut made: Vec<Change> = Vec::new();
        let mut stages = vec![];
        for row in &rows {
            if let Ok(prepared) = yard.prepare(row) {
                let changes: Vec<Change> = prepared.into_iter().map(|prepared| prepared.change).collect();
                stages.push((yard.tree(), changes.clone()));
                prop_assert_eq!(yard.make(&changes), Ok(changes.clone()));
                made.extend(changes);
            }
        }
        for (tree, changes) in stages.iter().rev() {
            let restored = yard.restore(changes);
            prop_assert_eq!(restored.kept, vec![]);
            prop_assert_eq!(&yard.tree(), tree);
        }
        prop_assert_eq!(yard.tree(), before);
    }

    #[test]
    fn what_a_person_wrote_survives_whatever_is_made_and_taken_back(acts in prop::collection::vec(act(), 1..14)) {
        let yard = TestProject::with(&[("a.txt", "a"), ("d/a.txt", "da"), ("d/e/a.txt", "dea")]);
        let mut made: Vec<Vec<Change>> = Vec::new();
        // What a person wrote and nobody has since been asked to change on top of.
        let mut hand: BTreeMap<String, Option<String>> = BTreeMap::new();
        for act in acts {
            match act {
                Act::Propose(proposals) => {
                    let Ok(prepared) = yard.prepare(&proposals) else { continue };
                    let changes: Vec<Change> = prepared.into_iter().map(|prepared| prepared.change).collect();
                    if yard.make(&changes).is_ok() {
                        // A change that was prepared on what the person wrote was shown as such.
                        for change in &changes {
                            hand.remove(&change.path);
                            change.to.as_ref().map(|to| hand.remove(to));
                        }
                        made.push(changes);
                    }
                }
                Act::Edit(name, text) => {
                    yard.write(&name, &text);
                    hand.insert(name, Some(format!("644 {text}")));
                }
                Act::Remove(name) => {
                    if fs::remove_file(yard.work.join(&name)).is_ok() {
                        hand.insert(name, None);
                    }
                }
                Act::Restore(number) => {
                    if let Some(changes) = made.get(number) {
                        yard.restore(changes);
                    }
                }
            }
            let files = files_of(&yard.tree());
            for (name, text) in hand.iter().filter(|(_, text)| text.is_some()) {
                prop_assert_eq!(files.get(name), text.as_ref(), "{}", name);
            }
        }
    }
}
