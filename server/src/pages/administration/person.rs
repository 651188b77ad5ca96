//! One person, and what an administrator may do about them.

use axum::Router;
use axum::response::Response;
use axum::routing::{get, post};
use maud::{Markup, html};
use serde::Deserialize;

use super::people::{shown_once, standing};
use super::{AdminFlash, back, limit_fields, tab};
use crate::access::{Address, Allowed, ToRun, ToVouch};
use crate::actions::people::{self, Listed, NewLink, PersonChanges};
use crate::design::{Field, Weight, button, facts, field, form, section, time, verdict_button};
use crate::extract::{FormBody, PathParams, QueryParams};
use crate::pages::PageContext;
use crate::pages::form_error::{FormError, read_limits, write_money, write_tokens};
use crate::problem::Problem;
use crate::state::AppState;

/// The tab that a person belongs to.
const TAB: &str = "/administration";

pub(super) fn routes() -> Router<AppState> {
    Router::new()
        .route("/administration/people/{name}", get(show))
        .route("/administration/people/{name}/standing", post(change))
        .route("/administration/people/{name}/limits", post(limit))
        .route("/administration/people/{name}/reset", post(reset))
        .route("/administration/people/{name}/remove", post(remove))
}

/// Which of the buttons was pressed.
#[derive(Debug, Clone, Copy, Deserialize)]
#[serde(rename_all = "snake_case")]
enum PersonAction {
    Block,
    Unblock,
    Make,
    Unmake,
}

#[derive(Debug, Deserialize)]
struct PersonActionInput {
    verdict: PersonAction,
}

#[derive(Debug, Default, Deserialize)]
struct TypedLimits {
    #[serde(default)]
    tokens_per_day: String,
    #[serde(default)]
    tokens_in_all: String,
    #[serde(default)]
    money_per_day: String,
    #[serde(default)]
    money_in_all: String,
    /// Which of the two buttons was pressed.
    #[serde(default)]
    verdict: String,
}

impl TypedLimits {
    fn all(&self) -> [&str; 4] {
        [&self.tokens_per_day, &self.tokens_in_all, &self.money_per_day, &self.money_in_all]
    }

    fn of(person: &Listed) -> Self {
        let limits = person.limits.unwrap_or_default();
        Self {
            tokens_per_day: write_tokens(limits.tokens_per_day),
            tokens_in_all: write_tokens(limits.tokens_in_all),
            money_per_day: write_money(limits.money_per_day),
            money_in_all: write_money(limits.money_in_all),
            verdict: String::new(),
        }
    }
}

#[derive(Debug, Deserialize)]
struct RemovePersonInput {
    #[serde(default)]
    confirm: String,
}

async fn show(
    here: PageContext,
    _: Allowed<ToRun>,
    PathParams(name): PathParams<String>,
    QueryParams(done): QueryParams<AdminFlash>,
) -> Result<Response, Problem> {
    let person = people::person(&here.app, &name).await?;
    Ok(draw(&here, &person, &TypedLimits::of(&person), None, &done, &FormError::default()))
}

async fn change(
    here: PageContext,
    caller: Allowed<ToRun>,
    from: Address,
    PathParams(name): PathParams<String>,
    FormBody(pressed): FormBody<PersonActionInput>,
) -> Result<Response, Problem> {
    let changes = match pressed.verdict {
        PersonAction::Block => PersonChanges { is_blocked: Some(true), ..PersonChanges::default() },
        PersonAction::Unblock => PersonChanges { is_blocked: Some(false), ..PersonChanges::default() },
        PersonAction::Make => PersonChanges { is_admin: Some(true), ..PersonChanges::default() },
        PersonAction::Unmake => PersonChanges { is_admin: Some(false), ..PersonChanges::default() },
    };
    match people::change_person(&here.app, &caller.0, &name, changes, &from).await {
        Ok(_) => Ok(back(&address(&name), "saved")),
        Err(problem @ Problem::LastAdmin) => again(&here, &name, "", &problem).await,
        Err(problem) => Err(problem),
    }
}

async fn limit(
    here: PageContext,
    caller: Allowed<ToRun>,
    from: Address,
    PathParams(name): PathParams<String>,
    FormBody(typed): FormBody<TypedLimits>,
) -> Result<Response, Problem> {
    let person = people::person(&here.app, &name).await?;
    let changes = if typed.verdict == "everyone" {
        PersonChanges { limits_of_everyone: true, ..PersonChanges::default() }
    } else {
        match read_limits(typed.all()) {
            Ok(limits) => PersonChanges { limits: Some(limits), ..PersonChanges::default() },
            Err(unread) => {
                let mistake = FormError::unread(unread, here.lang());
                return Ok(draw(&here, &person, &typed, None, &AdminFlash::default(), &mistake));
            }
        }
    };
    match people::change_person(&here.app, &caller.0, &name, changes, &from).await {
        Ok(_) => Ok(back(&address(&name), "saved")),
        Err(problem @ Problem::BodyUnfit(_)) => {
            Ok(draw(&here, &person, &typed, None, &AdminFlash::default(), &FormError::at("", &problem, here.lang())))
        }
        Err(problem) => Err(problem),
    }
}

/// The link is in this answer and in no other, so this form does not lead on.
async fn reset(
    here: PageContext,
    caller: Allowed<ToVouch>,
    from: Address,
    PathParams(name): PathParams<String>,
) -> Result<Response, Problem> {
    let link = people::reset(&here.app, &caller.0, &name, &from).await?;
    let person = people::person(&here.app, &name).await?;
    Ok(draw(&here, &person, &TypedLimits::of(&person), Some(&link), &AdminFlash::default(), &FormError::default()))
}

async fn remove(
    here: PageContext,
    caller: Allowed<ToRun>,
    from: Address,
    PathParams(name): PathParams<String>,
    FormBody(typed): FormBody<RemovePersonInput>,
) -> Result<Response, Problem> {
    if typed.confirm.trim() != name {
        return again(&here, &name, "confirm", &Problem::BodyUnfit(typed.confirm)).await;
    }
    match people::remove(&here.app, &caller.0, &name, &from).await {
        Ok(()) => Ok(back(TAB, "removed")),
        Err(problem @ Problem::LastAdmin) => again(&here, &name, "", &problem).await,
        Err(problem) => Err(problem),
    }
}

async fn again(here: &PageContext, name: &str, field: &'static str, problem: &Problem) -> Result<Response, Problem> {
    let person = people::person(&here.app, name).await?;
    let mistake = FormError::at(field, problem, here.lang());
    Ok(draw(here, &person, &TypedLimits::of(&person), None, &AdminFlash::default(), &mistake))
}

fn draw(
    here: &PageContext,
    person: &Listed,
    typed: &TypedLimits,
    link: Option<&NewLink>,
    done: &AdminFlash,
    mistake: &FormError,
) -> Response {
    let words = here.words;
    let part = |last: &str| format!("{}/{last}", address(&person.name));
    let body = html! {
        @if let Some(link) = link { (shown_once(here, link)) }
        h2 { (person.display) }
        (facts(&[
            (words.say("enter.name"), html! { code { (person.name) } }),
            (words.say("people.standing"), standing(here, person)),
            (words.say("account.since"), time(words, person.added_at)),
        ]))
        (form(&part("standing"), html! { div.row { (verdicts(here, person)) } }))
        (section(words.say("people.limits"), html! {
            p.soft { (words.say("people.limits_what")) }
            (form(&part("limits"), html! {
                (limit_fields(words, typed.all(), mistake))
                div.row {
                    (button(words.say("settings.save"), Weight::Main))
                    @if person.limits.is_some() {
                        (verdict_button("verdict", "everyone", words.say("people.limits_of_everyone"), Weight::Plain))
                    }
                }
            }))
        }))
        (section(words.say("people.reset"), html! {
            p { (words.say("people.reset_what")) }
            (form(&part("reset"), button(words.say("people.reset_do"), Weight::Plain)))
        }))
        (section(words.say("people.remove"), removal(here, person, &part("remove"), mistake)))
    };
    tab(here, TAB, &done.done, mistake, &body)
}

fn verdicts(here: &PageContext, person: &Listed) -> Markup {
    let words = here.words;
    html! {
        @if person.is_blocked { (verdict_button("verdict", "unblock", words.say("people.unblock"), Weight::Plain)) }
        @else { (verdict_button("verdict", "block", words.say("people.block"), Weight::Grave)) }
        @if person.is_admin { (verdict_button("verdict", "unmake", words.say("people.unmake"), Weight::Plain)) }
        @else { (verdict_button("verdict", "make", words.say("people.make"), Weight::Plain)) }
    }
}

/// Folded away, and asked for in so many words: it cannot be undone.
fn removal(here: &PageContext, person: &Listed, action: &str, mistake: &FormError) -> Markup {
    let words = here.words;
    let error = mistake.beside("confirm").map(|_| words.say("people.confirm_unfit"));
    let label = words.fill("account.type_name", &[("name", &person.name)]);
    html! {
        details.grave-fold open[error.is_some()] {
            summary { (words.say("people.remove_open")) }
            p { (words.say("people.remove_what")) }
            (form(action, html! {
                (field(words, &Field { error, required: true, ..Field::new("confirm", &label) }))
                div.row { (button(words.say("people.remove_do"), Weight::Grave)) }
            }))
        }
    }
}

fn address(name: &str) -> String {
    format!("/administration/people/{name}")
}
