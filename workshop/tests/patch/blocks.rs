//! SEARCH/REPLACE blocks as models write them.

use enza_workshop::patch::{Operation, read};

use crate::patch::{change, does_not_apply, patched, patched_text, unreadable};

fn block(search: &str, replace: &str) -> String {
    format!("<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n")
}

#[test]
fn the_file_is_found_however_it_is_named() {
    let block = block("b\n", "B\n");
    let ways = [
        format!("a.txt\n{block}"),
        format!("a.txt\n```\n{block}```\n"),
        format!("```text\na.txt\n{block}```\n"),
        format!("```text a.txt\n{block}```\n"),
        format!("```text:a.txt\n{block}```\n"),
        format!("```text title=\"a.txt\"\n{block}```\n"),
        format!("**a.txt**\n\n```\n{block}```\n"),
        format!("### `a.txt`:\n```\n{block}```\n"),
        format!("### File: a.txt\n```\n{block}```\n"),
        format!("./a.txt:\n{block}"),
        format!("Here is the change to `a.txt`, as you asked:\n\n{block}\nThat is all.\n"),
        format!("`a.txt` を次のように直します。\n```\n{block}```\n"),
        block.replace("SEARCH", "SEARCH a.txt"),
        format!("a.txt\n{}", block.replace('\n', "\r\n")),
    ];
    for way in ways {
        assert_eq!(patched_text("a\nb\nc\n", &way), Ok("a\nB\nc\n".to_owned()), "{way}");
    }
}

#[test]
fn a_file_without_an_ending_in_its_name_is_found() {
    let patch = format!("Makefile\n```make\n{}```\n", block("all:\n", "all: build\n"));
    assert_eq!(
        patched(&[("Makefile", "all:\n")], &patch),
        Ok(vec![change("Makefile", Some("all:\n"), Some("all: build\n"))])
    );
}

#[test]
fn a_block_without_a_name_goes_on_with_the_file_before() {
    let patch = format!("a.txt\n{}次に、こう変えます。\n{}", block("a\n", "A\n"), block("c\n", "C\n"));
    assert_eq!(patched_text("a\nb\nc\n", &patch), Ok("A\nb\nC\n".to_owned()));
}

#[test]
fn a_block_that_no_file_is_named_for_is_unreadable() {
    let why = "No file is named on the line before the block.";
    assert_eq!(read(&format!("Do this:\n{}", block("a\n", "b\n"))), Err(unreadable(2, why)));
}

#[test]
fn nothing_to_search_for_means_a_new_file() {
    let create = Operation::Create { path: "src/new.py".to_owned(), text: "x = 1\n".to_owned() };
    assert_eq!(read(&format!("src/new.py\n{}", block("", "x = 1\n"))).unwrap().operations, vec![create]);
    let blank = format!("src/new.py\n{}", block("\n", "x = 1\n"));
    assert_eq!(patched(&[], &blank), Ok(vec![change("src/new.py", None, Some("x = 1\n"))]));
}

#[test]
fn blocks_may_come_in_any_order_and_see_each_other() {
    let patch = format!("a.txt\n{}{}{}", block("c\n", "C\n"), block("a\n", ""), block("b\nC\n", "D\n"));
    assert_eq!(patched_text("a\nb\nc\n", &patch), Ok("D\n".to_owned()));
}

#[test]
fn lines_that_stay_keep_the_space_and_the_endings_of_the_file() {
    let patch = format!("a.txt\n{}", block("a\nb\n", "a\nx\nb\n"));
    assert_eq!(patched_text("a  \r\nb\t\r\nc\r\n", &patch), Ok("a  \r\nx\r\nb\t\r\nc\r\n".to_owned()));
}

#[test]
fn lines_that_stand_at_two_places_are_changed_at_neither() {
    let why = "It fits 2 places equally well: lines 1, 3. Add lines around it until only one fits.";
    let patch = format!("a.txt\n{}", block("a\n", "b\n"));
    assert_eq!(patched_text("a\nc\na\n", &patch), Err(does_not_apply(1, why)));
}

#[test]
fn another_indentation_is_not_guessed_but_shown() {
    let why = "These lines are not in the file. The nearest that are there:\n2:     return 1";
    let patch = format!("a.txt\n{}", block("return 1\n", "return 2\n"));
    assert_eq!(patched_text("def f():\n    return 1\n", &patch), Err(does_not_apply(1, why)));
}

#[test]
fn a_block_that_is_cut_short_or_torn_is_unreadable() {
    let unclosed = "The block is not closed by >>>>>>> REPLACE. It may be cut short.";
    assert_eq!(read("a.txt\n<<<<<<< SEARCH\na\n=======\nb\n"), Err(unreadable(2, unclosed)));
    let undivided = "No ======= stands between SEARCH and REPLACE.";
    assert_eq!(
        read(&format!("a.txt\n<<<<<<< SEARCH\na\n>>>>>>> REPLACE\n{}", block("a\n", "b\n"))),
        Err(unreadable(4, undivided))
    );
    let second = "A second mark stands inside this block, so its sides cannot be told apart.";
    assert_eq!(read(&format!("a.txt\n{}", block("Title\n=======\n", "b\n"))), Err(unreadable(5, second)));
    let same = "Both sides of the block are the same.";
    assert_eq!(read(&format!("a.txt\n{}", block("a\n", "a\n"))), Err(unreadable(2, same)));
}
