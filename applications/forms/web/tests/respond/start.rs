//! The door: what is shown, who is let in, and how one comes back.

use std::net::SocketAddr;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Request, StatusCode};
use enza_server::Accounts;
use enza_server::access::Proxies;
use serde_json::json;

use crate::common::{Answer, TestServer};
use crate::respond::visit::{SharedForm, location, party, session_of};

#[tokio::test]
async fn the_door_says_what_the_form_is_and_asks_for_consent() {
    let shared = SharedForm::new(party()).await;
    let door = shared.look(&shared.door(), "").await;
    assert_eq!(door.status, StatusCode::OK);
    for part in ["Party", "Two minutes.", "We plan with it.", "There are about 5 questions.", "name=\"consent\""] {
        assert!(door.text().contains(part), "{part}: {}", door.text());
    }
    assert!(!door.text().contains("/sign-in"), "nothing leads into the house");
}

#[tokio::test]
async fn without_consent_nothing_begins_and_nothing_is_used_up() {
    let shared = SharedForm::by(party(), "single").await;
    let key = ("key", "a key of enough letters");
    let refused = shared.post(&shared.door(), &[key, ("p.name", "Ada")]).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert!(refused.text().contains("This form asks for your consent."), "{}", refused.text());
    assert!(refused.text().contains("name=\"p.name\" value=\"Ada\""), "what the address fills in is kept");
    assert_eq!(shared.look(&shared.door(), "").await.status, StatusCode::OK, "the single link still counts");
    assert_eq!(shared.post(&shared.door(), &[key, ("consent", "yes")]).await.status, StatusCode::SEE_OTHER);
}

/// Consent and the version it was given to are recorded (peers 27, 32).
#[tokio::test]
async fn consent_is_recorded_with_the_forms_version() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    let events = shared.stage.app.engine().store().events(&session_of(&at), enza_kernel::time::Seq::START, 1).await;
    let opened: serde_json::Value = serde_json::from_str(&events.unwrap()[0].stored.body).unwrap();
    assert_eq!((&opened["consented"], &opened["version"]), (&json!(true), &json!(1)), "{opened}");
}

#[tokio::test]
async fn a_double_click_begins_one_interview() {
    let shared = SharedForm::new(party()).await;
    let (door, fields) = (shared.door(), [("key", "a key of enough letters"), ("consent", "yes")]);
    let (one, two) = tokio::join!(shared.post(&door, &fields), shared.post(&door, &fields));
    assert_eq!(location(&one), location(&two));
    let other = shared.post(&shared.door(), &[("key", "another key of letters"), ("consent", "yes")]).await;
    assert_ne!(location(&one), location(&other));
    let short = shared.post(&shared.door(), &[("key", "1"), ("consent", "yes")]).await;
    assert_eq!(short.status, StatusCode::UNPROCESSABLE_ENTITY, "a key that can be guessed gives no ticket away");
}

#[tokio::test]
async fn whoever_began_in_this_browser_is_offered_to_go_on() {
    let shared = SharedForm::by(party(), "single").await;
    let begun = shared.post(&shared.door(), &[("key", "a key of enough letters"), ("consent", "yes")]).await;
    let cookie = begun.headers["set-cookie"].to_str().unwrap().to_owned();
    let parts = ["HttpOnly", "SameSite=Lax", &format!("Path={}", shared.door())];
    assert!(parts.iter().all(|part| cookie.contains(part)), "{cookie}");
    let pair = cookie.split(';').next().unwrap();
    let again = shared.look(&shared.door(), pair).await;
    assert_eq!(again.status, StatusCode::OK, "though the single link is used");
    assert!(again.text().contains(&format!("href=\"{}\"", location(&begun))), "{}", again.text());
    let stranger = shared.look(&shared.door(), "").await;
    assert_eq!(stranger.status, StatusCode::GONE);
    assert!(stranger.text().contains("This link has already been used; it works only once."), "{}", stranger.text());
}

/// What a browser behind the proxy at this address sends and gets.
async fn by_proxy(shared: &SharedForm, method: &str, cookie: &str, scheme: &str) -> Answer {
    let request = Request::builder().method(method).uri(shared.door()).header("accept", "text/html");
    let request = request.header("x-forwarded-proto", scheme).header("cookie", cookie);
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    let request = request.extension(ConnectInfo("192.0.2.1:1".parse::<SocketAddr>().unwrap()));
    let body = if method == "POST" { "key=a+key+of+enough+letters&consent=yes" } else { "" };
    shared.stage.send(request.body(Body::from(body)).unwrap()).await
}

#[tokio::test]
async fn behind_tls_a_ticket_that_a_neighbouring_host_planted_led_into_its_own_interview() {
    let stage = TestServer::reached_by("https://enza.example", Accounts::Shared);
    let proxied = TestServer::new().rebuilt(|setup| setup.proxies = Proxies::of(["192.0.2.1".parse().unwrap()]));
    for stage in [stage, proxied] {
        let shared = SharedForm::in_house(stage, party(), "public").await;
        let begun = by_proxy(&shared, "POST", "", "https").await;
        assert_eq!(begun.status, StatusCode::SEE_OTHER, "{}", begun.text());
        let set = begun.headers["set-cookie"].to_str().unwrap();
        let ticket = location(&begun).trim_start_matches("/r/").to_owned();
        let name = format!("__Host-enza-ticket-{}", shared.link());
        assert_eq!(set, format!("{name}={ticket}; Path=/; Max-Age=2592000; HttpOnly; SameSite=Lax; Secure"));
        let way_on = format!("href=\"{}\"", location(&begun));
        let offers = async |cookie: String| by_proxy(&shared, "GET", &cookie, "https").await.text().contains(&way_on);
        assert!(offers(format!("{name}={ticket}")).await);
        assert!(!offers(format!("enza-ticket={ticket}")).await, "anybody under the same domain may have planted it");
        assert!(!offers(format!("__Host-enza-ticket={ticket}")).await, "it is not of this link");
    }
}

#[tokio::test]
async fn a_door_that_is_shut_says_so_with_the_right_status() {
    let shared = SharedForm::new(party()).await;
    let unknown = shared.look(&format!("{}x", shared.door()), "").await;
    assert_eq!(unknown.status, StatusCode::NOT_FOUND);
    assert!(unknown.text().contains("No form was found for this link."));
    assert_eq!(shared.look("/f/nonsense", "").await.status, StatusCode::NOT_FOUND);
    assert_eq!(shared.look("/r/nonsense", "").await.status, StatusCode::NOT_FOUND);
    shared.tell(json!("close")).await;
    let closed = shared.look(&shared.door(), "").await;
    assert_eq!(closed.status, StatusCode::GONE);
    assert!(closed.text().contains("This form no longer accepts answers."));
    let late = shared.post(&shared.door(), &[("key", "a key of enough letters"), ("consent", "yes")]).await;
    assert_eq!(late.status, StatusCode::GONE);
}

#[tokio::test]
async fn an_address_fills_in_fields_and_keeps_them_through_the_form() {
    let shared = SharedForm::new(party()).await;
    let door = shared.look(&format!("{}?p.name=Ada%20L&p.source=poster", shared.door()), "").await;
    assert!(door.text().contains("name=\"p.name\" value=\"Ada L\""), "{}", door.text());
    assert!(door.text().contains("?lang=ja&amp;p.name=Ada%20L"), "a switch of the language keeps it");
    let fields = [("key", "a key of enough letters"), ("consent", "yes"), ("p.name", "Ada L"), ("p.source", "poster")];
    let at = location(&shared.post(&shared.door(), &fields).await);
    shared.rest(&at).await;
    let seen = shared.seen(&at).await;
    assert_eq!(seen["fields"][0]["value"], "Ada L", "{seen}");
    assert!(
        seen["fields"].as_array().unwrap().iter().all(|field| field["field_id"] != "source"),
        "hidden stays hidden"
    );
}

#[tokio::test]
async fn a_language_that_was_chosen_is_remembered() {
    let shared = SharedForm::new(party()).await;
    let chosen = shared.look(&format!("{}?lang=ja", shared.door()), "").await;
    assert!(chosen.text().contains("<html lang=\"ja\">") && chosen.text().contains("回答を始める"));
    assert_eq!(chosen.headers["content-language"], "ja");
    let pair = chosen.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    let later = shared.look(&shared.door(), &pair).await;
    assert!(later.text().contains("回答を始める"), "{}", later.text());
}

#[tokio::test]
async fn one_network_cannot_begin_without_end() {
    let shared = SharedForm::new(party()).await;
    let knock = |peer: &str| {
        let request = Request::post(shared.door())
            .header("content-type", "application/x-www-form-urlencoded")
            .extension(ConnectInfo(peer.parse::<SocketAddr>().unwrap()));
        shared.stage.send(request.body(Body::from("key=short")).unwrap())
    };
    let mut tried = 0;
    let held_up = loop {
        let answer = knock("203.0.113.7:1").await;
        if answer.status == StatusCode::TOO_MANY_REQUESTS {
            break answer;
        }
        tried += 1;
        assert!(tried < 1_000, "nobody is held up");
    };
    assert!(tried >= 40, "a class of pupils behind one address is not held up: {tried}");
    assert_eq!(held_up.headers["retry-after"], "1");
    assert_eq!(knock("203.0.113.8:1").await.status, StatusCode::UNPROCESSABLE_ENTITY, "others are not held up");
}
