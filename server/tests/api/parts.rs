//! What an application adds is there where its part is, and nothing of it where it is not.

use std::collections::BTreeMap;
use std::sync::Arc;

use async_trait::async_trait;
use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::http::{Method, StatusCode};
use axum::routing::get;
use enza_kernel::text::Lang;
use enza_runtime::seams::store::SessionId;
use enza_server::access::Caller;
use enza_server::assets::{self, Asset};
use enza_server::pages::PageContext;
use enza_server::part::{BodyLimit, Entrance, PartContents, Room, WebPart};
use enza_server::prepare::{Prepare, Prepared, Remark, RemarkKind, SentCommand, Unfit};
use enza_server::problem::{PartProblem, Problem};
use enza_server::state::Mask;
use enza_server::words::WordFiles;
use enza_server::{Accounts, AppState};
use maud::html;
use serde_json::{Value, json};

use crate::common::TestServer;

const WORDS: WordFiles = &["
[desk]
name = { ja = \"受付\", en = \"The desk\" }

[problem]
desk-shut = { ja = \"受付は閉まっています。\", en = \"The desk is shut.\" }

[problem-hint]
desk-shut = { ja = \"あとで来てください。\", en = \"Come back later.\" }
"];

const ASSETS: &[Asset] = &[Asset::style("desk.css", ".desk { order: 1 }")];

/// A part for the interview, in place of its own.
struct DeskPart;

#[async_trait]
impl WebPart for DeskPart {
    fn contents(&self) -> PartContents {
        PartContents {
            words: WORDS,
            assets: ASSETS,
            room: Some(Room { address: "/desk", name: "desk.name" }),
            body_limit: |path| (path == "/desk").then_some(BodyLimit { bytes: 5_000_000, beyond: Problem::Bug }),
            ..PartContents::of("interview")
        }
    }

    fn pages(&self) -> Router<AppState> {
        let page = get(|| async { "a page" }).post(|body: String| async move { body.len().to_string() });
        Router::new().route("/desk", page).layer(DefaultBodyLimit::max(5_000_000))
    }

    fn entrance(&self, here: &PageContext, caller: &Caller) -> Entrance {
        let form = html! { p { (here.words.say("desk.name")) " for " (caller.name()) } };
        Entrance::Form { form, is_open: false }
    }

    fn allows(&self, _app: &AppState, _caller: &Caller, opens: bool) -> Result<(), Problem> {
        let (code, status) = ("desk-shut", StatusCode::CONFLICT);
        if opens { Ok(()) } else { Err(Problem::OfPart(PartProblem { code, status, said: None })) }
    }

    async fn sweep(&self, _app: &AppState) -> Result<u64, Problem> {
        Ok(7)
    }
}

/// What is looked up for it.
struct DeskBook;

#[async_trait]
impl Prepare for DeskBook {
    fn application(&self) -> &'static str {
        "interview"
    }

    async fn prepare(&self, sent: SentCommand<'_>) -> Result<Prepared, Unfit> {
        let remark = Remark { kind: RemarkKind::Note, text: "looked up".to_owned() };
        Ok(Prepared { remarks: vec![remark], ..Prepared::plain(sent.command) })
    }

    async fn accepted(&self, _session: &SessionId) {}
}

async fn with_parts(parts: Vec<Arc<dyn WebPart>>) -> (TestServer, String, String) {
    let stage = TestServer::on(Arc::default(), Accounts::Shared).rebuilt(|setup| {
        if !parts.is_empty() {
            setup.prepares = vec![Arc::new(DeskBook)];
            setup.masks = BTreeMap::from([("interview", (|json: &str| json.replace("sample", "masked")) as Mask)]);
        }
        setup.parts = parts;
    });
    stage.person("ada", false).await;
    let (token, cookie) = (stage.token("ada", &["read", "write"]).await, stage.cookie("ada").await);
    (stage, token, cookie)
}

async fn begin(stage: &TestServer, token: &str) -> Value {
    let new = json!({ "application": "interview", "opening": "sample" });
    let begun = stage.ask(Method::POST, "/api/sessions", token, Some(new)).await;
    assert_eq!(begun.status, StatusCode::CREATED, "{}", begun.text());
    begun.json()
}

#[tokio::test]
async fn a_part_looks_at_every_command_before_it_is_decided() {
    let (stage, token, _) = with_parts(vec![Arc::new(DeskPart)]).await;
    let begun = begin(&stage, &token).await;
    assert_eq!(begun["remarks"], json!([{ "kind": "note", "text": "looked up" }]));
    let path = format!("/api/sessions/{}/commands", begun["id"].as_str().unwrap());
    let said = stage.ask(Method::POST, &path, &token, Some(json!({ "say": { "text": "Ada" } }))).await;
    assert_eq!(said.status, StatusCode::CONFLICT, "{}", said.text());
    assert_eq!(said.json()["error"]["code"], "desk-shut");
    assert_eq!(said.json()["error"]["message"], "The desk is shut.", "in the part's own words");
    assert_eq!(stage.app.parts()[0].sweep(&stage.app).await, Ok(7));
}

#[tokio::test]
async fn pages_assets_menu_and_the_way_in_are_put_together_from_the_parts() {
    let (stage, token, cookie) = with_parts(vec![Arc::new(DeskPart)]).await;
    assert_eq!(stage.look("/desk", &cookie, Lang::Ja).await.text(), "a page");
    let home = stage.look("/", &cookie, Lang::Ja).await.text();
    assert!(home.contains("<a href=\"/desk\">受付</a>"), "{home}");
    assert!(
        home.contains("<p>受付 for ada</p>") && !home.contains("name=\"application\" value=\"interview\""),
        "{home}"
    );
    let style = stage.look(&assets::address("desk.css"), &cookie, Lang::Ja).await;
    assert_eq!((style.status, style.text().as_str()), (StatusCode::OK, ".desk { order: 1 }"));
    let begun = begin(&stage, &token).await;
    let id = begun["id"].as_str().unwrap();
    assert!(stage.look("/", &cookie, Lang::En).await.text().contains(&format!("href=\"/desk/{id}\"")));
    let export = |raw: &str| format!("/api/sessions/{id}/export?raw={raw}");
    let masked = stage.ask(Method::GET, &export("false"), &token, None).await.text();
    let raw = stage.ask(Method::GET, &export("true"), &token, None).await.text();
    assert_eq!(masked, raw.replace("sample", "masked"));
    for (path, is_refused) in [("/desk", false), ("/sessions", true)] {
        let sent = stage.ask(Method::POST, path, &token, Some(json!("x".repeat(2_000_000)))).await;
        assert_eq!(sent.status == StatusCode::PAYLOAD_TOO_LARGE, is_refused, "{path}");
    }
}

#[tokio::test]
async fn an_application_without_a_part_is_begun_listed_and_read_as_any_other() {
    let (stage, token, cookie) = with_parts(Vec::new()).await;
    let begun = begin(&stage, &token).await;
    assert_eq!(begun["remarks"], Value::Null, "there is nothing to tell");
    let home = stage.look("/", &cookie, Lang::En).await.text();
    let address = format!("/sessions/{}", begun["id"].as_str().unwrap());
    assert!(home.contains(&format!("href=\"{address}\"")) && home.contains("value=\"sample\""), "{home}");
    assert_eq!(stage.look(&address, &cookie, Lang::En).await.status, StatusCode::OK);
    for gone in ["/forms", "/companion"] {
        assert_eq!(stage.look(gone, &cookie, Lang::En).await.status, StatusCode::NOT_FOUND, "{gone}");
        assert!(!home.contains(&format!("href=\"{gone}")), "{gone}");
    }
    let document = stage.ask(Method::GET, "/api/openapi.json", &token, None).await.json();
    let paths: Vec<_> = document["paths"].as_object().unwrap().keys().filter(|path| path.contains("form")).collect();
    assert!(paths.is_empty(), "{paths:?}");
}
