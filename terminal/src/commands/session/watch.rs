//! `enza session watch`: follows a session live, until it ends or nobody wants to look any more.

use std::time::Duration;

use enza_kernel::application::Phase;
use enza_kernel::time::Seq;
use enza_runtime::engine::ReaderItem;

use super::{SecretMasking, as_json, as_line};
use crate::arguments::SessionWatch;
use crate::environment::Environment;
use crate::screen::Screen;
use crate::setup;
use crate::trouble::Trouble;
use crate::words::sessions as words;

/// How long to wait for an event before looking whether the session has ended.
const LOOK: Duration = Duration::from_millis(700);

/// Follows a session.
pub async fn run(around: &Environment, screen: &Screen, order: &SessionWatch) -> Result<(), Trouble> {
    let engine = setup::read_only_engine(around).await?;
    let row = setup::find_session(&**engine.store(), &order.id).await?;
    let (form, session) = (SecretMasking::of(&around.applications, &row, false), row.id);
    let unknown = || Trouble::UnknownSession { part: order.id.clone(), near: Vec::new() };
    // As its owner reads it, like everything that is printed of it.
    let feed = engine.watch_as(&session, Seq(order.after), Some(&row.owner)).await?;
    let mut feed = feed.ok_or_else(unknown)?;
    let mut seen = Seq(order.after);
    loop {
        match tokio::time::timeout(LOOK, feed.next()).await {
            Ok(Ok(ReaderItem::Event(seen_event))) => {
                let recorded = form.event(seen_event.outline());
                seen = recorded.seq;
                if screen.json {
                    screen.value(&as_json(&recorded))?;
                } else {
                    screen.say(&as_line(screen, &recorded))?;
                }
            }
            // Pieces of a reply are followed by the whole; a log of lines waits for that.
            Ok(Ok(ReaderItem::Delta { .. } | ReaderItem::Skipped)) => {}
            Ok(Ok(ReaderItem::Gone | ReaderItem::Closed)) => return Err(unknown()),
            Ok(Err(failure)) if failure.may_retry() => tokio::time::sleep(LOOK).await,
            Ok(Err(failure)) => return Err(failure.into()),
            Err(_) => {
                let row = engine.row(&session).await?;
                if row.standing.phase == Phase::Ended && row.head <= seen {
                    return if screen.json { Ok(()) } else { screen.note(words::ended(screen.lang)) };
                }
            }
        }
    }
}
