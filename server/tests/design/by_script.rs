//! The forms of a session's page as its scripts send them: to the same addresses, and answered by JSON.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use enza_kernel::text::Lang;
use enza_runtime::seams::store::SessionId;
use serde_json::json;

use crate::common::{Answer, TestServer};

/// A page of Ada's, and her cookie.
struct OpenPage {
    stage: TestServer,
    cookie: String,
    session: SessionId,
}

impl OpenPage {
    async fn new() -> Self {
        let stage = TestServer::new();
        stage.person("ada", true).await;
        let cookie = stage.cookie("ada").await;
        let session = stage.interview("ada").await;
        Self { stage, cookie, session }
    }

    /// One that stands at its gate.
    async fn at_the_gate() -> (Self, String) {
        let page = Self::new().await;
        for (key, words) in [("1", "The lift is stuck"), ("2", "Building A"), ("3", "ada@example.org")] {
            let answer = page.say(key, words).await;
            assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
            page.rest().await;
        }
        let text = page.look().await;
        let gate = text.split("name=\"gate\" value=\"").nth(1).and_then(|rest| rest.split('"').next());
        let gate = gate.unwrap_or_else(|| panic!("no gate: {text}")).to_owned();
        (page, gate)
    }

    async fn say(&self, key: &str, words: &str) -> Answer {
        let command = "{\"say\":{\"text\":\"\"}}";
        self.send("commands", &[("command", command), ("place", "/say/text"), ("words", words), ("key", key)]).await
    }

    /// Sends a form as `send.js` does.
    async fn send(&self, to: &str, fields: &[(&str, &str)]) -> Answer {
        let encoded = |text: &str| text.bytes().map(|byte| format!("%{byte:02X}")).collect::<String>();
        let body: Vec<String> = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect();
        let request = Request::post(format!("/sessions/{}/{to}", self.session))
            .header("accept", "application/json")
            .header("accept-language", "en")
            .header("cookie", &self.cookie)
            .header("origin", "http://127.0.0.1:7878")
            .header("content-type", "application/x-www-form-urlencoded");
        self.stage.send(request.body(Body::from(body.join("&"))).expect("a sound request")).await
    }

    async fn look(&self) -> String {
        self.stage.look(&format!("/sessions/{}", self.session), &self.cookie, Lang::En).await.text()
    }

    async fn rest(&self) {
        self.stage.app.engine().wait_for_rest(&self.session).await.expect("it comes to rest");
    }
}

#[tokio::test]
async fn words_whose_acknowledgement_was_lost_are_sent_again_and_said_once() {
    let page = OpenPage::new().await;
    let (first, again) = (page.say("k", "The lift is stuck").await, page.say("k", "The lift is stuck").await);
    assert_eq!((first.status, &first.json()["repeated"]), (StatusCode::OK, &json!(false)));
    assert_eq!((again.status, &again.json()["repeated"]), (StatusCode::OK, &json!(true)));
    page.rest().await;
    assert_eq!(page.look().await.matches("<div class=\"words\">The lift is stuck</div>").count(), 1);
}

#[tokio::test]
async fn words_that_are_not_taken_are_told_as_json_and_not_as_a_page() {
    let page = OpenPage::new().await;
    let refused = page.say("k", &"long ".repeat(1_000)).await;
    assert!(refused.status.is_client_error(), "{}", refused.status);
    assert_eq!(refused.headers["content-type"], "application/json");
    let told = refused.json();
    let error = &told["error"];
    assert!(error["message"].is_string() && error["hint"].is_string(), "{told}");
}

#[tokio::test]
async fn an_answer_to_a_gate_whose_acknowledgement_was_lost_was_refused_when_it_came_again() {
    let (page, gate) = OpenPage::at_the_gate().await;
    let answer = [("gate", &*gate), ("key", "k"), ("boxes", "yes"), ("note", "Fine."), ("verdict", "yes")];
    let first = page.send("gates", &answer).await;
    assert_eq!((first.status, &first.json()["repeated"]), (StatusCode::OK, &json!(false)));
    page.rest().await;
    let again = page.send("gates", &answer).await;
    assert_eq!((again.status, &again.json()["repeated"]), (StatusCode::OK, &json!(true)), "{}", again.text());
    let other = page.send("gates", &[("gate", &*gate), ("key", "other"), ("verdict", "no")]).await;
    assert_eq!(other.status, StatusCode::CONFLICT, "a gate takes one answer: {}", other.text());
    assert!(other.json()["error"]["message"].is_string());
}

#[tokio::test]
async fn a_form_that_is_sent_without_being_signed_in_is_told_so() {
    let page = OpenPage::new().await;
    let stranger = OpenPage { cookie: String::new(), ..page };
    let refused = stranger.say("k", "The lift is stuck").await;
    assert_eq!((refused.status, refused.code()), (StatusCode::UNAUTHORIZED, "not-signed-in".to_owned()));
}
