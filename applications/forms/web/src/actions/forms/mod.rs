//! What owners do with their forms, and how others find one by a link.
//!
//! A form is a session of the application `form`; its rules are there. Here it is only said whose it must be, and its
//! state is read in its own shape, since the pages of forms show more than a conversation.

mod begin;
mod format;
mod leave;
mod link;
mod share;

use enza_forms::{Command, Forms, State};
use enza_kernel::application::Application as _;
use enza_kernel::time::Actor;
use enza_runtime::engine::{Receipt, Submission};
use enza_runtime::seams::store::{SessionId, SessionRow};
use enza_server::access::Caller;
use enza_server::actions::IdempotencyKey;
use enza_server::problem::Problem;
use enza_server::state::AppState;
use serde_json::json;

pub use begin::{FormPage, FormSpec, begin, import, list, try_out};
pub use format::FormFileFormat;
pub use leave::{count_family, delete};
pub use link::{LinkTo, draw_token};
pub use share::{
    LinkSpec, MOST_AT_ONCE, address_of, clear_webhook, links_of, make_links, publish, revoke_link, set_webhook,
};

/// The application's name.
pub const FORM: &str = Forms::NAME;

/// A form, as it stands.
#[derive(Debug, Clone)]
pub struct LoadedForm {
    pub row: SessionRow,
    pub state: State,
}

/// A form of the caller's.
pub async fn load(app: &AppState, caller: &Caller, id: &str) -> Result<LoadedForm, Problem> {
    let row = caller.session(app, id).await?;
    read(app, &row.id).await
}

/// The form behind a link, whoever asks. That the link still lets anyone in is for `State::welcome` to say.
pub async fn load_by_link(app: &AppState, link: &LinkTo) -> Result<LoadedForm, Problem> {
    read(app, &link.form).await
}

/// Sends an order to a form of the caller's.
pub async fn submit(
    app: &AppState,
    caller: &Caller,
    id: &str,
    command: &Command,
    once: IdempotencyKey,
) -> Result<Receipt, Problem> {
    let row = caller.session(app, id).await?;
    let submission = Submission { command: json!(command), by: caller.actor(), key: once.key() };
    Ok(app.engine().submit(&row.id, submission).await?)
}

/// Tells a form something on behalf of those who answer it. The key says what is told, so that it is told once.
pub async fn submit_as_runtime(
    app: &AppState,
    form: &SessionId,
    command: &Command,
    key: String,
) -> Result<Receipt, Problem> {
    let submission = Submission { command: json!(command), by: Actor::Runtime, key: Some(key) };
    Ok(app.engine().submit(form, submission).await?)
}

/// A form, whoever asks: for the house itself.
pub(crate) async fn read(app: &AppState, id: &SessionId) -> Result<LoadedForm, Problem> {
    let (row, state) = app.engine().state::<Forms>(id).await?;
    Ok(LoadedForm { row, state })
}
