//! Fetches a file from the hub, going on where the last attempt stopped.
//!
//! A connection that breaks is taken up again from the last byte that arrived, as long as each attempt brings something.
//! What the hub cannot give is a reason (`Why`) and lets another source try; what the disk cannot take ends the pull.

use std::error::Error as _;
use std::path::Path;
use std::time::Duration;

use futures_util::StreamExt as _;
use reqwest::header::{CONTENT_RANGE, HeaderMap, RANGE};
use reqwest::redirect::Policy;
use reqwest::{Client, StatusCode};
use tokio::time::Instant;

use super::disk_space;
use super::error::{PullError, SourceFailure};
use super::part::Part;
use super::pip::{PULSE, without_passwords};
use super::progress::{ProgressReporter, Step};
use crate::local::pullable::{Expected, HubFile};

/// A hub that does not even take the call is not there.
const CONNECT_WITHIN: Duration = Duration::from_secs(5);
/// A hub that sends nothing for so long has forgotten us.
const SILENCE: Duration = Duration::from_secs(30);
/// Attempts in a row that bring nothing.
const MOST_CUTS: u32 = 4;
/// Before the next attempt.
const PAUSE: Duration = Duration::from_millis(500);

/// Where the hub has a file.
pub(super) fn address(base: &str, file: &HubFile) -> String {
    format!("{}/{}/resolve/main/{}", base.trim_end_matches('/'), file.repository, file.file)
}

/// What the hub says a file must be. It says so before it sends one elsewhere to fetch it.
pub(super) async fn expected(address: &str) -> Result<Expected, SourceFailure> {
    let client = client(Policy::none())?;
    let answer = client.head(address).send().await.map_err(unreachable)?;
    let status = answer.status();
    if !status.is_success() && !status.is_redirection() {
        return Err(refused(status));
    }
    let header = |name: &str| answer.headers().get(name).and_then(|value| value.to_str().ok());
    let bytes = header("x-linked-size").and_then(|size| size.parse().ok());
    let sha256 = header("x-linked-etag").map(|tag| tag.trim_start_matches("W/").trim_matches('"').to_ascii_lowercase());
    let sha256 = sha256.filter(|tag| tag.len() == 64 && tag.chars().all(|letter| letter.is_ascii_hexdigit()));
    match (bytes, sha256) {
        (Some(bytes), Some(sha256)) => Ok(Expected { bytes, sha256 }),
        (None, _) | (_, None) => Err(SourceFailure::NoDigest),
    }
}

/// Brings what is missing of a part.
pub(super) async fn fetch(
    address: &str,
    folder: &Path,
    part: &mut Part,
    teller: &ProgressReporter<'_>,
) -> Result<Result<(), SourceFailure>, PullError> {
    disk_space::check(&[(folder.to_owned(), part.left())])?;
    let client = match client(Policy::default()) {
        Ok(client) => client,
        Err(why) => return Ok(Err(why)),
    };
    let mut cuts = 0;
    let at_first = part.bytes();
    loop {
        let before = part.bytes();
        match stretch(&client, address, part, teller).await? {
            Stretch::Whole => return Ok(Ok(())),
            Stretch::Failed(why) => return Ok(Err(why)),
            // One that answered a moment ago may come back; one that never did is not waited for.
            Stretch::Silent(cause) if part.bytes() == at_first => return Ok(Err(SourceFailure::Unreachable { cause })),
            Stretch::Cut(cause) | Stretch::Silent(cause) => {
                cuts = if part.bytes() > before { 1 } else { cuts + 1 };
                if cuts >= MOST_CUTS {
                    let (done, total) = (part.bytes(), part.expected().bytes);
                    return Ok(Err(SourceFailure::Cut { done, total, cause }));
                }
                tokio::time::sleep(PAUSE * cuts).await;
            }
        }
    }
}

/// How one request ended.
enum Stretch {
    Whole,
    Cut(String),
    Silent(String),
    Failed(SourceFailure),
}

async fn stretch(
    client: &Client,
    address: &str,
    part: &mut Part,
    teller: &ProgressReporter<'_>,
) -> Result<Stretch, PullError> {
    let total = part.expected().bytes;
    teller.tell(Step::Fetching, part.bytes(), total);
    if part.left() == 0 {
        return Ok(Stretch::Whole);
    }
    let mut request = client.get(address);
    if part.bytes() > 0 {
        request = request.header(RANGE, format!("bytes={}-", part.bytes()));
    }
    let answer = match request.send().await {
        Ok(answer) => answer,
        Err(cause) if cause.is_connect() => return Ok(Stretch::Silent(chain(cause))),
        Err(cause) => return Ok(Stretch::Cut(chain(cause))),
    };
    match answer.status() {
        StatusCode::PARTIAL_CONTENT if begins_at(answer.headers()) == Some(part.bytes()) => {}
        // It sends all of it, or from somewhere else: only from the beginning do we know where we are.
        StatusCode::OK => part.shorten(0)?,
        StatusCode::PARTIAL_CONTENT | StatusCode::RANGE_NOT_SATISFIABLE => {
            part.shorten(0)?;
            return Ok(Stretch::Cut("it would not go on from where we were".into()));
        }
        status => return Ok(Stretch::Failed(refused(status))),
    }
    let mut pieces = answer.bytes_stream();
    let mut told = Instant::now();
    while let Some(piece) = pieces.next().await {
        match piece {
            Ok(piece) => part.append(&piece)?,
            Err(cause) => return Ok(Stretch::Cut(chain(cause))),
        }
        if told.elapsed() >= PULSE {
            told = Instant::now();
            teller.tell(Step::Fetching, part.bytes(), total);
        }
    }
    Ok(if part.left() == 0 { Stretch::Whole } else { Stretch::Cut("it ended too early".into()) })
}

fn begins_at(headers: &HeaderMap) -> Option<u64> {
    let range = headers.get(CONTENT_RANGE)?.to_str().ok()?;
    range.strip_prefix("bytes ")?.split('-').next()?.parse().ok()
}

fn refused(status: StatusCode) -> SourceFailure {
    match status.as_u16() {
        404 => SourceFailure::NotFound,
        status @ (401 | 403) => SourceFailure::NotAllowed { status },
        status => SourceFailure::Status { status },
    }
}

fn unreachable(cause: reqwest::Error) -> SourceFailure {
    SourceFailure::Unreachable { cause: chain(cause) }
}

/// An error with its causes, which is where the network says what is wrong.
fn chain(error: reqwest::Error) -> String {
    let error = error.without_url();
    let mut words = error.to_string();
    let mut cause = error.source();
    while let Some(inner) = cause {
        words = format!("{words}: {inner}");
        cause = inner.source();
    }
    without_passwords(&words)
}

fn client(redirects: Policy) -> Result<Client, SourceFailure> {
    // Somebody else may have chosen one already; then theirs is used.
    let _ = rustls::crypto::ring::default_provider().install_default();
    let builder = Client::builder().connect_timeout(CONNECT_WITHIN).read_timeout(SILENCE).redirect(redirects);
    builder.build().map_err(unreachable)
}
