//! Files of what the list shows.

use axum::response::Response;

use super::wish::Wish;
use crate::access::{Act, Allowed, ToRead, note};
use crate::acts::{forms, submissions};
use crate::exports::{self, Format};
use crate::pages::Here;
use crate::problem::Problem;
use crate::read::{Asked, Place};

pub(super) async fn csv(
    here: Here,
    allowed: Allowed<ToRead>,
    place: Place<String>,
    asked: Asked<Wish>,
) -> Result<Response, Problem> {
    file(here, allowed, place, asked, "csv").await
}

pub(super) async fn jsonl(
    here: Here,
    allowed: Allowed<ToRead>,
    place: Place<String>,
    asked: Asked<Wish>,
) -> Result<Response, Problem> {
    file(here, allowed, place, asked, "jsonl").await
}

pub(super) async fn xlsx(
    here: Here,
    allowed: Allowed<ToRead>,
    place: Place<String>,
    asked: Asked<Wish>,
) -> Result<Response, Problem> {
    file(here, allowed, place, asked, "xlsx").await
}

/// A format that this build cannot write has no address.
async fn file(
    here: Here,
    allowed: Allowed<ToRead>,
    Place(id): Place<String>,
    Asked(wish): Asked<Wish>,
    ending: &str,
) -> Result<Response, Problem> {
    let format = Format::from_ending(ending).ok_or(Problem::NothingHere)?;
    let held = forms::hold(&here.house, &allowed.0, &id).await?;
    let sheets = wish.wanted().of(submissions::all(&here.house, &held.row.id, &held.state).await?);
    note(&here.house, allowed.0.name(), Act::SubmissionsExported, held.row.id.as_str(), &allowed.0.from).await?;
    exports::download(here.words, format, &held, sheets, here.house.now()).await
}
