//! A patch over several files: all of it or nothing, and each operation after the other.

use enza_work::Fault;

use crate::patch::{change, does_not_apply, moved, patched};

fn enveloped(sections: &str) -> String {
    format!("*** Begin Patch\n{sections}*** End Patch\n")
}

#[test]
fn a_path_named_twice_composes() {
    let patch = enveloped(
        "*** Update File: a\n-1\n+2\n*** Add File: b\n+x\n*** Update File: a\n-2\n+3\n*** Update File: b\n x\n+y\n",
    );
    let changes = vec![change("a", Some("1\n"), Some("3\n")), change("b", None, Some("x\ny\n"))];
    assert_eq!(patched(&[("a", "1\n")], &patch), Ok(changes));
}

#[test]
fn a_file_that_moves_twice_has_moved_once() {
    let patch = enveloped("*** Update File: a\n*** Move to: b\n-1\n+2\n*** Update File: b\n*** Move to: c\n-2\n+3\n");
    assert_eq!(patched(&[("a", "1\n")], &patch), Ok(vec![moved("a", "c", "1\n", "3\n")]));
}

#[test]
fn two_files_that_change_places_are_two_changes_in_place() {
    let patch = enveloped(
        "*** Update File: a\n*** Move to: t\n*** Update File: b\n*** Move to: a\n*** Update File: t\n*** Move to: b\n",
    );
    let changes = vec![change("a", Some("1\n"), Some("2\n")), change("b", Some("2\n"), Some("1\n"))];
    assert_eq!(patched(&[("a", "1\n"), ("b", "2\n")], &patch), Ok(changes));
}

#[test]
fn a_file_that_leaves_and_is_written_anew_is_no_move() {
    let patch = enveloped("*** Update File: a\n*** Move to: b\n*** Add File: a\n+new\n");
    let changes = vec![change("a", Some("1\n"), Some("new\n")), change("b", None, Some("1\n"))];
    assert_eq!(patched(&[("a", "1\n")], &patch), Ok(changes));
}

#[test]
fn a_file_that_goes_and_comes_again_is_changed() {
    let patch = enveloped("*** Delete File: a\n*** Add File: a\n+2\n");
    assert_eq!(patched(&[("a", "1\n")], &patch), Ok(vec![change("a", Some("1\n"), Some("2\n"))]));
}

#[test]
fn what_comes_to_nothing_is_no_change() {
    let patch =
        enveloped("*** Add File: b\n+x\n*** Delete File: b\n*** Update File: a\n-1\n+2\n*** Update File: a\n-2\n+1\n");
    assert_eq!(patched(&[("a", "1\n")], &patch), Ok(vec![]));
}

#[test]
fn nothing_is_written_over() {
    let files = [("a", "1\n"), ("b", "2\n"), ("empty", "")];
    let exists = |path: &str| Err(Fault::Exists { path: path.to_owned() });
    assert_eq!(patched(&files, &enveloped("*** Add File: a\n+2\n")), exists("a"));
    assert_eq!(patched(&files, &enveloped("*** Update File: a\n*** Move to: b\n")), exists("b"));
    let filled = vec![change("empty", Some(""), Some("2\n"))];
    assert_eq!(patched(&files, &enveloped("*** Add File: empty\n+2\n")), Ok(filled));
}

#[test]
fn what_is_not_there_is_missing() {
    let missing = Err(Fault::Missing { path: "a".to_owned() });
    assert_eq!(patched(&[], &enveloped("*** Update File: a\n-1\n+2\n")), missing);
    assert_eq!(patched(&[], &enveloped("*** Delete File: a\n")), missing);
    assert_eq!(patched(&[], &enveloped("*** Update File: a\n*** Move to: b\n")), missing);
    let gone = enveloped("*** Delete File: a\n*** Update File: a\n-1\n+2\n");
    assert_eq!(patched(&[("a", "1\n")], &gone), missing, "an operation sees what the one before it did");
}

#[test]
fn the_piece_that_does_not_fit_is_named_by_its_number() {
    let patch = enveloped("*** Update File: a.txt\n@@\n-1\n+2\n@@\n-five\n+six\n");
    let why = "These lines are not in the file. Nothing in the file is like them.";
    assert_eq!(patched(&[("a.txt", "1\n3\n")], &patch), Err(does_not_apply(2, why)));
}
