//! Delivers submissions: counts them at their form, and sends them on to the form's receiver, signed.
//!
//! The interview's own rules say when a delivery is tried again; here one attempt is made. All attempts of a submission
//! carry the same id, so that a receiver can tell a repetition, and what was sent before the process died is sent again.
//! Interviews that belong to no form are handed on to whoever delivered them before.
//!
//! Refusing addresses inside the house is `egress`, the way over the line `client`, what is sent `payload`.

mod client;
mod egress;
mod payload;
mod sign;

use std::sync::Arc;

use async_trait::async_trait;
use enza_forms::Command;
use enza_kernel::effect::RunTool;
use enza_runtime::seams::store::SessionId;
use enza_runtime::seams::tools::{ToolFailure, Tools};
use enza_server::problem::Problem;
use enza_server::state::AppState;
use tokio::sync::watch;

pub use client::{Delivered, Undelivered, WebhookClient};
pub use egress::EgressPolicy;
pub use sign::sign;

use crate::FormsWeb;
use crate::actions::forms::{self, LoadedForm, draw_token};

/// The tool `deliver` of a server.
pub struct DeliveryTool {
    /// Delivers for interviews that belong to no form.
    pub without_form: Arc<dyn Tools>,
    /// The server. The engine needs the tool before there is one; what is asked for until then waits.
    pub app: watch::Receiver<Option<AppState>>,
}

impl DeliveryTool {
    async fn app(&self) -> Result<AppState, ToolFailure> {
        let mut opened = self.app.clone();
        let app = opened.wait_for(Option::is_some).await.ok().and_then(|app| app.clone());
        app.ok_or_else(|| ToolFailure("The server has stopped.".to_owned()))
    }
}

#[async_trait]
impl Tools for DeliveryTool {
    async fn run(&self, session: &SessionId, run: &RunTool) -> Result<String, ToolFailure> {
        let app = self.app().await?;
        let row = app.engine().row(session).await.map_err(|why| failure(&why.into()))?;
        match row.of {
            // A copy that the owner forked to look into is nobody's submission.
            Some(_) if row.parent.is_some() => Ok("not sent: a copy".to_owned()),
            Some(form) => deliver(&app, &form, session, run).await,
            None => self.without_form.run(session, run).await,
        }
    }
}

/// Sends something harmless to a form's receiver, so that its owner sees whether it arrives. None without a receiver.
pub async fn ping(app: &AppState, held: &LoadedForm) -> Option<Result<Delivered, Undelivered>> {
    let webhook = held.state.webhook()?;
    let body = payload::ping(held, app.now());
    let id = format!("msg_ping_{}", draw_token(20));
    Some(FormsWeb::of(app).webhooks.send(webhook, &id, app.now(), body).await)
}

async fn deliver(app: &AppState, form: &SessionId, session: &SessionId, run: &RunTool) -> Result<String, ToolFailure> {
    let receive = Command::Receive { session: session.to_string() };
    forms::submit_as_runtime(app, form, &receive, format!("receive-{session}")).await.map_err(|why| failure(&why))?;
    let held = forms::read(app, form).await.map_err(|why| failure(&why))?;
    let Some(webhook) = held.state.webhook() else { return Ok("counted".to_owned()) };
    let body = payload::submitted(app, &held, session).await.map_err(|why| failure(&why))?;
    let handed = FormsWeb::of(app).webhooks.send(webhook, &id_of(session, run), app.now(), body).await;
    match handed {
        Ok(Delivered { status, .. }) => Ok(format!("answered {status}")),
        Err(undelivered) => {
            tracing::info!(%session, why = %undelivered, "a submission could not be sent on");
            Err(ToolFailure(undelivered.to_string()))
        }
    }
}

/// The submission's name for the receiver, the same for every attempt. A full stop would be read as the end of it.
fn id_of(session: &SessionId, run: &RunTool) -> String {
    let number = run.arguments["id"].as_str().unwrap_or_default();
    let letters = |text: &str| text.replace(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-', "_");
    format!("msg_{}_{}", letters(session.as_str()), letters(number))
}

fn failure(problem: &Problem) -> ToolFailure {
    ToolFailure(format!("house {}", problem.code()))
}
