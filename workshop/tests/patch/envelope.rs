//! `*** Begin Patch` as models write it.

use enza_workshop::patch::{Anchor, DiffLine, Operation, Patch, Piece, read};

use crate::patch::{change, does_not_apply, patched, patched_text, unreadable};

const TWO_FUNCTIONS: &str = "def f():\n    x = 1\n    return x\n\ndef g():\n    x = 1\n    return x\n";

fn update(chunks: &str) -> String {
    format!("*** Begin Patch\n*** Update File: a.txt\n{chunks}*** End Patch\n")
}

#[test]
fn every_kind_of_section_is_read() {
    let text = "Sure!\n```\n*** Begin Patch\n*** Add File: n.txt\n+a\n+\n+b\n*** Update File: o.txt\n*** Move to: p.txt\n\
                @@ class A\n@@ def f\n-x\n+y\n*** End of File\n*** Delete File: q.txt\n*** End Patch\n```\nDone.\n";
    let piece = Piece {
        place: Anchor::Below(vec!["class A".into(), "def f".into()]),
        at_end: true,
        lines: vec![DiffLine::Drop("x\n".into()), DiffLine::Add("y\n".into())],
    };
    let operations = vec![
        Operation::Create { path: "n.txt".into(), text: "a\n\nb\n".into() },
        Operation::Update { path: "o.txt".into(), pieces: vec![piece] },
        Operation::Move { path: "o.txt".into(), to: "p.txt".into() },
        Operation::Delete { path: "q.txt".into() },
    ];
    assert_eq!(read(text), Ok(Patch { operations }));
}

#[test]
fn a_header_tells_two_places_apart() {
    let changed = TWO_FUNCTIONS.replacen("x = 1", "x = 2", 2).replacen("x = 2", "x = 1", 1);
    for header in ["@@ def g():", "@@ def g", "@@ def g(): @@", "@@ def g():\n def g():"] {
        let patch = update(&format!("{header}\n-    x = 1\n+    x = 2\n"));
        assert_eq!(patched_text(TWO_FUNCTIONS, &patch), Ok(changed.clone()), "{header}");
    }
}

#[test]
fn without_a_header_neither_of_two_places_is_taken() {
    let why = "It fits 2 places equally well: lines 2, 6. Add lines around it until only one fits.";
    assert_eq!(patched_text(TWO_FUNCTIONS, &update("-    x = 1\n+    x = 2\n")), Err(does_not_apply(1, why)));
}

#[test]
fn a_chunk_is_looked_for_after_the_one_before_it() {
    let patch = update("@@\n def f():\n-    x = 1\n+    x = 2\n@@\n-    x = 1\n+    x = 3\n");
    let changed = TWO_FUNCTIONS.replacen("x = 1", "x = 2", 1).replacen("x = 1", "x = 3", 1);
    assert_eq!(patched_text(TWO_FUNCTIONS, &patch), Ok(changed));
}

#[test]
fn a_header_that_is_not_there_is_said_with_the_nearest() {
    let why = "@@ names a line that is not there: def fg():. The nearest that are there:\n1: def f():";
    assert_eq!(
        patched_text(TWO_FUNCTIONS, &update("@@ def fg():\n-    x = 1\n+    x = 2\n")),
        Err(does_not_apply(1, why))
    );
}

#[test]
fn new_lines_alone_need_a_header_or_the_end() {
    assert_eq!(patched_text("a\nb\n", &update("@@ a\n+x\n")), Ok("a\nx\nb\n".to_owned()));
    assert_eq!(patched_text("a\nb\n", &update("@@\n+x\n*** End of File\n")), Ok("a\nb\nx\n".to_owned()));
    let why = "Nothing says where the new lines go. Add lines of the file around them.";
    assert_eq!(patched_text("a\nb\n", &update("@@\n+x\n")), Err(does_not_apply(1, why)));
}

#[test]
fn the_end_of_the_file_is_where_a_chunk_must_end() {
    assert_eq!(patched_text("a\nb\na\n", &update("@@\n-a\n+c\n*** End of File\n")), Ok("a\nb\nc\n".to_owned()));
    let why = "The lines are in the file, but not at its end.";
    assert_eq!(patched_text("a\nb\n", &update("@@\n-a\n+c\n*** End of File\n")), Err(does_not_apply(1, why)));
}

#[test]
fn the_numbers_of_another_form_are_understood() {
    let patch = update("@@ -6,1 +6,1 @@ def g():\n-    x = 1\n+    x = 2\n");
    let changed = TWO_FUNCTIONS.replacen("x = 1", "x = 2", 2).replacen("x = 2", "x = 1", 1);
    assert_eq!(patched_text(TWO_FUNCTIONS, &patch), Ok(changed));
}

#[test]
fn a_comment_that_goes_is_no_header_of_a_file() {
    assert_eq!(patched_text("-- a\nb\n", &update("@@\n--- a\n+++ c\n@@\n-b\n+d\n")), Ok("++ c\nd\n".to_owned()));
}

#[test]
fn a_patch_without_its_beginning_is_read_and_one_without_its_end_is_not() {
    assert_eq!(patched_text("a\n", "*** Update File: a.txt\n-a\n+b\n*** End Patch\n"), Ok("b\n".to_owned()));
    let why = "*** End Patch is missing. The patch may be cut short.";
    assert_eq!(read("*** Begin Patch\n*** Add File: a\n+x"), Err(unreadable(3, why)));
}

#[test]
fn forgotten_marks_are_unreadable() {
    let new = "Every line of a new file begins with +.";
    assert_eq!(read("*** Begin Patch\n*** Add File: a\n+x\ny\n*** End Patch\n"), Err(unreadable(4, new)));
    let old = "The line begins with neither a space nor + nor - nor @@.";
    assert_eq!(read(&update("@@\n-a\n+b\nc\n")), Err(unreadable(6, old)));
    let none = "The change has no line that begins with + or -.";
    assert_eq!(read(&update("@@\n a\n")), Err(unreadable(3, none)));
    let empty = "The file is named, but no change follows.";
    assert_eq!(read(&update("")), Err(unreadable(2, empty)));
}

#[test]
fn the_endings_of_the_file_win() {
    assert_eq!(patched_text("a\r\nb\r\n", &update("@@\n a\n-b\n+c\n+d\n")), Ok("a\r\nc\r\nd\r\n".to_owned()));
    assert_eq!(patched_text("a\r\nb", &update("@@\n a\n-b\n+c\n+d\n")), Ok("a\r\nc\r\nd".to_owned()));
}

#[test]
fn blank_lines_between_sections_belong_to_neither() {
    let text = "*** Begin Patch\n\n*** Add File: n\n+a\n\n*** Update File: a.txt\n-a\n+b\n\n*** End Patch\n";
    let changes = vec![change("n", None, Some("a\n")), change("a.txt", Some("a\n"), Some("b\n"))];
    assert_eq!(patched(&[("a.txt", "a\n")], text), Ok(changes));
}

/// A line that begins with a space may be one of the file, so an indented mark counts only where it cannot be.
#[test]
fn marks_that_are_indented_are_read_where_they_can_only_be_marks() {
    let changed = Ok("b\n".to_owned());
    for patch in [
        "*** Begin Patch\n   *** Update File: a.txt\n@@\n-a\n+b\n*** End Patch\n",
        "\t*** Begin Patch\n*** Update File: a.txt\n-a\n+b\n*** End Patch\n",
        "*** Begin Patch  \n*** Update File: a.txt\n@@\n-a\n+b\n  *** End Patch  \n",
        "*** Begin Patch\n  *** Update File: a.txt\n@@\n-a\n+b\n  *** End Patch",
        "Like this:\n\n    *** Begin Patch\n    *** Update File: a.txt\n    @@\n    -a\n    +b\n    *** End Patch\n",
    ] {
        assert_eq!(patched_text("a\n", patch), changed, "{patch}");
    }
    let both =
        "*** Begin Patch\n  *** Update File: a.txt\n@@\n-a\n+b\n  *** Update File: b.txt\n@@\n-c\n+d\n*** End Patch\n";
    let changes = vec![change("a.txt", Some("a\n"), Some("b\n")), change("b.txt", Some("c\n"), Some("d\n"))];
    assert_eq!(patched(&[("a.txt", "a\n"), ("b.txt", "c\n")], both), Ok(changes));
    let new = "*** Begin Patch\n*** Add File: n\n+x\n  *** Delete File: a.txt\n *** End Patch\n";
    let changes = vec![change("n", None, Some("x\n")), change("a.txt", Some("a\n"), None)];
    assert_eq!(patched(&[("a.txt", "a\n")], new), Ok(changes));
}

#[test]
fn a_line_of_the_file_that_looks_like_a_mark_stays_a_line_of_the_file() {
    let text = "intro\n*** End Patch\n*** Update File: x\nold\n";
    let patch = update("@@\n *** End Patch\n *** Update File: x\n-old\n+new\n");
    assert_eq!(patched_text(text, &patch), Ok(text.replace("old", "new")));
}

#[test]
fn a_patch_and_a_file_whose_lines_end_with_a_lone_return_are_read() {
    let patch = update("@@\n a\n-b\n+c\n+d\n");
    let returns = patch.replace('\n', "\r");
    assert_eq!(patched_text("a\nb\n", &returns), Ok("a\nc\nd\n".to_owned()));
    assert_eq!(patched_text("a\r\nb\r\n", &returns), Ok("a\r\nc\r\nd\r\n".to_owned()));
    for patch in [&patch, &returns] {
        assert_eq!(patched_text("a\rb\re\r", patch), Ok("a\rc\rd\re\r".to_owned()));
        assert_eq!(patched_text("a\rb", patch), Ok("a\rc\rd".to_owned()));
    }
    // One that stands in a line is a letter like any other.
    assert_eq!(patched_text("a\nb\rc\n", &update("@@\n a\n-b\rc\n+d\n")), Ok("a\nd\n".to_owned()));
}
