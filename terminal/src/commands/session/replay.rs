//! `enza session replay`: folds the log anew and compares the snapshot and every recorded prompt.

use serde_json::json;

use crate::environment::Environment;
use crate::screen::Screen;
use crate::setup;
use crate::trouble::Trouble;
use crate::words::sessions as words;

/// Replays a session; anything that differs is a failure.
pub async fn run(around: &Environment, screen: &Screen, part: &str) -> Result<(), Trouble> {
    let engine = setup::read_only_engine(around).await?;
    let row = setup::find_session(&**engine.store(), part).await?;
    let replay = engine.replay(&row.id).await?;
    let same = replay.snapshot_agrees && replay.prompts_that_differ.is_empty();
    if !same {
        return Err(Trouble::ReplayDiffers {
            seqs: replay.prompts_that_differ,
            snapshot_agrees: replay.snapshot_agrees,
        });
    }
    if screen.json {
        return screen.value(&json!({
            "session": row.id,
            "same": same,
            "events": replay.events,
            "prompts": replay.prompts,
            "state": replay.state,
        }));
    }
    screen.say(&words::replayed(screen.lang, replay.events, replay.prompts))?;
    screen.note(&screen.paint.faint(&words::digest(screen.lang, &replay.state)))
}
