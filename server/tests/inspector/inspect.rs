//! The pages of the inspector, over a played interview.

use axum::http::StatusCode;
use enza_kernel::text::Lang;
use enza_kernel::time::{Actor, Seq};
use enza_runtime::engine::Submission;
use enza_runtime::seams::store::SessionId;
use enza_server::drawing::timeline::step_of;
use serde_json::json;

use crate::common::TestServer;

/// A house with an interview of ada's in which one question is answered, and her cookie.
pub async fn played() -> (TestServer, SessionId, String) {
    let stage = TestServer::new();
    stage.person("ada", false).await;
    let cookie = stage.cookie("ada").await;
    let session = stage.interview("ada").await;
    answer(&stage, &session, "The lift is stuck since this morning").await;
    (stage, session, cookie)
}

/// Answers the open question and waits for the next.
pub async fn answer(stage: &TestServer, session: &SessionId, text: &str) {
    let command = json!({ "say": { "text": text } });
    let submission = Submission { command, by: Actor::Person("ada".to_owned()), key: None };
    stage.app.engine().submit(session, submission).await.expect("the question is open");
    stage.app.engine().wait_for_rest(session).await.expect("the understudy goes on");
}

async fn head(stage: &TestServer, session: &SessionId) -> u64 {
    stage.app.engine().row(session).await.expect("it is there").head.0
}

/// The first event that records a reply.
async fn reply(stage: &TestServer, session: &SessionId) -> Seq {
    let past = stage.app.engine().past(session).await.expect("it is there");
    let is_reply = |step: enza_kernel::agent::Step| step.prompt().is_some();
    past.events.iter().find(|one| step_of(one).is_some_and(is_reply)).expect("the understudy replied").seq
}

#[tokio::test]
async fn every_event_is_shown_from_every_side_in_both_languages() {
    let (stage, session, cookie) = played().await;
    for at in 1..=head(&stage, &session).await {
        for side in ["event", "state", "prompt", "moves"] {
            for lang in [Lang::Ja, Lang::En] {
                let page = stage.look(&format!("/sessions/{session}/inspect?at={at}&side={side}"), &cookie, lang).await;
                let text = page.text();
                assert_eq!(page.status, StatusCode::OK, "{at} {side}: {text}");
                assert!(!text.contains('⁇') && !text.contains(" style=") && !text.contains("<script>"), "{at} {side}");
                assert_eq!(text.matches("aria-current=\"page\"").count(), 1, "one tab is open: {at} {side}");
            }
        }
    }
}

#[tokio::test]
async fn without_a_number_the_last_event_is_shown() {
    let (stage, session, cookie) = played().await;
    let last = head(&stage, &session).await;
    let page = stage.look(&format!("/sessions/{session}/inspect"), &cookie, Lang::En).await.text();
    assert!(page.contains(&format!("Event {last} of {last}")), "{page}");
    assert!(page.contains("rel=\"prev\"") && !page.contains("rel=\"next\""), "{page}");
}

#[tokio::test]
async fn the_prompt_behind_a_reply_is_shown_to_be_the_very_one() {
    let (stage, session, cookie) = played().await;
    let at = reply(&stage, &session).await;
    let page = stage.look(&format!("/sessions/{session}/inspect?at={at}&side=prompt"), &cookie, Lang::En).await.text();
    assert!(page.contains("Identical to what was used, byte for byte"), "{page}");
    for layer in ["layer tools", "layer stable", "layer thread"] {
        assert!(page.contains(layer), "{layer}: {page}");
    }
    let before = page.find("layer tools").zip(page.find("layer stable")).zip(page.find("layer thread"));
    assert!(before.is_some_and(|((tools, stable), thread)| tools < stable && stable < thread));
}

#[tokio::test]
async fn the_state_side_says_what_the_event_changed() {
    let (stage, session, cookie) = played().await;
    let page = stage.look(&format!("/sessions/{session}/inspect?at=1&side=state"), &cookie, Lang::En).await.text();
    assert!(page.contains("<code>stage</code>") && page.contains("<code>respondent</code>"), "{page}");
}

#[tokio::test]
async fn the_moves_side_names_what_stands_where() {
    let (stage, session, cookie) = played().await;
    let page = stage.look(&format!("/sessions/{session}/inspect?side=moves"), &cookie, Lang::En).await.text();
    assert!(page.contains("class=\"moves-state is-lit\""), "{page}");
    for state in ["pending", "interviewing", "reviewing", "done"] {
        assert!(page.contains(&format!(">{state}</text>")), "{state}: {page}");
    }
}

#[tokio::test]
async fn what_is_cut_on_the_page_is_whole_in_the_raw() {
    let (stage, session, cookie) = played().await;
    let past = stage.app.engine().past(&session).await.unwrap();
    let raw = |side: &str, at: Seq| format!("/sessions/{session}/inspect/raw?at={at}&side={side}");
    let event = stage.look(&raw("event", Seq(1)), &cookie, Lang::En).await;
    assert_eq!(event.headers["content-type"], "application/json; charset=utf-8");
    let body: serde_json::Value = serde_json::from_str(&past.events[0].stored.body).unwrap();
    assert_eq!(event.json()["body"], body);
    let state = stage.look(&raw("state", past.row.head), &cookie, Lang::En).await.json();
    assert_eq!(serde_json::to_vec(&state).unwrap().len(), past.state_at(past.row.head).unwrap().to_snapshot().len());
    let at = reply(&stage, &session).await;
    let prompts = stage.look(&raw("prompt", at), &cookie, Lang::En).await.json();
    assert_eq!(prompts.as_array().map(Vec::len), Some(1));
}

#[tokio::test]
async fn an_event_that_is_not_there_is_an_error_and_not_another_event() {
    let (stage, session, cookie) = played().await;
    for at in ["0", "9999", "-1", "abc", "1.5", "99999999999999999999999"] {
        let page = stage.look(&format!("/sessions/{session}/inspect?at={at}"), &cookie, Lang::En).await;
        assert_eq!(page.status, StatusCode::NOT_FOUND, "{at}");
        assert!(page.text().contains("event-unknown"), "{at}");
    }
}

#[tokio::test]
async fn nobody_sees_the_inside_of_anothers_session() {
    let (stage, session, _) = played().await;
    stage.person("eve", true).await;
    let eve = stage.cookie("eve").await;
    for path in ["inspect", "inspect?at=1&side=state", "inspect/raw?at=1&side=event"] {
        let page = stage.look(&format!("/sessions/{session}/{path}"), &eve, Lang::En).await;
        assert_eq!((page.status, page.text().contains("session-unknown")), (StatusCode::NOT_FOUND, true), "{path}");
    }
    let compare = stage.look(&format!("/compare?a={session}&b={session}"), &eve, Lang::En).await;
    assert_eq!(compare.status, StatusCode::NOT_FOUND);
}
