//! Files on their way in and out: one for each field that wants one, for the respondent alone.
//!
//! A browser sends a form with the file in it, a program may send the bare bytes with the name in the address. What
//! comes back is always a download: nothing that a stranger sent is shown as a page of ours. Neither way is a file held
//! whole.

use axum::body::Body;
use axum::extract::{Path, Request};
use axum::http::HeaderMap;
use axum::http::header::{CONTENT_DISPOSITION, CONTENT_LENGTH, CONTENT_TYPE};
use axum::response::{IntoResponse, Response};
use enza_server::extract::QueryParams;
use enza_server::pages::PageContext;
use enza_server::percent::encoded;
use enza_server::problem::Problem;
use futures_util::{StreamExt as _, TryStreamExt as _};
use serde::Deserialize;

use super::orders::answer;
use super::pairs::{self, MultipartForm, MultipartItem};
use crate::actions::respond::{FileDownload, GuestInterview, Upload};

/// What a bare file is called.
#[derive(Debug, Default, Deserialize)]
pub(super) struct Named {
    name: Option<String>,
}

/// Takes a file.
pub(super) async fn upload(
    here: PageContext,
    Path((ticket, field)): Path<(String, String)>,
    QueryParams(named): QueryParams<Named>,
    headers: HeaderMap,
    request: Request,
) -> Result<Response, Problem> {
    let guest = GuestInterview::find(&here.app, &ticket).await?;
    let sent = take(&here, &guest, &field, request, named).await;
    answer(&here, &guest, &headers, sent, "").await
}

/// Gives it back.
pub(super) async fn download(
    here: PageContext,
    Path((ticket, field)): Path<(String, String)>,
) -> Result<Response, Problem> {
    let guest = GuestInterview::find(&here.app, &ticket).await?;
    let FileDownload { name, size, bytes } = guest.attached(&here.app, &field).await?;
    let named = format!("attachment; filename*=UTF-8''{}", encoded(&name));
    let headers = [
        (CONTENT_TYPE, "application/octet-stream".to_owned()),
        (CONTENT_DISPOSITION, named),
        (CONTENT_LENGTH, size.to_string()),
    ];
    // A problem on the way cuts the file short, which its length shows.
    let bytes = bytes.map_err(|problem| std::io::Error::other(problem.code()));
    Ok((headers, Body::from_stream(bytes)).into_response())
}

async fn take(
    here: &PageContext,
    guest: &GuestInterview,
    field: &str,
    request: Request,
    named: Named,
) -> Result<(), Problem> {
    let app = &here.app;
    let most = pairs::declared_length(&request);
    if pairs::is_multipart(&request) {
        let mut form = MultipartForm::open(request, app).await?;
        while let Some(part) = form.next().await? {
            if let MultipartItem::File(_, upload) = part {
                return guest.attach(app, field, upload).await;
            }
        }
        return Err(Problem::BodyUnfit("file".to_owned()));
    }
    let bytes = request.into_body().into_data_stream();
    let bytes = bytes.map(|piece| piece.map_err(|why| Problem::BodyMalformed(why.to_string()))).boxed();
    guest.attach(app, field, Upload { name: named.name.unwrap_or_default(), most, bytes }).await
}
