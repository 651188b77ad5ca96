//! Help, versions and wrong usage, in both languages.

use crate::house::{House, bare, finished};

#[test]
fn help_is_in_the_language_that_was_asked_for() {
    let english = finished(&mut bare(&["--help"]));
    assert_eq!(english.status, 0);
    assert!(english.out.contains("Usage: enza"), "{}", english.out);
    let japanese = finished(&mut bare(&["--lang", "ja", "session", "--help"]));
    assert!(japanese.out.contains("使い方: enza session"), "{}", japanese.out);
    assert!(japanese.out.contains("オプション:"), "{}", japanese.out);
    assert!(!japanese.out.contains("Options:"), "{}", japanese.out);
    let by_locale = finished(bare(&["--help"]).env("LC_ALL", "ja_JP.UTF-8"));
    assert!(by_locale.out.contains("コマンド:"), "{}", by_locale.out);
}

#[test]
fn no_line_of_help_is_wider_than_a_terminal() {
    for arguments in [&["--help"][..], &["interview", "run", "--help"], &["drill", "--help"], &["session", "--help"]] {
        let run = finished(&mut bare(arguments));
        let long: Vec<_> = run.out.lines().filter(|line| line.chars().count() > 80).collect();
        assert!(long.is_empty(), "{long:#?}");
    }
}

#[test]
fn a_wrong_word_gets_a_suggestion_and_status_two() {
    finished(&mut bare(&["sesion"])).failed(2, "usage-wrong", "Did you mean session?");
    finished(&mut bare(&["session", "show"])).failed(2, "usage-wrong", "enza --help");
    finished(&mut bare(&["--lang", "ja", "session", "list", "--phase", "asleep"])).failed(
        2,
        "usage-wrong",
        "enza --help",
    );
}

#[test]
fn wrong_usage_is_json_too_where_json_was_asked_for() {
    let run = finished(&mut bare(&["--json", "simulate", "--seeds", "many"]));
    assert_eq!(run.status, 2);
    assert_eq!(run.json()["error"]["code"], "usage-wrong");
}

#[test]
fn the_version_is_printed() {
    let run = House::new().enza(&["--version"]);
    assert_eq!((run.status, run.out.trim()), (0, concat!("enza ", env!("CARGO_PKG_VERSION"))));
}
