//! What a respondent's form sends: names with values, some of them several times, and perhaps files.
//!
//! A form with files is read part by part: a file is handed on as it comes. What is not a file is held, and together not
//! longer than any other body.

use axum::body::Bytes;
use axum::extract::multipart::MultipartError;
use axum::extract::{FromRequest, Multipart, Request};
use axum::http::header::{CONTENT_LENGTH, CONTENT_TYPE};
use enza_server::extract::{FormBody, keepable};
use enza_server::guard::BODY_BYTES;
use enza_server::problem::Problem;
use enza_server::state::AppState;
use futures_util::stream::BoxStream;
use futures_util::{StreamExt as _, TryStreamExt as _};

use crate::actions::respond::{GuestInterview, LARGEST, ReceivedFile, Upload};
use crate::problem::FormProblem;

/// What stands before a field's id.
pub(super) const FIELD: &str = "f.";
/// What stands before a field's id where something beside the options was written.
pub(super) const OTHER: &str = "o.";

/// What was sent.
#[derive(Debug, Default)]
pub(super) struct FormPairs {
    pairs: Vec<(String, String)>,
}

impl FormPairs {
    /// The first value of a name; empty where there is none.
    pub fn one(&self, name: &str) -> &str {
        self.pairs.iter().find(|(its, _)| its == name).map_or("", |(_, value)| value)
    }

    /// Every value of a name.
    pub fn all<'a>(&'a self, name: &'a str) -> impl Iterator<Item = &'a str> {
        self.pairs.iter().filter(move |(its, _)| its == name).map(|(_, value)| value.as_str())
    }

    /// Everything, in the order in which it was sent.
    pub fn iter(&self) -> impl Iterator<Item = (&str, &str)> {
        self.pairs.iter().map(|(name, value)| (name.as_str(), value.as_str()))
    }

    /// What was written into a field: one text, whatever it was written with. None where the field was not on the page.
    pub fn field(&self, id: &str) -> Option<String> {
        let (name, beside) = (format!("{FIELD}{id}"), format!("{OTHER}{id}"));
        let is_there = self.pairs.iter().any(|(its, _)| *its == name || *its == beside);
        let parts = self.all(&name).chain(self.all(&beside)).map(str::trim).filter(|part| !part.is_empty());
        is_there.then(|| parts.collect::<Vec<_>>().join("; "))
    }
}

impl FromRequest<AppState> for FormPairs {
    type Rejection = Problem;

    async fn from_request(request: Request, app: &AppState) -> Result<Self, Problem> {
        if !is_multipart(&request) {
            let FormBody(pairs) = FormBody::from_request(request, app).await?;
            return Ok(Self { pairs });
        }
        let mut form = MultipartForm::open(request, app).await?;
        // Files that nobody asked for are read past.
        while form.next().await?.is_some() {}
        Ok(form.pairs)
    }
}

impl FormPairs {
    /// Reads a form, and takes the files in it in for the fields that they are sent for.
    pub async fn with_files(
        request: Request,
        app: &AppState,
        guest: &GuestInterview,
    ) -> Result<(Self, Vec<(String, ReceivedFile)>), Problem> {
        if !is_multipart(&request) {
            return Ok((Self::from_request(request, app).await?, Vec::new()));
        }
        let mut form = MultipartForm::open(request, app).await?;
        let mut files = Vec::new();
        while let Some(part) = form.next().await? {
            if let MultipartItem::File(name, upload) = part
                && let Some(field_id) = name.strip_prefix(FIELD)
            {
                files.push((field_id.to_owned(), guest.take_in(app, field_id, upload).await?));
            }
        }
        Ok((form.pairs, files))
    }
}

/// A part of a form.
pub(super) enum MultipartItem<'a> {
    /// No file; it is among the pairs.
    Held,
    /// A file, with the name of what it was sent in.
    File(String, Upload<BoxStream<'a, Result<Bytes, Problem>>>),
}

/// A form that may have files in it, read part by part.
pub(super) struct MultipartForm {
    parts: Multipart,
    pairs: FormPairs,
    held: usize,
    most: u64,
}

impl MultipartForm {
    /// A form of which nothing is read yet.
    pub async fn open(request: Request, app: &AppState) -> Result<Self, Problem> {
        let most = declared_length(&request).unwrap_or(LARGEST as u64).min(LARGEST as u64);
        let parts = Multipart::from_request(request, app).await;
        let parts = parts.map_err(|why| Problem::BodyMalformed(why.body_text()))?;
        Ok(Self { parts, pairs: FormPairs::default(), held: 0, most })
    }

    /// The next part. What is no file is held; a file that was not chosen has no name and counts as none.
    pub async fn next(&mut self) -> Result<Option<MultipartItem<'_>>, Problem> {
        let Some(part) = self.parts.next_field().await.map_err(unread)? else { return Ok(None) };
        let name = part.name().unwrap_or_default().to_owned();
        keepable(&name)?;
        match part.file_name().map(str::to_owned) {
            None => {
                let text = part.text().await.map_err(unread)?;
                keepable(&text)?;
                self.held += name.len() + text.len();
                if self.held > BODY_BYTES {
                    return Err(Problem::BodyTooLarge);
                }
                self.pairs.pairs.push((name, text));
                Ok(Some(MultipartItem::Held))
            }
            Some(file) if file.is_empty() => Ok(Some(MultipartItem::Held)),
            Some(file) => {
                let bytes = part.map_err(unread).boxed();
                Ok(Some(MultipartItem::File(name, Upload { name: file, most: Some(self.most), bytes })))
            }
        }
    }
}

/// Whether a request brings a form in parts.
pub(super) fn is_multipart(request: &Request) -> bool {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok());
    kind.is_some_and(|kind| kind.starts_with("multipart/form-data"))
}

/// How many bytes a request says that it brings.
pub(super) fn declared_length(request: &Request) -> Option<u64> {
    request.headers().get(CONTENT_LENGTH).and_then(|length| length.to_str().ok()?.parse().ok())
}

fn unread(why: MultipartError) -> Problem {
    match why.status().as_u16() {
        // Only a file can make a form that large.
        413 => FormProblem::FileTooLarge.into(),
        _ => Problem::BodyMalformed(why.body_text()),
    }
}
