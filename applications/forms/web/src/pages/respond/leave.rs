//! Giving up, asked once more; and deleting everything that was not submitted.

use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use enza_interview::IDLE;
use enza_server::actions::IdempotencyKey;
use enza_server::design::{Weight, circle, link_button, verdict_button};
use enza_server::pages::PageContext;
use enza_server::problem::Problem;
use enza_server::words::Words;
use maud::{Markup, html};

use super::frame::page;
use super::pairs::FormPairs;
use super::panel::come_back;
use crate::actions::respond::{GuestCommand, GuestInterview};

/// Seconds of a day.
const DAY: u64 = 24 * 60 * 60;

/// Asks what is meant.
pub(super) async fn ask(here: PageContext, Path(ticket): Path<String>) -> Result<Response, Problem> {
    let guest = GuestInterview::find(&here.app, &ticket).await?;
    if !guest.state.stage().is_open() {
        return Ok(Redirect::to(&guest.address()).into_response());
    }
    let words = here.words;
    let keep_days = guest.keep_days(&here.app).await?;
    let body = html! {
        article.leave-page {
            h1 { (words.say("respond.leave_title")) }
            p.lead { (words.fill("respond.leave_how", &[("days", &days_to_go_on(keep_days).to_string())])) }
            p { (how_long(words, keep_days)) }
            div.row { (link_button(&guest.address(), words.say("respond.stay"), Weight::Main)) }
            (come_back(words, &here.app, &guest))
            section.card {
                h2 { (words.say("respond.leave_really")) }
                form.form method="post" action={ (guest.address()) "/leave" } {
                    p { (words.say("respond.leave_means")) }
                    div.row {
                        (verdict_button("how", "give_up", words.say("respond.give_up"), Weight::Plain))
                        (verdict_button("how", "delete", words.say("respond.delete"), Weight::Grave))
                    }
                }
            }
        }
    };
    Ok(page(words, words.say("respond.leave_title"), &html! {}, &body).into_response())
}

/// Does it.
pub(super) async fn leave(
    here: PageContext,
    Path(ticket): Path<String>,
    pairs: FormPairs,
) -> Result<Response, Problem> {
    let guest = GuestInterview::find(&here.app, &ticket).await?;
    match pairs.one("how") {
        "give_up" => {
            guest.order(&here.app, GuestCommand::GiveUp, IdempotencyKey::default()).await?;
            Ok(Redirect::to(&guest.address()).into_response())
        }
        "delete" => {
            guest.delete(&here.app).await?;
            let words = here.words;
            Ok(page(
                words,
                words.say("respond.deleted"),
                &html! {},
                &ended(words.say("respond.deleted"), words.say("respond.deleted_how"), None),
            )
            .into_response())
        }
        _ => Err(Problem::BodyUnfit("how".to_owned())),
    }
}

/// For how many days somebody who left can go on: as long as an interview waits, unless it is deleted before.
fn days_to_go_on(keep_days: Option<u32>) -> u64 {
    let waits = IDLE.as_secs() / DAY;
    keep_days.map_or(waits, |days| waits.min(u64::from(days)))
}

/// How long answers are kept, as far as the form's rules go.
pub(super) fn how_long(words: Words, keep_days: Option<u32>) -> String {
    match keep_days {
        Some(days) => words.fill("respond.kept_days", &[("days", &days.to_string())]),
        None => words.say("respond.kept_open").to_owned(),
    }
}

/// The page of an interview that was given up.
pub(super) async fn gone(here: &PageContext, guest: &GuestInterview) -> Result<Markup, Problem> {
    let words = here.words;
    let text = format!("{} {}", words.say("respond.given_up_how"), how_long(words, guest.keep_days(&here.app).await?));
    let delete = html! {
        form method="post" action={ (guest.address()) "/leave" } {
            (verdict_button("how", "delete", words.say("respond.delete"), Weight::Grave))
        }
    };
    let body = ended(words.say("respond.given_up"), &text, Some(delete));
    Ok(page(words, words.say("respond.given_up"), &html! {}, &body))
}

fn ended(title: &str, text: &str, next: Option<Markup>) -> Markup {
    html! {
        div.problem.apology {
            (circle())
            h1 { (title) }
            p.lead { (text) }
            @if let Some(next) = next { div.row { (next) } }
        }
    }
}
