//! Brings one letter to one receiver, over HTTP.
//!
//! It follows no redirect, waits a limited time and reads nothing of the answer but its status: what stands behind an
//! address is not for the form's owner to read through us. Every way it can fail has a short word, which goes into the
//! log of the interview and is said in the reader's language by the page that shows it.

use std::error::Error as _;
use std::fmt;
use std::net::IpAddr;
use std::sync::OnceLock;
use std::time::{Duration, Instant};

use enza_forms::Webhook;
use enza_kernel::time::Timestamp;
use reqwest::header::CONTENT_TYPE;
use reqwest::redirect::Policy;
use reqwest::{Client, Url};

use super::egress::{EgressDenied, EgressPolicy, EgressResolver};
use super::sign::sign;

/// How long a receiver may take.
const PATIENCE: Duration = Duration::from_secs(15);

/// Brings letters.
#[derive(Debug, Clone)]
pub struct WebhookClient {
    /// Made when it is first needed: it reads the system's certificates, and many houses send nothing.
    client: OnceLock<Client>,
    reach: EgressPolicy,
}

/// The receiver took it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Delivered {
    pub status: u16,
    /// How long it took.
    pub took: Duration,
}

/// Why a letter was not taken.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Undelivered {
    /// The address is inside the network of the server.
    Inside,
    /// It is no address, or its secret is none.
    Unfit,
    /// Nobody answers there.
    Unreachable(String),
    /// There was no answer in time.
    Late,
    /// The receiver answered something else than yes.
    Answered(u16),
}

impl WebhookClient {
    /// A courier who goes as far as this.
    pub fn new(reach: EgressPolicy) -> Self {
        Self { client: OnceLock::new(), reach }
    }

    /// Brings a letter. The id is the letter's own, the same for each attempt; `now` is the attempt's.
    pub async fn send(
        &self,
        webhook: &Webhook,
        id: &str,
        now: Timestamp,
        body: Vec<u8>,
    ) -> Result<Delivered, Undelivered> {
        let url: Url = webhook.url.parse().map_err(|_| Undelivered::Unfit)?;
        // An address in figures is not looked up, so the guide never sees it.
        let host = url.host_str().unwrap_or_default().trim_matches(['[', ']']);
        if host.parse::<IpAddr>().is_ok_and(|address| !self.reach.includes(address)) {
            return Err(Undelivered::Inside);
        }
        let seconds = now.0.div_euclid(1_000);
        let signature = sign(&webhook.secret, id, seconds, &body).ok_or(Undelivered::Unfit)?;
        let began = Instant::now();
        let request = self
            .client
            .get_or_init(|| client(self.reach))
            .post(url)
            .header(CONTENT_TYPE, "application/json")
            .header("webhook-id", id)
            .header("webhook-timestamp", seconds)
            .header("webhook-signature", signature)
            .body(body);
        let response = request.send().await.map_err(|why| lost(&why))?;
        let status = response.status();
        if status.is_success() {
            Ok(Delivered { status: status.as_u16(), took: began.elapsed() })
        } else {
            Err(Undelivered::Answered(status.as_u16()))
        }
    }
}

impl Undelivered {
    /// The word for it, which has a sentence in `words/submissions.toml`.
    pub fn word(&self) -> &'static str {
        match self {
            Self::Inside => "inside",
            Self::Unfit => "unfit",
            Self::Unreachable(_) => "unreachable",
            Self::Late => "late",
            Self::Answered(_) => "answered",
        }
    }
}

impl fmt::Display for Undelivered {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Inside | Self::Unfit | Self::Late => out.write_str(self.word()),
            Self::Unreachable(why) => write!(out, "{} {why}", self.word()),
            Self::Answered(status) => write!(out, "{} {status}", self.word()),
        }
    }
}

/// What went wrong on the way. The address is left out: a part of it may be a secret of the receiver's.
fn lost(error: &reqwest::Error) -> Undelivered {
    if error.is_timeout() {
        return Undelivered::Late;
    }
    let mut cause = error.source();
    let mut last = String::new();
    while let Some(why) = cause {
        if why.is::<EgressDenied>() {
            return Undelivered::Inside;
        }
        last = why.to_string();
        cause = why.source();
    }
    Undelivered::Unreachable(last.chars().take(120).collect())
}

fn client(reach: EgressPolicy) -> Client {
    // TLS needs to be told once which cryptography to use. Someone else may have done so.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder =
        Client::builder().dns_resolver(EgressResolver(reach)).no_proxy().redirect(Policy::none()).timeout(PATIENCE);
    let builder = builder.user_agent(concat!("enza/", env!("CARGO_PKG_VERSION")));
    builder.build().expect("plain settings make a client")
}
