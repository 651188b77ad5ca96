//! What goes with words, before them and after.

use axum::http::{Method, StatusCode};
use enza_kernel::text::Lang;
use enza_server::Accounts;
use serde_json::{Value, json};

use crate::companion::fake_folders::{CompanionServer, DENIED};

fn say(text: &str) -> Value {
    json!({ "say": { "text": text } })
}

#[tokio::test]
async fn a_file_that_is_named_goes_with_the_words_and_what_does_not_is_told() {
    let room = CompanionServer::new(Accounts::Alone).await;
    let session = room.session().await;
    let token = room.stage.token("ada", &["read", "write"]).await;
    let at = format!("/api/sessions/{session}/commands");
    let answer = room.stage.ask(Method::POST, &at, &token, Some(say("see @a.rs and @none.rs"))).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    let told = json!([
        { "kind": "warning", "text": "Not attached: none.rs" },
        { "kind": "note", "text": "Attached: a.rs" },
    ]);
    assert_eq!(answer.json()["remarks"], told);
    assert_eq!(room.folders.heard(), 1);
    let log = room.stage.ask(Method::GET, &format!("/api/sessions/{session}/events"), &token, None).await.text();
    assert!(log.contains("fn a() {}"), "{log}");
    let plain = room.stage.ask(Method::POST, &at, &token, Some(json!({ "forbid": { "text": "src/auth" } }))).await;
    assert_eq!((plain.status, plain.json().get("remarks")), (StatusCode::OK, None));
}

#[tokio::test]
async fn without_scripts_the_page_says_what_did_not_go_along() {
    let room = CompanionServer::new(Accounts::Alone).await;
    let session = room.session().await;
    let at = format!("/sessions/{session}/commands");
    let command = say("").to_string();
    let form = |text: &'static str, key: &'static str| {
        vec![
            ("command", command.clone()),
            ("place", "/say/text".to_owned()),
            ("words", text.to_owned()),
            ("key", key.to_owned()),
        ]
    };
    let send = async |fields: Vec<(&str, String)>| {
        let fields: Vec<_> = fields.iter().map(|(name, value)| (*name, value.as_str())).collect();
        room.send_form(&at, &room.cookie, Lang::En, &fields).await
    };
    let in_part = send(form("see @none.rs", "one")).await;
    assert_eq!(in_part.status, StatusCode::OK);
    let page = in_part.text();
    assert!(page.contains("role=\"alert\">Not attached: none.rs</p>"), "{page}");
    let whole = send(form("see @a.rs", "two")).await;
    assert_eq!(whole.status, StatusCode::SEE_OTHER, "{}", whole.text());
}

/// G23: a session that is gone on with obeys denials that were written down since it began.
#[tokio::test]
async fn what_was_denied_since_comes_before_the_words() {
    let room = CompanionServer::new(Accounts::Alone).await;
    let session = room.session().await;
    room.folders.deny("dist/**");
    let token = room.stage.token("ada", &["write"]).await;
    let at = format!("/api/sessions/{session}/commands");
    assert_eq!(room.stage.ask(Method::POST, &at, &token, Some(say("go on"))).await.status, StatusCode::OK);
    assert_eq!(room.rules(&session).await, [DENIED, "deny change dist/**"]);
}
