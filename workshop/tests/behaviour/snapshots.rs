//! What a command changes is seen, can be taken back, and is found without reading everything again.

use std::fs;
use std::time::{Duration, SystemTime};

use enza_work::Change;
use enza_workshop::files::{Limits, Snapshot};

use crate::behaviour::project::TestProject;

/// An hour from now, when everything that is written now is clearly old.
fn later() -> SystemTime {
    SystemTime::now() + Duration::from_secs(3600)
}

#[test]
fn what_a_command_does_is_seen_and_taken_back() {
    let yard = TestProject::with(&[
        (".gitignore", "target/\n"),
        ("keep.txt", "keep"),
        ("change.txt", "before"),
        ("d/gone.txt", "gone"),
        ("target/x", "x"),
    ]);
    let before = yard.tree();
    let snapshot = Snapshot::take(&yard.reach(), &yard.store, Limits::default(), SystemTime::now()).unwrap();
    yard.write("change.txt", "after!");
    fs::remove_dir_all(yard.work.join("d")).unwrap();
    yard.write("new/deep/n.txt", "new");
    yard.write("target/x", "built");
    let since = snapshot.changes_since(&yard.reach(), &yard.store, Limits::default(), SystemTime::now()).unwrap();
    let told: Vec<_> = since.changes.iter().map(|change| (change.path.as_str(), change.folders)).collect();
    assert_eq!(told, [("change.txt", 0), ("d/gone.txt", 1), ("new/deep/n.txt", 2)]);
    assert_eq!((since.unseen, since.cut), (vec![], false));
    assert_eq!(yard.restore(&since.changes).kept, []);
    yard.write("target/x", "x");
    assert_eq!(yard.tree(), before);
}

#[test]
fn a_change_within_one_tick_of_the_clock_and_of_the_same_length_is_seen() {
    let yard = TestProject::with(&[("a.txt", "aaa")]);
    for round in 0..20 {
        let snapshot = Snapshot::take(&yard.reach(), &yard.store, Limits::default(), SystemTime::now()).unwrap();
        yard.write("a.txt", format!("{round:03}"));
        let since = snapshot.changes_since(&yard.reach(), &yard.store, Limits::default(), SystemTime::now()).unwrap();
        assert_eq!(since.changes.len(), 1, "round {round}");
    }
}

#[test]
fn what_was_too_large_or_too_much_is_named() {
    let yard =
        TestProject::with(&[("a.txt", "small"), ("b.txt", &"x".repeat(100)), ("c.txt", "small"), ("d.txt", "more")]);
    let limits = Limits { file: 50, all: 10, ..Limits::default() };
    let snapshot = Snapshot::take(&yard.reach(), &yard.store, limits, SystemTime::now()).unwrap();
    assert_eq!(snapshot.unseen, ["b.txt", "d.txt"]);
    yard.write("b.txt", "now small");
    let since =
        snapshot.changes_since(&yard.reach(), &yard.store, Limits { all: 1000, ..limits }, SystemTime::now()).unwrap();
    assert_eq!((since.changes, since.unseen), (vec![], vec!["b.txt".to_owned(), "d.txt".to_owned()]));
    let few = Limits { entries: 2, ..Limits::default() };
    let snapshot = Snapshot::take(&yard.reach(), &yard.store, few, SystemTime::now()).unwrap();
    assert!(snapshot.cut);
    fs::remove_file(yard.work.join("a.txt")).unwrap();
    let since = snapshot.changes_since(&yard.reach(), &yard.store, few, SystemTime::now()).unwrap();
    // Where not everything was seen, what is missing may only not have been reached.
    assert_eq!((since.changes, since.cut), (vec![], true));
}

/// A large file that lies about is not told of after every command; one that was touched is.
#[test]
fn of_what_is_too_large_only_what_may_have_changed_is_named() {
    let yard = TestProject::with(&[("a.bin", &"x".repeat(100)), ("b.bin", &"x".repeat(100))]);
    let limits = Limits { file: 50, ..Limits::default() };
    let snapshot = Snapshot::take(&yard.reach(), &yard.store, limits, later()).unwrap();
    assert_eq!(snapshot.unseen, ["a.bin", "b.bin"]);
    yard.write("b.bin", "y".repeat(200));
    yard.write("c.bin", "z".repeat(200));
    let since = snapshot.changes_since(&yard.reach(), &yard.store, limits, later()).unwrap();
    assert_eq!(since.unseen, ["b.bin", "c.bin"]);
}

#[test]
fn a_second_look_reads_only_what_has_changed() {
    let yard = TestProject::with(&[]);
    for number in 0..500 {
        yard.write(&format!("d{}/f{number}.txt", number % 10), format!("file {number}"));
    }
    let look = |at: SystemTime| Snapshot::take(&yard.reach(), &yard.store, Limits::default(), at).unwrap().read;
    // What is young at the time of a look is not believed at the next one.
    assert_eq!([look(SystemTime::now()), look(later())], [500, 500]);
    assert_eq!(look(later()), 0);
    yard.write("d1/f1.txt", "changed");
    assert_eq!([look(later()), look(later())], [1, 0]);
}

/// What the project ignores is what it ignored at the first look.
#[test]
fn a_command_that_changes_the_list_of_ignored_files_hides_and_uncovers_nothing() {
    let yard = TestProject::with(&[
        (".gitignore", "mine.cfg\n"),
        ("src/a.rs", "a\n"),
        ("src/b/c.rs", "c\n"),
        ("mine.cfg", "m\n"),
    ]);
    let before = yard.tree();
    let look = || Snapshot::take(&yard.reach(), &yard.store, Limits::default(), SystemTime::now()).unwrap();
    let since = |snapshot: &Snapshot| {
        snapshot.changes_since(&yard.reach(), &yard.store, Limits::default(), SystemTime::now()).unwrap().changes
    };
    let paths = |changes: &[Change]| changes.iter().map(|change| change.path.clone()).collect::<Vec<_>>();
    let snapshot = look();
    yard.write(".gitignore", "src/\n");
    yard.write("src/a.rs", "a\nx\n");
    let changes = since(&snapshot);
    assert_eq!(paths(&changes), [".gitignore", "src/a.rs"]);
    assert_eq!((yard.restore(&changes).kept, yard.tree()), (vec![], before));
    // One that is deleted is missed all the same.
    let snapshot = look();
    yard.write(".gitignore", "src/\n");
    fs::remove_file(yard.work.join("src/b/c.rs")).unwrap();
    assert_eq!(paths(&since(&snapshot)), [".gitignore", "src/b/c.rs"]);
}
