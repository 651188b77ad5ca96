//! Diffs as people read them, and hunks as they choose them.

use std::collections::BTreeSet;

use enza_workshop::patch::{Counts, DiffLine, FileChange, Hunk, choose, hunks};

use crate::patch::{change, moved};

const TWELVE: &str = "1\n2\n3\n4\n5\n6\n7\n8\n9\n10\n11\n12\n";

#[test]
fn a_hunk_has_three_lines_around_what_changes() {
    let after = TWELVE.replace("6\n", "six\nsechs\n");
    let hunk = Hunk {
        before: 2..9,
        after: 2..10,
        lines: vec![
            DiffLine::Keep("3\n".into()),
            DiffLine::Keep("4\n".into()),
            DiffLine::Keep("5\n".into()),
            DiffLine::Drop("6\n".into()),
            DiffLine::Add("six\n".into()),
            DiffLine::Add("sechs\n".into()),
            DiffLine::Keep("7\n".into()),
            DiffLine::Keep("8\n".into()),
            DiffLine::Keep("9\n".into()),
        ],
    };
    assert_eq!(hunks(TWELVE, &after), vec![hunk]);
    let diff = "--- a/a.txt\n+++ b/a.txt\n@@ -3,7 +3,8 @@\n 3\n 4\n 5\n-6\n+six\n+sechs\n 7\n 8\n 9\n";
    assert_eq!(change("a.txt", Some(TWELVE), Some(&after)).unified(), diff);
}

#[test]
fn a_missing_last_ending_is_said_on_each_side_that_lacks_it() {
    let diff = |before: &str, after: &str| change("a.txt", Some(before), Some(after)).unified();
    let header = "--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n";
    assert_eq!(diff("a", "a\n"), format!("{header}-a\n\\ No newline at end of file\n+a\n"));
    assert_eq!(diff("a\n", "a"), format!("{header}-a\n+a\n\\ No newline at end of file\n"));
    let both = format!("{header}-a\n\\ No newline at end of file\n+b\n\\ No newline at end of file\n");
    assert_eq!(diff("a", "b"), both);
}

#[test]
fn files_that_come_go_and_move_say_so() {
    let came =
        "diff --git a/n.txt b/n.txt\nnew file mode 100644\n--- /dev/null\n+++ b/n.txt\n@@ -0,0 +1,2 @@\n+x\n+y\n";
    assert_eq!(change("n.txt", None, Some("x\ny\n")).unified(), came);
    let went = "diff --git a/o b/o\ndeleted file mode 100644\n--- a/o\n+++ /dev/null\n@@ -1 +0,0 @@\n-x\n";
    assert_eq!(change("o", Some("x\n"), None).unified(), went);
    assert_eq!(change("e", None, Some("")).unified(), "diff --git a/e b/e\nnew file mode 100644\n");
    let only_moved = "diff --git a/p b/q\nrename from p\nrename to q\n";
    assert_eq!(moved("p", "q", "x\n", "x\n").unified(), only_moved);
    let moved_and_changed = format!("{only_moved}--- a/p\n+++ b/q\n@@ -1 +1 @@\n-x\n+y\n");
    assert_eq!(moved("p", "q", "x\n", "y\n").unified(), moved_and_changed);
    assert_eq!(change("same", Some("x"), Some("x")).unified(), "");
}

#[test]
fn a_name_that_could_be_misread_is_quoted() {
    let diff = change("a\"b\n設計 書.md", Some("x\n"), Some("y\n")).unified();
    let expected = "--- \"a/a\\\"b\\012設計 書.md\"\t\n+++ \"b/a\\\"b\\012設計 書.md\"\t\n@@ -1 +1 @@\n-x\n+y\n";
    assert_eq!(diff, expected);
}

#[test]
fn lines_keep_their_returns() {
    let diff = change("a.txt", Some("a\r\nb\r\n"), Some("a\r\nc\r\n")).unified();
    assert_eq!(diff, "--- a/a.txt\n+++ b/a.txt\n@@ -1,2 +1,2 @@\n a\r\n-b\r\n+c\r\n");
}

#[test]
fn lines_that_come_and_go_are_counted() {
    let change = change("a.txt", Some(TWELVE), Some(&TWELVE.replace("6\n", "six\nsechs\n").replace("12\n", "")));
    assert_eq!(change.counts(), Counts { added: 2, removed: 2 });
}

#[test]
fn each_hunk_can_be_taken_alone() {
    let after = TWELVE.replace("1\n2\n", "one\n2\n").replace("12\n", "zwölf");
    assert_eq!(hunks(TWELVE, &after).len(), 2);
    assert_eq!(choose(TWELVE, &after, &BTreeSet::from([1])), TWELVE.replace("1\n2\n", "one\n2\n"));
    assert_eq!(choose(TWELVE, &after, &BTreeSet::from([2, 9])), TWELVE.replace("12\n", "zwölf"));
}

#[test]
fn a_file_comes_or_goes_only_if_its_hunk_is_taken() {
    let (none, all) = (BTreeSet::new(), BTreeSet::from([1]));
    let came = change("n", None, Some("x\n"));
    assert_eq!((came.choose(&none), came.choose(&all)), (change("n", None, None), came));
    let went = change("o", Some("x\n"), None);
    assert_eq!((went.choose(&none), went.choose(&all)), (change("o", Some("x\n"), Some("x\n")), went));
    let empty = FileChange { ..change("e", None, Some("")) };
    assert_eq!(empty.choose(&none), empty, "there is no hunk to leave out");
}
