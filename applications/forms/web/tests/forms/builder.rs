//! The builder as a plain form: what is typed is kept, buttons change the draft, faults stand where they belong, and
//! two windows do not overwrite each other. Section 4 of the interview's requirements, item 7; INT-83, INT-84, INT-85.

use axum::http::StatusCode;
use enza_kernel::text::Lang;
use serde_json::{Value, json};

use crate::forms::owner::{OwnerBrowser, location, name_in, two_fields};

#[tokio::test]
async fn everything_that_is_typed_without_scripts_is_in_the_draft() {
    let desk = OwnerBrowser::new().await;
    let id = desk.blank().await;
    let mut typed = two_fields("0");
    typed.extend([
        ("description", "Before we begin.\r\nTwo lines."),
        ("consent", "You agree."),
        ("follow_ups", "2"),
        ("fields[b].allow_other", "on"),
        ("fields[b].intent", "For the forecast"),
        ("fields[c].field_id", "why"),
        ("fields[c].label", "Why was it lost?"),
        ("fields[c].kind", "long_text"),
        ("fields[c].when[0].field", "@b"),
        ("fields[c].when[0].test", "is"),
        ("fields[c].when[0].value", "lost"),
        ("fields[c].when[1].field", ""),
        ("fields[c].when[1].test", "is"),
        ("fields[c].when[1].value", ""),
        ("fields[c].depends[0].field", "@b"),
        ("fields[c].depends[1].field", ""),
        ("fields[c].sensitive", "on"),
        ("fields[c].follow_ups", "1"),
        ("fields[c].facts[0].fact", "The reason"),
        ("fields[c].facts[0].done", ""),
        ("fields[c].facts[0].hints", "Ask gently"),
        ("fields[c].facts[0].key", ""),
        ("fields[c].facts[1].fact", ""),
        ("fields[d].label", "Guest"),
        ("fields[d].kind", "text"),
        ("fields[d].group", "@g"),
        ("groups[g].item", "guest"),
        ("groups[g].min", "0"),
        ("groups[g].max", "4"),
        ("fields[e].label", "Campaign"),
        ("fields[e].kind", "number"),
        ("fields[e].min", " 1 "),
        ("fields[e].max", "9"),
        ("fields[e].hidden", "on"),
    ]);
    let answer = desk.send(&format!("/forms/{id}"), &typed).await;
    assert_eq!(location(&answer), format!("/forms/{id}"));
    let form = desk.form(&id).await;
    assert_eq!(
        form["draft"],
        json!({
            "title": "Visit report",
            "description": "Before we begin.\nTwo lines.",
            "consent": "You agree.",
            "language": "en",
            "order": "fixed",
            "followUps": 2,
            "fields": [
                { "fieldId": "date_of_the_visit", "label": "Date of the visit", "kind": "date", "required": true },
                { "fieldId": "outcome", "label": "Outcome", "intent": "For the forecast", "kind": "choice", "required": false,
                  "options": [{ "value": "won", "label": "They signed" }, "lost"], "allowOther": true },
                { "fieldId": "why", "label": "Why was it lost?", "kind": "long_text", "required": false,
                  "when": [{ "field": "outcome", "is": "lost" }], "dependsOn": ["outcome"], "sensitive": true, "followUps": 1,
                  "facts": [{ "factKey": "the_reason", "fact": "The reason", "doneCriteria": "It is known: The reason",
                              "questioningHints": "Ask gently" }] },
                { "fieldId": "guest", "label": "Guest", "kind": "text", "required": false, "group": "guest_2" },
                { "fieldId": "campaign", "label": "Campaign", "kind": "number", "required": false, "min": "1", "max": "9", "hidden": true },
            ],
            "groups": [{ "groupId": "guest_2", "item": "guest", "min": 0, "max": 4 }],
        })
    );
    assert_eq!(form["problems"], json!([]));
}

#[tokio::test]
async fn what_the_page_shows_is_what_it_sends_back() {
    let desk = OwnerBrowser::new().await;
    let begun = desk.send("/forms/new", &[("way", "example"), ("example", "0"), ("key", "k")]).await;
    let id = name_in(location(&begun));
    let before = desk.form(&id).await;
    let page = desk.page(&format!("/forms/{id}")).await;
    let sent = sent_by(&page);
    let pairs: Vec<(&str, &str)> = sent.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    assert!(pairs.len() > 20, "the page's form was not found: {pairs:?}");
    desk.send(&format!("/forms/{id}"), &pairs).await;
    let after = desk.form(&id).await;
    assert_eq!((&after["draft"], &after["edition"]), (&before["draft"], &json!(0)), "saving unchanged changes nothing");
}

/// Pressed while the page is still coming, a button sends the fields that are there: the others would be gone.
#[tokio::test]
async fn a_form_whose_end_is_missing_changes_nothing() {
    let desk = OwnerBrowser::new().await;
    let id = desk.blank().await;
    desk.send(&format!("/forms/{id}"), &two_fields("0")).await;
    let whole = two_fields("1");
    let half: Vec<(&str, &str)> =
        whole.iter().filter(|(name, _)| *name != "edition" && !name.contains("[b]")).copied().collect();
    for press in ["save", "publish", "remove:a"] {
        let sent: Vec<(&str, &str)> = half.iter().copied().chain([("press", press)]).collect();
        let answer = desk.send(&format!("/forms/{id}"), &sent).await;
        assert_eq!(answer.status, StatusCode::UNPROCESSABLE_ENTITY, "{press}");
        let page = answer.text();
        assert!(page.contains("Nothing was changed") && page.contains("Outcome"), "{press}: {page}");
        assert_eq!(labels(&desk.form(&id).await), ["Date of the visit", "Outcome"], "{press}");
    }
    let page = desk.page(&format!("/forms/{id}")).await;
    let last = sent_by(&page).into_iter().map(|(name, _)| name).next_back();
    assert_eq!(last.as_deref(), Some("edition"), "it is the last of the form");
}

#[tokio::test]
async fn fields_are_added_duplicated_moved_and_removed_by_buttons_and_a_removal_is_taken_back() {
    let desk = OwnerBrowser::new().await;
    let id = desk.blank().await;
    let press = async |edition: &str, press: &str| {
        let mut pairs = two_fields(edition);
        pairs.push(("press", press));
        let answer = desk.send(&format!("/forms/{id}"), &pairs).await;
        (location(&answer).to_owned(), labels(&desk.form(&id).await))
    };
    let at = |rest: &str| format!("/forms/{id}{rest}");
    assert_eq!(press("0", "add").await, (at("#field-2"), vec!["Date of the visit", "Outcome", ""].into_strings()));
    assert_eq!(press("1", "duplicate:a").await.1, ["Date of the visit", "Date of the visit", "Outcome"]);
    assert_eq!(press("2", "down:a").await, (at("#field-1"), vec!["Outcome", "Date of the visit"].into_strings()));
    assert_eq!(press("3", "up:b").await.1, ["Outcome", "Date of the visit"], "the same draft, moved the other way");
    let (undo_at, left) = press("3", "remove:a").await;
    assert_eq!(left, ["Outcome"]);
    let page = desk.page(&undo_at).await;
    assert!(page.contains(&format!("action=\"/forms/{id}/undo\"")), "{page}");
    let event = undo_at.split("removed=").nth(1).expect("the event").to_owned();
    desk.send(&at("/undo"), &[("at", &event)]).await;
    assert_eq!(labels(&desk.form(&id).await), ["Outcome", "Date of the visit"]);
    assert_eq!(press("5", "remove:nowhere").await.1, ["Date of the visit", "Outcome"], "an unknown part is left alone");
}

#[tokio::test]
async fn every_fault_stands_in_the_summary_and_beside_its_field_and_keeps_the_form_from_being_published() {
    let desk = OwnerBrowser::new().await;
    let id = desk.sound().await;
    let mut faulty = two_fields("1");
    faulty.extend([
        ("fields[b].options", ""),
        ("fields[c].label", ""),
        ("fields[c].kind", "text"),
        ("fields[c].when[0].field", "@b"),
        ("fields[c].when[0].test", "is"),
        ("fields[c].when[0].value", ""),
        ("press", "publish"),
    ]);
    let answer = desk.send(&format!("/forms/{id}"), &faulty).await;
    assert_eq!(answer.status, StatusCode::CONFLICT);
    let page = answer.text();
    let summary = between(&page, "id=\"problems\"", "builder-columns");
    assert!(summary.contains("href=\"#field-1\"") && summary.contains("href=\"#field-2\""), "{summary}");
    let card = between(&page, "id=\"field-1\"", "id=\"field-2\"");
    assert!(card.contains("The options of the field"), "{card}");
    assert!(page.contains("value=\"publish\" disabled"), "the button says that it cannot be pressed");
    let form = desk.form(&id).await;
    assert_eq!((&form["version"], &form["edition"]), (&json!(0), &json!(2)), "it is kept all the same");
}

#[tokio::test]
async fn another_window_overwrites_nothing_unasked_and_loses_nothing() {
    let desk = OwnerBrowser::new().await;
    let id = desk.sound().await;
    let at = format!("/forms/{id}");
    let mut mine = two_fields("0");
    mine[1] = ("title", "Mine, typed for an hour");
    let refused = desk.send(&at, &mine).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert!(refused.text().contains("Mine, typed for an hour"), "what was typed comes back");
    assert_eq!(desk.form(&id).await["draft"]["title"], "Visit report");

    let by_script = desk.send(&format!("{at}/save"), &mine).await;
    assert_eq!((by_script.status, by_script.code()), (StatusCode::CONFLICT, "form-edited-meanwhile".to_owned()));
    let copy = desk.send(&format!("{at}/copy"), &mine).await;
    assert!(copy.text().contains("title = \"Mine, typed for an hour\""), "{}", copy.text());

    let again = sent_by(&refused.text());
    let again: Vec<_> = again.iter().map(|(name, value)| (name.as_str(), value.as_str())).collect();
    desk.send(&at, &again).await;
    assert_eq!(desk.form(&id).await["draft"]["title"], "Mine, typed for an hour", "told, the owner may replace it");
}

#[tokio::test]
async fn a_script_that_saves_is_told_ids_faults_and_the_parts_that_changed() {
    let desk = OwnerBrowser::new().await;
    let id = desk.blank().await;
    let mut typed = two_fields("0");
    typed.extend([
        ("fields[n1].label", "日付"),
        ("fields[n1].kind", "date"),
        ("fields[n2].label", ""),
        ("fields[n2].kind", "text"),
    ]);
    let saved = desk.send(&format!("/forms/{id}/save"), &typed).await.json();
    assert_eq!(saved["edition"], 1);
    assert_eq!(saved["title"], "Visit report");
    assert_eq!(saved["ids"], json!({ "a": "date_of_the_visit", "b": "outcome", "n1": "date", "n2": "text" }));
    let faulty: Vec<&String> =
        saved["faults"].as_object().unwrap().iter().filter(|(_, all)| all != &&json!([])).map(|(key, _)| key).collect();
    assert_eq!(faulty, ["field-n2"]);
    let parts: Vec<&String> = saved["parts"].as_object().unwrap().keys().collect();
    assert_eq!(parts, ["preview", "problems", "publish", "standing"]);
    assert!(saved["parts"]["problems"].as_str().unwrap().contains("#field-n2"));
}

#[tokio::test]
async fn the_preview_asks_the_first_question_by_rule_in_the_language_of_the_form() {
    let desk = OwnerBrowser::new().await;
    let id = desk.sound().await;
    let page = desk.page(&format!("/forms/{id}")).await;
    assert!(page.contains("Please tell me about &quot;Date of the visit&quot;."), "{page}");
    assert!(between(&page, "preview-fields", "</aside>").contains("They signed"));
}

#[tokio::test]
async fn a_test_run_is_an_interview_of_ones_own_that_counts_for_nothing() {
    let desk = OwnerBrowser::new().await;
    let id = desk.sound().await;
    let mut pairs = two_fields("1");
    pairs.extend([("consent", "You agree."), ("press", "try")]);
    let answer = desk.send(&format!("/forms/{id}"), &pairs).await;
    let session = location(&answer).strip_prefix("/sessions/").expect("a session").to_owned();
    desk.rest(&session).await;
    let page = desk.stage.look(&format!("/sessions/{session}"), &desk.cookie, Lang::En).await.text();
    assert!(page.contains("Date of the visit"), "{page}");
    let form = desk.form(&id).await;
    assert_eq!((&form["admitted"], &form["received"]), (&json!(0), &json!(0)));
}

#[tokio::test]
async fn a_form_is_written_from_a_sentence_and_the_understudy_is_called_a_stand_in() {
    let desk = OwnerBrowser::new().await;
    assert!(desk.page("/forms/new").await.contains("The understudy will write it"));
    let wish = [("way", "sentence"), ("sentence", "a visit report with date, customer, what was agreed"), ("key", "k")];
    let (begun, again) = (desk.send("/forms/new", &wish).await, desk.send("/forms/new", &wish).await);
    let id = name_in(location(&begun));
    assert_eq!(location(&begun), location(&again), "a double click makes one form");
    desk.rest(&id).await;
    assert_eq!(labels(&desk.form(&id).await), ["Date", "Customer", "What was agreed"]);
    desk.send(&format!("/forms/{id}/describe"), &[("sentence", "a survey with name, rating")]).await;
    desk.rest(&id).await;
    assert_eq!(labels(&desk.form(&id).await), ["Name", "Rating"]);
}

#[tokio::test]
async fn a_json_schema_is_imported_with_remarks_and_what_cannot_be_read_comes_back() {
    let desk = OwnerBrowser::new().await;
    let schema = json!({ "type": "object", "title": "Order", "properties": {
        "name": { "type": "string", "pattern": "^[a-z]+$" }, "size": { "enum": ["S", "M"] } } });
    let ui = json!({ "type": "VerticalLayout", "elements": [
        { "type": "Control", "scope": "#/properties/size" }, { "type": "Control", "scope": "#/properties/name" }] });
    let (schema, ui) = (schema.to_string(), ui.to_string());
    let answer = desk.send("/forms/new", &[("way", "file"), ("text", &schema), ("ui_schema", &ui)]).await;
    assert_eq!(answer.status, StatusCode::OK);
    let page = answer.text();
    assert!(page.contains("pattern"), "what was left out is said: {page}");
    let href = between(&page, "href=\"/forms/", "\"");
    assert!(!href.is_empty());
    let list = desk.ask(axum::http::Method::GET, "/api/forms", None).await.json();
    let id = list["forms"][0]["id"].as_str().expect("a form").to_owned();
    assert_eq!(labels(&desk.form(&id).await).len(), 2);

    let broken = desk.send("/forms/new", &[("way", "file"), ("text", "title = \"half a fo")]).await;
    assert_eq!(broken.status, StatusCode::CONFLICT);
    assert!(broken.text().contains("half a fo"), "what was pasted comes back");
}

fn labels(form: &Value) -> Vec<String> {
    let fields = form["draft"]["fields"].as_array().expect("fields");
    fields.iter().map(|field| field["label"].as_str().unwrap_or_default().to_owned()).collect()
}

fn between<'a>(text: &'a str, from: &str, to: &str) -> &'a str {
    let start = text.find(from).unwrap_or_else(|| panic!("{from} is not in {text}")) + from.len();
    let rest = &text[start..];
    &rest[..rest.find(to).unwrap_or(rest.len())]
}

/// What a browser would send of the builder's form, with nothing pressed: entries, ticked boxes, chosen options.
fn sent_by(page: &str) -> Vec<(String, String)> {
    let form = between(page, "id=\"draft\"", "<template");
    let mut sent = Vec::new();
    let mut choosing: Option<String> = None;
    for tag in form.split('<').skip(1) {
        let attribute = |name: &str| {
            let start = tag.find(&format!(" {name}=\""))? + name.len() + 3;
            Some(tag[start..].split('"').next().unwrap_or_default().replace("&quot;", "\"").replace("&amp;", "&"))
        };
        let head = tag.split('>').next().unwrap_or_default();
        let name = attribute("name");
        if tag.starts_with("input") {
            let is_box = head.contains("type=\"checkbox\"");
            if !is_box || head.contains(" checked") {
                sent.push((
                    name.expect("a name"),
                    if is_box { "on".to_owned() } else { attribute("value").unwrap_or_default() },
                ));
            }
        } else if tag.starts_with("textarea") {
            let text = tag.split_once('>').expect("a whole tag").1;
            sent.push((
                name.expect("a name"),
                text.trim_start_matches('\n').replace("&quot;", "\"").replace('\n', "\r\n"),
            ));
        } else if tag.starts_with("select") {
            choosing = name;
        } else if tag.starts_with("option") && head.contains(" selected") {
            sent.push((choosing.clone().expect("a choice"), attribute("value").unwrap_or_default()));
        }
    }
    sent
}

trait IntoStrings {
    fn into_strings(self) -> Vec<String>;
}

impl IntoStrings for Vec<&str> {
    fn into_strings(self) -> Vec<String> {
        self.into_iter().map(str::to_owned).collect()
    }
}
