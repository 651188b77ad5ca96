//! `enza session delete`: removes a session and everything kept for it, after a yes. The journal has a line of it.

use enza_runtime::seams::store::{Deleted, SessionRow};
use enza_server::access::AuditEvent;
use serde_json::json;

use crate::arguments::SessionDelete;
use crate::environment::Environment;
use crate::screen::Screen;
use crate::setup::{self, short_id};
use crate::trouble::Trouble;
use crate::words::sessions as words;

/// Deletes a session.
pub async fn run(around: &Environment, screen: &Screen, order: &SessionDelete) -> Result<(), Trouble> {
    let engine = setup::read_only_engine(around).await?;
    let row = setup::find_session(&**engine.store(), &order.id).await?;
    if !order.yes && !confirmed(around, screen, &row).await? {
        return screen.say(words::kept(screen.lang));
    }
    let line = setup::journal_line(AuditEvent::SessionDeleted, &row.id);
    match engine.delete_noted(&row.id, &mut Some(line)).await? {
        Deleted::Deleted => {}
        Deleted::Unknown => return Err(Trouble::UnknownSession { part: order.id.clone(), near: Vec::new() }),
        Deleted::HasForks(forks) => return Err(Trouble::HasForks { forks }),
        Deleted::HasFamily(count) => return Err(Trouble::HasFamily { count }),
    }
    if screen.json {
        return screen.value(&json!({"session": row.id, "deleted": true}));
    }
    screen.say(&words::deleted(screen.lang, short_id(&row.id)))
}

async fn confirmed(around: &Environment, screen: &Screen, row: &SessionRow) -> Result<bool, Trouble> {
    if !around.attended {
        return Err(Trouble::NeedsYes);
    }
    screen.asks(&words::really(screen.lang, short_id(&row.id), &row.standing.title, row.head.0)).await
}
