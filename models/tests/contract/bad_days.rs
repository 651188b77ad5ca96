//! Days on which servers are busy, slow, broken, rude or strange, in both dialects.
//!
//! What matters is that the engine learns the right one of four things, that a person learns what to do, and that nobody
//! ever learns the key.

use std::time::Duration;

use enza_kernel::conversation::Stop;
use enza_models::client::{Client, ClientError, Timeouts};
use enza_models::keys::Secret;
use enza_runtime::seams::model::{Model as _, ModelFailure};

use crate::contract::rude::{Act, Rude, Scene, answer, send, stream, stream_head};
use crate::contract::tongue::{Bit, Tongue};
use crate::contract::{KEY, PRICE, Shown, client, client_with, in_both_dialects, question};

in_both_dialects!(
    a_connection_that_ends_in_the_middle_is_no_reply,
    half_a_frame_is_no_reply,
    an_answer_without_a_byte_is_no_reply,
    an_answer_that_is_neither_events_nor_json_is_no_reply,
    a_busy_server_says_when_to_come_back,
    a_server_that_broke_may_be_asked_again,
    a_slow_server_is_given_up,
    a_server_that_stalls_in_the_middle_is_given_up,
    an_error_in_the_middle_says_what_it_is,
    a_reply_beyond_all_measure_is_cut_and_the_line_closed,
    bytes_without_end_are_not_read_forever,
    whoever_drops_the_reply_hangs_up,
    a_wrong_key_names_its_variable,
    a_key_that_the_server_echoes_is_not_passed_on,
    a_model_that_is_not_there_is_named,
    a_prompt_that_is_too_long_is_said_to_be,
    credit_that_is_used_up_is_not_waited_for,
    a_server_that_is_not_there_is_asked_about,
    a_key_does_not_follow_a_redirect,
);

async fn failure(tongue: Tongue, scene: Scene) -> ModelFailure {
    let server = Rude::plays(vec![scene]).await;
    client(tongue, &server.base_url).reply(&question(), &Shown::default()).await.unwrap_err()
}

fn broken(words: &str) -> ModelFailure {
    ModelFailure::Broken(words.into())
}

async fn a_connection_that_ends_in_the_middle_is_no_reply(tongue: Tongue) {
    let scene = stream(&tongue.frames(&[Bit::Text("I was about")]));
    assert_eq!(failure(tongue, scene).await, broken("the connection ended in the middle of the reply"));

    let mut chunked = vec![send("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\n\r\n")];
    let frame = tongue.frames(&[Bit::Text("I was about")]).concat();
    chunked.push(send(&format!("{:x}\r\n{frame}\r\n", frame.len())));
    let failure = failure(tongue, chunked).await;
    assert!(
        matches!(&failure, ModelFailure::Broken(words) if words.starts_with("the connection to Fake broke")),
        "{failure:?}"
    );
}

async fn half_a_frame_is_no_reply(tongue: Tongue) {
    let frames = tongue.frames(&[Bit::Text("Fine."), Bit::End(Stop::Finished)]).concat();
    let end = frames.find("stop").unwrap();
    let scene = vec![stream_head(), send(&frames[..end])];
    assert_eq!(failure(tongue, scene).await, broken("the connection ended in the middle of the reply"));
}

async fn an_answer_without_a_byte_is_no_reply(tongue: Tongue) {
    let words = "the connection ended in the middle of the reply";
    assert_eq!(failure(tongue, vec![stream_head()]).await, broken(words));
}

async fn an_answer_that_is_neither_events_nor_json_is_no_reply(tongue: Tongue) {
    let page = failure(tongue, answer("200 OK", "", "<html>Welcome to our proxy</html>")).await;
    assert_eq!(page, broken("the connection ended in the middle of the reply"));
    let half = failure(tongue, answer("200 OK", "", "{\"choices\": [")).await;
    assert_eq!(half, broken("it sent JSON that ends in the middle"));
    let other = failure(tongue, vec![stream_head(), send("data: hello\n\n")]).await;
    assert_eq!(other, broken("it sent an event that is not JSON: hello"));
    let latin = failure(tongue, vec![stream_head(), Act::Send(b"data: \xe9\xe9\xe9\xe9\n\n".to_vec())]).await;
    assert_eq!(latin, broken("it sent bytes that are no text"));
}

async fn a_busy_server_says_when_to_come_back(tongue: Tongue) {
    let body = r#"{"error": {"type": "rate_limit_error", "message": "Slow down."}}"#;
    for (status, headers, after) in [
        ("429 Too Many Requests", "retry-after: 7\r\n", Some(Duration::from_secs(7))),
        ("429 Too Many Requests", "", None),
        ("503 Service Unavailable", "retry-after-ms: 50\r\n", Some(Duration::from_millis(50))),
        ("529 Overloaded", "", None),
    ] {
        assert_eq!(
            failure(tongue, answer(status, headers, body)).await,
            ModelFailure::Busy { after },
            "{status} {headers}"
        );
    }
}

async fn a_server_that_broke_may_be_asked_again(tongue: Tongue) {
    let fine = stream(&tongue.frames(&[Bit::Text("Fine."), Bit::End(Stop::Finished)]));
    let server = Rude::plays(vec![answer("500 Oh", "", "<html>boom</html>"), fine]).await;
    let client = client(tongue, &server.base_url);
    let first = client.reply(&question(), &Shown::default()).await.unwrap_err();
    assert_eq!(first, broken("Fake answered with status 500 Internal Server Error: it sent a web page"));
    assert!(first.may_retry());
    assert_eq!(client.reply(&question(), &Shown::default()).await.unwrap().text, "Fine.");
}

/// Short enough for a test, long enough for a loaded machine to connect and send.
fn impatient() -> Timeouts {
    let short = Duration::from_millis(300);
    Timeouts { connect: Duration::from_secs(10), first_byte: short, between_bytes: short }
}

async fn a_slow_server_is_given_up(tongue: Tongue) {
    for scene in [vec![Act::Stall], vec![stream_head(), Act::Stall]] {
        let mut server = Rude::plays(vec![scene]).await;
        let client = client_with(tongue, &server.base_url, impatient());
        let given_up = client.reply(&question(), &Shown::default()).await;
        assert_eq!(given_up, Err(ModelFailure::TimedOut));
        server.hang_up().await;
    }
}

async fn a_server_that_stalls_in_the_middle_is_given_up(tongue: Tongue) {
    let mut scene = stream(&tongue.frames(&[Bit::Text("I was about")]));
    scene.push(Act::Stall);
    let mut server = Rude::plays(vec![scene]).await;
    let client = client_with(tongue, &server.base_url, impatient());
    assert_eq!(client.reply(&question(), &Shown::default()).await, Err(ModelFailure::TimedOut));
    server.hang_up().await;
}

async fn an_error_in_the_middle_says_what_it_is(tongue: Tongue) {
    let cases = [
        ("overloaded_error", ModelFailure::Busy { after: None }),
        ("rate_limit_error", ModelFailure::Busy { after: None }),
        ("timeout_error", ModelFailure::TimedOut),
        ("api_error", broken("it stopped in the middle of the reply with an error: Sorry.")),
        ("invalid_request_error", ModelFailure::Refused("the provider did not accept the request: Sorry.".into())),
    ];
    for (kind, expected) in cases {
        let mut frames = tongue.frames(&[Bit::Text("I was about")]);
        frames.push(tongue.error(kind, "Sorry."));
        assert_eq!(failure(tongue, stream(&frames)).await, expected, "{kind}");
    }
}

async fn a_reply_beyond_all_measure_is_cut_and_the_line_closed(tongue: Tongue) {
    let long = "word ".repeat(1000);
    let mut frames = tongue.frames(&[Bit::Text(&long)]);
    let again = frames.pop().unwrap();
    let mut scene = stream(&frames);
    scene.push(Act::Forever(again.into_bytes()));
    let mut server = Rude::plays(vec![scene]).await;
    let reply = client(tongue, &server.base_url).reply(&question(), &Shown::default()).await.unwrap();
    assert_eq!(reply.stop, Stop::Cut);
    let room = 4 * 100 * 8 + 64 * 1024;
    assert!(reply.text.len() <= room && reply.text.len() > room - long.len(), "{} bytes", reply.text.len());
    assert_eq!(reply.usage.output, (reply.text.len() as u64).div_ceil(4), "counted by what came");
    server.hang_up().await;
}

async fn bytes_without_end_are_not_read_forever(tongue: Tongue) {
    let mut server = Rude::plays(vec![vec![stream_head(), Act::Forever(vec![b'.'; 64 * 1024])]]).await;
    let endless = client(tongue, &server.base_url).reply(&question(), &Shown::default()).await;
    assert_eq!(endless, Err(broken("Fake sent far more bytes than a reply has")));
    server.hang_up().await;
}

async fn whoever_drops_the_reply_hangs_up(tongue: Tongue) {
    let mut scene = stream(&tongue.frames(&[Bit::Text("I was about")]));
    scene.push(Act::Stall);
    let mut server = Rude::plays(vec![scene]).await;
    let client = client(tongue, &server.base_url);
    let shown = Shown::default();
    let request = question();
    {
        let mut reply = client.reply(&request, &shown);
        while shown.pieces().is_empty() {
            let waited = tokio::time::timeout(Duration::from_millis(10), &mut reply).await;
            assert!(waited.is_err(), "the reply cannot have come to an end");
        }
    }
    server.hang_up().await;
}

async fn a_wrong_key_names_its_variable(tongue: Tongue) {
    let body = r#"{"error": {"type": "authentication_error", "message": "Invalid API Key"}}"#;
    let words = "Fake did not accept the key from FAKE_KEY for some-model: Invalid API Key. Check FAKE_KEY. Start it with `fake`.";
    let refused = failure(tongue, answer("401 Unauthorized", "", body)).await;
    assert_eq!(refused, ModelFailure::Refused(words.into()));

    let server = Rude::plays(vec![answer("401 Unauthorized", "", body)]).await;
    let keyless =
        Client::new(tongue.provider(&server.base_url), "some-model", None, None, Timeouts::default()).unwrap();
    let words = "Fake wants a key, and FAKE_KEY is not set: Invalid API Key. Set FAKE_KEY. Start it with `fake`.";
    assert_eq!(keyless.reply(&question(), &Shown::default()).await, Err(ModelFailure::Refused(words.into())));
}

async fn a_key_that_the_server_echoes_is_not_passed_on(tongue: Tongue) {
    let echo = format!(
        r#"{{"error": {{"message": "No such key: {KEY}. It begins with {} and ends with {}."}}}}"#,
        &KEY[..12],
        &KEY[10..]
    );
    let in_stream = [tongue.frames(&[Bit::Text("I")]), vec![tongue.error("api_error", KEY)]].concat();
    let scenes = [
        answer("401 Unauthorized", "", &echo),
        answer("400 Bad Request", "", &echo),
        answer("500 Oh", "", &format!("plain text with {KEY}")),
        answer("200 OK", "", &echo),
        stream(&in_stream),
        vec![stream_head(), send(&format!("data: {KEY}\n\n"))],
    ];
    for scene in scenes {
        let words = failure(tongue, scene).await.to_string();
        assert!(words.contains("[secret]"), "something of the echo is left: {words}");
        assert!(!words.contains(&KEY[..8]) && !words.contains(&KEY[KEY.len() - 8..]), "{words}");
    }
    let client = client(tongue, "http://127.0.0.1:9/v1");
    assert!(!format!("{client:?}").contains(KEY), "nor does a client show it");
}

async fn a_model_that_is_not_there_is_named(tongue: Tongue) {
    let server = Rude::plays(vec![answer("404 Not Found", "", r#"{"error": "model not found"}"#)]).await;
    let refused = client(tongue, &server.base_url).reply(&question(), &Shown::default()).await;
    let words = format!(
        "Fake has no model some-model at {}: model not found. Check the model's name. Start it with `fake`.",
        server.base_url
    );
    assert_eq!(refused, Err(ModelFailure::Refused(words)));
}

async fn a_prompt_that_is_too_long_is_said_to_be(tongue: Tongue) {
    let bodies = [
        r#"{"error": {"message": "This model's maximum context length is 10 tokens."}}"#,
        r#"{"error": {"message": "prompt is too long: 11 tokens > 10 maximum"}}"#,
        r#"{"error": {"code": 400, "message": "request (6031 tokens) exceeds the available context size (2048 tokens)"}}"#,
        r#"{"error": {"code": "context_length_exceeded", "message": "Too much."}}"#,
    ];
    for body in bodies {
        let words = failure(tongue, answer("400 Bad Request", "", body)).await;
        let begins = "the model refused the request: the prompt is too long for some-model at Fake: ";
        assert!(words.to_string().starts_with(begins), "{words}");
        assert!(matches!(words, ModelFailure::TooLong(_)), "it is known as what can be mended: {words:?}");
    }
}

async fn credit_that_is_used_up_is_not_waited_for(tongue: Tongue) {
    let body = r#"{"error": {"code": "insufficient_quota", "message": "You exceeded your current quota."}}"#;
    let words =
        "Fake says the credit is used up: You exceeded your current quota (insufficient_quota). Start it with `fake`.";
    let refused = failure(tongue, answer("429 Too Many Requests", "", body)).await;
    assert_eq!(refused, ModelFailure::Refused(words.into()));
}

async fn a_server_that_is_not_there_is_asked_about(tongue: Tongue) {
    let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base_url = format!("http://{}/v1", listener.local_addr().unwrap());
    drop(listener);
    let gone = client(tongue, &base_url).reply(&question(), &Shown::default()).await.unwrap_err();
    let ModelFailure::Broken(words) = &gone else { panic!("{gone:?}") };
    assert!(words.starts_with(&format!("Fake cannot be reached at {base_url}: ")), "{words}");
    assert!(words.ends_with("Is the server running? Start it with `fake`."), "{words}");
}

async fn a_key_does_not_follow_a_redirect(tongue: Tongue) {
    let elsewhere = Rude::plays(vec![stream(&tongue.frames(&[Bit::Text("Thanks."), Bit::End(Stop::Finished)]))]).await;
    let moved = answer("308 Permanent Redirect", &format!("location: {}/trap\r\n", elsewhere.base_url), "");
    let server = Rude::plays(vec![moved]).await;
    let refused = client(tongue, &server.base_url).reply(&question(), &Shown::default()).await.unwrap_err();
    assert!(!refused.may_retry() && refused.to_string().contains("base_url"), "{refused}");
    assert_eq!(elsewhere.asked(), [], "nobody else was asked");
}

#[test]
fn a_client_that_could_never_ask_is_not_made() {
    let make = |needs_key: bool, model: &str, key: Option<&str>| {
        let mut provider = Tongue::OpenAi.provider("http://127.0.0.1:9/v1");
        provider.needs_key = needs_key;
        Client::new(provider, model, key.map(Secret::new), Some(PRICE), Timeouts::default()).err()
    };
    let (title, variable) = (|| "Fake".to_owned(), || "FAKE_KEY".to_owned());
    assert_eq!(make(true, "m", None), Some(ClientError::KeyMissing { title: title(), variable: variable() }));
    assert_eq!(make(true, "m", Some(" ")), Some(ClientError::KeyMissing { title: title(), variable: variable() }));
    assert_eq!(make(true, "m", Some("a\nb")), Some(ClientError::KeyUnusable { title: title(), variable: variable() }));
    assert_eq!(make(false, " ", None), Some(ClientError::ModelMissing { title: title() }));
    assert_eq!(make(false, "m", None), None);
}
