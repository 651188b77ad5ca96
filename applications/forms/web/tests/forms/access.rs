//! A form is its owner's: nobody and another person find nothing, whatever they try.

use axum::http::{Method, StatusCode};
use enza_kernel::text::Lang;

use crate::forms::owner::{OwnerBrowser, location, two_fields};

const PAGES: [&str; 6] = ["", "/share", "/delete", "/links.csv", "/export/toml", "/export/schema"];
const ACTS: [&str; 13] = [
    "",
    "/save",
    "/copy",
    "/undo",
    "/describe",
    "/retry",
    "/by-hand",
    "/open",
    "/public",
    "/links",
    "/links/revoke",
    "/rules",
    "/webhook",
];

#[tokio::test]
async fn nobody_is_led_to_sign_in_and_changes_nothing() {
    let desk = OwnerBrowser::new().await;
    let id = desk.sound().await;
    let before = desk.form(&id).await;
    for page in PAGES {
        let answer = desk.stage.look(&format!("/forms/{id}{page}"), "", Lang::En).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{page}");
        assert!(location(&answer).starts_with("/sign-in"), "{page}");
    }
    for list in ["/forms", "/forms/new"] {
        assert_eq!(desk.stage.look(list, "", Lang::En).await.status, StatusCode::SEE_OTHER, "{list}");
    }
    for act in ACTS {
        let answer = desk.send_as("", &format!("/forms/{id}{act}"), &everything()).await;
        assert!(!answer.status.is_success(), "{act}: {}", answer.status);
    }
    assert_eq!(desk.form(&id).await, before);
}

#[tokio::test]
async fn another_person_finds_nothing_and_changes_nothing() {
    let desk = OwnerBrowser::new().await;
    let id = desk.published().await;
    let before = desk.form(&id).await;
    desk.stage.person("bob", true).await;
    let cookie = desk.stage.cookie("bob").await;
    for page in PAGES {
        let answer = desk.stage.look(&format!("/forms/{id}{page}"), &cookie, Lang::En).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{page}");
    }
    for act in ACTS {
        let answer = desk.send_as(&cookie, &format!("/forms/{id}{act}"), &everything()).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{act}: {}", answer.text());
    }
    let answer = desk.send_as(&cookie, &format!("/forms/{id}/delete"), &[("title", "Visit report")]).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
    let token = desk.stage.token("bob", &["read", "write"]).await;
    for (method, path) in [
        (Method::GET, ""),
        (Method::DELETE, "?with_answers=true"),
        (Method::GET, "/export/json"),
        (Method::POST, "/publish"),
        (Method::POST, "/close"),
        (Method::GET, "/links"),
        (Method::DELETE, "/webhook"),
    ] {
        let answer = desk.stage.ask(method.clone(), &format!("/api/forms/{id}{path}"), &token, None).await;
        assert_eq!(
            (answer.status, answer.code()),
            (StatusCode::NOT_FOUND, "session-unknown".to_owned()),
            "{method} {path}"
        );
    }
    assert_eq!(desk.form(&id).await, before);
    assert!(!desk.stage.look("/forms", &cookie, Lang::En).await.text().contains("Visit report"));
}

#[tokio::test]
async fn a_session_that_is_no_form_has_no_page_of_one() {
    let desk = OwnerBrowser::new().await;
    let interview = desk.stage.interview("ada").await;
    let answer = desk.stage.look(&format!("/forms/{interview}"), &desk.cookie, Lang::En).await;
    assert_eq!(answer.status, StatusCode::NOT_FOUND);
}

/// What satisfies every act at once, so that what is refused is the caller.
fn everything() -> Vec<(&'static str, &'static str)> {
    let mut pairs = two_fields("1");
    pairs.extend([
        ("at", "2"),
        ("sentence", "a survey"),
        ("to", "closed"),
        ("act", "replace"),
        ("count", "1"),
        ("token", "abcdefghij"),
        ("url", "https://example.org"),
        ("most_answers", "1"),
    ]);
    pairs
}
