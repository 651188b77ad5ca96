//! What git runs by itself is after a command what it was before, and git goes on working in commands.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::sync::Arc;

use enza_applications::companion::work::{Beyond, Ended, Ran, Receipt};
use enza_runtime::seams::tools::NoTools;
use enza_workshop::Workshop;

use crate::stage::Stage;

const HOOK: &str = "#!/bin/sh\nexit 0\n";

/// A folder under git with a hook of the person's and a module.
async fn under_git() -> Stage {
    let stage = Stage::new();
    stage.write("kept.txt", "kept\n");
    run(&stage, "git init -q && git config user.name Ada && git config user.email ada@example.com").await;
    stage.write(".git/config", "[user]\n\tname = Ada\n\temail = ada@example.com\n");
    stage.write(".git/hooks/pre-commit", HOOK);
    fs::set_permissions(stage.folder().join(".git/hooks/pre-commit"), fs::Permissions::from_mode(0o755)).unwrap();
    stage.write(".git/modules/sub/config", "[core]\n");
    stage
}

async fn run(stage: &Stage, line: &str) -> Ran {
    let workshop = Workshop::new(stage.root.path().join("store"), stage.runner.clone(), Arc::new(NoTools));
    match workshop.carry_out(stage.order(&Stage::quiet(line))).await {
        Receipt::Ran(ran) => ran,
        other => panic!("{other:?}"),
    }
}

fn text(stage: &Stage, path: &str) -> String {
    fs::read_to_string(stage.folder().join(path)).unwrap()
}

#[tokio::test]
async fn git_works_in_commands_as_ever() {
    let stage = under_git().await;
    let ran =
        run(&stage, "git add -A && git commit -q -m first && git checkout -q -b other && git log --format=%s").await;
    assert_eq!((ran.ended, ran.output.as_str(), &ran.beyond), (Ended::Status(0), "first\n", &Beyond::default()));
}

#[tokio::test]
async fn hooks_and_settings_are_put_back_and_told() {
    let stage = under_git().await;
    let before = ["config", "hooks/pre-commit", "modules/sub/config"].map(|path| text(&stage, &format!(".git/{path}")));
    let line = "git config core.fsmonitor ./evil; echo evil > .git/hooks/pre-commit; echo evil > .git/hooks/post-checkout; \
                mkdir -p .git/modules/sub/hooks; echo evil > .git/modules/sub/hooks/pre-push; rm .git/modules/sub/config; \
                echo done > done.txt";
    let ran = run(&stage, line).await;
    let put_back = [
        ".git/config",
        ".git/hooks/post-checkout",
        ".git/hooks/pre-commit",
        ".git/modules/sub/config",
        ".git/modules/sub/hooks/pre-push",
    ];
    assert_eq!((ran.ended, ran.beyond.put_back), (Ended::Status(0), put_back.map(str::to_owned).to_vec()));
    let after = ["config", "hooks/pre-commit", "modules/sub/config"].map(|path| text(&stage, &format!(".git/{path}")));
    assert_eq!(after, before);
    let hook = fs::metadata(stage.folder().join(".git/hooks/pre-commit")).unwrap();
    assert_eq!(hook.permissions().mode() & 0o777, 0o755);
    assert!(!stage.folder().join(".git/hooks/post-checkout").exists());
    assert_eq!(ran.changes.iter().map(|change| change.path.as_str()).collect::<Vec<_>>(), ["done.txt"]);
}

#[tokio::test]
async fn hooks_that_became_a_link_are_a_folder_again() {
    let stage = under_git().await;
    let ran =
        run(&stage, "mkdir evil; echo evil > evil/pre-commit; mv .git/hooks .git/old; ln -s ../evil .git/hooks").await;
    assert_eq!(ran.ended, Ended::Status(0));
    assert!(ran.beyond.put_back.contains(&".git/hooks".to_owned()), "{:?}", ran.beyond);
    assert!(!stage.folder().join(".git/hooks").is_symlink());
    assert_eq!(
        (text(&stage, ".git/hooks/pre-commit"), text(&stage, "evil/pre-commit")),
        (HOOK.to_owned(), "evil\n".to_owned())
    );
}

#[tokio::test]
async fn a_link_of_the_persons_stays_one() {
    let stage = under_git().await;
    fs::remove_dir_all(stage.folder().join(".git/hooks")).unwrap();
    stage.write("shared/pre-commit", HOOK);
    symlink("../shared", stage.folder().join(".git/hooks")).unwrap();
    let ran = run(&stage, "rm .git/hooks; mkdir .git/hooks; echo evil > .git/hooks/pre-commit").await;
    assert!(stage.folder().join(".git/hooks").is_symlink(), "{:?}", ran.beyond);
}

#[tokio::test]
async fn a_repository_that_a_command_makes_has_no_hooks_and_is_named() {
    let stage = Stage::new();
    let ran = run(&stage, "git init -q; echo evil > .git/hooks/post-checkout; git status --short").await;
    assert_eq!((ran.ended, ran.output.as_str()), (Ended::Status(0), ""));
    assert_eq!(ran.beyond.put_back, [".git/hooks/post-checkout"]);
    assert_eq!(ran.beyond.files, [".git/config"]);
    assert!(!stage.folder().join(".git/hooks/post-checkout").exists());
    assert!(stage.folder().join(".git/config").exists());
}
