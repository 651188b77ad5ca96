//! The OpenAPI document: complete, committed, and shown.

use std::collections::BTreeSet;
use std::path::Path;

use axum::body::Body;
use axum::http::{Request, StatusCode};
use enza_kernel::text::Lang;
use enza_server::Accounts;
use serde_json::Value;

use crate::api::client::ApiClient;
use crate::common::parts;

const RENEW: &str = "ENZA_RENEW=1 cargo nextest run -p enza-server the_committed_document_is_that_of_the_code";

fn document() -> Value {
    let parts = parts(Accounts::Shared);
    enza_server::part::install(&parts);
    serde_json::to_value(enza_server::api::document(&parts)).unwrap()
}

fn operations(document: &Value) -> impl Iterator<Item = (String, &Value)> {
    let paths = document["paths"].as_object().unwrap().iter();
    paths.flat_map(|(path, item)| {
        let methods = item.as_object().unwrap().iter().filter(|(_, operation)| operation["responses"].is_object());
        methods.map(move |(method, operation)| (format!("{method} {path}"), operation))
    })
}

#[test]
fn the_committed_document_is_that_of_the_code() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("openapi.json");
    let today = serde_json::to_string_pretty(&document()).unwrap() + "\n";
    if std::env::var_os("ENZA_RENEW").is_some() {
        std::fs::write(&path, &today).unwrap();
    }
    let committed = std::fs::read_to_string(&path).unwrap_or_default();
    assert!(
        committed == today,
        "server/openapi.json is not what the code says. Look at the change and renew it:\n  {RENEW}"
    );
}

#[test]
fn every_operation_says_what_it_is_needs_and_answers() {
    let document = document();
    assert!(document["openapi"].as_str().unwrap().starts_with("3.1"));
    let mut names = BTreeSet::new();
    for (place, operation) in operations(&document) {
        let name = operation["operationId"].as_str().unwrap();
        assert!(names.insert(name.to_owned()), "{place}: there is another operation named {name}");
        assert!(operation["summary"].as_str().is_some_and(|summary| !summary.is_empty()), "{place}: no summary");
        assert!(operation["tags"][0].is_string(), "{place}: no tag");
        let statuses: Vec<_> = operation["responses"].as_object().unwrap().keys().collect();
        assert!(statuses.iter().any(|status| status.starts_with('2') || *status == "101"), "{place}: {statuses:?}");
        for always in ["429", "500", "503"] {
            assert!(statuses.iter().any(|status| *status == always), "{place}: {always} is missing");
        }
        let takes_key = operation["parameters"]
            .as_array()
            .is_some_and(|all| all.iter().any(|one| one["name"] == "Idempotency-Key" && one["in"] == "header"));
        let is_open = operation["security"] == serde_json::json!([{}]);
        assert_eq!(takes_key, place.starts_with("post ") && !is_open, "{place}");
    }
}

#[test]
fn every_operation_is_explained_in_both_languages() {
    let document = document();
    for (place, operation) in operations(&document) {
        let key = format!("api-route.{}", operation["operationId"].as_str().unwrap());
        assert!(enza_server::words::Words(Lang::Ja).has(&key), "{place}: {key} is missing in words/api.toml");
        let tag = format!("api-tag.{}", operation["tags"][0].as_str().unwrap());
        assert!(enza_server::words::Words(Lang::Ja).has(&tag), "{place}: {tag} is missing in words/api.toml");
    }
}

#[test]
fn every_reference_in_the_document_leads_somewhere() {
    fn references(value: &Value, found: &mut BTreeSet<String>) {
        match value {
            Value::Object(fields) => {
                found.extend(fields.get("$ref").and_then(Value::as_str).map(str::to_owned));
                fields.values().for_each(|value| references(value, found));
            }
            Value::Array(items) => items.iter().for_each(|value| references(value, found)),
            Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => {}
        }
    }
    let document = document();
    let mut found = BTreeSet::new();
    references(&document, &mut found);
    let lost: Vec<_> = found.iter().filter(|place| document.pointer(place.trim_start_matches('#')).is_none()).collect();
    assert!(lost.is_empty() && !found.is_empty(), "{lost:?}");
}

#[tokio::test]
async fn the_document_and_its_page_are_open_to_everyone() {
    let desk = ApiClient::new().await;
    let request =
        |path: &str| Request::builder().uri(path).header("accept-language", "ja").body(Body::empty()).unwrap();
    let served = desk.stage.send(request("/api/openapi.json")).await;
    assert_eq!((served.status, served.json()), (StatusCode::OK, document()));
    let page = desk.stage.send(request("/api")).await;
    assert_eq!(
        (page.status, &page.headers["content-type"]),
        (StatusCode::OK, &"text/html; charset=utf-8".parse().unwrap())
    );
    for (place, operation) in operations(&document()) {
        let id = format!("id=\"{}\"", operation["operationId"].as_str().unwrap());
        assert!(page.text().contains(&id), "{place} is not on the page");
    }
}
