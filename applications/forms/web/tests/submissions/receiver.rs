//! A receiver of submissions on this machine, as rude as a test wants it, which keeps what it was sent.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use axum::Router;
use axum::body::Bytes;
use axum::extract::State;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse as _, Redirect, Response};
use axum::routing::post;
use serde_json::Value;
use tokio::sync::Notify;

/// What arrived.
#[derive(Debug, Clone)]
pub struct ReceivedWebhook {
    pub id: String,
    pub timestamp: String,
    pub signature: String,
    pub body: Vec<u8>,
}

impl ReceivedWebhook {
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).expect("a letter is JSON")
    }
}

/// The receiver.
#[derive(Clone)]
pub struct Receiver {
    pub address: SocketAddr,
    inner: Arc<Inner>,
}

#[derive(Default)]
struct Inner {
    letters: Mutex<Vec<ReceivedWebhook>>,
    answers: Mutex<VecDeque<u16>>,
    arrived: Notify,
}

impl Receiver {
    /// Answers these first, and 204 from then on.
    pub async fn answering(first: &[u16]) -> Self {
        let listener = tokio::net::TcpListener::bind("127.0.0.1:0").await.expect("a free port");
        let address = listener.local_addr().expect("an address");
        let inner = Arc::new(Inner { answers: Mutex::new(first.iter().copied().collect()), ..Inner::default() });
        let router = Router::new().route("/hook", post(take)).with_state(inner.clone());
        tokio::spawn(async move { axum::serve(listener, router).await });
        Self { address, inner }
    }

    /// Where submissions are sent to.
    pub fn url(&self) -> String {
        format!("http://{}/hook", self.address)
    }

    /// The letters, as soon as there are so many.
    pub async fn letters(&self, count: usize) -> Vec<ReceivedWebhook> {
        loop {
            let arrived = self.inner.arrived.notified();
            let letters = self.so_far();
            if letters.len() >= count {
                return letters;
            }
            arrived.await;
        }
    }

    /// The letters so far.
    pub fn so_far(&self) -> Vec<ReceivedWebhook> {
        self.inner.letters.lock().expect("letters").clone()
    }
}

async fn take(State(inner): State<Arc<Inner>>, headers: HeaderMap, body: Bytes) -> Response {
    let header = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).unwrap_or_default().to_owned();
    inner.letters.lock().expect("letters").push(ReceivedWebhook {
        id: header("webhook-id"),
        timestamp: header("webhook-timestamp"),
        signature: header("webhook-signature"),
        body: body.to_vec(),
    });
    inner.arrived.notify_waiters();
    match inner.answers.lock().expect("answers").pop_front() {
        Some(303) => Redirect::to("/hook").into_response(),
        Some(status) => StatusCode::from_u16(status).expect("a status").into_response(),
        None => StatusCode::NO_CONTENT.into_response(),
    }
}
