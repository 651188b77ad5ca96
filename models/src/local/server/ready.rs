//! Is the server ready, and is it ours?
//!
//! A port that was free a moment ago may be somebody else's by the time the server wants it, and that somebody may answer
//! politely. So a server counts as ours only if it takes our key and names our weights.

use std::io::ErrorKind;
use std::net::{Ipv4Addr, TcpListener};
use std::path::{Path, PathBuf};
use std::time::Duration;

use reqwest::{Client, StatusCode};
use serde_json::Value;

use super::Endpoint;

/// Between two questions.
pub(super) const PULSE: Duration = Duration::from_millis(50);
/// A server on loopback that takes longer for one answer is busy with loading.
const ANSWER_WITHIN: Duration = Duration::from_secs(5);

/// What a server says when it is asked.
pub(super) enum Readiness {
    /// Nothing listens yet.
    Silent,
    /// It reads the weights.
    Loading,
    /// It is ours and ready.
    Ready,
    /// It is not ours.
    Stranger,
}

/// Asks one server.
pub(super) struct Ask {
    client: Option<Client>,
    endpoint: Endpoint,
    weights: PathBuf,
}

impl Ask {
    pub(super) fn new(endpoint: &Endpoint, weights: &Path) -> Self {
        let _ = rustls::crypto::ring::default_provider().install_default();
        // Loopback is never behind a proxy, whatever the person's settings say.
        let client = Client::builder().no_proxy().timeout(ANSWER_WITHIN).build().ok();
        Self { client, endpoint: endpoint.clone(), weights: weights.to_owned() }
    }

    /// Asks once.
    pub(super) async fn once(&mut self) -> Readiness {
        let Some(client) = &self.client else { return Readiness::Silent };
        let health = client.get(format!("{}/health", self.endpoint.base_url)).send().await;
        match health.map(|answer| answer.status()) {
            Err(_) => return Readiness::Silent,
            Ok(StatusCode::SERVICE_UNAVAILABLE) => return Readiness::Loading,
            Ok(StatusCode::OK) => {}
            Ok(_) => return Readiness::Stranger,
        }
        let asked = client.get(format!("{}/props", self.endpoint.base_url)).bearer_auth(self.endpoint.key.expose());
        let Ok(answer) = asked.send().await else { return Readiness::Silent };
        if answer.status() == StatusCode::SERVICE_UNAVAILABLE {
            return Readiness::Loading;
        }
        let is_ours = answer.status().is_success()
            && answer.json::<Value>().await.is_ok_and(|props| names(&props, &self.weights));
        if is_ours { Readiness::Ready } else { Readiness::Stranger }
    }
}

fn names(props: &Value, weights: &Path) -> bool {
    props.get("model_path").and_then(Value::as_str) == Some(weights.to_string_lossy().as_ref())
}

/// A port on loopback that nobody has at this moment.
pub(super) fn free_port() -> std::io::Result<u16> {
    TcpListener::bind((Ipv4Addr::LOCALHOST, 0))?.local_addr().map(|address| address.port())
}

/// Whether a server ended because its port was taken. Its last words are often lost when it ends at once (it writes
/// them from another thread), so the port itself is looked at too.
pub(super) fn was_port_taken(port: u16, last_lines: &[String]) -> bool {
    let says_so =
        last_lines.iter().any(|line| line.contains("couldn't bind") || line.contains("Address already in use"));
    says_so || TcpListener::bind((Ipv4Addr::LOCALHOST, port)).is_err_and(|cause| cause.kind() == ErrorKind::AddrInUse)
}
