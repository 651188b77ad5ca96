//! What forms add to the server: the owner's builder and lists, links and those who answer by them, submissions with their
//! files and webhooks.
//!
//! A form is a session of the application `form`, and an answer one of the interview that belongs to it; their rules are
//! there. Acts are in `actions`, plain functions that the routes for programs (`api`) and the pages (`pages`) both call.

pub mod actions;
pub mod api;
mod entrance;
pub mod exports;
mod pages;
mod problem;
pub mod webhook;

pub use problem::CODES;

use async_trait::async_trait;
use axum::Router;
use enza_forms::Forms;
use enza_kernel::application::Application as _;
use enza_server::AppState;
use enza_server::access::{AuditEvent, Caller};
use enza_server::assets::Asset;
use enza_server::pages::PageContext;
use enza_server::part::{Entrance, PartContents, Room, WebPart};
use enza_server::problem::Problem;
use enza_server::words::{WordFiles, Words};
use maud::Markup;
use utoipa_axum::router::OpenApiRouter;

use actions::submissions;
use webhook::{EgressPolicy, WebhookClient};

/// The sentences of forms.
pub const WORDS: WordFiles = &[
    include_str!("../words/forms.toml"),
    include_str!("../words/frame.toml"),
    include_str!("../words/respond.toml"),
    include_str!("../words/submissions.toml"),
];

const ASSETS: &[Asset] = &[
    Asset::style("forms.css", include_str!("../assets/forms.css")),
    Asset::style("respond.css", include_str!("../assets/respond.css")),
    Asset::style("submissions.css", include_str!("../assets/submissions.css")),
    Asset::script("builder.js", include_str!("../assets/builder.js")),
    Asset::script("classic.js", include_str!("../assets/classic.js")),
    Asset::script("forms.js", include_str!("../assets/forms.js")),
    Asset::script("respond.js", include_str!("../assets/respond.js")),
];

/// Took what was answered to a form along.
const SUBMISSIONS_EXPORTED: AuditEvent = AuditEvent::OfPart("submissions-exported");
/// Took a form's unused links along, each of which lets somebody in.
const LINKS_EXPORTED: AuditEvent = AuditEvent::OfPart("links-exported");
/// Deleted a form with everything that was answered to it.
const FORM_DELETED: AuditEvent = AuditEvent::OfPart("form-deleted");
/// Deleted what one respondent had answered.
const SUBMISSION_DELETED: AuditEvent = AuditEvent::OfPart("submission-deleted");
/// A respondent deleted their own interview.
const INTERVIEW_WITHDRAWN: AuditEvent = AuditEvent::OfPart("interview-withdrawn");
/// The house deleted submissions of a form that were past their days.
const SUBMISSIONS_EXPIRED: AuditEvent = AuditEvent::OfPart("submissions-expired");

/// The forms' part of a server.
pub struct FormsWeb {
    webhooks: WebhookClient,
}

impl FormsWeb {
    /// With submissions sent on as far as this.
    pub fn new(reach: EgressPolicy) -> Self {
        Self { webhooks: WebhookClient::new(reach) }
    }

    /// The forms' part of this server.
    fn of(app: &AppState) -> &Self {
        app.part().expect("whoever serves forms has their part")
    }
}

#[async_trait]
impl WebPart for FormsWeb {
    fn contents(&self) -> PartContents {
        PartContents {
            words: WORDS,
            assets: ASSETS,
            room: Some(Room { address: "/forms", name: "forms.name" }),
            body_limit: pages::body_limit,
            ..PartContents::of(Forms::NAME)
        }
    }

    fn api(&self) -> OpenApiRouter<AppState> {
        api::routes()
    }

    fn pages(&self) -> Router<AppState> {
        pages::routes()
    }

    fn entrance(&self, here: &PageContext, _caller: &Caller) -> Entrance {
        entrance::entrance(here.words)
    }

    fn picture(&self, words: Words) -> Option<Markup> {
        Some(entrance::picture(words))
    }

    async fn sweep(&self, app: &AppState) -> Result<u64, Problem> {
        submissions::sweep(app).await
    }
}
