//! The real server with the small weights: started once, kept, killed, started again, and never left behind.

use std::fs;
use std::io::{BufRead as _, BufReader};
use std::net::TcpListener;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

use enza_models::local::folder::{ModelFolder, ServerBinary, find_server};
use enza_models::local::gguf;
use enza_models::local::machine::{Machine, Settings, plan};
use enza_models::local::pullable::small_weights;
use enza_models::local::server::{Ending, Endpoint, Server, ServerError, Setup};
use rustix::process::{Pid, Signal, kill_process};

use crate::local::fixture::{has_ended, script, until};
use crate::local::start;

/// The real server and the small weights.
fn real() -> (ServerBinary, PathBuf) {
    let folder = std::env::var_os("ENZA_MODELS").expect("run testing/model first: ENZA_MODELS names no folder");
    let model_folder = ModelFolder::new(folder);
    let binary = find_server(&model_folder, None).expect("run testing/model first: there is no llama-server");
    let weights = model_folder.weights(&small_weights().name);
    assert!(weights.exists(), "run testing/model first: there is no {}", weights.display());
    (binary, weights)
}

fn setup(folder: &Path) -> Setup {
    let (binary, weights) = real();
    Setup { binary, weights, ..start::setup(folder, PathBuf::new()) }
}

/// Asks for one token, and says the status.
async fn chat(endpoint: &Endpoint, key: &str) -> u16 {
    let body = serde_json::json!({ "messages": [{ "role": "user", "content": "Hello" }], "max_tokens": 1 });
    let client = reqwest::Client::builder().no_proxy().build().unwrap();
    let asked = client.post(format!("{}/v1/chat/completions", endpoint.base_url)).bearer_auth(key).json(&body);
    asked.send().await.unwrap().status().as_u16()
}

async fn kill(server: &Server) {
    let process = server.process().await.expect("a process to kill");
    kill_process(Pid::from_raw(process.cast_signed()).unwrap(), Signal::KILL).unwrap();
    // Dead is not enough: the server must have taken note of it.
    let noted = async {
        while server.process().await.is_some() {
            tokio::task::yield_now().await;
        }
    };
    tokio::time::timeout(Duration::from_secs(60), noted).await.expect("a death to be noted");
}

#[tokio::test]
async fn however_many_ask_first_one_server_is_started_and_it_wants_the_key() {
    let folder = tempfile::tempdir().unwrap();
    let server = Arc::new(Server::new(setup(folder.path())));
    let ask = || {
        let server = Arc::clone(&server);
        tokio::spawn(async move { server.endpoint().await })
    };
    let (one, two, three) = tokio::try_join!(ask(), ask(), ask()).unwrap();
    let endpoint = one.unwrap();
    assert_eq!((two, three), (Ok(endpoint.clone()), Ok(endpoint.clone())));
    assert_eq!(server.starts().await, 1);
    assert_eq!(chat(&endpoint, endpoint.key.expose()).await, 200);
    assert_eq!(chat(&endpoint, "another key").await, 401);

    let process = server.process().await.unwrap();
    server.stop().await;
    assert!(has_ended(process));
}

#[tokio::test]
async fn whoever_gives_up_waiting_does_not_end_the_server_for_others() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::new(setup(folder.path()));
    let (began, has_begun) = tokio::sync::oneshot::channel();
    let began = std::sync::Mutex::new(Some(began));
    let on_wait = |_| {
        if let Some(began) = began.lock().unwrap().take() {
            began.send(()).unwrap();
        }
    };
    tokio::select! {
        biased;
        _ = has_begun => {}
        came = server.endpoint_watched(&on_wait) => panic!("ready before anyone waited: {came:?}"),
    }
    server.endpoint().await.unwrap();
    assert_eq!(server.starts().await, 1);
}

#[tokio::test]
async fn a_server_that_was_killed_is_started_again_until_it_happens_too_often() {
    let folder = tempfile::tempdir().unwrap();
    let mut setup = setup(folder.path());
    setup.patience.restarts = 1;
    let within = setup.patience.window;
    let server = Server::new(setup);
    let first = server.endpoint().await.unwrap();
    kill(&server).await;

    let second = server.endpoint().await.unwrap();
    assert_ne!(first.key, second.key);
    assert_eq!(chat(&second, second.key.expose()).await, 200);
    assert_eq!(server.starts().await, 2);
    kill(&server).await;

    for _ in 0..2 {
        let came = server.endpoint().await;
        let Err(ServerError::KeepsDying { deaths, within: told, ending, log, last_lines }) = came else {
            panic!("{came:?}")
        };
        assert_eq!((deaths, told, ending), (2, within, Ending::Killed));
        assert_eq!(log, folder.path().join("logs/server.log"));
        assert!(last_lines.iter().any(|line| line.contains("listening")), "{last_lines:?}");
    }
    assert_eq!(server.starts().await, 2);
}

#[tokio::test]
async fn a_port_that_is_taken_is_left_to_its_owner() {
    let folder = tempfile::tempdir().unwrap();
    let (binary, weights) = real();
    // The first time, somebody takes the port between its choice and the server's start.
    let body = format!(
        r#"export LD_LIBRARY_PATH="{libraries}"
if mkdir "{folder}/once" 2>/dev/null; then
  for word in "$@"; do [ "$before" = --port ] && echo "$word" > "{folder}/chosen"; before="$word"; done
  mv "{folder}/chosen" "{folder}/port"
  until [ -e "{folder}/taken" ]; do sleep 0.01; done
fi
exec "{program}" "$@"
"#,
        libraries = binary.library_folder.clone().unwrap_or_default().display(),
        folder = folder.path().display(),
        program = binary.program.display(),
    );
    let place = folder.path().to_owned();
    let taker = std::thread::spawn(move || {
        let chosen = loop {
            match fs::read_to_string(place.join("port")) {
                Ok(port) => break port,
                Err(_) => std::thread::sleep(Duration::from_millis(5)),
            }
        };
        let taken = TcpListener::bind(format!("127.0.0.1:{}", chosen.trim())).unwrap();
        fs::write(place.join("taken"), "").unwrap();
        taken
    });
    let program = script(folder.path(), "llama-server", &body);
    let server = Server::new(Setup { weights, ..start::setup(folder.path(), program) });
    let endpoint = server.endpoint().await.unwrap();
    assert_eq!(chat(&endpoint, endpoint.key.expose()).await, 200);
    assert_eq!(server.starts().await, 2);
    drop(taker.join().unwrap());
}

#[tokio::test]
async fn damaged_weights_are_told_by_the_server_too() {
    let folder = tempfile::tempdir().unwrap();
    let mut setup = setup(folder.path());
    let whole = fs::read(&setup.weights).unwrap();
    setup.weights = folder.path().join("damaged.gguf");
    fs::write(&setup.weights, &whole[..whole.len() / 2]).unwrap();
    let came = Server::new(setup).endpoint().await;
    let Err(ServerError::DiedStarting { ending: Ending::Exited { status }, last_lines, .. }) = came else {
        panic!("{came:?}")
    };
    assert_eq!(status, 1);
    assert!(last_lines.iter().any(|line| line.contains("not within the file bounds")), "{last_lines:#?}");
}

#[tokio::test]
async fn a_server_goes_with_whoever_drops_it() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::new(setup(folder.path()));
    server.endpoint().await.unwrap();
    let process = server.process().await.unwrap();
    drop(server);
    until(|| has_ended(process)).await;
}

#[tokio::test]
async fn no_server_is_left_behind_by_an_enza_that_was_killed() {
    let folder = tempfile::tempdir().unwrap();
    let (binary, weights) = real();
    let mut enza = Command::new(env!("CARGO_BIN_EXE_tether"))
        .arg("serve")
        .args([&binary.program, &binary.library_folder.unwrap_or_default(), &weights, &folder.path().join("log")])
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = String::new();
    BufReader::new(enza.stdout.take().unwrap()).read_line(&mut said).unwrap();
    let process: u32 = said.trim().parse().expect("the server's process");
    assert!(!has_ended(process));
    // As `kill -9` does: nothing in it gets to run any more.
    enza.kill().unwrap();
    enza.wait().unwrap();
    until(|| has_ended(process)).await;
}

#[tokio::test]
async fn the_small_model_is_fitted_into_this_computer_and_serves() {
    let folder = tempfile::tempdir().unwrap();
    let mut setup = setup(folder.path());
    let shape = gguf::read(&setup.weights).unwrap();
    // 30 layers, 3 heads of 64 numbers, keys and values, 2 bytes each.
    assert_eq!((shape.architecture.as_str(), shape.trained_context), ("llama", 8192));
    assert_eq!(shape.bytes_per_token, 30 * 3 * 64 * 2 * 2);
    let bytes = fs::metadata(&setup.weights).unwrap().len();
    let settings = Settings { slots: Some(1), context: Some(1024), ..Settings::default() };
    setup.plan = plan(Machine::look(), &shape, bytes, settings).unwrap();
    let server = Server::new(setup);
    let endpoint = server.endpoint().await.unwrap();
    assert_eq!(chat(&endpoint, endpoint.key.expose()).await, 200);
}
