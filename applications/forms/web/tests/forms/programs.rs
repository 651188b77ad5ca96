//! Forms through the interface for programs: made, edited, published, shared, once for each idempotency key.

use axum::body::Body;
use axum::http::{Method, Request, StatusCode};
use serde_json::{Value, json};

use crate::forms::owner::OwnerBrowser;

#[tokio::test]
async fn a_program_makes_edits_publishes_and_shares_a_form() {
    let desk = OwnerBrowser::new().await;
    let form = json!({ "title": "Survey", "language": "en", "fields": [{ "fieldId": "name", "label": "Name" }] });
    let begun = desk.ask(Method::POST, "/api/forms", Some(json!({ "form": form }))).await;
    assert_eq!(begun.status, StatusCode::CREATED, "{}", begun.text());
    let id = begun.json()["id"].as_str().unwrap().to_owned();
    let at = |rest: &str| format!("/api/forms/{id}{rest}");

    let faulty = json!({ "title": "", "language": "en", "fields": [] });
    let edited = desk.ask(Method::PUT, &at("/draft"), Some(json!({ "form": faulty, "edition": 0 }))).await.json();
    assert_eq!((&edited["edition"], edited["problems"].as_array().unwrap().len()), (&json!(1), 2));
    let refused = desk.ask(Method::POST, &at("/publish"), None).await;
    assert_eq!((refused.status, refused.code()), (StatusCode::CONFLICT, "form-faulty".to_owned()));
    let late = desk.ask(Method::PUT, &at("/draft"), Some(json!({ "form": form, "edition": 0 }))).await;
    assert_eq!(late.code(), "form-edited-meanwhile");
    desk.ask(Method::PUT, &at("/draft"), Some(json!({ "form": form, "edition": 1 }))).await;
    let published = desk.ask(Method::POST, &at("/publish"), None).await.json();
    assert_eq!((&published["version"], &published["open"]), (&json!(1), &json!(true)));
    assert_eq!(desk.ask(Method::POST, &at("/close"), None).await.json()["open"], false);
    assert_eq!(desk.ask(Method::POST, &at("/reopen"), None).await.json()["open"], true);

    let rules = desk.ask(Method::PUT, &at("/rules"), Some(json!({ "most_answers": 5 }))).await.json();
    assert_eq!(rules["rules"]["most_answers"], 5);
    let made = desk.ask(Method::POST, &at("/links"), Some(json!({ "count": 2, "prefill": { "name": "Ada" } }))).await;
    assert_eq!(made.status, StatusCode::CREATED, "{}", made.text());
    let link = made.json()["links"][0]["link"].as_str().unwrap().to_owned();
    assert_eq!(desk.ask(Method::DELETE, &at(&format!("/links/{link}")), None).await.status, StatusCode::NO_CONTENT);
    let all = desk.ask(Method::GET, &at("/links"), None).await.json()["links"].as_array().unwrap().clone();
    assert_eq!((all.len(), all.iter().filter(|link| link["revoked"] == true).count()), (3, 1));

    let hook = desk.ask(Method::PUT, &at("/webhook"), Some(json!({ "url": "https://example.org/in" }))).await.json();
    assert!(hook["secret"].as_str().unwrap().starts_with("whsec_"));
    assert!(!desk.ask(Method::GET, &at(""), None).await.text().contains("whsec_"), "it is shown once");
    assert_eq!(desk.ask(Method::DELETE, &at("/webhook"), None).await.status, StatusCode::NO_CONTENT);
    let toml = desk.ask(Method::GET, &at("/export/toml"), None).await;
    assert!(toml.text().contains("title = \"Survey\""));
    assert_eq!(desk.ask(Method::DELETE, &at(""), None).await.status, StatusCode::NO_CONTENT);
    assert_eq!(desk.ask(Method::GET, "/api/forms", None).await.json()["forms"], json!([]));
}

#[tokio::test]
async fn one_key_makes_one_form_and_one_set_of_links() {
    let desk = OwnerBrowser::new().await;
    let post = async |path: &str, key: &str, body: Value| {
        let request = Request::builder().method(Method::POST).uri(path).header("idempotency-key", key);
        let request = request.header("authorization", format!("Bearer {}", desk.token));
        let request = request.header("content-type", "application/json").body(Body::from(body.to_string()));
        desk.stage.send(request.unwrap()).await.json()
    };
    let body = json!({ "sentence": "a survey with name, rating", "language": "en" });
    let (first, again) = (post("/api/forms", "k", body.clone()).await, post("/api/forms", "k", body).await);
    assert_eq!(first, again);
    let id = first["id"].as_str().unwrap().to_owned();
    desk.rest(&id).await;
    let links = format!("/api/forms/{id}/links");
    let wish = json!({ "count": 2 });
    assert_eq!(post(&links, "l", wish.clone()).await, post(&links, "l", wish).await);
    assert_eq!(desk.ask(Method::GET, &links, None).await.json()["links"].as_array().unwrap().len(), 2);
    let list = desk.ask(Method::GET, "/api/forms", None).await.json();
    assert_eq!(list["forms"].as_array().unwrap().len(), 1);
}

#[tokio::test]
async fn a_form_with_answers_is_not_deleted_unless_they_are_meant_to_go() {
    let desk = OwnerBrowser::new().await;
    let id = desk.published().await;
    let belongs = enza_runtime::seams::store::SessionOpening::new("interview", "ada");
    desk.stage.interview_as(belongs.of(&enza_runtime::seams::store::SessionId::of(id.as_str()))).await;
    let at = format!("/api/forms/{id}");
    let refused = desk.ask(Method::DELETE, &at, None).await;
    assert_eq!((refused.status, refused.code()), (StatusCode::CONFLICT, "session-has-family".to_owned()));
    let gone = desk.ask(Method::DELETE, &format!("{at}?with_answers=true"), None).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT);
}

/// A program that lists links has what begins an interview, and what withdraws the link: one name, one value.
#[tokio::test]
async fn a_listed_link_is_what_begins_an_interview_and_what_is_withdrawn() {
    let desk = OwnerBrowser::new().await;
    let id = desk.published().await;
    let listed = desk.ask(Method::GET, &format!("/api/forms/{id}/links"), None).await.json()["links"][0].clone();
    let link = listed["link"].as_str().unwrap().to_owned();
    assert!(listed["address"].as_str().unwrap().ends_with(&format!("/f/{link}")), "{listed}");
    assert_eq!(listed.get("token"), None, "a second name for it would be taken for something else");
    let begun = desk.ask(Method::POST, &format!("/api/f/{link}"), Some(json!({ "consented": true }))).await;
    assert_eq!(begun.status, StatusCode::CREATED, "{}", begun.text());
    let other = desk.ask(Method::POST, "/api/forms", Some(json!({ "title": "Other" }))).await.json()["id"].clone();
    let other = other.as_str().unwrap().to_owned();
    for (form, link) in [(&other, link.as_str()), (&id, "x"), (&id, &link[23..])] {
        let refused = desk.ask(Method::DELETE, &format!("/api/forms/{form}/links/{link}"), None).await;
        assert_eq!(refused.code(), "link-unknown", "{link}");
    }
    let gone = desk.ask(Method::DELETE, &format!("/api/forms/{id}/links/{link}"), None).await;
    assert_eq!(gone.status, StatusCode::NO_CONTENT, "{}", gone.text());
}

/// `[null, null]` was taken for rules with nothing in them, and all limits of a form were gone.
#[tokio::test]
async fn a_list_in_the_place_of_rules_is_refused_in_words_and_changes_nothing() {
    let desk = OwnerBrowser::new().await;
    let id = desk.published().await;
    let at = format!("/api/forms/{id}/rules");
    desk.ask(Method::PUT, &at, Some(json!({ "most_answers": 5 }))).await;
    for body in [json!([null, null]), json!([]), json!([1]), json!(null), json!("x"), json!(5), json!(true)] {
        let refused = desk.ask(Method::PUT, &at, Some(body.clone())).await;
        assert_eq!((refused.status, refused.code()), (StatusCode::BAD_REQUEST, "body-malformed".to_owned()), "{body}");
        let said = refused.json();
        let (message, hint) =
            (said["error"]["message"].as_str().unwrap_or_default(), said["error"]["hint"].as_str().unwrap_or_default());
        assert!(!message.is_empty() && !hint.is_empty(), "{said}");
    }
    assert_eq!(desk.form(&id).await["rules"]["most_answers"], 5);
}

/// Bodies that programs send to forms, with something odd in the place of each part.
#[tokio::test]
async fn no_part_of_a_body_can_be_bent_so_that_it_is_taken_for_something_else() {
    let desk = OwnerBrowser::new().await;
    let id = desk.published().await;
    let form = json!({
        "title": "Survey", "language": "en", "order": "fixed", "followUps": 1,
        "groups": [{ "groupId": "g", "item": "guest", "min": 0, "max": 2 }],
        "fields": [
            { "fieldId": "a", "label": "A", "kind": "choice", "options": ["x", { "value": "y", "label": "Y" }],
              "facts": [{ "factKey": "k", "fact": "F", "doneCriteria": "D" }] },
            { "fieldId": "b", "label": "B", "kind": "integer", "min": 1, "when": [{ "field": "a", "is": ["x"] }], "group": "g" },
        ],
    });
    let bodies = [
        (Method::PUT, "rules", json!({ "closes": 1, "most_answers": 5, "keep_days": 3, "budget": 9, "locale": "ask" })),
        (Method::PUT, "draft", json!({ "form": form, "edition": 0 })),
        (Method::PUT, "webhook", json!({ "url": "https://example.org/", "rotate": true })),
        (Method::POST, "links", json!({ "kind": "single", "count": 1, "note": "n", "prefill": { "a": "x" } })),
        (Method::POST, "describe", json!({ "sentence": "a survey with name" })),
    ];
    let odd = [
        json!(null),
        json!([]),
        json!([null, null]),
        json!({}),
        json!("x"),
        json!(-1),
        json!(1e300),
        json!(true),
        json!("9".repeat(400)),
        json!({ "a": [1] }),
    ];
    for (method, route, body) in bodies {
        for place in places(&body) {
            for odd in &odd {
                let mut bent = body.clone();
                let part = bent.pointer_mut(&place).unwrap();
                let was_object = part.is_object();
                *part = odd.clone();
                let answer = desk.ask(method.clone(), &format!("/api/forms/{id}/{route}"), Some(bent.clone())).await;
                assert!(!answer.status.is_server_error(), "{route} {bent}: {}", answer.text());
                if was_object && odd.is_array() {
                    assert!(answer.status.is_client_error(), "a list was taken for an object: {route} {bent}");
                }
                if answer.status.is_client_error() {
                    assert!(
                        answer.json()["error"]["hint"].as_str().is_some_and(|hint| !hint.is_empty()),
                        "{}",
                        answer.text()
                    );
                }
                desk.rest(&id).await;
            }
        }
    }
}

/// Every place in a value, as JSON pointers, the whole of it first.
fn places(value: &Value) -> Vec<String> {
    let within: Vec<(String, &Value)> = match value {
        Value::Object(parts) => parts.iter().map(|(key, part)| (key.clone(), part)).collect(),
        Value::Array(parts) => parts.iter().enumerate().map(|(nth, part)| (nth.to_string(), part)).collect(),
        Value::Null | Value::Bool(_) | Value::Number(_) | Value::String(_) => Vec::new(),
    };
    let within =
        within.iter().flat_map(|(key, part)| places(part).into_iter().map(move |place| format!("/{key}{place}")));
    std::iter::once(String::new()).chain(within).collect()
}
