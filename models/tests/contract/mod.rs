//! The contract of every client: one suite of behaviours, in both dialects.
//!
//! `replies`, `bad_days`, `weaker_ways` and `requests` play against a rude server in this process, which sends what it is
//! told, byte for byte. `llama` asks a real llama.cpp server with a small model, from the folder in `ENZA_MODELS`.
//! `tables` reads the data files. Nothing here leaves this machine.

mod bad_days;
mod llama;
mod replies;
mod requests;
mod rude;
mod tables;
mod tongue;
mod weaker_ways;

use std::sync::Mutex;

use enza_kernel::budget::Price;
use enza_kernel::conversation::{Message, Part, Request, Role};
use enza_models::client::{Client, Timeouts};
use enza_models::keys::Secret;
use enza_runtime::seams::model::{Deltas, Piece};

use crate::contract::tongue::Tongue;

/// The key that every test uses. It must never be seen in a message.
const KEY: &str = "sk-test-0123456789abcdef";

/// A dollar for a million tokens read, two for written, so that costs are easy to add up.
const PRICE: Price = Price {
    input_per_million: 1_000_000,
    output_per_million: 2_000_000,
    cache_read_per_million: 100_000,
    cache_write_per_million: 1_250_000,
};

/// Keeps the pieces that are shown.
#[derive(Default)]
struct Shown(Mutex<Vec<Piece>>);

impl Shown {
    fn pieces(&self) -> Vec<Piece> {
        self.0.lock().unwrap().clone()
    }
}

impl Deltas for Shown {
    fn piece(&self, piece: Piece) {
        self.0.lock().unwrap().push(piece);
    }
}

/// A client for a server at this address.
fn client(tongue: Tongue, base_url: &str) -> Client {
    client_with(tongue, base_url, Timeouts::default())
}

fn client_with(tongue: Tongue, base_url: &str, timeouts: Timeouts) -> Client {
    Client::new(tongue.provider(base_url), "some-model", Some(Secret::new(KEY)), Some(PRICE), timeouts).unwrap()
}

fn part(name: &str, text: &str) -> Part {
    Part { name: name.into(), text: text.into() }
}

/// A short request.
fn question() -> Request {
    Request {
        application: "test".into(),
        agent: "guide".into(),
        thread: "main".into(),
        stable: vec![part("role", "Be brief.")],
        messages: vec![Message::new(Role::Person, "How are you?")],
        max_output: 100,
        ..Request::default()
    }
}

/// Makes a test for each dialect out of each function that takes a `Tongue`.
macro_rules! in_both_dialects {
    ($($name:ident),+ $(,)?) => {
        mod anthropic {
            $(#[tokio::test] async fn $name() { super::$name(crate::contract::tongue::Tongue::Anthropic).await; })+
        }
        mod openai {
            $(#[tokio::test] async fn $name() { super::$name(crate::contract::tongue::Tongue::OpenAi).await; })+
        }
    };
}
use in_both_dialects;
