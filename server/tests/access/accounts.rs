//! Looking after an account, taking everything along, and leaving.

use axum::http::Method;
use enza_kernel::time::Seq;
use enza_runtime::seams::register::{AuditLog as _, People as _};
use enza_runtime::seams::store::{Filter, SessionCatalog as _, SessionId, SessionOpening};
use enza_server::Accounts;
use enza_server::access::issue_link;
use enza_server::actions::account::{LinkOutcome, sign_in_by_link};
use serde_json::{Value, json};

use super::PASSWORD;
use crate::common::TestServer;

#[tokio::test]
async fn a_person_changes_what_others_see_the_language_and_their_limits() {
    let stage = TestServer::new();
    let cookie = stage.newcomer("ada").await;
    let changes = json!({ "display": " エイダ ", "lang": "ja", "own_limits": { "tokens_per_day": 1000 } });
    let answer = stage.browse(Method::PATCH, "/api/account", &cookie, Some(changes)).await;
    assert_eq!(answer.status, 200, "{}", answer.text());
    let mut account = answer.json();
    let added = account["added_at"].take();
    assert!(added.as_i64().is_some_and(|at| at > 0));
    let none = json!({ "tokens_per_day": null, "tokens_in_all": null, "money_per_day": null, "money_in_all": null });
    let mut own = none.clone();
    own["tokens_per_day"] = json!(1000);
    let expected = json!({
        "name": "ada", "display": "エイダ", "lang": "ja", "is_admin": true, "has_password": true,
        "own_limits": own, "house_limits": none, "added_at": null,
    });
    assert_eq!(account, expected);

    // The language counts from the next answer on, whatever the browser asks for.
    let problem = stage.browse(Method::GET, "/api/nothing", &cookie, None).await;
    assert_eq!(problem.headers["content-language"], "ja");
    let back = json!({ "lang": "browser" });
    assert_eq!(stage.browse(Method::PATCH, "/api/account", &cookie, Some(back)).await.json()["lang"], Value::Null);
}

#[tokio::test]
async fn what_cannot_be_changed_so_is_refused_and_nothing_changes() {
    let stage = TestServer::new();
    let cookie = stage.newcomer("ada").await;
    let before = stage.store.person("ada").await.unwrap();
    let wishes = [
        (json!({ "display": "  " }), "text-empty"),
        (json!({ "display": "x".repeat(61) }), "text-too-long"),
        (json!({ "lang": "fr" }), "body-unfit"),
        (json!({ "name": "eve" }), "body-unfit"),
        (json!({ "own_limits": { "tokens_per_day": u64::MAX } }), "body-unfit"),
        (json!({ "own_limits": { "tokens_per_day": -1 } }), "body-unfit"),
    ];
    for (wish, code) in wishes {
        let answer = stage.browse(Method::PATCH, "/api/account", &cookie, Some(wish.clone())).await;
        assert_eq!((answer.status.as_u16(), answer.code().as_str()), (422, code), "{wish}");
    }
    assert_eq!(stage.store.person("ada").await.unwrap(), before);
}

#[tokio::test]
async fn whoever_leaves_takes_every_session_fork_and_pass_along() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    let bob = stage.newcomer("bob").await;
    let token = stage.token("bob", &["read"]).await;
    let kept = stage.interview("ada").await;
    let first = stage.interview("bob").await;
    let fork = SessionId::of("a-fork");
    let fork_of_fork = SessionId::of("a-fork-of-the-fork");
    stage.app.engine().fork(&first, Some(Seq(1)), &fork, "bob").await.unwrap();
    stage.app.engine().fork(&fork, None, &fork_of_fork, "bob").await.unwrap();

    let wrong = json!({ "password": "a guess of mine", "name": "bob" });
    assert_eq!(stage.browse(Method::POST, "/api/account/delete", &bob, Some(wrong)).await.code(), "password-wrong");
    let right = json!({ "password": PASSWORD });
    let gone = stage.browse(Method::POST, "/api/account/delete", &bob, Some(right)).await;
    assert_eq!((gone.status.as_u16(), gone.cookie()), (204, "enza=".to_owned()));

    assert_eq!(stage.store.person("bob").await.unwrap(), None);
    let left: Vec<_> = stage.store.list(&Filter::default()).await.unwrap().into_iter().map(|row| row.id).collect();
    assert_eq!(left, [kept]);
    assert_eq!(stage.browse(Method::GET, "/api/account", &bob, None).await.status, 401);
    assert_eq!(stage.ask(Method::GET, "/api/account", &token, None).await.status, 401);
    assert_eq!(stage.browse(Method::GET, "/api/account", &ada, None).await.status, 200);
}

#[tokio::test]
async fn whoever_leaves_takes_every_family_along() {
    let stage = TestServer::new();
    let bob = stage.newcomer("bob").await;
    let form = stage.interview("bob").await;
    let member = stage.interview_as(SessionOpening::new("interview", "bob").of(&form)).await;
    stage.interview_as(SessionOpening::new("interview", "bob").of(&member)).await;
    stage.app.engine().fork(&member, Some(Seq(1)), &SessionId::of("a-fork"), "bob").await.unwrap();
    let lines = stage.browse(Method::GET, "/api/account/export", &bob, None).await.text();
    let told = lines.lines().filter(|line| line.starts_with("{\"session\":")).count();
    assert_eq!(told, 4, "an export has them all");
    let right = json!({ "password": PASSWORD });
    assert_eq!(stage.browse(Method::POST, "/api/account/delete", &bob, Some(right)).await.status, 204);
    assert_eq!(stage.store.list(&Filter::default()).await.unwrap(), []);
}

#[tokio::test]
async fn whoever_has_sessions_of_others_in_a_family_stays_until_they_are_gone() {
    let stage = TestServer::new();
    stage.newcomer("ada").await;
    let bob = stage.newcomer("bob").await;
    let form = stage.interview("bob").await;
    let hers = stage.interview_as(SessionOpening::new("interview", "ada").of(&form)).await;
    let leave = || Some(json!({ "password": PASSWORD }));
    let refused = stage.browse(Method::POST, "/api/account/delete", &bob, leave()).await;
    assert_eq!((refused.status.as_u16(), refused.code()), (409, "session-has-family".to_owned()));
    assert_eq!(stage.store.list(&Filter::default()).await.unwrap().len(), 2, "nothing is gone");
    stage.app.engine().delete(&hers).await.unwrap();
    assert_eq!(stage.browse(Method::POST, "/api/account/delete", &bob, leave()).await.status, 204);
}

#[tokio::test]
async fn without_a_password_one_types_ones_name_to_leave() {
    let stage = TestServer::on(Default::default(), Accounts::Alone);
    let link = issue_link(stage.app.register(), Some("local"), stage.app.now()).await.unwrap();
    let entrance = sign_in_by_link(&stage.app, link.reveal(), "", &Default::default()).await.unwrap();
    let LinkOutcome::SignedIn(entered) = entrance else { panic!("the local owner is someone") };
    let cookie = format!("enza={}", entered.secret.reveal());
    stage.interview("local").await;
    let typed = |name: &str| Some(json!({ "name": name }));
    let wrong = stage.browse(Method::POST, "/api/account/delete", &cookie, typed("locale")).await;
    assert_eq!(wrong.code(), "password-wrong");
    assert_eq!(stage.browse(Method::POST, "/api/account/delete", &cookie, typed("local")).await.status, 204);
    assert_eq!(stage.store.list(&Filter::default()).await.unwrap(), []);
}

#[tokio::test]
async fn an_export_has_everything_of_ones_own_and_says_where_it_ends() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    stage.newcomer("bob").await;
    let session = stage.interview("ada").await;
    let others = stage.interview("bob").await;
    let answer = stage.browse(Method::GET, "/api/account/export", &ada, None).await;
    assert_eq!(answer.status, 200);
    assert!(!answer.text().contains(others.as_str()), "nothing of bob's");
    assert!(!answer.text().contains("argon2"), "no hash");

    let lines: Vec<Value> = answer.text().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kind = |line: &Value| line.as_object().unwrap().keys().next().unwrap().clone();
    let of = |wanted: &str| lines.iter().filter(|line| kind(line) == wanted).collect::<Vec<_>>();
    assert_eq!(lines[0]["person"]["account"]["name"], "ada");
    let events = stage.app.engine().store().events(&session, Seq::START, 1_000).await.unwrap();
    let exported: Vec<_> = of("event").iter().map(|line| line["event"]["recorded"].clone()).collect();
    assert_eq!(exported, events.iter().map(|event| json!(event)).collect::<Vec<_>>());
    assert_eq!(of("session").len(), 1);
    let acts: Vec<_> = of("journal").iter().map(|line| line["journal"]["act"].clone()).collect();
    assert_eq!(acts, ["exported", "registered"]);
    assert_eq!(lines.last().unwrap(), &json!({ "end": { "lines_before": lines.len() - 1 } }));
}

#[tokio::test]
async fn whoever_gets_a_name_again_does_not_get_its_history() {
    let stage = TestServer::new();
    stage.newcomer("ada").await;
    let bob = stage.newcomer("bob").await;
    let leave = json!({ "password": PASSWORD });
    stage.browse(Method::POST, "/api/account/delete", &bob, Some(leave)).await;
    stage.clock.push(std::time::Duration::from_secs(1));
    let another = stage.newcomer("bob").await;
    let export = stage.browse(Method::GET, "/api/account/export", &another, None).await.text();
    assert!(!export.contains("account-deleted"), "{export}");
    let all = stage.store.notes(None, None, 100).await.unwrap();
    assert_eq!(all.iter().filter(|line| line.note.act == "account-deleted").count(), 1);
}
