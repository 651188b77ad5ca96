//! One-time links and invitations: each counts once, for a while, for whom it was made.

use std::time::Duration;

use axum::http::Method;
use enza_runtime::seams::store::Failure;
use enza_server::Accounts;
use enza_server::access::{Secret, issue_link};
use enza_server::actions::account::{LinkOutcome, sign_in_by_link};
use enza_server::problem::Problem;
use enza_server::state::LOCAL;
use serde_json::{Value, json};

use super::PASSWORD;
use crate::common::{Answer, TestServer};

async fn link(stage: &TestServer, person: Option<&str>) -> Result<Secret, Failure> {
    issue_link(stage.app.register(), person, stage.app.now()).await
}

async fn entered(stage: &TestServer, link: &Secret) -> Result<LinkOutcome, Problem> {
    sign_in_by_link(&stage.app, link.reveal(), "a browser", &Default::default()).await
}

async fn register(stage: &TestServer, name: &str, invitation: Option<&str>) -> Answer {
    let body = json!({ "name": name, "password": PASSWORD, "invitation": invitation });
    stage.browse(Method::POST, "/api/account/register", "", Some(body)).await
}

#[tokio::test]
async fn alone_the_local_owner_comes_in_by_a_link_once() {
    let stage = TestServer::on(Default::default(), Accounts::Alone);
    let link = link(&stage, Some(LOCAL)).await.unwrap();
    let Ok(LinkOutcome::SignedIn(entered_as)) = entered(&stage, &link).await else { panic!("the link counts") };
    assert_eq!((entered_as.person.name.as_str(), entered_as.person.is_admin), (LOCAL, true));
    assert_eq!(entered(&stage, &link).await.unwrap_err(), Problem::LinkSpent);
}

#[tokio::test]
async fn a_link_counts_for_an_hour() {
    let stage = TestServer::new();
    stage.person("ada", false).await;
    let link = link(&stage, Some("ada")).await.unwrap();
    stage.clock.push(Duration::from_secs(60 * 60));
    assert_eq!(entered(&stage, &link).await.unwrap_err(), Problem::LinkSpent);
}

#[tokio::test]
async fn the_first_person_comes_by_a_link_without_a_name_and_runs_the_house() {
    let stage = TestServer::new();
    let first = link(&stage, None).await.unwrap();
    let second = link(&stage, None).await.unwrap();
    assert!(matches!(entered(&stage, &first).await, Ok(LinkOutcome::First)));
    let answer = register(&stage, "ada", Some(first.reveal())).await;
    let account = stage.browse(Method::GET, "/api/account", &answer.cookie(), None).await.json();
    assert_eq!((&account["name"], &account["is_admin"]), (&json!("ada"), &json!(true)));

    // There is someone now: no other such link makes an administrator any more.
    assert_eq!(entered(&stage, &second).await.unwrap_err(), Problem::LinkSpent);
    assert_eq!(register(&stage, "eve", Some(second.reveal())).await.code(), "link-spent");
    assert_eq!(register(&stage, "eve", Some(first.reveal())).await.code(), "link-spent");
}

#[tokio::test]
async fn nobody_registers_before_the_first_person_even_where_anyone_may() {
    let stage = TestServer::new();
    stage.app.register().set_settings(&json!({ "registration": "open" })).await.unwrap();
    assert_eq!(register(&stage, "eve", None).await.code(), "registration-closed");
}

#[tokio::test]
async fn where_people_come_by_invitation_each_counts_once() {
    let stage = TestServer::new();
    let admin = stage.newcomer("ada").await;
    assert_eq!(register(&stage, "bob", None).await.code(), "registration-closed");
    let made = invite(&stage, &admin).await;
    assert_eq!(register(&stage, "ada", Some(&made)).await.code(), "name-taken");
    assert_eq!(register(&stage, "bob", Some(&made)).await.status, 204);
    assert_eq!(register(&stage, "eve", Some(&made)).await.code(), "link-spent");
}

#[tokio::test]
async fn an_invitation_ends_with_its_time_when_taken_back_and_when_the_house_closes() {
    let stage = TestServer::new();
    let admin = stage.newcomer("ada").await;

    let late = invite(&stage, &admin).await;
    stage.clock.push(Duration::from_secs(7 * 24 * 60 * 60));
    assert_eq!(register(&stage, "bob", Some(&late)).await.code(), "link-spent");

    let taken_back = invite(&stage, &admin).await;
    let open = stage.browse(Method::GET, "/api/invitations", &admin, None).await.json();
    let path = format!("/api/invitations/{}", open[0]["id"].as_str().unwrap());
    assert_eq!(stage.browse(Method::DELETE, &path, &admin, None).await.status, 204);
    assert_eq!(register(&stage, "bob", Some(&taken_back)).await.code(), "link-spent");

    let unlucky = invite(&stage, &admin).await;
    let closed = json!({ "registration": "closed", "limits": {} });
    assert_eq!(stage.browse(Method::PUT, "/api/house/rules", &admin, Some(closed)).await.status, 200);
    assert_eq!(register(&stage, "bob", Some(&unlucky)).await.code(), "registration-closed");
}

#[tokio::test]
async fn a_pass_of_one_kind_does_not_serve_as_another() {
    let stage = TestServer::new();
    let admin = stage.newcomer("ada").await;
    let invitation = invite(&stage, &admin).await;
    let link = link(&stage, Some("ada")).await.unwrap();
    for secret in [invitation.as_str(), link.reveal()] {
        let as_cookie = format!("enza={secret}");
        assert_eq!(stage.browse(Method::GET, "/api/account", &as_cookie, None).await.status, 401);
        assert_eq!(stage.ask(Method::GET, "/api/account", secret, None).await.status, 401);
    }
    assert_eq!(register(&stage, "eve", Some(link.reveal())).await.code(), "link-spent");
    assert_eq!(entered(&stage, &Secret::brought(&invitation)).await.unwrap_err(), Problem::LinkSpent);
    let token = stage.token("ada", &["read"]).await;
    assert_eq!(stage.browse(Method::GET, "/api/account", &format!("enza={token}"), None).await.status, 401);
}

/// Invites someone and returns the secret.
async fn invite(stage: &TestServer, admin: &str) -> String {
    let made = stage.browse(Method::POST, "/api/invitations", admin, Some(json!({ "label": "Bob" }))).await;
    assert_eq!(made.status, 201, "{}", made.text());
    let Value::String(address) = &made.json()["address"] else { panic!("an address") };
    address.strip_prefix("http://127.0.0.1:7878/register?invitation=").expect("our own address").to_owned()
}

#[tokio::test]
async fn a_registration_that_fails_does_not_use_the_invitation_up() {
    let stage = TestServer::new();
    stage.person("ada", true).await;
    let bearer = stage.token("ada", &["admin"]).await;
    let made = stage.ask(Method::POST, "/api/invitations", &bearer, Some(json!({}))).await.json();
    let address = made["address"].as_str().expect("an address").to_owned();
    let secret = address.rsplit('=').next().expect("a secret").to_owned();
    let tried = |name: &str, display: &str| {
        let body = json!({ "name": name, "display": display, "password": PASSWORD, "invitation": secret });
        let stage = &stage;
        async move { stage.browse(Method::POST, "/api/account/register", "", Some(body)).await }
    };
    assert_eq!(tried("bob", "B\u{0}b").await.code(), "null-character");
    assert_eq!(tried("b\u{0}b", "Bob").await.code(), "null-character");
    assert_eq!(tried("ada", "Bob").await.code(), "name-taken");
    let typed = "name=bob&display=B%00b&password=correct+horse+battery&invitation=";
    let request = axum::http::Request::post("/register").header("origin", crate::common::PUBLIC);
    let request = request.header("content-type", "application/x-www-form-urlencoded");
    let page = stage.send(request.body(axum::body::Body::from(format!("{typed}{secret}"))).unwrap()).await;
    assert_eq!(page.status, 400, "{}", page.text());
    let registered = tried("bob", "Bob").await;
    assert_eq!(registered.status, 204, "{}", registered.text());
}
