//! Coming back: at any place, after a lost connection, to another server.

use enza_server::Accounts;

use crate::common::TestServer;
use crate::live::watch::{Response, RunningServer};

#[tokio::test]
async fn whoever_comes_back_at_any_place_hears_every_later_event_once() {
    let served = RunningServer::new().await;
    let id = served.interview().await;
    served.say(&id, "The tap drips.").await;
    served.rest(&id).await;
    let head = served.head(&id).await;
    for last in 0..head {
        let seen = served.watch(&id, Some(last)).await.up_to(head).await;
        assert_eq!(seen, (last + 1..=head).collect::<Vec<_>>());
    }
}

#[tokio::test]
async fn a_watcher_who_loses_the_connection_after_every_event_misses_none_while_the_session_goes_on() {
    let served = RunningServer::new().await;
    let id = served.interview().await;
    served.say(&id, "The tap in the kitchen drips since Monday.").await;
    let mut seen = Vec::new();
    loop {
        let mut watching = served.watch(&id, seen.last().copied()).await;
        let heard = watching.next().await.expect("an event");
        let Some(seq) = heard.id else { continue };
        seen.push(seq);
        if heard.data["line"]["who"]["agent"] == "interviewer" && seq > 6 {
            break;
        }
    }
    assert_eq!(seen, (1..=*seen.last().unwrap()).collect::<Vec<_>>());
}

#[tokio::test]
async fn the_place_may_be_in_the_address_and_the_header_goes_before_it() {
    let served = RunningServer::new().await;
    let id = served.interview().await;
    let head = served.head(&id).await;
    let path = format!("/api/sessions/{id}/live?after={}", head - 1);
    for (last, first) in [(None, head), (Some(head - 2), head - 1)] {
        let read = up_to_an_event(served.ask(&path, last).await).await;
        assert!(read.starts_with(&format!("retry: 1000\n\nevent: event\nid: {first}\n")), "{read}");
    }
}

#[tokio::test]
async fn a_server_that_was_restarted_is_resumed_where_the_other_left() {
    let first = RunningServer::new().await;
    let id = first.interview().await;
    let head = first.head(&id).await;
    let mut watching = first.watch(&id, None).await;
    let mut seen = watching.up_to(head).await;
    first.stage.app.close();
    assert_eq!(watching.next().await, None, "a stream ends when its house closes");
    first.stage.app.engine().close().await;

    let second = TestServer::on(first.stage.store.clone(), Accounts::Shared);
    let address = second.listen().await;
    let second = RunningServer { stage: second, address, token: first.token.clone() };
    let mut watching = second.watch(&id, seen.last().copied()).await;
    second.say(&id, "The tap drips.").await;
    second.rest(&id).await;
    let head = second.head(&id).await;
    seen.extend(watching.up_to(head).await);
    assert_eq!(seen, (1..=head).collect::<Vec<_>>());
}

/// Reads a stream up to its first event.
async fn up_to_an_event(mut response: Response) -> String {
    let mut all = Vec::new();
    while !String::from_utf8_lossy(&all).contains("data: ") {
        all.extend(response.chunk().await.expect("the stream goes on"));
    }
    String::from_utf8_lossy(&all).into_owned()
}
