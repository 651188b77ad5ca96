//! What was used, as a page and as a file.

use axum::http::StatusCode;
use enza_kernel::conversation::{Reply, ToolCall, Usage};
use enza_kernel::text::Lang;
use serde_json::json;

use crate::common::TestServer;

/// A house in which ada's interview has asked its first question, for a price.
async fn paid() -> (TestServer, String) {
    asked_by("=dear/model, \"large\"").await
}

async fn asked_by(model: &str) -> (TestServer, String) {
    let stage = TestServer::new();
    stage.person("ada", false).await;
    let cookie = stage.cookie("ada").await;
    let call = ToolCall { id: "q".to_owned(), tool: "ask".to_owned(), arguments: json!({ "question": "What?" }) };
    stage.model.then(Ok(Reply {
        calls: vec![call],
        model: model.to_owned(),
        usage: Usage { input: 1_000, output: 50, cache_read: 750, cache_write: 0, cost: 12_345 },
        ..Reply::default()
    }));
    stage.interview("ada").await;
    (stage, cookie)
}

#[tokio::test]
async fn what_was_paid_is_shown_in_money_and_in_tokens() {
    let (stage, cookie) = paid().await;
    for lang in [Lang::Ja, Lang::En] {
        let money = stage.look("/usage", &cookie, lang).await;
        assert_eq!(money.status, StatusCode::OK);
        let text = money.text();
        assert!(text.contains("$0.0123") && !text.contains('⁇') && !text.contains(" style="), "{text}");
        let tokens = stage.look("/usage?days=7&unit=tokens", &cookie, lang).await.text();
        assert!(tokens.contains("chart-bar") && tokens.contains("75 %"), "{tokens}");
        assert_eq!(tokens.matches("class=\"chart-bar\"").count(), 7);
    }
}

#[tokio::test]
async fn the_file_has_every_line_and_no_formula() {
    let (stage, cookie) = paid().await;
    let file = stage.look("/usage/lines.csv?days=7", &cookie, Lang::En).await;
    assert_eq!(file.headers["content-type"], "text/csv; charset=utf-8");
    let text = file.text();
    let lines: Vec<&str> = text.lines().collect();
    assert_eq!(lines.len(), 2, "{text}");
    let fields = "\"'=dear/model, \"\"large\"\"\"";
    assert!(
        lines[1].contains(&format!(",\"interview\",{fields},")) && lines[1].ends_with(",1,1000,50,750,0,0.012345"),
        "{text}"
    );
}

#[tokio::test]
async fn the_understudy_is_not_passed_off_as_a_model() {
    let (stage, cookie) = asked_by("understudy").await;
    let text = stage.look("/usage?days=90", &cookie, Lang::En).await.text();
    assert!(text.contains("understudy (not a model)"), "{text}");
}

#[tokio::test]
async fn whoever_used_nothing_is_told_so_and_sees_nothing_of_others() {
    let (stage, _) = paid().await;
    stage.person("eve", true).await;
    let eve = stage.cookie("eve").await;
    let text = stage.look("/usage", &eve, Lang::En).await.text();
    assert!(text.contains("Nothing was used in this period.") && !text.contains("dear/model"), "{text}");
    let file = stage.look("/usage/lines.csv", &eve, Lang::En).await.text();
    assert_eq!(file.lines().count(), 1, "{file}");
}
