//! Commits in a folder under git: the named files alone, by whom the person's settings name, with hooks confined.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;

use enza_work::{Fault, Job, Order, Receipt, RunEnd};
use enza_workshop::Workshop;

use crate::run::fixture::{RunFixture, told};

/// A folder under git with one commit, of someone who has set their name.
async fn under_git() -> RunFixture {
    let stage = RunFixture::new();
    let settings = "[user]\n\tname = Ada\n\temail = ada@example.com\n[init]\n\tdefaultBranch = main\n";
    fs::write(stage.root.path().join("home/.gitconfig"), settings).unwrap();
    stage.write("kept.txt", "kept\n");
    stage.write(".gitignore", "*.log\n");
    let began = "git init -q && git add -A && git -c user.name=Ada -c user.email=ada@example.com commit -q -m first";
    assert_eq!(told(&stage.line(began).await), (RunEnd::Status(0), ""));
    stage
}

async fn commit(stage: &RunFixture, paths: &[&str]) -> Receipt {
    let workshop = Workshop::new(stage.root.path().join("store"), stage.runner.clone(), &[]);
    let paths = paths.iter().map(|path| (*path).to_owned()).collect();
    let task = Job::Commit { paths, message: "Say hello".to_owned() };
    workshop.carry_out(Order { task, ..stage.order(&RunFixture::quiet("")) }).await
}

#[tokio::test]
async fn a_commit_holds_the_named_files_and_leaves_what_is_staged() {
    let stage = under_git().await;
    stage.write("hello.txt", "hello\n");
    stage.write("mine.txt", "mine\n");
    stage.write("noise.log", "noise\n");
    fs::remove_file(stage.folder().join("kept.txt")).unwrap();
    stage.line("git add mine.txt").await;
    let receipt = commit(&stage, &["hello.txt", "kept.txt", "noise.log", "never-there.txt"]).await;
    assert!(matches!(&receipt, Receipt::Committed(name) if name.len() >= 7), "{receipt:?}");
    let shown = stage.line("git show --format='%an %s' --name-status HEAD").await;
    assert_eq!(told(&shown), (RunEnd::Status(0), "Ada Say hello\n\nA\thello.txt\nD\tkept.txt\n"));
    assert_eq!(told(&stage.line("git status --short").await), (RunEnd::Status(0), "A  mine.txt\n"));
}

#[tokio::test]
async fn edited_and_deleted_files_are_committed_whatever_else_is_named() {
    let stage = under_git().await;
    for number in 0..3000 {
        stage.write(&format!("many/a-file-with-a-long-name-{number}.txt"), "x\n");
    }
    stage.write("gone.txt", "gone\n");
    stage.line("git add -A && git -c user.name=A -c user.email=a@b commit -q -m more").await;
    fs::remove_file(stage.folder().join("gone.txt")).unwrap();
    stage.write("kept.txt", "edited\n");
    let many: Vec<String> = (0..3000).map(|number| format!("many/a-file-with-a-long-name-{number}.txt")).collect();
    let paths: Vec<&str> = many.iter().map(String::as_str).chain(["gone.txt", "kept.txt"]).collect();
    let receipt = commit(&stage, &paths).await;
    assert!(matches!(&receipt, Receipt::Committed(_)), "{receipt:?}");
    let shown = stage.line("git show --format=%s --name-status HEAD").await;
    assert_eq!(told(&shown), (RunEnd::Status(0), "Say hello\n\nD\tgone.txt\nM\tkept.txt\n"));
}

#[tokio::test]
async fn the_name_of_a_file_is_no_pattern() {
    let stage = under_git().await;
    stage.write("a.md", "a\n");
    stage.line("git add -A && git -c user.name=A -c user.email=a@b commit -q -m more").await;
    stage.write("a.md", "not yet\n");
    stage.write("*.md", "star\n");
    let receipt = commit(&stage, &["*.md"]).await;
    assert!(matches!(&receipt, Receipt::Committed(_)), "{receipt:?}");
    let shown = stage.line("git show --format=%s --name-status HEAD; git status --short").await;
    assert_eq!(told(&shown), (RunEnd::Status(0), "Say hello\n\nA\t*.md\n M a.md\n"));
}

#[tokio::test]
async fn a_hook_that_says_no_is_told_and_reaches_no_key() {
    let stage = under_git().await;
    stage.write("hello.txt", "hello\n");
    let hook = format!("#!/bin/sh\ncat {} || echo closed >&2\nexit 1\n", stage.key().display());
    stage.write(".git/hooks/pre-commit", &hook);
    fs::set_permissions(stage.folder().join(".git/hooks/pre-commit"), fs::Permissions::from_mode(0o755)).unwrap();
    let Receipt::Refused(Fault::NothingToCommit { why }) = commit(&stage, &["hello.txt"]).await else {
        panic!("the hook said no")
    };
    assert!(why.ends_with("Permission denied / closed"), "{why}");
}

#[tokio::test]
async fn where_there_is_no_git_it_is_said() {
    let stage = RunFixture::new();
    stage.write("hello.txt", "hello\n");
    let receipt = commit(&stage, &["hello.txt"]).await;
    assert!(
        matches!(&receipt, Receipt::Refused(Fault::NothingToCommit { why }) if why.contains("not a git repository")),
        "{receipt:?}"
    );
}
