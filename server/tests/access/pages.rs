//! The pages of accounts and administration: forms that lead on, and forms that keep what was typed.

use axum::body::Body;
use axum::http::{Method, Request};
use enza_kernel::text::Lang;
use enza_runtime::seams::model::ModelFailure;
use enza_server::Accounts;
use enza_server::access::issue_link;
use enza_server::state::LOCAL;

use super::PASSWORD;
use crate::common::{Answer, PUBLIC, TestServer};

/// Sends a form as one of our pages does.
async fn post(stage: &TestServer, path: &str, cookie: &str, form: &str) -> Answer {
    let request = Request::builder()
        .method(Method::POST)
        .uri(path)
        .header("origin", PUBLIC)
        .header("cookie", cookie)
        .header("content-type", "application/x-www-form-urlencoded")
        .body(Body::from(form.to_owned()));
    stage.send(request.expect("a sound request")).await
}

async fn get(stage: &TestServer, path: &str, cookie: &str) -> Answer {
    stage.look(path, cookie, Lang::En).await
}

/// Where an answer leads.
fn leads_to(answer: &Answer) -> &str {
    assert_eq!(answer.status, 303, "{}", answer.text());
    answer.headers["location"].to_str().expect("plain ASCII")
}

#[tokio::test]
async fn a_link_signs_in_by_being_followed_and_not_by_being_looked_at() {
    let stage = TestServer::on(Default::default(), Accounts::Alone);
    let link = issue_link(stage.app.register(), Some(LOCAL), stage.app.now()).await.unwrap();
    let path = format!("/enter?link={}", link.reveal());
    let head = Request::builder().method(Method::HEAD).uri(&path).body(Body::empty()).unwrap();
    assert!(!stage.send(head).await.headers.contains_key("set-cookie"));
    let ahead = Request::builder().uri(&path).header("sec-purpose", "prefetch").body(Body::empty()).unwrap();
    assert!(!stage.send(ahead).await.headers.contains_key("set-cookie"));

    let followed = get(&stage, &path, "").await;
    assert_eq!(leads_to(&followed), "/");
    assert_eq!(get(&stage, "/settings", &followed.cookie()).await.status, 200);
    assert_eq!(get(&stage, &path, "").await.status, 410);
}

#[tokio::test]
async fn the_first_person_is_led_from_the_link_to_registering() {
    let stage = TestServer::new();
    let link = issue_link(stage.app.register(), None, stage.app.now()).await.unwrap();
    let entered = get(&stage, &format!("/enter?link={}", link.reveal()), "").await;
    let register = leads_to(&entered).to_owned();
    assert_eq!(register, format!("/register?invitation={}", link.reveal()));
    assert!(get(&stage, &register, "").await.text().contains("You are the first"));

    let short = format!("name=ada&display=Ada+%3Cb%3E&password=short&invitation={}", link.reveal());
    let again = post(&stage, "/register", "", &short).await;
    assert_eq!(again.status, 422);
    assert!(again.text().contains("value=\"Ada &lt;b&gt;\""), "what was typed is kept, and escaped");
    assert!(!again.text().contains("value=\"short\""), "but no secret");

    let right = short.replace("password=short", "password=correct+horse+battery");
    let made = post(&stage, "/register", "", &right).await;
    assert_eq!(leads_to(&made), "/");
    assert_eq!(get(&stage, "/administration", &made.cookie()).await.status, 200);
}

#[tokio::test]
async fn signing_in_leads_to_where_one_was_going() {
    let stage = TestServer::new();
    stage.newcomer("ada").await;
    let ask = async |path: &str, name: &str, value: &str| {
        let request = Request::builder().uri(path).header(name, value).body(Body::empty());
        stage.send(request.expect("a sound request")).await
    };
    let way_in = "/sign-in?next=%2Fsettings%2Ftokens%3Fdone%3Drevoked";
    for (name, value) in [("sec-fetch-mode", "navigate"), ("accept", "text/html,application/xml;q=0.9")] {
        assert_eq!(leads_to(&ask("/settings/tokens?done=revoked", name, value).await), way_in, "{name}");
    }
    // Scripts and programs are told instead.
    for (name, value) in [("sec-fetch-mode", "cors"), ("accept", "*/*"), ("accept", "text/plain")] {
        assert_eq!(ask("/settings", name, value).await.status, 401, "{name}: {value}");
    }
    assert_eq!(ask("/api/account", "accept", "text/html").await.status, 401);
    let wrong = post(&stage, "/sign-in", "", "name=ada&password=not+the+password&next=%2Fusage").await;
    assert_eq!(wrong.status, 401);
    assert!(wrong.text().contains("value=\"ada\"") && wrong.text().contains("value=\"/usage\""));
    let form = format!("name=ada&password={}&next=%2Fusage", PASSWORD.replace(' ', "+"));
    assert_eq!(leads_to(&post(&stage, "/sign-in", "", &form).await), "/usage");
    let elsewhere = form.replace("%2Fusage", "https%3A%2F%2Fevil.example");
    assert_eq!(leads_to(&post(&stage, "/sign-in", "", &elsewhere).await), "/");
}

#[tokio::test]
async fn every_page_is_there_in_both_languages_with_nothing_unsaid() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    stage.newcomer("bob").await;
    stage.model.then(Err(ModelFailure::Refused("no such model".to_owned())));
    stage.interview("bob").await;
    stage.interview("ada").await;
    stage.token("ada", &["read"]).await;
    let pages = [
        "/settings",
        "/settings/model",
        "/settings/budget",
        "/settings/tokens",
        "/settings/account",
        "/administration",
        "/administration/people/bob",
        "/administration/sessions",
        "/administration/usage",
        "/administration/settings",
        "/administration/journal",
    ];
    for path in pages {
        for lang in [Lang::Ja, Lang::En] {
            let answer = stage.look(path, &ada, lang).await;
            assert_eq!(answer.status, 200, "{path}");
            let text = answer.text();
            assert!(!text.contains('⁇'), "{path}: a sentence is missing");
            assert!(!text.contains(" style=") && !text.contains("<style") && !text.contains(" onclick="), "{path}");
        }
    }
    for path in ["/sign-in", "/register"] {
        let answer = stage.look(path, "", Lang::Ja).await;
        assert_eq!((answer.status.as_u16(), answer.text().contains('⁇')), (200, false), "{path}");
    }
}

#[tokio::test]
async fn the_administration_is_closed_to_others() {
    let stage = TestServer::new();
    stage.newcomer("ada").await;
    let bob = stage.newcomer("bob").await;
    for path in ["/administration", "/administration/people/ada", "/administration/journal"] {
        assert_eq!(get(&stage, path, &bob).await.status, 403, "{path}");
    }
    let form = "verdict=block";
    assert_eq!(post(&stage, "/administration/people/ada/standing", &bob, form).await.status, 403);
}

#[tokio::test]
async fn a_token_made_on_the_page_is_shown_there_once() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    let made = post(&stage, "/settings/tokens", &ada, "label=report&read=on&days=30").await.text();
    let start = made.find("enza_").expect("the secret is shown");
    let secret = &made[start..start + "enza_".len() + 64];
    assert_eq!(stage.ask(Method::GET, "/api/account", secret, None).await.status, 200);
    let later = get(&stage, "/settings/tokens", &ada).await.text();
    assert!(later.contains("report") && !later.contains(secret));
    let unfit = post(&stage, "/settings/tokens", &ada, "label=kept+label&days=30").await;
    assert_eq!((unfit.status.as_u16(), unfit.text().contains("kept label")), (422, true));
}

#[tokio::test]
async fn limits_are_typed_in_dollars_and_kept_to_the_millionth() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    let saved = post(&stage, "/settings/budget", &ada, "tokens_per_day=10000&money_per_day=2.5").await;
    assert_eq!(leads_to(&saved), "/settings/budget?done=saved");
    let account = stage.browse(Method::GET, "/api/account", &ada, None).await.json();
    assert_eq!(
        (&account["own_limits"]["tokens_per_day"], &account["own_limits"]["money_per_day"]),
        (&10_000.into(), &2_500_000.into())
    );
    let wrong = post(&stage, "/settings/budget", &ada, "tokens_per_day=lots&money_per_day=2.5").await;
    assert_eq!((wrong.status.as_u16(), wrong.text().contains("value=\"lots\"")), (422, true));
}

#[tokio::test]
async fn a_person_is_removed_only_when_their_name_is_typed() {
    let stage = TestServer::new();
    let ada = stage.newcomer("ada").await;
    stage.newcomer("bob").await;
    let path = "/administration/people/bob/remove";
    assert_eq!(post(&stage, path, &ada, "confirm=bop").await.status, 422);
    assert!(stage.app.register().person("bob").await.unwrap().is_some());
    assert_eq!(leads_to(&post(&stage, path, &ada, "confirm=bob").await), "/administration?done=removed");
    assert_eq!(stage.app.register().person("bob").await.unwrap(), None);
}
