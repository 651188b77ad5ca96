//! `enza session delete`: removes a session and everything kept for it, after a yes.

use enza_runtime::seams::store::{Deleted, SessionRow};
use serde_json::json;

use crate::arguments::SessionDelete;
use crate::backstage::{self, short};
use crate::screen::Screen;
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;
use crate::words::sessions as words;

/// Deletes a session.
pub async fn run(around: &Surroundings, screen: &Screen, order: &SessionDelete) -> Result<(), Trouble> {
    let engine = backstage::looking(around).await?;
    let row = backstage::find(&**engine.store(), &order.id).await?;
    if !order.yes && !confirmed(around, screen, &row).await? {
        return screen.say(words::kept(screen.lang));
    }
    match engine.delete(&row.id).await? {
        Deleted::Deleted => {}
        Deleted::Unknown => return Err(Trouble::UnknownSession { part: order.id.clone(), near: Vec::new() }),
        Deleted::HasForks(forks) => return Err(Trouble::HasForks { forks }),
        Deleted::HasFamily(count) => return Err(Trouble::HasFamily { count }),
    }
    if screen.json {
        return screen.value(&json!({"session": row.id, "deleted": true}));
    }
    screen.say(&words::deleted(screen.lang, short(&row.id)))
}

async fn confirmed(around: &Surroundings, screen: &Screen, row: &SessionRow) -> Result<bool, Trouble> {
    if !around.attended {
        return Err(Trouble::NeedsYes);
    }
    screen.asks(&words::really(screen.lang, short(&row.id), &row.standing.title, row.head.0)).await
}
