//! Idempotency keys: a POST that is sent twice with one key is done once and answered twice.
//!
//! The register keeps the first answer under the person and the key, with a digest of the request and, until it is
//! answered, the worker that does it. A request whose sender goes away runs to its end all the same, so that its answer
//! is there for the second try. One whose worker has died is taken over at once, by exactly one of those who ask again
//! ([decision 0026](../../../docs/decisions/0026-cut-off-requests.md)); acts that are told its name (`Once`) find what was
//! done. Answers that may change by themselves are not kept: our own failures, and everything about who may do what now.
//!
//! A request without a person behind it is passed on as it is: there is nobody to keep its answer for.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

use axum::Extension;
use axum::body::{Body, Bytes, to_bytes};
use axum::extract::{Request, State};
use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderValue, Method, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};
use enza_kernel::conversation::Digest;
use enza_kernel::text::Lang;
use enza_runtime::seams::register::{Begun, KeptAnswer, KeyedRequest, PendingRequest};
use serde::Serialize;
use serde_json::Value;

use crate::access::Caller;
use crate::actions::IdempotencyKey;
use crate::guard::BODY_BYTES;
use crate::problem::Problem;
use crate::state::{AppState, Liveness};

/// The header with a client's key.
pub const KEY: &str = "idempotency-key";
/// The header that says that an answer was given before.
pub const REPLAYED: &str = "idempotency-replayed";
/// The longest key.
const LONGEST: usize = 255;
/// After how many milliseconds a worker that cannot be seen from here is taken to have died with its request: longer than
/// a request is let run.
const LOST: i64 = 60_000;

/// What to keep of an answer instead of its body, as an extension of the response: for answers that carry a secret.
#[derive(Debug, Clone)]
pub struct KeepInstead(pub Value);

impl KeepInstead {
    /// An answer with one of its fields left empty.
    pub fn without(field: &str, answer: &impl Serialize) -> Self {
        let mut kept = serde_json::to_value(answer).expect("answers are plain data and always serialise");
        if let Some(secret) = kept.get_mut(field) {
            *secret = Value::String(String::new());
        }
        Self(kept)
    }
}

/// How many requests of one name, a person's key, are looked at or done in this process.
#[derive(Default)]
pub struct InFlight(Arc<Mutex<HashMap<(String, String), usize>>>);

/// One of them, until it is dropped.
struct InFlightGuard {
    all: Arc<Mutex<HashMap<(String, String), usize>>>,
    name: (String, String),
}

impl InFlight {
    fn enter(&self, asked: &KeyedRequest) -> InFlightGuard {
        let name = (asked.person.clone(), asked.key.clone());
        *self.0.lock().expect("in process").entry(name.clone()).or_default() += 1;
        InFlightGuard { all: self.0.clone(), name }
    }
}

impl InFlightGuard {
    /// Whether there is no other of this name here.
    fn is_alone(&self) -> bool {
        self.all.lock().expect("in process").get(&self.name) == Some(&1)
    }
}

impl Drop for InFlightGuard {
    fn drop(&mut self) {
        let mut all = self.all.lock().expect("in process");
        if let Some(count) = all.get_mut(&self.name) {
            *count -= 1;
            if *count == 0 {
                all.remove(&self.name);
            }
        }
    }
}

/// Wraps every route for programs.
pub async fn idempotent(
    State(app): State<AppState>,
    caller: Option<Extension<Caller>>,
    Extension(lang): Extension<Lang>,
    request: Request,
    next: Next,
) -> Result<Response, Problem> {
    let Some(Extension(caller)) = caller.filter(|_| request.method() == Method::POST) else {
        return Ok(next.run(request).await);
    };
    let Some(key) = request.headers().get(KEY) else { return Ok(next.run(request).await) };
    let key = readable(key)?;
    let (request, digest) = digest_of(request).await?;
    let asked = KeyedRequest {
        person: caller.name().to_owned(),
        key,
        digest,
        at: app.now(),
        worker: app.engine().worker().to_owned(),
    };
    let present = app.in_flight().enter(&asked);
    match begin(&app, &asked, &present).await? {
        Begun::New => {}
        Begun::UnderWay(_) => return Err(Problem::UnderWay),
        Begun::OtherRequest => return Err(Problem::KeyReused),
        // What was answered went with the session that it was about.
        Begun::Answered(kept) if kept.body.is_empty() && matches!(kept.status, 200 | 201) => {
            return Err(Problem::NoSession);
        }
        Begun::Answered(kept) => return Ok(again(kept)),
    }
    let run = tokio::spawn({
        let (app, asked) = (app.clone(), asked.clone());
        async move {
            // Until the answer is kept, even where whoever asked has gone away.
            let _present = present;
            run(app, asked, lang, request, next).await
        }
    });
    match run.await {
        Ok(answered) => answered,
        Err(_) => {
            // It broke inside; nobody does it any more, and it may be sent again.
            app.register().forget(&asked).await?;
            Err(Problem::Bug)
        }
    }
}

/// Begins a request, taking over one whose worker has died.
async fn begin(app: &AppState, asked: &KeyedRequest, present: &InFlightGuard) -> Result<Begun, Problem> {
    let begun = app.register().begin(asked).await?;
    match &begun {
        Begun::UnderWay(seen) if has_died(app, seen, asked, present) => {
            match app.register().take_over(asked, seen).await? {
                true => Ok(Begun::New),
                // Somebody else was faster, and does it now or has done it.
                false => Ok(app.register().begin(asked).await?),
            }
        }
        Begun::New | Begun::UnderWay(_) | Begun::Answered(_) | Begun::OtherRequest => Ok(begun),
    }
}

fn has_died(app: &AppState, seen: &PendingRequest, asked: &KeyedRequest, present: &InFlightGuard) -> bool {
    // A clock that went back leaves a beginning in the future, which is as long ago as it is far.
    let is_long_ago = asked.at.0.abs_diff(seen.since.0) > LOST.unsigned_abs();
    match seen.by.as_deref() {
        // It is over here, and its end could not be written down.
        Some(worker) if worker == asked.worker => present.is_alone(),
        Some(worker) => match app.worker_liveness(worker) {
            Liveness::Alive => false,
            Liveness::Dead => true,
            Liveness::Unknown => is_long_ago,
        },
        None => is_long_ago,
    }
}

async fn run(
    app: AppState,
    asked: KeyedRequest,
    lang: Lang,
    mut request: Request,
    next: Next,
) -> Result<Response, Problem> {
    request.extensions_mut().insert(IdempotencyKey::of(&asked.person, &asked.key, &asked.digest));
    let response = next.run(request).await;
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.map_err(|_| Problem::Bug)?;
    let kept = match (parts.extensions.get::<Problem>(), parts.extensions.get::<KeepInstead>()) {
        (Some(problem), _) => Bytes::from(problem.json(lang).to_string()),
        (None, Some(KeepInstead(value))) => Bytes::from(value.to_string()),
        (None, None) => body.clone(),
    };
    let written = if is_lasting(parts.status) {
        let answer = KeptAnswer { status: parts.status.as_u16(), body: kept.to_vec() };
        app.register().keep_answer(&asked, &answer).await
    } else {
        app.register().forget(&asked).await
    };
    if let Err(failure) = written {
        // What was asked for is done, or has failed; a second try is run again.
        tracing::warn!(%failure, "an answer could not be kept for its idempotency key");
    }
    Ok(Response::from_parts(parts, Body::from(body)))
}

/// Whether the same request would be answered the same way for good.
fn is_lasting(status: StatusCode) -> bool {
    let passing = [
        StatusCode::UNAUTHORIZED,
        StatusCode::FORBIDDEN,
        StatusCode::REQUEST_TIMEOUT,
        StatusCode::TOO_MANY_REQUESTS,
        // What could not be read has done nothing, and does not use its key up.
        StatusCode::BAD_REQUEST,
        StatusCode::UNPROCESSABLE_ENTITY,
    ];
    !status.is_server_error() && !passing.contains(&status)
}

fn again(kept: KeptAnswer) -> Response {
    let status = StatusCode::from_u16(kept.status).unwrap_or(StatusCode::OK);
    let mut response = (status, Body::from(kept.body)).into_response();
    response.headers_mut().insert(CONTENT_TYPE, HeaderValue::from_static("application/json"));
    response.headers_mut().insert(REPLAYED, HeaderValue::from_static("true"));
    response
}

fn readable(key: &HeaderValue) -> Result<String, Problem> {
    let key = key.to_str().ok().map(str::trim).filter(|key| (1..=LONGEST).contains(&key.len()));
    key.map(str::to_owned).ok_or_else(|| Problem::BodyUnfit(format!("Idempotency-Key: 1…{LONGEST} ASCII")))
}

/// The digest of everything that is asked, and the request with its body read.
async fn digest_of(request: Request) -> Result<(Request, Digest), Problem> {
    let (parts, body) = request.into_parts();
    let body = to_bytes(body, BODY_BYTES).await.map_err(|_| Problem::BodyTooLarge)?;
    let mut asked = format!("{} {}\n", parts.method, parts.uri).into_bytes();
    asked.extend_from_slice(&body);
    Ok((Request::from_parts(parts, Body::from(body)), Digest::of(&asked)))
}
