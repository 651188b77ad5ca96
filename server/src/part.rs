//! What an application adds to the server: a seam that its own `web` crate fills.
//!
//! The frame shows any session and takes any command. An application that has more than a conversation brings a part:
//! routes, pages, words, assets, the way in on the first page, and what has to be looked up on this machine before a
//! command of its sessions is decided. The frame puts its own and the parts' together and names none of them. Whoever
//! starts the server says which parts there are.

use std::any::Any;
use std::sync::Arc;

use async_trait::async_trait;
use axum::Router;
use enza_kernel::text::Lang;
use enza_runtime::seams::store::SessionId;
use maud::Markup;
use serde::Serialize;
use serde_json::Value;
use utoipa::ToSchema;
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

    /// Looks up what a command needs of this machine, before the engine decides on it. Every command that a person sends to
    /// a session of the application comes by here, from pages and from programs. It submits nothing, so it may be called
    /// again.
    async fn prepare(&self, _caller: &Caller, sent: SentCommand<'_>) -> Result<Prepared, Problem> {
        Ok(Prepared::plain(sent.command))
    }

    /// A command to a session that was open was accepted.
    async fn accepted(&self, _session: &SessionId) {}

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
    /// Masks secrets in an event's JSON before it leaves in an export; none where nothing is masked.
    pub mask: Option<fn(&str) -> String>,
    /// The most bytes of a body at a path, where that is more than the usual. It is for bodies that say how large they are;
    /// the route limits what is read.
    pub body_limit: fn(&str) -> Option<BodyLimit>,
}

impl PartContents {
    /// A part that brings nothing but the application's word.
    pub fn of(application: &'static str) -> Self {
        Self { application, words: &[], assets: &[], room: None, mask: None, body_limit: |_| None }
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

/// A command as a person sent it.
#[derive(Debug, Clone)]
pub struct SentCommand<'a> {
    pub session: &'a SessionId,
    /// Whether it begins the session.
    pub opens: bool,
    pub command: Value,
    /// The sender's language.
    pub lang: Lang,
}

/// A command as it is to be submitted.
#[derive(Debug, Clone, PartialEq)]
pub struct Prepared {
    /// Commands that come before it, to a session that is open.
    pub first: Vec<Value>,
    pub command: Value,
    /// What the person is told besides.
    pub remarks: Vec<Remark>,
}

impl Prepared {
    /// A command to be submitted as it was sent.
    pub fn plain(command: Value) -> Self {
        Self { first: Vec::new(), command, remarks: Vec::new() }
    }
}

/// Something that a person is told about what they asked for, which was done all the same.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, ToSchema)]
pub struct Remark {
    /// How it is meant.
    pub kind: RemarkKind,
    /// The words.
    pub text: String,
}

/// How a remark is meant.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, ToSchema)]
#[serde(rename_all = "snake_case")]
#[schema(as = RemarkKind)]
pub enum RemarkKind {
    /// Good to know.
    Note,
    /// Something was left out.
    Warning,
}

/// Takes in what parts bring for the whole process: their words and assets.
pub fn install(parts: &[Arc<dyn WebPart>]) {
    for part in parts {
        let contents = part.contents();
        words::add(contents.words);
        assets::add(contents.assets);
    }
}
