//! Files of what the list shows.

use axum::response::Response;
use enza_server::access::{Allowed, ToRead, audit};
use enza_server::extract::{PathParams, QueryParams};
use enza_server::pages::PageContext;
use enza_server::problem::Problem;

use super::query::SheetListQuery;
use crate::actions::{forms, submissions};
use crate::exports::{self, ExportFormat};

pub(super) async fn csv(
    here: PageContext,
    allowed: Allowed<ToRead>,
    place: PathParams<String>,
    asked: QueryParams<SheetListQuery>,
) -> Result<Response, Problem> {
    file(here, allowed, place, asked, "csv").await
}

pub(super) async fn jsonl(
    here: PageContext,
    allowed: Allowed<ToRead>,
    place: PathParams<String>,
    asked: QueryParams<SheetListQuery>,
) -> Result<Response, Problem> {
    file(here, allowed, place, asked, "jsonl").await
}

pub(super) async fn xlsx(
    here: PageContext,
    allowed: Allowed<ToRead>,
    place: PathParams<String>,
    asked: QueryParams<SheetListQuery>,
) -> Result<Response, Problem> {
    file(here, allowed, place, asked, "xlsx").await
}

/// A format that this build cannot write has no address.
async fn file(
    here: PageContext,
    allowed: Allowed<ToRead>,
    PathParams(id): PathParams<String>,
    QueryParams(wish): QueryParams<SheetListQuery>,
    ending: &str,
) -> Result<Response, Problem> {
    let format = ExportFormat::from_ending(ending).ok_or(Problem::NothingHere)?;
    let held = forms::load(&here.app, &allowed.0, &id).await?;
    let sheets = wish.wanted().of(submissions::all(&here.app, &held.row.id, &held.state).await?);
    audit(&here.app, allowed.0.name(), crate::SUBMISSIONS_EXPORTED, held.row.id.as_str(), &allowed.0.from).await?;
    exports::download(here.words, format, &held, sheets, here.app.now()).await
}
