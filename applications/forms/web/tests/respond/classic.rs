//! The classic form, without scripts: saved in one go, with what is wrong beside its field.

use axum::http::StatusCode;
use serde_json::json;

use crate::respond::visit::{SharedForm, location, party};

#[tokio::test]
async fn every_field_is_a_proper_input_with_its_marks() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    let page = shared.look(&format!("{at}/form"), "").await.text();
    for part in ["type=\"date\"", "name=\"f.coming\" value=\"yes\"", "name=\"f.wishes\"", "required", "optional"] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert!(!page.contains("For the badge."), "what a field is for, agents alone read: {page}");
    assert!(!page.contains("f.meal") && !page.contains("f.source"), "what does not apply or is hidden is not asked");
}

/// Peers 14: every mistake is said at once, beside its field, and nothing that was typed is lost.
#[tokio::test]
async fn what_cannot_be_read_is_said_beside_its_field_and_nothing_is_saved() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    let fields = [("f.name", "Ada"), ("f.coming", "perhaps"), ("f.day", "the blue one"), ("f.wishes", "Shade")];
    let wrong = shared.post(&format!("{at}/form"), &fields).await;
    assert_eq!(wrong.status, StatusCode::UNPROCESSABLE_ENTITY);
    let page = wrong.text();
    for part in [
        "Answers that could not be read: 2.",
        "Please give one date",
        "Please answer",
        "the blue one",
        "Shade",
        "value=\"Ada\"",
    ] {
        assert!(page.contains(part), "{part}: {page}");
    }
    assert_eq!(shared.seen(&at).await["done"], 0);
}

#[tokio::test]
async fn saving_says_what_is_missing_and_leads_to_the_confirmation_at_the_end() {
    let shared = SharedForm::new(party()).await;
    let at = shared.begin().await;
    let form = format!("{at}/form");
    let first = shared.post(&form, &[("f.name", "Ada"), ("f.coming", "yes"), ("f.day", ""), ("f.wishes", "")]).await;
    assert_eq!((first.status, location(&first)), (StatusCode::SEE_OTHER, format!("{form}?saved=yes")));
    let page = shared.look(&location(&first), "").await.text();
    assert!(page.contains("Saved. Not answered yet") && page.contains("Meal, Day"), "{page}");
    let rest = [("f.name", "Ada"), ("f.coming", "yes"), ("f.meal", "Meat"), ("f.day", "2027-05-20"), ("f.wishes", "")];
    let last = shared.post(&form, &rest).await;
    assert_eq!(location(&last), at);
    // Where checking took longer than anybody waits for an answer, the page that was saved leads there later.
    let later = shared.look(&format!("{form}?saved=yes"), "").await;
    assert_eq!((later.status, location(&later)), (StatusCode::SEE_OTHER, at.clone()));
    assert_eq!(shared.look(&form, "").await.status, StatusCode::OK, "whoever wants the form again gets it");
    let seen = shared.seen(&at).await;
    assert_eq!((&seen["stage"], &seen["done"], &seen["total"]), (&json!("confirming"), &json!(5), &json!(5)), "{seen}");
    let back = shared.post(&form, &[("f.name", "")]).await;
    assert_eq!(back.status, StatusCode::UNPROCESSABLE_ENTITY, "what is required cannot be emptied");
}

/// Peers 17: an item is added by saying that there is one more.
#[tokio::test]
async fn a_group_grows_by_saying_that_there_is_one_more() {
    let guests = json!({
        "title": "Guests", "language": "en", "order": "fixed",
        "fields": [{ "fieldId": "name", "label": "Name", "required": true, "group": "guests" }],
        "groups": [{ "groupId": "guests", "item": "guest", "min": 1, "max": 3 }],
    });
    let shared = SharedForm::new(guests).await;
    let at = shared.begin().await;
    let form = format!("{at}/form");
    shared.post(&form, &[("f.guests.1.name", "Ada")]).await;
    shared.rest(&at).await;
    assert!(shared.look(&form, "").await.text().contains("name=\"f.guests.1.more\" value=\"yes\""));
    shared.post(&form, &[("f.guests.1.name", "Ada"), ("f.guests.1.more", "yes")]).await;
    shared.rest(&at).await;
    let page = shared.look(&form, "").await.text();
    assert!(page.contains("name=\"f.guests.2.name\"") && page.contains("Name (guest 2)"), "{page}");
}

#[tokio::test]
async fn several_choices_and_something_else_are_one_answer() {
    let form = json!({
        "title": "Games", "language": "en", "order": "fixed",
        "fields": [{ "fieldId": "games", "label": "Games", "kind": "choices", "required": true, "allowOther": true, "options": ["Boules", "Chess"] }],
    });
    let shared = SharedForm::new(form).await;
    let at = shared.begin().await;
    let fields = [("f.games", ""), ("f.games", "Boules"), ("f.games", "Chess"), ("o.games", "Go")];
    let saved = shared.post(&format!("{at}/form"), &fields).await;
    assert_eq!(saved.status, StatusCode::SEE_OTHER, "{}", saved.text());
    assert_eq!(shared.seen(&at).await["fields"][0]["value"], "Boules; Chess; Go");
}
