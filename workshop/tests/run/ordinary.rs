//! What goes on as usual inside the walls. G27: a command has its folder, and no shell reads its words unasked.

use std::fs;

use enza_work::{Fault, Run, RunEnd};

use crate::run::fixture::{RunFixture, told};

#[tokio::test]
async fn pipelines_and_files_in_the_folder_work() {
    let stage = RunFixture::new();
    let ran = stage.line("mkdir -p a/b && printf 'two\\none\\n' > a/list && mv a/list a/b/list && sort a/b/list").await;
    assert_eq!(told(&ran), (RunEnd::Status(0), "one\ntwo\n"));
    assert_eq!(fs::read_to_string(stage.folder().join("a/b/list")).unwrap(), "two\none\n");
}

#[tokio::test]
async fn errors_come_with_the_output_in_the_order_in_which_they_were_printed() {
    let ran = RunFixture::new().line("echo one; echo two >&2; echo three; exit 3").await;
    assert_eq!(told(&ran), (RunEnd::Status(3), "one\ntwo\nthree\n"));
}

#[tokio::test]
async fn words_are_handed_over_as_they_are() {
    let ran = RunFixture::new().words(&["printf", "%s|", "a b", "$HOME", "*"]).await.unwrap();
    assert_eq!(told(&ran), (RunEnd::Status(0), "a b|$HOME|*|"));
}

#[tokio::test]
async fn a_command_runs_in_the_folder_it_was_told() {
    let stage = RunFixture::new();
    stage.write("below/here", "");
    let run = Run { at: "below".to_owned(), ..RunFixture::quiet("ls") };
    assert_eq!(told(&stage.run(&run).await.unwrap()), (RunEnd::Status(0), "here\n"));
}

#[tokio::test]
async fn a_place_outside_the_folder_is_refused_as_a_place_to_run_in() {
    let stage = RunFixture::new();
    std::os::unix::fs::symlink(stage.outside(), stage.folder().join("link")).unwrap();
    for at in ["..", "link", "../outside"] {
        let run = Run { at: at.to_owned(), ..RunFixture::quiet("ls") };
        assert_eq!(stage.run(&run).await, Err(Fault::OutsideToRead { path: at.to_owned() }));
    }
    let run = Run { at: "nowhere".to_owned(), ..RunFixture::quiet("ls") };
    assert_eq!(stage.run(&run).await, Err(Fault::Missing { path: "nowhere".to_owned() }));
}

#[tokio::test]
async fn a_program_that_is_not_there_is_named() {
    let stage = RunFixture::new();
    stage.write("plain", "no program");
    for name in ["no-such-program", "./no-such-program", ""] {
        assert_eq!(stage.words(&[name]).await, Err(Fault::NoSuchProgram { name: name.to_owned() }));
    }
    let Err(Fault::System { path, why }) = stage.words(&["./plain"]).await else { panic!("it ran") };
    assert!(path.ends_with("work/./plain") && why.contains("Permission denied"), "{path}: {why}");
}

#[tokio::test]
async fn the_environment_holds_nothing_of_ours() {
    let mut stage = RunFixture::new();
    stage.runner.path = "/usr/bin:/bin".into();
    stage.runner.locale = vec![("LANG".to_owned(), "ja_JP.UTF-8".to_owned())];
    let ran = stage.words(&["env"]).await.unwrap();
    let mut lines: Vec<String> = ran.output.lines().map(|line| without_scratch(line, &stage)).collect();
    lines.sort();
    let expected = [
        "CARGO_HOME=S/cargo",
        "CI=1",
        "HOME=S/home",
        "LANG=ja_JP.UTF-8",
        "NO_COLOR=1",
        "PATH=/usr/bin:/bin",
        "PYTHONDONTWRITEBYTECODE=1",
        "TERM=dumb",
        "TMPDIR=S/tmp",
        "XDG_CACHE_HOME=S/home/.cache",
        "XDG_CONFIG_HOME=S/home/.config",
        "XDG_DATA_HOME=S/home/.local/share",
        "XDG_RUNTIME_DIR=S/run",
        "XDG_STATE_HOME=S/home/.local/state",
    ];
    assert_eq!(lines, expected);
}

/// The private folder has another name each time.
fn without_scratch(line: &str, stage: &RunFixture) -> String {
    let scratch = stage.runner.scratch.canonicalize().unwrap();
    let Some((name, rest)) = line.split_once(&format!("={}/", scratch.display())) else { return line.to_owned() };
    format!("{name}=S/{}", rest.split_once('/').unwrap().1)
}

#[tokio::test]
async fn the_private_folder_can_be_used_and_is_gone_afterwards() {
    let stage = RunFixture::new();
    let ran = stage.line("f=$(mktemp) && echo x > $f && cat $f && mkdir ~/d && touch ~/d/f && chmod 500 ~/d").await;
    assert_eq!(told(&ran), (RunEnd::Status(0), "x\n"));
    assert_eq!(stage.scratch(), Vec::<std::ffi::OsString>::new());
}

#[tokio::test]
async fn folders_that_may_be_read_can_be_read_and_not_written() {
    let mut stage = RunFixture::new();
    fs::write(stage.outside().join("notes"), "notes\n").unwrap();
    let line = format!("cat {0}/notes; echo more >> {0}/notes", stage.outside().display());
    assert_eq!(stage.line(&line).await.ended, RunEnd::Status(2));
    stage.readable = vec![stage.outside().to_str().unwrap().to_owned()];
    let ran = stage.line(&line).await;
    assert!(ran.output.starts_with("notes\n") && ran.output.contains("Read-only file system"), "{}", ran.output);
    assert_eq!(fs::read_to_string(stage.outside().join("notes")).unwrap(), "notes\n");
}

#[tokio::test]
async fn a_file_outside_that_was_granted_can_be_read_and_nothing_beside_it() {
    let mut stage = RunFixture::new();
    fs::write(stage.outside().join("notes"), "notes\n").unwrap();
    fs::write(stage.outside().join("other"), "other\n").unwrap();
    stage.granted = vec![stage.outside().join("notes").to_str().unwrap().to_owned()];
    let ran = stage.line(&format!("cd {} && cat notes && cat other", stage.outside().display())).await;
    assert_eq!(told(&ran), (RunEnd::Status(1), "notes\ncat: other: Permission denied\n"));
}

#[tokio::test]
async fn a_small_c_program_is_compiled_and_run() {
    let stage = RunFixture::new();
    stage.write("hello.c", "#include <stdio.h>\nint main(void) { puts(\"hello\"); return 0; }\n");
    assert_eq!(told(&stage.line("gcc -O1 -o hello hello.c && ./hello").await), (RunEnd::Status(0), "hello\n"));
}

#[tokio::test]
async fn git_looks_at_the_folder_and_commits() {
    let stage = RunFixture::new();
    stage.write("file", "text\n");
    let line = "git init -q . && git add file && git -c user.name=a -c user.email=a@b commit -q -m one \
                && echo more >> file && git status --short && git stash list && git log --format=%s";
    assert_eq!(told(&stage.line(line).await), (RunEnd::Status(0), " M file\none\n"));
}

#[tokio::test]
async fn python_with_its_processes_and_threads_works() {
    let stage = RunFixture::at_home();
    let script = "import subprocess, threading, tempfile\n\
                  t = threading.Thread(target=lambda: print('thread', flush=True)); t.start(); t.join()\n\
                  print(subprocess.run(['echo', 'child'], capture_output=True, text=True).stdout, end='')\n\
                  with tempfile.NamedTemporaryFile() as f: print(f.write(b'abc'))\n";
    assert_eq!(told(&stage.python(script).await), (RunEnd::Status(0), "thread\nchild\n3\n"));
}

#[tokio::test]
async fn cargo_builds_and_tests_a_small_crate() {
    let stage = RunFixture::at_home();
    let version = stage.words(&["cargo", "--version"]).await.unwrap();
    assert!(version.ended == RunEnd::Status(0) && version.output.starts_with("cargo 1."), "{version:?}");
    stage.write("Cargo.toml", "[package]\nname = \"small\"\nversion = \"0.1.0\"\nedition = \"2021\"\n[workspace]\n");
    stage.write("src/lib.rs", "#[test]\nfn two_and_two() { assert_eq!(2 + 2, 4); }\n");
    let ran = stage.words(&["cargo", "test", "--quiet", "--lib"]).await.unwrap();
    assert!(ran.ended == RunEnd::Status(0) && ran.output.contains("1 passed"), "{ran:?}");
}

#[tokio::test]
async fn everything_ordinary_works_on_the_first_landlock_too() {
    let mut stage = RunFixture::at_home();
    stage.runner.newest = 1;
    stage.write("hello.c", "int main(void) { return 7; }\n");
    let line =
        "gcc -o hello hello.c && { ./hello; echo $?; } > out && cat out && python3 -c 'print(1)' && git init -q .";
    assert_eq!(told(&stage.line(line).await), (RunEnd::Status(0), "7\n1\n"));
}

#[tokio::test]
async fn nothing_needs_root() {
    let mut stage = RunFixture::new();
    let line =
        "id -u > who && cat who && echo 'int main(void){return 0;}' > m.c && gcc -o m m.c && ./m && (sleep 1000 &)";
    if rustix::process::geteuid().is_root() {
        let chmod = format!("chmod -R 777 {}", stage.root.path().display());
        assert!(std::process::Command::new("sh").args(["-c", &chmod]).status().unwrap().success());
        // The binary may lie where nobody else can reach it.
        let there = stage.root.path().join("confined");
        fs::copy(env!("CARGO_BIN_EXE_confined"), &there).unwrap();
        let nobody = "--reuid=65534 --regid=65534 --clear-groups --inh-caps=-all --bounding-set=-all";
        stage.keeper_after(&format!("exec setpriv {nobody} {} \"$@\" #", there.display()));
        stage.runner.path = "/usr/bin:/bin".into();
        let ran = stage.line(line).await;
        assert_eq!(told(&ran), (RunEnd::Status(0), "65534\n"));
    } else {
        assert_eq!(stage.line(line).await.ended, RunEnd::Status(0));
    }
    assert_eq!(stage.scratch(), Vec::<std::ffi::OsString>::new());
}
