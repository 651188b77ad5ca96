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
use enza_runtime::seams::register::{Asked, Begun, Kept, UnderWay};
use serde::Serialize;
use serde_json::Value;

use crate::access::Caller;
use crate::acts::Once;
use crate::guard::BODY_BYTES;
use crate::house::{House, Life};
use crate::problem::Problem;

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
pub struct InProcess(Arc<Mutex<HashMap<(String, String), usize>>>);

/// One of them, until it is dropped.
struct Present {
    all: Arc<Mutex<HashMap<(String, String), usize>>>,
    name: (String, String),
}

impl InProcess {
    fn enter(&self, asked: &Asked) -> Present {
        let name = (asked.person.clone(), asked.key.clone());
        *self.0.lock().expect("in process").entry(name.clone()).or_default() += 1;
        Present { all: self.0.clone(), name }
    }
}

impl Present {
    /// Whether there is no other of this name here.
    fn is_alone(&self) -> bool {
        self.all.lock().expect("in process").get(&self.name) == Some(&1)
    }
}

impl Drop for Present {
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
pub async fn once(
    State(house): State<House>,
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
    let asked = Asked {
        person: caller.name().to_owned(),
        key,
        digest,
        at: house.now(),
        worker: house.engine().worker().to_owned(),
    };
    let present = house.in_process().enter(&asked);
    match begin(&house, &asked, &present).await? {
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
        let (house, asked) = (house.clone(), asked.clone());
        async move {
            // Until the answer is kept, even where whoever asked has gone away.
            let _present = present;
            run(house, asked, lang, request, next).await
        }
    });
    match run.await {
        Ok(answered) => answered,
        Err(_) => {
            // It broke inside; nobody does it any more, and it may be sent again.
            house.register().forget(&asked).await?;
            Err(Problem::Bug)
        }
    }
}

/// Begins a request, taking over one whose worker has died.
async fn begin(house: &House, asked: &Asked, present: &Present) -> Result<Begun, Problem> {
    let begun = house.register().begin(asked).await?;
    match &begun {
        Begun::UnderWay(seen) if has_died(house, seen, asked, present) => {
            match house.register().take_over(asked, seen).await? {
                true => Ok(Begun::New),
                // Somebody else was faster, and does it now or has done it.
                false => Ok(house.register().begin(asked).await?),
            }
        }
        Begun::New | Begun::UnderWay(_) | Begun::Answered(_) | Begun::OtherRequest => Ok(begun),
    }
}

fn has_died(house: &House, seen: &UnderWay, asked: &Asked, present: &Present) -> bool {
    // A clock that went back leaves a beginning in the future, which is as long ago as it is far.
    let is_long_ago = asked.at.0.abs_diff(seen.since.0) > LOST.unsigned_abs();
    match seen.by.as_deref() {
        // It is over here, and its end could not be written down.
        Some(worker) if worker == asked.worker => present.is_alone(),
        Some(worker) => match house.look_at_worker(worker) {
            Life::Alive => false,
            Life::Dead => true,
            Life::Unknown => is_long_ago,
        },
        None => is_long_ago,
    }
}

async fn run(house: House, asked: Asked, lang: Lang, mut request: Request, next: Next) -> Result<Response, Problem> {
    request.extensions_mut().insert(Once::of(&asked.person, &asked.key, &asked.digest));
    let response = next.run(request).await;
    let (parts, body) = response.into_parts();
    let body = to_bytes(body, usize::MAX).await.map_err(|_| Problem::Bug)?;
    let kept = match (parts.extensions.get::<Problem>(), parts.extensions.get::<KeepInstead>()) {
        (Some(problem), _) => Bytes::from(problem.json(lang).to_string()),
        (None, Some(KeepInstead(value))) => Bytes::from(value.to_string()),
        (None, None) => body.clone(),
    };
    let written = if is_lasting(parts.status) {
        let answer = Kept { status: parts.status.as_u16(), body: kept.to_vec() };
        house.register().keep_answer(&asked, &answer).await
    } else {
        house.register().forget(&asked).await
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

fn again(kept: Kept) -> Response {
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
