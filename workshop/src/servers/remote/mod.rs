//! Servers over HTTP: the protocol's "streamable" transport, by our own client.
//!
//! `rmcp` keeps the conversation: the session's name on every request, a new session once where the old one is lost, a
//! stream that broke off taken up again where the server gave its events names, a farewell at the end. What goes over the
//! network is ours (`wire`): it goes to the written address alone, no answer is longer than it may be, and the values of
//! headers are masked in whatever comes back. The request goes out from our own process, so a project's address counts
//! only once the project is trusted; that is decided elsewhere.

mod failure;
mod wire;

use std::sync::Arc;
use std::time::Duration;

use reqwest::Url;
use reqwest::header::{HeaderMap, HeaderName, HeaderValue};
use reqwest::redirect::{Attempt, Policy};
use rmcp::transport::StreamableHttpClientTransport;
use rmcp::transport::common::client_side_sse::ExponentialBackoff;
use rmcp::transport::streamable_http_client::StreamableHttpClientTransportConfig;

use super::settings::{Part, is_near, is_secret, parts};
use super::{Server, ServerError, SettingsError, Variable};
pub use failure::HttpFailure;
pub use wire::Wire;

/// How long a connection may take.
const TO_CONNECT: Duration = Duration::from_secs(10);
/// How often a redirect within the same house is followed.
const HOPS: usize = 3;
/// How often it is tried to take up a stream that broke off, and the pause after the first time; it doubles each time.
const ATTEMPTS: usize = 4;
const PAUSE: Duration = Duration::from_millis(500);

/// The headers of a server, and what is secret in them.
#[derive(Default)]
struct ServerHeaders {
    headers: HeaderMap,
    secrets: Vec<String>,
    variables: Vec<String>,
}

/// A wire to a server's address. Nothing is sent yet.
pub fn wire(server: &Server, url: Url, variable: &Variable) -> Result<Wire, ServerError> {
    let papers = server_headers(server, variable)?;
    // TLS needs to be told once which cryptography to use. Someone else may have done so.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = reqwest::Client::builder()
        .default_headers(papers.headers)
        .connect_timeout(TO_CONNECT)
        .redirect(Policy::custom(redirected))
        .user_agent(concat!("enza/", env!("CARGO_PKG_VERSION")));
    let client = if is_near(&url) { builder.no_proxy() } else { builder }.build();
    let client = client.map_err(|why| HttpFailure::unreachable(&url, &why))?;
    Ok(Wire::new(client, url, papers.secrets, papers.variables))
}

/// The transport of a conversation over a wire.
pub fn transport(wire: &Wire) -> StreamableHttpClientTransport<Wire> {
    let mut again = ExponentialBackoff::default();
    (again.max_times, again.base_duration) = (Some(ATTEMPTS), PAUSE);
    let mut config = StreamableHttpClientTransportConfig::with_uri(wire.url().as_str());
    config.retry_config = Arc::new(again);
    StreamableHttpClientTransport::with_client(wire.clone(), config)
}

/// What is asked again at another place of the same house may be sent there; secrets go nowhere else.
fn redirected(attempt: Attempt<'_>) -> reqwest::redirect::Action {
    let is_repeated = [307, 308].contains(&attempt.status().as_u16());
    let is_at_home = attempt.previous().first().is_some_and(|first| first.origin() == attempt.url().origin());
    let is_short = attempt.previous().len() <= HOPS;
    if is_repeated && is_at_home && is_short { attempt.follow() } else { attempt.stop() }
}

fn server_headers(server: &Server, variable: &Variable) -> Result<ServerHeaders, ServerError> {
    let mut papers = ServerHeaders::default();
    for (name, written) in &server.headers {
        let unfit = || SettingsError::Header { name: name.clone() };
        let mut value = String::new();
        for part in parts(written).ok_or_else(unfit)? {
            match part {
                Part::Plain(text) => value.push_str(text),
                Part::Variable(of) => {
                    let found = variable(of).and_then(|found| found.into_string().ok());
                    let found = found.ok_or_else(|| ServerError::NoVariable { name: of.to_owned() })?;
                    value.push_str(&found);
                    papers.secrets.push(found);
                    papers.variables.push(of.to_owned());
                }
            }
        }
        papers.add(name, &value)?;
    }
    for (name, value) in &server.values {
        if is_secret(name, value) {
            // Of `Bearer abc` the second word is the secret; the first stands in many an honest sentence.
            papers.secrets.push(value.rsplit(' ').next().unwrap_or(value).to_owned());
        }
        papers.add(name, value)?;
    }
    Ok(papers)
}

impl ServerHeaders {
    fn add(&mut self, name: &str, value: &str) -> Result<(), SettingsError> {
        let unfit = || SettingsError::Header { name: name.to_owned() };
        let mut header = HeaderValue::from_str(value.trim()).map_err(|_| unfit())?;
        header.set_sensitive(true);
        self.headers.insert(HeaderName::from_bytes(name.as_bytes()).map_err(|_| unfit())?, header);
        Ok(())
    }
}
