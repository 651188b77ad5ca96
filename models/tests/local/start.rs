//! Servers that do not start: they die, are killed, never become ready, or are not there. Shell scripts stand in.

use std::fs;
use std::path::{Path, PathBuf};
use std::time::Duration;

use enza_models::local::folder::ServerBinary;
use enza_models::local::launcher::Launcher;
use enza_models::local::machine::{CpuSession, Plan};
use enza_models::local::server::{Ending, Phase, RestartPolicy, Server, ServerError, Setup};

use crate::local::fixture::{has_ended, script, until};

pub fn setup(folder: &Path, program: PathBuf) -> Setup {
    Setup {
        binary: ServerBinary { program, library_folder: None, version: None },
        weights: folder.join("tiny.gguf"),
        plan: Plan {
            threads: 2,
            context: 1024,
            slots: 2,
            spin: 1_000,
            session: CpuSession::Own,
            repack: true,
            parking: 64 << 20,
            memory: 0,
        },
        launcher: Launcher::Tethered {
            program: env!("CARGO_BIN_EXE_tether").into(),
            first_arguments: vec!["launch".into()],
        },
        log: folder.join("logs/server.log"),
        patience: RestartPolicy { pause: Duration::from_millis(10), ..RestartPolicy::default() },
    }
}

fn server(folder: &Path, body: &str) -> Server {
    Server::new(setup(folder, script(folder, "llama-server", body)))
}

/// What it said about its port was lost with it.
#[tokio::test]
async fn a_server_that_ends_without_a_word_is_started_once_more() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(folder.path(), "exit 1\n");
    assert!(matches!(server.endpoint().await, Err(ServerError::DiedStarting { .. })));
    assert_eq!(server.starts().await, 2);
}

#[tokio::test]
async fn a_server_that_dies_while_it_starts_is_told_with_its_last_words() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(folder.path(), "echo loading; echo 'no such weights' >&2; exit 3\n");
    let log = folder.path().join("logs/server.log");
    let last_lines = vec!["loading".to_owned(), "no such weights".to_owned()];
    let trouble = ServerError::DiedStarting { ending: Ending::Exited { status: 3 }, log, last_lines };
    assert_eq!(server.endpoint().await, Err(trouble));
    assert_eq!((server.process().await, server.starts().await), (None, 1));
}

#[tokio::test]
async fn the_signal_that_ended_a_server_is_explained() {
    let signals =
        [("ILL", Ending::IllegalInstruction), ("KILL", Ending::Killed), ("TERM", Ending::Signalled { signal: 15 })];
    for (signal, ending) in signals {
        let folder = tempfile::tempdir().unwrap();
        let server = server(folder.path(), &format!("kill -{signal} $$\n"));
        let log = folder.path().join("logs/server.log");
        assert_eq!(server.endpoint().await, Err(ServerError::DiedStarting { ending, log, last_lines: vec![] }));
    }
}

#[tokio::test]
async fn a_server_that_never_becomes_ready_is_ended() {
    let folder = tempfile::tempdir().unwrap();
    let body = format!("echo thinking; echo $$ > '{}/process'; exec sleep 600\n", folder.path().display());
    let program = script(folder.path(), "llama-server", &body);
    // Long enough for the script to have said its word on a busy machine.
    let patience = Duration::from_secs(15);
    let mut setup = setup(folder.path(), program);
    setup.patience.ready_within = patience;
    let server = Server::new(setup);
    let phases = std::sync::Mutex::new(Vec::new());
    let came = server.endpoint_watched(&|waiting| phases.lock().unwrap().push(waiting.phase)).await;
    let Err(ServerError::NotReady { waited, log, last_lines }) = came else { panic!("{came:?}") };
    assert!(waited >= patience);
    assert_eq!((log, last_lines), (folder.path().join("logs/server.log"), vec!["thinking".to_owned()]));
    let phases = phases.into_inner().unwrap();
    assert!(!phases.is_empty() && phases.iter().all(|phase| *phase == Phase::Starting), "{phases:?}");
    let process = fs::read_to_string(folder.path().join("process")).unwrap().trim().parse().unwrap();
    until(|| has_ended(process)).await;
    // The next one who asks gets a new start, not the end of the last.
    assert!(matches!(server.endpoint().await, Err(ServerError::NotReady { .. })));
    assert_eq!(server.starts().await, 2);
}

#[tokio::test]
async fn a_program_that_is_not_there_is_told() {
    let folder = tempfile::tempdir().unwrap();
    let program = folder.path().join("absent");
    let mut setup = setup(folder.path(), program.clone());
    setup.launcher = Launcher::Direct;
    let came = Server::new(setup).endpoint().await;
    let cause = "No such file or directory (os error 2)".to_owned();
    assert_eq!(came, Err(ServerError::CannotStart { program, launcher: Launcher::Direct, cause }));
}

#[tokio::test]
async fn the_log_before_is_kept_and_the_key_is_in_no_command_line() {
    let folder = tempfile::tempdir().unwrap();
    let body = r#"echo "$@"; [ ${#LLAMA_API_KEY} = 64 ] && echo "a key of 64 letters"
case "$*" in *$LLAMA_API_KEY*) echo "the key is shown";; esac
exit 1
"#;
    let server = server(folder.path(), body);
    for _ in 0..2 {
        server.endpoint().await.unwrap_err();
    }
    let read = |name: &str| fs::read_to_string(folder.path().join("logs").join(name)).unwrap();
    let weights = folder.path().join("tiny.gguf").display().to_string();
    for log in [read("server.log"), read("server.log.1")] {
        let mut words: Vec<&str> = log.lines().next().unwrap().split(' ').collect();
        let port = words.iter().position(|word| *word == "--port").unwrap() + 1;
        assert!(words[port].parse::<u16>().is_ok(), "{log}");
        words[port] = "PORT";
        let expected = format!(
            "--model {weights} --host 127.0.0.1 --port PORT --threads 2 --parallel 2 --ctx-size 2048 --cache-ram 64 \
             --cache-reuse 0 --cache-prompt --jinja --no-webui --no-slots --offline"
        );
        assert_eq!(
            (words.join(" "), log.lines().nth(1), log.lines().count()),
            (expected, Some("a key of 64 letters"), 2)
        );
    }
}

/// Its threads used to spin for milliseconds wherever they waited, and it was one program among all of Enza's session.
#[tokio::test]
async fn a_busy_computer_does_not_starve_a_server_whose_threads_soon_sleep_and_whose_session_is_its_own() {
    let body = "echo \"$OMP_WAIT_POLICY $GOMP_SPINCOUNT\"; read -r _ _ _ _ _ session _ < /proc/$$/stat\n\
        [ \"$session\" = $$ ] && echo own || echo shared\nexit 1\n";
    for (spin, session, told) in
        [(1_000, CpuSession::Own, ["passive 1000", "own"]), (300_000, CpuSession::Shared, ["passive 300000", "shared"])]
    {
        let folder = tempfile::tempdir().unwrap();
        let mut setup = setup(folder.path(), script(folder.path(), "llama-server", body));
        setup.plan = Plan { spin, session, ..setup.plan };
        let came = Server::new(setup).endpoint().await;
        let Err(ServerError::DiedStarting { last_lines, .. }) = came else { panic!("{came:?}") };
        assert_eq!(last_lines, told);
    }
}

#[tokio::test]
async fn a_server_that_was_stopped_stays_so() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(folder.path(), "exit 1\n");
    server.stop().await;
    assert_eq!(server.endpoint().await, Err(ServerError::Stopped));
    assert_eq!(server.starts().await, 0);
}

#[tokio::test]
async fn a_start_that_is_under_way_hears_of_the_stop() {
    let folder = tempfile::tempdir().unwrap();
    let server = server(folder.path(), "exec sleep 600\n");
    let (came, ()) = tokio::join!(server.endpoint(), async {
        tokio::task::yield_now().await;
        server.stop().await;
    });
    assert_eq!(came, Err(ServerError::Stopped));
    assert_eq!((server.process().await, server.starts().await), (None, 1));
}

#[tokio::test]
async fn a_stranger_who_answers_on_our_port_is_not_taken_for_the_server() {
    let folder = tempfile::tempdir().unwrap();
    // Answers whatever it is asked, politely, and knows no key and no weights.
    let stranger = r#"import http.server, sys
class Polite(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200)
        self.end_headers()
        self.wfile.write(b"{}")
http.server.HTTPServer(("127.0.0.1", int(sys.argv[1])), Polite).serve_forever()
"#;
    fs::write(folder.path().join("stranger.py"), stranger).unwrap();
    let body = format!("exec python3 '{}/stranger.py' $6\n", folder.path().display());
    let server = server(folder.path(), &body);
    let came = server.endpoint().await;
    let Err(ServerError::PortsTaken { tried, log }) = came else { panic!("{came:?}") };
    assert_eq!((tried.len(), log), (5, folder.path().join("logs/server.log")));
    assert_eq!((server.process().await, server.starts().await), (None, 5));
}
