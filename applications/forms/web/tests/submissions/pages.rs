//! The owner's pages of a form's answers, without scripts.

use axum::http::StatusCode;
use enza_interview::Bootstrap;
use enza_kernel::text::Lang;

use crate::submissions::owner::{ALL, FormOwner};
use crate::submissions::receiver::Receiver;

#[tokio::test]
async fn the_list_masks_what_is_sensitive_and_shows_where_people_stop() {
    let desk = FormOwner::new().await;
    let none = desk.stage.look(&desk.page(), &desk.cookie, Lang::En).await;
    assert!(none.text().contains("No answers yet."));
    let session = desk.submitted(ALL).await;
    desk.arrived(&session).await;
    desk.fill(desk.guest().await, &[("day", "2026-11-05")]).await;
    let page = desk.stage.look(&desk.page(), &desk.cookie, Lang::En).await.text();
    assert!(page.contains(&format!("href=\"{}/{session}\"", desk.page())), "{page}");
    assert!(!page.contains("ada@example.org"), "a sensitive value stands in the list");
    assert!(page.contains("50 % went on from “How many came”"), "{page}");
    let found = desk.stage.look(&format!("{}?text=nobody+said+this", desk.page()), &desk.cookie, Lang::En).await.text();
    assert!(found.contains("No answers match."));
}

#[tokio::test]
async fn a_sheet_shows_values_reviews_the_conversation_and_the_way_into_the_log() {
    let desk = FormOwner::new().await;
    let session = desk.submitted(ALL).await;
    desk.arrived(&session).await;
    let path = format!("{}/{session}", desk.page());
    let page = desk.stage.look(&path, &desk.cookie, Lang::En).await.text();
    let expected = [
        "Day of the visit",
        "by a rule",
        "Age (guest 1)",
        "Received. There is no receiver to send it to.",
        &format!("/sessions/{session}/inspect"),
        "id=\"line-",
    ];
    for text in expected {
        assert!(page.contains(text), "{text}: {page}");
    }
    // The address is there for who asks, behind a fold; never in the open.
    for (place, _) in page.match_indices("ada@example.org") {
        let before = &page[..place];
        let (opened, closed) =
            (before.matches("<details class=\"masked\"").count(), before.matches("</details>").count());
        let folds = before.matches("<details").count();
        assert!(folds > closed && opened > 0, "a sensitive value stands in the open");
    }
    let inspector = desk.stage.look(&format!("/sessions/{session}/inspect"), &desk.cookie, Lang::En).await;
    assert_eq!(inspector.status, StatusCode::OK);
}

#[tokio::test]
async fn a_sheet_that_is_under_way_says_the_time_zone_that_follows_from_the_country() {
    let desk = FormOwner::new().await;
    let guest = desk.guest_from(Bootstrap::of(Lang::Ja)).await;
    let page = desk.stage.look(&format!("{}/{}", desk.page(), guest.row.id), &desk.cookie, Lang::En).await.text();
    for text in ["In progress", "Asia/Tokyo"] {
        assert!(page.contains(text), "{text}: {page}");
    }
}

#[tokio::test]
async fn a_sheet_is_deleted_by_a_page_that_asks_first() {
    let desk = FormOwner::new().await;
    let session = desk.submitted(ALL).await;
    desk.arrived(&session).await;
    let path = format!("{}/{session}/delete", desk.page());
    let asks = desk.stage.look(&path, &desk.cookie, Lang::En).await.text();
    assert!(asks.contains("Delete for good"));
    let gone = desk.press(&path).await;
    assert_eq!(
        (gone.status, gone.headers["location"].to_str().ok()),
        (StatusCode::SEE_OTHER, Some(desk.page().as_str()))
    );
    assert_eq!(desk.stage.look(&path, &desk.cookie, Lang::En).await.status, StatusCode::NOT_FOUND);
}

#[tokio::test]
async fn no_page_lacks_a_sentence_or_carries_a_style_or_script() {
    let (desk, receiver) = (FormOwner::new().await, Receiver::answering(&[500]).await);
    desk.send_to(&receiver.url()).await;
    let session = desk.submitted(ALL).await;
    receiver.letters(1).await;
    for lang in [Lang::Ja, Lang::En] {
        for ending in ["", "/deliveries", &format!("/{session}"), &format!("/{session}/delete"), "?status=given_up"] {
            let page = desk.stage.look(&format!("{}{ending}", desk.page()), &desk.cookie, lang).await;
            let text = page.text();
            assert_eq!(page.status, StatusCode::OK, "{ending}");
            assert!(!text.contains('⁇'), "{ending} lacks a sentence in {lang}");
            assert!(!text.contains(" style=") && !text.contains("<style") && !text.contains(" onclick="), "{ending}");
            assert_eq!(text.matches("<script").count(), text.matches(" src=\"/assets/").count(), "{ending}");
        }
    }
}
