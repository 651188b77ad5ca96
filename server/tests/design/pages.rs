//! The pages: whole, clean, and usable without scripts.

use axum::body::Body;
use axum::http::{Request, StatusCode};
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_runtime::seams::store::{SessionId, SessionOpening};

use crate::common::{Answer, TestServer};

/// A house with Ada in it, and her cookie.
async fn house_of_ada() -> (TestServer, String) {
    let stage = TestServer::new();
    stage.person("ada", true).await;
    let cookie = stage.cookie("ada").await;
    (stage, cookie)
}

/// Sends a form as a browser without scripts does.
async fn post(stage: &TestServer, path: &str, cookie: &str, fields: &[(&str, &str)]) -> Answer {
    let body = fields.iter().map(|(name, value)| format!("{name}={}", encoded(value))).collect::<Vec<_>>().join("&");
    let request = Request::post(path)
        .header("cookie", cookie)
        .header("origin", "http://127.0.0.1:7878")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("accept-language", "en");
    stage.send(request.body(Body::from(body)).expect("a sound request")).await
}

fn encoded(text: &str) -> String {
    text.bytes().map(|byte| format!("%{byte:02X}")).collect()
}

fn location(answer: &Answer) -> &str {
    answer.headers["location"].to_str().expect("an address")
}

async fn rest(stage: &TestServer, session: &SessionId) {
    stage.app.engine().wait_for_rest(session).await.expect("it comes to rest");
}

#[tokio::test]
async fn no_page_carries_a_style_a_handler_or_a_script_of_its_own() {
    let (stage, cookie) = house_of_ada().await;
    let session = stage.interview("ada").await;
    let paths =
        ["/", "/design", "/nothing-there", &format!("/sessions/{session}"), &format!("/sessions/{session}/delete")];
    for lang in [Lang::Ja, Lang::En] {
        for path in paths {
            let text = stage.look(path, &cookie, lang).await.text();
            assert!(text.starts_with("<!DOCTYPE html>"), "{path}: {text}");
            assert!(text.contains(&format!("<html lang=\"{lang}\">")), "{path}");
            assert!(!text.contains(" style=") && !text.contains("<style"), "{path} carries style");
            assert!(!text.contains(" onclick=") && !text.contains(" onsubmit="), "{path} carries a handler");
            assert!(!text.contains("⁇"), "{path} lacks a sentence in {lang}");
            let scripts = text.matches("<script").count();
            assert_eq!(scripts, text.matches(" src=\"/assets/").count(), "{path} carries a script of its own");
        }
    }
}

#[tokio::test]
async fn whoever_is_not_signed_in_finds_the_way_in_and_nothing_else() {
    let (stage, _) = house_of_ada().await;
    let session = stage.interview("ada").await;
    let landing = stage.look("/", "", Lang::En).await;
    assert_eq!(landing.status, StatusCode::OK);
    assert!(landing.text().contains("href=\"/sign-in\""));
    assert!(!landing.text().contains("action=\"/sessions\""));
    let closed = stage.look(&format!("/sessions/{session}"), "", Lang::En).await;
    assert_eq!(closed.status, StatusCode::SEE_OTHER);
    assert!(location(&closed).starts_with("/sign-in?next="), "{}", location(&closed));
}

#[tokio::test]
async fn a_session_is_begun_once_however_often_the_form_is_sent() {
    let (stage, cookie) = house_of_ada().await;
    let fields = [("application", "interview"), ("opening", "sample"), ("key", "one")];
    let first = post(&stage, "/sessions", &cookie, &fields).await;
    let second = post(&stage, "/sessions", &cookie, &fields).await;
    assert_eq!((first.status, second.status), (StatusCode::SEE_OTHER, StatusCode::SEE_OTHER));
    assert_eq!(location(&first), location(&second));
    let another =
        post(&stage, "/sessions", &cookie, &[("application", "interview"), ("opening", "sample"), ("key", "two")])
            .await;
    assert_ne!(location(&first), location(&another));
}

#[tokio::test]
async fn json_that_does_not_parse_comes_back_with_what_was_typed() {
    let (stage, cookie) = house_of_ada().await;
    let typed = "{\"open\": <oops>";
    let answer =
        post(&stage, "/sessions", &cookie, &[("application", "interview"), ("command", typed), ("key", "k")]).await;
    assert_eq!(answer.status, StatusCode::BAD_REQUEST);
    let text = answer.text();
    assert!(text.contains("{&quot;open&quot;: &lt;oops&gt;"), "{text}");
    assert!(text.contains("What was sent could not be read."), "{text}");
}

#[tokio::test]
async fn a_whole_interview_goes_by_plain_forms() {
    let (stage, cookie) = house_of_ada().await;
    let session = stage.interview("ada").await;
    let at = format!("/sessions/{session}");
    let say = |key: &'static str, words: &'static str| {
        let (stage, cookie, at) = (&stage, &cookie, &at);
        async move {
            let fields = [("command", SAY), ("place", "/say/text"), ("words", words), ("key", key)];
            post(stage, &format!("{at}/commands"), cookie, &fields).await
        }
    };
    for (key, words) in [("1", "The lift is stuck"), ("2", "Building A"), ("3", "ada@example.org")] {
        let answer = say(key, words).await;
        assert_eq!((answer.status, location(&answer)), (StatusCode::SEE_OTHER, at.as_str()), "{}", answer.text());
        rest(&stage, &session).await;
    }
    let text = stage.look(&at, &cookie, Lang::En).await.text();
    assert!(text.contains("The lift is stuck") && text.contains("class=\"gate\""), "{text}");
    let gate = text.split("name=\"gate\" value=\"").nth(1).and_then(|rest| rest.split('"').next()).expect("a gate");
    let answer =
        post(&stage, &format!("{at}/gates"), &cookie, &[("gate", gate), ("verdict", "yes"), ("note", "")]).await;
    assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text());
    rest(&stage, &session).await;
    assert!(stage.look(&at, &cookie, Lang::En).await.text().contains("message session done"));
}

#[tokio::test]
async fn words_that_are_not_taken_come_back_with_the_reason() {
    let (stage, cookie) = house_of_ada().await;
    let session = stage.interview("ada").await;
    let long = "long ".repeat(1_000);
    let fields = [("command", SAY), ("place", "/say/text"), ("words", long.as_str()), ("key", "k")];
    let answer = post(&stage, &format!("/sessions/{session}/commands"), &cookie, &fields).await;
    assert!(answer.status.is_client_error(), "{}", answer.status);
    let text = answer.text();
    assert!(text.contains(long.trim()), "what was typed is gone");
    assert!(text.contains("id=\"words-error\" role=\"alert\">"), "nothing says what is wrong");
}

#[tokio::test]
async fn what_is_not_to_be_taken_lightly_is_asked_about_once_more() {
    let (stage, cookie) = house_of_ada().await;
    let session = stage.interview("ada").await;
    let path = format!("/sessions/{session}/commands");
    let asked = post(&stage, &path, &cookie, &[("command", "\"abandon\""), ("key", "k"), ("grave", "Give up")]).await;
    assert_eq!(asked.status, StatusCode::OK);
    assert!(asked.text().contains("Are you sure?"));
    let row = stage.app.engine().row(&session).await.expect("a row");
    assert_eq!(row.standing.phase.word(), "waiting", "nothing has happened yet");
    let done = post(&stage, &path, &cookie, &[("command", "\"abandon\""), ("key", "k")]).await;
    assert_eq!(done.status, StatusCode::SEE_OTHER, "{}", done.text());
    let row = stage.app.engine().row(&session).await.expect("a row");
    assert_eq!(row.standing.phase.word(), "ended");
}

#[tokio::test]
async fn news_bring_each_line_once_and_nothing_before_the_place() {
    let (stage, cookie) = house_of_ada().await;
    let session = stage.interview("ada").await;
    let head = stage.app.engine().row(&session).await.expect("a row").head;
    let news = |after: Seq| {
        let (stage, cookie, path) = (&stage, &cookie, format!("/sessions/{session}/news?after={after}"));
        async move { stage.look(&path, cookie, Lang::En).await.text() }
    };
    let all = seqs(&news(Seq::START).await);
    assert!(all.len() >= 2 && all.is_sorted(), "{all:?}");
    for place in 0..=head.0 {
        let text = news(Seq(place)).await;
        let expected: Vec<u64> = all.iter().copied().filter(|seq| *seq > place).collect();
        assert_eq!(seqs(&text), expected, "after {place}");
        assert!(text.contains(&format!("data-head=\"{head}\"")), "{text}");
    }
}

#[tokio::test]
async fn nobody_elses_session_can_be_seen_or_changed_from_a_page() {
    let (stage, _) = house_of_ada().await;
    stage.person("bob", false).await;
    let his = stage.cookie("bob").await;
    let session = stage.interview("ada").await;
    for path in ["", "/news?after=0", "/live?after=0", "/delete"] {
        let answer = stage.look(&format!("/sessions/{session}{path}"), &his, Lang::En).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
    for (path, fields) in [
        ("/commands", vec![("command", "\"abandon\""), ("key", "k")]),
        ("/gates", vec![("gate", "g"), ("verdict", "yes")]),
        ("/fork", vec![("at", "1")]),
        ("/delete", vec![]),
    ] {
        let answer = post(&stage, &format!("/sessions/{session}{path}"), &his, &fields).await;
        assert_eq!(answer.status, StatusCode::NOT_FOUND, "{path}");
    }
    assert!(!stage.look("/", &his, Lang::En).await.text().contains(session.as_str()));
}

#[tokio::test]
async fn a_session_is_forked_and_deleted_from_its_page() {
    let (stage, cookie) = house_of_ada().await;
    let session = stage.interview("ada").await;
    let fork = post(&stage, &format!("/sessions/{session}/fork"), &cookie, &[("at", "2")]).await;
    assert_eq!(fork.status, StatusCode::SEE_OTHER, "{}", fork.text());
    let child = location(&fork).to_owned();
    let stays = post(&stage, &format!("/sessions/{session}/delete"), &cookie, &[]).await;
    assert_eq!(stays.status, StatusCode::CONFLICT);
    assert_eq!(location(&post(&stage, &format!("{child}/delete"), &cookie, &[]).await), "/");
    assert_eq!(location(&post(&stage, &format!("/sessions/{session}/delete"), &cookie, &[]).await), "/");
    assert_eq!(stage.look(&format!("/sessions/{session}"), &cookie, Lang::En).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn the_first_page_shows_no_session_that_belongs_to_another() {
    let (stage, cookie) = house_of_ada().await;
    let form = stage.interview("ada").await;
    let member = stage.interview_as(SessionOpening::new("interview", "ada").of(&form)).await;
    let page = stage.look("/", &cookie, Lang::En).await.text();
    let times = |session: &SessionId| page.matches(&format!("href=\"/sessions/{session}\"")).count();
    assert_eq!((times(&form), times(&member)), (2, 0), "the form waits and is listed: {page}");
}

#[tokio::test]
async fn the_list_is_filtered_searched_and_paged() {
    let (stage, cookie) = house_of_ada().await;
    for _ in 0..21 {
        stage.interview("ada").await;
    }
    let rows = |text: &str| text.matches("class=\"session-row\"").count();
    let first = stage.look("/", &cookie, Lang::En).await.text();
    assert_eq!(rows(&first), 20);
    let next = first.split("href=\"/?after=").nth(1).and_then(|rest| rest.split('"').next()).expect("a next page");
    let second = stage.look(&format!("/?after={next}"), &cookie, Lang::En).await.text();
    assert_eq!(rows(&second), 1);
    for (wish, found) in [
        ("phase=waiting", 20),
        ("phase=ended", 0),
        ("title=REPORT", 20),
        ("title=nowhere", 0),
        ("application=interview&phase=&title=", 20),
    ] {
        assert_eq!(rows(&stage.look(&format!("/?{wish}"), &cookie, Lang::En).await.text()), found, "{wish}");
    }
}

#[tokio::test]
async fn titles_and_words_of_people_are_shown_as_text() {
    let (stage, cookie) = house_of_ada().await;
    let nasty = "<img src=x onerror=alert(1)>";
    let command = serde_json::json!({ "open": { "form": { "title": nasty, "language": "en", "fields": [{
        "fieldId": "a", "label": nasty, "required": true,
        "facts": [{ "factKey": "a", "fact": nasty, "doneCriteria": "any" }] }] } } });
    let command = command.to_string();
    let fields = [("application", "interview"), ("command", command.as_str()), ("key", "k")];
    let opened = post(&stage, "/sessions", &cookie, &fields).await;
    assert_eq!(opened.status, StatusCode::SEE_OTHER, "{}", opened.text());
    for path in ["/", location(&opened)] {
        let text = stage.look(path, &cookie, Lang::En).await.text();
        assert!(text.contains("&lt;img src=x"), "{path}: {text}");
        assert!(!text.contains("<img"), "{path}");
    }
}

#[tokio::test]
async fn a_long_conversation_is_read_backwards_without_gap_or_repeat() {
    let (stage, cookie) = house_of_ada().await;
    let fields: Vec<_> = (0..40)
        .map(|number| {
            serde_json::json!({ "fieldId": format!("f{number}"), "label": format!("Field {number}"), "required": true,
                "facts": [{ "factKey": "a", "fact": "anything", "doneCriteria": "any" }] })
        })
        .collect();
    let open = serde_json::json!({ "open": { "form": { "title": "Long", "language": "en", "fields": fields } } });
    let open = open.to_string();
    let begun = [("application", "interview"), ("command", open.as_str()), ("key", "k")];
    let at = location(&post(&stage, "/sessions", &cookie, &begun).await).to_owned();
    let session = SessionId::of(at.trim_start_matches("/sessions/"));
    for number in 0..40 {
        rest(&stage, &session).await;
        let words = format!("Answer {number}, in full");
        let key = number.to_string();
        let say = [("command", SAY), ("place", "/say/text"), ("words", words.as_str()), ("key", key.as_str())];
        let answer = post(&stage, &format!("{at}/commands"), &cookie, &say).await;
        assert_eq!(answer.status, StatusCode::SEE_OTHER, "{}", answer.text());
    }
    rest(&stage, &session).await;
    let all = seqs(&stage.look(&format!("{at}/news?after=0"), &cookie, Lang::En).await.text());
    let mut page = stage.look(&at, &cookie, Lang::En).await.text();
    let mut read = seqs(&page);
    assert!(read.len() < all.len(), "the newest come first");
    while let Some(older) = page.split("?before=").nth(1).and_then(|rest| rest.split('"').next()) {
        page = stage.look(&format!("{at}?before={older}"), &cookie, Lang::En).await.text();
        read.splice(0..0, seqs(&page));
    }
    assert_eq!(read, all);
}

/// The command that says something, with a hole for the words.
const SAY: &str = "{\"say\":{\"text\":\"\"}}";

/// The places of the lines on a page, in its order.
fn seqs(page: &str) -> Vec<u64> {
    page.split("data-seq=\"").skip(1).map(|rest| rest.split('"').next().unwrap().parse().unwrap()).collect()
}
