//! What is sent with a request, read strictly: whatever does not do becomes a `Problem`.

use std::convert::Infallible;

use axum::extract::rejection::{FormRejection, JsonRejection};
use axum::extract::{FromRequest, FromRequestParts, Path, Query, Request};
use axum::http::StatusCode;
use axum::http::header::USER_AGENT;
use axum::http::request::Parts;
use enza_kernel::schema::Named;
use enza_kernel::text::Lang;
use serde::de::DeserializeOwned;
use serde_json::value::RawValue;

use crate::acts::Once;
use crate::house::House;
use crate::problem::Problem;

/// A body of JSON.
pub struct Sent<T>(pub T);

impl<T: DeserializeOwned> FromRequest<House> for Sent<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, house: &House) -> Result<Self, Problem> {
        let read = axum::Json::<Box<RawValue>>::from_request(request, house).await;
        let axum::Json(raw) = read.map_err(|why: JsonRejection| unread(why.status(), why.body_text()))?;
        let mut reader = serde_json::Deserializer::from_str(raw.get());
        match T::deserialize(Named::new(&mut reader)) {
            Ok(sent) => Ok(Self(sent)),
            Err(why) if raw.get().starts_with('{') => Err(Problem::BodyUnfit(why.to_string())),
            // Whatever is wanted here has names: a list, a word or a number is no body at all.
            Err(why) => Err(Problem::BodyMalformed(why.to_string())),
        }
    }
}

/// A form of one of our pages.
pub struct Typed<T>(pub T);

impl<T: DeserializeOwned> FromRequest<House> for Typed<T> {
    type Rejection = Problem;

    async fn from_request(request: Request, house: &House) -> Result<Self, Problem> {
        let read = axum::Form::from_request(request, house).await;
        let axum::Form(typed) = read.map_err(|why: FormRejection| unread(why.status(), why.body_text()))?;
        Ok(Self(typed))
    }
}

/// What stands behind the question mark of an address.
pub struct Asked<T>(pub T);

impl<T: DeserializeOwned> FromRequestParts<House> for Asked<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, house: &House) -> Result<Self, Problem> {
        let Query(asked) =
            Query::from_request_parts(parts, house).await.map_err(|why| Problem::BodyUnfit(why.body_text()))?;
        Ok(Self(asked))
    }
}

/// The parts of an address.
pub struct Place<T>(pub T);

impl<T: DeserializeOwned + Send> FromRequestParts<House> for Place<T> {
    type Rejection = Problem;

    async fn from_request_parts(parts: &mut Parts, house: &House) -> Result<Self, Problem> {
        let Path(place) =
            Path::from_request_parts(parts, house).await.map_err(|why| Problem::BodyUnfit(why.body_text()))?;
        Ok(Self(place))
    }
}

/// The reader's language, as `dress` found it.
pub struct Reader(pub Lang);

impl FromRequestParts<House> for Reader {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &House) -> Result<Self, Infallible> {
        Ok(Self(parts.extensions.get().copied().unwrap_or_default()))
    }
}

/// The name of a request that was sent with an idempotency key, as `api::once` found it.
impl FromRequestParts<House> for Once {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &House) -> Result<Self, Infallible> {
        Ok(parts.extensions.get().copied().unwrap_or_default())
    }
}

/// What a request says it was sent with.
pub struct Browser(pub String);

impl FromRequestParts<House> for Browser {
    type Rejection = Infallible;

    async fn from_request_parts(parts: &mut Parts, _: &House) -> Result<Self, Infallible> {
        let said = parts.headers.get(USER_AGENT).and_then(|agent| agent.to_str().ok());
        Ok(Self(said.unwrap_or_default().to_owned()))
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
