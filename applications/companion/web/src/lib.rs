//! What the companion adds to the server: sessions in folders of the machine that serves.
//!
//! A session on a folder is begun by a form on the first page, by those who run the house. Every command of such a session
//! is put together with what this machine knows of the folder before it is decided: so nothing is begun with weaker rules
//! than the settings of this machine have. What a machine is asked is its `Prepare`; who may ask is `access`.

mod access;
mod pages;
mod problem;

use async_trait::async_trait;
use axum::Router;
use axum::routing::get;
use enza_companion::Companion;
use enza_kernel::application::Application as _;
use enza_server::AppState;
use enza_server::access::Caller;
use enza_server::assets::Asset;
use enza_server::pages::PageContext;
use enza_server::part::{Entrance, PartContents, WebPart};
use enza_server::problem::Problem;
use enza_server::state::Mask;
use enza_server::words::{WordFiles, Words};
use enza_work::hazard;
use maud::Markup;

/// The application's name.
const COMPANION: &str = Companion::NAME;

/// The companion's sentences.
pub const WORDS: WordFiles = &[include_str!("../words/frame.toml")];

const ASSETS: &[Asset] = &[Asset::style("companion.css", include_str!("../assets/companion.css"))];

/// The outward codes of what can go wrong with folders.
pub const CODES: &[&str] = &["folder-closed"];

/// The companion's part of a server.
pub struct CompanionWeb;

#[async_trait]
impl WebPart for CompanionWeb {
    fn contents(&self) -> PartContents {
        PartContents { words: WORDS, assets: ASSETS, ..PartContents::of(COMPANION) }
    }

    fn pages(&self) -> Router<AppState> {
        Router::new().route("/companion", get(pages::form).post(pages::open))
    }

    fn entrance(&self, here: &PageContext, caller: &Caller) -> Entrance {
        match access::allows(&here.app, caller, true) {
            Ok(()) => pages::begin(here, &pages::UnsentFolder::default()),
            Err(_) => Entrance::Closed,
        }
    }

    fn picture(&self, words: Words) -> Option<Markup> {
        Some(pages::picture(words))
    }

    fn allows(&self, app: &AppState, caller: &Caller, opens: bool) -> Result<(), Problem> {
        Ok(access::allows(app, caller, opens)?)
    }
}

/// Masks the secrets in what leaves of a session: what was typed and read in a folder may hold some.
pub const MASK: Mask = hazard::mask_json;

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn what_was_typed_is_exported_without_its_secrets() {
        let body = json!({ "desk": 1, "text": "use DB_PASSWORD=hunter2HUNTER", "when": "turn" }).to_string();
        let body: Value = serde_json::from_str(&MASK(&body)).unwrap();
        assert_eq!(body, json!({ "desk": 1, "text": "use DB_PASSWORD=[secret]", "when": "turn" }));
    }
}
