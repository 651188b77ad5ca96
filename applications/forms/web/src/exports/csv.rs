//! CSV, some rows at a time.

use std::io;

use axum::body::Bytes;
use enza_interview::SubmittedAnswer;
use enza_server::csv_cell::guarded;
use futures_util::stream::{self, Stream};

use super::columns::{AFTER, BEFORE, Column, absences, by_column, incomplete};
use super::{AT_A_TIME, moment};
use crate::actions::submissions::Sheet;

/// What tells a spreadsheet that this is UTF-8.
const MARK: &str = "\u{feff}";

/// The file, in pieces.
pub(super) fn pieces(columns: Vec<Column>, sheets: Vec<Sheet>) -> impl Stream<Item = io::Result<Bytes>> {
    let head = BEFORE.iter().map(|name| (*name).to_owned());
    let head = head.chain(columns.iter().map(|column| guarded(&column.id))).chain(AFTER.map(str::to_owned));
    let first = written([head.collect()]).map(|head| Bytes::from([MARK.as_bytes(), &head].concat()));
    let rest = stream::unfold((columns, sheets.into_iter()), |(columns, mut sheets)| async move {
        let some: Vec<Sheet> = sheets.by_ref().take(AT_A_TIME).collect();
        if some.is_empty() {
            return None;
        }
        let piece = written(some.iter().map(|sheet| row(&columns, sheet)));
        Some((piece.map(Bytes::from), (columns, sheets)))
    });
    futures_util::StreamExt::chain(stream::iter([first]), rest)
}

fn row(columns: &[Column], sheet: &Sheet) -> Vec<String> {
    let before = [
        sheet.session.to_string(),
        sheet.status.word().to_owned(),
        sheet.version.map(|version| version.to_string()).unwrap_or_default(),
        sheet.bootstrap.language.clone().unwrap_or_default(),
        sheet.bootstrap.country.clone().unwrap_or_default(),
        moment(sheet.opened_at),
        sheet.submitted_at.map(moment).unwrap_or_default(),
        sheet.delivered.to_string(),
    ];
    let value =
        |answer: Option<&SubmittedAnswer>| answer.and_then(|one| one.value.as_deref()).map(guarded).unwrap_or_default();
    let values = by_column(columns, sheet).into_iter().map(value);
    before.into_iter().chain(values).chain([absences(sheet), incomplete(sheet)]).collect()
}

fn written(rows: impl IntoIterator<Item = Vec<String>>) -> io::Result<Vec<u8>> {
    let mut out = csv::WriterBuilder::new().terminator(csv::Terminator::CRLF).from_writer(Vec::new());
    for row in rows {
        out.write_record(row)?;
    }
    out.into_inner().map_err(|why| io::Error::other(why.to_string()))
}
