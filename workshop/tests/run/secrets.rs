//! Secret files inside the folder of work. G21: they are read only where a person says so, by commands too.

use std::fs;

use enza_work::{Fault, Job, Order, Receipt, RunEnd};
use enza_workshop::Workshop;

use crate::run::fixture::{KEY, RunFixture, told};

fn stage() -> RunFixture {
    let stage = RunFixture::new();
    for (name, text) in [
        (".env", KEY),
        (".env.example", "example\n"),
        ("README", "read me\n"),
        ("src/main", "main\n"),
        ("deep/er/server.pem", KEY),
        ("deep/er/notes", "notes\n"),
        ("deep/other", "other\n"),
    ] {
        stage.write(name, text);
    }
    stage
}

#[tokio::test]
async fn a_secret_file_is_not_read_and_all_around_it_is() {
    let ran = stage()
        .line("cat .env; cat deep/er/server.pem; cat .env.example README src/main deep/er/notes deep/other")
        .await;
    let no = "Permission denied\n";
    let expected = format!("cat: .env: {no}cat: deep/er/server.pem: {no}example\nread me\nmain\nnotes\nother\n");
    assert_eq!(told(&ran), (RunEnd::Status(0), expected.as_str()));
}

#[tokio::test]
async fn a_secret_file_is_not_read_however_deep_it_lies() {
    let stage = RunFixture::new();
    let deep = "a/b/c/d/e/f/g/h/i/j/k";
    stage.write(&format!("{deep}/.env"), KEY);
    stage.write(&format!("{deep}/notes"), "notes\n");
    let ran = stage.line(&format!("cd {deep}; cat .env; cat notes")).await;
    assert_eq!(told(&ran), (RunEnd::Status(0), "cat: .env: Permission denied\nnotes\n"));
}

#[tokio::test]
async fn a_secret_file_is_not_read_by_another_name() {
    for line in [
        "cat src/link",
        "mv .env plain; cat plain",
        "mv .env src/plain; cat src/plain",
        "mv .env README; cat README",
        "ln deep/er/server.pem src/hard; cat src/hard",
        "mv deep/er src/er; cat src/er/server.pem",
        "mv deep src/deep; cat src/deep/er/server.pem",
        "cp .env src/copy; cat src/copy",
    ] {
        let stage = stage();
        std::os::unix::fs::symlink("../.env", stage.folder().join("src/link")).unwrap();
        let ran = stage.line(line).await;
        assert!(ran.ended == RunEnd::Status(1) && !ran.output.contains(KEY), "{line}: {ran:?}");
    }
}

#[tokio::test]
async fn a_secret_file_that_was_granted_is_read() {
    let mut stage = stage();
    stage.granted = vec![".env".to_owned()];
    let ran = stage.line("cat .env; cat deep/er/server.pem").await;
    assert_eq!(told(&ran), (RunEnd::Status(1), format!("{KEY}cat: deep/er/server.pem: Permission denied\n").as_str()));
}

/// The price of keeping secrets, told in `sandbox/file_rules.rs`: if this ever works, that text is wrong.
#[tokio::test]
async fn what_is_new_beside_a_secret_is_written_now_and_read_the_next_time() {
    let stage = stage();
    let ran = stage
        .line("echo new > new; cat new; mkdir folder && echo x > folder/x; echo made > src/made; cat src/made")
        .await;
    assert_eq!(told(&ran), (RunEnd::Status(0), "cat: new: Permission denied\nmade\n"));
    assert_eq!(told(&stage.line("cat new folder/x").await), (RunEnd::Status(0), "new\nx\n"));
}

#[tokio::test]
async fn a_link_beside_a_secret_opens_nothing_outside() {
    let stage = stage();
    std::os::unix::fs::symlink(stage.key().parent().unwrap(), stage.folder().join("link")).unwrap();
    fs::write(stage.outside().join("file"), KEY).unwrap();
    std::os::unix::fs::symlink(stage.outside(), stage.folder().join("deep/er/link")).unwrap();
    let ran = stage.line("cat link/id_ed25519; cat deep/er/link/file; echo x > deep/er/link/file").await;
    assert!(ran.ended == RunEnd::Status(2) && !ran.output.contains(KEY), "{ran:?}");
    assert_eq!(fs::read_to_string(stage.outside().join("file")).unwrap(), KEY);
}

#[tokio::test]
async fn what_a_rule_closes_is_closed_to_commands_too() {
    let mut stage = stage();
    stage.closed = vec!["deep/er/**".to_owned()];
    let ran = stage.line("cat deep/er/notes; cat deep/other").await;
    assert_eq!(told(&ran), (RunEnd::Status(0), "cat: deep/er/notes: Permission denied\nother\n"));
    stage.granted = vec!["deep/er/notes".to_owned()];
    assert_eq!(told(&stage.line("cat deep/er/notes").await), (RunEnd::Status(0), "notes\n"));
}

#[tokio::test]
async fn secrets_in_readable_folders_are_closed_to_commands_as_they_are_to_looks() {
    let mut stage = stage();
    let outside = stage.outside();
    fs::create_dir_all(outside.join(".ssh")).unwrap();
    for (name, text) in [("notes", "notes\n"), (".env", KEY), (".ssh/config", KEY), ("closed.md", KEY)] {
        fs::write(outside.join(name), text).unwrap();
    }
    let there = outside.to_str().unwrap().to_owned();
    stage.closed = vec![format!("{there}/*.md")];
    let line = format!("cd {there}; cat notes .env .ssh/config closed.md");
    let no = "Permission denied\n";
    let expected = format!("notes\ncat: .env: {no}cat: .ssh/config: {no}cat: closed.md: {no}");
    // The same for a folder that was granted: a yes to a list of it is no yes to what it holds.
    for (readable, granted) in [(vec![there.clone()], vec![]), (vec![], vec![there.clone()])] {
        (stage.readable, stage.granted) = (readable, granted);
        assert_eq!(told(&stage.line(&line).await), (RunEnd::Status(1), expected.as_str()));
    }
}

#[tokio::test]
async fn what_a_rule_closes_in_folders_that_tools_fill_is_closed_and_their_examples_are_not() {
    let mut stage = stage();
    for name in ["dist/private/plan", "web/node_modules/a/private/plan"] {
        stage.write(name, KEY);
    }
    stage.write("1/2/3/4/5/6/7/8/9/private/plan", KEY);
    stage.write("dist/private/test.pem", "example\n");
    stage.write("dist/test.pem", "example\n");
    stage.closed = vec!["**/private/plan".to_owned()];
    let ran =
        stage.line("cat dist/private/plan web/node_modules/a/private/plan dist/private/test.pem dist/test.pem").await;
    let no = "Permission denied\n";
    let expected = format!("cat: dist/private/plan: {no}cat: web/node_modules/a/private/plan: {no}example\nexample\n");
    assert_eq!(told(&ran), (RunEnd::Status(1), expected.as_str()));
    let ran = stage.line("cat 1/2/3/4/5/6/7/8/9/private/plan").await;
    assert_eq!(told(&ran), (RunEnd::Status(1), format!("cat: 1/2/3/4/5/6/7/8/9/private/plan: {no}").as_str()));
}

#[tokio::test]
async fn what_a_rule_closes_by_the_name_of_a_link_is_closed_to_commands() {
    let mut stage = stage();
    std::os::unix::fs::symlink("deep/er", stage.folder().join("current")).unwrap();
    stage.closed = vec!["current/**".to_owned()];
    let ran = stage.line("cat current/notes; cat deep/er/notes; cat deep/other").await;
    let no = "Permission denied\n";
    let expected = format!("cat: current/notes: {no}cat: deep/er/notes: {no}other\n");
    assert_eq!(told(&ran), (RunEnd::Status(0), expected.as_str()));
}

/// Whoever made it, and whenever: the file is the secret, not its name.
#[tokio::test]
async fn a_hard_link_to_a_secret_that_was_there_before_is_a_secret_to_commands_and_to_looks() {
    let stage = stage();
    fs::hard_link(stage.folder().join(".env"), stage.folder().join("src/plain")).unwrap();
    fs::hard_link(stage.folder().join("deep/er/server.pem"), stage.folder().join("notes.txt")).unwrap();
    fs::hard_link(stage.key(), stage.folder().join("key.txt")).unwrap();
    fs::hard_link(stage.folder().join("README"), stage.folder().join("src/README")).unwrap();
    let ran = stage.line("cat src/plain; cat notes.txt; cat key.txt; cat src/main src/README").await;
    let no = "Permission denied\n";
    let expected = format!("cat: src/plain: {no}cat: notes.txt: {no}cat: key.txt: {no}main\nread me\n");
    assert_eq!(told(&ran), (RunEnd::Status(0), expected.as_str()));

    let workshop = Workshop::new(stage.root.path().join("store"), stage.runner.clone(), &[]);
    let order = |task: Job| Order { task, ..stage.order(&RunFixture::quiet("")) };
    for path in ["src/plain", "notes.txt", "key.txt"] {
        let read = order(Job::Read { path: path.to_owned(), from: 1, lines: 10 });
        assert_eq!(workshop.carry_out(read).await, Receipt::Refused(Fault::Secret { path: path.to_owned() }));
    }
    let search = order(Job::Search { pattern: KEY.to_owned(), regex: false, path: String::new() });
    let Receipt::Found(found) = workshop.carry_out(search).await else { panic!("nothing was looked for") };
    assert_eq!((found.text.as_str(), found.matches), ("", 0));
    let read = order(Job::Read { path: "src/README".to_owned(), from: 1, lines: 10 });
    assert!(matches!(workshop.carry_out(read).await, Receipt::Read(_)));
}
