//! A form's answers as files: CSV, JSON Lines and a workbook.
//!
//! CSV and the workbook have a row for each sheet and a column for each field; fields inside a group have one for each
//! item, `guests.1.name`. Why a field has no value, and which are incomplete, stand in columns of their own as JSON. CSV
//! begins with a byte order mark, since spreadsheets take it for another encoding without one, and text that one would
//! take for a formula is made text. JSON Lines has every sheet as the interface for programs shows it.
//!
//! Which sheets, and whose, is decided by whoever asks for a file.

mod columns;
mod csv;
mod jsonl;
#[cfg(feature = "xlsx")]
mod xlsx;

use axum::body::Body;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse as _, Response};
use enza_kernel::time::Timestamp;
use enza_server::percent::encoded;
use enza_server::problem::Problem;
use enza_server::words::Words;
use jiff::civil::Date;
use jiff::tz::TimeZone;

pub use columns::{Column, columns};
pub use jsonl::SheetLine;

use crate::actions::forms::LoadedForm;
use crate::actions::submissions::Sheet;

/// How many sheets are written at a time.
const AT_A_TIME: usize = 200;

/// A kind of file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExportFormat {
    /// Values with commas between them.
    Csv,
    /// A sheet in each line, as JSON.
    Jsonl,
    /// A workbook.
    #[cfg(feature = "xlsx")]
    Xlsx,
}

impl ExportFormat {
    /// All that this build can write.
    pub const ALL: &[Self] = &[
        Self::Csv,
        #[cfg(feature = "xlsx")]
        Self::Xlsx,
        Self::Jsonl,
    ];

    /// The ending of its files.
    pub fn ending(self) -> &'static str {
        match self {
            Self::Csv => "csv",
            Self::Jsonl => "jsonl",
            #[cfg(feature = "xlsx")]
            Self::Xlsx => "xlsx",
        }
    }

    /// The format behind an ending.
    pub fn from_ending(ending: &str) -> Option<Self> {
        Self::ALL.iter().copied().find(|format| format.ending() == ending)
    }

    fn content_type(self) -> &'static str {
        match self {
            Self::Csv => "text/csv; charset=utf-8",
            Self::Jsonl => "application/jsonl",
            #[cfg(feature = "xlsx")]
            Self::Xlsx => "application/vnd.openxmlformats-officedocument.spreadsheetml.sheet",
        }
    }
}

/// The file of these sheets, as a download.
#[cfg_attr(not(feature = "xlsx"), expect(unused_variables, reason = "only a workbook says a word"))]
pub async fn download(
    words: Words,
    format: ExportFormat,
    held: &LoadedForm,
    sheets: Vec<Sheet>,
    today: Timestamp,
) -> Result<Response, Problem> {
    let columns = columns(&held.state, &sheets);
    let body = match format {
        ExportFormat::Csv => Body::from_stream(csv::pieces(columns, sheets)),
        ExportFormat::Jsonl => Body::from_stream(jsonl::pieces(sheets)),
        #[cfg(feature = "xlsx")]
        ExportFormat::Xlsx => {
            let written = tokio::task::spawn_blocking(move || xlsx::workbook(words, &columns, &sheets)).await;
            let written = written.map_err(|_| Problem::Bug)?;
            Body::from(written.map_err(|why| {
                tracing::error!(%why, "a workbook could not be written");
                Problem::Bug
            })?)
        }
    };
    let name = file_name(&held.state.card().title, today);
    let plain = format!("enza-answers-{}.{}", day(today), format.ending());
    let disposition =
        format!("attachment; filename=\"{plain}\"; filename*=UTF-8''{}.{}", encoded(&name), format.ending());
    let headers = [(CONTENT_TYPE, format.content_type().to_owned()), (CONTENT_DISPOSITION, disposition)];
    Ok((headers, body).into_response())
}

/// The form's title and the day, without what files may not be called.
fn file_name(title: &str, today: Timestamp) -> String {
    let safe = |letter: char| if letter.is_control() || "/\\:*?\"<>|".contains(letter) { '_' } else { letter };
    let title: String = title.trim().chars().take(60).map(safe).collect();
    format!("{} {}", if title.is_empty() { "enza" } else { &title }, day(today))
}

/// A moment as files have it: UTC, to the second.
fn moment(at: Timestamp) -> String {
    let found = jiff::Timestamp::from_millisecond(at.0);
    found.map(|moment| moment.strftime("%Y-%m-%dT%H:%M:%SZ").to_string()).unwrap_or_default()
}

fn day(at: Timestamp) -> Date {
    let moment = jiff::Timestamp::from_millisecond(at.0).unwrap_or_default();
    moment.to_zoned(TimeZone::UTC).date()
}
