//! The respondent's pages: the door behind a link, the chat, the classic form, the confirmation, the receipt.
//!
//! A respondent has no account. Whoever has the ticket in the address is the respondent; nothing here looks at who is
//! signed in, and nothing that a page shows is for the owner's eyes alone. Every page reads and works without scripts;
//! `respond.js` keeps the chat alive. What a respondent typed comes back with whatever was wrong with it.

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

use crate::guard::UPLOAD_BYTES;
use crate::state::AppState;
pub(crate) use frame::remember;

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
