//! Files on their way in and out: one for each field that wants one, for the respondent alone.
//!
//! A browser sends a form with the file in it, a program may send the bare bytes with the name in the address. What
//! comes back is always a download: nothing that a stranger sent is shown as a page of ours.

use axum::body::{Bytes, to_bytes};
use axum::extract::{FromRequest as _, Path, Request};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use serde::Deserialize;

use super::frame::encoded;
use super::orders::answer;
use super::pairs::Pairs;
use crate::acts::respond::{Guest, LARGEST, Upload};
use crate::house::House;
use crate::pages::Here;
use crate::problem::Problem;
use crate::read::Asked;

/// What a bare file is called.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Named {
    name: Option<String>,
}

/// Takes a file.
pub(super) async fn upload(
    here: Here,
    Path((ticket, field)): Path<(String, String)>,
    Asked(named): Asked<Named>,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Problem> {
    let guest = Guest::find(&here.house, &ticket).await?;
    let upload = read(&here.house, request, named).await?;
    let sent = guest.attach(&here.house, &field, upload).await;
    answer(&here, &guest, &headers, sent, "").await
}

/// Gives it back.
pub(super) async fn download(here: Here, Path((ticket, field)): Path<(String, String)>) -> Result<Response, Problem> {
    let guest = Guest::find(&here.house, &ticket).await?;
    let Upload { name, bytes } = guest.attached(&here.house, &field).await?;
    let named = format!("attachment; filename*=UTF-8''{}", encoded(&name));
    let headers = [(CONTENT_TYPE, "application/octet-stream".to_owned()), (CONTENT_DISPOSITION, named)];
    Ok((headers, bytes).into_response())
}

async fn read(house: &House, request: Request, named: Named) -> Result<Upload, Problem> {
    let kind = request.headers().get(CONTENT_TYPE).and_then(|kind| kind.to_str().ok()).unwrap_or_default();
    if kind.starts_with("multipart/form-data") {
        let pairs = Pairs::from_request(request, house).await?;
        return pairs
            .files
            .into_iter()
            .next()
            .map(|(_, upload)| upload)
            .ok_or_else(|| Problem::BodyUnfit("file".to_owned()));
    }
    let bytes: Bytes = to_bytes(request.into_body(), LARGEST).await.map_err(|_| Problem::BodyTooLarge)?;
    Ok(Upload { name: named.name.unwrap_or_default(), bytes: bytes.to_vec() })
}
