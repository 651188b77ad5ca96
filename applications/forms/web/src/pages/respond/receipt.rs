//! The receipt: what was sent, word for word, to keep, to print or to take along.

use axum::Json;
use axum::extract::Path;
use axum::http::HeaderName;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::IntoResponse;
use enza_interview::Kind;
use enza_server::design::{Tone, Weight, badge, button, notice, time};
use enza_server::pages::PageContext;
use enza_server::problem::Problem;
use enza_server::words::Words;
use maud::{Markup, html};

use super::chat::viewer;
use super::frame::page;
use super::leave::how_long;
use super::turn::order;
use crate::actions::respond::{GuestInterview, Receipt, ReceiptLine};

/// The page after a submission. The conversation is folded away below.
pub(super) async fn draw(here: &PageContext, guest: &GuestInterview, conversation: &Markup) -> Result<Markup, Problem> {
    let words = here.words;
    let receipt = guest.receipt(&here.app, here.lang()).await?;
    let at = guest.address();
    let keep_days = guest.keep_days(&here.app).await?;
    let body = html! {
        article.receipt #receipt {
            header {
                p.receipt-title { (receipt.title) }
                h1 { (words.say("respond.thanks")) }
                p.lead { (words.say("respond.thanks_how")) }
            }
            @if guest.state.is_undelivered() {
                (notice(Tone::Warn, words.say("respond.undelivered"), words.say("respond.undelivered_how")))
                (order(&viewer(words, guest), "deliver", &[], button(words.say("respond.retry"), Weight::Main)))
            }
            dl.receipt-lines { @for line in &receipt.answers { (answer(words, guest, line)) } }
            dl.facts {
                div { dt { (words.say("respond.submitted_at")) } dd { (time(words, receipt.at)) } }
                div { dt { (words.say("respond.submission")) } dd { code #submission { (receipt.id) } } }
            }
            div.row.take-along {
                button.button.plain type="button" hidden data-copies="receipt-text" data-done=(words.say("respond.copied")) { (words.say("respond.copy")) }
                button.button.plain type="button" hidden data-prints { (words.say("respond.print")) }
                a.button.plain href={ (at) "/receipt.txt" } download { (words.say("respond.as_text")) }
                a.button.plain href={ (at) "/receipt.json" } download { (words.say("respond.as_json")) }
            }
            textarea #receipt-text hidden readonly aria-hidden="true" { "\n" (receipt.to_text(words.0)) }
            p.small.soft { (how_long(words, keep_days)) }
            p.small.soft { (words.say("respond.delete_whom")) }
            details.told { summary { (words.say("respond.told")) } (conversation) }
        }
    };
    Ok(page(words, words.say("respond.thanks"), &html! {}, &body))
}

/// The receipt for programs.
pub(super) async fn json(here: PageContext, Path(ticket): Path<String>) -> Result<impl IntoResponse, Problem> {
    let receipt = found(&here, &ticket).await?;
    Ok((download("json"), Json(receipt)))
}

/// The receipt as plain text.
pub(super) async fn text(here: PageContext, Path(ticket): Path<String>) -> Result<impl IntoResponse, Problem> {
    let receipt = found(&here, &ticket).await?;
    Ok((download("txt"), [(CONTENT_TYPE, "text/plain; charset=utf-8")], receipt.to_text(here.lang())))
}

async fn found(here: &PageContext, ticket: &str) -> Result<Receipt, Problem> {
    GuestInterview::find(&here.app, ticket).await?.receipt(&here.app, here.lang()).await
}

fn download(ending: &str) -> [(HeaderName, String); 1] {
    [(CONTENT_DISPOSITION, format!("attachment; filename=\"receipt.{ending}\""))]
}

fn answer(words: Words, guest: &GuestInterview, line: &ReceiptLine) -> Markup {
    let is_file = line.kind == Kind::File;
    let said = line.sentence.as_deref().filter(|said| Some(*said) != line.shown.as_deref() && !is_file);
    html! {
        div {
            dt { (line.label) @if line.incomplete { " " (badge(words.say("respond.incomplete"), Tone::Warn)) } }
            dd {
                @match (&line.shown, line.absence) {
                    (Some(name), _) if is_file => a href={ (guest.address()) "/files/" (line.field_id) } download { (name) },
                    (Some(shown), _) => span.receipt-value { (shown) },
                    (None, Some(absence)) => span.soft { (absence.say(words.0)) },
                    (None, None) => span.soft { "—" },
                }
                @if let Some(said) = said { p.you-said { (words.fill("respond.you_said", &[("sentence", said)])) } }
            }
        }
    }
}
