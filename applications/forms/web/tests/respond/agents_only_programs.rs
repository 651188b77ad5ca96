//! What is promised to agents alone stands in no answer to a respondent's program, whatever it sends.
//!
//! The addresses are read from the document of the interface: one that is never sent anything fails here.

use std::collections::BTreeSet;

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use enza_forms_web::actions::forms::LinkTo;
use enza_server::Accounts;
use serde_json::{Value, json};

use crate::common::{Answer, parts};
use crate::respond::agents_only::{MARK, is_a_respondents, marked};
use crate::respond::visit::SharedForm;

const TOKEN: &str = "anotherTokenOfEnough";

/// The respondent's addresses that take something, as the document of the interface has them.
fn takers() -> BTreeSet<String> {
    let document =
        serde_json::to_value(enza_server::api::document(&parts(Accounts::Shared))).expect("the document is plain data");
    let paths = document["paths"].as_object().expect("paths").iter();
    let taking = |item: &Value| ["post", "put", "patch", "delete"].iter().any(|method| item.get(method).is_some());
    paths.filter(|(path, item)| is_a_respondents(path) && taking(item)).map(|(path, _)| path.clone()).collect()
}

/// What programs are answered with, whether what they sent was taken or not.
#[tokio::test]
async fn what_is_for_agents_alone_is_in_no_answer_to_a_respondents_program() {
    let shared = SharedForm::new(marked()).await;
    shared
        .tell(json!({ "make_link": { "token": TOKEN, "kind": "single", "note": MARK,
        "prefill": { "source": format!("{MARK} by the link") } } }))
        .await;
    let mut programs = Programs { shared, at: String::new(), sent: BTreeSet::new() };
    programs.begin().await;
    let unfit = json!({ "text": 1, "answers": [], "field_id": {}, "languages": "??", "key": "1" });
    for route in ["answer", "fill", "change", "language", "confirm"] {
        for lang in ["en", "ja"] {
            programs.send(Method::POST, route, &unfit, lang).await;
            programs.send(Method::POST, route, &json!({}), lang).await;
        }
    }
    let every = |answer: &str| {
        let kinds = ["text", "number", "integer", "date", "time", "choice", "choices", "yes_no", "email", "phone"];
        json!({ "answers": kinds.iter().map(|kind| ((*kind).to_owned(), json!(answer))).collect::<serde_json::Map<_, _>>() })
    };
    for lang in ["en", "ja"] {
        let said = ["What is this for?", "I don't know", "eh", "still eh", "a few"].map(|text| json!({ "text": text }));
        let absent = ["skipped", "declined", "unknown", "nonsense"].map(|absence| json!({ "absence": absence }));
        for answer in said.iter().chain(&absent) {
            programs.send(Method::POST, "answer", answer, lang).await;
        }
        for field in ["text", "long_text", "source", "nowhere"] {
            programs.send(Method::POST, "change", &json!({ "field_id": field }), lang).await;
        }
        for answers in [every("soon"), every("x")] {
            programs.send(Method::POST, "fill", &answers, lang).await;
        }
        programs.send(Method::POST, "fill", &json!({ "answers": { "source": "mine", "nowhere": "x" } }), lang).await;
    }
    for language in ["ja", "en"] {
        programs.send(Method::POST, "language", &json!({ "language": language }), language).await;
    }
    let right = json!({ "answers": { "text": "Ada", "number": "1.5", "integer": "12", "date": "2026-11-03", "time": "14:30",
        "choice": "Fish", "choices": "Meat", "yes_no": "yes", "email": "a@example.org", "phone": "+44 20 7946 0018",
        "long_text": "Nothing" } });
    programs.send(Method::POST, "fill", &right, "en").await;
    for _ in 0..14 {
        programs.send(Method::POST, "answer", &json!({ "absence": "declined" }), "en").await;
    }
    let submitted = programs.send(Method::POST, "confirm", &json!({}), "en").await;
    assert_eq!(submitted, StatusCode::OK, "it is submitted");
    // What is over answers otherwise, and so does one that is deleted.
    programs.send(Method::POST, "answer", &json!({ "text": "one more" }), "ja").await;
    programs.send(Method::DELETE, "", &json!({}), "en").await;
    let sent = programs.sent.iter().map(|(route, _)| route.clone()).collect::<BTreeSet<_>>();
    assert_eq!(sent, takers(), "every address that takes something was sent something");
    let refused = |status: &u16| *status >= 400;
    assert!(programs.sent.iter().any(|(_, status)| refused(status)), "{:?}", programs.sent);
}

/// A respondent's program, and what it was answered with.
struct Programs {
    shared: SharedForm,
    at: String,
    sent: BTreeSet<(String, u16)>,
}

impl Programs {
    async fn begin(&mut self) {
        let door = "/api/f/{link}".to_owned();
        let link = LinkTo { form: self.shared.form.clone(), token: TOKEN.to_owned() };
        let path = door.replace("{link}", &link.to_string());
        let answer = self.sent_to(Method::POST, &door, &path, &json!({ "consented": true }), "en").await;
        assert_eq!(answer.status, StatusCode::CREATED, "{}", answer.text());
        self.at = format!("/r/{}", answer.json()["ticket"].as_str().expect("a ticket"));
        self.shared.rest(&self.at).await;
    }

    async fn send(&mut self, method: Method, what: &str, body: &Value, lang: &str) -> StatusCode {
        let ending = if what.is_empty() { String::new() } else { format!("/{what}") };
        let (route, path) = (format!("/api/r/{{ticket}}{ending}"), format!("/api{}{ending}", self.at));
        let answer = self.sent_to(method, &route, &path, body, lang).await;
        if answer.status.is_success() && !what.is_empty() {
            self.shared.rest(&self.at).await;
        }
        answer.status
    }

    async fn sent_to(&mut self, method: Method, route: &str, path: &str, body: &Value, lang: &str) -> Answer {
        let request = Request::builder().method(method).uri(path).header("content-type", "application/json");
        let request = request.header("accept-language", lang).body(Body::from(body.to_string()));
        let answer = self.shared.stage.send(request.expect("a sound request")).await;
        assert!(!answer.text().contains(MARK), "{path} {body}: {}", answer.text());
        self.sent.insert((route.to_owned(), answer.status.as_u16()));
        answer
    }
}
