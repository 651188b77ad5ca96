//! What administrators see and do besides people: stuck sessions, usage, the journal.

use axum::http::Method;
use enza_kernel::application::Phase;
use enza_runtime::seams::model::ModelFailure;
use enza_runtime::seams::register::AuditLog as _;
use enza_runtime::seams::store::SessionId;
use enza_server::actions::account::sign_in_by_link;
use serde_json::json;

use super::PASSWORD;
use crate::common::TestServer;

/// Opens an interview of bob's whose model refuses at once.
async fn stuck(stage: &TestServer) -> SessionId {
    stage.model.then(Err(ModelFailure::Refused("no such model".to_owned())));
    let session = stage.interview("bob").await;
    let row = stage.app.engine().row(&session).await.unwrap();
    assert_eq!(row.standing.phase, Phase::Stuck);
    session
}

#[tokio::test]
async fn an_administrator_sees_that_a_session_is_stuck_and_why_but_nothing_of_it() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    let session = stuck(&stage).await;
    let row = stage.app.engine().row(&session).await.unwrap();
    let answer = stage.browse(Method::GET, "/api/house/sessions", &ada, None).await;
    let expected = json!([{
        "id": session, "owner": "bob", "application": "interview", "phase": "stuck",
        "stuck_because": row.standing.waiting_for, "changed_at": row.changed_at,
    }]);
    assert_eq!(answer.json(), expected);
    assert!(row.standing.waiting_for.is_some());
    assert!(!answer.text().contains(&row.standing.title));
    // Being an administrator opens nobody's conversation.
    let there = format!("/api/sessions/{session}");
    assert_eq!(stage.browse(Method::GET, &there, &ada, None).await.status, 404);
}

#[tokio::test]
async fn an_administrator_lets_a_stuck_session_try_again_on_its_owners_behalf() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    let session = stuck(&stage).await;
    let path = format!("/api/house/sessions/{session}/retry");
    let answer = stage.browse(Method::POST, &path, &ada, None).await;
    assert_eq!(answer.status, 204, "{}", answer.text());
    let standing = stage.app.engine().wait_for_rest(&session).await.unwrap();
    assert_eq!(standing.phase, Phase::Waiting);
    let last = stage.store.notes(Some("ada"), None, 1).await.unwrap().remove(0).note;
    assert_eq!((last.by.as_str(), last.act.as_str(), last.on.as_str()), ("ada", "session-retried", session.as_str()));

    assert_eq!(stage.browse(Method::POST, &path, &ada, None).await.code(), "nothing-to-retry");
    let nowhere = stage.browse(Method::POST, "/api/house/sessions/nowhere/retry", &ada, None).await;
    assert_eq!(nowhere.code(), "session-unknown");
}

#[tokio::test]
async fn spending_is_summed_by_day_and_person() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    stage.interview("ada").await;
    stage.interview("bob").await;
    stage.interview("bob").await;
    let lines = stage.browse(Method::GET, "/api/house/usage?days=2", &ada, None).await.json();
    let lines = lines.as_array().unwrap();
    let of = |owner: &str| lines.iter().filter(|line| line["owner"] == owner).collect::<Vec<_>>();
    assert_eq!((of("ada").len(), of("bob").len(), lines.len()), (1, 1, 2));
    assert_eq!(of("bob")[0]["calls"].as_u64().unwrap(), 2 * of("ada")[0]["calls"].as_u64().unwrap());
    assert!(of("ada")[0]["calls"].as_u64().unwrap() > 0);
}

#[tokio::test]
async fn the_journal_has_every_way_in_and_out_and_no_secret() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    let send = async |path: &str, cookie: &str, body| {
        let answer = stage.browse(Method::POST, path, cookie, Some(body)).await;
        assert!(answer.status.as_u16() < 500, "{}", answer.text());
        answer
    };
    send("/api/account/sign-in", "", json!({ "name": "ada", "password": "wrong password" })).await;
    send("/api/account/sign-in", "", json!({ "name": "My Password typed here", "password": "x" })).await;
    let other = send("/api/account/sign-in", "", json!({ "name": "ada", "password": PASSWORD })).await.cookie();
    send("/api/account/sign-out", &other, json!({})).await;
    send("/api/account/password", &ada, json!({ "old": PASSWORD, "new": "another fine password" })).await;
    let token = send("/api/account/tokens", &ada, json!({ "label": "report", "scopes": ["read"] })).await.json();
    let path = format!("/api/account/tokens/{}", token["token"]["id"].as_str().unwrap());
    stage.browse(Method::DELETE, &path, &ada, None).await;
    send("/api/invitations", &ada, json!({ "label": "Bob" })).await;
    stage.newcomer("bob").await;
    stage.browse(Method::PATCH, "/api/people/bob", &ada, Some(json!({ "is_blocked": true }))).await;
    stage.browse(Method::PATCH, "/api/people/bob", &ada, Some(json!({ "is_blocked": false, "is_admin": true }))).await;
    stage.browse(Method::PATCH, "/api/people/bob", &ada, Some(json!({ "is_admin": false }))).await;
    let link = send("/api/people/bob/reset", &ada, json!({})).await.json();
    let link = link["address"].as_str().unwrap().rsplit('=').next().unwrap().to_owned();
    sign_in_by_link(&stage.app, &link, "", &Default::default()).await.unwrap();
    stage.browse(Method::DELETE, "/api/people/bob", &ada, None).await;
    send("/api/account/sign-out-everywhere", &ada, json!({})).await;

    let mut lines = stage.store.notes(None, None, 100).await.unwrap();
    lines.reverse();
    let lines: Vec<_> = lines.iter().map(|line| (&*line.note.by, &*line.note.act, &*line.note.on)).collect();
    let expected = [
        ("ada", "registered", "administrator"),
        ("", "sign-in-failed", "ada"),
        ("", "sign-in-failed", ""),
        ("ada", "signed-in", ""),
        ("ada", "signed-out", ""),
        ("ada", "password-changed", ""),
        ("ada", "token-issued", "report"),
        ("ada", "token-revoked", "report"),
        ("ada", "invited", "Bob"),
        ("bob", "registered", ""),
        ("ada", "blocked", "bob"),
        ("ada", "unblocked", "bob"),
        ("ada", "administrator-made", "bob"),
        ("ada", "administrator-unmade", "bob"),
        ("ada", "password-reset", "bob"),
        ("bob", "entered-by-link", ""),
        ("ada", "person-removed", "bob"),
        ("ada", "signed-out-everywhere", ""),
    ];
    assert_eq!(lines, expected);
}

#[tokio::test]
async fn the_journal_has_what_was_deleted_and_what_was_taken_along() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    let session = stage.interview("ada").await;
    let get = async |path: &str| stage.browse(Method::GET, path, &ada, None).await.status.as_u16();
    let delete = async |path: &str| stage.browse(Method::DELETE, path, &ada, None).await.status.as_u16();
    let made = json!({ "form": enza_interview::Form::sample(enza_kernel::text::Lang::En) });
    let made = stage.browse(Method::POST, "/api/forms", &ada, Some(made)).await;
    let form = made.json()["id"].as_str().unwrap_or_else(|| panic!("{}", made.text())).to_owned();
    let one = enza_runtime::seams::store::SessionOpening::new("interview", "ada").of(&SessionId::of(form.clone()));
    let answered = stage.interview_as(one).await;
    assert_eq!(get(&format!("/api/sessions/{session}/export")).await, 200);
    assert_eq!(get(&format!("/api/forms/{form}/export?format=csv")).await, 200);
    assert_eq!(get("/api/account/export").await, 200);
    assert_eq!(delete(&format!("/api/sessions/{session}")).await, 204);
    assert_eq!(delete(&format!("/api/forms/{form}/submissions/{answered}")).await, 204);
    assert_eq!(delete(&format!("/api/forms/{form}?with_answers=true")).await, 204);
    assert_eq!(delete("/api/sessions/nowhere").await, 404);

    let mut lines = stage.store.notes(Some("ada"), None, 100).await.unwrap();
    lines.reverse();
    let lines: Vec<_> = lines.iter().skip(1).map(|line| (&*line.note.act, &*line.note.on)).collect();
    let expected = [
        ("session-exported", session.as_str()),
        ("submissions-exported", form.as_str()),
        ("exported", ""),
        ("session-deleted", session.as_str()),
        ("submission-deleted", answered.as_str()),
        ("form-deleted", form.as_str()),
    ];
    assert_eq!(lines, expected);
}

#[tokio::test]
async fn a_deletion_that_was_refused_is_not_in_the_journal() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    let made = json!({ "form": enza_interview::Form::sample(enza_kernel::text::Lang::En) });
    let made = stage.browse(Method::POST, "/api/forms", &ada, Some(made)).await;
    let form = made.json()["id"].as_str().unwrap_or_else(|| panic!("{}", made.text())).to_owned();
    let one = enza_runtime::seams::store::SessionOpening::new("interview", "ada").of(&SessionId::of(form.clone()));
    let answered = stage.interview_as(one).await;
    let alone = stage.interview("ada").await;
    let paths = [
        (format!("/api/sessions/{alone}"), alone.as_str()),
        (format!("/api/forms/{form}/submissions/{answered}"), answered.as_str()),
        (format!("/api/forms/{form}?with_answers=true"), form.as_str()),
    ];
    for (_, parent) in &paths {
        let forked = stage.browse(Method::POST, &format!("/api/sessions/{parent}/fork"), &ada, Some(json!({}))).await;
        assert_eq!(forked.status.as_u16(), 201, "{}", forked.text());
    }
    for (path, _) in &paths {
        let refused = stage.browse(Method::DELETE, path, &ada, None).await;
        assert_eq!(refused.status.as_u16(), 409, "{path}: {}", refused.text());
    }
    let lines = stage.store.notes(Some("ada"), None, 100).await.unwrap();
    let deletions: Vec<_> = lines.iter().filter(|line| line.note.act.ends_with("-deleted")).collect();
    assert!(deletions.is_empty(), "{deletions:?}");
}

#[tokio::test]
async fn the_journal_is_read_from_the_newest_line_backwards() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    stage.newcomer("bob").await;
    let all = stage.browse(Method::GET, "/api/house/journal", &ada, None).await.json();
    let acts = |lines: &serde_json::Value| -> Vec<(u64, String)> {
        let lines = lines.as_array().unwrap().iter();
        lines.map(|line| (line["line"].as_u64().unwrap(), line["by"].as_str().unwrap().to_owned())).collect()
    };
    assert_eq!(acts(&all), [(2, "bob".to_owned()), (1, "ada".to_owned())]);
    let before = stage.browse(Method::GET, "/api/house/journal?before=2", &ada, None).await.json();
    assert_eq!(acts(&before), [(1, "ada".to_owned())]);
    let of_bob = stage.browse(Method::GET, "/api/house/journal?person=bob", &ada, None).await.json();
    assert_eq!(acts(&of_bob), [(2, "bob".to_owned())]);
}
