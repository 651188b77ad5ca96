//! Servers over HTTP that behave: what they offer, what they are sent, and how a conversation ends and goes on
//! (requirements, section 4, item 10; peers, row 25).

use std::sync::atomic::{AtomicUsize, Ordering};

use enza_workshop::servers::{ServerError, ServerStatus};
use serde_json::json;

use crate::servers::fixture::ServersFixture;
use crate::servers::station::{Ending, Reply, Station, echoed, ordinary};

#[tokio::test]
async fn tools_over_http_are_offered_and_used_in_one_session_that_is_taken_leave_of() {
    let station = Station::by(ordinary);
    let house = ServersFixture::at(&station.url(), |_| {});
    let opened = house.opened().await;
    assert_eq!(opened["one"].as_ref().unwrap()[0].name, "one/echo");
    assert_eq!(house.used("one/echo", json!({"text": "こんにちは"})).await, Ok("こんにちは".to_owned()));
    assert_eq!(house.servers.standing(&house.session), [("one".to_owned(), ServerStatus::Running)].into());
    house.servers.close_all().await;
    let all = ["initialize", "notifications/initialized", "tools/list", "tools/call", "DELETE"];
    assert_eq!(station.asked(), all);
    for heard in station.heard().iter().skip(1) {
        assert_eq!(heard.headers["mcp-session-id"], "session-1", "{heard:?}");
        assert!(heard.headers["mcp-protocol-version"].starts_with("20"), "{heard:?}");
    }
}

#[tokio::test]
async fn an_answer_may_come_as_events_behind_other_news() {
    let station = Station::by(|heard| match heard.method() {
        Some("tools/call") => {
            let news = json!({ "jsonrpc": "2.0", "method": "notifications/message", "params": { "level": "info", "data": 1 } });
            let events =
                [format!(": hello\n\ndata: {news}\n\n"), format!("data: {}\n\n", heard.message(&echoed(heard)))];
            Reply::Pieces("text/event-stream; charset=utf-8", events.into(), Ending::Whole)
        }
        _ => ordinary(heard),
    });
    let house = ServersFixture::at(&station.url(), |_| {});
    assert_eq!(house.used("one/echo", json!({"text": "in pieces"})).await, Ok("in pieces".to_owned()));
}

#[tokio::test]
async fn a_stream_that_broke_off_is_taken_up_where_it_was_and_the_call_is_not_made_again() {
    let station = Station::by(|heard| match (heard.verb.as_str(), heard.method()) {
        (_, Some("tools/call")) => {
            let first = "id: 7\ndata: {\"jsonrpc\":\"2.0\",\"method\":\"notifications/tools/list_changed\"}\n\n";
            Reply::Pieces("text/event-stream", vec![first.to_owned()], Ending::CutOff)
        }
        ("GET", _) => {
            // The call was the third request, counted from nought.
            let message = json!({ "jsonrpc": "2.0", "id": 1, "result": { "content": [{ "type": "text", "text": "after all" }] } });
            Reply::Pieces("text/event-stream", vec![format!("data: {message}\n\n")], Ending::Whole)
        }
        _ => ordinary(heard),
    });
    let house = ServersFixture::at(&station.url(), |_| {});
    assert_eq!(house.used("one/echo", json!({})).await, Ok("after all".to_owned()));
    let heard = station.heard();
    let resumed = heard.iter().find(|heard| heard.verb == "GET").unwrap();
    assert_eq!((resumed.headers["last-event-id"].as_str(), &*resumed.headers["mcp-session-id"]), ("7", "session-1"));
    assert_eq!(station.asked().iter().filter(|asked| *asked == "tools/call").count(), 1);
}

#[tokio::test]
async fn a_session_that_was_lost_is_begun_anew_once() {
    let calls = AtomicUsize::new(0);
    let station = Station::by(move |heard| match heard.method() {
        Some("tools/call") if calls.fetch_add(1, Ordering::Relaxed) == 0 => {
            Reply::Whole(404, Vec::new(), String::new())
        }
        _ => ordinary(heard),
    });
    let house = ServersFixture::at(&station.url(), |_| {});
    assert_eq!(house.used("one/echo", json!({"text": "still here"})).await, Ok("still here".to_owned()));
    let begin = ["initialize", "notifications/initialized", "tools/call"];
    assert_eq!(station.asked(), [begin, begin].concat());

    let station = Station::by(|heard| match heard.method() {
        Some("tools/call") => Reply::Whole(404, Vec::new(), String::new()),
        _ => ordinary(heard),
    });
    let house = ServersFixture::at(&station.url(), |_| {});
    let told = house.used("one/echo", json!({})).await.unwrap_err();
    assert!(told.contains("HTTP 404") && told.contains("Check the url"), "{told}");
    assert_eq!(station.asked().iter().filter(|asked| *asked == "tools/call").count(), 2);
}

#[tokio::test]
async fn a_server_without_sessions_is_used_without_one() {
    let station = Station::by(|heard| match (ordinary(heard), heard.method()) {
        (Reply::Whole(status, headers, body), Some("initialize")) => {
            Reply::Whole(status, headers.into_iter().filter(|(name, _)| *name == "Content-Type").collect(), body)
        }
        (reply, _) => reply,
    });
    let house = ServersFixture::at(&station.url(), |_| {});
    assert_eq!(house.used("one/echo", json!({"text": "alone"})).await, Ok("alone".to_owned()));
    house.servers.close_all().await;
    assert_eq!(station.asked(), ["initialize", "notifications/initialized", "tools/call"]);
    assert!(station.heard().iter().all(|heard| !heard.headers.contains_key("mcp-session-id")));
}

#[tokio::test]
async fn headers_have_the_values_of_variables_and_what_the_server_says_has_them_masked() {
    let station = Station::by(|heard| match heard.method() {
        Some("tools/call") => {
            let key = &heard.headers["authorization"];
            heard.result(&json!({ "content": [{ "type": "text", "text": format!("you are {key}") }] }))
        }
        _ => ordinary(heard),
    });
    let house = ServersFixture::at(&station.url(), |server| {
        server.headers.insert("Authorization".to_owned(), "Bearer ${KEY}".to_owned());
        server.headers.insert("Team".to_owned(), "blue".to_owned());
    });
    assert_eq!(house.used("one/echo", json!({})).await, Ok("you are Bearer [secret]".to_owned()));
    for heard in station.heard() {
        let sent = ["authorization", "team"].map(|name| heard.headers[name].as_str());
        assert_eq!(sent, ["Bearer q8Zr1vT4bN6k", "blue"], "{heard:?}");
    }
    let house = ServersFixture::at(&station.url(), |server| {
        server.headers.insert("X-Key".to_owned(), "${ABSENT}".to_owned());
    });
    assert_eq!(house.opened().await["one"], Err(ServerError::NoVariable { name: "ABSENT".to_owned() }));
}

#[tokio::test]
async fn a_redirect_within_the_house_is_followed_and_one_to_another_is_not() {
    let within = Station::by(|heard| match heard.path.as_str() {
        "/mcp" => Reply::Whole(307, vec![("Location", "/mcp/".to_owned())], String::new()),
        _ => ordinary(heard),
    });
    let house = ServersFixture::at(&within.url(), |_| {});
    assert_eq!(house.used("one/echo", json!({"text": "next door"})).await, Ok("next door".to_owned()));

    let other = Station::by(ordinary);
    let there = other.url();
    let away = Station::by(move |_| Reply::Whole(308, vec![("Location", there.clone())], String::new()));
    let house = ServersFixture::at(&away.url(), |server| {
        server.headers.insert("Authorization".to_owned(), "Bearer ${KEY}".to_owned());
    });
    let told = house.used("one/echo", json!({})).await.unwrap_err();
    assert!(told.contains(&format!("points elsewhere (http://{})", other.address)), "{told}");
    assert_eq!(other.asked(), Vec::<String>::new(), "the key goes nowhere else");
}
