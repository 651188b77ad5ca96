//! What is promised to agents alone reaches no respondent: a mark in each such text, and a walk over every route.
//!
//! The routes are read from the document of the interface and from the pages' own list, so that a new one is walked
//! without anyone thinking of it. What programs are answered when they send something is in `agents_only_programs`.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use enza_server::Accounts;
use futures_util::StreamExt as _;
use serde_json::{Value, json};
use tower::ServiceExt as _;

use crate::common::parts;
use crate::respond::visit::SharedForm;

/// Stands in every text that agents and the owner alone read.
pub const MARK: &str = "AGENTS-ONLY";

/// A form with a field of every kind, and a mark in everything that is not for respondents.
pub fn marked() -> Value {
    let kinds = [
        "text",
        "long_text",
        "number",
        "integer",
        "date",
        "time",
        "choice",
        "choices",
        "yes_no",
        "email",
        "phone",
        "file",
    ];
    let mut fields: Vec<Value> = kinds
        .iter()
        .map(|kind| {
            let mut field = json!({
                "fieldId": kind, "label": format!("About {kind}"), "kind": kind, "required": *kind == "number",
                "intent": format!("{MARK} intent of {kind}"), "followUps": 1,
            });
            if kind.starts_with("choice") {
                field["options"] = json!(["Fish", "Meat"]);
            }
            if kind.ends_with("text") {
                field["facts"] = json!([{ "factKey": "k", "fact": format!("{MARK} fact"),
                    "doneCriteria": format!("{MARK} criterion"), "questioningHints": format!("{MARK} hint") }]);
            }
            field
        })
        .collect();
    fields.push(json!({ "fieldId": "source", "label": format!("{MARK} hidden"), "hidden": true, "intent": MARK }));
    json!({ "title": "Every kind", "language": "en", "order": "fixed", "fields": fields })
}

/// The respondent's addresses that can be looked at, with `{ticket}` and the like in them.
fn routes() -> BTreeSet<String> {
    let pages = include_str!("../../src/pages/respond/mod.rs");
    let pages =
        pages.split(".route(\"").skip(1).filter_map(|rest| rest.split_once('"')).map(|(path, _)| path.to_owned());
    let document =
        serde_json::to_value(enza_server::api::document(&parts(Accounts::Shared))).expect("the document is plain data");
    let api = document["paths"].as_object().expect("paths").iter();
    let api = api.filter(|(path, item)| is_a_respondents(path) && item.get("get").is_some());
    let all: BTreeSet<String> = pages.chain(api.map(|(path, _)| path.clone())).collect();
    assert!(all.len() > 8 && all.contains("/r/{ticket}/form") && all.contains("/api/r/{ticket}/live"), "{all:?}");
    all
}

pub fn is_a_respondents(path: &str) -> bool {
    path.starts_with("/api/r/") || path.starts_with("/api/f/")
}

struct Walk {
    shared: SharedForm,
    at: String,
    seen: usize,
}

impl Walk {
    /// Looks at everything there is now, in both languages.
    async fn everywhere(&mut self, when: &str) {
        for (route, lang) in routes().into_iter().flat_map(|route| [(route.clone(), "en"), (route, "ja")]) {
            let ticket = self.at.trim_start_matches("/r/");
            let path = route.replace("{ticket}", ticket).replace("{link}", &self.shared.link());
            // As it is, and as a script asks.
            for (accept, query) in [("text/html", "?after=0"), ("application/json", "?after=0&limit=100")] {
                let query = if path.ends_with("/messages") { query } else { "?after=0" };
                let query = if path.ends_with("/news") || path.contains("live") || path.ends_with("/messages") {
                    query
                } else {
                    ""
                };
                let request =
                    Request::builder().method(Method::GET).uri(format!("{path}{query}").replace("{field}", "file"));
                let request = request.header("accept", accept).header("cookie", format!("enza-language={lang}"));
                let request = request.header("accept-language", lang).body(Body::empty()).expect("a sound request");
                let text = if path.ends_with("/live") {
                    self.feed(request).await
                } else {
                    self.shared.stage.send(request).await.text()
                };
                self.seen += 1;
                assert!(!text.contains(MARK), "{when}, {path}: {text}");
            }
        }
    }

    /// What a feed says up to now.
    async fn feed(&self, request: Request<Body>) -> String {
        let response = self.shared.stage.router.clone().oneshot(request).await.expect("an answer");
        if response.status() != StatusCode::OK {
            return String::new();
        }
        let mut body = response.into_body().into_data_stream();
        let mut heard = String::new();
        let quiet = std::time::Duration::from_millis(30);
        while let Ok(Some(Ok(piece))) = tokio::time::timeout(quiet, body.next()).await {
            heard.push_str(&String::from_utf8_lossy(&piece));
        }
        assert!(heard.contains("\"seq\":1"), "{heard}");
        heard
    }

    async fn order(&mut self, fields: &[(&str, &str)]) {
        let said = self.shared.order(&self.at.clone(), fields).await.text();
        assert!(!said.contains(MARK), "{fields:?}: {said}");
        self.everywhere(&format!("after {fields:?}")).await;
    }
}

#[tokio::test]
async fn what_is_for_agents_alone_reaches_no_respondent_by_any_route() {
    let shared = SharedForm::new(marked()).await;
    shared
        .tell(json!({ "make_link": { "token": "anotherTokenOfEnough", "kind": "single", "note": MARK,
        "prefill": { "source": format!("{MARK} by the link") } } }))
        .await;
    let at = shared.begin_by("anotherTokenOfEnough").await;
    let mut walk = Walk { shared, at, seen: 0 };
    walk.everywhere("at the first question").await;
    // An answer that is too short, a question, absences, nonsense, and what is wrong on the classic form.
    walk.order(&[("act", "say"), ("words", "What is this for?")]).await;
    walk.order(&[("act", "say"), ("words", "I don't know")]).await;
    walk.order(&[("act", "say"), ("words", "eh")]).await;
    walk.order(&[("act", "say"), ("words", "still eh")]).await;
    walk.order(&[("act", "say"), ("words", "a few")]).await;
    walk.order(&[("act", "say"), ("words", "skip")]).await;
    walk.order(&[("act", "change"), ("field", "text")]).await;
    let wrong = [("f.number", "many"), ("f.integer", "1.5"), ("f.date", "soon"), ("f.email", "nobody")];
    let page = walk.shared.post(&format!("{}/form", walk.at), &wrong).await;
    assert_eq!(page.status, StatusCode::UNPROCESSABLE_ENTITY);
    assert!(!page.text().contains(MARK) && page.text().contains("whole number"), "{}", page.text());
    let fill = [
        ("act", "fill"),
        ("f.text", "Ada"),
        ("f.number", "1.5"),
        ("f.integer", "12"),
        ("f.date", "2026-11-03"),
        ("f.time", "14:30"),
        ("f.choice", "Fish"),
        ("f.choices", "Meat"),
        ("f.yes_no", "yes"),
        ("f.email", "a@example.org"),
        ("f.phone", "+44 20 7946 0018"),
        ("f.long_text", "Nothing"),
    ];
    walk.order(&fill).await;
    for _ in 0..14 {
        walk.shared.order(&walk.at, &[("act", "skip"), ("absence", "declined")]).await;
    }
    walk.everywhere("at the confirmation").await;
    let page = walk.shared.look(&walk.at, "").await.text();
    let gate = page.split("name=\"gate\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).map(str::to_owned);
    let gate = gate.unwrap_or_else(|| panic!("no gate: {page}"));
    walk.order(&[("act", "submit"), ("gate", &gate)]).await;
    let receipt = walk.shared.look(&format!("{}/receipt.json", walk.at), "").await;
    assert_eq!(receipt.status, StatusCode::OK, "it was submitted: {}", receipt.text());
    assert!(walk.seen > 300, "{}", walk.seen);
}
