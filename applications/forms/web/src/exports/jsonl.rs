//! JSON Lines, some sheets at a time, and the shape of a sheet for programs.

use std::collections::BTreeMap;
use std::io;

use axum::body::Bytes;
use enza_interview::SubmittedAnswer;
use futures_util::stream::{self, Stream};
use serde::Serialize;
use utoipa::ToSchema;

use super::AT_A_TIME;
use crate::actions::submissions::Sheet;

/// One respondent's sheet, finished or not.
#[derive(Debug, Clone, PartialEq, Serialize, ToSchema)]
#[serde(rename_all = "camelCase")]
pub struct SheetLine {
    /// The interview's session.
    session: String,
    /// `in_progress`, `confirming`, `submitted` or `given_up`.
    status: String,
    /// The version of the form.
    version: Option<u64>,
    /// The respondent's language, as BCP 47.
    language: Option<String>,
    /// The respondent's country, as ISO 3166-1 alpha-2.
    country: Option<String>,
    /// The respondent's time zone, as IANA has it.
    timezone: Option<String>,
    /// When it was begun, in milliseconds since 1970.
    started_at: i64,
    /// When something last happened.
    changed_at: i64,
    /// When it was submitted.
    submitted_at: Option<i64>,
    /// Whether the submission has arrived.
    delivered: bool,
    /// The values by field id, without those that are absent.
    values: BTreeMap<String, String>,
    /// Every field that was closed: label, value, absence, sentence, whether it is incomplete.
    #[schema(value_type = Vec<Object>)]
    answers: Vec<SubmittedAnswer>,
    /// Model calls.
    calls: u64,
    /// Tokens of all calls.
    tokens: u64,
    /// Their cost in millionths of a US dollar.
    cost: u64,
}

impl From<Sheet> for SheetLine {
    fn from(sheet: Sheet) -> Self {
        let value = |answer: &SubmittedAnswer| Some((answer.field_id.clone(), answer.value.clone()?));
        Self {
            session: sheet.session.to_string(),
            status: sheet.status.word().to_owned(),
            version: sheet.version,
            language: sheet.bootstrap.language,
            country: sheet.bootstrap.country,
            timezone: sheet.bootstrap.timezone,
            started_at: sheet.opened_at.0,
            changed_at: sheet.changed_at.0,
            submitted_at: sheet.submitted_at.map(|at| at.0),
            delivered: sheet.delivered,
            values: sheet.answers.iter().filter_map(value).collect(),
            answers: sheet.answers,
            calls: sheet.calls,
            tokens: sheet.spent.total(),
            cost: sheet.spent.cost,
        }
    }
}

/// The file, in pieces.
pub(super) fn pieces(sheets: Vec<Sheet>) -> impl Stream<Item = io::Result<Bytes>> {
    stream::unfold(sheets.into_iter(), |mut sheets| async move {
        let mut out = Vec::new();
        for sheet in sheets.by_ref().take(AT_A_TIME) {
            serde_json::to_writer(&mut out, &SheetLine::from(sheet)).expect("sheets are plain data");
            out.push(b'\n');
        }
        (!out.is_empty()).then(|| (Ok(out.into()), sheets))
    })
}
