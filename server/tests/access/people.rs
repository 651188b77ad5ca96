//! What administrators do with people: block, make and unmake administrators, reset, remove.

use axum::http::Method;
use enza_server::access::Secret;
use enza_server::actions::account::{LinkOutcome, sign_in_by_link};
use enza_server::problem::Problem;
use serde_json::{Value, json};

use super::PASSWORD;
use crate::common::{Answer, TestServer};

async fn change(stage: &TestServer, admin: &str, name: &str, changes: Value) -> Answer {
    stage.browse(Method::PATCH, &format!("/api/people/{name}"), admin, Some(changes)).await
}

async fn sign_in(stage: &TestServer, name: &str) -> Answer {
    let body = json!({ "name": name, "password": PASSWORD });
    stage.browse(Method::POST, "/api/account/sign-in", "", Some(body)).await
}

#[tokio::test]
async fn whoever_is_blocked_is_out_at_once_and_back_when_unblocked() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    let bob = stage.newcomer("bob").await;
    let token = stage.token("bob", &["read"]).await;
    assert_eq!(stage.browse(Method::GET, "/api/account", &bob, None).await.status, 200);
    assert_eq!(stage.ask(Method::GET, "/api/account", &token, None).await.status, 200);

    assert_eq!(change(&stage, &ada, "bob", json!({ "is_blocked": true })).await.json()["is_blocked"], true);
    assert_eq!(stage.browse(Method::GET, "/api/account", &bob, None).await.status, 401);
    assert_eq!(stage.ask(Method::GET, "/api/account", &token, None).await.status, 401);
    let refused = sign_in(&stage, "bob").await;
    assert_eq!((refused.status.as_u16(), refused.code()), (403, "account-blocked".to_owned()));

    change(&stage, &ada, "bob", json!({ "is_blocked": false })).await;
    assert_eq!(sign_in(&stage, "bob").await.status, 204);
    // What was taken away stays away.
    assert_eq!(stage.browse(Method::GET, "/api/account", &bob, None).await.status, 401);
    assert_eq!(stage.ask(Method::GET, "/api/account", &token, None).await.status, 401);
}

#[tokio::test]
async fn the_last_administrator_is_neither_unmade_nor_blocked_nor_removed() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    stage.newcomer("bob").await;
    for changes in [json!({ "is_admin": false }), json!({ "is_blocked": true })] {
        assert_eq!(change(&stage, &ada, "ada", changes).await.code(), "last-administrator");
    }
    assert_eq!(stage.browse(Method::DELETE, "/api/people/ada", &ada, None).await.code(), "last-administrator");
    let leave = json!({ "password": PASSWORD });
    let leaving = stage.browse(Method::POST, "/api/account/delete", &ada, Some(leave.clone())).await;
    assert_eq!(leaving.code(), "last-administrator");

    change(&stage, &ada, "bob", json!({ "is_admin": true })).await;
    assert_eq!(change(&stage, &ada, "ada", json!({ "is_admin": false })).await.status, 200);
    assert_eq!(change(&stage, &ada, "bob", json!({ "is_admin": true })).await.code(), "not-allowed");
    assert_eq!(stage.browse(Method::POST, "/api/account/delete", &ada, Some(leave)).await.status, 204);
}

#[tokio::test]
async fn two_administrators_cannot_unmake_each_other_at_once() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    let bob = stage.newcomer("bob").await;
    change(&stage, &ada, "bob", json!({ "is_admin": true })).await;
    let unmake = json!({ "is_admin": false });
    let (one, other) =
        tokio::join!(change(&stage, &ada, "bob", unmake.clone()), change(&stage, &bob, "ada", unmake.clone()));
    let mut statuses = [one.status.as_u16(), other.status.as_u16()];
    statuses.sort_unstable();
    // The slower one is either no administrator any more when the request is let in, or the last one.
    assert!(statuses == [200, 403] || statuses == [200, 409], "{statuses:?}");
    let left = enza_server::access::count_administrators(stage.app.register()).await.unwrap();
    assert_eq!(left, 1);
}

#[tokio::test]
async fn a_reset_takes_the_password_away_and_the_link_lets_its_owner_choose_another() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    let bob = stage.newcomer("bob").await;
    let token = stage.token("bob", &["read"]).await;
    assert_eq!(stage.ask(Method::GET, "/api/account", &token, None).await.status, 200);
    let made = stage.browse(Method::POST, "/api/people/bob/reset", &ada, None).await;
    assert_eq!(made.status, 201);
    assert_eq!(stage.browse(Method::GET, "/api/account", &bob, None).await.status, 401);
    assert_eq!(stage.ask(Method::GET, "/api/account", &token, None).await.status, 401);
    assert_eq!(sign_in(&stage, "bob").await.code(), "password-wrong");

    let address = made.json()["address"].as_str().unwrap().to_owned();
    let link = address.strip_prefix("http://127.0.0.1:7878/enter?link=").unwrap();
    let Ok(LinkOutcome::SignedIn(entered)) = sign_in_by_link(&stage.app, link, "", &Default::default()).await else {
        panic!("the link counts")
    };
    let cookie = format!("enza={}", entered.secret.reveal());
    let choice = json!({ "new": PASSWORD });
    assert_eq!(stage.browse(Method::POST, "/api/account/password", &cookie, Some(choice)).await.status, 204);
    assert_eq!(sign_in(&stage, "bob").await.status, 204);
    // What was taken away stays away.
    assert_eq!(stage.ask(Method::GET, "/api/account", &token, None).await.status, 401);
}

#[tokio::test]
async fn an_administrators_token_becomes_nobody_else_by_a_reset_link() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    let bob = stage.newcomer("bob").await;
    let his = stage.token("bob", &["read"]).await;
    let token = stage.token("ada", &["read", "write", "admin"]).await;
    let refused = stage.ask(Method::POST, "/api/people/bob/reset", &token, None).await;
    assert_eq!((refused.status.as_u16(), refused.code()), (403, "not-allowed".to_owned()));
    assert_eq!(stage.browse(Method::GET, "/api/account", &bob, None).await.status, 200, "nothing happened to bob");
    // In person she may, and then nothing of what let him in before counts.
    assert_eq!(stage.browse(Method::POST, "/api/people/bob/reset", &ada, None).await.status, 201);
    assert_eq!(stage.ask(Method::GET, "/api/account", &his, None).await.status, 401);
    // Whoever is no administrator may not at all.
    stage.newcomer("eve").await;
    let eve = stage.cookie("eve").await;
    assert_eq!(stage.browse(Method::POST, "/api/people/ada/reset", &eve, None).await.code(), "not-allowed");
}

#[tokio::test]
async fn a_link_of_someone_who_was_blocked_meanwhile_lets_nobody_in() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    stage.newcomer("bob").await;
    let made = stage.browse(Method::POST, "/api/people/bob/reset", &ada, None).await.json();
    change(&stage, &ada, "bob", json!({ "is_blocked": true })).await;
    let link = made["address"].as_str().unwrap().rsplit('=').next().unwrap().to_owned();
    let refused = sign_in_by_link(&stage.app, Secret::brought(&link).reveal(), "", &Default::default()).await;
    assert_eq!(refused.unwrap_err(), Problem::LinkSpent);
}

#[tokio::test]
async fn the_local_owner_is_nobody_to_these_acts() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    stage.person("local", true).await;
    let listed = stage.browse(Method::GET, "/api/people", &ada, None).await.json();
    let names: Vec<_> = listed.as_array().unwrap().iter().map(|person| person["name"].clone()).collect();
    assert_eq!(names, ["ada"]);
    assert_eq!(change(&stage, &ada, "local", json!({ "is_blocked": true })).await.code(), "person-unknown");
    assert_eq!(stage.browse(Method::DELETE, "/api/people/local", &ada, None).await.code(), "person-unknown");
    // Nor does the local owner count as the administrator who is left.
    assert_eq!(change(&stage, &ada, "ada", json!({ "is_admin": false })).await.code(), "last-administrator");
}

#[tokio::test]
async fn a_person_who_is_removed_leaves_nothing() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    let bob = stage.newcomer("bob").await;
    let session = stage.interview("bob").await;
    change(&stage, &ada, "bob", json!({ "limits": { "tokens_per_day": 5 } })).await;
    assert_eq!(stage.browse(Method::DELETE, "/api/people/bob", &ada, None).await.status, 204);
    assert_eq!(stage.browse(Method::GET, "/api/account", &bob, None).await.status, 401);
    assert_eq!(stage.app.engine().store().find(&session).await.unwrap(), None);
    let settings = stage.app.register().settings().await.unwrap().unwrap();
    assert_eq!(settings["people"], json!({}));
    assert_eq!(stage.browse(Method::DELETE, "/api/people/bob", &ada, None).await.code(), "person-unknown");
}

#[tokio::test]
async fn people_are_listed_by_name_page_after_page() {
    let stage = TestServer::new();
    stage.person("admin", true).await;
    for number in 0..120 {
        stage.person(&format!("person-{number:03}"), false).await;
    }
    stage.person("local", true).await;
    let token = stage.token("admin", &["admin"]).await;
    let mut names: Vec<String> = Vec::new();
    loop {
        let after = names.last().map(|last| format!("?after={last}")).unwrap_or_default();
        let page = stage.ask(Method::GET, &format!("/api/people{after}"), &token, None).await.json();
        let page = page.as_array().unwrap().clone();
        if page.is_empty() {
            break;
        }
        names.extend(page.iter().map(|person| person["name"].as_str().unwrap().to_owned()));
    }
    let mut expected: Vec<String> = (0..120).map(|number| format!("person-{number:03}")).collect();
    expected.insert(0, "admin".to_owned());
    assert_eq!(names, expected);
}
