//! The chat is a session's page seen by a guest: what that page has for an owner alone, a guest is not sent.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use enza_kernel::text::Lang;
use futures_util::StreamExt as _;
use tower::ServiceExt as _;

use crate::respond::visit::{SharedForm, party, session_of};

/// What the page has of the owner's, as it is written in HTML: ways to the session, its inspector and its forks, what it
/// cost and who answers, commands, and a gate that is answered by its own form.
const OWNERS: &[&str] = &[
    "/sessions/",
    "/inspect",
    "/fork",
    "class=\"cost\"",
    "Cost so far",
    "Tokens",
    "Understudy (no model)",
    "name=\"command\"",
    "data-gate",
    "class=\"menu\"",
];

/// What a feed says up to now.
async fn feed(shared: &SharedForm, at: &str) -> String {
    let request = Request::builder().method(Method::GET).uri(format!("{at}/live?after=0"));
    let request = request.body(Body::empty()).expect("a sound request");
    let response = shared.stage.router.clone().oneshot(request).await.expect("an answer");
    assert_eq!(response.status(), StatusCode::OK);
    let mut body = response.into_body().into_data_stream();
    let mut heard = String::new();
    let quiet = std::time::Duration::from_millis(100);
    while let Ok(Some(Ok(piece))) = tokio::time::timeout(quiet, body.next()).await {
        heard.push_str(&String::from_utf8_lossy(&piece));
    }
    heard
}

async fn assert_apart(shared: &SharedForm, at: &str, when: &str) {
    let page = shared.look(at, "").await.text();
    let news = shared.look(&format!("{at}/news?after=0"), "").await.text();
    let live = feed(shared, at).await;
    assert!(page.contains("id=\"composer\"") && news.contains("data-part=\"turn\"") && live.contains("\"seq\":1"));
    for (name, text) in [("page", page), ("news", news), ("live", live)] {
        for mark in OWNERS {
            assert!(!text.contains(mark), "{when}, the {name} has {mark}: {text}");
        }
    }
}

#[tokio::test]
async fn a_guest_is_sent_nothing_of_a_sessions_page_that_is_its_owners_alone() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    assert_apart(&shared, &at, "at the first question").await;
    for words in ["Ada", "Yes", "Fish", "2027-05-20"] {
        shared.order(&at, &[("act", "say"), ("words", words)]).await;
    }
    assert_apart(&shared, &at, "at the last question").await;
    shared.order(&at, &[("act", "skip"), ("absence", "declined")]).await;
    assert_apart(&shared, &at, "at the confirmation, where the session stands at a gate").await;

    // The same page has all of it for its owner, so that what was looked for is what there is.
    let cookie = shared.stage.cookie("ada").await;
    let owners = shared.stage.look(&format!("/sessions/{}", session_of(&at)), &cookie, Lang::En).await.text();
    for mark in OWNERS {
        assert!(owners.contains(mark), "the owner's page has no {mark}: {owners}");
    }
}

#[tokio::test]
async fn the_owner_and_the_respondent_see_the_same_lines_each_with_its_own_voices() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    shared.order(&at, &[("act", "say"), ("words", "Ada")]).await;
    let cookie = shared.stage.cookie("ada").await;
    let owners = shared.stage.look(&format!("/sessions/{}", session_of(&at)), &cookie, Lang::En).await.text();
    let guests = shared.look(&at, "").await.text();
    assert_eq!(lines(&owners), lines(&guests));
    assert!(lines(&guests).len() >= 3);
    let voices =
        |page: &str| ["Form", "Session"].map(|name| page.contains(&format!("<span class=\"name\">{name}</span>")));
    assert_eq!((voices(&guests), voices(&owners)), ([true, false], [false, true]), "{guests}{owners}");
}

/// Place and words of each line.
fn lines(page: &str) -> Vec<(&str, &str)> {
    let until = |text: &'static str| move |rest: &'_ str| rest.find(text).unwrap_or(rest.len());
    let lines = page.split("data-seq=\"").skip(1);
    lines
        .map(|rest| {
            let words = rest.split("<div class=\"words\">").nth(1).unwrap_or_default();
            (&rest[..until("\"")(rest)], &words[..until("</div>")(words)])
        })
        .collect()
}
