//! One wire to a server: a message goes out by POST, and what comes back is JSON or a stream of events.
//!
//! Every answer is bounded, whatever its headers promise and however often it is taken up again, and our secrets are masked in it before anyone reads it. What
//! went wrong last is kept here, since the conversation above passes on less than a person needs to know. There is no
//! standing stream for what a server wants to say of its own accord: nothing of that was offered to it.

use std::collections::HashMap;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use enza_kernel::limits::one_line;
use enza_work::hazard;
use futures_util::StreamExt as _;
use futures_util::stream::BoxStream;
use http::{HeaderName, HeaderValue, StatusCode};
use reqwest::header::{ACCEPT, CONTENT_TYPE, LOCATION};
use reqwest::{RequestBuilder, Response, Url};
use rmcp::model::{ClientJsonRpcMessage, ClientRequest, ServerJsonRpcMessage};
use rmcp::transport::common::http_header::{
    EVENT_STREAM_MIME_TYPE, HEADER_LAST_EVENT_ID, HEADER_SESSION_ID, JSON_MIME_TYPE,
};
use rmcp::transport::streamable_http_client::{
    SseError, StreamableHttpClient, StreamableHttpError, StreamableHttpPostResponse,
};
use sse_stream::{Sse, SseStream};

use super::super::{LONGEST, TO_START};
use super::failure::HttpFailure;

/// The most of what a server says about an error, in bytes as it is read and in letters as it is shown.
const ERROR: usize = 64 << 10;
const WORDS: usize = 300;
/// The pause before a stream is taken up again: one that always breaks off is not asked for in a hurry.
const PAUSE: Duration = Duration::from_millis(250);
/// A shorter secret is not looked for: it would be found in honest words.
const SECRET: usize = 6;

type Failure = StreamableHttpError<HttpFailure>;
type Headers = HashMap<HeaderName, HeaderValue>;

/// A wire to a server. Whoever clones it has the same one.
#[derive(Clone)]
pub struct Wire {
    client: reqwest::Client,
    about: Arc<About>,
}

struct About {
    url: Url,
    secrets: Vec<String>,
    variables: Vec<String>,
    lost: Mutex<Option<HttpFailure>>,
    /// How many bytes the events of the answer under way may still have.
    room: AtomicUsize,
}

impl Wire {
    pub(super) fn new(client: reqwest::Client, url: Url, mut secrets: Vec<String>, variables: Vec<String>) -> Self {
        secrets.retain(|secret| secret.len() >= SECRET);
        Self {
            client,
            about: Arc::new(About { url, secrets, variables, lost: Mutex::default(), room: AtomicUsize::new(LONGEST) }),
        }
    }

    /// Where it leads.
    pub fn url(&self) -> &Url {
        &self.about.url
    }

    /// What went wrong last, and was not made good since. It is told once.
    pub fn lost(&self) -> Option<HttpFailure> {
        self.about.lost.lock().expect("lost").take()
    }

    fn note(&self, lost: HttpFailure) -> HttpFailure {
        *self.about.lost.lock().expect("lost") = Some(lost.clone());
        lost
    }

    fn failed(&self, lost: HttpFailure) -> Failure {
        StreamableHttpError::Client(self.note(lost))
    }

    async fn sent(
        &self,
        request: RequestBuilder,
        session: Option<Arc<str>>,
        more: Headers,
    ) -> Result<Response, Failure> {
        let request = match session {
            Some(session) => request.header(HEADER_SESSION_ID, session.as_ref()),
            None => request,
        };
        let response = request.headers(more.into_iter().collect()).send().await;
        response.map_err(|why| self.failed(self.broken(&why)))
    }

    fn broken(&self, why: &reqwest::Error) -> HttpFailure {
        match why {
            late if late.is_timeout() && !late.is_connect() => HttpFailure::Silent { seconds: TO_START.as_secs() },
            early if early.is_connect() || early.is_builder() => HttpFailure::unreachable(&self.about.url, early),
            _ => HttpFailure::CutOff,
        }
    }

    /// What an answer that is no success means.
    async fn refused(
        &self,
        message: &ClientJsonRpcMessage,
        response: Response,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let status = response.status();
        if status.is_redirection() {
            let to = response.headers().get(LOCATION).and_then(|to| to.to_str().ok());
            let to = to.and_then(|to| self.about.url.join(to).ok()).map(|to| to.origin().ascii_serialization());
            return Err(self.failed(HttpFailure::Moved { to: self.veiled(to.unwrap_or_default()) }));
        }
        if [StatusCode::UNAUTHORIZED, StatusCode::FORBIDDEN].contains(&status) {
            let variables = self.about.variables.clone();
            return Err(self.failed(HttpFailure::Refused { status: status.as_u16(), variables }));
        }
        let is_json = is_of(&response, JSON_MIME_TYPE);
        let said = self.whole(response, ERROR).await.unwrap_or_default();
        let read = serde_json::from_str(&said).ok().filter(|_| is_json);
        if let (Some(ServerJsonRpcMessage::Error(said)), ClientJsonRpcMessage::Request(asked)) = (read, message) {
            // Whoever refuses a request unread cannot name it; without its name nobody would wait for this answer.
            let error = ServerJsonRpcMessage::error(said.error, Some(asked.id.clone()));
            return Ok(StreamableHttpPostResponse::Json(error, None));
        }
        let said = one_line(&hazard::mask(&said), WORDS);
        Err(self.failed(HttpFailure::Answered { status: status.as_u16(), said }))
    }

    /// The whole of an answer, up to this many bytes.
    async fn whole(&self, mut response: Response, most: usize) -> Result<String, Failure> {
        let mut bytes = Vec::new();
        while let Some(chunk) = response.chunk().await.map_err(|why| self.failed(self.broken(&why)))? {
            if bytes.len() + chunk.len() > most {
                return Err(self.failed(HttpFailure::Endless { most }));
            }
            bytes.extend_from_slice(&chunk);
        }
        Ok(self.veiled(String::from_utf8_lossy(&bytes).into_owned()))
    }

    /// The events of an answer, up to as many bytes as any answer may have.
    fn events(&self, response: Response) -> BoxStream<'static, Result<Sse, SseError>> {
        let (counting, veiling) = (self.clone(), self.clone());
        let bytes = response.bytes_stream().map(move |chunk| {
            let chunk = chunk.map_err(|why| counting.note(counting.broken(&why)))?;
            if counting.has_room_for(chunk.len()) {
                Ok(chunk)
            } else {
                Err(counting.note(HttpFailure::Endless { most: LONGEST }))
            }
        });
        let veiled = move |event: Result<Sse, SseError>| {
            event.map(|event| Sse { data: event.data.map(|data| veiling.veiled(data)), ..event })
        };
        SseStream::from_bytes_stream(bytes).map(veiled).boxed()
    }

    /// Takes this much of the room that is left; once there is not enough, none is left.
    fn has_room_for(&self, bytes: usize) -> bool {
        let left = self.about.room.load(Ordering::Relaxed).checked_sub(bytes);
        self.about.room.store(left.unwrap_or_default(), Ordering::Relaxed);
        left.is_some()
    }

    /// A text without our secrets.
    fn veiled(&self, text: String) -> String {
        self.about
            .secrets
            .iter()
            .fold(text, |text, secret| if text.contains(secret) { text.replace(secret, hazard::MASK) } else { text })
    }
}

impl StreamableHttpClient for Wire {
    type Error = HttpFailure;

    async fn post_message(
        &self,
        _uri: Arc<str>,
        message: ClientJsonRpcMessage,
        session: Option<Arc<str>>,
        _token: Option<String>,
        headers: Headers,
    ) -> Result<StreamableHttpPostResponse, Failure> {
        let is_in_session = session.is_some();
        let request = self.client.post(self.about.url.clone()).json(&message);
        let request = request.header(ACCEPT, format!("{JSON_MIME_TYPE}, {EVENT_STREAM_MIME_TYPE}"));
        if matches!(message, ClientJsonRpcMessage::Request(_)) {
            self.about.room.store(LONGEST, Ordering::Relaxed);
        }
        // Whoever calls a tool has a clock of their own; nobody else has.
        let request = if is_call(&message) { request } else { request.timeout(TO_START) };
        let response = self.sent(request, session, headers).await?;
        let status = response.status();
        if status == StatusCode::NOT_FOUND && is_in_session {
            self.note(HttpFailure::Answered { status: status.as_u16(), said: String::new() });
            return Err(StreamableHttpError::SessionExpired);
        }
        if !status.is_success() {
            return self.refused(&message, response).await;
        }
        // What went wrong before has been made good.
        self.lost();
        if !matches!(message, ClientJsonRpcMessage::Request(_)) || status == StatusCode::ACCEPTED {
            return Ok(StreamableHttpPostResponse::Accepted);
        }
        let session = response.headers().get(HEADER_SESSION_ID).and_then(|id| id.to_str().ok()).map(str::to_owned);
        if is_of(&response, EVENT_STREAM_MIME_TYPE) {
            return Ok(StreamableHttpPostResponse::Sse(self.events(response), session));
        }
        if !is_of(&response, JSON_MIME_TYPE) {
            let kind = response.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
            let what = self.veiled(one_line(kind.unwrap_or("?"), WORDS));
            return Err(self.failed(HttpFailure::Foreign { what }));
        }
        let body = self.whole(response, LONGEST).await?;
        let read =
            serde_json::from_str(&body).map_err(|why| self.failed(HttpFailure::Foreign { what: why.to_string() }))?;
        Ok(StreamableHttpPostResponse::Json(read, session))
    }

    async fn delete_session(
        &self,
        _uri: Arc<str>,
        session: Arc<str>,
        _token: Option<String>,
        headers: Headers,
    ) -> Result<(), Failure> {
        // A server may not know farewells; nothing depends on it.
        self.sent(self.client.delete(self.about.url.clone()), Some(session), headers).await.map(drop)
    }

    async fn get_stream(
        &self,
        _uri: Arc<str>,
        session: Option<Arc<str>>,
        last: Option<String>,
        _token: Option<String>,
        headers: Headers,
    ) -> Result<BoxStream<'static, Result<Sse, SseError>>, Failure> {
        let Some(last) = last.filter(|_| self.about.room.load(Ordering::Relaxed) > 0) else {
            return Err(StreamableHttpError::ServerDoesNotSupportSse);
        };
        tokio::time::sleep(PAUSE).await;
        let request = self.client.get(self.about.url.clone()).header(ACCEPT, EVENT_STREAM_MIME_TYPE);
        let response = self.sent(request.header(HEADER_LAST_EVENT_ID, last), session, headers).await?;
        if response.status().is_success() && is_of(&response, EVENT_STREAM_MIME_TYPE) {
            return Ok(self.events(response));
        }
        // It cannot be taken up again, so it stays what it was: broken off.
        self.note(HttpFailure::CutOff);
        Err(StreamableHttpError::ServerDoesNotSupportSse)
    }
}

/// Whether a message asks for something that may take long.
fn is_call(message: &ClientJsonRpcMessage) -> bool {
    match message {
        ClientJsonRpcMessage::Request(asked) => !matches!(asked.request, ClientRequest::InitializeRequest(_)),
        ClientJsonRpcMessage::Response(_) | ClientJsonRpcMessage::Notification(_) | ClientJsonRpcMessage::Error(_) => {
            false
        }
    }
}

fn is_of(response: &Response, kind: &str) -> bool {
    let written = response.headers().get(CONTENT_TYPE).and_then(|written| written.to_str().ok()).unwrap_or_default();
    written.split(';').next().is_some_and(|written| written.trim().eq_ignore_ascii_case(kind))
}
