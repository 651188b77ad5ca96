//! What a file would hold after a change that waits at a gate, for whoever wants to write it anew.

use enza_kernel::gate::FileAsked;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;

use super::show;
use crate::access::{Caller, Onlooker};
use crate::problem::Problem;
use crate::state::AppState;

/// The longest content that is written anew on a page.
const MOST: usize = 200_000;

/// A file of the open gate with what it would hold. There is none where the content is not kept, is long, or has line ends
/// that a browser would change.
pub async fn content(
    app: &AppState,
    caller: &Caller,
    session: &str,
    gate: &str,
    place: u32,
    lang: Lang,
) -> Result<(FileAsked, String), Problem> {
    // What a file holds is its owner's, whoever else may answer.
    caller.session(app, session).await?;
    let floor = show(app, &Onlooker::of(caller), session, lang).await?.floor;
    if floor.gate.is_none_or(|open| open.id != gate) {
        return Err(CommonRefusal::NoSuchGate.into());
    }
    let file = floor.leeway.files.into_iter().find(|file| file.place == place).ok_or(Problem::NothingHere)?;
    let (Some(digest), Some(contents)) = (file.content, app.contents()) else { return Err(Problem::NothingHere) };
    let read = tokio::task::spawn_blocking(move || contents.text(&digest)).await.map_err(|_| Problem::Bug)?;
    let text = read.filter(|text| text.len() <= MOST && !text.contains(['\r', '\0'])).ok_or(Problem::NothingHere)?;
    Ok((file, text))
}
