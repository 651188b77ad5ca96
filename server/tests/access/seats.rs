//! What those who are in a session may do there, and what becomes of it when a seat is given or taken away.

use std::time::Duration;

use axum::body::BodyDataStream;
use axum::http::Method;
use enza_kernel::testing::till::{Audience, Command, Seat, SeatCommand, Till};
use enza_kernel::text::Lang;
use enza_runtime::seams::store::SessionId;
use futures_util::StreamExt as _;
use serde_json::{Value, json};

use crate::access::readers::Stage;

async fn stage(audience: Audience) -> Stage {
    Stage::new(Till::new(Duration::from_secs(3_600)), audience).await
}

/// A command as a seat holder sends it.
const JOT: &str = r#"{"seats": {"jot": {"text": "two coffees"}}}"#;

impl Stage {
    fn at(&self, rest: &str) -> String {
        format!("/api/sessions/{}{rest}", self.till)
    }

    async fn get(&self, name: Option<&str>, rest: &str) -> (u16, Value) {
        let answer = self.ask(name, &Method::GET, &self.at(rest), "").await;
        (answer.status.as_u16(), answer.json())
    }

    async fn page(&self, name: &str) -> String {
        let cookie = self.server.cookie(name).await;
        self.server.look(&format!("/sessions/{}", self.till), &cookie, Lang::En).await.text()
    }

    /// The feed of a session, open.
    async fn follow(&self, name: Option<&str>, rest: &str) -> BodyDataStream {
        let request = self.request(name, &Method::GET, &self.at(rest), "").await;
        let response = tower::ServiceExt::oneshot(self.server.router.clone(), request).await.expect("never fails");
        assert_eq!(response.status(), 200);
        response.into_body().into_data_stream()
    }
}

/// What a feed says until it is silent or ends, and whether it ended.
async fn drain(feed: &mut BodyDataStream) -> (String, bool) {
    let mut text = String::new();
    loop {
        match tokio::time::timeout(Duration::from_millis(300), feed.next()).await {
            Ok(Some(Ok(bytes))) => text.push_str(&String::from_utf8_lossy(&bytes)),
            Ok(Some(Err(_)) | None) => return (text, true),
            Err(_) => return (text, false),
        }
    }
}

#[tokio::test]
async fn everyone_is_told_who_they_are_and_what_it_cost_is_told_to_the_host() {
    let stage = stage(Audience::Anybody).await;
    for (name, role, seats) in [
        (Some("ada"), "host", json!([])),
        (Some("bob"), "seat_holder", json!(["cashier"])),
        (Some("eve"), "spectator", json!([])),
        (None, "spectator", json!([])),
    ] {
        let (status, found) = stage.get(name, "").await;
        assert_eq!((status, &found["you"]), (200, &json!({ "role": role, "seats": seats })), "{name:?}");
        assert_eq!(found.get("spent").is_some(), role == "host", "{name:?}");
    }
}

#[tokio::test]
async fn a_seat_holder_sends_what_is_theirs_and_nothing_else() {
    let stage = stage(Audience::People).await;
    let commands = stage.at("/commands");
    let sent = stage.ask(Some("bob"), &Method::POST, &commands, JOT).await;
    assert_eq!(sent.status, 200, "{}", sent.text());
    let close = stage.ask(Some("bob"), &Method::POST, &commands, r#""close""#).await;
    assert_eq!((close.status.as_u16(), close.code()), (409, "not-your-part".to_owned()), "the rules say no");
    let watched = stage.ask(Some("eve"), &Method::POST, &commands, JOT).await;
    assert_eq!(
        (watched.status.as_u16(), watched.code()),
        (409, "not-your-part".to_owned()),
        "who watches sends nothing"
    );
    let (_, known) = stage.get(Some("bob"), "").await;
    assert_eq!(known["floor"]["known"][0]["value"], "two coffees");
    let (_, hosts) = stage.get(Some("ada"), "/conversation?limit=100").await;
    assert!(!hosts.to_string().contains("two coffees"));
}

#[tokio::test]
async fn anybody_reads_a_public_session_and_does_nothing_in_it() {
    let stage = stage(Audience::Anybody).await;
    for rest in ["", "/events", "/conversation"] {
        assert_eq!(stage.get(None, rest).await.0, 200, "{rest}");
    }
    let (heard, _) = drain(&mut stage.follow(None, "/live?after=0").await).await;
    assert!(heard.contains("hello") && !heard.contains("\"kind\""), "{heard}");
    for (method, rest) in [
        (Method::GET, "/state"),
        (Method::GET, "/export"),
        (Method::GET, "/prompts/3"),
        (Method::POST, "/commands"),
        (Method::POST, "/fork"),
        (Method::DELETE, ""),
    ] {
        let answer = stage.ask(None, &method, &stage.at(rest), JOT).await;
        assert_eq!((answer.status.as_u16(), answer.code()), (401, "not-signed-in".to_owned()), "{method} {rest}");
    }
    let page = stage.ask(None, &Method::GET, &format!("/sessions/{}", stage.till), "").await;
    assert_eq!(page.status, 200);
    assert!(page.text().contains("hello") && !page.text().contains("name=\"command\""));
}

#[tokio::test]
async fn a_token_that_may_not_read_reads_no_public_session_either() {
    let stage = stage(Audience::Anybody).await;
    let token = stage.server.token("eve", &["write"]).await;
    let answer = stage.server.ask(Method::GET, &stage.at(""), &token, None).await;
    assert_eq!((answer.status.as_u16(), answer.code()), (403, "not-allowed".to_owned()));
}

#[tokio::test]
async fn the_page_offers_each_what_is_theirs() {
    let stage = stage(Audience::People).await;
    stage.send("bob", Command::Seats(SeatCommand::Jot { text: "two coffees".to_owned() })).await;
    let (host, cashier, spectator) = (stage.page("ada").await, stage.page("bob").await, stage.page("eve").await);
    for page in [&host, &cashier, &spectator] {
        assert!(page.contains("hello"), "the talk is everybody's: {page}");
    }
    assert!(host.contains("/fork") && !host.contains("two coffees"));
    assert!(cashier.contains("two coffees") && cashier.contains("jot") && !cashier.contains("/fork"));
    assert!(
        !spectator.contains("two coffees") && !spectator.contains("name=\"command\"") && !spectator.contains("/fork")
    );
}

#[tokio::test]
async fn a_seat_that_is_given_opens_the_session_and_one_that_is_taken_away_closes_it() {
    let stage = stage(Audience::Nobody).await;
    assert_eq!(stage.get(Some("eve"), "").await.0, 404);
    stage.give(Seat::Porter, Some("eve")).await;
    assert_eq!(stage.get(Some("eve"), "").await.1["you"]["seats"], json!(["porter"]));
    assert_eq!(stage.get(Some("cyd"), "").await.0, 404, "whose seat it was is let in no longer");
}

#[tokio::test]
async fn a_feed_ends_with_the_seat_that_opened_it() {
    let stage = stage(Audience::Nobody).await;
    let mut feed = stage.follow(Some("cyd"), "/live?after=0").await;
    assert!(!drain(&mut feed).await.1, "it goes on");
    stage.give(Seat::Porter, None).await;
    stage.send("ada", Command::Say { text: "after closing time".to_owned() }).await;
    let (heard, is_over) = drain(&mut feed).await;
    assert!(is_over && !heard.contains("after closing time") && !heard.contains("gone"), "{heard}");
}

#[tokio::test]
async fn a_feed_shows_a_seat_that_is_given_meanwhile() {
    let stage = stage(Audience::People).await;
    let mut feed = stage.follow(Some("eve"), "/live?after=0").await;
    drain(&mut feed).await;
    stage.send("bob", Command::Seats(SeatCommand::Jot { text: "before".to_owned() })).await;
    let (heard, _) = drain(&mut feed).await;
    assert!(heard.contains("id: ") && !heard.contains("before"), "{heard}");
    stage.give(Seat::Cashier, Some("eve")).await;
    stage.send("eve", Command::Seats(SeatCommand::Jot { text: "since".to_owned() })).await;
    let (heard, _) = drain(&mut feed).await;
    assert!(heard.contains("since"), "{heard}");
}

#[tokio::test]
async fn those_who_are_not_signed_in_have_so_many_streams_from_one_place() {
    let Stage { server, till } = stage(Audience::Anybody).await;
    let stage = Stage { server: server.rebuilt(|setup| setup.streams = 2), till };
    let _open = [stage.follow(None, "/live").await, stage.follow(None, "/live").await];
    let third = stage.ask(None, &Method::GET, &stage.at("/live"), "").await;
    assert_eq!((third.status.as_u16(), third.code()), (429, "too-many-requests".to_owned()));
    let _signed_in = stage.follow(Some("eve"), "/live").await;
}

#[tokio::test]
async fn an_account_takes_along_what_is_its_owners_to_see() {
    let stage = stage(Audience::Nobody).await;
    stage.send("bob", Command::Seats(SeatCommand::Jot { text: "two coffees".to_owned() })).await;
    let answer = stage.ask(Some("ada"), &Method::GET, "/api/account/export", "").await;
    let text = answer.text();
    assert!(text.contains("\"Opened\"") && !text.contains("two coffees"), "{text}");
}

/// Names of sessions are what keeps others out of one that lets in whoever knows it.
#[tokio::test]
async fn where_a_fork_comes_from_is_told_to_its_host_alone() {
    let mut stage = stage(Audience::Anybody).await;
    let fork = SessionId::of(uuid::Uuid::now_v7().to_string());
    stage.server.app.engine().fork(&stage.till, None, &fork, "ada").await.expect("it is hers");
    let origin = std::mem::replace(&mut stage.till, fork);
    for (name, is_host) in [(Some("ada"), true), (Some("bob"), false), (Some("eve"), false), (None, false)] {
        let found = stage.ask(name, &Method::GET, &stage.at(""), "").await;
        assert_eq!((found.status.as_u16(), found.text().contains(origin.as_str())), (200, is_host), "{name:?}");
    }
    for (name, is_host) in [("ada", true), ("eve", false)] {
        let found = stage.ask(Some(name), &Method::GET, &stage.at("/export"), "").await;
        assert_eq!(found.text().contains(origin.as_str()), is_host, "{name}");
    }
}
