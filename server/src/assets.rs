//! Style, scripts and drawings, inside the binary: the frame's own, and those that the parts of applications bring.
//!
//! All of them share one address that changes with their content, so that a browser may keep them for ever, modules
//! find each other by relative paths, and a new build is seen at once.

use std::sync::{LazyLock, RwLock};

use axum::Router;
use axum::extract::Path;
use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use axum::routing::get;
use enza_kernel::conversation::Digest;

use crate::problem::Problem;
use crate::state::AppState;

/// One of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Asset {
    pub name: &'static str,
    /// Its media type.
    pub kind: &'static str,
    pub content: &'static str,
}

impl Asset {
    /// A style.
    pub const fn style(name: &'static str, content: &'static str) -> Self {
        Self { name, kind: "text/css; charset=utf-8", content }
    }

    /// A script.
    pub const fn script(name: &'static str, content: &'static str) -> Self {
        Self { name, kind: "text/javascript; charset=utf-8", content }
    }

    /// A drawing.
    const fn drawing(name: &'static str, content: &'static str) -> Self {
        Self { name, kind: "image/svg+xml", content }
    }
}

/// The frame's own.
const OWN: &[Asset] = &[
    Asset::style("tokens.css", include_str!("../assets/tokens.css")),
    Asset::style("ground.css", include_str!("../assets/ground.css")),
    Asset::style("enza.css", include_str!("../assets/enza.css")),
    Asset::style("rooms.css", include_str!("../assets/rooms.css")),
    Asset::style("home.css", include_str!("../assets/home.css")),
    Asset::style("changes.css", include_str!("../assets/changes.css")),
    Asset::style("account.css", include_str!("../assets/account.css")),
    Asset::style("reference.css", include_str!("../assets/reference.css")),
    Asset::style("inspector.css", include_str!("../assets/inspector.css")),
    Asset::script("inspector.js", include_str!("../assets/inspector.js")),
    Asset::script("theme.js", include_str!("../assets/theme.js")),
    Asset::script("enza.js", include_str!("../assets/enza.js")),
    Asset::script("home.js", include_str!("../assets/home.js")),
    Asset::script("composer.js", include_str!("../assets/composer.js")),
    Asset::script("drawer.js", include_str!("../assets/drawer.js")),
    Asset::script("feed.js", include_str!("../assets/feed.js")),
    Asset::script("gate.js", include_str!("../assets/gate.js")),
    Asset::script("parts.js", include_str!("../assets/parts.js")),
    Asset::script("saying.js", include_str!("../assets/saying.js")),
    Asset::script("send.js", include_str!("../assets/send.js")),
    Asset::script("session.js", include_str!("../assets/session.js")),
    Asset::script("sheet.js", include_str!("../assets/sheet.js")),
    Asset::script("speaking.js", include_str!("../assets/speaking.js")),
    Asset::drawing("mark.svg", include_str!("../assets/mark.svg")),
];

/// Everything there is, and the word for it. Parts add to it, once for each part of a process.
static SHELF: LazyLock<RwLock<Shelf>> = LazyLock::new(|| RwLock::new(Shelf::of(OWN.to_vec())));

struct Shelf {
    all: Vec<Asset>,
    /// A word that changes with any of them.
    edition: String,
}

impl Shelf {
    fn of(all: Vec<Asset>) -> Self {
        let text: String = all.iter().map(|one| format!("{}\n{}\n", one.name, one.content)).collect();
        Self { all, edition: Digest::of(text.as_bytes()).to_string()[..12].to_owned() }
    }

    fn find(&self, name: &str) -> Option<Asset> {
        self.all.iter().find(|one| one.name == name).copied()
    }
}

/// Takes a part's assets in. Those that are here already are not taken twice; a name that someone else has is a bug.
pub fn add(new: &[Asset]) {
    let mut shelf = SHELF.write().expect("nobody fails while they hold it");
    let (known, mut unknown): (Vec<Asset>, Vec<Asset>) = new.iter().partition(|one| shelf.find(one.name).is_some());
    if known.iter().any(|one| shelf.find(one.name) != Some(*one)) {
        drop(shelf);
        panic!("two parts have an asset of one name");
    }
    if !unknown.is_empty() {
        let mut all = std::mem::take(&mut shelf.all);
        all.append(&mut unknown);
        *shelf = Shelf::of(all);
    }
}

/// Where to find one.
pub fn address(name: &str) -> String {
    let shelf = SHELF.read().expect("nobody fails while they hold it");
    debug_assert!(shelf.find(name).is_some(), "{name} is not an asset");
    format!("/assets/{}/{name}", shelf.edition)
}

/// The routes to them.
pub fn routes() -> Router<AppState> {
    Router::new().route("/assets/{edition}/{name}", get(asset))
}

async fn asset(Path((_, name)): Path<(String, String)>) -> Result<Response, Problem> {
    let found = SHELF.read().expect("nobody fails while they hold it").find(&name);
    let Asset { kind, content, .. } = found.ok_or(Problem::NothingHere)?;
    let headers = [(CONTENT_TYPE, kind), (CACHE_CONTROL, "public, max-age=31536000, immutable")];
    Ok((headers, content).into_response())
}
