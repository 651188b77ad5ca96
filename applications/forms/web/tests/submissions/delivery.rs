//! Submissions on their way: signed, repeated with the same id, and never sent inside the house.

use std::time::Duration;

use enza_forms::{Forms, Secret};
use enza_forms_web::webhook::sign;
use enza_server::Accounts;
use serde_json::json;

use crate::common::TestServer;
use crate::submissions::owner::{ALL, FormOwner, SECRET};
use crate::submissions::receiver::{ReceivedWebhook, Receiver};

/// Peers: the receiver can check who sent it, and gets values, provenance and the whole conversation.
#[tokio::test]
async fn a_submission_is_sent_on_signed_with_its_values_and_its_conversation() {
    let (desk, receiver) = (FormOwner::new().await, Receiver::answering(&[]).await);
    desk.send_to(&receiver.url()).await;
    let session = desk.submitted(ALL).await;
    let letter = receiver.letters(1).await.remove(0);
    assert_signed(&letter);
    let sent = letter.json();
    assert_eq!(sent["type"], "interview.submitted");
    assert!(sent["timestamp"].as_str().is_some_and(|at| at.ends_with('Z')), "{sent}");
    let data = &sent["data"];
    assert_eq!(data["form"], json!({ "id": desk.form, "title": "Visit report", "version": 1 }));
    assert_eq!(data["session"], json!(session));
    assert_eq!(
        data["values"],
        json!({ "day": "2026-11-03", "people": "-3", "mail": "ada@example.org", "pleased": "yes", "guests.1.age": "41" })
    );
    let first = &data["submission"]["answers"][0];
    assert_eq!(
        (&first["fieldId"], &first["label"], &first["value"]),
        (&json!("day"), &json!("Day of the visit"), &json!("2026-11-03"))
    );
    let transcript = data["transcript"].as_array().expect("what was said");
    assert!(transcript.iter().any(|line| line["who"] == "respondent"), "{transcript:?}");
    desk.arrived(&session).await;
    assert_eq!(received(&desk).await, 1);
}

#[tokio::test]
async fn a_receiver_that_says_no_is_asked_again_with_the_same_id_and_the_same_letter() {
    let (desk, receiver) = (FormOwner::new().await, Receiver::answering(&[500, 303]).await);
    desk.send_to(&receiver.url()).await;
    let session = desk.submitted(ALL).await;
    receiver.letters(1).await;
    wait_for_failures(&desk, session.as_str(), 1).await;
    desk.stage.clock.push(Duration::from_secs(6));
    receiver.letters(2).await;
    wait_for_failures(&desk, session.as_str(), 2).await;
    desk.stage.clock.push(Duration::from_secs(301));
    desk.arrived(&session).await;
    let letters = receiver.so_far();
    assert_eq!(letters.len(), 3, "a redirect is not followed");
    letters.iter().for_each(assert_signed);
    assert!(letters.iter().all(|letter| letter.id == letters[0].id && letter.body == letters[0].body));
    assert!(letters[0].id.starts_with(&format!("msg_{session}_")), "{}", letters[0].id);
    assert_ne!(letters[0].timestamp, letters[2].timestamp, "the time is the attempt's");
    assert_eq!(received(&desk).await, 1, "however often it is sent, it is counted once");
    let page = desk.stage.look(&format!("{}/{session}", desk.page()), &desk.cookie, enza_kernel::text::Lang::En).await;
    for text in ["The receiver answered 500.", "The receiver answered 303.", "The receiver answered 204."] {
        assert!(page.text().contains(text), "{text}");
    }
}

#[tokio::test]
async fn without_a_receiver_a_submission_is_counted_and_done() {
    let desk = FormOwner::new().await;
    let session = desk.submitted(ALL).await;
    desk.arrived(&session).await;
    assert_eq!(received(&desk).await, 1);
}

/// Where people have accounts, nobody reaches inside through a form.
#[tokio::test]
async fn an_address_inside_the_house_is_refused_where_people_have_accounts() {
    let desk = FormOwner::in_house(TestServer::with_one_clock(Accounts::Shared)).await;
    let receiver = Receiver::answering(&[]).await;
    let port = receiver.address.port();
    let inside = [
        "127.0.0.1",
        "localhost",
        "[::1]",
        "[::ffff:127.0.0.1]",
        "0x7f.1",
        "2130706433",
        "169.254.169.254",
        "168.63.129.16",
        "168.63.129.16.",
        "0xa83f8110",
        "[64:ff9b::168.63.129.16]",
    ];
    for host in inside {
        desk.send_to(&format!("http://{host}:{port}/hook")).await;
        let tried = desk.post(&format!("{}/webhook/test", desk.api()), json!({})).await.json();
        let expected = json!({ "delivered": false, "status": null, "millis": null, "why": "inside" });
        assert_eq!(tried, expected, "{host}");
    }
    let session = desk.submitted(ALL).await;
    wait_for_failures(&desk, session.as_str(), 1).await;
    assert_eq!(receiver.so_far().len(), 0);
    let owed = desk.stage.look(&format!("{}/deliveries", desk.page()), &desk.cookie, enza_kernel::text::Lang::En).await;
    assert!(owed.text().contains("The address is in the server's own network"), "{}", owed.text());
}

#[tokio::test]
async fn the_owner_tries_the_receiver_and_sees_what_came_of_it() {
    let (desk, receiver) = (FormOwner::new().await, Receiver::answering(&[503]).await);
    let test = format!("{}/webhook/test", desk.api());
    assert_eq!(desk.post(&test, json!({})).await.code(), "no-webhook");
    desk.send_to(&receiver.url()).await;
    let refused = desk.post(&test, json!({})).await.json();
    assert_eq!(refused, json!({ "delivered": false, "status": 503, "millis": null, "why": "answered" }));
    let mut taken = desk.post(&test, json!({})).await.json();
    assert!(taken["millis"].take().is_u64());
    assert_eq!(taken, json!({ "delivered": true, "status": 204, "millis": null, "why": null }));
    let page = desk.press(&format!("/forms/{}/webhook/test", desk.form)).await;
    assert!(page.text().contains("Delivered."), "{}", page.text());
    let letters = receiver.so_far();
    letters.iter().for_each(assert_signed);
    assert_eq!(
        letters.iter().map(|letter| letter.json()["type"].clone()).collect::<Vec<_>>(),
        ["ping", "ping", "ping"]
    );
    assert_ne!(letters[0].id, letters[1].id);
}

/// A copy that the owner forks to look into is nobody's submission.
#[tokio::test]
async fn a_copy_of_an_interview_is_never_sent_on_nor_listed() {
    let (desk, receiver) = (FormOwner::new().await, Receiver::answering(&[500]).await);
    desk.send_to(&receiver.url()).await;
    let session = desk.submitted(ALL).await;
    wait_for_failures(&desk, session.as_str(), 1).await;
    let head = desk.stage.app.engine().row(&session).await.expect("it is there").head;
    let fork = desk.post(&format!("/api/sessions/{session}/fork"), json!({ "at": head.0 - 1 })).await;
    assert_eq!(fork.status.as_u16(), 201, "{}", fork.text());
    let copy = enza_runtime::seams::store::SessionId::of(fork.json()["id"].as_str().expect("a name"));
    desk.arrived(&copy).await;
    assert_eq!((receiver.so_far().len(), received(&desk).await), (1, 1));
    let listed = desk.get(&format!("{}/submissions", desk.api())).await.json();
    assert_eq!(listed["submissions"].as_array().map(Vec::len), Some(1));
}

fn assert_signed(letter: &ReceivedWebhook) {
    let seconds = letter.timestamp.parse().expect("seconds");
    let expected = sign(&Secret::new(SECRET), &letter.id, seconds, &letter.body);
    assert_eq!(Some(letter.signature.clone()), expected);
}

async fn received(desk: &FormOwner) -> u64 {
    desk.stage.app.engine().state::<Forms>(&desk.form).await.expect("the form is there").1.received()
}

async fn wait_for_failures(desk: &FormOwner, session: &str, count: usize) {
    loop {
        let events = desk.stage.app.engine().store();
        let session = enza_runtime::seams::store::SessionId::of(session);
        let all = events.events(&session, enza_kernel::time::Seq::START, 10_000).await.expect("the log is read");
        if all.iter().filter(|one| one.stored.kind == "DeliveryFailed").count() >= count {
            return;
        }
        tokio::time::sleep(Duration::from_millis(10)).await;
    }
}
