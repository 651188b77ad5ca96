//! For respondents: begin by a link, look, answer, correct, submit. No account; the ticket is the credential.
//!
//! The routes show what the respondent's pages show, and nothing for the owner's eyes: no criteria, no hints, no
//! thresholds of the form, no other respondents. Where a request may be sent twice it takes a `key` in its body.

pub mod live;
mod shapes;

use axum::extract::State;
use axum::http::StatusCode;
use axum::http::header::{ACCEPT_LANGUAGE, SET_COOKIE};
use axum::response::{IntoResponse as _, Response};
use enza_interview::primary;
use enza_kernel::conversation::Digest;
use enza_server::access::Address;
use enza_server::actions::IdempotencyKey;
use enza_server::actions::sessions::place;
use enza_server::api::sessions::Accepted;
use enza_server::extract::{JsonBody, PathParams, QueryParams, ReaderLang};
use enza_server::problem::Problem;
use enza_server::state::AppState;
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

pub use shapes::{
    AnswerGiven, BeginInterview, Confirmed, FieldChanged, FieldSeen, FieldsFilled, Interview, LanguageWanted,
    MessageSaid, Messages, MessagesFrom, OfferToAnswer, TicketGiven,
};

use crate::actions::forms::LinkTo;
use crate::actions::respond::{
    self, GuestCommand, GuestInterview, InterviewStart, PREFIX, RESPONDENT, detect_locale, prefill_of,
};
use crate::pages::respond::remember;

/// How long a key may be that begins an interview: whoever guesses it has the ticket.
const KEY: std::ops::RangeInclusive<usize> = 16..=100;

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new()
        .routes(routes!(begin_interview))
        .routes(routes!(show_interview, delete_interview))
        .routes(routes!(list_messages))
        .routes(routes!(live::follow_interview))
        .routes(routes!(answer_question))
        .routes(routes!(fill_fields))
        .routes(routes!(change_answer))
        .routes(routes!(speak_language))
        .routes(routes!(confirm_interview))
}

/// Begin an interview by a link
#[utoipa::path(post, path = "/api/f/{link}", tag = "respondents", security(()), request_body = BeginInterview,
    params(("link" = String, Path, description = "What stands behind `/f/` in the link")),
    responses((status = 201, description = "It has begun", body = TicketGiven),
        (status = 410, description = "The link was used or withdrawn, or the form takes no more answers",
            body = enza_server::api::sessions::ProblemBody)))]
pub async fn begin_interview(
    State(app): State<AppState>,
    PathParams(link): PathParams<String>,
    address: Address,
    headers: axum::http::HeaderMap,
    JsonBody(begin): JsonBody<BeginInterview>,
) -> Result<(StatusCode, axum::Json<TicketGiven>), Problem> {
    let to: LinkTo = link.parse().map_err(|_| respond::no_such_link())?;
    respond::count_beginning(app.rate_limiter(), &link, &address, app.now())?;
    let once = match &begin.key {
        Some(key) if KEY.contains(&key.len()) => IdempotencyKey::of(RESPONDENT, key, &Digest::of(link.as_bytes())),
        Some(_) => return Err(Problem::BodyUnfit(format!("key: {}…{}", KEY.start(), KEY.end()))),
        None => IdempotencyKey::default(),
    };
    let header = headers.get(ACCEPT_LANGUAGE).and_then(|wishes| wishes.to_str().ok());
    let wishes = begin.languages.as_deref().or(header).unwrap_or_default();
    let prefill: Vec<(String, &str)> =
        begin.prefill.iter().map(|(id, value)| (format!("{PREFIX}{id}"), value.as_str())).collect();
    let arrival = InterviewStart {
        bootstrap: detect_locale(wishes, None, begin.timezone.as_deref()),
        consented: begin.consented,
        prefill: prefill_of(prefill.iter().map(|(name, value)| (name.as_str(), *value))),
    };
    let ticket = respond::begin(&app, &to, arrival, once).await?;
    let address = format!("{}/r/{ticket}", app.public());
    Ok((StatusCode::CREATED, axum::Json(TicketGiven { ticket: ticket.to_string(), address })))
}

/// An interview as its respondent sees it
#[utoipa::path(get, path = "/api/r/{ticket}", tag = "respondents", security(()),
    params(("ticket" = String, Path, description = "The ticket")),
    responses((status = 200, description = "The interview", body = Interview)))]
pub async fn show_interview(
    State(app): State<AppState>,
    ReaderLang(lang): ReaderLang,
    PathParams(ticket): PathParams<String>,
) -> Result<axum::Json<Interview>, Problem> {
    let guest = GuestInterview::find(&app, &ticket).await?;
    Ok(axum::Json(Interview::of(&guest, lang)))
}

/// Delete an interview that was not submitted
#[utoipa::path(delete, path = "/api/r/{ticket}", tag = "respondents", security(()),
    params(("ticket" = String, Path, description = "The ticket")),
    responses((status = 204, description = "It is gone")))]
pub async fn delete_interview(
    State(app): State<AppState>,
    PathParams(ticket): PathParams<String>,
) -> Result<StatusCode, Problem> {
    GuestInterview::find(&app, &ticket).await?.delete(&app).await?;
    Ok(StatusCode::NO_CONTENT)
}

/// What was said in an interview
#[utoipa::path(get, path = "/api/r/{ticket}/messages", tag = "respondents", security(()),
    params(("ticket" = String, Path, description = "The ticket"), MessagesFrom),
    responses((status = 200, description = "Lines", body = Messages)))]
pub async fn list_messages(
    State(app): State<AppState>,
    ReaderLang(lang): ReaderLang,
    PathParams(ticket): PathParams<String>,
    QueryParams(from): QueryParams<MessagesFrom>,
) -> Result<axum::Json<Messages>, Problem> {
    let guest = GuestInterview::find(&app, &ticket).await?;
    let talk = guest.conversation(&app, place(from.after.unwrap_or(0)), from.limit, lang).await?;
    let lines = talk.lines.into_iter().map(|said| MessageSaid { seq: said.seq.0, at: said.at.0, line: said.line });
    Ok(axum::Json(Messages { messages: lines.collect(), next: talk.next.map(|seq| seq.0) }))
}

/// Answer the open question
#[utoipa::path(post, path = "/api/r/{ticket}/answer", tag = "respondents", security(()), request_body = AnswerGiven,
    params(("ticket" = String, Path, description = "The ticket")),
    responses((status = 200, description = "It was accepted", body = Accepted)))]
pub async fn answer_question(
    State(app): State<AppState>,
    PathParams(ticket): PathParams<String>,
    JsonBody(answer): JsonBody<AnswerGiven>,
) -> Result<axum::Json<Accepted>, Problem> {
    let order = match (answer.text, answer.absence) {
        (Some(text), None) => GuestCommand::Say(text),
        (None, Some(absence)) => GuestCommand::Skip(absence),
        (Some(_), Some(_)) | (None, None) => return Err(Problem::BodyUnfit("text | absence".to_owned())),
    };
    send(&app, &ticket, order, answer.key).await
}

/// Write into fields
#[utoipa::path(post, path = "/api/r/{ticket}/fill", tag = "respondents", security(()), request_body = FieldsFilled,
    params(("ticket" = String, Path, description = "The ticket")),
    responses((status = 200, description = "It was accepted", body = Accepted)))]
pub async fn fill_fields(
    State(app): State<AppState>,
    PathParams(ticket): PathParams<String>,
    JsonBody(filled): JsonBody<FieldsFilled>,
) -> Result<axum::Json<Accepted>, Problem> {
    send(&app, &ticket, GuestCommand::Fill(filled.answers), filled.key).await
}

/// Turn the conversation to a field again
#[utoipa::path(post, path = "/api/r/{ticket}/change", tag = "respondents", security(()), request_body = FieldChanged,
    params(("ticket" = String, Path, description = "The ticket")),
    responses((status = 200, description = "It was accepted", body = Accepted)))]
pub async fn change_answer(
    State(app): State<AppState>,
    PathParams(ticket): PathParams<String>,
    JsonBody(change): JsonBody<FieldChanged>,
) -> Result<axum::Json<Accepted>, Problem> {
    send(&app, &ticket, GuestCommand::Change(change.field_id), None).await
}

/// Be spoken to in another language
#[utoipa::path(post, path = "/api/r/{ticket}/language", tag = "respondents", security(()), request_body = LanguageWanted,
    params(("ticket" = String, Path, description = "The ticket")),
    responses((status = 200, description = "The open question is asked in it", body = Accepted)))]
pub async fn speak_language(
    State(app): State<AppState>,
    PathParams(ticket): PathParams<String>,
    JsonBody(wanted): JsonBody<LanguageWanted>,
) -> Result<Response, Problem> {
    // Where the pages speak it, too, a browser that asked turns to it as a whole.
    let ours = primary(&wanted.language).parse().ok();
    let mut response = send(&app, &ticket, GuestCommand::Language(wanted.language), None).await?.into_response();
    if let Some(lang) = ours {
        response.headers_mut().append(SET_COOKIE, remember(lang));
    }
    Ok(response)
}

/// Say yes to the confirmation, which submits
#[utoipa::path(post, path = "/api/r/{ticket}/confirm", tag = "respondents", security(()), request_body = Confirmed,
    params(("ticket" = String, Path, description = "The ticket")),
    responses((status = 200, description = "It was accepted", body = Accepted)))]
pub async fn confirm_interview(
    State(app): State<AppState>,
    PathParams(ticket): PathParams<String>,
    JsonBody(confirmed): JsonBody<Confirmed>,
) -> Result<axum::Json<Accepted>, Problem> {
    let guest = GuestInterview::find(&app, &ticket).await?;
    let open = guest.state.gate().map(|gate| gate.id.clone());
    let gate = confirmed.gate.or(open).unwrap_or_default();
    Ok(axum::Json(guest.order(&app, GuestCommand::Submit(gate), IdempotencyKey::default()).await?.into()))
}

async fn send(
    app: &AppState,
    ticket: &str,
    order: GuestCommand,
    key: Option<String>,
) -> Result<axum::Json<Accepted>, Problem> {
    let guest = GuestInterview::find(app, ticket).await?;
    let once = guest.once(key.as_deref().unwrap_or_default(), &order);
    Ok(axum::Json(guest.order(app, order, once).await?.into()))
}
