//! Two sessions side by side.

use axum::http::StatusCode;
use enza_kernel::text::Lang;
use enza_runtime::seams::store::{SessionId, SessionOpening};

use crate::inspector::inspect::{answer, played};

#[tokio::test]
async fn a_fork_and_its_parent_share_one_line_and_show_what_each_did() {
    let (stage, parent, cookie) = played().await;
    let fork = SessionId::of("0199-fork");
    let at = stage.app.engine().fork(&parent, None, &fork, "ada").await.unwrap();
    answer(&stage, &parent, "Building A, ground floor").await;
    answer(&stage, &fork, "Building B, roof").await;
    for lang in [Lang::Ja, Lang::En] {
        let page = stage.look(&format!("/compare?a={parent}&b={fork}"), &cookie, lang).await;
        let text = page.text();
        assert_eq!(page.status, StatusCode::OK, "{text}");
        assert!(
            text.contains(&lang.pick(format!("イベント 1–{at} は共通です"), format!("Events 1–{at} are the same")))
        );
        assert!(text.contains("Building A, ground floor") && text.contains("Building B, roof"), "{text}");
        let link = |seq: u64| format!("href=\"/sessions/{parent}/inspect?at={seq}\"");
        assert!(!text.contains(&link(at.0 - 1)) && text.contains(&link(at.0 + 1)), "what is shared is folded: {text}");
        assert!(text.contains("pair differ"), "{text}");
        assert!(!text.contains('⁇'), "{text}");
    }
    let inspector = stage.look(&format!("/sessions/{fork}/inspect"), &cookie, Lang::En).await.text();
    assert!(inspector.contains(&format!("/compare?a={parent}&amp;b={fork}")), "{inspector}");
    let parents = stage.look(&format!("/sessions/{parent}/inspect?at={at}"), &cookie, Lang::En).await.text();
    assert!(parents.contains("tl-fork"), "the fork leaves from the timeline");
}

#[tokio::test]
async fn a_fork_within_a_family_is_found_by_its_parent() {
    let (stage, form, cookie) = played().await;
    let parent = stage.interview_as(SessionOpening::new("interview", "ada").of(&form)).await;
    let fork = SessionId::of("0199-fork");
    let at = stage.app.engine().fork(&parent, None, &fork, "ada").await.unwrap();
    let inspector = stage.look(&format!("/sessions/{parent}/inspect?at={at}"), &cookie, Lang::En).await.text();
    assert!(inspector.contains("tl-fork"), "{inspector}");
    let text = stage.look(&format!("/compare?a={parent}&b={fork}"), &cookie, Lang::En).await.text();
    assert!(text.contains(&format!("Events 1–{at} are the same")), "{text}");
}

#[tokio::test]
async fn sessions_that_are_not_related_are_compared_from_the_start() {
    let (stage, one, cookie) = played().await;
    let other = stage.interview("ada").await;
    let text = stage.look(&format!("/compare?a={one}&b={other}"), &cookie, Lang::En).await.text();
    assert!(text.contains("These two are not forks of the same session."), "{text}");
    assert!(text.contains("pair same"), "both were opened with the same form: {text}");
}

#[tokio::test]
async fn without_two_sessions_one_is_asked_which() {
    let (stage, one, cookie) = played().await;
    let alone = stage.look("/compare", &cookie, Lang::En).await;
    assert_eq!((alone.status, alone.text().contains("There is nothing to compare with.")), (StatusCode::OK, true));
    let other = stage.interview("ada").await;
    let asks = stage.look(&format!("/compare?a={one}"), &cookie, Lang::En).await.text();
    assert!(asks.contains(&format!("<option value=\"{one}\" selected>")), "{asks}");
    assert!(asks.contains(&format!("<option value=\"{other}\" selected>")), "{asks}");
}
