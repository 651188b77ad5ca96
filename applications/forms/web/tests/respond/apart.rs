//! Owner and respondent stay apart: neither does what is the other's, and a ticket opens one interview alone.

use axum::http::{Method, StatusCode};
use enza_forms_web::actions::forms::LinkTo;
use enza_runtime::seams::store::SessionId;
use serde_json::json;

use crate::common::TestServer;
use crate::respond::visit::{SharedForm, party, session_of};

#[tokio::test]
async fn the_owner_cannot_answer_for_the_respondent() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    let commands = format!("/api/sessions/{}/commands", session_of(&at));
    for command in
        [json!({ "say": { "text": "Eve" } }), json!({ "fill": { "answers": { "name": "Eve" } } }), json!("abandon")]
    {
        let answer = shared.stage.ask(Method::POST, &commands, &shared.owner, Some(command)).await;
        assert_eq!((answer.status, answer.code()), (StatusCode::CONFLICT, "interview-not-yours".to_owned()));
    }
    assert_eq!(shared.seen(&at).await["done"], 0);
}

#[tokio::test]
async fn a_ticket_does_not_reach_what_is_the_owners() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    let session = session_of(&at);
    let ticket = at.trim_start_matches("/r/");
    for path in [
        format!("/api/sessions/{session}"),
        format!("/api/sessions/{session}/events"),
        format!("/api/sessions/{ticket}"),
    ] {
        let answer = shared.look(&path, "").await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{path}");
        let answer = shared.look(&path, &format!("enza-ticket={ticket}; enza={ticket}")).await;
        assert_eq!(answer.status, StatusCode::UNAUTHORIZED, "{path} with the ticket as a cookie");
    }
}

#[tokio::test]
async fn nothing_that_a_respondent_is_sent_has_criteria_or_hints() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    shared.order(&at, &[("act", "say"), ("words", "Ada")]).await;
    let paths = [
        at.clone(),
        format!("{at}/form"),
        format!("{at}/news?after=0"),
        format!("/api{at}"),
        format!("/api{at}/messages"),
        shared.door(),
    ];
    for path in paths {
        let answer = shared.look(&path, "").await;
        assert_eq!(answer.status, StatusCode::OK, "{path}");
        assert!(!answer.text().contains("SECRET-"), "{path}: {}", answer.text());
    }
}

#[tokio::test]
async fn a_ticket_with_another_secret_finds_nothing() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    let (name, secret) = at.split_once('-').expect("a ticket");
    let turned: String = secret.chars().rev().collect();
    let forged = [format!("{name}-{turned}"), format!("{name}-x"), name.to_owned(), format!("/r/{}", shared.link())];
    for path in forged {
        assert_eq!(shared.look(&path, "").await.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(shared.look(&format!("/api{path}"), "").await.status, StatusCode::NOT_FOUND, "{path}");
        assert_eq!(shared.post(&path, &[("act", "say"), ("words", "x")]).await.status, StatusCode::NOT_FOUND, "{path}");
    }
}

/// An interview that was opened by someone with an account has no ticket at all.
#[tokio::test]
async fn an_interview_without_a_ticket_is_reached_by_none() {
    let stage = TestServer::new();
    stage.person("ada", false).await;
    let session = stage.interview("ada").await;
    for token in ["x", "0", "none"] {
        let ticket = LinkTo { form: session.clone(), token: token.to_owned() };
        let found = enza_forms_web::actions::respond::GuestInterview::find(&stage.app, &ticket.to_string()).await;
        assert!(found.is_err_and(|problem| problem == enza_server::problem::Problem::NothingHere));
    }
}

#[tokio::test]
async fn a_respondent_cannot_spend_more_of_the_owners_money() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    for act in ["raise_budget", "open", "abandon", ""] {
        let answer = shared.post(&at, &[("act", act), ("budget", "1000000")]).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{act}");
    }
}

/// The owner's copy of an interview, as a respondent would have to name it.
async fn copied(shared: &SharedForm, at: &str) -> (String, String) {
    let path = format!("/api/sessions/{}/fork", session_of(at));
    let fork = shared.stage.ask(Method::POST, &path, &shared.owner, Some(json!({}))).await;
    assert_eq!(fork.status, StatusCode::CREATED, "{}", fork.text());
    let copy = fork.json()["id"].as_str().expect("a name").to_owned();
    let (_, secret) = at.split_once('-').expect("a ticket");
    let ticket = LinkTo { form: SessionId::of(copy.as_str()), token: secret.to_owned() };
    (copy, format!("/r/{ticket}"))
}

#[tokio::test]
async fn a_respondents_secret_does_not_open_the_owners_fork() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    let (copy, forged) = copied(&shared, &at).await;
    for path in [forged.clone(), format!("{forged}/form"), format!("/api{forged}"), format!("/api{forged}/messages")] {
        assert_eq!(shared.look(&path, "").await.status, StatusCode::NOT_FOUND, "{path}");
    }
    let deleted = shared.post(&format!("{forged}/leave"), &[("how", "delete")]).await;
    assert_eq!(deleted.status, StatusCode::NOT_FOUND);
    let there = shared.stage.ask(Method::GET, &format!("/api/sessions/{copy}"), &shared.owner, None).await;
    assert_eq!(there.status, StatusCode::OK, "the copy is the owner's and stays");
    assert_eq!(shared.look(&at, "").await.status, StatusCode::OK, "and the ticket opens what it is for");
}

#[tokio::test]
async fn a_respondent_can_delete_an_interview_that_the_owner_forked_and_the_owner_is_told() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    shared.order(&at, &[("act", "say"), ("words", "Ada")]).await;
    let (copy, _) = copied(&shared, &at).await;
    let deleted = shared.post(&format!("{at}/leave"), &[("how", "delete")]).await;
    assert_eq!(deleted.status, StatusCode::OK, "{}", deleted.text());
    for gone in [session_of(&at).to_string(), copy] {
        let answer = shared.stage.ask(Method::GET, &format!("/api/sessions/{gone}"), &shared.owner, None).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{gone}");
    }
    let lines = format!("/api/sessions/{}/conversation", shared.form);
    let told = shared.stage.ask(Method::GET, &lines, &shared.owner, None).await.text();
    assert!(told.contains("A respondent deleted their answers. Copies made of them were deleted too: 1."), "{told}");
}
