//! The chat without scripts: answers, corrections, the confirmation, the receipt; and the ways out.

use axum::http::StatusCode;
use serde_json::{Value, json};

use crate::respond::visit::{SharedForm, location, party};

fn value(seen: &Value, id: &str) -> Value {
    let fields = seen["fields"].as_array().expect("fields");
    fields.iter().find(|field| field["field_id"] == id).map_or(Value::Null, |field| field["value"].clone())
}

/// A visit whose every field is answered.
async fn answered() -> (SharedForm, String) {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    for words in ["Ada", "Yes", "Fish", "2027-05-20"] {
        let said = shared.order(&at, &[("act", "say"), ("words", words)]).await;
        assert_eq!(said.status, StatusCode::SEE_OTHER, "{words}: {}", said.text());
    }
    shared.order(&at, &[("act", "skip"), ("absence", "declined")]).await;
    (shared, at)
}

fn gate_of(page: &str) -> String {
    let after = page.split("name=\"gate\" value=\"").nth(1).unwrap_or_else(|| panic!("no gate: {page}"));
    after.split('"').next().unwrap_or_default().to_owned()
}

/// INT-91, and expectations 1, 3 and 4 of what a user expects.
#[tokio::test]
async fn a_question_is_answered_by_a_touch_or_in_words() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    let first = shared.look(&at, "").await.text();
    assert!(first.contains("0 of 4") && first.contains("id=\"composer\"") && first.contains("Answer later"), "{first}");
    assert!(first.contains("Guided without a language model"), "the understudy is always said");
    shared.order(&at, &[("act", "say"), ("words", "Ada")]).await;
    let second = shared.look(&at, "").await.text();
    assert!(second.contains("<button class=\"button reply\" type=\"submit\">Yes</button>"), "{second}");
    assert!(second.contains("1 of 4") && second.contains("Ada"));
    let empty = shared.order(&at, &[("act", "say"), ("words", " ")]).await;
    assert_eq!(empty.status, StatusCode::CONFLICT, "the page comes back with what was wrong");
    assert!(empty.text().contains("id=\"composer\""));
}

/// INT-92: the confirmation has every value, a way to change each, and the one yes.
#[tokio::test]
async fn the_whole_is_confirmed_submitted_once_and_a_receipt_remains() {
    let (shared, at) = answered().await;
    let page = shared.look(&at, "").await.text();
    for part in
        ["Please check your answers", "Ada", "Fish", "May 20, 2027", "Prefer not to say", "Edit: Meal", ">Submit<"]
    {
        assert!(page.contains(part), "{part}: {page}");
    }
    let gate = gate_of(&page);
    let order = [("act", "submit"), ("gate", gate.as_str()), ("key", "k1")];
    let (one, two) = tokio::join!(shared.post(&at, &order), shared.post(&at, &order));
    assert_eq!((one.status, two.status), (StatusCode::SEE_OTHER, StatusCode::SEE_OTHER), "a double click submits once");
    shared.rest(&at).await;
    let receipt = shared.look(&at, "").await.text();
    assert!(receipt.contains("Submitted. Thank you") && receipt.contains("The conversation"), "{receipt}");
    let kept = shared.look(&format!("{at}/receipt.json"), "").await;
    assert_eq!(kept.headers["content-disposition"], "attachment; filename=\"receipt.json\"");
    let lines: Vec<(Value, Value, Value)> = kept.json()["answers"]
        .as_array()
        .unwrap()
        .iter()
        .map(|line| (line["field_id"].clone(), line["value"].clone(), line["absence"].clone()))
        .collect();
    let line = |id: &str, value: Value, absence: Value| (json!(id), value, absence);
    assert_eq!(
        lines,
        [
            line("name", json!("Ada"), Value::Null),
            line("coming", json!("yes"), Value::Null),
            line("meal", json!("Fish"), Value::Null),
            line("day", json!("2027-05-20"), Value::Null),
            line("wishes", Value::Null, json!("declined")),
        ],
        "and nothing of what the link alone knows"
    );
    let text = shared.look(&format!("{at}/receipt.txt"), "").await.text();
    assert!(text.contains("Meal: Fish") && text.contains("Day: May 20, 2027"), "{text}");
    let late = shared.order(&at, &[("act", "fill"), ("f.name", "Eve")]).await;
    assert_eq!(late.status, StatusCode::CONFLICT);
    assert_eq!(value(&shared.seen(&at).await, "name"), "Ada", "what is submitted stays");
}

/// INT-53: the server refuses, not only the page.
#[tokio::test]
async fn nothing_is_submitted_while_something_required_is_missing() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    for _ in 0..8 {
        shared.order(&at, &[("act", "skip"), ("absence", "skipped")]).await;
    }
    let page = shared.look(&at, "").await.text();
    assert!(page.contains("Please answer these before you submit") && page.contains("disabled"), "{page}");
    assert!(!page.contains("name=\"gate\""), "no yes is offered");
    let forced = shared.order(&at, &[("act", "submit"), ("gate", "gate-1")]).await;
    assert_eq!(forced.status, StatusCode::CONFLICT);
    let refused = shared.look(&format!("{at}/receipt.txt"), "").await;
    assert_eq!(refused.status, StatusCode::NOT_FOUND);
}

/// Peers 3 and 4: an answer is corrected in its place or by talking about it, and what hangs on it follows.
#[tokio::test]
async fn an_answer_is_corrected_in_the_panel_or_talked_about_again() {
    let (shared, at) = answered().await;
    shared.order(&at, &[("act", "fill"), ("f.name", "Grace")]).await;
    assert_eq!(value(&shared.seen(&at).await, "name"), "Grace");
    shared.order(&at, &[("act", "change"), ("field", "coming")]).await;
    let asked = shared.seen(&at).await;
    assert_eq!((&asked["stage"], &asked["fields"][1]["current"]), (&json!("interviewing"), &json!(true)), "{asked}");
    shared.order(&at, &[("act", "say"), ("words", "no")]).await;
    let seen = shared.seen(&at).await;
    assert_eq!((value(&seen, "coming"), value(&seen, "meal")), (json!("no"), Value::Null), "the meal is not asked for");
    assert_eq!(seen["stage"], "confirming", "{seen}");
}

#[tokio::test]
async fn the_conversation_is_intact_on_return() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    shared.order(&at, &[("act", "say"), ("words", "Ada")]).await;
    let words = |page: String| page.matches("class=\"words\"").count();
    let before = words(shared.look(&at, "").await.text());
    assert!(before >= 3);
    assert_eq!(words(shared.look(&at, "").await.text()), before);
    let news = shared.look(&format!("{at}/news?after=0"), "").await.text();
    assert_eq!(words(news), before, "a page that is kept up to date shows the same");
}

#[tokio::test]
async fn what_was_not_submitted_can_be_given_up_or_deleted() {
    let shared = SharedForm::by(party(), "single").await;
    let at = shared.begin().await;
    let asked = shared.look(&format!("{at}/leave"), "").await;
    assert!(asked.text().contains("at any time within 30 days of your last answer"), "{}", asked.text());
    let given_up = shared.post(&format!("{at}/leave"), &[("how", "give_up")]).await;
    assert_eq!((given_up.status, location(&given_up)), (StatusCode::SEE_OTHER, at.clone()));
    assert!(shared.look(&at, "").await.text().contains("This interview was given up"));
    let deleted = shared.post(&format!("{at}/leave"), &[("how", "delete")]).await;
    assert_eq!(deleted.status, StatusCode::OK);
    assert_eq!(shared.look(&at, "").await.status, StatusCode::NOT_FOUND);
    let rows = shared.stage.app.engine().store().find(&crate::respond::visit::session_of(&at)).await.unwrap();
    assert!(rows.is_none(), "nothing is kept");
}

#[tokio::test]
async fn what_was_submitted_is_the_owners_to_delete() {
    let (shared, at) = answered().await;
    let gate = gate_of(&shared.look(&at, "").await.text());
    shared.order(&at, &[("act", "submit"), ("gate", &gate)]).await;
    let refused = shared.post(&format!("{at}/leave"), &[("how", "delete")]).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert!(shared.look(&at, "").await.text().contains("give the receipt number"));
}
