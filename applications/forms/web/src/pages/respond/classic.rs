//! The classic form: every field that applies as a proper input, saved in one go.
//!
//! What cannot be read is said beside its field, and then nothing is saved, so that the page and what is kept never
//! disagree. A required field that is still empty keeps nobody from saving the rest; an optional one that was left empty
//! counts as left out. Where all is there, saving leads to the confirmation.

use std::collections::BTreeMap;

use axum::Extension;
use axum::extract::{Path, Request};
use axum::http::StatusCode;
use axum::response::{IntoResponse, Redirect, Response};
use enza_interview::{Kind, Refusal};
use enza_kernel::application::Reason as _;
use enza_kernel::text::Said;
use enza_server::design::{Tone, Weight, button, link_button, notice, progress};
use enza_server::extract::QueryParams;
use enza_server::pages::PageContext;
use enza_server::problem::Problem;
use enza_server::words::Words;
use maud::{Markup, html};
use serde::Deserialize;

use super::chat::wait_without_scripts;
use super::entry::{self, Input};
use super::frame::{RequestedLanguage, page};
use super::orders::{settle, switched};
use super::pairs::FormPairs;
use super::panel::{come_back, hidden};
use crate::actions::respond::{FieldView, GuestInterview, InterviewPhase};

/// How the page was come to.
#[derive(Debug, Default, Deserialize)]
pub(super) struct ClassicQuery {
    /// After saving.
    saved: Option<String>,
}

/// What was typed, and what is wrong with it.
#[derive(Default)]
struct ClassicInput {
    typed: BTreeMap<String, String>,
    wrong: BTreeMap<String, String>,
    above: Option<Said>,
}

impl ClassicInput {
    /// Whether something was typed that is not kept.
    fn is_unsaved(&self) -> bool {
        !self.typed.is_empty()
    }
}

/// The form.
pub(super) async fn show(
    here: PageContext,
    Path(ticket): Path<String>,
    Extension(asked): Extension<RequestedLanguage>,
    QueryParams(come): QueryParams<ClassicQuery>,
) -> Result<Response, Problem> {
    let guest = GuestInterview::find(&here.app, &ticket).await?;
    if let Some(elsewhere) = switched(&here, &guest, asked, "/form").await {
        return Ok(elsewhere);
    }
    let is_checked = come.saved.is_some() && !guest.is_working();
    if !guest.state.stage().is_open() || (is_checked && is_all_there(&guest)) {
        return Ok(Redirect::to(&guest.address()).into_response());
    }
    Ok(draw(&here, &guest, &ClassicInput::default(), come.saved.is_some()).into_response())
}

/// Saves it. Files that came along are given up again where the rest does not do.
pub(super) async fn save(here: PageContext, Path(ticket): Path<String>, request: Request) -> Result<Response, Problem> {
    let guest = GuestInterview::find(&here.app, &ticket).await?;
    let (pairs, files) = FormPairs::with_files(request, &here.app, &guest).await?;
    let (answers, mut written) = read(&here, &guest, &pairs);
    if !written.wrong.is_empty() {
        return Ok((StatusCode::UNPROCESSABLE_ENTITY, draw(&here, &guest, &written, false)).into_response());
    }
    if let Err(problem) = guest.fill_with(&here.app, answers, files, pairs.one("key")).await {
        written.above = Some(problem.say(here.lang()));
        return Ok((problem.status(), draw(&here, &guest, &written, false)).into_response());
    }
    settle(&here.app, &guest).await;
    let now = GuestInterview::find(&here.app, &ticket).await?;
    let asks_on = now.state.stage().is_open() && !is_all_there(&now);
    let next = if asks_on { format!("{}/form?saved=yes", now.address()) } else { now.address() };
    Ok(Redirect::to(&next).into_response())
}

/// Whether there is nothing left but to look at the whole. Where the answers are still being checked, the page that was
/// saved waits for it.
fn is_all_there(guest: &GuestInterview) -> bool {
    guest.moment() == InterviewPhase::Confirming && guest.is_complete()
}

/// What is to be filled in, and what of it cannot be read.
fn read(here: &PageContext, guest: &GuestInterview, pairs: &FormPairs) -> (BTreeMap<String, String>, ClassicInput) {
    let (mut answers, mut written) = (BTreeMap::new(), ClassicInput::default());
    for entry in guest.entries() {
        let id = entry.id().to_owned();
        let Some(text) = pairs.field(&id).filter(|_| entry.field.kind != Kind::File) else { continue };
        written.typed.insert(id.clone(), text.clone());
        let is_kept = entry.record.is_done() && entry.record.value().unwrap_or_default() == text;
        if is_kept || (text.is_empty() && entry.field.required && !entry.record.is_done()) {
            continue;
        }
        match wrong(here, guest, &entry, &text) {
            Some(why) => {
                written.wrong.insert(id, why);
            }
            None => {
                answers.insert(id, text);
            }
        }
    }
    (answers, written)
}

fn wrong(here: &PageContext, guest: &GuestInterview, entry: &FieldView<'_>, text: &str) -> Option<String> {
    let lang = here.lang();
    if text.is_empty() {
        let refusal = Refusal::Required { label: entry.label.clone() };
        return entry.field.required.then(|| refusal.say(lang).message);
    }
    guest.misreading(entry, text, here.app.now()).map(|unread| unread.say(lang))
}

fn draw(here: &PageContext, guest: &GuestInterview, written: &ClassicInput, is_saved: bool) -> Markup {
    let words = here.words;
    let form = guest.state.form();
    let entries = guest.entries();
    let has_files = entries.iter().any(|entry| entry.field.kind == Kind::File);
    let (done, total) = guest.state.progress();
    let body = html! {
        article.sheet #sheet data-at=(guest.address()) data-head=(guest.row.head) data-working[guest.is_working()]
            data-unsaved[written.is_unsaved()] data-lost=(words.say("session.lost")) data-back=(words.say("session.back"))
            data-gone=(words.say("respond.gone")) data-signed-out=(words.say("respond.gone")) {
            header.sheet-head {
                h1 lang=(form.language) { (form.title) }
                @if total > 0 { (progress(words, done, total, words.say("respond.progress"))) }
                nav.talk-ways { a.button.quiet href=(guest.address()) { (words.say("respond.as_chat")) } }
            }
            p.link-lost #link-lost role="status" hidden {}
            (above(words, guest, written, is_saved))
            @if entries.is_empty() {
                p.lead { (words.say("respond.chat_first")) }
                div.row { (link_button(&guest.address(), words.say("respond.as_chat"), Weight::Main)) }
            } @else {
                form.form.classic method="post" action={ (guest.address()) "/form" } novalidate
                    enctype=[has_files.then_some("multipart/form-data")] {
                    (hidden("fill"))
                    @for entry in &entries { (field(words, entry, written)) }
                    div.row { (button(words.say("respond.save_all"), Weight::Main)) }
                }
            }
            (come_back(words, &here.app, guest))
        }
    };
    page(words, &form.title, &wait_without_scripts(guest), &body)
}

fn field(words: Words, entry: &FieldView<'_>, written: &ClassicInput) -> Markup {
    let typed = written.typed.get(entry.id()).map(String::as_str);
    let error = written.wrong.get(entry.id()).map(String::as_str);
    entry::input(words, &Input { entry, place: "sheet", typed, error })
}

/// What is to be known before reading on.
fn above(words: Words, guest: &GuestInterview, written: &ClassicInput, is_saved: bool) -> Markup {
    let missing = guest.state.required_not_done();
    html! {
        @if let Some(Said { message, hint }) = &written.above { (notice(Tone::Bad, message, hint)) }
        @if !written.wrong.is_empty() {
            div.notice.bad role="alert" {
                p.notice-title { (words.fill("respond.some_wrong", &[("count", &written.wrong.len().to_string())])) }
                ul { @for id in written.wrong.keys() { li { a href={ "#sheet-" (id) } { (label(guest, id)) } } } }
            }
        }
        @if guest.is_working() {
            (notice(Tone::Live, words.say("respond.being_checked"), words.say("respond.being_checked_how")))
        } @else if is_saved && !missing.is_empty() {
            (notice(Tone::Warn, words.say("respond.saved_missing"), &words.0.list(&missing)))
        } @else if is_saved {
            (notice(Tone::Good, words.say("respond.saved"), words.say("respond.saved_how")))
        }
    }
}

fn label(guest: &GuestInterview, id: &str) -> String {
    guest.state.record(id).map(|record| guest.state.label(record)).unwrap_or_else(|| id.to_owned())
}
