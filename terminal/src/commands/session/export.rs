//! `enza session export`: a whole session as one JSON document, as its owner reads it. The journal has a line of it.

use enza_kernel::time::Seq;
use enza_server::access::AuditEvent;
use enza_storage::Opened;
use serde_json::{Value, json};

use super::{SecretMasking, as_json};
use crate::arguments::SessionExport;
use crate::environment::Environment;
use crate::screen::Screen;
use crate::setup;
use crate::trouble::Trouble;

/// Prints the row, every event and the state. It is JSON with or without `--json`.
pub async fn run(around: &Environment, screen: &Screen, order: &SessionExport) -> Result<(), Trouble> {
    let Opened { store, register, .. } = setup::open_database(around).await?;
    let engine = setup::engine_that_looks(around, store);
    let row = setup::find_session(&**engine.store(), &order.id).await?;
    let live = engine.state_at(&row.id, None).await?;
    let reading = setup::read_session(&engine, &row).await?;
    let state = live.shows_state(&reading.reader).then(|| live.to_json());
    let events = engine.store().events(&row.id, Seq::START, usize::MAX).await?;
    let events: Vec<Value> = events.into_iter().map(|recorded| as_json(&reading.event(recorded).outline())).collect();
    let form = SecretMasking::of(&around.applications, &row, order.raw);
    // Before it is handed out: what was taken along is never missing.
    register.note(&setup::journal_line(AuditEvent::SessionExported, &row.id)).await?;
    screen.value(&form.value(json!({"session": row, "events": events, "state": state})))
}
