//! How streams end, how many there may be, and that a slow watcher is nobody's trouble but its own.

use axum::http::Method;
use enza_kernel::time::Seq;
use enza_runtime::seams::model::Piece;
use enza_runtime::seams::register::Passes as _;
use enza_runtime::seams::store::SessionId;
use enza_server::access::Secret;

use crate::common::TestServer;
use crate::live::watch::RunningServer;

#[tokio::test]
async fn a_session_that_is_deleted_while_it_is_watched_says_so_and_the_stream_ends() {
    let served = RunningServer::new().await;
    let id = served.interview().await;
    let head = served.head(&id).await;
    let mut watching = served.watch(&id, None).await;
    watching.up_to(head).await;
    let path = format!("/api/sessions/{id}");
    assert_eq!(served.stage.ask(Method::DELETE, &path, &served.token, None).await.status, 204);
    let last = watching.next().await.expect("a word before the end");
    assert_eq!((last.event.as_str(), last.id), ("gone", None));
    assert_eq!(watching.next().await, None);
    assert_eq!(served.ask(&format!("{path}/live"), None).await.status, 404);
}

#[tokio::test]
async fn a_stream_says_what_it_is_and_is_not_gathered_on_its_way() {
    let served = RunningServer::new().await;
    let id = served.interview().await;
    let watching = served.watch(&id, None).await;
    let headers = ["content-type", "cache-control", "x-accel-buffering"].map(|name| &*watching.response.headers[name]);
    assert_eq!(headers, ["text/event-stream", "no-store", "no"]);
}

#[tokio::test]
async fn a_person_has_a_bounded_number_of_streams_and_gets_one_back_for_each_that_ends() {
    let served = RunningServer::on(TestServer::with_streams(2)).await;
    let id = served.interview().await;
    let (one, other) = (served.watch(&id, None).await, served.watch(&id, None).await);
    let third = served.ask(&format!("/api/sessions/{id}/live"), None).await;
    assert_eq!((third.status, &*third.headers["retry-after"]), (429, "5"));
    assert_eq!(served.stage.app.stream_permits().taken(), 2);
    drop((one, other));
    // The server notices when it has something to say.
    served.say(&id, "The tap drips.").await;
    while served.stage.app.stream_permits().taken() > 0 {
        tokio::time::sleep(std::time::Duration::from_millis(10)).await;
    }
    served.watch(&id, None).await;
}

#[tokio::test]
async fn a_watcher_who_reads_nothing_slows_no_session_and_later_hears_every_event() {
    let served = RunningServer::new().await;
    let id = served.interview().await;
    let mut slow = served.watch(&id, None).await;
    // Far more than the connection and the feed hold between them.
    let piece = |_| Piece::Text("words, words, words. ".repeat(500));
    served.stage.model.shows((0..3_000).map(piece));
    served.say(&id, "The tap in the kitchen drips since Monday.").await;
    served.rest(&id).await;
    let head = served.head(&id).await;
    let mut quick = served.watch(&id, None).await;
    assert_eq!(quick.up_to(head).await, (1..=head).collect::<Vec<_>>());
    assert_eq!(slow.up_to(head).await, (1..=head).collect::<Vec<_>>());
}

#[tokio::test]
async fn a_stream_that_is_open_when_the_house_closes_ends_and_serving_with_it() {
    let stage = TestServer::new();
    stage.person("ada", false).await;
    let token = stage.token("ada", &["read"]).await;
    let id = stage.interview("ada").await.to_string();
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let address = listener.local_addr().unwrap();
    let serving = tokio::spawn(enza_server::serve(listener, stage.app.clone(), stage.app.closed()));
    let served = RunningServer { stage, address, token };
    let mut watching = served.watch(&id, None).await;
    watching.next().await.expect("an event");
    served.stage.app.close();
    while watching.next().await.is_some() {}
    serving.await.unwrap().unwrap();
}

#[tokio::test(start_paused = true)]
async fn a_token_that_is_taken_away_ends_its_streams() {
    let stage = TestServer::new();
    stage.person("ada", false).await;
    let token = stage.token("ada", &["read"]).await;
    let id = stage.interview("ada").await;
    let path = format!("/api/sessions/{id}/live");
    let request = axum::http::Request::builder().uri(&path).header("authorization", format!("Bearer {token}"));
    let request = request.body(axum::body::Body::empty()).unwrap();
    let response = tower::ServiceExt::oneshot(stage.router.clone(), request).await.unwrap();
    let head = stage.app.engine().row(&id).await.unwrap().head;
    let mut chunks = response.into_body().into_data_stream();
    let mut read = String::new();
    while !read.contains(&format!("id: {head}\n")) {
        read += &next(&mut chunks).await.expect("more");
    }
    assert!(head > Seq::START);
    assert_eq!(next(&mut chunks).await.as_deref(), Some(": \n\n"), "a sign of life");
    stage.store.take(&Secret::brought(&token).digest()).await.unwrap();
    stage.app.authenticator().forget("ada", &Secret::brought(&token).digest());
    assert_eq!(next(&mut chunks).await, None);
}

#[tokio::test(start_paused = true)]
async fn a_changed_password_ends_the_streams_of_everyone_else_who_came_in_as_this_person_at_once() {
    use enza_runtime::seams::register::People as _;
    let stage = TestServer::new();
    stage.person("ada", false).await;
    let (stolen, here) = (stage.token("ada", &["read"]).await, stage.cookie("ada").await);
    let elsewhere = stage.cookie("ada").await;
    let id = stage.interview("ada").await;
    let ways = [("authorization", format!("Bearer {stolen}")), ("cookie", elsewhere), ("cookie", here.clone())];
    let mut streams = Vec::new();
    for (name, value) in ways {
        streams.push(quiet_stream(&stage, &id, name, &value).await);
    }
    let request = axum::http::Request::builder().method("POST").uri("/api/account/password").header("cookie", here);
    let request = request.header("content-type", "application/json");
    let request = request.body(axum::body::Body::from(r#"{"new": "another fine password"}"#)).unwrap();
    assert_eq!(stage.send(request).await.status, 204);
    assert!(stage.store.person("ada").await.unwrap().unwrap().password.is_some());
    let began = tokio::time::Instant::now();
    let mut kept = streams.pop().unwrap();
    for mut ended in streams {
        assert_eq!(next(&mut ended).await, None);
    }
    assert_eq!(began.elapsed(), std::time::Duration::ZERO, "nobody waited for a sign of life");
    assert_eq!(next(&mut kept).await.as_deref(), Some(": \n\n"), "whoever changed it goes on");
}

#[tokio::test(start_paused = true)]
async fn a_reset_password_ends_every_stream_of_whoever_came_in_as_this_person_at_once() {
    let stage = TestServer::new();
    stage.person("root", true).await;
    stage.person("ada", false).await;
    let (token, cookie, root) =
        (stage.token("ada", &["read"]).await, stage.cookie("ada").await, stage.cookie("root").await);
    let hers = stage.interview("ada").await;
    let others = stage.interview("root").await;
    let mut streams = Vec::new();
    for (name, value) in [("authorization", format!("Bearer {token}")), ("cookie", cookie)] {
        streams.push(quiet_stream(&stage, &hers, name, &value).await);
    }
    let mut kept = quiet_stream(&stage, &others, "cookie", &root).await;
    let request = axum::http::Request::builder().method("POST").uri("/api/people/ada/reset").header("cookie", root);
    assert_eq!(stage.send(request.body(axum::body::Body::empty()).unwrap()).await.status, 201);
    let began = tokio::time::Instant::now();
    for mut ended in streams {
        assert_eq!(next(&mut ended).await, None);
    }
    assert_eq!(began.elapsed(), std::time::Duration::ZERO, "nobody waited for a sign of life");
    assert_eq!(next(&mut kept).await.as_deref(), Some(": \n\n"), "nobody else is meant");
}

/// A session's stream, read up to where nothing more happens.
async fn quiet_stream(stage: &TestServer, id: &SessionId, name: &str, value: &str) -> axum::body::BodyDataStream {
    let request = axum::http::Request::builder().uri(format!("/api/sessions/{id}/live")).header(name, value);
    let request = request.body(axum::body::Body::empty()).unwrap();
    let response = tower::ServiceExt::oneshot(stage.router.clone(), request).await.unwrap();
    let mut chunks = response.into_body().into_data_stream();
    while next(&mut chunks).await.expect("more") != ": \n\n" {}
    chunks
}

async fn next(chunks: &mut axum::body::BodyDataStream) -> Option<String> {
    let chunk = futures_util::StreamExt::next(chunks).await?;
    Some(String::from_utf8(chunk.unwrap().to_vec()).unwrap())
}
