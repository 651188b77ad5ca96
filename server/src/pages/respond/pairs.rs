//! What a respondent's form sends: names with values, some of them several times, and perhaps files.

use axum::extract::{FromRequest, Multipart, Request};
use axum::http::header::CONTENT_TYPE;

use crate::acts::respond::{LARGEST, Upload};
use crate::house::House;
use crate::problem::Problem;
use crate::read::Typed;

/// What stands before a field's id.
pub(super) const FIELD: &str = "f.";
/// What stands before a field's id where something beside the options was written.
pub(super) const OTHER: &str = "o.";

/// What was sent.
#[derive(Debug, Default)]
pub(super) struct Pairs {
    pairs: Vec<(String, String)>,
    /// Files, by the name of what they were sent in; empty ones were not chosen.
    pub files: Vec<(String, Upload)>,
}

impl Pairs {
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

impl FromRequest<House> for Pairs {
    type Rejection = Problem;

    async fn from_request(request: Request, house: &House) -> Result<Self, Problem> {
        let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
        if !kind.starts_with("multipart/form-data") {
            let Typed(pairs) = Typed::from_request(request, house).await?;
            return Ok(Self { pairs, files: Vec::new() });
        }
        let unread = |why: axum::extract::multipart::MultipartError| match why.status().as_u16() {
            413 => Problem::BodyTooLarge,
            _ => Problem::BodyMalformed(why.body_text()),
        };
        let mut parts =
            Multipart::from_request(request, house).await.map_err(|why| Problem::BodyMalformed(why.body_text()))?;
        let mut sent = Self::default();
        while let Some(part) = parts.next_field().await.map_err(unread)? {
            let name = part.name().unwrap_or_default().to_owned();
            match part.file_name().map(str::to_owned) {
                Some(file) => {
                    let bytes = part.bytes().await.map_err(unread)?.to_vec();
                    if bytes.len() > LARGEST {
                        return Err(Problem::BodyTooLarge);
                    }
                    if !file.is_empty() {
                        sent.files.push((name, Upload { name: file, bytes }));
                    }
                }
                None => sent.pairs.push((name, part.text().await.map_err(unread)?)),
            }
        }
        Ok(sent)
    }
}
