//! Signing in with a password: what is taken, what is kept, how often one may try.

use std::net::SocketAddr;
use std::time::Duration;

use axum::body::Body;
use axum::extract::ConnectInfo;
use axum::http::{Method, Request};
use serde_json::json;

use super::PASSWORD;
use crate::common::{Answer, TestServer};

async fn sign_in(stage: &TestServer, name: &str, password: &str) -> Answer {
    let body = json!({ "name": name, "password": password });
    stage.browse(Method::POST, "/api/account/sign-in", "", Some(body)).await
}

#[tokio::test]
async fn whoever_registered_can_sign_in_and_is_known() {
    let stage = TestServer::new();
    stage.newcomer("ada").await;
    let answer = sign_in(&stage, "ada", PASSWORD).await;
    assert_eq!(answer.status, 204);
    let account = stage.browse(Method::GET, "/api/account", &answer.cookie(), None).await.json();
    assert_eq!(account["name"], "ada");
}

#[tokio::test]
async fn a_password_is_kept_as_an_argon2id_hash_and_nothing_else() {
    let stage = TestServer::new();
    stage.newcomer("ada").await;
    let person = stage.app.register().person("ada").await.unwrap().unwrap();
    let kept = person.password.unwrap();
    assert!(kept.starts_with("$argon2id$v=19$m=19456,t=2,p=1$"), "{kept}");
    assert!(!kept.contains(PASSWORD));
}

#[tokio::test]
async fn a_wrong_password_and_a_name_that_nobody_has_look_the_same() {
    let stage = TestServer::new();
    stage.newcomer("ada").await;
    let wrong = sign_in(&stage, "ada", "not the password").await;
    let nobody = sign_in(&stage, "bob", "not the password").await;
    assert_eq!((wrong.status, wrong.json()), (nobody.status, nobody.json()));
    assert_eq!((wrong.status.as_u16(), wrong.code()), (401, "password-wrong".to_owned()));
}

#[tokio::test]
async fn after_five_quick_tries_one_waits_ten_seconds_for_the_next() {
    let stage = TestServer::new();
    stage.newcomer("ada").await;
    for _ in 0..5 {
        assert_eq!(sign_in(&stage, "ada", "not the password").await.code(), "password-wrong");
    }
    let refused = sign_in(&stage, "ada", PASSWORD).await;
    assert_eq!((refused.status.as_u16(), refused.code()), (429, "too-many-requests".to_owned()));
    let after: u64 = refused.headers["retry-after"].to_str().unwrap().parse().unwrap();
    assert!((1..=10).contains(&after), "{after}");

    stage.clock.push(Duration::from_secs(10));
    assert_eq!(sign_in(&stage, "ada", PASSWORD).await.status, 204);
    // Having signed in, ada has every try again.
    assert_eq!(sign_in(&stage, "ada", "not the password").await.code(), "password-wrong");
}

#[tokio::test]
async fn a_strangers_wrong_tries_do_not_lock_out_the_right_password() {
    let stage = TestServer::new();
    stage.newcomer("ada").await;
    for _ in 0..6 {
        sign_in_from(&stage, "192.0.2.66", "not the password").await;
    }
    let stranger = sign_in_from(&stage, "192.0.2.66", PASSWORD).await;
    assert_eq!((stranger.status.as_u16(), stranger.code()), (429, "too-many-requests".to_owned()));
    assert_eq!(sign_in_from(&stage, "198.51.100.7", PASSWORD).await.status, 204);
    // That went well, and gives the stranger no try more.
    assert_eq!(sign_in_from(&stage, "192.0.2.66", "not the password").await.status, 429);
}

#[tokio::test]
async fn after_a_clock_jumped_ten_years_ahead_and_back_one_signs_in_within_ten_seconds() {
    let stage = TestServer::new();
    stage.newcomer("ada").await;
    let ten_years = 10 * 365 * 24 * 60 * 60;
    stage.clock.push(Duration::from_secs(ten_years));
    for _ in 0..5 {
        assert_eq!(sign_in(&stage, "ada", "not the password").await.code(), "password-wrong");
    }
    stage.clock.pull(Duration::from_secs(ten_years));
    let early = sign_in(&stage, "ada", PASSWORD).await;
    assert_eq!(early.headers["retry-after"], "10");
    stage.clock.push(Duration::from_secs(10));
    assert_eq!(sign_in(&stage, "ada", PASSWORD).await.status, 204);
}

async fn sign_in_from(stage: &TestServer, peer: &str, password: &str) -> Answer {
    let body = json!({ "name": "ada", "password": password });
    let request = Request::builder().method(Method::POST).uri("/api/account/sign-in");
    let request = request.header("content-type", "application/json");
    let peer = ConnectInfo(SocketAddr::new(peer.parse().unwrap(), 40_000));
    stage.send(request.extension(peer).body(Body::from(body.to_string())).unwrap()).await
}

#[tokio::test]
async fn what_is_no_name_or_no_password_is_refused() {
    let stage = TestServer::new();
    stage.newcomer("ada").await;
    stage.newcomer("bob").await;
    let long = "x".repeat(201);
    let tries = [
        ("a", PASSWORD, "name-unfit"),
        ("Ada", PASSWORD, "name-unfit"),
        ("ada lovelace", PASSWORD, "name-unfit"),
        ("エイダ", PASSWORD, "name-unfit"),
        ("abcdefghijklmnopqrstuvwxyz0123456", PASSWORD, "name-unfit"),
        ("local", PASSWORD, "name-unfit"),
        ("ada", PASSWORD, "name-taken"),
        ("eve", "too short", "password-unfit"),
        ("eve", &long, "password-unfit"),
        ("eve-of-destruction", "Eve-of-Destruction", "password-common"),
        ("eve", "password123", "password-common"),
        ("eve", "1234567890", "password-common"),
        ("eve", "qwertyuiop", "password-common"),
    ];
    for (name, password, code) in tries {
        let body = json!({ "name": name, "password": password });
        let answer = stage.browse(Method::POST, "/api/account/register", "", Some(body)).await;
        assert_eq!(answer.code(), code, "{name} {password}");
    }
}

#[tokio::test]
async fn a_changed_password_ends_every_other_sign_in_and_needs_the_old_one() {
    let stage = TestServer::new();
    let here = stage.newcomer("ada").await;
    let elsewhere = sign_in(&stage, "ada", PASSWORD).await.cookie();
    let change = |old: &str| json!({ "old": old, "new": "another fine password" });

    let wrong = stage.browse(Method::POST, "/api/account/password", &here, Some(change("a guess of mine"))).await;
    assert_eq!(wrong.code(), "password-wrong");
    let unfit = json!({ "old": PASSWORD, "new": "short" });
    let unfit = stage.browse(Method::POST, "/api/account/password", &here, Some(unfit)).await;
    assert_eq!(unfit.code(), "password-unfit");
    let right = stage.browse(Method::POST, "/api/account/password", &here, Some(change(PASSWORD))).await;
    assert_eq!(right.status, 204);

    assert_eq!(stage.browse(Method::GET, "/api/account", &here, None).await.status, 200);
    assert_eq!(stage.browse(Method::GET, "/api/account", &elsewhere, None).await.status, 401);
    assert_eq!(sign_in(&stage, "ada", PASSWORD).await.status, 401);
    assert_eq!(sign_in(&stage, "ada", "another fine password").await.status, 204);
}

#[tokio::test]
async fn a_changed_password_ends_every_token() {
    let stage = TestServer::new();
    let here = stage.newcomer("ada").await;
    stage.newcomer("bob").await;
    let (hers, his) = (stage.token("ada", &["read"]).await, stage.token("bob", &["read"]).await);
    assert_eq!(stage.ask(Method::GET, "/api/account", &hers, None).await.status, 200);
    let change = json!({ "old": PASSWORD, "new": "another fine password" });
    assert_eq!(stage.browse(Method::POST, "/api/account/password", &here, Some(change)).await.status, 204);
    assert_eq!(stage.ask(Method::GET, "/api/account", &hers, None).await.status, 401);
    assert_eq!(stage.ask(Method::GET, "/api/account", &his, None).await.status, 200);
}

#[tokio::test]
async fn signing_out_ends_this_browser_and_everywhere_ends_all() {
    let stage = TestServer::new();
    let first = stage.newcomer("ada").await;
    let second = sign_in(&stage, "ada", PASSWORD).await.cookie();
    let third = sign_in(&stage, "ada", PASSWORD).await.cookie();

    let out = stage.browse(Method::POST, "/api/account/sign-out", &first, None).await;
    assert_eq!((out.status.as_u16(), out.cookie()), (204, "enza=".to_owned()));
    assert_eq!(stage.browse(Method::GET, "/api/account", &first, None).await.status, 401);
    assert_eq!(stage.browse(Method::GET, "/api/account", &second, None).await.status, 200);

    stage.browse(Method::POST, "/api/account/sign-out-everywhere", &second, None).await;
    for cookie in [second, third] {
        assert_eq!(stage.browse(Method::GET, "/api/account", &cookie, None).await.status, 401);
    }
}

#[tokio::test]
async fn a_sign_in_is_over_after_thirty_days() {
    let stage = TestServer::new();
    let cookie = stage.newcomer("ada").await;
    stage.clock.push(Duration::from_secs(30 * 24 * 60 * 60 - 60));
    assert_eq!(stage.browse(Method::GET, "/api/account", &cookie, None).await.status, 200);
    stage.clock.push(Duration::from_secs(60));
    assert_eq!(stage.browse(Method::GET, "/api/account", &cookie, None).await.status, 401);
}
