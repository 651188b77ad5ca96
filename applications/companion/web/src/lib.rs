//! What the companion adds to the server: sessions in folders of the machine that serves.
//!
//! A session on a folder is begun by a form on the first page, by those who run the house. Every command of such a session
//! is put together with what this machine knows of the folder before it is decided: so nothing is begun with weaker rules
//! than the settings of this machine have. What a machine is asked is `folders`, who may ask `access`.

mod access;
pub mod folders;
mod pages;
mod problem;

use std::sync::Arc;

use async_trait::async_trait;
use axum::Router;
use axum::routing::get;
use enza_companion::Companion;
use enza_kernel::application::Application as _;
use enza_runtime::seams::store::SessionId;
use enza_server::AppState;
use enza_server::access::Caller;
use enza_server::pages::PageContext;
use enza_server::part::{Entrance, PartContents, Prepared, SentCommand, WebPart};
use enza_server::problem::Problem;
use enza_server::words::{WordFiles, Words};
use enza_work::hazard;
use maud::Markup;

use folders::Folders;

/// The application's name.
const COMPANION: &str = Companion::NAME;

/// The companion's sentences.
pub const WORDS: WordFiles = &[include_str!("../words/frame.toml")];

/// The companion's part of a server.
pub struct CompanionWeb {
    folders: Option<Arc<dyn Folders>>,
}

impl CompanionWeb {
    /// With the folders of this machine; none where nobody may work in them.
    pub fn new(folders: Option<Arc<dyn Folders>>) -> Self {
        Self { folders }
    }
}

#[async_trait]
impl WebPart for CompanionWeb {
    fn contents(&self) -> PartContents {
        // What was typed and read in a folder may hold secrets.
        PartContents { words: WORDS, mask: Some(hazard::mask_json), ..PartContents::of(COMPANION) }
    }

    fn pages(&self) -> Router<AppState> {
        Router::new().route("/companion", get(pages::form).post(pages::open))
    }

    fn entrance(&self, here: &PageContext, caller: &Caller) -> Entrance {
        match self.to_begin(caller) {
            Ok(_) => pages::begin(here, &pages::UnsentFolder::default()),
            Err(_) => Entrance::Closed,
        }
    }

    fn picture(&self, words: Words) -> Option<Markup> {
        Some(pages::picture(words))
    }

    async fn prepare(&self, caller: &Caller, sent: SentCommand<'_>) -> Result<Prepared, Problem> {
        let SentCommand { session, opens, command, lang } = sent;
        Ok(match opens {
            true => self.to_begin(caller)?.opening(session, command, lang).await?,
            false => self.to_go_on(caller)?.hearing(session, command, lang).await?,
        })
    }

    async fn accepted(&self, session: &SessionId) {
        if let Some(folders) = &self.folders {
            folders.heard(session).await;
        }
    }
}

#[cfg(test)]
mod tests {
    use serde_json::{Value, json};

    use super::*;

    #[test]
    fn what_was_typed_is_exported_without_its_secrets() {
        let body = json!({ "desk": 1, "text": "use DB_PASSWORD=hunter2HUNTER", "when": "turn" }).to_string();
        let mask = CompanionWeb::new(None).contents().mask.expect("secrets are masked");
        let body: Value = serde_json::from_str(&mask(&body)).unwrap();
        assert_eq!(body, json!({ "desk": 1, "text": "use DB_PASSWORD=[secret]", "when": "turn" }));
    }
}
