//! The edge: who is calling and in which language, the rules every request is held to, and what every answer wears.
//!
//! Inside, a problem is a value. Here it becomes JSON for programs and a page for people. Every answer gets the same
//! strict headers; no inline script or style runs on any page.

use axum::extract::Request;
use axum::http::header::{ACCEPT_LANGUAGE, CONTENT_TYPE};
use axum::http::{HeaderMap, HeaderValue, Method};
use axum::middleware::Next;
use axum::response::{IntoResponse, Redirect, Response};
use enza_kernel::text::Lang;

use crate::access::{Caller, Channel, RequestSource};
use crate::extract::wants_json;
use crate::guard;
use crate::observe::is_a_check;
use crate::pages;
use crate::percent::encoded;
use crate::problem::Problem;
use crate::serve::ServiceLevel;
use crate::state::AppState;

/// What a page may load and do.
const POLICY: &str = "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; \
     connect-src 'self'; font-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'";

/// Wraps every request.
pub async fn wrap(app: &AppState, mut request: Request, next: Next) -> Response {
    let is_told_as_json = is_for_programs(request.uri().path()) || wants_json(request.headers());
    let way_in = way_in(&request);
    let room = service_level_of(&request);
    let mut lang = accepted_language(request.headers());
    let arrival = RequestSource::of(app, &request);
    request.extensions_mut().insert(arrival);
    let outcome = match admit(app, room, request.headers(), &arrival).await {
        Err(problem) => Err(problem),
        Ok(caller) => {
            lang = caller.as_ref().and_then(|caller| caller.person.lang).unwrap_or(lang);
            let checked = guard::check(app, &request, &arrival, caller.as_ref());
            request.extensions_mut().insert(lang);
            if let Some(caller) = caller.clone() {
                request.extensions_mut().insert(caller);
            }
            checked.map(|()| caller)
        }
    };
    let (mut response, caller) = match outcome {
        Ok(caller) => (guard::in_time(app, request, next).await, caller),
        Err(problem) => (problem.into_response(), None),
    };
    if let Some(problem) = response.extensions_mut().remove::<Problem>() {
        if let (Problem::NotSignedIn, Some(way_in)) = (&problem, way_in) {
            let mut response = Redirect::to(&way_in).into_response();
            add_headers(response.headers_mut(), lang, arrival.channel);
            return response;
        }
        let dressed = if is_told_as_json {
            axum::Json(problem.json(lang)).into_response()
        } else {
            pages::problem_page(app, caller.as_ref(), lang, &problem).into_response()
        };
        let (parts, body) = dressed.into_parts();
        if let Some(kind) = parts.headers.get(CONTENT_TYPE) {
            response.headers_mut().insert(CONTENT_TYPE, kind.clone());
        }
        *response.body_mut() = body;
    }
    add_headers(response.headers_mut(), lang, arrival.channel);
    response
}

/// Whoever asks. Checks are answered without looking anybody up.
async fn admit(
    app: &AppState,
    room: Result<Option<ServiceLevel>, Problem>,
    headers: &HeaderMap,
    arrival: &RequestSource,
) -> Result<Option<Caller>, Problem> {
    match room? {
        Some(ServiceLevel::ForChecks) => Ok(None),
        Some(ServiceLevel::Usual) | None => {
            let caller = app.authenticator().authenticate(headers, arrival.channel, app.now()).await?;
            Ok(caller.map(|caller| Caller { from: arrival.from, ..caller }))
        }
    }
}

/// The room that a request came into; a connection's beyond the most has none for anything but a check.
fn service_level_of(request: &Request) -> Result<Option<ServiceLevel>, Problem> {
    match request.extensions().get::<ServiceLevel>().copied() {
        Some(ServiceLevel::ForChecks) if !is_a_check(request.uri().path()) => Err(Problem::Busy),
        room => Ok(room),
    }
}

/// There is nothing at this address.
pub async fn not_found() -> Problem {
    Problem::NothingHere
}

/// The address knows other methods.
pub async fn method_not_allowed() -> Problem {
    Problem::NotThatWay
}

/// Where someone who opens a page is led who is not signed in: to signing in, and from there back. A script that
/// fetches a part of a page is told so instead, and so are programs, and a form that was sent: its words must not be
/// lost on the way.
fn way_in(request: &Request) -> Option<String> {
    let said = |name: &str| request.headers().get(name).and_then(|value| value.to_str().ok());
    // Over plain HTTP a browser says no mode, but always that it would like a page best.
    let wants_a_page = match said("sec-fetch-mode") {
        Some(mode) => mode == "navigate",
        None => said("accept").is_some_and(|kinds| kinds.starts_with("text/html")),
    };
    if request.method() != Method::GET || !wants_a_page || is_for_programs(request.uri().path()) {
        return None;
    }
    let next = request.uri().path_and_query()?.as_str();
    Some(format!("/sign-in?next={}", encoded(next)))
}

fn is_for_programs(path: &str) -> bool {
    path == "/api" || path.starts_with("/api/")
}

/// The language the browser would like best, of those we speak.
fn accepted_language(headers: &HeaderMap) -> Lang {
    let wishes = headers.get(ACCEPT_LANGUAGE).and_then(|value| value.to_str().ok()).unwrap_or("");
    let mut best = (Lang::En, 0.0);
    for wish in wishes.split(',') {
        let mut parts = wish.trim().split(';');
        let tag = parts.next().unwrap_or("").trim().to_ascii_lowercase();
        let weight = parts.find_map(|part| part.trim().strip_prefix("q=")?.parse::<f32>().ok()).unwrap_or(1.0);
        let lang = match tag.split('-').next() {
            Some("ja") => Lang::Ja,
            Some("en") => Lang::En,
            _ => continue,
        };
        if weight > best.1 {
            best = (lang, weight);
        }
    }
    best.0
}

/// For how long a browser that reached us over TLS keeps to it: a year. Names under ours are not ours to speak for.
const KEEP_TO_TLS: &str = "max-age=31536000";

fn add_headers(headers: &mut HeaderMap, lang: Lang, channel: Channel) {
    if channel == Channel::Tls {
        headers.insert("strict-transport-security", HeaderValue::from_static(KEEP_TO_TLS));
    }
    let plain = [
        ("content-security-policy", POLICY),
        ("x-content-type-options", "nosniff"),
        ("referrer-policy", "same-origin"),
        ("cross-origin-opener-policy", "same-origin"),
        ("permissions-policy", "camera=(), microphone=(), geolocation=()"),
        ("vary", "accept-language, cookie"),
    ];
    for (name, value) in plain {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry("content-language").or_insert(HeaderValue::from_static(lang.pick("ja", "en")));
    headers.entry("cache-control").or_insert(HeaderValue::from_static("no-store"));
}
