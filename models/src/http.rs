//! One request over HTTP: sent, waited for as long as is reasonable, and read piece by piece.
//!
//! Redirects are not followed, because a key in a header would go along. Servers on this machine are never asked through
//! a proxy. Whoever drops the answer closes the connection, which is how a server learns that nobody listens.
//!
//! What an answer means is said elsewhere.

use std::sync::{Arc, Once};
use std::time::{Duration, SystemTime};

use reqwest::header::{HeaderMap, HeaderName};
use reqwest::{Response, StatusCode};
use serde_json::Value;
use tokio::time::{Instant, timeout_at};

use crate::cassette::{ActiveCassette, Exchange, Recorder};
use crate::in_order::InOrder;
use crate::keys::Secret;
use crate::providers::Dialect;

/// How long to wait for what.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Timeouts {
    pub connect: Duration,
    /// For the first byte of the reply, from the moment of asking: a long prompt is read before the first word.
    pub first_byte: Duration,
    /// For each further byte.
    pub between_bytes: Duration,
}

impl Default for Timeouts {
    fn default() -> Self {
        let seconds = Duration::from_secs;
        Self { connect: seconds(10), first_byte: seconds(120), between_bytes: seconds(60) }
    }
}

/// Whether a stream goes on.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) enum Flow {
    /// More is to come.
    More,
    Done,
}

/// Why no answer came, or only a part.
#[derive(Debug)]
pub(crate) enum Lost {
    /// It took too long.
    Late,
    /// The connection failed.
    Broken(reqwest::Error),
    /// More bytes came than any reply has.
    Endless,
    /// The cassette that answers has no answer.
    NotOnTape(String),
}

/// A server's address and how to ask it.
#[derive(Debug)]
pub(crate) struct HttpEndpoint {
    client: reqwest::Client,
    url: String,
    timeouts: Timeouts,
    reel: Option<CassetteContext>,
}

/// A cassette that is in, and what it has to know of this line.
#[derive(Debug, Clone)]
pub(crate) struct CassetteContext {
    pub tape: ActiveCassette,
    pub model: String,
    /// What must not get onto it.
    pub key: Option<Secret>,
}

/// An answer that has begun.
#[derive(Debug)]
pub(crate) struct HttpAnswer {
    pub status: StatusCode,
    /// When the server wants to be asked again, if it says so.
    pub after: Option<Duration>,
    pub body: Body,
}

/// The bytes of an answer.
#[derive(Debug)]
pub(crate) struct Body {
    response: Response,
    deadline: Instant,
    between: Duration,
    room: usize,
    tap: Option<RecordOnDrop>,
}

/// Writes down what is read, when there is no more of it.
#[derive(Debug)]
struct RecordOnDrop {
    recorder: Arc<Recorder>,
    key: Option<Secret>,
    exchange: Exchange,
    bytes: Vec<u8>,
}

impl Drop for RecordOnDrop {
    fn drop(&mut self) {
        let text = String::from_utf8_lossy(&self.bytes);
        self.exchange.response = text.trim_end().lines().map(str::to_owned).collect();
        self.recorder.keep(&self.exchange, self.key.as_ref());
    }
}

impl HttpEndpoint {
    /// A line to this address, with these headers on every request.
    pub fn new(url: String, headers: HeaderMap, timeouts: Timeouts, near: bool) -> Result<Self, reqwest::Error> {
        install_tls();
        let builder = reqwest::Client::builder()
            .default_headers(headers)
            .connect_timeout(timeouts.connect)
            .redirect(reqwest::redirect::Policy::none())
            .user_agent(concat!("enza/", env!("CARGO_PKG_VERSION")));
        // A llama.cpp server promises to keep a connection and closes it after each stream; whoever uses it again loses
        // the request. A new connection on this machine costs next to nothing.
        let client = if near { builder.no_proxy().pool_max_idle_per_host(0) } else { builder }.build()?;
        Ok(Self { client, url, timeouts, reel: None })
    }

    /// The same line with a cassette in.
    pub fn with_cassette(self, reel: CassetteContext) -> Self {
        Self { reel: Some(reel), ..self }
    }

    /// Sends a request and waits until the answer begins. At most `room` bytes of it will be read.
    pub async fn send(&self, body: &Value, room: usize) -> Result<HttpAnswer, Lost> {
        let deadline = Instant::now() + self.timeouts.first_byte;
        if let Some(CassetteContext { tape: ActiveCassette::Playing(player), model, .. }) = &self.reel {
            let exchange = player.answer(model, body).map_err(Lost::NotOnTape)?;
            return Ok(self.played(exchange, deadline, room));
        }
        let sent = timeout_at(deadline, self.client.post(&self.url).json(&InOrder(body)).send()).await;
        let response = sent.map_err(|_| Lost::Late)?.map_err(Lost::Broken)?;
        let (status, after) = (response.status(), pause(response.headers(), SystemTime::now()));
        let tap = match &self.reel {
            Some(CassetteContext { tape: ActiveCassette::Recording(recorder), model, key }) => {
                let (model, request, status) = (model.clone(), body.clone(), status.as_u16());
                let exchange = Exchange { model, request, status, response: Vec::new() };
                Some(RecordOnDrop { recorder: recorder.clone(), key: key.clone(), exchange, bytes: Vec::new() })
            }
            Some(CassetteContext { tape: ActiveCassette::Playing(_), .. }) | None => None,
        };
        let body = Body { response, deadline, between: self.timeouts.between_bytes, room, tap };
        Ok(HttpAnswer { status, after, body })
    }

    /// A recorded answer, as if it came over the line, a line at a time.
    fn played(&self, exchange: Exchange, deadline: Instant, room: usize) -> HttpAnswer {
        // An empty line ends the last event, whether or not one was recorded.
        let lines = exchange.response.into_iter().chain([String::new()]);
        let lines = lines.map(|line| Ok::<_, std::io::Error>(format!("{line}\n")));
        let mut response = http::Response::new(reqwest::Body::wrap_stream(futures_util::stream::iter(lines)));
        let status = StatusCode::from_u16(exchange.status).unwrap_or(StatusCode::OK);
        *response.status_mut() = status;
        let body = Body { response: response.into(), deadline, between: self.timeouts.between_bytes, room, tap: None };
        HttpAnswer { status, after: None, body }
    }
}

impl Body {
    /// The next bytes, or none at the end.
    pub async fn next(&mut self) -> Result<Option<Vec<u8>>, Lost> {
        let chunk = timeout_at(self.deadline, self.response.chunk()).await;
        let Some(chunk) = chunk.map_err(|_| Lost::Late)?.map_err(Lost::Broken)? else { return Ok(None) };
        self.deadline = Instant::now() + self.between;
        self.room = self.room.checked_sub(chunk.len()).ok_or(Lost::Endless)?;
        if let Some(tap) = &mut self.tap {
            tap.bytes.extend_from_slice(&chunk);
        }
        Ok(Some(chunk.into()))
    }

    /// The rest, up to this many bytes: enough of an error to read it.
    pub async fn rest(mut self, most: usize) -> String {
        self.room = self.room.min(most);
        let mut bytes = Vec::new();
        while let Ok(Some(chunk)) = self.next().await {
            bytes.extend(chunk);
        }
        String::from_utf8_lossy(&bytes).into_owned()
    }
}

/// When to come back, from the headers that servers use for it. Dates are read against the server's own clock.
fn pause(headers: &HeaderMap, now: SystemTime) -> Option<Duration> {
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok()).map(str::trim);
    let millis = text("retry-after-ms").and_then(|text| text.parse::<f64>().ok()).and_then(|ms| seconds(ms / 1000.0));
    let plain = || text("retry-after").and_then(|text| text.parse::<f64>().ok()).and_then(seconds);
    let dated = || {
        let then = httpdate::parse_http_date(text("retry-after")?).ok()?;
        let now = text("date").and_then(|date| httpdate::parse_http_date(date).ok()).unwrap_or(now);
        Some(then.duration_since(now).unwrap_or_default())
    };
    let reset = || {
        let resets = ["requests", "tokens"].into_iter().filter_map(|what| {
            let used_up = text(&format!("x-ratelimit-remaining-{what}")).is_none_or(|left| left == "0");
            used_up.then(|| text(&format!("x-ratelimit-reset-{what}")).and_then(span)).flatten()
        });
        resets.max()
    };
    millis.or_else(plain).or_else(dated).or_else(reset)
}

/// A span as OpenAI writes it: `1s`, `6m0s`, `20ms`, `1h2m3.5s`.
fn span(text: &str) -> Option<Duration> {
    let mut rest = text;
    let mut total = 0.0;
    while !rest.is_empty() {
        let number = rest.find(|letter: char| !letter.is_ascii_digit() && letter != '.').filter(|at| *at > 0)?;
        let (amount, tail) = rest.split_at(number);
        let unit = tail.find(|letter: char| letter.is_ascii_digit()).unwrap_or(tail.len());
        let (unit, tail) = tail.split_at(unit);
        total += amount.parse::<f64>().ok()?
            * match unit {
                "ms" => 0.001,
                "s" => 1.0,
                "m" => 60.0,
                "h" => 3600.0,
                _ => return None,
            };
        rest = tail;
    }
    seconds(total)
}

fn seconds(number: f64) -> Option<Duration> {
    Duration::try_from_secs_f64(number).ok()
}

/// TLS needs to be told once which cryptography to use. Someone else may have done so.
fn install_tls() {
    static INSTALLED: Once = Once::new();
    INSTALLED.call_once(|| drop(rustls::crypto::ring::default_provider().install_default()));
}

/// The header that carries a key, and what stands before it.
pub(crate) fn key_header(dialect: Dialect) -> (HeaderName, &'static str) {
    match dialect {
        Dialect::Anthropic => (HeaderName::from_static("x-api-key"), ""),
        Dialect::OpenAi => (reqwest::header::AUTHORIZATION, "Bearer "),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paused(headers: &[(&'static str, &str)]) -> Option<Duration> {
        let pairs = headers.iter().map(|(name, value)| (HeaderName::from_static(name), value.parse().unwrap()));
        pause(&pairs.collect(), SystemTime::UNIX_EPOCH)
    }

    #[test]
    fn every_way_of_saying_when_to_come_back_is_understood() {
        const DATE: &str = "Sun, 06 Nov 1994 08:49:37 GMT";
        const LATER: &str = "Sun, 06 Nov 1994 08:50:07 GMT";
        type Headers = &'static [(&'static str, &'static str)];
        let cases: [(Headers, Option<Duration>); 9] = [
            (&[("retry-after", "7")], Some(Duration::from_secs(7))),
            (&[("retry-after", "1.5")], Some(Duration::from_millis(1500))),
            (&[("retry-after-ms", "250"), ("retry-after", "1")], Some(Duration::from_millis(250))),
            (&[("retry-after", LATER), ("date", DATE)], Some(Duration::from_secs(30))),
            (&[("retry-after", DATE), ("date", LATER)], Some(Duration::ZERO)),
            (&[("x-ratelimit-reset-requests", "6m0s")], Some(Duration::from_secs(360))),
            (
                &[
                    ("x-ratelimit-reset-requests", "1h"),
                    ("x-ratelimit-remaining-requests", "12"),
                    ("x-ratelimit-reset-tokens", "20ms"),
                    ("x-ratelimit-remaining-tokens", "0"),
                ],
                Some(Duration::from_millis(20)),
            ),
            (&[("retry-after", "-1")], None),
            (&[("retry-after", "soon"), ("x-ratelimit-reset-tokens", "tomorrow")], None),
        ];
        for (headers, expected) in cases {
            assert_eq!(paused(headers), expected, "{headers:?}");
        }
    }
}
