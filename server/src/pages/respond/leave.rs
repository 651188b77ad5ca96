//! Giving up, asked once more; and deleting everything that was not submitted.

use axum::extract::Path;
use axum::response::{IntoResponse, Redirect, Response};
use maud::{Markup, html};

use super::frame::page;
use super::pairs::Pairs;
use super::panel::come_back;
use crate::acts::Once;
use crate::acts::respond::{Guest, Order};
use crate::design::{Weight, circle, link_button, verdict_button};
use crate::pages::Here;
use crate::problem::Problem;

/// Asks what is meant.
pub(super) async fn ask(here: Here, Path(ticket): Path<String>) -> Result<Response, Problem> {
    let guest = Guest::find(&here.house, &ticket).await?;
    if !guest.state.stage().is_open() {
        return Ok(Redirect::to(&guest.address()).into_response());
    }
    let words = here.words;
    let body = html! {
        article.leave-page {
            h1 { (words.say("respond.leave_title")) }
            p.lead { (words.say("respond.leave_how")) }
            div.row { (link_button(&guest.address(), words.say("respond.stay"), Weight::Main)) }
            (come_back(words, &here.house, &guest))
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
pub(super) async fn leave(here: Here, Path(ticket): Path<String>, pairs: Pairs) -> Result<Response, Problem> {
    let guest = Guest::find(&here.house, &ticket).await?;
    match pairs.one("how") {
        "give_up" => {
            guest.order(&here.house, Order::GiveUp, Once::default()).await?;
            Ok(Redirect::to(&guest.address()).into_response())
        }
        "delete" => {
            guest.delete(&here.house).await?;
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

/// The page of an interview that was given up.
pub(super) fn gone(here: &Here, guest: &Guest) -> Markup {
    let words = here.words;
    let delete = html! {
        form method="post" action={ (guest.address()) "/leave" } {
            (verdict_button("how", "delete", words.say("respond.delete"), Weight::Grave))
        }
    };
    let body = ended(words.say("respond.given_up"), words.say("respond.given_up_how"), Some(delete));
    page(words, words.say("respond.given_up"), &html! {}, &body)
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
