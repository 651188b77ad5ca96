//! What is sent with a request, read strictly: whatever does not do becomes a `Problem`.
//!
//! Nothing with the character U+0000 in it gets past here, since not every database keeps it. Addresses are looked at by
//! `guard`, which sees them all; headers cannot hold it.

use std::convert::Infallible;

use axum::body::{Body, Bytes};
use axum::extract::rejection::{FormRejection, JsonRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::header::{ACCEPT, USER_AGENT};
use axum::http::request::Parts;
use axum::http::{self, HeaderMap, StatusCode};
use enza_kernel::schema::ObjectsOnly;
use enza_kernel::text::Lang;
use serde::de::DeserializeOwned;
use serde_json::Value;
use serde_json::value::RawValue;

use crate::actions::IdempotencyKey;
use crate::problem::Problem;
use crate::state::AppState;

/// A body of JSON.
pub struct JsonBody<T>(pub T);

impl<T: DeserializeOwned> FromRequest<AppState> for JsonBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, Problem> {
        let request = without_null(request, app, has_null_in_json).await?;
        let read = axum::Json::<Box<RawValue>>::from_request(request, app).await;
        let axum::Json(raw) = read.map_err(|why: JsonRejection| unread(why.status(), why.body_text()))?;
        let mut reader = serde_json::Deserializer::from_str(raw.get());
        match T::deserialize(ObjectsOnly::new(&mut reader)) {
            Ok(sent) => Ok(Self(sent)),
            Err(why) if raw.get().starts_with('{') => Err(Problem::BodyUnfit(why.to_string())),
            // Whatever is wanted here has names: a list, a word or a number is no body at all.
            Err(why) => Err(Problem::BodyMalformed(why.to_string())),
        }
    }
}

/// A form of one of our pages.
pub struct FormBody<T>(pub T);

impl<T: DeserializeOwned> FromRequest<AppState> for FormBody<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, Problem> {
        let request = without_null(request, app, has_null_in_form).await?;
        let read = axum::Form::from_request(request, app).await;
        let axum::Form(typed) = read.map_err(|why: FormRejection| unread(why.status(), why.body_text()))?;
        Ok(Self(typed))
    }
}

/// What stands behind the question mark of an address.
pub struct QueryParams<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<AppState> for QueryParams<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, Problem> {
        let Query(asked) =
            Query::from_request_parts(parts, app).await.map_err(|why| Problem::BodyUnfit(why.body_text()))?;
        Ok(Self(asked))
    }
}

/// The parts of an address.
pub struct PathParams<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<AppState> for PathParams<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, app: &AppState) -> Result<Self, Problem> {
        let Path(place) =
            Path::from_request_parts(parts, app).await.map_err(|why| Problem::BodyUnfit(why.body_text()))?;
        Ok(Self(place))
    }
}

/// The reader's language, as `middleware` found it.
pub struct ReaderLang(pub Lang);

impl FromRequestParts<AppState> for ReaderLang {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Infallible> {
        Ok(Self(parts.extensions.get().copied().unwrap_or_default()))
    }
}

/// The name of a request that was sent with an idempotency key, as `api::idempotency` found it.
impl FromRequestParts<AppState> for IdempotencyKey {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().copied().unwrap_or_default())
    }
}

/// What a request says it was sent with.
pub struct Browser(pub String);

impl FromRequestParts<AppState> for Browser {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &AppState) -> Result<Self, Infallible> {
        let said = parts.headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok());
        Ok(Self(said.unwrap_or_default().to_owned()))
    }
}

/// Whether a script asked that draws nothing itself: what came of it is told as JSON, at whatever address.
pub fn wants_json(headers: &HeaderMap) -> bool {
    headers.get(ACCEPT).and_then(|kinds| kinds.to_str().ok()).is_some_and(|kinds| kinds.starts_with("application/json"))
}

/// A text of a form in parts can be kept.
pub fn keepable(text: &str) -> Result<(), Problem> {
    if text.contains('\0') { Err(Problem::NullCharacter) } else { Ok(()) }
}

/// Whether an address has the character in it, as addresses spell it.
pub fn has_null_in_address(address: &http::Uri) -> bool {
    address.path_and_query().is_some_and(|address| address.as_str().contains(NULL_IN_ADDRESS))
}

const NULL_IN_ADDRESS: &str = "%00";

/// The same request, with its body looked through. How large that may be is said by the route.
async fn without_null(request: Request, app: &AppState, has_null: fn(&[u8]) -> bool) -> Result<Request, Problem> {
    let (parts, body) = request.into_parts();
    let body = Bytes::from_request(Request::from_parts(parts.clone(), body), app).await;
    let body = body.map_err(|why| unread(why.status(), why.body_text()))?;
    if has_null(&body) {
        return Err(Problem::NullCharacter);
    }
    Ok(Request::from_parts(parts, Body::from(body)))
}

fn has_null_in_form(body: &[u8]) -> bool {
    body.contains(&0) || body.windows(NULL_IN_ADDRESS.len()).any(|three| three == NULL_IN_ADDRESS.as_bytes())
}

/// In any text, name or value, however deep. A backslash before the escape makes it plain text, so the body is read for
/// good once it looks as if it had one. What is no JSON is for others to refuse.
fn has_null_in_json(body: &[u8]) -> bool {
    const ESCAPE: &[u8] = b"\\u0000";
    if !body.windows(ESCAPE.len()).any(|six| six == ESCAPE) {
        return false;
    }
    serde_json::from_slice::<Value>(body).is_ok_and(|value| has_null(&value))
}

fn has_null(value: &Value) -> bool {
    match value {
        Value::String(text) => text.contains('\0'),
        Value::Array(items) => items.iter().any(has_null),
        Value::Object(fields) => fields.iter().any(|(name, value)| name.contains('\0') || has_null(value)),
        Value::Null | Value::Bool(_) | Value::Number(_) => false,
    }
}

fn unread(status: StatusCode, why: String) -> Problem {
    match status {
        StatusCode::PAYLOAD_TOO_LARGE => Problem::BodyTooLarge,
        StatusCode::UNSUPPORTED_MEDIA_TYPE => Problem::WrongKind,
        StatusCode::UNPROCESSABLE_ENTITY => Problem::BodyUnfit(why),
        _ => Problem::BodyMalformed(why),
    }
}
