//! What a respondent asks for on a page, sent as a form: by a browser, or by a script in its place.
//!
//! A plain form leads back to the page it came from; where it was not taken, the page comes back with what was typed and
//! what was wrong. A script is told whether it was accepted, and keeps what was typed itself.

use std::time::Duration;

use axum::extract::Path;
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Redirect, Response};
use enza_interview::Absence;
use enza_kernel::text::Said;
use enza_server::actions::IdempotencyKey;
use enza_server::extract::wants_json;
use enza_server::pages::PageContext;
use enza_server::pages::session::UnsentWords;
use enza_server::problem::Problem;
use enza_server::state::AppState;

use super::chat;
use super::frame::RequestedLanguage;
use super::pairs::{FIELD, FormPairs, OTHER};
use crate::actions::respond::{GuestCommand, GuestInterview};

/// How long whoever has no scripts waits for the next question before the page is drawn without it.
const A_MOMENT: Duration = Duration::from_secs(3);

/// Takes an order.
pub(super) async fn order(
    here: PageContext,
    Path(ticket): Path<String>,
    headers: HeaderMap,
    pairs: FormPairs,
) -> Result<Response, Problem> {
    let guest = GuestInterview::find(&here.app, &ticket).await?;
    let order = read(&pairs)?;
    let once = guest.once(pairs.one("key"), &order);
    let sent = guest.order(&here.app, order, once).await.map(drop);
    answer(&here, &guest, &headers, sent, pairs.one("words")).await
}

/// Leads back to the page, or shows it with what was typed and what was wrong with it.
pub(super) async fn answer(
    here: &PageContext,
    guest: &GuestInterview,
    headers: &HeaderMap,
    sent: Result<(), Problem>,
    typed: &str,
) -> Result<Response, Problem> {
    if wants_json(headers) {
        return sent.map(|()| StatusCode::NO_CONTENT.into_response());
    }
    let problem = match sent {
        Ok(()) => {
            settle(&here.app, guest).await;
            return Ok(Redirect::to(&guest.address()).into_response());
        }
        Err(problem) => problem,
    };
    let Said { message, hint } = problem.say(here.lang());
    let unsent =
        UnsentWords { words: typed.to_owned(), error: Some(format!("{message} {hint}")), ..UnsentWords::default() };
    // Where even the page cannot be drawn, the first problem is the one to tell of.
    let Ok(guest) = GuestInterview::find(&here.app, &guest.ticket.to_string()).await else { return Err(problem) };
    let page = chat::draw(here, &guest, None, &unsent).await?;
    Ok((problem.status(), page).into_response())
}

/// Has the conversation go on in the language that a page was asked for in, and leads to the page. None where it does
/// already. Asking twice changes nothing more, so that a reload is harmless.
pub(super) async fn switched(
    here: &PageContext,
    guest: &GuestInterview,
    asked: RequestedLanguage,
    page: &str,
) -> Option<Response> {
    let lang = asked.0.filter(|lang| guest.state.stage().is_open() && !guest.is_spoken_to_in(*lang))?;
    if let Err(problem) =
        guest.order(&here.app, GuestCommand::Language(lang.to_string()), IdempotencyKey::default()).await
    {
        // The page itself still speaks it.
        tracing::info!(?problem, "an interview stays in its language");
        return None;
    }
    settle(&here.app, guest).await;
    Some(Redirect::to(&format!("{}{page}", guest.address())).into_response())
}

/// Waits a moment for whatever the agents do next: rules and a quick model are done in it.
pub(super) async fn settle(app: &AppState, guest: &GuestInterview) {
    let _ = tokio::time::timeout(A_MOMENT, app.engine().wait_for_rest(&guest.row.id)).await;
}

fn read(pairs: &FormPairs) -> Result<GuestCommand, Problem> {
    let unfit = |name: &str| Problem::BodyUnfit(name.to_owned());
    let field = || Some(pairs.one("field")).filter(|field| !field.is_empty()).ok_or_else(|| unfit("field"));
    match pairs.one("act") {
        "say" => Ok(GuestCommand::Say(pairs.one("words").to_owned())),
        "pick" => Ok(GuestCommand::Say(pairs.field(field()?).unwrap_or_default())),
        "fill" => Ok(GuestCommand::Fill(
            filled(pairs).map(|id| (id.to_owned(), pairs.field(id).unwrap_or_default())).collect(),
        )),
        "skip" => {
            let absence = Absence::ALL.into_iter().find(|absence| absence.word() == pairs.one("absence"));
            Ok(GuestCommand::Skip(absence.ok_or_else(|| unfit("absence"))?))
        }
        "keep" => Ok(GuestCommand::Keep),
        "change" => Ok(GuestCommand::Change(field()?.to_owned())),
        "reconfirm" => Ok(GuestCommand::Reconfirm),
        "submit" => Ok(GuestCommand::Submit(pairs.one("gate").to_owned())),
        "retry" => Ok(GuestCommand::Retry),
        "deliver" => Ok(GuestCommand::Deliver),
        _ => Err(unfit("act")),
    }
}

/// The fields that something was written into.
fn filled(pairs: &FormPairs) -> impl Iterator<Item = &str> {
    pairs.iter().filter_map(|(name, _)| name.strip_prefix(FIELD).or_else(|| name.strip_prefix(OTHER)))
}
