//! Publishing and sharing: links, rules, receivers, files, the end of a form. Peers: close date, limit of answers,
//! single-use links, signed webhooks.

use axum::http::{Method, StatusCode};
use enza_kernel::text::Lang;
use enza_runtime::seams::register::AuditLog as _;
use enza_runtime::seams::store::{SessionId, SessionOpening};
use serde_json::{Value, json};

use crate::forms::owner::{OwnerBrowser, location, two_fields};

#[tokio::test]
async fn the_first_version_comes_with_one_public_link_and_the_second_keeps_it() {
    let desk = OwnerBrowser::new().await;
    let id = desk.sound().await;
    let mut pairs = two_fields("1");
    pairs.push(("press", "publish"));
    let published = desk.send(&format!("/forms/{id}"), &pairs).await;
    assert_eq!(location(&published), format!("/forms/{id}/share?done=published"));
    let first = links(&desk, &id).await;
    assert_eq!(first.len(), 1);
    let address = first[0]["address"].as_str().unwrap().to_owned();
    assert!(address.starts_with("http://127.0.0.1:7878/f/"), "{address}");
    assert!(desk.page(&format!("/forms/{id}/share")).await.contains(&address));

    pairs[1] = ("title", "Visit report, better");
    desk.send(&format!("/forms/{id}"), &pairs).await;
    let form = desk.form(&id).await;
    assert_eq!((&form["version"], &form["open"]), (&json!(2), &json!(true)));
    assert_eq!(links(&desk, &id).await, first);
}

#[tokio::test]
async fn the_first_page_waits_with_a_draft_and_not_with_a_published_form() {
    let desk = OwnerBrowser::new().await;
    let interview = desk.stage.interview("ada").await;
    let draft = desk.sound().await;
    let form = desk.form(&draft).await["draft"].take();
    // More than are looked at in one go: what waits stands behind them.
    let mut published = String::new();
    for _ in 0..51 {
        let begun = desk.ask(Method::POST, "/api/forms", Some(json!({ "form": form }))).await;
        published = begun.json()["id"].as_str().unwrap().to_owned();
        let answer = desk.ask(Method::POST, &format!("/api/forms/{published}/publish"), None).await;
        assert_eq!(answer.status, StatusCode::OK, "{}", answer.text());
    }
    let page = desk.page("/").await;
    let waits = |address: String| page.contains(&format!("class=\"waits\" href=\"{address}\""));
    let found = [
        waits(format!("/forms/{draft}")),
        waits(format!("/sessions/{interview}")),
        waits(format!("/forms/{published}")),
    ];
    assert_eq!(found, [true, true, false], "{page}");
    assert!(page.contains("Idle"), "{page}");
}

#[tokio::test]
async fn a_public_link_is_replaced_and_withdrawn() {
    let desk = OwnerBrowser::new().await;
    let id = desk.published().await;
    desk.send(&format!("/forms/{id}/public"), &[("act", "replace")]).await;
    let live = |links: &[Value]| links.iter().filter(|link| link["revoked"] == false).count();
    let both = links(&desk, &id).await;
    assert_eq!((both.len(), live(&both)), (2, 1));
    desk.send(&format!("/forms/{id}/public"), &[("act", "revoke")]).await;
    assert_eq!(live(&links(&desk, &id).await), 0);
    assert!(desk.page(&format!("/forms/{id}/share")).await.contains("No public link yet."));
}

#[tokio::test]
async fn single_links_are_made_in_numbers_once_per_click_with_what_is_known_and_taken_along_as_csv() {
    let desk = OwnerBrowser::new().await;
    let id = desk.published().await;
    let at = format!("/forms/{id}/links");
    let wish = [("count", "3"), ("note", "=First round"), ("prefill", "outcome=won\r\n"), ("key", "k")];
    desk.send(&at, &wish).await;
    desk.send(&at, &wish).await;
    let single: Vec<Value> = links(&desk, &id).await.into_iter().filter(|link| link["kind"] == "single").collect();
    assert_eq!(single.len(), 3, "a double click makes them once");
    assert!(single.iter().all(|link| link["prefill"] == json!({ "outcome": "won" }) && link["used"] == false));
    let (_, token) = single[0]["link"].as_str().unwrap().split_once('-').unwrap();
    desk.send(&format!("{at}/revoke"), &[("token", token)]).await;
    let csv = desk.page(&format!("/forms/{id}/links.csv")).await;
    let lines: Vec<&str> = csv.trim_end().split("\r\n").collect();
    assert_eq!((lines.len(), lines[0]), (3, "\u{feff}link,note,prefill,made_at"));
    assert!(lines[1].contains("\"'=First round\",\"outcome=won\""), "a note is no formula: {}", lines[1]);
    assert!(!csv.contains(token), "what was withdrawn is not handed out");
    let journal = desk.stage.store.notes(None, None, 100).await.unwrap();
    let lines: Vec<_> = journal.iter().map(|line| (&*line.note.by, &*line.note.act, &*line.note.on)).collect();
    assert_eq!(lines, [("ada", "links-exported", &*id)], "each of them lets somebody in");

    for (count, prefill) in [("0", ""), ("201", ""), ("many", ""), ("1", "nothing=x"), ("1", "no equals sign")] {
        let refused = desk.send(&at, &[("count", count), ("note", "kept"), ("prefill", prefill)]).await;
        assert!(refused.status.is_client_error(), "{count} {prefill}");
        assert!(refused.text().contains("value=\"kept\""), "what was typed comes back");
    }
}

#[tokio::test]
async fn rules_are_typed_in_the_owners_zone_and_a_wrong_one_comes_back_as_it_was_typed() {
    let desk = OwnerBrowser::new().await;
    let id = desk.published().await;
    let at = format!("/forms/{id}/rules");
    let rules = [
        ("closes", "2199-01-01T09:00"),
        ("zone", "Asia/Tokyo"),
        ("most_answers", "10"),
        ("keep_days", "30"),
        ("budget", ""),
        ("locale", "ask"),
    ];
    assert_eq!(location(&desk.send(&at, &rules).await), format!("/forms/{id}/share?done=ruled#rules"));
    let kept = desk.form(&id).await["rules"].clone();
    let new_year: jiff::Timestamp = "2199-01-01T00:00:00Z".parse().unwrap();
    let wanted = json!({ "closes": new_year.as_millisecond(), "most_answers": 10, "keep_days": 30, "budget": null, "locale": "ask" });
    assert_eq!(kept, wanted);
    let past = [("closes", "2001-01-01T09:00"), ("zone", "Asia/Tokyo"), ("keep_days", "77")];
    let refused = desk.send(&at, &past).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    assert!(refused.text().contains("value=\"77\"") && refused.text().contains("is already past"));
    assert_eq!(desk.form(&id).await["rules"], wanted);
}

#[tokio::test]
async fn a_form_is_closed_and_reopened() {
    let desk = OwnerBrowser::new().await;
    let id = desk.published().await;
    for (to, open) in [("closed", false), ("closed", false), ("open", true)] {
        desk.send(&format!("/forms/{id}/open"), &[("to", to)]).await;
        assert_eq!(desk.form(&id).await["open"], open);
    }
}

#[tokio::test]
async fn a_receivers_secret_is_shown_once_and_drawn_anew_only_when_asked() {
    let desk = OwnerBrowser::new().await;
    let id = desk.sound().await;
    let at = format!("/forms/{id}/webhook");
    let secret_in = |page: &str| page.find("whsec_").map(|start| page[start..start + 50].to_owned());
    let made = desk.send(&at, &[("url", "https://example.org/in")]).await;
    let first = secret_in(&made.text()).expect("the secret");
    assert_eq!(secret_in(&desk.page(&format!("/forms/{id}/share")).await), None, "it is shown once");
    let same = desk.send(&at, &[("url", "https://example.org/in")]).await;
    assert_eq!(location(&same), format!("/forms/{id}/share?done=hooked#webhook"), "nothing is drawn");
    let rotated = desk.send(&at, &[("url", "https://example.org/in"), ("act", "rotate")]).await;
    assert_ne!(secret_in(&rotated.text()).expect("another"), first);
    let wrong = desk.send(&at, &[("url", "ftp://example.org")]).await;
    assert_eq!(wrong.status, StatusCode::CONFLICT);
    assert!(wrong.text().contains("ftp://example.org"));
    desk.send(&at, &[("url", ""), ("act", "clear")]).await;
    assert_eq!(desk.form(&id).await["webhook"], Value::Null);
}

#[tokio::test]
async fn a_form_leaves_as_toml_json_and_json_schema_and_toml_and_json_come_back_as_they_were() {
    let desk = OwnerBrowser::new().await;
    let id = desk.sound().await;
    let draft = desk.form(&id).await["draft"].clone();
    for format in ["toml", "json"] {
        let answer = desk.stage.look(&format!("/forms/{id}/export/{format}"), &desk.cookie, Lang::En).await;
        let name = answer.headers["content-disposition"].to_str().unwrap();
        assert!(name.contains(&format!("Visit%20report.{format}")), "{name}");
        let form = enza_interview::Form::parse(&answer.text()).expect("what we write we read");
        assert_eq!(json!(form), draft, "{format}");
    }
    let schema: Value = serde_json::from_str(&desk.page(&format!("/forms/{id}/export/schema")).await).unwrap();
    assert_eq!(schema["required"], json!(["date_of_the_visit"]));
    let nothing = desk.stage.look(&format!("/forms/{id}/export/docx"), &desk.cookie, Lang::En).await;
    assert_eq!(nothing.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn a_form_with_answers_goes_only_with_its_title_typed_and_takes_them_and_their_forks_along() {
    let desk = OwnerBrowser::new().await;
    let id = desk.published().await;
    let interview =
        desk.stage.interview_as(SessionOpening::new("interview", "ada").of(&SessionId::of(id.as_str()))).await;
    let fork = SessionId::of(uuid::Uuid::now_v7().to_string());
    desk.stage.app.engine().fork(&interview, None, &fork, "ada").await.expect("a fork");
    let at = format!("/forms/{id}/delete");
    assert!(desk.page(&at).await.contains("This form has 2 interviews"));
    let unsure = desk.send(&at, &[("title", "visit report")]).await;
    assert_eq!(unsure.status, StatusCode::CONFLICT);
    let sure = desk.send(&at, &[("title", "Visit report")]).await;
    assert_eq!(location(&sure), "/forms");
    for gone in [id.as_str(), interview.as_str(), fork.as_str()] {
        let answer = desk.stage.look(&format!("/sessions/{gone}"), &desk.cookie, Lang::En).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{gone}");
    }
}

#[tokio::test]
async fn a_form_that_stays_because_of_a_fork_keeps_its_answers() {
    let desk = OwnerBrowser::new().await;
    let id = desk.published().await;
    let form = SessionId::of(id.as_str());
    let interview = desk.stage.interview_as(SessionOpening::new("interview", "ada").of(&form)).await;
    let fork = SessionId::of(uuid::Uuid::now_v7().to_string());
    desk.stage.app.engine().fork(&form, None, &fork, "ada").await.expect("a fork");
    let refused = desk.send(&format!("/forms/{id}/delete"), &[("title", "Visit report")]).await;
    assert_eq!(refused.status, StatusCode::CONFLICT);
    let kept = desk.stage.app.engine().store().find(&interview).await.expect("the store answers");
    assert_eq!(kept.map(|row| row.id), Some(interview));
}

async fn links(desk: &OwnerBrowser, id: &str) -> Vec<Value> {
    let answer = desk.ask(Method::GET, &format!("/api/forms/{id}/links"), None).await;
    answer.json()["links"].as_array().expect("links").clone()
}

#[tokio::test]
async fn beside_the_session_of_a_form_its_links_stand_in_a_table() {
    let desk = OwnerBrowser::new().await;
    let id = desk.published().await;
    let wish = [("count", "1"), ("note", "<i>First</i>"), ("prefill", ""), ("key", "k")];
    let made = desk.send(&format!("/forms/{id}/links"), &wish).await;
    assert_eq!(made.status, StatusCode::SEE_OTHER, "{}", made.text());
    for (lang, title, kind) in [(Lang::En, "Links", "one person"), (Lang::Ja, "リンク", "一人だけ")] {
        let page = desk.stage.look(&format!("/sessions/{id}"), &desk.cookie, lang).await.text();
        assert!(page.contains(&format!("<section class=\"tabled\" id=\"panel-links\"><h2>{title}</h2>")), "{page}");
        assert!(page.contains("&lt;i&gt;First&lt;/i&gt;") && !page.contains("<i>First"), "{page}");
        assert!(page.contains(&format!(">{kind}</td>")), "{page}");
    }
}
