//! Servers that cannot do what they are asked: the next weaker way is tried at once, and kept to from then on.

use enza_kernel::conversation::{Calling, Request, Sampling, Stop, ToolSpec};
use enza_models::client::{Client, Timeouts};
use enza_runtime::seams::model::{Model as _, ModelFailure};
use serde_json::{Value, json};

use crate::contract::rude::{Rude, Scene, answer, stream};
use crate::contract::tongue::{Bit, Tongue};
use crate::contract::{Shown, client, question};

fn refusal(words: &str) -> Scene {
    answer(
        "400 Bad Request",
        "",
        &json!({ "error": { "type": "invalid_request_error", "message": words } }).to_string(),
    )
}

fn says(tongue: Tongue, text: &str) -> Scene {
    stream(&tongue.frames(&[Bit::Text(text), Bit::End(Stop::Finished)]))
}

fn schema() -> Value {
    json!({ "type": "object", "properties": { "age": { "type": "integer" } }, "required": ["age"], "additionalProperties": false })
}

fn with_schema() -> Request {
    Request { output: Some(schema()), ..question() }
}

fn with_tool(calling: Calling) -> Request {
    let tool = |name: &str| ToolSpec {
        name: name.into(),
        description: String::new(),
        parameters: json!({ "type": "object" }),
    };
    Request { tools: [tool("look"), tool("listen")].into(), calling, ..question() }
}

/// What each request said about the answer: its format, its tool choice, and whether words spoke of a schema.
fn ways(server: &Rude) -> Vec<(Value, Value, bool)> {
    let way = |body: Value| {
        let format =
            if body["response_format"].is_null() { &body["output_config"]["format"] } else { &body["response_format"] };
        (format["type"].clone(), body["tool_choice"].clone(), body.to_string().contains("fit this JSON Schema"))
    };
    server.bodies().into_iter().map(way).collect()
}

#[tokio::test]
async fn an_openai_server_is_led_from_schema_to_tool_to_object_to_words_and_stays_there() {
    let tongue = Tongue::OpenAi;
    let server = Rude::plays(vec![
        refusal("This model does not support response format `json_schema`"),
        refusal("tool_choice is not supported"),
        refusal("response_format is not supported"),
        says(tongue, "```json\n{\"age\": 7}\n```"),
        says(tongue, "{\"age\": 8}"),
    ])
    .await;
    let client = client(tongue, &server.base_url);
    let first = client.reply(&with_schema(), &Shown::default()).await.unwrap();
    let second = client.reply(&with_schema(), &Shown::default()).await.unwrap();
    assert_eq!([first.text, second.text], ["{\"age\": 7}", "{\"age\": 8}"]);
    let named = json!({ "type": "function", "function": { "name": "answer" } });
    assert_eq!(
        ways(&server),
        [
            (json!("json_schema"), Value::Null, false),
            (Value::Null, named, false),
            (json!("json_object"), Value::Null, true),
            (Value::Null, Value::Null, true),
            (Value::Null, Value::Null, true),
        ]
    );
}

#[tokio::test]
async fn an_anthropic_server_is_led_from_schema_to_tool_to_words() {
    let tongue = Tongue::Anthropic;
    let server = Rude::plays(vec![
        refusal("output_config.format: structured outputs are not supported by this model"),
        refusal("tool_choice forces tool use, which is not compatible with thinking"),
        says(tongue, "{\"age\": 7}"),
    ])
    .await;
    let reply = client(tongue, &server.base_url).reply(&with_schema(), &Shown::default()).await.unwrap();
    assert_eq!(reply.text, "{\"age\": 7}");
    assert_eq!(
        ways(&server),
        [
            (json!("json_schema"), Value::Null, false),
            (Value::Null, json!({ "type": "tool", "name": "answer" }), false),
            (Value::Null, Value::Null, true),
        ]
    );
}

#[tokio::test]
async fn an_answer_that_comes_as_a_call_is_the_text_of_the_reply() {
    for tongue in [Tongue::Anthropic, Tongue::OpenAi] {
        let bits = [
            Bit::Text("Let me see."),
            Bit::Call { place: 0, id: "a", tool: "answer" },
            Bit::Arguments { place: 0, fragment: "{\"age\":" },
            Bit::Arguments { place: 0, fragment: " 7}" },
            Bit::End(Stop::Finished),
        ];
        let server = Rude::plays(vec![refusal("json_schema is not supported"), stream(&tongue.frames(&bits))]).await;
        let reply = client(tongue, &server.base_url).reply(&with_schema(), &Shown::default()).await.unwrap();
        assert_eq!((reply.text.as_str(), reply.calls), ("{\"age\": 7}", vec![]), "{tongue:?}");
    }
}

#[tokio::test]
async fn what_is_said_of_one_odd_schema_says_nothing_of_the_next() {
    let tongue = Tongue::OpenAi;
    let odd = refusal("Invalid schema for response_format 'answer'");
    let server = Rude::plays(vec![odd, says(tongue, "{}"), says(tongue, "{}")]).await;
    let client = client(tongue, &server.base_url);
    client.reply(&with_schema(), &Shown::default()).await.unwrap();
    client.reply(&with_schema(), &Shown::default()).await.unwrap();
    let formats: Vec<Value> = ways(&server).into_iter().map(|(format, _, _)| format).collect();
    assert_eq!(formats, [json!("json_schema"), Value::Null, json!("json_schema")]);
}

#[tokio::test]
async fn a_call_that_cannot_be_named_is_required_and_then_asked_for() {
    for tongue in [Tongue::Anthropic, Tongue::OpenAi] {
        let no = || refusal("tool_choice: forced tool use is not supported by this model");
        let server = Rude::plays(vec![no(), no(), says(tongue, "No.")]).await;
        let request = with_tool(Calling::Only("listen".into()));
        client(tongue, &server.base_url).reply(&request, &Shown::default()).await.unwrap();
        let bodies = server.bodies();
        let (named, required) = match tongue {
            Tongue::Anthropic => (json!({ "type": "tool", "name": "listen" }), json!({ "type": "any" })),
            Tongue::OpenAi => (json!({ "type": "function", "function": { "name": "listen" } }), json!("required")),
        };
        let seen: Vec<(&Value, usize, bool)> = bodies
            .iter()
            .map(|body| {
                (
                    &body["tool_choice"],
                    body["tools"].as_array().unwrap().len(),
                    body.to_string().contains("Call the tool `listen` now."),
                )
            })
            .collect();
        assert_eq!(seen, [(&named, 2, false), (&required, 1, false), (&Value::Null, 2, true)], "{tongue:?}");
    }
}

#[tokio::test]
async fn fields_that_a_server_does_not_know_are_left_out_from_then_on() {
    let tongue = Tongue::OpenAi;
    let server = Rude::plays(vec![
        refusal("Unrecognized request argument supplied: stream_options"),
        refusal("Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead."),
        refusal("Unsupported value: 'temperature' does not support 0.2 with this model."),
        refusal("Unknown parameter: seed"),
        says(tongue, "Fine."),
        says(tongue, "Fine."),
    ])
    .await;
    let client = client(tongue, &server.base_url);
    let sampling = Sampling { temperature: Some(0.2), top_p: None, seed: Some(4) };
    let request = Request { sampling, ..question() };
    client.reply(&request, &Shown::default()).await.unwrap();
    client.reply(&request, &Shown::default()).await.unwrap();
    let fields: Vec<Vec<String>> = server
        .bodies()
        .iter()
        .map(|body| {
            body.as_object()
                .unwrap()
                .keys()
                .filter(|name| !["messages", "model", "stream"].contains(&name.as_str()))
                .cloned()
                .collect()
        })
        .collect();
    assert_eq!(
        fields,
        [
            vec!["max_tokens", "seed", "stream_options", "temperature"],
            vec!["max_tokens", "seed", "temperature"],
            vec!["max_completion_tokens", "seed", "temperature"],
            vec!["max_completion_tokens", "seed"],
            vec!["max_completion_tokens"],
            vec!["max_completion_tokens"],
        ]
    );
}

#[tokio::test]
async fn a_model_that_does_not_think_is_not_told_how_long_to() {
    for (tongue, complaint) in [
        (Tongue::Anthropic, "output_config.effort: this model does not support the effort parameter"),
        (Tongue::Anthropic, "output_config: Extra inputs are not permitted"),
        (Tongue::OpenAi, "Unrecognized request argument supplied: reasoning_effort"),
    ] {
        let server = Rude::plays(vec![refusal(complaint), says(tongue, "{}")]).await;
        let mut provider = tongue.provider(&server.base_url);
        provider.quirks.effort = Some("low".into());
        let client = Client::new(provider, "some-model", None, None, Timeouts::default()).unwrap();
        client.reply(&with_schema(), &Shown::default()).await.unwrap();
        let seen: Vec<(bool, bool)> = server
            .bodies()
            .iter()
            .map(|body| (body.to_string().contains("effort"), body.to_string().contains("json_schema")))
            .collect();
        assert_eq!(seen, [(true, true), (false, true)], "{complaint}");
    }
}

/// Two attempts that learn different things at once must not unlearn each other's.
#[tokio::test]
async fn what_one_attempt_learned_is_not_undone_by_another() {
    let tongue = Tongue::OpenAi;
    let other =
        "Unsupported parameter: 'max_tokens' is not supported with this model. Use 'max_completion_tokens' instead.";
    let (first, second) = (refusal(other), refusal(other));
    let server = Rude::plays(vec![first, second, says(tongue, "a"), says(tongue, "b"), says(tongue, "c")]).await;
    let client = client(tongue, &server.base_url);
    let (request, shown) = (question(), Shown::default());
    let (one, two) = tokio::join!(client.reply(&request, &shown), client.reply(&request, &shown));
    assert!(one.is_ok() && two.is_ok(), "{one:?} {two:?}");
    client.reply(&request, &shown).await.unwrap();
    assert!(server.bodies()[4]["max_completion_tokens"].is_u64(), "{}", server.bodies()[4]);
}

#[tokio::test]
async fn a_refusal_that_names_nothing_we_asked_for_stands() {
    let server =
        Rude::plays(vec![refusal("seed and temperature and response_format are fine; messages are not")]).await;
    let refused = client(Tongue::OpenAi, &server.base_url).reply(&question(), &Shown::default()).await;
    let words = "Fake did not accept the request (status 400 Bad Request): \
                 seed and temperature and response_format are fine; messages are not";
    assert_eq!(refused, Err(ModelFailure::Refused(words.into())));
    assert_eq!(server.bodies().len(), 1);
}
