//! What every request is held to before a handler sees it: whom it is meant for, where it comes from, how large it is,
//! how long it takes, and that a bug of ours stays ours.
//!
//! A guard refuses with a `Problem`, like everyone; `middleware` makes it readable. Limits on the number and size of headers
//! are those of hyper.

use std::any::Any;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use axum::body::{Body, HttpBody as _};
use axum::extract::{DefaultBodyLimit, Request};
use axum::http::header::{CONTENT_LENGTH, HOST, ORIGIN, UPGRADE};
use axum::http::{HeaderMap, Method, Response};
use axum::middleware::Next;
use axum::response::IntoResponse;
use axum::{Router, http};
use futures_util::{StreamExt as _, stream};
use tower::ServiceBuilder;
use tower_http::catch_panic::CatchPanicLayer;

use crate::access::{AuthMethod, Caller, RequestSource};
use crate::extract::has_null_in_address;
use crate::part::BodyLimit;
use crate::problem::Problem;
use crate::state::{Accounts, AppState};

/// The most bytes of a body: the largest command that the engine takes, and what is around it.
pub const BODY_BYTES: usize = 1_250_000;

/// Puts the guards that need no caller in front of every route.
pub fn guarded(router: Router<AppState>) -> Router<AppState> {
    let guards = ServiceBuilder::new().layer(DefaultBodyLimit::max(BODY_BYTES));
    router.layer(guards.layer(CatchPanicLayer::custom(panic_response)))
}

/// Whether a request may go on, by its headers and who sends it.
pub fn check(
    app: &AppState,
    request: &Request,
    arrival: &RequestSource,
    caller: Option<&Caller>,
) -> Result<(), Problem> {
    if has_null_in_address(request.uri()) {
        return Err(Problem::NullCharacter);
    }
    check_host(app, request)?;
    check_origin(app, request, arrival, caller)?;
    check_size(app, request)
}

/// Gives a request up that takes too long. A live stream answers at once and is then left alone: what is timed is the
/// time to the first byte. Whose fault it is depends on what was waited for: the rest of the body, or us.
pub async fn in_time(app: &AppState, request: Request, next: Next) -> Response<Body> {
    let waits_for_body = Arc::new(AtomicBool::new(false));
    let request = request.map(|body| watched(body, Arc::clone(&waits_for_body)));
    match tokio::time::timeout(app.patience(), next.run(request)).await {
        Ok(response) => response,
        Err(_) if waits_for_body.load(Ordering::Relaxed) => Problem::Unfinished.into_response(),
        Err(_) => Problem::TooSlow.into_response(),
    }
}

/// The same body, which tells whether somebody waits for more of it.
fn watched(body: Body, waits: Arc<AtomicBool>) -> Body {
    if body.is_end_stream() {
        return body;
    }
    let mut pieces = body.into_data_stream();
    Body::from_stream(stream::poll_fn(move |context| {
        let piece = pieces.poll_next_unpin(context);
        waits.store(piece.is_pending(), Ordering::Relaxed);
        piece
    }))
}

/// A handler that panics is a bug of ours: the log has it, the client does not.
fn panic_response(why: Box<dyn Any + Send>) -> Response<Body> {
    let said = why.downcast_ref::<String>().map(String::as_str).or_else(|| why.downcast_ref::<&str>().copied());
    tracing::error!(panic = said.unwrap_or("no words"), "a handler panicked");
    Problem::Bug.into_response()
}

/// Alone on a machine, a name that leads to it is not enough: another site may have given its own name our address, and
/// its pages would then be of our origin.
fn check_host(app: &AppState, request: &Request) -> Result<(), Problem> {
    let host = request.headers().get(HOST).map(|host| host.to_str().unwrap_or("?"));
    let host = host.or_else(|| request.uri().authority().map(http::uri::Authority::as_str));
    let (Accounts::Alone, Some(host)) = (app.accounts(), host) else { return Ok(()) };
    let is_public = app.public().split_once("://").is_some_and(|(_, ours)| ours.eq_ignore_ascii_case(host));
    if is_public || is_loopback(host) { Ok(()) } else { Err(Problem::ForeignHost) }
}

fn is_loopback(host: &str) -> bool {
    let name = match host.strip_prefix('[') {
        Some(rest) => rest.split(']').next().unwrap_or(""),
        None => host.split(':').next().unwrap_or(""),
    };
    name.eq_ignore_ascii_case("localhost") || name.parse::<std::net::IpAddr>().is_ok_and(|ip| ip.is_loopback())
}

/// A browser sends its cookie along whoever asks it to. What changes something, or opens a socket, must come from one
/// of our own pages.
fn check_origin(
    app: &AppState,
    request: &Request,
    arrival: &RequestSource,
    caller: Option<&Caller>,
) -> Result<(), Problem> {
    let headers = request.headers();
    let is_safe = matches!(*request.method(), Method::GET | Method::HEAD | Method::OPTIONS);
    let by_token = caller.is_some_and(|caller| matches!(caller.way, AuthMethod::Token { .. }));
    if by_token || (is_safe && !headers.contains_key(UPGRADE)) {
        return Ok(());
    }
    if is_our_page(app, headers, arrival) { Ok(()) } else { Err(Problem::ForeignOrigin) }
}

/// Whether a request comes from one of our own pages, as far as browsers say; programs do not. A browser names the site
/// that asks even where it leaves the origin out; and an origin is more than a host: what came to a page without TLS on
/// its way may have been written by anyone.
fn is_our_page(app: &AppState, headers: &HeaderMap, arrival: &RequestSource) -> bool {
    if headers.get("sec-fetch-site").is_some_and(|site| site == "cross-site") {
        return false;
    }
    let Some(origin) = headers.get(ORIGIN) else { return true };
    let origin = origin.to_str().unwrap_or("");
    let host = headers.get(HOST).and_then(|host| host.to_str().ok()).unwrap_or("");
    origin == app.public() || origin.split_once("://") == Some((arrival.scheme, host))
}

/// What says that it is too large is not read at all; what does not say is read up to the limit.
fn check_size(app: &AppState, request: &Request) -> Result<(), Problem> {
    let path = request.uri().path();
    let usual = || BodyLimit { bytes: BODY_BYTES, beyond: Problem::BodyTooLarge };
    let limit = app.parts().iter().find_map(|part| (part.contents().body_limit)(path)).unwrap_or_else(usual);
    let length = request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse::<u64>().ok());
    match length {
        Some(length) if length > limit.bytes as u64 => Err(limit.beyond),
        Some(_) | None => Ok(()),
    }
}
