//! Servers over HTTP that do not behave: each is told in words that help, and none takes the session with it
//! (requirements, section 4, item 10; peers, row 25).

use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use enza_workshop::servers::{HttpFailure, Server, ServerError, ServerStatus};
use serde_json::json;

use crate::servers::fixture::ServersFixture;
use crate::servers::station::{Ending, Heard, Reply, Station, ordinary};

/// A server that answers its introduction so.
fn from_the_start(reply: impl Fn() -> Reply + Send + Sync + 'static) -> Station {
    Station::by(move |_| reply())
}

/// A server that behaves until a tool is called.
fn at_a_call(reply: impl Fn(&Heard) -> Reply + Send + Sync + 'static) -> Station {
    Station::by(move |heard| if heard.method() == Some("tools/call") { reply(heard) } else { ordinary(heard) })
}

async fn told(station: &Station) -> String {
    ServersFixture::at(&station.url(), |_| {}).used("one/echo", json!({})).await.unwrap_err()
}

#[tokio::test]
async fn a_server_that_cannot_be_reached_is_told_by_its_host() {
    let closed = std::net::TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap();
    let house = ServersFixture::at(&format!("http://{closed}/secret/path?x=1"), |_| {});
    let told = house.used("one/echo", json!({})).await.unwrap_err();
    assert!(told.starts_with(&format!("{closed} could not be reached: ")) && !told.contains("path"), "{told}");
    assert!(told.ends_with("Check the url in the settings, the network and the proxy."), "{told}");
}

#[tokio::test]
async fn a_server_that_does_not_let_us_in_names_the_variable_to_look_at() {
    let station = from_the_start(|| Reply::Whole(401, vec![("WWW-Authenticate", "Bearer".to_owned())], String::new()));
    assert!(told(&station).await.contains("(HTTP 401). If it wants a key, write for example Authorization"));
    let house = ServersFixture::at(&station.url(), |server| {
        server.headers.insert("Authorization".to_owned(), "Bearer ${KEY}".to_owned());
    });
    let told = house.opened().await.remove("one").unwrap().unwrap_err().say(house.terms.lang);
    assert!(told.contains("Check that the value of KEY is right") && !told.contains("q8Zr1vT4bN6k"), "{told}");
}

#[tokio::test]
async fn an_error_is_told_with_its_status_and_without_our_secret() {
    let station = at_a_call(|heard| {
        let said = format!("no such key: {}", heard.headers["authorization"]);
        Reply::Whole(500, vec![("Content-Type", "text/plain".to_owned())], said)
    });
    let house = ServersFixture::at(&station.url(), |server| {
        server.headers.insert("Authorization".to_owned(), "Bearer ${KEY}".to_owned());
    });
    let told = house.used("one/echo", json!({})).await.unwrap_err();
    assert!(told.contains("HTTP 500 no such key: Bearer [secret]\n") && told.contains("try again later"), "{told}");
}

#[tokio::test]
async fn a_refusal_in_the_protocols_own_words_is_told_in_them_even_if_it_names_no_request() {
    let station = at_a_call(|_| {
        let error = json!({ "jsonrpc": "2.0", "id": null, "error": { "code": -32600, "message": "not today" } });
        Reply::Whole(400, vec![("Content-Type", "application/json".to_owned())], error.to_string())
    });
    assert_eq!(told(&station).await, "The tool says: not today");
}

#[tokio::test]
async fn what_does_not_speak_the_protocol_is_told() {
    let kinds =
        [("text/html", "<h1>Welcome</h1>"), ("application/json", "<h1>Welcome</h1>"), ("application/json", "{}")];
    for (kind, body) in kinds {
        let station = from_the_start(|| Reply::Whole(200, vec![("Content-Type", kind.to_owned())], body.to_owned()));
        let told = told(&station).await;
        assert!(told.contains("does not speak MCP over streamable HTTP") && told.contains("/mcp"), "{kind}: {told}");
    }
    let station = from_the_start(|| Reply::Pieces("text/event-stream", vec!["data: hello\n\n".into()], Ending::Whole));
    assert!(told(&station).await.contains("does not speak MCP"));
}

#[tokio::test]
async fn an_answer_without_end_is_cut_off() {
    let million = "x".repeat(1 << 20);
    // One whose events have names could be taken up again, and again.
    let named = "id: 1\ndata: {}\n\ndata: ";
    for (kind, begin) in [("application/json", "\""), ("text/event-stream", "data: "), ("text/event-stream", named)] {
        let pieces = [vec![begin.to_owned()], vec![million.clone(); 20]].concat();
        let station = at_a_call(move |_| Reply::Pieces(kind, pieces.clone(), Ending::Whole));
        let told = told(&station).await;
        assert!(told.starts_with("The answer had more than 16777216 bytes"), "{kind}: {told}");
        assert!(!station.asked().contains(&"GET".to_owned()), "{kind}: it is not asked for the rest");
    }
}

#[tokio::test]
async fn a_connection_that_breaks_in_the_middle_is_told_and_the_call_is_not_made_again() {
    for (kind, piece) in [("application/json", "{\"jsonrpc\""), ("text/event-stream", "data: {\"json")] {
        let station = at_a_call(move |_| Reply::Pieces(kind, vec![piece.to_owned()], Ending::CutOff));
        let told = told(&station).await;
        assert!(
            told.starts_with("The connection broke in the middle") && told.contains("is not known"),
            "{kind}: {told}"
        );
        assert_eq!(station.asked().iter().filter(|asked| *asked == "tools/call").count(), 1, "{kind}");
    }
}

#[tokio::test]
async fn a_stream_that_breaks_off_again_and_again_is_not_asked_for_in_a_hurry() {
    let station = Station::by(|heard| match (heard.verb.as_str(), heard.method()) {
        ("GET", _) | (_, Some("tools/call")) => {
            Reply::Pieces("text/event-stream", vec!["id: 1\ndata: {}\n\n".to_owned()], Ending::CutOff)
        }
        _ => ordinary(heard),
    });
    let house = ServersFixture::under(&station.url(), |terms| terms.patience = Duration::from_secs(2));
    let told = house.used("one/echo", json!({})).await.unwrap_err();
    assert!(told.starts_with("No answer in 2 s"), "{told}");
    let resumed = station.asked().iter().filter(|asked| *asked == "GET").count();
    assert!((1..=8).contains(&resumed), "{resumed} times");
}

#[tokio::test]
async fn a_server_that_is_too_slow_runs_out_of_time() {
    let station = at_a_call(|_| Reply::Silence(Duration::from_secs(30)));
    let house = ServersFixture::under(&station.url(), |terms| terms.patience = Duration::from_secs(1));
    let began = Instant::now();
    let told = house.used("one/echo", json!({})).await.unwrap_err();
    assert!(told.starts_with("No answer in 1 s, so the connection was closed."), "{told}");
    assert!(began.elapsed() < Duration::from_secs(20));
}

/// A program that falls is left alone, so that nothing is started again and again; an address starts nothing.
#[tokio::test]
async fn a_server_over_http_is_tried_again_at_every_use() {
    let calls = AtomicUsize::new(0);
    let station = Station::by(move |heard| match heard.method() {
        Some("tools/call") if calls.fetch_add(1, Ordering::Relaxed) < 3 => Reply::Whole(502, Vec::new(), String::new()),
        _ => ordinary(heard),
    });
    let house = ServersFixture::at(&station.url(), |_| {});
    for _ in 0..3 {
        let told = house.used("one/echo", json!({"text": "now"})).await.unwrap_err();
        assert!(told.contains("HTTP 502"), "{told}");
        assert_eq!(house.servers.standing(&house.session), [("one".to_owned(), ServerStatus::Resting)].into());
    }
    assert_eq!(house.used("one/echo", json!({"text": "now"})).await, Ok("now".to_owned()));
}

#[tokio::test]
async fn one_that_is_down_keeps_no_other_from_being_offered() {
    let (well, down) = (Station::by(ordinary), from_the_start(|| Reply::Whole(503, Vec::new(), String::new())));
    let house = ServersFixture::under(&well.url(), |terms| {
        let one = terms.servers["one"].clone();
        terms.servers.insert("down".to_owned(), Server { url: Some(down.url()), ..one });
    });
    let opened = house.opened().await;
    assert!(opened["one"].is_ok());
    let expected = HttpFailure::Answered { status: 503, said: String::new() };
    assert_eq!(opened["down"], Err(ServerError::Lost(expected)));
}
