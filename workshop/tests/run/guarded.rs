//! What git runs by itself is after a command what it was before, and git goes on working in commands.

use std::fs;
use std::os::unix::fs::{PermissionsExt as _, symlink};

use enza_work::{Receipt, RunEnd, RunResult, SideEffects};
use enza_workshop::Workshop;

use crate::run::fixture::RunFixture;

const HOOK: &str = "#!/bin/sh\nexit 0\n";

/// A folder under git with a hook of the person's and a module.
async fn under_git() -> RunFixture {
    let stage = RunFixture::new();
    stage.write("kept.txt", "kept\n");
    run(&stage, "git init -q && git config user.name Ada && git config user.email ada@example.com").await;
    stage.write(".git/config", "[user]\n\tname = Ada\n\temail = ada@example.com\n");
    stage.write(".git/hooks/pre-commit", HOOK);
    fs::set_permissions(stage.folder().join(".git/hooks/pre-commit"), fs::Permissions::from_mode(0o755)).unwrap();
    stage.write(".git/modules/sub/config", "[core]\n");
    stage
}

async fn run(stage: &RunFixture, line: &str) -> RunResult {
    let workshop = Workshop::new(stage.root.path().join("store"), stage.runner.clone(), &[]);
    match workshop.carry_out(stage.order(&RunFixture::quiet(line))).await {
        Receipt::Ran(ran) => ran,
        other => panic!("{other:?}"),
    }
}

fn text(stage: &RunFixture, path: &str) -> String {
    fs::read_to_string(stage.folder().join(path)).unwrap()
}

#[tokio::test]
async fn git_works_in_commands_as_ever() {
    let stage = under_git().await;
    let ran =
        run(&stage, "git add -A && git commit -q -m first && git checkout -q -b other && git log --format=%s").await;
    assert_eq!((ran.ended, ran.output.as_str(), &ran.beyond), (RunEnd::Status(0), "first\n", &SideEffects::default()));
}

#[tokio::test]
async fn hooks_and_settings_are_put_back_and_told_where_mounts_cannot_close_them() {
    let mut stage = under_git().await;
    stage.runner.seals = false;
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
    assert_eq!((ran.ended, ran.beyond.put_back), (RunEnd::Status(0), put_back.map(str::to_owned).to_vec()));
    let after = ["config", "hooks/pre-commit", "modules/sub/config"].map(|path| text(&stage, &format!(".git/{path}")));
    assert_eq!(after, before);
    let hook = fs::metadata(stage.folder().join(".git/hooks/pre-commit")).unwrap();
    assert_eq!(hook.permissions().mode() & 0o777, 0o755);
    assert!(!stage.folder().join(".git/hooks/post-checkout").exists());
    assert_eq!(ran.changes.iter().map(|change| change.path.as_str()).collect::<Vec<_>>(), ["done.txt"]);
}

#[tokio::test]
async fn hooks_that_became_a_link_are_a_folder_again() {
    let mut stage = under_git().await;
    stage.runner.seals = false;
    let ran =
        run(&stage, "mkdir evil; echo evil > evil/pre-commit; mv .git/hooks .git/old; ln -s ../evil .git/hooks").await;
    assert_eq!(ran.ended, RunEnd::Status(0));
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
    let stage = RunFixture::new();
    let ran = run(&stage, "git init -q; echo evil > .git/hooks/post-checkout; git status --short").await;
    assert_eq!((ran.ended, ran.output.as_str()), (RunEnd::Status(0), ""));
    assert_eq!(ran.beyond.put_back, [".git/hooks/post-checkout"]);
    assert_eq!(ran.beyond.files, [".git/config"]);
    assert!(!stage.folder().join(".git/hooks/post-checkout").exists());
    assert!(stage.folder().join(".git/config").exists());
}

/// An editor asks git for the state of the folder at any moment, so not even for one must a hook be another.
#[tokio::test]
async fn hooks_and_settings_of_the_folders_own_repository_are_never_others_while_a_command_runs() {
    let stage = under_git().await;
    let before = text(&stage, ".git/config");
    let tries = [
        "git config core.fsmonitor ./evil",
        "echo evil > .git/config",
        "mv .git/config .git/old",
        "echo evil > .git/hooks/pre-commit",
        "echo evil > .git/hooks/post-checkout",
        "mv .git/hooks .git/old",
        "mv .git old",
        "echo evil >> .git/modules/sub/config",
        "chmod 777 .git/hooks/pre-commit",
    ];
    for one in tries {
        let ran = run(&stage, &format!("{one} && cat .git/config .git/hooks/*")).await;
        assert_ne!(ran.ended, RunEnd::Status(0), "{one}: {ran:?}");
        assert_eq!(ran.beyond, SideEffects::default(), "{one}");
    }
    assert_eq!((text(&stage, ".git/config"), text(&stage, ".git/hooks/pre-commit")), (before, HOOK.to_owned()));
}

/// A folder with a nested repository, a submodule of a submodule, a worktree and a bare repository.
fn many_repositories() -> RunFixture {
    let stage = RunFixture::new();
    for git in ["nested/.git", ".git/modules/libs/deep/modules/inner", "nested/.git/modules/one", "fixtures/bare"] {
        stage.write(&format!("{git}/HEAD"), "ref: refs/heads/main\n");
        stage.write(&format!("{git}/config"), "[core]\n");
        stage.write(&format!("{git}/objects/x"), "");
        stage.write(&format!("{git}/refs/x"), "");
        stage.write(&format!("{git}/hooks/pre-commit"), HOOK);
    }
    stage.write("nested/.git/worktrees/side/HEAD", "ref: refs/heads/side\n");
    stage.write("nested/.git/worktrees/side/commondir", "../..\n");
    stage.write("side/.git", "gitdir: ../nested/.git/worktrees/side\n");
    stage
}

#[tokio::test]
async fn hooks_and_settings_of_nested_repositories_submodules_and_worktrees_do_not_survive_a_command() {
    let mut stage = many_repositories();
    stage.runner.seals = false;
    let guarded = [
        ".git/modules/libs/deep/modules/inner/config",
        ".git/modules/libs/deep/modules/inner/hooks/pre-commit",
        "fixtures/bare/config",
        "fixtures/bare/hooks/pre-commit",
        "nested/.git/config",
        "nested/.git/hooks/pre-commit",
        "nested/.git/modules/one/config",
        "nested/.git/modules/one/hooks/pre-commit",
        "nested/.git/worktrees/side/commondir",
        "side/.git",
    ];
    let before = guarded.map(|path| text(&stage, path));
    let evil: String = guarded.iter().map(|path| format!("echo evil > {path}; ")).collect();
    let new = "echo evil > nested/.git/hooks/post-checkout; echo evil > nested/.git/commondir; echo evil > fixtures/bare/config.worktree";
    let ran = run(&stage, &format!("{evil}{new}")).await;
    assert_eq!(ran.ended, RunEnd::Status(0));
    assert_eq!(guarded.map(|path| text(&stage, path)), before);
    for path in ["nested/.git/hooks/post-checkout", "nested/.git/commondir", "fixtures/bare/config.worktree"] {
        assert!(!stage.folder().join(path).exists(), "{path}");
        assert!(ran.beyond.put_back.contains(&path.to_owned()), "{path}: {:?}", ran.beyond);
    }
    assert_eq!(guarded.iter().filter(|path| !ran.beyond.put_back.contains(&(**path).to_owned())).count(), 0);
}

#[tokio::test]
async fn repositories_that_a_command_makes_below_the_folder_have_no_hooks_and_are_named() {
    let stage = RunFixture::new();
    let ran = run(
        &stage,
        "git init -q deep/er; echo evil > deep/er/.git/hooks/post-checkout; git init -q --bare bare; \
         echo evil > bare/hooks/update; mkdir odd; echo 'gitdir: ../bare' > odd/.git",
    )
    .await;
    assert_eq!(ran.beyond.put_back, ["bare/hooks/update", "deep/er/.git/hooks/post-checkout"]);
    assert_eq!(ran.beyond.files, ["bare/config", "deep/er/.git/config", "odd/.git"]);
    assert!(!stage.folder().join("deep/er/.git/hooks/post-checkout").exists());
}

#[tokio::test]
async fn hooks_and_settings_that_settings_lead_to_do_not_survive_a_command() {
    let stage = RunFixture::new();
    stage.write(
        "nested/.git/config",
        "[core]\n\thooksPath = .githooks\n[include]\n\tpath = ../shared.conf\n[includeIf \"gitdir:/\"]\n\tpath = /elsewhere\n",
    );
    stage.write("nested/shared.conf", "[include]\n\tpath = further.conf\n");
    stage.write("nested/further.conf", "[user]\n\tname = Ada\n");
    stage.write("nested/.githooks/pre-commit", HOOK);
    stage.write("nested/other.conf", "");
    let line = "cd nested; echo evil > .githooks/pre-commit; echo evil > .githooks/post-merge; echo evil > further.conf; \
                rm shared.conf; echo mine > other.conf";
    let ran = run(&stage, line).await;
    let put_back =
        ["nested/.githooks/post-merge", "nested/.githooks/pre-commit", "nested/further.conf", "nested/shared.conf"];
    assert_eq!((ran.ended, ran.beyond.put_back), (RunEnd::Status(0), put_back.map(str::to_owned).to_vec()));
    assert_eq!(text(&stage, "nested/.githooks/pre-commit"), HOOK);
    assert_eq!(text(&stage, "nested/further.conf"), "[user]\n\tname = Ada\n");
    assert_eq!(text(&stage, "nested/shared.conf"), "[include]\n\tpath = further.conf\n");
    assert!(!stage.folder().join("nested/.githooks/post-merge").exists());
    assert_eq!(ran.changes.iter().map(|change| change.path.as_str()).collect::<Vec<_>>(), ["nested/other.conf"]);
}

/// The repository of a worktree lies elsewhere: it is read there and not written, and only where it knows the folder.
#[tokio::test]
async fn in_a_worktree_git_can_be_asked_and_says_that_it_cannot_write() {
    let stage = RunFixture::new();
    let main = stage.outside().join("main");
    let git = |words: &[&str]| {
        let set = ["-c", "user.name=Ada", "-c", "user.email=ada@example.com"];
        let done = std::process::Command::new("git").arg("-C").arg(&main).args(set).args(words).output().unwrap();
        assert!(done.status.success(), "{done:?}");
    };
    fs::create_dir_all(&main).unwrap();
    git(&["init", "-q", "-b", "main"]);
    git(&["commit", "-q", "--allow-empty", "-m", "first"]);
    fs::remove_dir(stage.folder()).unwrap();
    git(&["worktree", "add", "-q", stage.folder().to_str().unwrap(), "-b", "side"]);
    let ran = run(&stage, "echo x > new; git log --format=%s && git status --short && git add new").await;
    assert!(ran.output.starts_with("first\n?? new\n") && ran.output.contains("Read-only file system"), "{ran:?}");
    // A file that only claims to lead to a repository opens nothing.
    let other = RunFixture::new();
    other.write(".git", &format!("gitdir: {}\n", main.join(".git/worktrees/work").display()));
    let ran = run(&other, &format!("cat {}", main.join(".git/HEAD").display())).await;
    assert!(ran.output.contains("Permission denied"), "{ran:?}");
}
