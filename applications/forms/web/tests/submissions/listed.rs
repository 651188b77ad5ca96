//! The list of a form's answers over the interface: statuses, filters, pages, deletion, and whose it is.

use axum::http::{Method, StatusCode};
use enza_forms_web::actions::respond::GuestCommand;
use enza_kernel::text::Lang;
use enza_server::Accounts;
use enza_server::actions::IdempotencyKey;
use serde_json::Value;

use crate::common::TestServer;
use crate::submissions::owner::{ALL, FormOwner};

#[tokio::test]
async fn sheets_are_listed_in_every_status_the_newest_first_page_by_page() {
    let desk = FormOwner::new().await;
    let minute = std::time::Duration::from_secs(60);
    let submitted = desk.submitted(ALL).await;
    desk.arrived(&submitted).await;
    desk.stage.clock.push(minute);
    let left = desk.guest().await;
    left.order(&desk.stage.app, GuestCommand::GiveUp, IdempotencyKey::default()).await.expect("it can be given up");
    desk.stage.clock.push(minute);
    let confirming = desk.fill(desk.guest().await, ALL).await;
    desk.stage.clock.push(minute);
    let begun = desk.fill(desk.guest().await, &[("day", "2026-11-05")]).await;

    let all = list(&desk, "").await;
    let expected = [
        (begun.row.id.to_string(), "in_progress"),
        (confirming.row.id.to_string(), "confirming"),
        (left.row.id.to_string(), "given_up"),
        (submitted.to_string(), "submitted"),
    ];
    assert_eq!(all, expected.clone().map(|(id, status)| (id, status.to_owned())));
    for (id, status) in &expected {
        assert_eq!(list(&desk, &format!("?status={status}")).await, [(id.clone(), (*status).to_owned())]);
    }
    let first = desk.get(&format!("{}/submissions?limit=3", desk.api())).await.json();
    let next = first["next"].as_str().expect("there is more");
    let second = list(&desk, &format!("?limit=3&cursor={next}")).await;
    assert_eq!(second, [(submitted.to_string(), "submitted".to_owned())]);
    for wrong in ["?status=gone", "?from=yesterday", "?cursor=x", "?limit=0", "?colour=red"] {
        let answer = desk.get(&format!("{}/submissions{wrong}", desk.api())).await;
        assert_eq!(
            (answer.status, answer.code()),
            (StatusCode::UNPROCESSABLE_ENTITY, "body-unfit".to_owned()),
            "{wrong}"
        );
    }
}

#[tokio::test]
async fn a_deleted_sheet_is_gone_with_its_interview_and_the_form_stays() {
    let desk = FormOwner::new().await;
    let session = desk.submitted(ALL).await;
    desk.arrived(&session).await;
    let one = format!("{}/submissions/{session}", desk.api());
    assert_eq!(desk.get(&one).await.json()["values"]["mail"], "ada@example.org");
    assert_eq!(desk.delete(&one).await.status, StatusCode::NO_CONTENT);
    assert_eq!(desk.get(&one).await.code(), "session-unknown");
    assert_eq!(desk.delete(&one).await.code(), "session-unknown");
    assert_eq!(desk.get(&format!("/api/sessions/{session}")).await.code(), "session-unknown");
    assert_eq!(list(&desk, "").await, []);
}

/// Nobody sees what was answered but the form's owner.
#[tokio::test]
async fn answers_are_seen_by_the_form_s_owner_alone() {
    let desk = FormOwner::in_house(TestServer::with_one_clock(Accounts::Shared)).await;
    let session = desk.submitted(ALL).await;
    desk.arrived(&session).await;
    desk.stage.person("eve", true).await;
    let (token, cookie) = (desk.stage.token("eve", &["read", "write", "admin"]).await, desk.stage.cookie("eve").await);
    let (form, api) = (desk.page(), desk.api());
    let asked = [
        (Method::GET, format!("{api}/submissions")),
        (Method::GET, format!("{api}/submissions/{session}")),
        (Method::DELETE, format!("{api}/submissions/{session}")),
        (Method::GET, format!("{api}/export")),
        (Method::POST, format!("{api}/webhook/test")),
    ];
    for (method, path) in asked {
        let answer = desk.stage.ask(method.clone(), &path, &token, None).await;
        assert_eq!(
            (answer.status, answer.code()),
            (StatusCode::NOT_FOUND, "session-unknown".to_owned()),
            "{method} {path}"
        );
    }
    let endings = ["", ".csv", ".jsonl", ".xlsx", "/deliveries", &format!("/{session}"), &format!("/{session}/delete")];
    for ending in endings {
        let path = format!("{form}{ending}");
        assert_eq!(desk.stage.look(&path, &cookie, Lang::En).await.status, StatusCode::NOT_FOUND, "{path}");
        let nobody = desk.stage.look(&path, "", Lang::En).await;
        assert_eq!(nobody.status, StatusCode::SEE_OTHER, "{path}: whoever is nobody is asked to sign in");
    }
    assert_eq!(list(&desk, "").await.len(), 1, "and nothing happened to it");
}

/// A session of the owner's that belongs to another form is not found under this one.
#[tokio::test]
async fn a_session_that_does_not_belong_to_the_form_is_not_found_there() {
    let desk = FormOwner::new().await;
    let alone = desk.stage.interview("ada").await;
    for session in [alone.to_string(), desk.form.to_string(), "nowhere".to_owned()] {
        let answer = desk.get(&format!("{}/submissions/{session}", desk.api())).await;
        assert_eq!(answer.code(), "session-unknown", "{session}");
    }
    let interview = desk.get(&format!("/api/forms/{alone}/submissions")).await;
    assert_eq!(interview.code(), "session-unknown", "an interview is no form");
}

async fn list(desk: &FormOwner, query: &str) -> Vec<(String, String)> {
    let answer = desk.get(&format!("{}/submissions{query}", desk.api())).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    let text = |value: &Value| value.as_str().expect("text").to_owned();
    let sheets = answer.json()["submissions"].as_array().cloned().unwrap_or_default();
    sheets.iter().map(|sheet| (text(&sheet["session"]), text(&sheet["status"]))).collect()
}
