//! The first pages: a newcomer reads what this is, everyone finds what waits before what is new before what was.

use enza_kernel::text::Lang;

use crate::common::TestServer;

async fn house_of_ada() -> (TestServer, String) {
    let stage = TestServer::new();
    stage.person("ada", true).await;
    let cookie = stage.cookie("ada").await;
    (stage, cookie)
}

/// Where texts stand in a page, in its order.
fn places(page: &str, texts: &[&str]) -> Vec<usize> {
    texts.iter().map(|text| page.find(text).unwrap_or_else(|| panic!("{text} is not there: {page}"))).collect()
}

fn main_buttons(page: &str) -> usize {
    let main = page.split("<main").nth(1).and_then(|rest| rest.split("</main>").next()).expect("a main part");
    // A picture may show a button. It is none.
    let scenes = main.matches("<span class=\"button main\"").count();
    main.matches("\"button main\"").count() - scenes
}

#[tokio::test]
async fn a_stranger_reads_what_this_is_and_sees_every_application_and_one_way_in() {
    let (stage, _) = house_of_ada().await;
    for (lang, texts) in [
        (Lang::En, ["every decision is yours", "Answer a form by talking", "Say what you want to ask"]),
        (Lang::Ja, ["決めるのはいつもあなたです", "自分の言葉で話しながら", "リンクで配り"]),
    ] {
        let page = stage.look("/", "", lang).await.text();
        let found = places(&page, &texts);
        assert!(found.iter().all(|place| found[0] <= *place), "what this is comes first: {page}");
        assert_eq!(
            page.matches("class=\"app-card\"").count(),
            page.matches("class=\"picture\" aria-hidden=\"true\"").count()
        );
        assert_eq!((page.matches("href=\"/sign-in\"").count(), main_buttons(&page)), (1, 1), "{page}");
        assert!(!page.contains("<form class=\"opening\""), "nothing can be begun here: {page}");
    }
}

#[tokio::test]
async fn a_newcomer_reads_what_this_is_before_the_cards_and_sees_no_empty_list() {
    let (stage, cookie) = house_of_ada().await;
    let page = stage.look("/", &cookie, Lang::En).await.text();
    assert!(places(&page, &["<h1>Agents ask", "class=\"cards\"", "class=\"by-hand\""]).is_sorted(), "{page}");
    assert!(!page.contains("class=\"sessions\"") && !page.contains("class=\"filter\""), "{page}");
    assert_eq!(main_buttons(&page), 1, "the first card's alone: {page}");
}

#[tokio::test]
async fn what_waits_comes_before_the_cards_and_these_before_the_latest_sessions() {
    let (stage, cookie) = house_of_ada().await;
    stage.interview("ada").await;
    let page = stage.look("/", &cookie, Lang::En).await.text();
    let order = ["class=\"waiting\"", "class=\"cards\"", "class=\"sessions\"", "class=\"search\"", "class=\"by-hand\""];
    assert!(places(&page, &order).is_sorted(), "{page}");
    assert!(!page.contains("<h1>Agents ask"), "whoever has sessions knows what this is: {page}");
}

#[tokio::test]
async fn whoever_searches_finds_that_and_nothing_else() {
    let (stage, cookie) = house_of_ada().await;
    stage.interview("ada").await;
    for (wish, rows) in [("title=report", 1), ("title=nowhere", 0)] {
        let page = stage.look(&format!("/?{wish}"), &cookie, Lang::En).await.text();
        assert_eq!(page.matches("class=\"session-row\"").count(), rows, "{page}");
        assert!(!page.contains("class=\"cards\"") && !page.contains("class=\"waiting\""), "{page}");
        assert!(page.contains("class=\"filter\"") && page.contains("href=\"/\""), "{page}");
    }
}

#[tokio::test]
async fn a_command_that_is_not_taken_comes_back_in_its_unfolded_field() {
    use axum::body::Body;
    use axum::http::Request;
    let (stage, cookie) = house_of_ada().await;
    let request = Request::post("/sessions")
        .header("cookie", &cookie)
        .header("origin", "http://127.0.0.1:7878")
        .header("content-type", "application/x-www-form-urlencoded")
        .header("accept-language", "en");
    let body = Body::from("application=interview&command=%7B%22open%22%3A&key=k");
    let page = stage.send(request.body(body).expect("a sound request")).await;
    assert!(page.status.is_client_error(), "{}", page.status);
    let text = page.text();
    assert!(text.contains("<details class=\"by-hand\" open"), "{text}");
    assert!(text.contains("{&quot;open&quot;:"), "what was typed is kept: {text}");
}
