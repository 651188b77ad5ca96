//! Replacement edits: once, wherever it stands, or not at all; and lines at the end.

use enza_work::{Fault, Replacement};
use enza_workshop::patch::{append, edit};

use crate::patch::does_not_apply;

fn edited(text: &str, replacements: &[(&str, &str)]) -> Result<String, Fault> {
    let replacement = |(old, new): &(&str, &str)| Replacement { old: (*old).into(), new: (*new).into(), all: false };
    edit("a.txt", text, &replacements.iter().map(replacement).collect::<Vec<_>>())
}

#[test]
fn each_edit_sees_what_the_ones_before_it_did() {
    assert_eq!(edited("one two", &[("one", "three"), ("three two", "done")]), Ok("done".to_owned()));
}

#[test]
fn what_is_not_there_is_answered_with_the_nearest_lines() {
    let text = "use std::fs;\n\nfn greet(name: &str) {\n    println(\"hello {name}\");\n}\n";
    let why = "The text is not in the file. The nearest that are there:\n\
               3: fn greet(name: &str) {\n4:     println(\"hello {name}\");";
    let sought = "fn greet(name: String) {\n  println(\"hello\");\n";
    assert_eq!(edited(text, &[("use", "pub use"), (sought, "")]), Err(does_not_apply(2, why)));
}

#[test]
fn what_is_like_nothing_in_the_file_is_said_to_be_so() {
    let why = "The text is not in the file. Nothing in the file is like them.";
    assert_eq!(edited("りんご\nみかん\n", &[("zebra crossing", "")]), Err(does_not_apply(1, why)));
    assert_eq!(edited("", &[("a", "")]), Err(does_not_apply(1, "The text is not in the file. The file is empty.")));
}

#[test]
fn what_is_there_several_times_is_answered_with_their_lines() {
    let why = "It fits 3 places equally well: lines 1, 3, 3. Add lines around it until only one fits. Or set all to true to \
               replace every one of them.";
    assert_eq!(edited("x = 1\ny = 2\nx = 1; x = 1\n", &[("x = 1", "x = 2")]), Err(does_not_apply(1, why)));
}

#[test]
fn places_that_overlap_are_two_places() {
    let why = "It fits 2 places equally well: lines 1, 1. Add lines around it until only one fits. Or set all to true to \
               replace every one of them.";
    assert_eq!(edited("aaa", &[("aa", "b")]), Err(does_not_apply(1, why)));
}

#[test]
fn with_all_every_place_gives_way_and_none_is_a_fault_still() {
    let every = |text: &str, old: &str, new: &str| {
        edit("a.txt", text, &[Replacement { old: old.into(), new: new.into(), all: true }])
    };
    assert_eq!(every("calc(calc)\r\ncalc\r\n", "calc", "a\nb"), Ok("a\r\nb(a\r\nb)\r\na\r\nb\r\n".to_owned()));
    assert_eq!(every("one", "one", "two"), Ok("two".to_owned()));
    assert_eq!(every("aaa", "aa", "b"), Ok("ba".to_owned()), "a place inside another is part of it");
    assert!(every("a", "b", "c").is_err());
}

#[test]
fn what_is_appended_stands_on_lines_of_its_own_that_end_as_the_others_do() {
    assert_eq!(append("a\n", "b\nc"), "a\nb\nc\n");
    assert_eq!(append("a", "b\n"), "a\nb\n");
    assert_eq!(append("a\r\nb", "c\nd"), "a\r\nb\r\nc\r\nd\r\n");
    assert_eq!((append("", "a"), append("a\n", "")), ("a\n".to_owned(), "a\n".to_owned()));
}

#[test]
fn the_endings_of_the_file_win() {
    assert_eq!(edited("a\r\nb\r\nc\r\n", &[("a\nb\n", "x\ny\nz\n")]), Ok("x\r\ny\r\nz\r\nc\r\n".to_owned()));
    assert_eq!(edited("a\r\nb", &[("b", "c\nd")]), Ok("a\r\nc\r\nd".to_owned()));
    assert_eq!(edited("a\nb\n", &[("a\r\nb", "x\r\ny")]), Ok("x\ny\n".to_owned()));
}

#[test]
fn nothing_can_be_replaced_only_in_an_empty_file() {
    let why = "The text to replace is empty, and the file is not.";
    assert_eq!(edited("a", &[("", "b")]), Err(does_not_apply(1, why)));
    assert_eq!(edited("", &[("", "b\n")]), Ok("b\n".to_owned()));
}

#[test]
fn a_file_whose_lines_end_with_a_lone_return_keeps_them() {
    assert_eq!(edited("a\rb\rc\r", &[("a\nb", "x\ny\nz")]), Ok("x\ry\rz\rc\r".to_owned()));
    assert_eq!(edited("a\rb\r", &[("a\rb", "x")]), Ok("x\r".to_owned()));
    assert_eq!(append("a\rb", "c\nd"), "a\rb\rc\rd\r");
}
