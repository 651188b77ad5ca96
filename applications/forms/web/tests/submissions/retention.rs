//! What is past its days goes, by the rules of its form.

use std::time::Duration;

use enza_forms_web::actions::respond::GuestCommand;
use enza_forms_web::actions::submissions::sweep;
use enza_runtime::seams::model::ModelFailure;
use enza_runtime::seams::register::AuditLog as _;
use enza_runtime::seams::store::SessionOpening;
use enza_server::actions::IdempotencyKey;

use crate::submissions::owner::{ALL, FormOwner};

const DAY: Duration = Duration::from_secs(24 * 60 * 60);
const MINUTE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn what_is_past_its_days_is_deleted_submitted_or_not_and_the_journal_says_so() {
    let desk = FormOwner::new().await;
    let submitted = desk.submitted(ALL).await;
    desk.arrived(&submitted).await;
    let left = desk.guest().await.row.id;
    desk.stage.clock.push(2 * DAY);
    let young = desk.guest().await.row.id;
    assert_eq!(sweep(&desk.stage.app).await, Ok(0), "without a rule everything stays");
    desk.keep_for(2).await;
    desk.stage.clock.push(Duration::from_secs(60));
    assert_eq!(sweep(&desk.stage.app).await, Ok(2));
    assert_eq!(sweep(&desk.stage.app).await, Ok(0));
    let store = desk.stage.app.engine().store();
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
async fn one_interview_that_cannot_be_deleted_keeps_no_other() {
    let desk = FormOwner::new().await;
    let guests = [desk.guest().await.row.id, desk.guest().await.row.id, desk.guest().await.row.id];
    desk.stage.interview_as(SessionOpening::new("interview", "ada").of(&guests[1])).await;
    desk.keep_for(1).await;
    desk.stage.clock.push(DAY + Duration::from_secs(60));
    assert!(sweep(&desk.stage.app).await.is_err(), "one cannot go, and that is told");
    let store = desk.stage.app.engine().store();
    let mut there = Vec::new();
    for session in &guests {
        there.push(store.find(session).await.expect("the store works").is_some());
    }
    assert_eq!(there, [false, true, false]);
}

#[tokio::test]
async fn a_copy_goes_with_what_it_was_copied_from() {
    let desk = FormOwner::new().await;
    let submitted = desk.submitted(ALL).await;
    desk.arrived(&submitted).await;
    let fork = desk.post(&format!("/api/sessions/{submitted}/fork"), serde_json::json!({})).await;
    assert_eq!(fork.status.as_u16(), 201, "{}", fork.text());
    desk.keep_for(1).await;
    desk.stage.clock.push(DAY + Duration::from_secs(60));
    assert_eq!(sweep(&desk.stage.app).await, Ok(2));
}

#[tokio::test]
async fn a_copy_made_on_the_last_day_does_not_keep_what_it_was_copied_from() {
    let desk = FormOwner::new().await;
    desk.keep_for(7).await;
    let left = desk.guest().await.row.id;
    desk.stage.clock.push(7 * DAY);
    let fork = desk.post(&format!("/api/sessions/{left}/fork"), serde_json::json!({})).await;
    assert_eq!(fork.status.as_u16(), 201, "{}", fork.text());
    desk.stage.clock.push(Duration::from_secs(60));
    assert_eq!(sweep(&desk.stage.app).await, Ok(2), "the interview and its copy");
}

#[tokio::test]
async fn an_unfinished_interview_goes_by_its_last_answer_and_not_by_when_it_was_given_up() {
    let desk = FormOwner::new().await;
    desk.keep_for(40).await;
    let left = desk.guest().await.row.id;
    desk.stage.clock.push(30 * DAY + Duration::from_secs(60));
    let given_up = tokio::time::timeout(Duration::from_secs(20), async {
        loop {
            let row = desk.stage.app.engine().row(&left).await.expect("it is there");
            if row.standing.phase == enza_kernel::application::Phase::Ended {
                return;
            }
            tokio::time::sleep(Duration::from_millis(20)).await;
        }
    });
    given_up.await.expect("nobody came back for a month");
    desk.stage.clock.push(10 * DAY);
    assert_eq!(sweep(&desk.stage.app).await, Ok(1), "forty days after the last answer");
}

#[tokio::test]
async fn giving_up_on_the_fifth_of_seven_days_earned_five_more() {
    let desk = FormOwner::new().await;
    desk.keep_for(7).await;
    let guest = desk.guest().await;
    desk.stage.clock.push(5 * DAY);
    guest.order(&desk.stage.app, GuestCommand::GiveUp, IdempotencyKey::default()).await.expect("it is open");
    desk.stage.clock.push(2 * DAY - MINUTE);
    assert_eq!(sweep(&desk.stage.app).await, Ok(0), "the seven days are not over");
    desk.stage.clock.push(2 * MINUTE);
    assert_eq!(sweep(&desk.stage.app).await, Ok(1), "seven days after the last answer");
}

#[tokio::test]
async fn an_agent_that_was_let_try_again_earned_the_answers_more_days() {
    let desk = FormOwner::new().await;
    desk.keep_for(7).await;
    desk.stage.model.then(Err(ModelFailure::Refused("not today".to_owned())));
    let guest = desk.guest().await;
    assert!(guest.state.failure().is_some(), "the greeter does not come");
    desk.stage.clock.push(5 * DAY);
    guest.order(&desk.stage.app, GuestCommand::Retry, IdempotencyKey::default()).await.expect("it goes on");
    let guest = desk.guest_again(&guest.ticket.to_string()).await;
    assert!(guest.state.question().is_some(), "the greeter asks after all, five days late");
    desk.stage.clock.push(2 * DAY + MINUTE);
    assert_eq!(sweep(&desk.stage.app).await, Ok(1), "seven days after the last answer");
}

#[tokio::test]
async fn whoever_answers_on_the_fifth_day_has_seven_more() {
    let desk = FormOwner::new().await;
    desk.keep_for(7).await;
    let guest = desk.guest().await;
    desk.stage.clock.push(5 * DAY);
    desk.fill(guest, &[("day", "2026-11-03")]).await;
    desk.stage.clock.push(6 * DAY);
    assert_eq!(sweep(&desk.stage.app).await, Ok(0));
    desk.stage.clock.push(DAY + MINUTE);
    assert_eq!(sweep(&desk.stage.app).await, Ok(1));
}

#[tokio::test]
async fn who_was_told_a_number_of_days_is_held_to_it_when_the_rule_gets_longer() {
    let desk = FormOwner::new().await;
    desk.keep_for(3).await;
    let guest = desk.guest().await;
    desk.keep_for(300).await;
    assert_eq!(guest.keep_days(&desk.stage.app).await, Ok(Some(3)));
    desk.stage.clock.push(3 * DAY + Duration::from_secs(60));
    assert_eq!(sweep(&desk.stage.app).await, Ok(1));
}

#[tokio::test]
async fn the_respondents_pages_promise_what_the_rules_keep() {
    let desk = FormOwner::new().await;
    let guest = desk.guest().await;
    let leave = |at: String| {
        let stage = &desk.stage;
        async move { stage.look(&format!("{at}/leave"), "", enza_kernel::text::Lang::En).await.text() }
    };
    let page = leave(guest.address()).await;
    assert!(page.contains("within 30 days of your last answer"), "{page}");
    assert!(page.contains("are kept until the person who sent you this form deletes them"), "{page}");
    desk.keep_for(7).await;
    let page = leave(guest.address()).await;
    assert!(page.contains("within 7 days of your last answer"), "{page}");
    assert!(page.contains("are deleted 7 days after your last answer, and submitted answers 7 days after"), "{page}");
    let door = format!("/f/{}", desk.link());
    let door = desk.stage.look(&door, "", enza_kernel::text::Lang::En).await.text();
    assert!(door.contains("are deleted 7 days after your last answer"), "{door}");
}
