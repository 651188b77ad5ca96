//! What an application adds to the server: a seam that its own `web` crate fills.
//!
//! The frame shows any session and takes any command. An application that has more than a conversation brings a part:
//! routes, pages, words, assets, and the way in on the first page. The frame puts its own and the parts' together and names
//! none of them. Whoever starts the server says which parts there are.

use std::any::Any;
use std::sync::Arc;

use async_trait::async_trait;
use axum::Router;
use maud::Markup;
use utoipa_axum::router::OpenApiRouter;

use crate::access::Caller;
use crate::assets::{self, Asset};
use crate::pages::PageContext;
use crate::problem::Problem;
use crate::state::AppState;
use crate::words::{self, WordFiles, Words};

/// The parts of a server.
pub type Parts = Vec<Arc<dyn WebPart>>;

/// What one application adds.
#[async_trait]
pub trait WebPart: Any + Send + Sync {
    /// What it brings that never changes.
    fn contents(&self) -> PartContents;

    /// Its routes for programs, under `/api/`, each with what it says about itself in the OpenAPI document.
    fn api(&self) -> OpenApiRouter<AppState> {
        OpenApiRouter::new()
    }

    /// Its pages.
    fn pages(&self) -> Router<AppState> {
        Router::new()
    }

    /// A picture of the real thing for its card on the first pages: a small scene of `design::vignette`, in the reader's
    /// language. It is looked at and not read aloud, so it says nothing that the card does not say, and nothing in it can
    /// be used. Without one the card has a plain mark.
    fn picture(&self, _words: Words) -> Option<Markup> {
        None
    }

    /// How this reader begins a session of it from its card on the first page.
    fn entrance(&self, _here: &PageContext, _caller: &Caller) -> Entrance {
        Entrance::Openings
    }

    /// Whether a caller may begin a session of it, or go on in one, where that takes more than a session's owner. What its
    /// commands then need of this machine is looked up by its `Prepare`.
    fn allows(&self, _app: &AppState, _caller: &Caller, _opens: bool) -> Result<(), Problem> {
        Ok(())
    }

    /// Deletes what is past its days, among everything of everyone's. Done now and then, by whoever serves. Says how many
    /// sessions went.
    async fn sweep(&self, _app: &AppState) -> Result<u64, Problem> {
        Ok(0)
    }
}

/// What a part brings that never changes.
#[derive(Clone, Copy)]
pub struct PartContents {
    /// The application's word, by which its sessions are known.
    pub application: &'static str,
    /// Its sentences. Some stand in tables of the frame: `act` has what it writes into the journal, `api-tag` and
    /// `api-route` its routes, `problem` and `problem-hint` its problems. What it is called stands with its rules.
    pub words: WordFiles,
    pub assets: &'static [Asset],
    /// Where its sessions are listed and read, if they have pages of their own.
    pub room: Option<Room>,
    /// The most bytes of a body at a path, where that is more than the usual. It is for bodies that say how large they are;
    /// the route limits what is read.
    pub body_limit: fn(&str) -> Option<BodyLimit>,
}

impl PartContents {
    /// A part that brings nothing but the application's word.
    pub fn of(application: &'static str) -> Self {
        Self { application, words: &[], assets: &[], room: None, body_limit: |_| None }
    }
}

/// How large a body may be.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct BodyLimit {
    pub bytes: usize,
    /// What is said of one that is larger.
    pub beyond: Problem,
}

/// Pages of an application's own, in the menu of every page.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Room {
    /// Where the list is; a session's page is below it, under the session's name.
    pub address: &'static str,
    /// The key of what it is called.
    pub name: &'static str,
}

/// How a reader begins from the card of an application.
pub enum Entrance {
    /// With the openings that the application has ready: the first by the card's button, the others below it.
    Openings,
    /// On pages of its own.
    Pages {
        /// Where the button leads.
        begin: &'static str,
        /// Where those that there are already are, and what that is called.
        list: Option<(&'static str, &'static str)>,
    },
    /// With a form that the button folds out.
    Form {
        form: Markup,
        /// Whether it is unfolded already, since it came back with what is wrong with it.
        is_open: bool,
    },
    /// Not at all: it is not for this reader.
    Closed,
}

/// Takes in what parts bring for the whole process: their words and assets.
pub fn install(parts: &[Arc<dyn WebPart>]) {
    for part in parts {
        let contents = part.contents();
        words::add(contents.words);
        assets::add(contents.assets);
    }
}
