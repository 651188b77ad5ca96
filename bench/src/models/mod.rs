//! The model layer beside plain requests: the same conversation through Enza and by hand.
//!
//! `talk` holds it once with a real llama.cpp server, cold at the start, and tells per turn how much of the prompt was
//! read anew and when the first word came. `overhead` holds it many times with a canned server that answers at once with
//! what the real one said, because a real one's time varies by far more than Enza takes. Both sides send the same
//! requests, field for field, with the same HTTP client; `overhead` ends with an error where they do not.

mod by_hand;
mod canned;
mod chat;
mod llama;
mod overhead;
mod script;
mod talk;
mod through_enza;

use std::time::Duration;

use serde::{Deserialize, Serialize};
use serde_json::Value;

pub use overhead::overhead;
pub use talk::{Side, talk};

/// What one turn took.
struct TurnTime {
    /// From the person's word to the first piece of the reply.
    first: Duration,
    /// From the person's word to the end of the turn.
    whole: Duration,
}

/// What a reply was, and how much of its prompt was known.
struct ReplyStats {
    text: String,
    input: u64,
    cached: u64,
}

/// A request and the bytes that a real server answered it with, for the canned one.
#[derive(Clone, Serialize, Deserialize)]
struct Exchange {
    request: Value,
    response: String,
}

/// A plain HTTP client to servers on this machine, which keeps so many idle connections.
pub fn plain_client(idle: usize) -> reqwest::Client {
    // Making Enza's client tells the process which cryptography to use. Every HTTP client wants to know, even one that
    // needs none.
    drop(through_enza::client("http://127.0.0.1/v1"));
    reqwest::Client::builder().no_proxy().pool_max_idle_per_host(idle).build().expect("an HTTP client")
}
