//! Saving as one types: takes the builder's form, and answers with the parts of the page that follow from it.

use std::collections::BTreeMap;

use axum::Json;
use axum::extract::Path;
use axum::response::{IntoResponse, Response};
use enza_server::access::{Allowed, Caller, ToWrite};
use enza_server::extract::FormBody as Sent;
use enza_server::pages::PageContext;
use enza_server::problem::Problem;
use serde::Serialize;

use super::draw;
use super::faults::{FormPart, faults, of_part};
use super::preview::preview;
use super::typed::TypedDraft;
use crate::actions::forms;
use crate::pages::forms::head;

/// What a script needs to bring the page up to date.
#[derive(Debug, Serialize)]
struct Saved {
    /// The edition that the next edit is made from.
    edition: u64,
    /// What the form is called now.
    title: String,
    /// The id of each field, by its key.
    ids: BTreeMap<String, String>,
    /// What is wrong with each field and group, by the id of its card.
    faults: BTreeMap<String, Vec<String>>,
    /// The HTML of each part.
    parts: BTreeMap<&'static str, String>,
}

/// Saves. Whoever asks is a script, so what goes wrong is told as programs are told.
pub(super) async fn save(
    here: PageContext,
    allowed: Allowed<ToWrite>,
    Path(id): Path<String>,
    Sent(sent): Sent<Vec<(String, String)>>,
) -> Response {
    match saved(&here, &allowed.0, &id, &sent).await {
        Ok(saved) => Json(saved).into_response(),
        Err(problem) => (problem.status(), Json(problem.json(here.lang()))).into_response(),
    }
}

async fn saved(here: &PageContext, caller: &Caller, id: &str, sent: &[(String, String)]) -> Result<Saved, Problem> {
    let typed = TypedDraft::read(sent).ok_or(Problem::HalfAPage)?;
    super::save(here, caller, id, &typed).await?;
    let held = forms::load(&here.app, caller, id).await?;
    let words = here.words;
    let told = faults(words, &typed.form);
    let of = |part: FormPart| of_part(&told, part).into_iter().map(str::to_owned).collect();
    let fields = typed.keys.iter().enumerate().map(|(place, key)| (format!("field-{key}"), of(FormPart::Field(place))));
    let groups =
        typed.group_keys.iter().enumerate().map(|(place, key)| (format!("group-{key}"), of(FormPart::Group(place))));
    Ok(Saved {
        edition: held.state.card().edition,
        title: head::title(words, &held),
        ids: typed.keys.iter().cloned().zip(typed.form.fields.iter().map(|field| field.field_id.clone())).collect(),
        faults: fields.chain(groups).collect(),
        parts: BTreeMap::from([
            ("standing", draw::standing(words, &held.state, &typed, &told).into_string()),
            ("problems", draw::problems(words, &typed, &told).into_string()),
            ("publish", draw::publish_button(words, &held.state, &typed, &told).into_string()),
            ("preview", preview(words, &typed.form, here.app.now()).into_string()),
        ]),
    })
}
