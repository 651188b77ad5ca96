//! The application of `docs/guides/write-an-application.md`, compiled and told as stories.
//!
//! The test below holds the guide to these files, in both languages: each piece of its code stands in them word for
//! word. Only its last piece, which wires an engine, does not: applications know no engine.

#![allow(dead_code, reason = "a guide shows more than its stories use, and explains it itself")]

mod reception;
mod stories;

/// The pieces of Rust in a text.
fn code(text: &str) -> Vec<&str> {
    text.split("```rust\n").skip(1).filter_map(|rest| rest.split("```").next()).map(str::trim_end).collect()
}

#[test]
fn the_guides_code_is_the_code_that_is_tested() {
    let tested = concat!(include_str!("reception.rs"), include_str!("stories.rs"));
    let english = code(include_str!("../../../docs/guides/write-an-application.md"));
    let japanese = code(include_str!("../../../docs/guides/write-an-application.ja.md"));
    assert_eq!(english, japanese);
    let (_wiring, pieces) = english.split_last().expect("the guide has code");
    for piece in pieces {
        assert!(tested.contains(piece), "the guide says otherwise:\n{piece}");
    }
}
