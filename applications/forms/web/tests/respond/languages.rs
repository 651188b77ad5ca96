//! A respondent turns to another language in the middle, on a page or by a program, and is asked on in it.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use serde_json::json;

use crate::respond::visit::{SharedForm, location, party};

#[tokio::test]
async fn choosing_a_language_in_the_middle_changes_the_question_too() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    assert_eq!(shared.seen(&at).await["question"], "Please tell me about \"Your name\".");
    let chosen = shared.look(&format!("{at}?lang=ja"), "").await;
    assert_eq!((chosen.status, location(&chosen)), (StatusCode::SEE_OTHER, at.clone()), "a reload asks nothing again");
    let cookie = chosen.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    shared.rest(&at).await;
    let seen = shared.seen(&at).await;
    assert_eq!((&seen["question"], &seen["language"]), (&json!("「Your name」を教えてください。"), &json!("ja")));
    let page = shared.look(&at, &cookie).await.text();
    assert!(page.contains("「Your name」を教えてください。") && page.contains("フォームで入力する"), "{page}");
    let head = |page: &str| page.split("data-head=\"").nth(1).unwrap().split('"').next().unwrap().to_owned();
    let again = shared.look(&format!("{at}?lang=ja"), "").await;
    assert_eq!((again.status, head(&again.text())), (StatusCode::OK, head(&page)), "the same again changes nothing");
    shared.order(&at, &[("act", "say"), ("words", "エイダ")]).await;
    let form = shared.look(&format!("{at}/form?lang=en"), "").await;
    assert_eq!((form.status, location(&form)), (StatusCode::SEE_OTHER, format!("{at}/form")));
    shared.rest(&at).await;
    assert_eq!(shared.seen(&at).await["question"], "Will you come?");
}

/// A language that was chosen at the door is the one in which somebody who comes back goes on.
#[tokio::test]
async fn who_comes_back_goes_on_in_the_language_chosen_at_the_door() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    let ticket = at.trim_start_matches("/r/");
    let door = shared.look(&shared.door(), &format!("enza-ticket={ticket}; enza-language=ja")).await.text();
    assert!(door.contains(&format!("href=\"{at}?lang=ja\"")), "{door}");
    let same = shared.look(&shared.door(), &format!("enza-ticket={ticket}")).await.text();
    assert!(same.contains(&format!("href=\"{at}\"")), "nobody chose one: {same}");
}

#[tokio::test]
async fn a_program_changes_the_language() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    let post = async |body: serde_json::Value| {
        let request = Request::post(format!("/api{at}/language")).header("content-type", "application/json");
        shared.stage.send(request.body(Body::from(body.to_string())).unwrap()).await
    };
    assert_eq!(post(json!({ "language": "nothing like it" })).await.code(), "place-unknown");
    let turned = post(json!({ "language": "ja-JP" })).await;
    assert_eq!(turned.status, StatusCode::OK);
    let cookie = turned.headers["set-cookie"].to_str().unwrap().split(';').next().unwrap().to_owned();
    assert_eq!(shared.look(&at, &cookie).await.headers["content-language"], "ja", "the page goes along");
    assert!(!post(json!({ "language": "fr" })).await.headers.contains_key("set-cookie"), "no page speaks it");
    assert_eq!(post(json!({ "language": "ja" })).await.status, StatusCode::OK);
    shared.rest(&at).await;
    assert_eq!(shared.seen(&at).await["question"], "「Your name」を教えてください。");
}

/// What is submitted is not changed by looking at it in another language.
#[tokio::test]
async fn a_finished_interview_is_only_shown_in_another_language() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    shared.post(&format!("{at}/leave"), &[("how", "give_up")]).await;
    let page = shared.look(&format!("{at}?lang=ja"), "").await;
    assert_eq!(page.status, StatusCode::OK);
    assert_eq!(shared.seen(&at).await["language"], "en-GB");
}
