//! `enza session fork`: another session that shares the beginning of this one, up to the end of a decision.

use enza_kernel::time::Seq;
use serde_json::json;

use crate::arguments::SessionFork;
use crate::environment::Environment;
use crate::screen::Screen;
use crate::setup::{self, OWNER, short_id};
use crate::trouble::Trouble;
use crate::words::sessions as words;

/// Forks a session.
pub async fn run(around: &Environment, screen: &Screen, order: &SessionFork) -> Result<(), Trouble> {
    let engine = setup::read_only_engine(around).await?;
    let parent = setup::find_session(&**engine.store(), &order.id).await?;
    let at = order.at.map_or(parent.head, Seq);
    if at == Seq::START || at > parent.head {
        return Err(Trouble::NoSuchEvent { seq: at, head: parent.head });
    }
    let child = setup::new_session();
    let at = engine.fork(&parent.id, Some(at), &child, OWNER).await?;
    if screen.json {
        return screen.value(&json!({"session": child, "parent": parent.id, "at": at}));
    }
    screen.say(&words::forked(screen.lang, child.as_str(), short_id(&parent.id), at.0))?;
    if let Some(resume) = around.applications.resumes(&parent.application, short_id(&child)) {
        screen.note(&screen.paint.faint(&words::go_on(screen.lang, &resume)))?;
    }
    Ok(())
}
