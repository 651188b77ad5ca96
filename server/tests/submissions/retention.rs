//! What is past its days goes, by the rules of its form.

use std::time::Duration;

use enza_runtime::seams::register::Journal as _;
use enza_server::acts::submissions::sweep;

use crate::desk::{ALL, Desk};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);

#[tokio::test]
async fn what_is_past_its_days_is_deleted_submitted_or_not_and_the_journal_says_so() {
    let desk = Desk::new().await;
    let submitted = desk.submitted(ALL).await;
    desk.arrived(&submitted).await;
    let left = desk.guest().await.row.id;
    desk.stage.clock.push(2 * DAY);
    let young = desk.guest().await.row.id;
    assert_eq!(sweep(&desk.stage.house).await, Ok(0), "without a rule everything stays");
    desk.keep_for(2).await;
    desk.stage.clock.push(Duration::from_secs(60));
    assert_eq!(sweep(&desk.stage.house).await, Ok(2));
    assert_eq!(sweep(&desk.stage.house).await, Ok(0));
    let store = desk.stage.house.engine().store();
    let mut there = Vec::new();
    for session in [&submitted, &left, &young] {
        there.push(store.find(session).await.expect("the store works").is_some());
    }
    assert_eq!(there, [false, false, true]);
    let journal = desk.stage.store.notes(None, None, 10).await.expect("the journal is read");
    let lines: Vec<_> =
        journal.iter().map(|line| (line.note.by.as_str(), line.note.act.as_str(), line.note.on.as_str())).collect();
    assert_eq!(lines, [("~house", "submissions-expired", desk.form.as_str())]);
}

#[tokio::test]
async fn a_copy_goes_with_what_it_was_copied_from() {
    let desk = Desk::new().await;
    let submitted = desk.submitted(ALL).await;
    desk.arrived(&submitted).await;
    let fork = desk.post(&format!("/api/sessions/{submitted}/fork"), serde_json::json!({})).await;
    assert_eq!(fork.status.as_u16(), 201, "{}", fork.text());
    desk.keep_for(1).await;
    desk.stage.clock.push(DAY + Duration::from_secs(60));
    assert_eq!(sweep(&desk.stage.house).await, Ok(2));
}
