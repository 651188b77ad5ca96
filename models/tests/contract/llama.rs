//! The same behaviours at a real server: llama.cpp with a small model, in both dialects.
//!
//! Each test starts one server and asks it many things, because starting one takes longer than asking. The small model's
//! judgement is worth nothing; what is checked is what any model would have to do. It knows no tools by itself, so the
//! server gets a chat template that has them (`tools.jinja`), and the threads show the model how a call looks.

use std::fs;
use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use enza_kernel::conversation::{Calling, Message, Reply, Request, Role, Sampling, Stop, ToolCall, ToolSpec};
use enza_models::client::{Client, Timeouts};
use enza_models::keys::Secret;
use enza_models::providers::Provider;
use enza_runtime::seams::model::{Model as _, ModelFailure, Piece};
use serde_json::{Value, json};

use crate::contract::tongue::Tongue;
use crate::contract::{KEY, Shown, part};

#[tokio::test]
async fn a_real_server_keeps_the_contract_in_openais_dialect() {
    keeps_the_contract(Tongue::OpenAi).await;
}

#[tokio::test]
async fn a_real_server_keeps_the_contract_in_anthropics_dialect() {
    keeps_the_contract(Tongue::Anthropic).await;
}

async fn keeps_the_contract(tongue: Tongue) {
    let server = Llama::start();
    let client = server.client(tongue, KEY);
    it_answers_in_pieces(&client).await;
    it_stops_at_its_limit(&client).await;
    it_calls_the_tool_it_is_told_to(&client).await;
    it_answers_by_a_schema_with_every_letter_unharmed(&client).await;
    it_reads_what_it_knows_from_its_cache(&client).await;
    it_turns_a_wrong_key_away(&server.client(tongue, "another-key")).await;
    it_says_when_a_prompt_is_too_long(&client).await;
    it_stops_working_when_nobody_listens(&client, &server).await;
}

async fn it_answers_in_pieces(client: &Client) {
    let shown = Shown::default();
    let reply = client.reply(&asked("Tell me about the sea.", 24), &shown).await.expect("a plain question");
    let pieces = shown.pieces();
    let text: String =
        pieces.iter().map(|piece| if let Piece::Text(text) = piece { text.as_str() } else { "" }).collect();
    assert!(pieces.len() > 1, "more than one piece: {pieces:?}");
    assert_eq!(text, reply.text, "the pieces are the reply");
    assert_eq!((reply.model.as_str(), reply.calls.len()), ("llama/small", 0));
    assert!(reply.usage.input > 10 && reply.usage.output > 1, "tokens are told: {:?}", reply.usage);
}

async fn it_stops_at_its_limit(client: &Client) {
    let reply =
        client.reply(&asked("Tell me everything about the sea.", 5), &Shown::default()).await.expect("a long answer");
    assert_eq!((reply.stop, reply.usage.output), (Stop::Cut, 5), "{reply:?}");
}

async fn it_calls_the_tool_it_is_told_to(client: &Client) {
    let parameters = object(json!({ "city": { "type": "string", "maxLength": 20 } }), &["city"]);
    let mut request = asked("The weather in Kyoto?", 200);
    request.tools =
        [ToolSpec { name: "weather".into(), description: "The weather of a city.".into(), parameters }].into();
    request.messages = shown_how("weather", |city| json!({ "city": city }), "The weather in Kyoto?");
    request.calling = Calling::Only("weather".into());
    let reply = client.reply(&request, &Shown::default()).await.expect("a forced call");
    let call = reply.calls.first().unwrap_or_else(|| panic!("a call: {reply:?}"));
    assert_eq!(call.tool, "weather");
    assert!(call.arguments["city"].is_string(), "arguments by the schema: {call:?}");
}

async fn it_answers_by_a_schema_with_every_letter_unharmed(client: &Client) {
    let word = "風鈴の音🎐";
    let fields = json!({ "age": { "type": "integer", "maximum": 99, "minimum": 0 }, "word": { "const": word } });
    let mut request = asked("How old is 京都の風鈴?", 200);
    request.output = Some(object(fields, &["age", "word"]));
    request.messages = shown_how("answer", |_| json!({ "age": 7, "word": word }), "How old is 京都の風鈴?");
    let reply: Reply = client.reply(&request, &Shown::default()).await.expect("an answer by a schema");
    let answer: Value = serde_json::from_str(&reply.text).unwrap_or_else(|why| panic!("{why}: {reply:?}"));
    assert!(answer["age"].is_u64(), "{answer}");
    assert_eq!(answer["word"], word);
}

async fn it_reads_what_it_knows_from_its_cache(client: &Client) {
    let mut request = asked("What is the first rule?", 8);
    request.stable = vec![part("rules", &(1..60).map(|rule| format!("Rule {rule}: be kind. ")).collect::<String>())];
    request.fresh = vec![part("clock", "It is ten.")];
    let first = client.reply(&request, &Shown::default()).await.expect("a long prompt");
    request.messages.extend([Message::reply(first.text.into(), &[]), Message::new(Role::Person, "And the second?")]);
    request.fresh = vec![part("clock", "It is eleven.")];
    let second = client.reply(&request, &Shown::default()).await.expect("the same prompt and more");
    let (known, whole) = (second.usage.cache_read, first.usage.input);
    assert!(known * 10 > whole * 9, "{known} of the {whole} tokens of the first prompt came from the cache");
    assert!(second.usage.input > known, "the input is the whole prompt: {:?}", second.usage);
}

async fn it_turns_a_wrong_key_away(stranger: &Client) {
    let refused = stranger.reply(&asked("Hello?", 5), &Shown::default()).await;
    let words = "llama did not accept the key from LLAMA_API_KEY for small: Invalid API Key. Check LLAMA_API_KEY.";
    assert_eq!(refused, Err(ModelFailure::Refused(words.into())));
}

async fn it_says_when_a_prompt_is_too_long(client: &Client) {
    let refused = client.reply(&asked(&"word ".repeat(9_000), 5), &Shown::default()).await.unwrap_err();
    let begins = "the model refused the request: the prompt is too long for small at llama: ";
    assert!(refused.to_string().starts_with(begins), "{refused}");
    assert!(matches!(refused, ModelFailure::TooLong(_)), "{refused:?}");
}

async fn it_stops_working_when_nobody_listens(client: &Client, server: &Llama) {
    let before = server.cancelled();
    let (request, shown) = (asked("Count from one to ten thousand, and name every number.", 4_000), Shown::default());
    {
        let mut reply = client.reply(&request, &shown);
        while shown.pieces().is_empty() {
            let waited = tokio::time::timeout(Duration::from_millis(10), &mut reply).await;
            assert!(waited.is_err(), "the reply was to be a long one: {waited:?}");
        }
        assert!(server.is_working(), "a slot is busy while someone listens");
    }
    for _ in 0..600 {
        if !server.is_working() {
            assert!(server.cancelled() > before, "the server gave the work up, it did not finish it");
            return;
        }
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    panic!("a minute after nobody listens, a slot is still busy");
}

fn asked(question: &str, max_output: u32) -> Request {
    Request {
        stable: vec![part("role", "You are a helpful guide.")],
        messages: vec![Message::new(Role::Person, question)],
        sampling: Sampling { temperature: Some(0.0), top_p: None, seed: Some(1) },
        max_output,
        ..Request::default()
    }
}

/// A thread in which the model has called a tool before, again and again.
fn shown_how(tool: &str, arguments: impl Fn(&str) -> Value, question: &str) -> Vec<Message> {
    let mut messages = Vec::new();
    for (place, city) in ["Paris", "Oslo", "Lima"].into_iter().enumerate() {
        let call = ToolCall { id: format!("call{place}"), tool: tool.into(), arguments: arguments(city) };
        messages.push(Message::new(Role::Person, question.replace("Kyoto", city)));
        messages.push(Message::reply("".into(), &[call]));
        messages.push(Message::result(&format!("call{place}"), "Noted."));
    }
    messages.push(Message::new(Role::Person, question));
    messages
}

fn object(properties: Value, required: &[&str]) -> Value {
    json!({ "type": "object", "properties": properties, "required": required, "additionalProperties": false })
}

/// A llama.cpp server that ends with the test.
struct Llama {
    child: Child,
    port: u16,
    log: tempfile::NamedTempFile,
}

impl Llama {
    /// A port that was free a moment ago may be taken by now: a server that ends while it starts gets another.
    fn start() -> Self {
        for _ in 0..4 {
            let mut server = Self::launch();
            if server.becomes_ready() {
                return server;
            }
        }
        let mut server = Self::launch();
        assert!(server.becomes_ready(), "llama-server ended while it started, again. It said:\n{}", server.said());
        server
    }

    fn launch() -> Self {
        let folder = models_folder();
        let port = TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port();
        let log = tempfile::NamedTempFile::new().unwrap();
        let template = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/contract/tools.jinja");
        let bin = folder.join("server/bin");
        let child = Command::new(bin.join("llama-server"))
            .arg("--model")
            .arg(folder.join("weights/small.gguf"))
            .arg("--chat-template-file")
            .arg(template)
            .args(["--host", "127.0.0.1", "--port", &port.to_string(), "--jinja", "--device", "none"])
            .args(["--parallel", "2", "--ctx-size", "12288", "--threads", "1"])
            .env("LD_LIBRARY_PATH", &bin)
            .env("LLAMA_API_KEY", KEY)
            .stdout(Stdio::from(log.reopen().unwrap()))
            .stderr(Stdio::from(log.reopen().unwrap()))
            .spawn()
            .unwrap_or_else(|why| panic!("llama-server does not start: {why}"));
        Self { child, port, log }
    }

    /// Waits until it is ready. Says no if it ended instead.
    fn becomes_ready(&mut self) -> bool {
        for _ in 0..1200 {
            if self.child.try_wait().unwrap().is_some() {
                return false;
            }
            if self.get("/health").contains("\"ok\"") {
                return true;
            }
            std::thread::sleep(Duration::from_millis(100));
        }
        panic!("llama-server was not ready after two minutes. It said:\n{}", self.said());
    }

    fn client(&self, tongue: Tongue, key: &str) -> Client {
        // Its Anthropic side takes `output_config` and does not act on it.
        let (dialect, structured) = match tongue {
            Tongue::Anthropic => ("anthropic", "tool"),
            Tongue::OpenAi => ("openai", "native"),
        };
        let port = self.port;
        let text = format!(
            "name = \"llama\"\ntitle = \"llama\"\ndialect = \"{dialect}\"\nbase_url = \"http://127.0.0.1:{port}/v1\"\n\
             key_variable = \"LLAMA_API_KEY\"\n[quirks]\nstructured = \"{structured}\"\ntool_choice = \"named\"\n\
             usage_in_stream = true\ncache_prompt = true\ncache_breakpoints = 4\n"
        );
        let provider = Provider::from_toml(&text).unwrap();
        Client::new(provider, "small", Some(Secret::new(key)), None, Timeouts::default()).unwrap()
    }

    fn is_working(&self) -> bool {
        let slots = self.get("/slots");
        assert!(slots.contains("is_processing"), "the server tells of its slots: {slots}");
        slots.contains("\"is_processing\":true")
    }

    /// How often the server gave work up, by its log.
    fn cancelled(&self) -> usize {
        self.said().matches("cancel task").count()
    }

    fn said(&self) -> String {
        fs::read_to_string(self.log.path()).unwrap()
    }

    fn get(&self, path: &str) -> String {
        let ask = || -> std::io::Result<String> {
            let mut stream = TcpStream::connect(("127.0.0.1", self.port))?;
            write!(
                stream,
                "GET {path} HTTP/1.1\r\nhost: llama\r\nauthorization: Bearer {KEY}\r\nconnection: close\r\n\r\n"
            )?;
            let mut answer = String::new();
            stream.read_to_string(&mut answer)?;
            Ok(answer)
        };
        ask().unwrap_or_default()
    }
}

impl Drop for Llama {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn models_folder() -> PathBuf {
    let folder = std::env::var_os("ENZA_MODELS").map(PathBuf::from);
    let folder = folder.expect("ENZA_MODELS is not set: run testing/model first, it says what to set it to");
    for file in ["server/bin/llama-server", "weights/small.gguf"] {
        assert!(folder.join(file).exists(), "{} is missing: run testing/model first", folder.join(file).display());
    }
    folder
}
