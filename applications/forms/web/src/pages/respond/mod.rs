//! The respondent's pages: the door behind a link, the chat, the classic form, the confirmation, the receipt.
//!
//! A respondent has no account. Whoever has the ticket in the address is the respondent; nothing here looks at who is
//! signed in, and nothing that a page shows is for the owner's eyes alone. Every page reads and works without scripts;
//! scripts keep the chat alive. What a respondent typed comes back with whatever was wrong with it.

mod chat;
mod classic;
mod confirm;
mod entry;
mod files;
mod frame;
mod leave;
mod orders;
mod pairs;
mod panel;
mod receipt;
mod start;
mod turn;

use axum::Router;
use axum::extract::DefaultBodyLimit;
use axum::middleware::from_fn;
use axum::routing::get;
use enza_server::part::BodyLimit;
use enza_server::state::AppState;

use crate::actions::respond::LARGEST;
use crate::problem::FormProblem;
pub(crate) use frame::remember;

/// The most bytes of a body that brings a respondent's file: the largest file, and what is around it.
const UPLOAD_BYTES: usize = LARGEST + 64 * 1_024;

/// How large a body may be at a path where a respondent's files come in.
pub(crate) fn body_limit(path: &str) -> Option<BodyLimit> {
    let may_bring_a_file = path.starts_with("/r/") && (path.contains("/files/") || path.ends_with("/form"));
    may_bring_a_file.then(|| BodyLimit { bytes: UPLOAD_BYTES, beyond: FormProblem::FileTooLarge.into() })
}

pub(super) fn routes() -> Router<AppState> {
    let large = || DefaultBodyLimit::max(UPLOAD_BYTES);
    Router::new()
        .route("/f/{link}", get(start::show).post(start::begin))
        .route("/r/{ticket}", get(chat::show).post(orders::order))
        .route("/r/{ticket}/news", get(chat::news))
        .route("/r/{ticket}/live", get(chat::live))
        .route("/r/{ticket}/form", get(classic::show).post(classic::save).layer(large()))
        .route("/r/{ticket}/files/{field}", get(files::download).post(files::upload).layer(large()))
        .route("/r/{ticket}/leave", get(leave::ask).post(leave::leave))
        .route("/r/{ticket}/receipt.json", get(receipt::json))
        .route("/r/{ticket}/receipt.txt", get(receipt::text))
        .layer(from_fn(frame::receive))
}
