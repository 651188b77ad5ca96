//! Style, scripts and drawings, inside the binary.
//!
//! All of them share one address that changes with their content, so that a browser may keep them for ever, modules
//! find each other by relative paths, and a new build is seen at once.

use std::sync::OnceLock;

use axum::Router;
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use enza_kernel::conversation::Digest;

use crate::problem::Problem;
use crate::state::AppState;

const CSS: &str = "text/css; charset=utf-8";
const JS: &str = "text/javascript; charset=utf-8";

/// Everything there is: name, kind, content.
const ALL: &[(&str, &str, &str)] = &[
    ("tokens.css", CSS, include_str!("../assets/tokens.css")),
    ("ground.css", CSS, include_str!("../assets/ground.css")),
    ("enza.css", CSS, include_str!("../assets/enza.css")),
    ("rooms.css", CSS, include_str!("../assets/rooms.css")),
    ("changes.css", CSS, include_str!("../assets/changes.css")),
    ("account.css", CSS, include_str!("../assets/account.css")),
    ("forms.css", CSS, include_str!("../assets/forms.css")),
    ("reference.css", CSS, include_str!("../assets/reference.css")),
    ("inspector.css", CSS, include_str!("../assets/inspector.css")),
    ("submissions.css", CSS, include_str!("../assets/submissions.css")),
    ("inspector.js", JS, include_str!("../assets/inspector.js")),
    ("theme.js", JS, include_str!("../assets/theme.js")),
    ("enza.js", JS, include_str!("../assets/enza.js")),
    ("home.js", JS, include_str!("../assets/home.js")),
    ("forms.js", JS, include_str!("../assets/forms.js")),
    ("builder.js", JS, include_str!("../assets/builder.js")),
    ("classic.js", JS, include_str!("../assets/classic.js")),
    ("composer.js", JS, include_str!("../assets/composer.js")),
    ("drawer.js", JS, include_str!("../assets/drawer.js")),
    ("feed.js", JS, include_str!("../assets/feed.js")),
    ("gate.js", JS, include_str!("../assets/gate.js")),
    ("respond.css", CSS, include_str!("../assets/respond.css")),
    ("respond.js", JS, include_str!("../assets/respond.js")),
    ("saying.js", JS, include_str!("../assets/saying.js")),
    ("session.js", JS, include_str!("../assets/session.js")),
    ("speaking.js", JS, include_str!("../assets/speaking.js")),
    ("mark.svg", "image/svg+xml", include_str!("../assets/mark.svg")),
];

/// Where to find one.
pub fn address(name: &str) -> String {
    debug_assert!(ALL.iter().any(|(known, ..)| *known == name), "{name} is not an asset");
    format!("/assets/{}/{name}", edition())
}

/// The routes to them.
pub fn routes() -> Router<AppState> {
    Router::new().route("/assets/{edition}/{name}", get(asset))
}

async fn asset(Path((_, name)): Path<(String, String)>) -> Result<Response, Problem> {
    let (_, kind, content) = ALL.iter().find(|(known, ..)| *known == name).ok_or(Problem::NothingHere)?;
    let headers = [(CONTENT_TYPE, *kind), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
    Ok((headers, *content).into_response())
}

/// A word that changes with any of them.
fn edition() -> &'static str {
    static EDITION: OnceLock<String> = OnceLock::new();
    EDITION.get_or_init(|| {
        let all: String = ALL.iter().map(|(name, _, content)| format!("{name}\n{content}\n")).collect();
        Digest::of(all.as_bytes()).to_string()[..12].to_owned()
    })
}
