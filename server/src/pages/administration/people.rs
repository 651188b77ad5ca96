//! Who is here, and who is invited.

use axum::Router;
use axum::response::Response;
use axum::routing::{get, post};
use enza_kernel::limits;
use maud::{Markup, html};
use serde::Deserialize;

use super::{back, tab};
use crate::access::{Address, Allowed, ToRun};
use crate::actions::people::{self, Invitation, InvitationWish, Listed, NewLink};
use crate::design::{
    Field, Tone, Weight, badge, button, choice, empty, field, form, link_button, notice, section, table, time,
};
use crate::extract::{FormBody, QueryParams};
use crate::pages::PageContext;
use crate::pages::form_error::FormError;
use crate::problem::Problem;
use crate::state::{Accounts, AppState};

const HERE: &str = "/administration";
/// For how many days one may choose.
const DAYS: [&str; 3] = ["1", "7", "30"];

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route(HERE, get(show))
        .route("/administration/invitations", post(invite))
        .route("/administration/invitations/revoke", post(revoke))
}

#[derive(Debug, Default, Deserialize)]
struct PeoplePageQuery {
    after: Option<String>,
    #[serde(default)]
    done: String,
}

#[derive(Debug, Default, Deserialize)]
struct InvitationInput {
    #[serde(default)]
    label: String,
    #[serde(default)]
    days: String,
}

#[derive(Debug, Deserialize)]
struct RevokeInvitationInput {
    id: String,
}

async fn show(
    here: PageContext,
    _: Allowed<ToRun>,
    QueryParams(page): QueryParams<PeoplePageQuery>,
) -> Result<Response, Problem> {
    draw(&here, &page, &InvitationInput::default(), None, &FormError::default()).await
}

/// The link is in this answer and in no other, so this form does not lead on.
async fn invite(
    here: PageContext,
    caller: Allowed<ToRun>,
    from: Address,
    FormBody(typed): FormBody<InvitationInput>,
) -> Result<Response, Problem> {
    let wish = InvitationWish { label: typed.label.clone(), days: typed.days.parse().unwrap_or(7) };
    let problem = match people::invite(&here.app, &caller.0, &wish, &from).await {
        Ok(link) => {
            return draw(
                &here,
                &PeoplePageQuery::default(),
                &InvitationInput::default(),
                Some(&link),
                &FormError::default(),
            )
            .await;
        }
        Err(problem) => problem,
    };
    let beside = match &problem {
        Problem::Text(_) => "label",
        Problem::BodyUnfit(_) | Problem::RegistrationClosed => "",
        _ => return Err(problem),
    };
    draw(&here, &PeoplePageQuery::default(), &typed, None, &FormError::at(beside, &problem, here.lang())).await
}

async fn revoke(
    here: PageContext,
    caller: Allowed<ToRun>,
    from: Address,
    FormBody(gone): FormBody<RevokeInvitationInput>,
) -> Result<Response, Problem> {
    match people::revoke_invitation(&here.app, &caller.0, &gone.id, &from).await {
        // Taken back twice, or used meanwhile: there is no such invitation any more.
        Ok(()) | Err(Problem::NothingHere) => Ok(back(HERE, "revoked")),
        Err(problem) => Err(problem),
    }
}

async fn draw(
    here: &PageContext,
    page: &PeoplePageQuery,
    wish: &InvitationInput,
    link: Option<&NewLink>,
    mistake: &FormError,
) -> Result<Response, Problem> {
    let words = here.words;
    let listed = people::people(&here.app, page.after.as_deref()).await?;
    let invitations = people::invitations(&here.app).await?;
    let body = html! {
        @if let Some(link) = link { (shown_once(here, link)) }
        (section(words.say("administration.people"), html! {
            @if listed.is_empty() { (empty(words.say("people.none"), words.say("people.none_what"), None)) }
            @else { (people_table(here, &listed)) }
            @if let (Some(last), true) = (listed.last(), listed.len() == people::PAGE) {
                div.row { (link_button(&format!("{HERE}?after={}", last.name), words.say("administration.more"), Weight::Plain)) }
            }
        }))
        @if here.app.accounts() == Accounts::Shared {
            (section(words.say("people.invite"), html! {
                @if !invitations.is_empty() { (invitation_table(here, &invitations)) }
                (invitation_form(here, wish, mistake))
            }))
        }
    };
    Ok(tab(here, HERE, &page.done, mistake, &body))
}

/// A link that is shown once, to be sent to whom it is for.
pub(super) fn shown_once(here: &PageContext, link: &NewLink) -> Markup {
    let words = here.words;
    html! {
        (notice(Tone::Good, words.say("people.link"), words.say("people.link_what")))
        code.secret { (link.address) }
        p.soft.small { (words.say("token.expires")) " " (time(words, link.expires_at)) }
    }
}

fn people_table(here: &PageContext, listed: &[Listed]) -> Markup {
    let words = here.words;
    let heads = ["enter.name", "register.display", "people.standing", "account.since"].map(|key| words.say(key));
    let rows = listed.iter().map(|person| {
        vec![
            html! { a href={ "/administration/people/" (person.name) } { (person.name) } },
            html! { (person.display) },
            standing(here, person),
            time(words, person.added_at),
        ]
    });
    table(&heads, rows.collect())
}

/// What is out of the ordinary about a person.
pub(super) fn standing(here: &PageContext, person: &Listed) -> Markup {
    let words = here.words;
    html! {
        @if person.is_admin { (badge(words.say("people.admin"), Tone::Plain)) " " }
        @if person.is_blocked { (badge(words.say("people.blocked"), Tone::Bad)) " " }
        @if person.limits.is_some() { (badge(words.say("people.limited"), Tone::Plain)) }
    }
}

fn invitation_table(here: &PageContext, invitations: &[Invitation]) -> Markup {
    let words = here.words;
    let heads = ["people.for", "people.made", "token.expires", "token.action"].map(|key| words.say(key));
    let rows = invitations.iter().map(|invitation| {
        vec![
            html! { @if invitation.label.is_empty() { "—" } @else { (invitation.label) } },
            time(words, invitation.issued_at),
            html! { @if let Some(end) = invitation.expires_at { (time(words, end)) } },
            form(
                "/administration/invitations/revoke",
                html! {
                    input type="hidden" name="id" value=(invitation.id);
                    (button(words.say("people.revoke"), Weight::Grave))
                },
            ),
        ]
    });
    table(&heads, rows.collect())
}

fn invitation_form(here: &PageContext, wish: &InvitationInput, mistake: &FormError) -> Markup {
    let words = here.words;
    let days = DAYS.map(|days| (days, words.of("invitation-days", days)));
    form(
        "/administration/invitations",
        html! {
            (field(words, &Field {
                value: &wish.label,
                hint: Some(words.say("people.for_hint")),
                error: mistake.beside("label").as_deref(),
                limit: Some(limits::NAME.graphemes),
                ..Field::new("label", words.say("people.for"))
            }))
            (choice("days", words.say("token.lasts"), &days, if wish.days.is_empty() { "7" } else { &wish.days }))
            div.row { (button(words.say("people.invite_do"), Weight::Main)) }
        },
    )
}
