//! Beginning in a folder: from the first page, by JSON and by programs, by those who may.

use axum::http::{Method, StatusCode};
use enza_kernel::text::Lang;
use enza_runtime::seams::register::{People as _, Person};
use enza_runtime::seams::store::SessionId;
use enza_server::Accounts;
use serde_json::{Value, json};

use crate::common::{Answer, TestServer};
use crate::companion::fake_folders::{CompanionServer, DENIED};

fn in_work() -> Value {
    json!({ "application": "companion", "command": { "open": { "folder": "/work" } } })
}

fn problem(answer: &Answer) -> (u16, String) {
    (answer.status.as_u16(), answer.code())
}

/// G23: whatever way a session is begun, what the settings deny is denied in it.
#[tokio::test]
async fn every_way_to_begin_has_the_rules_of_the_settings() {
    let room = CompanionServer::new(Accounts::Alone).await;
    let home = room.stage.look("/", &room.cookie, Lang::En).await.text();
    assert!(home.contains("action=\"/companion\"") && home.contains("name=\"folder\""), "{home}");
    let by_folder = room.begin("  /work ", Lang::En).await;
    let command = r#"{"open": {"folder": "/work", "language": "en", "settings": {"rules": []}}}"#;
    let fields = [("application", "companion"), ("command", command), ("key", "two")];
    let by_hand = room.send_form("/sessions", &room.cookie, Lang::En, &fields).await;
    let token = room.stage.token("ada", &["write", "admin"]).await;
    let by_program = room.stage.ask(Method::POST, "/api/sessions", &token, Some(in_work())).await;
    assert_eq!(by_program.status, StatusCode::CREATED);
    let mut begun = vec![by_program.json()["id"].as_str().unwrap().to_owned()];
    for page in [by_folder, by_hand] {
        assert_eq!(page.status, StatusCode::SEE_OTHER, "{}", page.text());
        begun.push(page.headers["location"].to_str().unwrap().rsplit('/').next().unwrap().to_owned());
    }
    for session in begun.into_iter().map(SessionId::of) {
        assert_eq!(room.rules(&session).await, [DENIED], "{session}");
    }
}

#[tokio::test]
async fn a_form_that_is_sent_twice_begins_one_session() {
    let room = CompanionServer::new(Accounts::Alone).await;
    let places: Vec<_> = [room.begin("/work", Lang::En).await, room.begin("/work", Lang::En).await]
        .map(|answer| answer.headers["location"].to_str().unwrap().to_owned())
        .into();
    assert_eq!(places[0], places[1]);
}

#[tokio::test]
async fn a_folder_that_does_not_do_stands_there_again_with_what_is_wrong() {
    let room = CompanionServer::new(Accounts::Alone).await;
    for lang in [Lang::En, Lang::Ja] {
        let page = room.begin("/no <where>", lang).await;
        assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
        let text = page.text();
        assert!(text.contains("value=\"/no &lt;where&gt;\""), "what was typed is kept: {text}");
        assert!(text.contains("/no &lt;where&gt;? Another."), "{text}");
        assert!(text.contains("aria-invalid=\"true\" aria-describedby=\"field-folder-error"), "{text}");
    }
    let unkeepable = room.begin("a\u{0}b", Lang::En).await;
    assert_eq!(unkeepable.status, StatusCode::BAD_REQUEST);
    let again = room.stage.look("/companion", &room.cookie, Lang::En).await;
    assert_eq!((again.status.as_u16(), &again.headers["location"]), (303, &"/#field-folder".parse().unwrap()));
}

#[tokio::test]
async fn what_a_project_asks_for_and_does_not_get_is_told() {
    let room = CompanionServer::new(Accounts::Alone).await;
    let page = room.begin("/asks", Lang::Ja).await;
    let text = page.text();
    assert_eq!(page.status, StatusCode::OK);
    assert!(text.contains("tests: sh evil") && text.contains("使わないものがあります"), "{text}");
    assert!(text.contains("href=\"/sessions/"), "the way on: {text}");
    let token = room.stage.token("ada", &["write", "admin"]).await;
    let new = json!({ "application": "companion", "command": { "open": { "folder": "/asks" } } });
    let begun = room.stage.ask(Method::POST, "/api/sessions", &token, Some(new)).await.json();
    assert_eq!(begun["remarks"], json!([{ "kind": "warning", "text": "tests: sh evil" }]));
}

#[tokio::test]
async fn a_command_that_opens_nothing_is_told() {
    let room = CompanionServer::new(Accounts::Alone).await;
    let token = room.stage.token("ada", &["write", "admin"]).await;
    let new = json!({ "application": "companion", "command": { "say": { "text": "x" } } });
    let answer = room.stage.ask(Method::POST, "/api/sessions", &token, Some(new)).await;
    assert_eq!(problem(&answer), (422, "body-unfit".to_owned()));
}

#[tokio::test]
async fn where_there_are_accounts_only_administrators_begin() {
    let room = CompanionServer::new(Accounts::Shared).await;
    room.stage.person("eve", false).await;
    let cookie = room.stage.cookie("eve").await;
    let home = room.stage.look("/", &cookie, Lang::En).await.text();
    assert!(!home.contains("action=\"/companion\""), "{home}");
    assert!(!home.contains("<option value=\"companion\">Companion</option></select></div><div class=\"field\">"));
    let form = room.send_form("/companion", &cookie, Lang::Ja, &[("folder", "/work"), ("key", "one")]).await;
    assert_eq!(form.status, StatusCode::FORBIDDEN);
    assert!(form.text().contains("管理者だけです"), "{}", form.text());
    for (person, scopes) in [("eve", &["write", "admin"][..]), ("ada", &["write"])] {
        let token = room.stage.token(person, scopes).await;
        let answer = room.stage.ask(Method::POST, "/api/sessions", &token, Some(in_work())).await;
        assert_eq!(problem(&answer), (403, "folder-closed".to_owned()), "{person} {scopes:?}");
    }
    assert_eq!(room.begin("/work", Lang::En).await.status, StatusCode::SEE_OTHER);
}

#[tokio::test]
async fn who_is_no_administrator_any_more_goes_on_in_no_folder() {
    let room = CompanionServer::new(Accounts::Shared).await;
    let session = room.session().await;
    let ada: Person = room.stage.store.person("ada").await.unwrap().unwrap();
    room.stage.store.change(&Person { is_admin: false, ..ada }).await.unwrap();
    let token = room.stage.token("ada", &["write"]).await;
    let before = room.stage.app.engine().row(&session).await.unwrap().head;
    let say = json!({ "say": { "text": "go on" } });
    for (path, body) in [("commands", say), ("gates/gate-1", json!({ "verdict": "yes" }))] {
        let at = format!("/api/sessions/{session}/{path}");
        let answer = room.stage.ask(Method::POST, &at, &token, Some(body)).await;
        assert_eq!(problem(&answer), (403, "folder-closed".to_owned()), "{path}");
    }
    assert_eq!(room.stage.app.engine().row(&session).await.unwrap().head, before);
}

#[tokio::test]
async fn a_house_without_folders_begins_in_none() {
    let stage = TestServer::new();
    stage.person("ada", true).await;
    let cookie = stage.cookie("ada").await;
    let home = stage.look("/", &cookie, Lang::En).await.text();
    assert!(!home.contains("action=\"/companion\""), "{home}");
    let token = stage.token("ada", &["write", "admin"]).await;
    let answer = stage.ask(Method::POST, "/api/sessions", &token, Some(in_work())).await;
    assert_eq!(problem(&answer), (422, "application-unknown".to_owned()));
}
