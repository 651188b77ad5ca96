//! Reading requests: the path, the query and the body, each with the problem that a misfit becomes.
//!
//! What cannot be read at all is malformed; what can be read and does not fit is unfit. Fields that nobody knows are
//! refused in queries and bodies alike, so that a misspelt one is noticed instead of ignored.

use axum::body::Bytes;
use axum::extract::rejection::BytesRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::header::CONTENT_TYPE;
use axum::http::request::Parts;
use axum::http::{HeaderMap, StatusCode};
use enza_kernel::text::Lang;
use serde::de::DeserializeOwned;
use serde_json::error::Category;

use crate::acts::Once;
use crate::house::House;
use crate::problem::Problem;

/// The most bytes of a body: the largest command that the engine takes, and some room around it.
pub const BODY: usize = 1_250_000;

/// A JSON body.
pub struct Json<T>(pub T);

impl<T: DeserializeOwned> FromRequest<House> for Json<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, house: &House) -> Result<Self, Problem> {
        if !is_json(request.headers()) {
            return Err(Problem::WrongKind);
        }
        let bytes = Bytes::from_request(request, house).await.map_err(|rejection| unread(&rejection))?;
        serde_json::from_slice(&bytes).map(Self).map_err(|error| match error.classify() {
            Category::Data => Problem::BodyUnfit(error.to_string()),
            Category::Syntax | Category::Eof | Category::Io => Problem::BodyMalformed(error.to_string()),
        })
    }
}

/// The parts of the path.
pub struct Path<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<House> for Path<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, house: &House) -> Result<Self, Problem> {
        let path = axum::extract::Path::from_request_parts(parts, house).await;
        path.map(|axum::extract::Path(path)| Self(path)).map_err(|why| Problem::BodyUnfit(why.body_text()))
    }
}

/// The query.
pub struct Query<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<House> for Query<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, house: &House) -> Result<Self, Problem> {
        let query = axum::extract::Query::from_request_parts(parts, house).await;
        query.map(|axum::extract::Query(query)| Self(query)).map_err(|why| Problem::BodyUnfit(why.body_text()))
    }
}

/// The reader's language, as `dress` found it.
pub struct Reader(pub Lang);

impl FromRequestParts<House> for Reader {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _house: &House) -> Result<Self, Problem> {
        Ok(Self(parts.extensions.get().copied().unwrap_or_default()))
    }
}

/// The name of a request that was sent with an idempotency key, as `once` found it.
impl FromRequestParts<House> for Once {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, _house: &House) -> Result<Self, Problem> {
        Ok(parts.extensions.get().copied().unwrap_or_default())
    }
}

fn is_json(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or("");
    let kind = kind.split(';').next().unwrap_or("").trim().to_ascii_lowercase();
    kind == "application/json" || (kind.starts_with("application/") && kind.ends_with("+json"))
}

fn unread(rejection: &BytesRejection) -> Problem {
    if rejection.status() == StatusCode::PAYLOAD_TOO_LARGE {
        Problem::BodyTooLarge
    } else {
        Problem::BodyMalformed(rejection.body_text())
    }
}
