//! Replies that servers really send, in both dialects: pieces as they come, and one whole value at the end.

use enza_kernel::conversation::{Calling, Message, Reply, Role, Stop, ToolCall, Usage};
use enza_runtime::seams::model::{Model as _, ModelFailure, Piece};
use serde_json::json;

use crate::contract::rude::{Act, Rude, answer, send, stream, stream_head};
use crate::contract::tongue::{Bit, Tongue, USAGE};
use crate::contract::{Shown, client, in_both_dialects, question};

in_both_dialects!(
    a_reply_comes_in_pieces_and_then_whole,
    letters_split_between_writes_and_chunks_arrive_unharmed,
    carriage_returns_comments_and_pings_are_passed_over,
    two_calls_that_come_at_once_are_kept_apart,
    arguments_that_are_not_json_stay_as_the_model_wrote_them,
    a_call_without_a_name_of_its_own_gets_one,
    an_empty_reply_is_a_reply,
    a_reply_at_its_limit_is_cut,
    a_server_that_does_not_stream_is_understood,
    a_connection_that_a_server_near_by_promised_to_keep_is_not_used_again,
    a_server_that_tells_no_tokens_is_not_taken_for_free,
    a_reply_that_ended_stands_even_if_the_count_is_lost,
    a_refusal_is_told_in_the_models_words,
);

fn said(text: &str) -> Reply {
    Reply { text: text.into(), model: "fake/some-model".into(), usage: USAGE, ..Reply::default() }
}

async fn a_reply_comes_in_pieces_and_then_whole(tongue: Tongue) {
    let bits = [Bit::Reasoning("Hm."), Bit::Text("Very "), Bit::Text("well."), Bit::End(Stop::Finished)];
    let server = Rude::plays(vec![stream(&tongue.frames(&bits))]).await;
    let shown = Shown::default();
    let reply = client(tongue, &server.base_url).reply(&question(), &shown).await;
    assert_eq!(reply, Ok(Reply { thoughts: "Hm.".into(), ..said("Very well.") }));
    let pieces = [Piece::Reasoning("Hm.".into()), Piece::Text("Very ".into()), Piece::Text("well.".into())];
    assert_eq!(shown.pieces(), pieces);
}

async fn letters_split_between_writes_and_chunks_arrive_unharmed(tongue: Tongue) {
    let bits = [Bit::Text("日本"), Bit::Text("語🎐"), Bit::End(Stop::Finished)];
    // Some put a mark before UTF-8, too.
    let bytes = format!("\u{feff}{}", tongue.frames(&bits).concat()).into_bytes();
    let mut scene = vec![send("HTTP/1.1 200 OK\r\ntransfer-encoding: chunked\r\nconnection: close\r\n\r\n")];
    for byte in bytes {
        scene.push(Act::Send([b"1\r\n".as_slice(), &[byte], b"\r\n"].concat()));
    }
    scene.push(send("0\r\n\r\n"));
    let server = Rude::plays(vec![scene]).await;
    let reply = client(tongue, &server.base_url).reply(&question(), &Shown::default()).await;
    assert_eq!(reply, Ok(said("日本語🎐")));
}

async fn carriage_returns_comments_and_pings_are_passed_over(tongue: Tongue) {
    let mut frames = vec![": hello\r\n".to_owned(), tongue.ping().to_owned()];
    for frame in tongue.frames(&[Bit::Text("Fine."), Bit::End(Stop::Finished)]) {
        frames.push(frame.replace('\n', "\r\n"));
        frames.push(tongue.ping().to_owned());
    }
    let server = Rude::plays(vec![stream(&frames)]).await;
    let reply = client(tongue, &server.base_url).reply(&question(), &Shown::default()).await;
    assert_eq!(reply, Ok(said("Fine.")));
}

async fn two_calls_that_come_at_once_are_kept_apart(tongue: Tongue) {
    let bits = [
        Bit::Call { place: 0, id: "a", tool: "look" },
        Bit::Call { place: 1, id: "b", tool: "no_such_tool" },
        Bit::Arguments { place: 0, fragment: "{\"at\":" },
        Bit::Arguments { place: 1, fragment: "{\"x\"" },
        Bit::Arguments { place: 0, fragment: " \"moon\"}" },
        Bit::Arguments { place: 1, fragment: ": 1}" },
        Bit::End(Stop::Finished),
    ];
    let server = Rude::plays(vec![stream(&tongue.frames(&bits))]).await;
    let shown = Shown::default();
    let reply = client(tongue, &server.base_url).reply(&question(), &shown).await;
    let calls = vec![
        ToolCall { id: "a".into(), tool: "look".into(), arguments: json!({ "at": "moon" }) },
        ToolCall { id: "b".into(), tool: "no_such_tool".into(), arguments: json!({ "x": 1 }) },
    ];
    assert_eq!(reply, Ok(Reply { calls, ..said("") }));
    let piece = |place, tool: &str, fragment: &str| Piece::Call { place, tool: tool.into(), fragment: fragment.into() };
    assert_eq!(
        shown.pieces(),
        [
            piece(0, "look", ""),
            piece(1, "no_such_tool", ""),
            piece(0, "look", "{\"at\":"),
            piece(1, "no_such_tool", "{\"x\""),
            piece(0, "look", " \"moon\"}"),
            piece(1, "no_such_tool", ": 1}"),
        ]
    );
}

async fn arguments_that_are_not_json_stay_as_the_model_wrote_them(tongue: Tongue) {
    let bits = [
        Bit::Call { place: 0, id: "a", tool: "look" },
        Bit::Arguments { place: 0, fragment: "{\"at\": moon" },
        Bit::Call { place: 1, id: "b", tool: "look" },
        Bit::Arguments { place: 1, fragment: "[1]" },
        Bit::Call { place: 2, id: "c", tool: "look" },
        Bit::End(Stop::Finished),
    ];
    let server = Rude::plays(vec![stream(&tongue.frames(&bits))]).await;
    let reply = client(tongue, &server.base_url).reply(&question(), &Shown::default()).await.unwrap();
    let arguments: Vec<_> = reply.calls.into_iter().map(|call| call.arguments).collect();
    assert_eq!(arguments, [json!("{\"at\": moon"), json!("[1]"), json!({})]);
}

async fn a_call_without_a_name_of_its_own_gets_one(tongue: Tongue) {
    let before = ToolCall { id: "call_0".into(), tool: "look".into(), arguments: json!({}) };
    let mut request = question();
    request.messages.extend([Message::reply("".into(), &[before]), Message::result("call_0", "Nothing.")]);
    request.calling = Calling::Free;
    let bits = [
        Bit::Call { place: 0, id: "call_0", tool: "look" },
        Bit::Call { place: 1, id: "", tool: "look" },
        Bit::End(Stop::Finished),
    ];
    let server = Rude::plays(vec![stream(&tongue.frames(&bits))]).await;
    let calls = client(tongue, &server.base_url).reply(&request, &Shown::default()).await.unwrap().calls;
    let ids: std::collections::BTreeSet<&str> = calls.iter().map(|call| call.id.as_str()).collect();
    assert_eq!(ids.len(), 2, "two names: {ids:?}");
    assert!(!ids.contains("call_0") && !ids.contains(""), "names that are free: {ids:?}");
}

async fn an_empty_reply_is_a_reply(tongue: Tongue) {
    let server = Rude::plays(vec![stream(&tongue.frames(&[Bit::End(Stop::Finished)]))]).await;
    let reply = client(tongue, &server.base_url).reply(&question(), &Shown::default()).await;
    assert_eq!(reply, Ok(said("")));
}

async fn a_reply_at_its_limit_is_cut(tongue: Tongue) {
    let server = Rude::plays(vec![stream(&tongue.frames(&[Bit::Text("I was about"), Bit::End(Stop::Cut)]))]).await;
    let reply = client(tongue, &server.base_url).reply(&question(), &Shown::default()).await;
    assert_eq!(reply, Ok(Reply { stop: Stop::Cut, ..said("I was about") }));
}

async fn a_server_that_does_not_stream_is_understood(tongue: Tongue) {
    let server = Rude::plays(vec![answer("200 OK", "", &tongue.whole("Fine."))]).await;
    let shown = Shown::default();
    let reply = client(tongue, &server.base_url).reply(&question(), &shown).await;
    assert_eq!(reply, Ok(said("Fine.")));
    assert_eq!(shown.pieces(), [Piece::Text("Fine.".into())]);
}

async fn a_connection_that_a_server_near_by_promised_to_keep_is_not_used_again(tongue: Tongue) {
    let body = tongue.whole("Fine.");
    let head = format!("HTTP/1.1 200 OK\r\ncontent-length: {}\r\nconnection: keep-alive\r\n\r\n", body.len());
    // Whatever comes on the same connection afterwards is lost.
    let scene = vec![send(&(head + &body)), Act::Stall];
    let server = Rude::plays(vec![scene.clone(), scene]).await;
    let client = client(tongue, &server.base_url);
    for _ in 0..2 {
        assert_eq!(client.reply(&question(), &Shown::default()).await, Ok(said("Fine.")));
    }
}

async fn a_server_that_tells_no_tokens_is_not_taken_for_free(tongue: Tongue) {
    let frames = tongue.frames(&[Bit::Text("Very well."), Bit::End(Stop::Finished)]);
    let silent: Vec<String> = frames.iter().map(|frame| frame.replace("_tokens\"", "_nothing\"")).collect();
    let server = Rude::plays(vec![stream(&silent)]).await;
    let reply = client(tongue, &server.base_url).reply(&question(), &Shown::default()).await;
    // The prompt: 8, a section of 4 + 3, a message of 4 + 3. The reply: ten letters.
    let usage = Usage { input: 22, output: 3, cache_read: 0, cache_write: 0, cost: 28 };
    assert_eq!(reply, Ok(Reply { usage, ..said("Very well.") }));
}

async fn a_reply_that_ended_stands_even_if_the_count_is_lost(tongue: Tongue) {
    let mut frames = tongue.frames(&[Bit::Text("Fine."), Bit::End(Stop::Finished)]);
    frames.pop();
    let mut scene = stream(&frames);
    scene.push(send("data: {\"usa"));
    let server = Rude::plays(vec![scene]).await;
    let reply = client(tongue, &server.base_url).reply(&question(), &Shown::default()).await;
    assert_eq!(reply, Ok(said("Fine.")));
}

async fn a_refusal_is_told_in_the_models_words(tongue: Tongue) {
    let frames = match tongue {
        Tongue::Anthropic => {
            let mut frames = tongue.frames(&[Bit::Text("I would rather not."), Bit::End(Stop::Finished)]);
            frames.iter_mut().for_each(|frame| *frame = frame.replace("end_turn", "refusal"));
            frames
        }
        Tongue::OpenAi => {
            let mut frames = tongue.frames(&[Bit::Text("I would rather not."), Bit::End(Stop::Finished)]);
            frames.iter_mut().for_each(|frame| *frame = frame.replace("\"content\"", "\"refusal\""));
            frames
        }
    };
    let server = Rude::plays(vec![stream(&frames)]).await;
    let reply = client(tongue, &server.base_url).reply(&question(), &Shown::default()).await;
    assert_eq!(reply, Err(ModelFailure::Refused("the model declined: I would rather not.".into())));
}

#[tokio::test]
async fn a_content_filter_is_a_refusal() {
    let frames = Tongue::OpenAi.frames(&[Bit::Text("It is"), Bit::End(Stop::Finished)]);
    let frames: Vec<String> = frames.iter().map(|frame| frame.replace("\"stop\"", "\"content_filter\"")).collect();
    let server = Rude::plays(vec![stream(&frames)]).await;
    let reply = client(Tongue::OpenAi, &server.base_url).reply(&question(), &Shown::default()).await;
    let words = "the provider's content filter stopped the reply; it had said: It is";
    assert_eq!(reply, Err(ModelFailure::Refused(words.into())));
}

/// llama.cpp without `include_usage` tells its timings instead.
#[tokio::test]
async fn the_timings_of_llama_cpp_serve_as_a_count() {
    let end = json!({
        "choices": [{ "index": 0, "delta": {}, "finish_reason": "stop" }],
        "timings": { "cache_n": 12, "prompt_n": 4, "predicted_n": 5 },
    });
    let mut scene = vec![stream_head()];
    scene.extend(Tongue::OpenAi.frames(&[Bit::Text("Fine.")]).iter().map(|frame| send(frame)));
    scene.push(send(&format!("data: {end}\n\ndata: [DONE]\n\n")));
    let server = Rude::plays(vec![scene]).await;
    let reply = client(Tongue::OpenAi, &server.base_url).reply(&question(), &Shown::default()).await.unwrap();
    assert_eq!(reply.usage, Usage { input: 16, output: 5, cache_read: 12, cache_write: 0, cost: 16 });
}

/// Some servers give every call the index 0 and tell them apart by id alone.
#[tokio::test]
async fn calls_with_one_index_and_two_ids_are_two() {
    let bits = [
        Bit::Call { place: 0, id: "a", tool: "look" },
        Bit::Arguments { place: 0, fragment: "{\"at\": 1}" },
        Bit::Call { place: 0, id: "b", tool: "look" },
        Bit::Arguments { place: 0, fragment: "{\"at\": 2}" },
        Bit::End(Stop::Finished),
    ];
    let server = Rude::plays(vec![stream(&Tongue::OpenAi.frames(&bits))]).await;
    let calls = client(Tongue::OpenAi, &server.base_url).reply(&question(), &Shown::default()).await.unwrap().calls;
    let call = |id: &str, at: u64| ToolCall { id: id.into(), tool: "look".into(), arguments: json!({ "at": at }) };
    assert_eq!(calls, [call("a", 1), call("b", 2)]);
}

/// A thread may hold anything; here a person said nothing at all.
#[tokio::test]
async fn a_thread_of_nothing_still_asks_something() {
    let scene = stream(&Tongue::OpenAi.frames(&[Bit::Text("Fine."), Bit::End(Stop::Finished)]));
    let server = Rude::plays(vec![scene]).await;
    let mut request = question();
    request.messages = vec![Message::new(Role::Person, " ")];
    client(Tongue::OpenAi, &server.base_url).reply(&request, &Shown::default()).await.unwrap();
    assert_eq!(
        server.bodies()[0]["messages"],
        json!([{ "role": "system", "content": "Be brief." }, { "role": "user", "content": "Go on." }])
    );
}
