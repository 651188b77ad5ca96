//! Requests as they go over the wire, compared whole in both dialects.

use enza_kernel::conversation::{Calling, Message, Request, Role, Sampling, Stop, ToolCall, ToolSpec};
use enza_models::client::{Client, Timeouts};
use enza_models::keys::Secret;
use enza_models::providers::Provider;
use enza_runtime::seams::model::{Lane, Model as _, RateLimits};
use serde_json::{Value, json};

use crate::contract::rude::{Rude, stream};
use crate::contract::tongue::{Bit, Tongue};
use crate::contract::{KEY, PRICE, Shown, client, part, question};

/// What is sent for a request, by a provider with these lines more in its file.
async fn sent(tongue: Tongue, quirks: &str, request: &Request) -> Value {
    let server = Rude::plays(vec![stream(&tongue.frames(&[Bit::End(Stop::Finished)]))]).await;
    let dialect = if tongue == Tongue::Anthropic { "anthropic" } else { "openai" };
    let head =
        format!("name = \"fake\"\ntitle = \"Fake\"\ndialect = \"{dialect}\"\nbase_url = \"{}\"\n", server.base_url);
    let provider = Provider::from_toml(&format!("{head}[quirks]\n{quirks}")).unwrap();
    let client = Client::new(provider, "some-model", None, None, Timeouts::default()).unwrap();
    client.reply(request, &Shown::default()).await.unwrap();
    server.bodies().remove(0)
}

fn call(id: &str, tool: &str, arguments: Value) -> ToolCall {
    ToolCall { id: id.into(), tool: tool.into(), arguments }
}

/// A request with everything in it.
fn full() -> Request {
    let calls = [call("c1", "look", json!({ "at": "moon" })), call("c2", "made up!", json!("{\"at\": moo"))];
    Request {
        tools: [ToolSpec {
            name: "look".into(),
            description: "Looks.".into(),
            parameters: json!({ "type": "object", "properties": { "at": { "type": "string" } } }),
        }]
        .into(),
        stable: vec![part("role", "You watch the sky."), part("rules", "Be brief.")],
        messages: vec![
            Message::new(Role::Person, "What is up?"),
            Message::reply("I look.".into(), &calls),
            Message::new(Role::Session, "Mind the clouds."),
            Message::result("c1", "A full moon."),
            Message::result("gone", "Rain."),
            Message::new(Role::Person, "And now?"),
        ],
        fresh: vec![part("clock", "It is ten."), part("mood", "All is calm.")],
        sampling: Sampling { temperature: Some(0.2), top_p: Some(0.9), seed: Some(4) },
        ..question()
    }
}

#[tokio::test]
async fn a_full_request_in_openais_words() {
    let quirks = "usage_in_stream = true\nsystem_midway = true\ncache_prompt = true\neffort = \"low\"";
    let expected = json!({
        "model": "some-model",
        "stream": true,
        "stream_options": { "include_usage": true },
        "max_tokens": 100,
        "temperature": 0.2,
        "top_p": 0.9,
        "seed": 4,
        "reasoning_effort": "low",
        "cache_prompt": true,
        "tools": [{ "type": "function", "function": {
            "name": "look", "description": "Looks.",
            "parameters": { "type": "object", "properties": { "at": { "type": "string" } } },
        } }],
        "messages": [
            { "role": "system", "content": "You watch the sky.\n\nBe brief." },
            { "role": "user", "content": "What is up?" },
            { "role": "assistant", "content": "I look.", "tool_calls": [
                { "id": "c1", "type": "function", "function": { "name": "look", "arguments": "{\"at\":\"moon\"}" } },
                { "id": "c2", "type": "function", "function": {
                    "name": "made_up_", "arguments": "{\"unreadable\":\"{\\\"at\\\": moo\"}",
                } },
            ] },
            { "role": "tool", "tool_call_id": "c1", "content": "A full moon." },
            { "role": "tool", "tool_call_id": "c2", "content": "(no result: the call was not carried out)" },
            { "role": "system", "content": "Mind the clouds." },
            { "role": "system", "content": "The result of an earlier call: Rain." },
            { "role": "user", "content": "And now?" },
            { "role": "system", "content": "# clock\nIt is ten.\n\n# mood\nAll is calm." },
        ],
    });
    assert_eq!(sent(Tongue::OpenAi, quirks, &full()).await, expected);
}

#[tokio::test]
async fn a_server_that_insists_on_turns_gets_the_sessions_words_as_a_users() {
    let body = sent(Tongue::OpenAi, "sampling = false\nseed = false", &full()).await;
    let last = "Mind the clouds.\n\nThe result of an earlier call: Rain.\n\nAnd now?\n\n# clock\nIt is ten.\n\n# mood\nAll is calm.";
    let roles: Vec<&str> =
        body["messages"].as_array().unwrap().iter().filter_map(|message| message["role"].as_str()).collect();
    assert_eq!(roles, ["system", "user", "assistant", "tool", "tool", "user"]);
    assert_eq!(body["messages"][5]["content"], last);
    let settings = ["temperature", "top_p", "seed", "stream_options", "cache_prompt", "tool_choice", "response_format"];
    assert_eq!(settings.map(|name| body.get(name)), [None; 7]);
}

#[tokio::test]
async fn a_full_request_in_anthropics_words() {
    let expected = json!({
        "model": "some-model",
        "stream": true,
        "max_tokens": 100,
        "temperature": 0.2,
        "output_config": { "effort": "low" },
        "tools": [{
            "name": "look", "description": "Looks.",
            "input_schema": { "type": "object", "properties": { "at": { "type": "string" } } },
        }],
        "system": [
            { "type": "text", "text": "You watch the sky." },
            { "type": "text", "text": "Be brief.", "cache_control": { "type": "ephemeral" } },
        ],
        "messages": [
            { "role": "user", "content": [{ "type": "text", "text": "What is up?" }] },
            { "role": "assistant", "content": [
                { "type": "text", "text": "I look." },
                { "type": "tool_use", "id": "c1", "name": "look", "input": { "at": "moon" } },
                { "type": "tool_use", "id": "c2", "name": "made_up_", "input": { "unreadable": "{\"at\": moo" } },
            ] },
            { "role": "user", "content": [
                { "type": "tool_result", "tool_use_id": "c1", "content": "A full moon." },
                { "type": "tool_result", "tool_use_id": "c2", "content": "(no result: the call was not carried out)" },
                { "type": "text", "text": "Mind the clouds." },
                { "type": "text", "text": "The result of an earlier call: Rain." },
                { "type": "text", "text": "And now?", "cache_control": { "type": "ephemeral" } },
                { "type": "text", "text": "# clock\nIt is ten." },
                { "type": "text", "text": "# mood\nAll is calm." },
            ] },
        ],
    });
    assert_eq!(sent(Tongue::Anthropic, "cache_breakpoints = 4\neffort = \"low\"", &full()).await, expected);
}

#[tokio::test]
async fn without_stable_sections_the_last_tool_is_the_place_to_cache() {
    let request = Request { stable: vec![], fresh: vec![], ..full() };
    let body = sent(Tongue::Anthropic, "cache_breakpoints = 1", &request).await;
    assert_eq!(body["tools"][0]["cache_control"], json!({ "type": "ephemeral" }));
    assert!(!body["messages"].to_string().contains("cache_control"), "there was one mark only");
    let body = sent(Tongue::Anthropic, "", &request).await;
    assert!(!body.to_string().contains("cache_control"), "and none where none is allowed");
}

/// What changes comes last: the prompt without it is the beginning of the next one.
#[tokio::test]
async fn everything_before_the_fresh_sections_begins_the_next_prompt() {
    for tongue in [Tongue::Anthropic, Tongue::OpenAi] {
        let first = full();
        let mut second = full();
        second.messages.push(Message::new(Role::Person, "Good night."));
        second.fresh = vec![part("clock", "It is eleven.")];
        let quirks = "system_midway = true";
        let (first, second) = (sent(tongue, quirks, &first).await, sent(tongue, quirks, &second).await);
        for name in ["system", "tools"] {
            assert_eq!(first[name], second[name], "{tongue:?}");
        }
        let (first, second) = (first["messages"].to_string(), second["messages"].to_string());
        let shared = first.bytes().zip(second.bytes()).take_while(|(one, other)| one == other).count();
        assert!(shared >= first.find("And now?").unwrap() + "And now?".len(), "{tongue:?}: {}", &first[..shared]);
    }
}

#[tokio::test]
async fn a_schema_is_asked_for_in_each_dialects_own_way() {
    let loose = json!({
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "properties": {
            "age": { "type": "integer", "minimum": 0, "description": "In years." },
            "pattern": { "type": "array", "items": { "type": "object", "properties": {} }, "minItems": 2 },
        },
        "required": ["age"],
    });
    let request = Request { output: Some(loose.clone()), ..question() };
    let format = json!({ "name": "answer", "strict": false, "schema": loose });
    assert_eq!(
        sent(Tongue::OpenAi, "", &request).await["response_format"],
        json!({ "type": "json_schema", "json_schema": format })
    );
    let narrowed = json!({
        "type": "object",
        "properties": {
            "age": { "type": "integer", "description": "In years. (minimum: 0)" },
            "pattern": {
                "type": "array",
                "items": { "type": "object", "properties": {}, "additionalProperties": false },
                "description": "(minItems: 2)",
            },
        },
        "required": ["age"],
        "additionalProperties": false,
    });
    let output = json!({ "format": { "type": "json_schema", "schema": narrowed } });
    assert_eq!(sent(Tongue::Anthropic, "", &request).await["output_config"], output);

    let strict = json!({ "type": "object", "properties": { "a": { "type": "string" } }, "required": ["a"], "additionalProperties": false });
    let request = Request { output: Some(strict), ..question() };
    assert_eq!(sent(Tongue::OpenAi, "", &request).await["response_format"]["json_schema"]["strict"], true);
}

#[tokio::test]
async fn a_schema_by_tool_leaves_the_other_tools_to_choose_from() {
    let schema = json!({ "type": "object" });
    let taken = ToolSpec { name: "answer".into(), description: "Ours.".into(), parameters: schema.clone() };
    let request = Request { output: Some(schema.clone()), tools: [taken].into(), ..question() };
    let quirks = "structured = \"tool\"\ntool_choice = \"named\"";
    let body = sent(Tongue::Anthropic, quirks, &request).await;
    assert_eq!(body["tool_choice"], json!({ "type": "any" }));
    assert_eq!(
        body["tools"][1],
        json!({ "name": "answer_", "description": "Gives the answer.", "input_schema": schema })
    );
    let body = sent(Tongue::OpenAi, quirks, &request).await;
    assert_eq!(body["tool_choice"], json!("required"));
}

#[tokio::test]
async fn a_request_that_has_to_call_a_tool_asks_for_no_answer() {
    let request = Request { output: Some(json!({ "type": "object" })), calling: Calling::Any, ..full() };
    let body = sent(Tongue::OpenAi, "", &request).await;
    assert_eq!((&body["tool_choice"], body.get("response_format")), (&json!("required"), None));
    let body = sent(Tongue::Anthropic, "", &request).await;
    assert_eq!((&body["tool_choice"], body.get("output_config")), (&json!({ "type": "any" }), None));
}

#[tokio::test]
async fn a_thread_that_ends_with_the_model_is_asked_to_go_on() {
    let request = Request { stable: vec![], messages: vec![Message::reply("I was about".into(), &[])], ..question() };
    let go_on = json!([{ "role": "assistant", "content": "I was about" }, { "role": "user", "content": "Go on." }]);
    assert_eq!(sent(Tongue::OpenAi, "", &request).await["messages"], go_on);
    let text = |text: &str| json!([{ "type": "text", "text": text }]);
    let turns = json!([
        { "role": "user", "content": text("Go on.") },
        { "role": "assistant", "content": text("I was about") },
        { "role": "user", "content": text("Go on.") },
    ]);
    assert_eq!(sent(Tongue::Anthropic, "", &request).await["messages"], turns);
}

#[tokio::test]
async fn the_key_and_the_files_headers_go_where_each_dialect_wants_them() {
    for (tongue, path, key) in [
        (Tongue::Anthropic, "post /v1/messages ", format!("x-api-key: {KEY}")),
        (Tongue::OpenAi, "post /v1/chat/completions ", format!("authorization: bearer {KEY}")),
    ] {
        let server = Rude::plays(vec![stream(&tongue.frames(&[Bit::End(Stop::Finished)]))]).await;
        let mut provider = tongue.provider(&format!("{}/", server.base_url));
        provider.headers.insert("x-title".into(), "Enza".into());
        let client = Client::new(provider, "m", Some(Secret::new(KEY)), None, Timeouts::default()).unwrap();
        client.reply(&question(), &Shown::default()).await.unwrap();
        let head = &server.asked()[0].head;
        assert!(head.starts_with(path), "{head}");
        assert!(head.contains(&key) && head.contains("x-title: enza"), "{head}");
    }
}

#[test]
fn a_client_says_whose_it_is_how_fast_and_how_dear() {
    let mut request = question();
    request.max_output = 1_000;
    let asked = client(Tongue::Anthropic, "http://127.0.0.1:9/v1");
    assert_eq!(asked.name(&Request::default()), "fake/some-model");
    assert_eq!(asked.lane(&request), Lane { name: "fake".into(), pace: RateLimits::default() });
    // 22 tokens by our count, half as many again, and 512: all written to the cache. Then a thousand at two dollars.
    let prompt = (22 * 3 / 2 + 512) * PRICE.cache_write_per_million;
    assert_eq!(asked.quote(&request), (prompt + 1_000 * PRICE.output_per_million).div_ceil(1_000_000));
    let free =
        Client::new(Tongue::OpenAi.provider("http://127.0.0.1:9/v1"), "m", None, None, Timeouts::default()).unwrap();
    assert_eq!(free.quote(&request), 0);
}
