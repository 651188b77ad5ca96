//! People who speak in sessions, and watchers who listen.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::{Duration, SystemTime, UNIX_EPOCH};

use reqwest::{Client, StatusCode};
use serde_json::{Value, json};
use tokio::io::{AsyncBufReadExt as _, AsyncWriteExt as _, BufReader};
use tokio::net::TcpStream;
use tokio::task::JoinSet;
use tokio::time::{Instant, sleep_until, timeout};

use super::{Options, ServerProcess};
use crate::models::plain_client;

/// How long a watcher waits for the last events after everyone has fallen silent.
const LAST: Duration = Duration::from_secs(30);

/// What all watchers heard.
#[derive(Default)]
pub struct WatchStats {
    /// Words that were accepted.
    pub turns: u64,
    /// Words that came while the session was at work, and were refused.
    pub refused: u64,
    /// Events that a watcher did not hear.
    pub lost: u64,
    /// Events that a watcher heard again.
    pub repeated: u64,
    /// From decision to delivery, of every event that was decided while it was watched.
    pub latencies: Vec<Duration>,
}

/// Opens sessions.
pub async fn open(server: &ServerProcess, sessions: usize) -> Vec<String> {
    let client = plain_client(1);
    let mut ids = Vec::with_capacity(sessions);
    for _ in 0..sessions {
        let new = json!({ "application": "till", "command": { "open": { "budget": null, "floor": "none" } } });
        let request = client.post(format!("http://{}/api/sessions", server.address)).bearer_auth(&server.token);
        let begun: Value = request.json(&new).send().await.expect("an answer").json().await.expect("JSON");
        ids.push(begun["id"].as_str().unwrap_or_else(|| panic!("{begun}")).to_owned());
    }
    ids
}

/// Watches while people speak; then waits until everyone has heard everything.
pub async fn watch(server: &ServerProcess, ids: &[String], wish: &Options) -> WatchStats {
    let silent = Arc::new(AtomicBool::new(false));
    // The head of each session, known once everyone is silent.
    let heads: Arc<Vec<AtomicU64>> = Arc::new(ids.iter().map(|_| AtomicU64::new(0)).collect());
    let mut watching = JoinSet::new();
    for number in 0..wish.watchers {
        let place = number % ids.len();
        let stream = listen(server, &ids[place]).await;
        watching.spawn(hear(stream, place, heads.clone(), silent.clone()));
    }
    let until = Instant::now() + Duration::from_secs(wish.seconds);
    let client = plain_client(ids.len());
    let mut speaking = JoinSet::new();
    for (place, id) in ids.iter().enumerate() {
        let words =
            client.post(format!("http://{}/api/sessions/{id}/commands", server.address)).bearer_auth(&server.token);
        let words = words.json(&json!({ "say": { "text": "One of the usual, please." } }));
        let pause = Duration::from_millis(wish.pause);
        // Not all at the same moment.
        let first = Instant::now() + pause.mul_f64(place as f64 / ids.len() as f64);
        speaking.spawn(speak(words, first, pause, until));
    }
    let mut all = WatchStats::default();
    while let Some(spoke) = speaking.join_next().await {
        let (turns, refused) = spoke.expect("a person");
        all.turns += turns;
        all.refused += refused;
    }
    for (place, id) in ids.iter().enumerate() {
        heads[place].store(at_rest(&client, server, id).await, Ordering::Relaxed);
    }
    silent.store(true, Ordering::Relaxed);
    while let Some(heard) = watching.join_next().await {
        let heard = heard.expect("a watcher");
        all.lost += heard.lost;
        all.repeated += heard.repeated;
        all.latencies.extend(heard.latencies);
    }
    all
}

/// Says something again and again.
async fn speak(words: reqwest::RequestBuilder, first: Instant, pause: Duration, until: Instant) -> (u64, u64) {
    let (mut turns, mut refused, mut next) = (0, 0, first);
    while next < until {
        sleep_until(next).await;
        next += pause;
        let answer = words.try_clone().expect("a plain body").send().await.expect("an answer");
        match answer.status() {
            StatusCode::OK => turns += 1,
            StatusCode::CONFLICT => refused += 1,
            other => panic!("{other}: {}", answer.text().await.unwrap_or_default()),
        }
    }
    (turns, refused)
}

/// The last event of a session, once it has nothing more to do.
async fn at_rest(client: &Client, server: &ServerProcess, id: &str) -> u64 {
    loop {
        let request = client.get(format!("http://{}/api/sessions/{id}", server.address)).bearer_auth(&server.token);
        let shown: Value = request.send().await.expect("an answer").json().await.expect("JSON");
        if shown["phase"] != "working" {
            return shown["head"].as_u64().expect("a number");
        }
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
}

/// Opens a stream. An answer of HTTP/1.0 comes without chunks, so that its lines are the stream's.
async fn listen(server: &ServerProcess, id: &str) -> BufReader<TcpStream> {
    let mut stream = TcpStream::connect(&server.address).await.expect("a connection");
    let request = format!(
        "GET /api/sessions/{id}/live HTTP/1.0\r\nhost: {}\r\nauthorization: Bearer {}\r\n\r\n",
        server.address, server.token
    );
    stream.write_all(request.as_bytes()).await.expect("sent");
    let mut stream = BufReader::new(stream);
    let mut line = String::new();
    stream.read_line(&mut line).await.expect("an answer");
    assert!(line.contains(" 200 "), "{line}");
    stream
}

/// Hears events until everyone is silent and the last one was heard.
async fn hear(
    mut stream: BufReader<TcpStream>,
    place: usize,
    heads: Arc<Vec<AtomicU64>>,
    silent: Arc<AtomicBool>,
) -> WatchStats {
    let (mut heard, mut last, mut line, mut end) = (WatchStats::default(), 0, Vec::new(), None);
    let began = since_epoch();
    loop {
        if silent.load(Ordering::Relaxed) {
            let head = heads[place].load(Ordering::Relaxed);
            if last >= head || *end.get_or_insert_with(|| Instant::now() + LAST) <= Instant::now() {
                heard.lost += head.saturating_sub(last);
                return heard;
            }
        }
        // What was read of a line stays in `line` when the time is over.
        match timeout(Duration::from_millis(200), stream.read_until(b'\n', &mut line)).await {
            Err(_) => continue,
            Ok(Ok(0)) | Ok(Err(_)) => panic!("a stream broke off after event {last}"),
            Ok(Ok(_)) => {}
        }
        if let Some((seq, at)) = event(&line) {
            match seq {
                repeated if repeated <= last => heard.repeated += 1,
                next => heard.lost += next - last - 1,
            }
            last = last.max(seq);
            if at > began {
                heard.latencies.push(since_epoch().saturating_sub(at));
            }
        }
        line.clear();
    }
}

/// The number and the time of an event, where the line has one.
fn event(line: &[u8]) -> Option<(u64, Duration)> {
    let line = std::str::from_utf8(line).ok()?;
    let rest = line.strip_prefix("data: {\"seq\":")?;
    let (seq, rest) = rest.split_once(",\"at\":")?;
    let (at, _) = rest.split_once(',')?;
    Some((seq.parse().ok()?, Duration::from_millis(at.parse().ok()?)))
}

fn since_epoch() -> Duration {
    SystemTime::now().duration_since(UNIX_EPOCH).expect("a clock")
}
