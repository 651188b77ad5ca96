//! The applications of this house, and what one's sessions have spent.

use axum::extract::State;
use enza_kernel::floor::Opening;
use jiff::civil::Date;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use utoipa::{IntoParams, ToSchema};
use utoipa_axum::router::OpenApiRouter;
use utoipa_axum::routes;

use super::sessions::Spent;
use crate::access::{Allowed, ToRead};
use crate::actions::{applications, usage};
use crate::extract::{QueryParams, ReaderLang};
use crate::problem::Problem;
use crate::state::AppState;

/// The routes.
pub fn routes() -> OpenApiRouter<AppState> {
    OpenApiRouter::new().routes(routes!(list_applications)).routes(routes!(show_usage))
}

/// The applications.
#[derive(Debug, Serialize, ToSchema)]
pub struct Applications {
    /// Every one of them.
    applications: Vec<Application>,
}

/// An application.
#[derive(Debug, Serialize, ToSchema)]
pub struct Application {
    /// Its word.
    #[schema(example = "NAME")]
    name: &'static str,
    /// Ready-made ways to begin: `name`, `title`, `about` and `command` of each, in the reader's language.
    #[schema(value_type = Vec<Object>)]
    openings: Vec<Opening>,
    /// JSON Schema of its commands.
    commands: Value,
    /// The tables that its things move by.
    moves: Vec<Moves>,
}

/// A table of moves.
#[derive(Debug, Serialize, ToSchema)]
pub struct Moves {
    /// As `positions` of a session name it.
    name: String,
    /// All that something can be in, in the order of the table.
    states: Vec<String>,
    /// The first of them.
    start: String,
    /// Those in which it ends.
    ends: Vec<String>,
    /// The moves as planned.
    moves: Vec<Move>,
    /// The moves because something failed.
    errors: Vec<Move>,
}

/// A move.
#[derive(Debug, Serialize, ToSchema)]
pub struct Move {
    /// The state it leaves.
    from: String,
    /// The state it enters.
    to: String,
    /// What brings it about.
    on: Option<String>,
}

/// From which day to which, by UTC, both included.
#[derive(Debug, Deserialize, IntoParams)]
#[serde(deny_unknown_fields)]
#[into_params(parameter_in = Query)]
pub struct UsageRange {
    /// The first day.
    #[param(value_type = Option<String>, format = Date)]
    from: Option<Date>,
    /// The last day.
    #[param(value_type = Option<String>, format = Date)]
    to: Option<Date>,
}

/// What was spent.
#[derive(Debug, Serialize, ToSchema)]
pub struct Usage {
    /// In all.
    total: Spent,
    /// By day, application, model and session, in that order.
    lines: Vec<UsageLine>,
}

/// A line of usage.
#[derive(Debug, Serialize, ToSchema)]
pub struct UsageLine {
    /// The day, by UTC.
    #[schema(value_type = String, format = Date)]
    day: Date,
    /// The application's word; empty where it is not known.
    application: String,
    /// The model; empty where it is not known.
    model: String,
    /// The session; null once it is deleted.
    session: Option<String>,
    /// What was spent.
    #[serde(flatten)]
    spent: Spent,
}

/// The applications: how to begin, what they take, how they move
#[utoipa::path(get, path = "/api/applications", tag = "applications", security(("token" = ["read"]), ("cookie" = [])), responses(
    (status = 200, description = "Every application", body = Applications)))]
pub async fn list_applications(
    State(app): State<AppState>,
    _caller: Allowed<ToRead>,
    ReaderLang(lang): ReaderLang,
) -> axum::Json<Applications> {
    let one = |one: &enza_kernel::moves::Move| Move { from: one.from.clone(), to: one.to.clone(), on: one.on.clone() };
    let moves = |table: &enza_kernel::moves::Table| Moves {
        name: table.name().to_owned(),
        states: table.states().to_vec(),
        start: table.start().to_owned(),
        ends: table.ends().to_vec(),
        moves: table.moves().iter().map(one).collect(),
        errors: table.errors().iter().map(one).collect(),
    };
    let all = applications::all(&app, lang).into_iter().map(|shown| Application {
        name: shown.name,
        openings: shown.openings,
        commands: shown.commands,
        moves: shown.tables.iter().map(moves).collect(),
    });
    axum::Json(Applications { applications: all.collect() })
}

/// What your sessions have spent
#[utoipa::path(get, path = "/api/usage", tag = "usage", security(("token" = ["read"]), ("cookie" = [])), params(UsageRange), responses(
    (status = 200, description = "What was spent", body = Usage)))]
pub async fn show_usage(
    State(app): State<AppState>,
    caller: Allowed<ToRead>,
    QueryParams(days): QueryParams<UsageRange>,
) -> Result<axum::Json<Usage>, Problem> {
    let rows = usage::own(&app, &caller.0, days.from, days.to).await?;
    let all = rows.iter().fold((0, enza_kernel::conversation::Usage::default()), |(calls, sum), row| {
        (calls + row.calls, sum.plus(row.usage))
    });
    let lines = rows.into_iter().map(|row| UsageLine {
        day: usage::day(row.day),
        application: row.application,
        model: row.model,
        session: row.session.map(|session| session.to_string()),
        spent: Spent::of(row.calls, row.usage),
    });
    Ok(axum::Json(Usage { total: Spent::of(all.0, all.1), lines: lines.collect() }))
}
