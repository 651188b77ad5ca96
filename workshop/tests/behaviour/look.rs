//! What is named, read and found, and what is not shown.

use enza_kernel::conversation::Digest;
use enza_work::{Fault, Listing};
use enza_workshop::files;

use crate::behaviour::project::TestProject;

#[test]
fn a_list_is_sorted_and_leaves_out_what_the_project_ignores() {
    let yard = TestProject::with(&[
        (".gitignore", "target/\n*.log\n!keep.log\n"),
        (".enzaignore", "private\n"),
        (".hidden", ""),
        (".git/config", ""),
        ("b.txt", ""),
        ("a/x.log", ""),
        ("a/keep.log", ""),
        ("a/y.txt", ""),
        ("a/.ignore", "deep.txt\n"),
        ("a/b/deep.txt", ""),
        ("a/b/shown.txt", ""),
        ("private/p.txt", ""),
        ("target/t.txt", ""),
    ]);
    let text = ".enzaignore\n.gitignore\n.hidden\na/\na/.ignore\na/b/\na/b/shown.txt\na/keep.log\na/y.txt\nb.txt\n";
    assert_eq!(files::list(&yard.reach(), "", 9), Ok(Listing { text: text.to_owned(), entries: 10, more: false }));
    assert_eq!(files::list(&yard.reach(), "", 1).unwrap().text, ".enzaignore\n.gitignore\n.hidden\na/\nb.txt\n");
    assert_eq!(files::list(&yard.reach(), "a/b", 1).unwrap().text, "a/b/shown.txt\n");
    // Someone who asks for an ignored folder by name gets it.
    assert_eq!(files::list(&yard.reach(), "target", 1).unwrap().text, "target/t.txt\n");
    assert_eq!(files::list(&yard.reach(), "b.txt", 1), Err(Fault::NotAFolder { path: "b.txt".to_owned() }));
    assert_eq!(files::list(&yard.reach(), "none", 1), Err(Fault::Missing { path: "none".to_owned() }));
}

#[test]
fn a_list_that_is_too_long_ends_on_a_line_and_says_so() {
    let mut yard = TestProject::with(&[("one.txt", ""), ("three.txt", ""), ("two\nlines.txt", "")]);
    let all = files::list(&yard.reach(), "", 1).unwrap();
    assert_eq!(all.text, "one.txt\nthree.txt\ntwo\\nlines.txt\n");
    yard.bounds.output = 20;
    let text = "one.txt\nthree.txt\n".to_owned();
    assert_eq!(files::list(&yard.reach(), "", 1), Ok(Listing { text, entries: 3, more: true }));
}

#[test]
fn a_text_is_read_page_by_page_and_no_line_is_missed() {
    let mut yard = TestProject::with(&[]);
    let text: String = (1..=100).map(|line| format!("line {line} {}\n", "x".repeat(line % 17))).collect();
    yard.write("long.txt", &text);
    yard.bounds.output = 120;
    let (mut read, mut from) = (String::new(), 1);
    loop {
        let page = files::read(&yard.reach(), "long.txt", from, 50).unwrap();
        assert!(page.text.len() <= 120 && page.text.ends_with('\n'));
        assert_eq!((page.of, page.from, page.digest), (100, from, Digest::of(text.as_bytes())));
        from += page.text.lines().count() as u32;
        read.push_str(&page.text);
        if !page.more {
            break;
        }
    }
    assert_eq!(read, text);
    let past = files::read(&yard.reach(), "long.txt", 101, 5).unwrap();
    assert_eq!((past.text.as_str(), past.more), ("", false));
}

#[test]
fn a_line_that_is_too_long_is_cut_so_that_there_is_a_way_past_it() {
    let mut yard = TestProject::with(&[]);
    yard.write("a.txt", format!("{}\nshort\n", "長".repeat(100)));
    yard.bounds.output = 50;
    let page = files::read(&yard.reach(), "a.txt", 1, 9).unwrap();
    assert!(page.text.len() <= 50 && page.text.ends_with("…\n") && page.more, "{:?}", page.text);
    assert_eq!(files::read(&yard.reach(), "a.txt", 2, 9).unwrap().text, "short\n");
}

#[test]
fn only_texts_of_a_bounded_size_are_read() {
    let mut yard = TestProject::with(&[]);
    yard.write("nul.txt", b"a\0b");
    yard.write("latin.txt", b"caf\xe9");
    yard.write("large.txt", vec![b'x'; 2000]);
    yard.bounds.read = 1000;
    for path in ["nul.txt", "latin.txt"] {
        assert_eq!(files::read(&yard.reach(), path, 1, 9), Err(Fault::NotText { path: path.to_owned() }));
    }
    let too_large = Fault::TooLarge { path: "large.txt".to_owned(), bytes: 2000, most: 1000 };
    assert_eq!(files::read(&yard.reach(), "large.txt", 1, 9), Err(too_large));
}

#[test]
fn a_file_that_holds_secrets_is_read_and_searched_only_where_that_was_granted() {
    let mut yard =
        TestProject::with(&[(".env", "MODE=plain\n"), (".env.example", "MODE=example\n"), ("sub/id_rsa", "plain\n")]);
    for path in [".env", "sub/id_rsa"] {
        assert_eq!(files::read(&yard.reach(), path, 1, 9), Err(Fault::Secret { path: path.to_owned() }));
    }
    yard.link(".env", "harmless.txt");
    assert_eq!(files::read(&yard.reach(), "harmless.txt", 1, 9), Err(Fault::Secret { path: ".env".to_owned() }));
    assert_eq!(files::search(&yard.reach(), "plain", false, "").unwrap().text, "");
    assert_eq!(files::read(&yard.reach(), ".env.example", 1, 9).unwrap().text, "MODE=example\n");
    yard.granted = vec![".env".to_owned()];
    assert_eq!(files::read(&yard.reach(), ".env", 1, 9).unwrap().text, "MODE=plain\n");
    assert_eq!(files::search(&yard.reach(), "plain", false, "").unwrap().text, ".env:1: MODE=plain\n");
}

/// Rules about reading hold by what a file is really called (section 4, item 3).
#[test]
fn what_a_rule_closes_is_neither_read_nor_found_nor_named_until_it_is_granted() {
    let mut yard = TestProject::with(&[("private/plan.md", "soon\n"), ("plan.md", "soon\n")]);
    yard.bounds.closed = vec!["private/**".to_owned()];
    yard.link("private/plan.md", "harmless.md");
    let closed = Fault::Closed { path: "private/plan.md".to_owned() };
    for path in ["private/plan.md", "harmless.md", "./private//plan.md"] {
        assert_eq!(files::read(&yard.reach(), path, 1, 9), Err(closed.clone()), "{path}");
    }
    assert_eq!(files::search(&yard.reach(), "soon", false, "").unwrap().text, "plan.md:1: soon\n");
    assert_eq!(files::list(&yard.reach(), "", 9).unwrap().text, "harmless.md\nplan.md\nprivate/\n");
    yard.granted = vec!["private/plan.md".to_owned()];
    assert_eq!(files::read(&yard.reach(), "harmless.md", 1, 9).unwrap().text, "soon\n");
}

/// A rule may name a folder by a link that leads to it.
#[test]
fn what_a_rule_closes_by_the_name_of_a_link_is_closed_on_that_way() {
    let mut yard = TestProject::with(&[("releases/1/keys.md", "soon\n"), ("plan.md", "soon\n")]);
    yard.bounds.closed = vec!["current/**".to_owned()];
    yard.link("releases/1", "current");
    yard.link("current", "newest");
    let closed = Fault::Closed { path: "releases/1/keys.md".to_owned() };
    for path in ["current/keys.md", "./current//keys.md", "newest/keys.md"] {
        assert_eq!(files::read(&yard.reach(), path, 1, 9), Err(closed.clone()), "{path}");
    }
    for path in ["current", "newest"] {
        assert_eq!(files::list(&yard.reach(), path, 9).unwrap().text, "", "{path}");
        assert_eq!(files::search(&yard.reach(), "soon", false, path).unwrap().text, "", "{path}");
    }
    yard.granted = vec!["releases/1/keys.md".to_owned()];
    assert_eq!(files::read(&yard.reach(), "current/keys.md", 1, 9).unwrap().text, "soon\n");
}

#[test]
fn what_a_rule_closes_in_a_readable_folder_outside_is_closed_too() {
    let mut yard = TestProject::with(&[]);
    let beside = yard.top.join("beside").to_str().unwrap().to_owned();
    yard.bounds.readable = vec![beside.clone()];
    yard.bounds.closed = vec![format!("{beside}/deep/**")];
    let deep = format!("{beside}/deep/two.txt");
    assert_eq!(files::read(&yard.reach(), &deep, 1, 9), Err(Fault::Closed { path: deep.clone() }));
    assert_eq!(files::list(&yard.reach(), &beside, 9).unwrap().text, format!("{beside}/deep/\n{beside}/one.txt\n"));
    assert_eq!(files::read(&yard.reach(), &format!("{beside}/one.txt"), 1, 9).unwrap().text, "canary\n");
    yard.granted = vec![deep.clone()];
    assert_eq!(files::read(&yard.reach(), &deep, 1, 9).unwrap().text, "canary\n");
}

#[test]
fn secrets_in_texts_are_masked_on_every_page_and_cannot_be_spelled_out_by_searches() {
    let key = "-----BEGIN PRIVATE KEY-----\nMIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nIBADAN=\n-----END PRIVATE KEY-----\n";
    let yard = TestProject::with(&[("a.py", &format!("{key}password = \"hT7kQz92Lm\"\nplain = 1\n"))]);
    let page = files::read(&yard.reach(), "a.py", 1, 9).unwrap();
    let masked = "-----BEGIN PRIVATE KEY-----\n[secret]\n[secret]\n-----END PRIVATE KEY-----\n";
    assert_eq!(page.text, format!("{masked}password = \"[secret]\"\nplain = 1\n"));
    assert_eq!(files::read(&yard.reach(), "a.py", 3, 1).unwrap().text, "[secret]\n");
    for pattern in ["hT7k", "IBADAN", "password = \"h"] {
        assert_eq!(files::search(&yard.reach(), pattern, false, "").unwrap().matches, 0, "{pattern}");
    }
    let found = files::search(&yard.reach(), "^pass", true, "").unwrap();
    assert_eq!(found.text, "a.py:5: password = \"[secret]\"\n");
}

#[test]
fn a_search_finds_lines_literally_or_by_pattern_in_order() {
    let yard = TestProject::with(&[
        ("b.txt", "x+y\nxxy\n"),
        ("a/c.txt", "no\nx+y again\n"),
        ("skip.log", "x+y\n"),
        (".gitignore", "*.log\n"),
    ]);
    yard.write("bin", b"x+y\0");
    let found = files::search(&yard.reach(), "x+y", false, "").unwrap();
    assert_eq!((found.text.as_str(), found.matches, found.more), ("a/c.txt:2: x+y again\nb.txt:1: x+y\n", 2, false));
    assert_eq!(files::search(&yard.reach(), "^x+y$", true, "").unwrap().text, "b.txt:2: xxy\n");
    assert_eq!(files::search(&yard.reach(), "x+y", false, "b.txt").unwrap().text, "b.txt:1: x+y\n");
    assert_eq!(files::search(&yard.reach(), "x+y", false, "none"), Err(Fault::Missing { path: "none".to_owned() }));
}

#[test]
fn a_pattern_that_is_broken_or_would_grow_without_bound_is_refused() {
    let yard = TestProject::with(&[("a.txt", "a\n")]);
    let nested = format!("{}a{}", "(".repeat(200), ")".repeat(200));
    for pattern in ["(", "a{1000}{1000}{1000}", &nested, "", &"a".repeat(3000)] {
        let found = files::search(&yard.reach(), pattern, true, "");
        assert!(matches!(found, Err(Fault::UnreadablePattern { .. })), "{pattern:.20}: {found:?}");
    }
}

#[test]
fn a_search_stops_after_enough_and_cuts_long_lines() {
    let mut yard = TestProject::with(&[("many.txt", &"hit\n".repeat(600))]);
    let found = files::search(&yard.reach(), "hit", false, "").unwrap();
    assert_eq!((found.matches, found.more), (500, true));
    yard.write("many.txt", format!("{}needle{}\n", "é".repeat(500), "é".repeat(500)));
    let found = files::search(&yard.reach(), "needle", false, "").unwrap();
    assert!(found.text.contains("needle") && found.text.len() < 400, "{}", found.text);
    yard.bounds.output = 5;
    assert!(files::search(&yard.reach(), "needle", false, "").unwrap().more);
}
