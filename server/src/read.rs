//! What our own pages send, read strictly: whatever does not do becomes a `Problem`.

use std::convert::Infallible;

use axum::extract::rejection::FormRejection;
use axum::extract::{FromRequest, FromRequestParts, Request};
use axum::http::StatusCode;
use axum::http::header::USER_AGENT;
use axum::http::request::Parts;
use serde::de::DeserializeOwned;

pub use crate::api::extract::Query as Asked;
use crate::house::House;
use crate::problem::Problem;

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
