//! What the companion shows beside its conversation, as the page of a session draws it.

use axum::http::{Method, StatusCode};
use enza_kernel::text::Lang;
use enza_server::Accounts;
use serde_json::json;

use crate::companion::fake_folders::CompanionServer;

#[tokio::test]
async fn panels_are_drawn_in_the_readers_language_and_a_panel_with_nothing_in_it_is_not() {
    let room = CompanionServer::new(Accounts::Alone).await;
    let session = room.session().await;
    let at = format!("/sessions/{session}");
    let before = room.stage.look(&at, &room.cookie, Lang::En).await.text();
    assert!(before.contains("<section class=\"known\" id=\"panel-task\"><h2>Current task</h2>"), "{before}");
    assert!(!before.contains("panel-forbidden"), "{before}");

    let token = room.stage.token("ada", &["read", "write"]).await;
    let forbid = json!({ "forbid": { "text": "<b>src/auth</b>" } });
    let answer = room.stage.ask(Method::POST, &format!("/api{at}/commands"), &token, Some(forbid)).await;
    assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    for (lang, title) in [(Lang::En, "Forbidden"), (Lang::Ja, "禁じたこと")] {
        let page = room.stage.look(&at, &room.cookie, lang).await.text();
        let head = format!("<section class=\"listed\" id=\"panel-forbidden\"><h2>{title}</h2>");
        assert!(page.contains(&head), "{page}");
        assert!(page.contains("<p class=\"thing\">&lt;b&gt;src/auth&lt;/b&gt;</p>"), "{page}");
        assert!(!page.contains("<b>src/auth"), "{page}");
        assert!(!page.contains("panel-queue"), "{page}");
    }

    let floor = room.stage.ask(Method::GET, &format!("/api{at}"), &token, None).await.json()["floor"].take();
    let ids: Vec<_> = floor["panels"].as_array().unwrap().iter().map(|panel| panel["id"].as_str().unwrap()).collect();
    assert_eq!(ids, ["task", "forbidden", "rules"]);
    assert_eq!(floor["known"], floor["panels"][0]["facts"]);
    assert_eq!(floor["lists"][0], json!({ "title": "Forbidden", "things": floor["panels"][1]["things"] }));
}
