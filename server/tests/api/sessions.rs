//! A session through its life: begun, looked at, spoken to, forked, exported, deleted.

use axum::http::{Method, StatusCode};
use serde_json::{Value, json};

use crate::api::client::{ApiClient, head};

#[tokio::test]
async fn a_session_begins_with_an_opening_and_shows_what_may_be_done_in_it() {
    let desk = ApiClient::new().await;
    let answer = desk.post("/api/sessions", json!({ "application": "interview", "opening": "sample" })).await;
    assert_eq!(answer.status, StatusCode::CREATED);
    let id = answer.json()["id"].as_str().unwrap().to_owned();
    desk.rest(&id).await;
    let shown = desk.get(&format!("/api/sessions/{id}")).await.json();
    assert_eq!(
        (&shown["id"], &shown["application"], &shown["phase"], &shown["at_work"], &shown["parent"]),
        (&json!(id), &json!("interview"), &json!("waiting"), &json!([]), &Value::Null)
    );
    let offers: Vec<_> = shown["floor"]["offers"].as_array().unwrap().iter().map(|offer| &offer["offer"]).collect();
    assert_eq!(offers, ["say", "press", "press"], "an answer, leaving it for later, giving up");
    assert!(shown["spent"]["calls"].as_u64().unwrap() > 0, "{}", shown["spent"]);
}

#[tokio::test]
async fn a_session_begins_with_a_command_under_the_name_that_was_asked_for() {
    let desk = ApiClient::new().await;
    let first = desk.get("/api/applications").await.json()["applications"][0].clone();
    let id = "0198c5a2-7d0e-7c52-9a39-4f6f1d2b8c11";
    let new = json!({ "application": first["name"], "command": first["openings"][0]["command"], "id": id });
    let answer = desk.post("/api/sessions", new.clone()).await;
    assert_eq!((answer.status, &answer.json()["id"]), (StatusCode::CREATED, &json!(id)));
    let again = desk.post("/api/sessions", new).await;
    assert_eq!((again.status, again.code()), (StatusCode::CONFLICT, "session-exists".to_owned()));
}

#[tokio::test]
async fn a_command_is_accepted_and_its_line_is_in_the_conversation() {
    let desk = ApiClient::new().await;
    let id = desk.interview().await;
    let answer = desk.say(&id, "The tap drips.").await;
    assert_eq!((answer.status, &answer.json()["repeated"]), (StatusCode::OK, &json!(false)));
    let lines = desk.get(&format!("/api/sessions/{id}/conversation?limit=100")).await.json();
    let said: Vec<_> = lines["lines"].as_array().unwrap().iter().map(|said| &said["line"]["text"]).collect();
    assert!(said.contains(&&json!("The tap drips.")), "{said:?}");
    assert_eq!(lines["next"], Value::Null);
}

#[tokio::test]
async fn a_command_that_the_application_refuses_is_answered_in_its_words() {
    let desk = ApiClient::new().await;
    let id = desk.interview().await;
    let answer = desk.post(&format!("/api/sessions/{id}/commands"), json!("reconfirm")).await;
    assert_eq!((answer.status, answer.code()), (StatusCode::CONFLICT, "not-confirming".to_owned()));
}

#[tokio::test]
async fn a_gate_takes_one_answer() {
    let desk = ApiClient::new().await;
    let (id, gate) = desk.at_the_gate().await;
    let path = format!("/api/sessions/{id}/gates/{gate}");
    let yes = desk.post(&path, json!({ "verdict": "yes", "note": null })).await;
    assert_eq!(yes.status, StatusCode::OK);
    desk.rest(&id).await;
    let no = desk.post(&path, json!({ "verdict": "no" })).await;
    assert_eq!(no.status, StatusCode::CONFLICT, "{}", no.text());
    assert_eq!(desk.get(&format!("/api/sessions/{id}")).await.json()["phase"], json!("ended"));
}

/// A yes to a part, or for longer, is never taken for a whole one where an application knows only yes and no.
#[tokio::test]
async fn an_answer_that_says_more_than_a_gate_can_take_is_refused_and_the_gate_waits() {
    let desk = ApiClient::new().await;
    let (id, gate) = desk.at_the_gate().await;
    let path = format!("/api/sessions/{id}/gates/{gate}");
    let more = [
        json!({ "verdict": "yes", "scope": "session" }),
        json!({ "verdict": "yes", "picks": [{ "file": 0, "hunks": [1] }] }),
        json!({ "verdict": "yes", "picks": [{ "file": 0, "hunk": [1] }] }),
        json!({ "verdict": "yes", "scope": "for ever" }),
    ];
    for body in more {
        let answer = desk.post(&path, body.clone()).await;
        assert_eq!(
            (answer.status, answer.code()),
            (StatusCode::UNPROCESSABLE_ENTITY, "body-unfit".to_owned()),
            "{body}"
        );
    }
    assert_eq!(desk.get(&format!("/api/sessions/{id}")).await.json()["phase"], json!("gate"));
    let plain = json!({ "verdict": "yes", "note": null, "scope": "once", "picks": [] });
    assert_eq!(desk.post(&path, plain).await.status, StatusCode::OK);
}

#[tokio::test]
async fn events_come_in_pages_without_gap_or_repeat() {
    let desk = ApiClient::new().await;
    let id = desk.interview().await;
    desk.say(&id, "The tap drips.").await;
    let (mut seen, mut after) = (Vec::new(), json!(0));
    while !after.is_null() {
        let page = desk.get(&format!("/api/sessions/{id}/events?after={after}&limit=3")).await.json();
        seen.extend(page["events"].as_array().unwrap().iter().map(|event| event["seq"].as_u64().unwrap()));
        after = page["next"].clone();
    }
    assert_eq!(seen, (1..=head(&desk, &id).await).collect::<Vec<_>>());
}

#[tokio::test]
async fn the_state_is_that_of_the_event_that_was_asked_for() {
    let desk = ApiClient::new().await;
    let id = desk.interview().await;
    let head = head(&desk, &id).await;
    let (first, last) = (
        desk.get(&format!("/api/sessions/{id}/state?at=1")).await.json(),
        desk.get(&format!("/api/sessions/{id}/state")).await.json(),
    );
    assert_eq!((&first["at"], &last["at"]), (&json!(1), &json!(head)));
    assert_ne!(first["state"], last["state"]);
    assert_eq!(last, desk.get(&format!("/api/sessions/{id}/state?at={head}")).await.json());
    for at in [0, head + 1, u64::MAX] {
        let answer = desk.get(&format!("/api/sessions/{id}/state?at={at}")).await;
        assert_eq!((answer.status, answer.code()), (StatusCode::NOT_FOUND, "event-unknown".to_owned()));
    }
}

#[tokio::test]
async fn the_prompt_behind_every_reply_is_rendered_exactly() {
    let desk = ApiClient::new().await;
    let id = desk.interview().await;
    let mut exact = Vec::new();
    for seq in 1..=head(&desk, &id).await {
        let prompts = desk.get(&format!("/api/sessions/{id}/prompts/{seq}")).await.json();
        exact.extend(prompts["prompts"].as_array().unwrap().iter().map(|prompt| prompt["exact"].clone()));
    }
    assert!(!exact.is_empty() && exact.iter().all(|exact| *exact == json!(true)), "{exact:?}");
    assert_eq!(desk.get(&format!("/api/sessions/{id}/prompts/99999")).await.code(), "event-unknown");
}

#[tokio::test]
async fn a_fork_shares_the_beginning_and_leaves_the_rest_alone() {
    let desk = ApiClient::new().await;
    let id = desk.interview().await;
    let before = head(&desk, &id).await;
    desk.say(&id, "The tap drips.").await;
    let answer = desk.post(&format!("/api/sessions/{id}/fork"), json!({ "at": before })).await;
    assert_eq!(answer.status, StatusCode::CREATED);
    let fork = answer.json()["id"].as_str().unwrap().to_owned();
    let shown = desk.get(&format!("/api/sessions/{fork}")).await.json();
    assert_eq!(shown["parent"], json!({ "session": id, "at": before }));
    let refused = desk.delete(&format!("/api/sessions/{id}")).await;
    assert_eq!((refused.status, refused.code()), (StatusCode::CONFLICT, "session-has-forks".to_owned()));
    for at in [0, 99_999] {
        let answer = desk.post(&format!("/api/sessions/{id}/fork"), json!({ "at": at })).await;
        assert_eq!((answer.status, answer.code()), (StatusCode::NOT_FOUND, "event-unknown".to_owned()));
    }
}

#[tokio::test]
async fn an_export_has_the_session_first_and_then_every_event_in_its_own_line() {
    let desk = ApiClient::new().await;
    let id = desk.interview().await;
    let answer = desk.get(&format!("/api/sessions/{id}/export")).await;
    assert_eq!(answer.headers["content-type"], "application/jsonl");
    assert_eq!(answer.headers["content-disposition"], format!("attachment; filename=\"enza-{id}.jsonl\""));
    let lines: Vec<Value> = answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(lines[0]["session"]["id"], json!(id));
    let seqs: Vec<_> = lines[1..].iter().map(|line| line["seq"].as_u64().unwrap()).collect();
    assert_eq!(seqs, (1..=head(&desk, &id).await).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_deleted_session_is_gone_for_every_route() {
    let desk = ApiClient::new().await;
    let id = desk.interview().await;
    assert_eq!(desk.delete(&format!("/api/sessions/{id}")).await.status, StatusCode::NO_CONTENT);
    for path in ["", "/events", "/conversation", "/state", "/prompts/1", "/export", "/live", "/socket"] {
        let answer = desk.get(&format!("/api/sessions/{id}{path}")).await;
        assert_eq!((answer.status, answer.code()), (StatusCode::NOT_FOUND, "session-unknown".to_owned()), "{path}");
    }
    for (path, body) in [("/commands", json!("skip")), ("/gates/g", json!({ "verdict": "yes" })), ("/fork", json!({}))]
    {
        assert_eq!(desk.post(&format!("/api/sessions/{id}{path}"), body).await.code(), "session-unknown", "{path}");
    }
    assert_eq!(desk.delete(&format!("/api/sessions/{id}")).await.code(), "session-unknown");
}

#[tokio::test]
async fn what_is_someone_elses_does_not_exist() {
    let desk = ApiClient::new().await;
    let id = desk.interview().await;
    desk.stage.person("bob", true).await;
    let token = desk.stage.token("bob", &["read", "write", "admin"]).await;
    for path in ["", "/events", "/conversation", "/state", "/prompts/1", "/export", "/live", "/socket"] {
        let answer = desk.stage.ask(Method::GET, &format!("/api/sessions/{id}{path}"), &token, None).await;
        assert_eq!((answer.status, answer.code()), (StatusCode::NOT_FOUND, "session-unknown".to_owned()), "{path}");
    }
    let sessions = desk.stage.ask(Method::GET, "/api/sessions", &token, None).await.json();
    assert_eq!(sessions, json!({ "sessions": [], "next": null }));
}

#[tokio::test]
async fn applications_say_how_to_begin_what_they_take_and_how_they_move() {
    let desk = ApiClient::new().await;
    let all = desk.get("/api/applications").await.json();
    let all = all["applications"].as_array().unwrap();
    let names: Vec<&str> = all.iter().map(|one| one["name"].as_str().unwrap()).collect();
    assert_eq!(names, ["form", "interview"]);
    let interview = &all[1];
    assert_eq!((&interview["name"], &interview["openings"][0]["name"]), (&json!("interview"), &json!("sample")),);
    assert!(interview["commands"]["oneOf"].is_array(), "{}", interview["commands"]);
    assert!(!interview["moves"][0]["states"].as_array().unwrap().is_empty());
}

#[tokio::test]
async fn usage_adds_up_to_its_total() {
    let desk = ApiClient::new().await;
    let id = desk.interview().await;
    let usage = desk.get("/api/usage").await.json();
    let lines = usage["lines"].as_array().unwrap();
    assert!(!lines.is_empty() && lines.iter().all(|line| line["session"] == json!(id)), "{usage}");
    for name in ["calls", "input", "output", "cost"] {
        let sum: u64 = lines.iter().map(|line| line[name].as_u64().unwrap()).sum();
        assert_eq!(usage["total"][name], json!(sum), "{name}");
    }
    assert_eq!(desk.get("/api/usage?from=2999-01-01").await.json()["lines"], json!([]));
    assert_eq!(desk.get("/api/usage?to=1999-12-31").await.json()["total"]["calls"], json!(0));
}
