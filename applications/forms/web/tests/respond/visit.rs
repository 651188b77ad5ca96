//! A form that Ada has published and shared, and a browser without scripts that comes by its link.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use enza_forms_web::actions::forms::LinkTo;
use enza_runtime::seams::store::SessionId;
use serde_json::{Value, json};

use crate::common::{Answer, TestServer};

pub const TOKEN: &str = "aTokenThatNobodyCanGuess";

/// A house in which a form is shared.
pub struct SharedForm {
    pub stage: TestServer,
    pub form: SessionId,
    /// Ada's token.
    pub owner: String,
}

/// A form with a few kinds, in English.
pub fn party() -> Value {
    json!({
        "title": "Party", "description": "Two minutes.", "consent": "We plan with it.", "language": "en", "order": "fixed",
        "fields": [
            { "fieldId": "name", "label": "Your name", "required": true, "intent": "For the badge." },
            { "fieldId": "coming", "label": "Will you come?", "kind": "yes_no", "required": true },
            { "fieldId": "meal", "label": "Meal", "kind": "choice", "required": true, "options": ["Fish", "Meat"],
              "when": [{ "field": "coming", "is": "yes" }] },
            { "fieldId": "day", "label": "Day", "kind": "date", "required": true },
            { "fieldId": "wishes", "label": "Wishes", "kind": "long_text",
              "facts": [{ "factKey": "n", "fact": "The name", "doneCriteria": "SECRET-CRITERION", "questioningHints": "SECRET-HINT" }] },
            { "fieldId": "source", "label": "Source", "hidden": true },
        ],
    })
}

impl SharedForm {
    pub async fn new(form: Value) -> Self {
        Self::by(form, "public").await
    }

    /// A form behind a link of this kind.
    pub async fn by(form: Value, kind: &str) -> Self {
        Self::in_house(TestServer::new(), form, kind).await
    }

    /// The same, in a house that stands already.
    pub async fn in_house(stage: TestServer, form: Value, kind: &str) -> Self {
        stage.person("ada", false).await;
        let owner = stage.token("ada", &["read", "write"]).await;
        let begin = json!({ "application": "form", "command": { "begin": { "form": form } } });
        let begun = stage.ask(Method::POST, "/api/sessions", &owner, Some(begin)).await;
        assert_eq!(begun.status, StatusCode::CREATED, "{}", begun.text());
        let shared = Self { stage, form: SessionId::of(begun.json()["id"].as_str().expect("a name")), owner };
        shared.tell(json!("publish")).await;
        shared.tell(json!({ "make_link": { "token": TOKEN, "kind": kind } })).await;
        shared
    }

    /// An order of the owner's to the form.
    pub async fn tell(&self, command: Value) {
        let path = format!("/api/sessions/{}/commands", self.form);
        let told = self.stage.ask(Method::POST, &path, &self.owner, Some(command)).await;
        assert_eq!(told.status, StatusCode::OK, "{}", told.text());
    }

    /// What stands behind `/f/`.
    pub fn link(&self) -> String {
        LinkTo { form: self.form.clone(), token: TOKEN.to_owned() }.to_string()
    }

    pub fn door(&self) -> String {
        format!("/f/{}", self.link())
    }

    /// Looks at a page, as a browser in England does.
    pub async fn look(&self, path: &str, cookie: &str) -> Answer {
        self.stage.send(request(Method::GET, path, cookie).body(Body::empty()).expect("a sound request")).await
    }

    /// Sends a form, as a browser without scripts does.
    pub async fn post(&self, path: &str, fields: &[(&str, &str)]) -> Answer {
        let body: Vec<String> =
            fields.iter().map(|(name, value)| format!("{}={}", encoded(name), encoded(value))).collect();
        let request = request(Method::POST, path, "").header("content-type", "application/x-www-form-urlencoded");
        self.stage.send(request.body(Body::from(body.join("&"))).expect("a sound request")).await
    }

    /// Begins, and gives the interview's address.
    pub async fn begin(&self) -> String {
        self.begin_by(TOKEN).await
    }

    /// The same by the link of this token.
    pub async fn begin_by(&self, token: &str) -> String {
        let door = format!("/f/{}", LinkTo { form: self.form.clone(), token: token.to_owned() });
        let begun = self.post(&door, &[("key", "a key of enough letters"), ("consent", "yes")]).await;
        assert_eq!(begun.status, StatusCode::SEE_OTHER, "{}", begun.text());
        let at = location(&begun);
        self.rest(&at).await;
        at
    }

    /// Asks for something on an interview's page, and waits for what follows.
    pub async fn order(&self, at: &str, fields: &[(&str, &str)]) -> Answer {
        let answer = self.post(at, fields).await;
        self.rest(at).await;
        answer
    }

    /// The interview as its respondent sees it.
    pub async fn seen(&self, at: &str) -> Value {
        self.look(&format!("/api{at}"), "").await.json()
    }

    pub async fn rest(&self, at: &str) {
        let session = session_of(at);
        self.stage.app.engine().wait_for_rest(&session).await.expect("it comes to rest");
    }
}

/// The session behind a respondent's address.
pub fn session_of(at: &str) -> SessionId {
    let ticket: LinkTo = at.trim_start_matches("/r/").parse().expect("a ticket");
    ticket.form
}

pub fn location(answer: &Answer) -> String {
    answer.headers["location"].to_str().expect("an address").to_owned()
}

fn request(method: Method, path: &str, cookie: &str) -> axum::http::request::Builder {
    let request = Request::builder().method(method).uri(path).header("accept-language", "en-GB,en;q=0.9");
    let request = request.header("accept", "text/html,application/xhtml+xml");
    if cookie.is_empty() { request } else { request.header("cookie", cookie) }
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}
