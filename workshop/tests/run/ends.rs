//! How runs end, and that nothing is left of them. G27: a time limit, and a cap on what is printed.

use std::ffi::OsString;
use std::fs;
use std::time::Duration;

use enza_work::{Fault, Run, RunEnd};

use crate::run::fixture::{RunFixture, is_alive, told};

/// For what comes about by itself a moment later; far longer than it takes.
const SAFETY_NET: Duration = Duration::from_secs(60);

#[tokio::test]
async fn a_command_that_kills_itself_ends_by_that_signal() {
    assert_eq!(RunFixture::new().line("kill -9 $$").await.ended, RunEnd::Signal(9));
}

#[tokio::test]
async fn a_command_that_takes_too_long_is_asked_to_end_and_may_tidy_up() {
    let stage = RunFixture::new();
    let line = "trap 'echo tidied; exit 0' TERM; echo began; while :; do sleep 0.05; done";
    let ran = stage.run(&Run { seconds: 10, ..RunFixture::quiet(line) }).await.unwrap();
    let said: Vec<&str> = ran.output.lines().filter(|line| *line != "Terminated").collect();
    assert_eq!((ran.ended, said), (RunEnd::OutOfTime, vec!["began", "tidied"]));
}

#[tokio::test]
async fn a_command_that_does_not_listen_is_ended_all_the_same() {
    let stage = RunFixture::new();
    let line = "trap '' TERM; echo $$ > pid; while :; do sleep 0.05; done";
    let ran = stage.run(&Run { seconds: 10, ..RunFixture::quiet(line) }).await.unwrap();
    assert_eq!(told(&ran), (RunEnd::OutOfTime, ""));
    assert!(!is_alive(&fs::read_to_string(stage.folder().join("pid")).unwrap()));
}

#[tokio::test]
async fn what_a_command_leaves_running_does_not_survive_it() {
    let stage = RunFixture::new();
    let ran = stage.line("sleep 100000 & echo $! > pid; echo done").await;
    assert_eq!(told(&ran), (RunEnd::Status(0), "done\n"));
    assert!(!is_alive(&fs::read_to_string(stage.folder().join("pid")).unwrap()));
}

#[tokio::test]
async fn a_daemon_that_detaches_does_not_survive_either() {
    let stage = RunFixture::new();
    let daemon = "import os, signal, time\n\
                  signal.signal(signal.SIGTERM, signal.SIG_IGN)\n\
                  if os.fork():\n\
                  \x20 while not os.path.exists('pid'): time.sleep(0.01)\n\
                  \x20 os._exit(0)\n\
                  os.setsid()\n\
                  if os.fork(): os._exit(0)\n\
                  os.closerange(0, 256)\n\
                  os.environ.clear()\n\
                  open('pid.new', 'w').write(str(os.getpid()))\n\
                  os.rename('pid.new', 'pid')\n\
                  time.sleep(100000)\n";
    assert_eq!(stage.python(daemon).await.ended, RunEnd::Status(0));
    let pid = fs::read_to_string(stage.folder().join("pid")).expect("the daemon ran");
    assert!(!is_alive(&pid));
    assert_eq!(stage.scratch(), Vec::<OsString>::new());
}

/// Were nothing to stop it, this would come to rest at two thousand processes, so that a failing test fails alone.
const BOMB: &str = "f() { if [ $1 -gt 0 ]; then f $(($1 - 1)) | f $(($1 - 1)) & fi; sleep 100000; }; f 10; wait";

/// The same, but each process leaves the group and the session of the one before it.
const SCATTERED_BOMB: &str = "import os, time\n\
    for _ in range(1000):\n\
    \x20 if os.fork() == 0:\n\
    \x20   try: os.setsid()\n\
    \x20   except OSError: pass\n\
    \x20   os.fork()\n\
    \x20   time.sleep(100000)\n\
    time.sleep(100000)\n";

#[tokio::test]
async fn forking_without_end_is_stopped() {
    let mut stage = RunFixture::new();
    for caged in [true, false] {
        stage.runner.caged = caged;
        let ran = stage.words(&["bash", "-c", BOMB]).await.unwrap();
        assert_eq!(ran.ended, RunEnd::TooManyProcesses, "{caged} {}", ran.output);
        assert_nothing_works_in(&stage);
    }
}

#[tokio::test]
async fn forking_without_end_out_of_the_group_is_stopped() {
    let mut stage = RunFixture::new();
    for caged in [true, false] {
        stage.runner.caged = caged;
        let ran = stage.python(SCATTERED_BOMB).await;
        assert_eq!(ran.ended, RunEnd::TooManyProcesses, "{caged} {}", ran.output);
        assert_nothing_works_in(&stage);
    }
}

#[tokio::test]
async fn where_nothing_else_limits_root_its_processes_stay_in_one_group() {
    let mut stage = RunFixture::new();
    let line =
        "setsid --fork --wait true && echo left; python3 -c 'import os; os.setpgid(0, 0)' 2> /dev/null && echo left";
    assert_eq!(stage.line(line).await.output, "left\nleft\n");
    stage.runner.caged = false;
    let left = stage.line(line).await.output.contains("left\n");
    assert_eq!(left, !rustix::process::geteuid().is_root());
}

/// No process on this machine has the folder of work as its own.
fn assert_nothing_works_in(stage: &RunFixture) {
    let folder = stage.folder().canonicalize().unwrap();
    let processes = fs::read_dir("/proc").unwrap().flatten();
    let there = processes.filter(|entry| fs::read_link(entry.path().join("cwd")).is_ok_and(|cwd| cwd == folder));
    assert_eq!(there.map(|entry| entry.file_name()).collect::<Vec<_>>(), Vec::<OsString>::new());
}

#[tokio::test]
async fn a_flood_is_cut_in_the_middle_and_counted() {
    let stage = RunFixture::new();
    let ran = stage.line("echo first; yes | head -c 1000000000; echo last").await;
    let half = 16_000;
    let head = format!("first\n{}", "y\n".repeat((half - 6) / 2));
    let tail = format!("{}last\n", "y\n".repeat((half - 5) / 2));
    let gone = 1_000_000_011 - head.len() - tail.len();
    assert_eq!((ran.ended, ran.cut), (RunEnd::Status(0), true));
    assert_eq!(ran.output, format!("{head}[… {gone} bytes …]\n{tail}"));
}

#[tokio::test]
async fn a_run_that_is_dropped_takes_everything_with_it() {
    let stage = RunFixture::new();
    let line = "trap '' TERM; (setsid sh -c 'echo $$ > inner.new; mv inner.new inner; sleep 100000') & \
                while [ ! -f inner ]; do sleep 0.01; done; echo $$ > outer.new; mv outer.new outer; sleep 100000; wait";
    let run = RunFixture::quiet(line);
    let outer = stage.folder().join("outer");
    let begun = until(|| outer.exists());
    tokio::select! {
        ran = stage.run(&run) => panic!("it came to an end by itself: {ran:?}"),
        () = begun => {}
    }
    let pids = ["inner", "outer"].map(|name| fs::read_to_string(stage.folder().join(name)).unwrap());
    until(|| pids.iter().all(|pid| !is_alive(pid)) && stage.scratch().is_empty()).await;
}

async fn until(happened: impl Fn() -> bool) {
    let looking = async {
        while !happened() {
            tokio::time::sleep(Duration::from_millis(10)).await;
        }
    };
    tokio::time::timeout(SAFETY_NET, looking).await.expect("it does not come about");
}

#[tokio::test]
async fn many_runs_at_once_do_not_meet() {
    let stage = RunFixture::new();
    let line =
        |name: &str| RunFixture::quiet(&format!("echo {name} > $TMPDIR/f; sleep 0.2; cat $TMPDIR/f; ls $TMPDIR"));
    let (a, b, c) = (line("a"), line("b"), line("c"));
    let (a, b, c) = tokio::join!(stage.run(&a), stage.run(&b), stage.run(&c));
    let outputs = [a, b, c].map(|ran| ran.unwrap().output);
    assert_eq!(outputs, ["a\nf\n", "b\nf\n", "c\nf\n"]);
    assert_eq!(stage.scratch(), Vec::<OsString>::new());
}

#[tokio::test]
async fn secrets_and_sequences_for_a_terminal_do_not_come_out() {
    let ran = RunFixture::new().line("printf '\\033[31mred\\033[0m AKIA%s\\n' Q3EGRWZ7KP2LXNV4").await;
    assert_eq!(told(&ran), (RunEnd::Status(0), "red [secret]\n"));
}

/// Before version 6 of Landlock a thread of the keeper can be signalled by its own name.
#[tokio::test]
async fn a_command_that_ends_its_keeper_is_ended_and_told_and_nobody_waits_for_it() {
    let mut stage = RunFixture::new();
    stage.runner.newest = 5;
    let each = "for thread in /proc/$PPID/task/*; do kill -9 ${thread##*/}; done 2> /dev/null; sleep 0.02";
    let line = format!("sleep 100000 & echo $! > pid; while :; do {each}; done");
    let ran = stage.run(&Run { seconds: 60, ..RunFixture::quiet(&line) }).await;
    let Err(Fault::System { why, .. }) = ran else { panic!("it has a keeper: {ran:?}") };
    assert_eq!(why, "the keeper of the command is gone");
    let pid = fs::read_to_string(stage.folder().join("pid")).unwrap();
    for _ in 0..100 {
        if !is_alive(&pid) {
            return;
        }
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    panic!("it lives on");
}
