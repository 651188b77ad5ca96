//! `enza session watch`: follows a session live, until it ends or nobody wants to look any more.

use std::time::Duration;

use enza_kernel::application::Phase;
use enza_kernel::time::Seq;
use enza_runtime::engine::FeedItem;

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
    let mut feed = engine.watch(&session, Seq(order.after));
    let mut seen = Seq(order.after);
    loop {
        match tokio::time::timeout(LOOK, feed.next()).await {
            Ok(Ok(FeedItem::Event(recorded))) => {
                let recorded = form.event(recorded);
                seen = recorded.seq;
                if screen.json {
                    screen.value(&as_json(&recorded))?;
                } else {
                    screen.say(&as_line(screen, &recorded))?;
                }
            }
            // Pieces of a reply are followed by the whole; a log of lines waits for that.
            Ok(Ok(FeedItem::Delta { .. } | FeedItem::Skipped)) => {}
            Ok(Ok(FeedItem::Gone)) => {
                return Err(Trouble::UnknownSession { part: order.id.clone(), near: Vec::new() });
            }
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
