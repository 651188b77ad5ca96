//! Changes are made all or none, and never over what someone has changed since.

use std::fs::{self, Permissions};
use std::os::unix::fs::PermissionsExt;

use enza_kernel::conversation::Digest;
use enza_work::{Change, Fault, Finding};
use enza_workshop::store::Store;

use crate::behaviour::project::{TestProject, delete, put, rename};

#[test]
fn changes_are_made_and_making_them_again_changes_nothing() {
    let yard = TestProject::with(&[("a.txt", "a\n"), ("b.txt", "b\n"), ("c.txt", "c\n"), ("d/e/f.txt", "f\n")]);
    let changes = yard.changes(&[put("a.txt", "A\n"), delete("b.txt"), rename("c.txt", "n/m/c.txt"), delete("d")]);
    assert_eq!(yard.make(&changes), Ok(changes.clone()));
    let made = yard.tree();
    let names: Vec<&str> = made.keys().map(String::as_str).collect();
    assert_eq!(names, ["a.txt", "n/", "n/m/", "n/m/c.txt"]);
    assert_eq!((yard.text("a.txt").as_str(), yard.text("n/m/c.txt").as_str()), ("A\n", "c\n"));
    assert_eq!(yard.make(&changes), Ok(changes));
    assert_eq!(yard.tree(), made);
}

#[test]
fn when_one_file_has_changed_since_nothing_is_touched() {
    let edits: [fn(&TestProject); 5] = [
        |yard| yard.write("b.txt", "by hand\n"),
        |yard| fs::remove_file(yard.work.join("b.txt")).unwrap(),
        |yard| yard.write("new.txt", "by hand\n"),
        |yard| {
            fs::remove_file(yard.work.join("b.txt")).unwrap();
            yard.link("a.txt", "b.txt");
        },
        |yard| {
            fs::remove_file(yard.work.join("b.txt")).unwrap();
            fs::create_dir(yard.work.join("b.txt")).unwrap();
        },
    ];
    for (number, by_hand) in edits.into_iter().enumerate() {
        let yard = TestProject::with(&[("a.txt", "a\n"), ("b.txt", "b\n")]);
        let changes = yard.changes(&[put("a.txt", "A\n"), put("b.txt", "B\n"), put("new.txt", "new\n")]);
        by_hand(&yard);
        let before = yard.tree();
        let path = if number == 2 { "new.txt" } else { "b.txt" }.to_owned();
        assert_eq!(yard.make(&changes), Err(Fault::Changed { path }));
        assert_eq!(yard.tree(), before);
    }
}

#[test]
fn permissions_stay_as_they_are() {
    let yard = TestProject::with(&[("tool.py", "a\n"), ("own.txt", "a\n")]);
    fs::set_permissions(yard.work.join("tool.py"), Permissions::from_mode(0o755)).unwrap();
    fs::set_permissions(yard.work.join("own.txt"), Permissions::from_mode(0o600)).unwrap();
    let before = yard.tree();
    let changes = yard.changes(&[put("tool.py", "b\n"), rename("own.txt", "moved.txt")]);
    yard.make(&changes).unwrap();
    assert_eq!(yard.tree()["tool.py"], "755 b\n");
    assert_eq!(yard.tree()["moved.txt"], "600 a\n");
    yard.restore(&changes);
    assert_eq!(yard.tree(), before);
    let changes = yard.changes(&[delete("own.txt")]);
    yard.make(&changes).unwrap();
    yard.restore(&changes);
    assert_eq!(yard.tree(), before);
}

#[test]
fn when_a_later_change_fails_the_earlier_ones_are_taken_back() {
    let yard = TestProject::with(&[("a.txt", "a\n"), ("gone/b.txt", "b\n")]);
    let mut changes = yard.changes(&[put("a.txt", "A\n"), delete("gone"), put("new/c.txt", "c\n")]);
    // A file cannot be made in a file; and at the time of the check there is none yet.
    changes.push(Change { path: "new/c.txt/d.txt".to_owned(), ..changes[2].clone() });
    let before = yard.tree();
    assert_eq!(yard.make(&changes), Err(Fault::Changed { path: "new/c.txt/d.txt".to_owned() }));
    assert_eq!(yard.tree(), before);
}

#[test]
fn what_is_no_longer_kept_is_not_made() {
    let yard = TestProject::with(&[("a.txt", "a\n")]);
    let mut changes = yard.changes(&[put("a.txt", "A\n"), put("b.txt", "b\n")]);
    let before = yard.tree();
    changes[1].after = Some(Digest::of(b"never kept"));
    assert_eq!(yard.make(&changes), Err(Fault::Forgotten { path: "b.txt".to_owned() }));
    assert_eq!(yard.tree(), before);
}

/// G26: a file over the limit is asked about; what a person has approved is made.
#[test]
fn a_large_file_that_was_shown_as_such_is_made() {
    let mut yard = TestProject::with(&[("a.txt", "a\n")]);
    yard.bounds.write = 5;
    let prepared = yard.prepare(&[put("a.txt", "much too long\n")]).unwrap();
    assert_eq!(prepared[0].findings, [Finding::Large { bytes: 14 }]);
    yard.make(&[prepared[0].change.clone()]).unwrap();
    assert_eq!(yard.text("a.txt"), "much too long\n");
}

/// What could not be kept with everything else cannot be taken back, and so nobody is asked about it.
#[test]
fn more_than_the_store_can_keep_at_once_is_not_prepared() {
    let large = "x".repeat(300);
    let mut yard = TestProject::with(&[("d/a.txt", &large), ("d/b.txt", &large), ("e.txt", &large)]);
    yard.store = Store::open(&yard.top.join("small"), 1000).unwrap();
    let before = yard.tree();
    let too_large = |path: &str, bytes| Err(Fault::TooLarge { path: path.to_owned(), bytes, most: 500 });
    assert_eq!(yard.prepare(&[delete("d")]), too_large("d", 600));
    assert_eq!(yard.prepare(&[put("new.txt", &"y".repeat(501))]), too_large("new.txt", 501));
    assert_eq!(yard.prepare(&[delete("e.txt"), put("new.txt", &"y".repeat(201))]), too_large("new.txt", 501));
    let changes = yard.changes(&[delete("d/a.txt"), put("new.txt", &"y".repeat(200))]);
    yard.make(&changes).unwrap();
    yard.restore(&changes);
    assert_eq!(yard.tree(), before);
}

/// What a file holds now must still be kept when it goes, or it could not be brought back.
#[test]
fn a_file_whose_content_is_no_longer_kept_is_not_deleted() {
    let yard = TestProject::with(&[("d/a.txt", "a\n"), ("d/b.txt", "b\n")]);
    let before = yard.tree();
    let changes = yard.changes(&[delete("d")]);
    let digest = Digest::of(b"b\n").to_string();
    fs::remove_file(yard.top.join("store/objects").join(&digest[..2]).join(&digest[2..])).unwrap();
    assert_eq!(yard.make(&changes), Err(Fault::Forgotten { path: "d/b.txt".to_owned() }));
    assert_eq!(yard.tree(), before);
}

#[test]
fn a_row_of_changes_to_one_file_is_made_from_wherever_it_stands() {
    let yard = TestProject::with(&[("a.txt", "0")]);
    let mut row = Vec::new();
    for step in ["1", "2", "3"] {
        let changes = yard.changes(&[put("a.txt", step)]);
        yard.make(&changes).unwrap();
        row.extend(changes);
    }
    for start in ["0", "1", "2", "3"] {
        yard.write("a.txt", start);
        assert_eq!(yard.make(&row), Ok(row.clone()), "from {start}");
        assert_eq!(yard.text("a.txt"), "3");
        yard.write("a.txt", start);
        let restored = yard.restore(&row);
        assert_eq!((restored.kept.len(), yard.text("a.txt").as_str()), (0, "0"), "from {start}");
    }
}
