//! What the interview is told of files: by whoever keeps them, since only they know what came in.
//!
//! A person names a file by its digest like any other value. That the digest is of a file which this interview took in is
//! what these two keep true, so that nobody reaches another's file by naming it.

use enza_kernel::application::Draft;
use enza_kernel::time::Actor;

use super::must_be_open;
use crate::Interview;
use crate::event::Event;
use crate::refusal::Refusal;
use crate::values;

/// A file came in.
pub(super) fn take(draft: &mut Draft<'_, Interview>, digest: String, name: String, size: u64) -> Result<(), Refusal> {
    must_be_the_keeper(draft)?;
    must_be_open(draft)?;
    if values::file_name(&format!("{digest}/{name}")).is_none() {
        return Err(Refusal::FileNotTaken);
    }
    if !draft.state.files.contains(&digest) {
        draft.record(Event::FileTaken { digest, name, size });
    }
    Ok(())
}

/// A file was given up again.
pub(super) fn leave(draft: &mut Draft<'_, Interview>, digest: String) -> Result<(), Refusal> {
    must_be_the_keeper(draft)?;
    if draft.state.files.contains(&digest) {
        draft.record(Event::FileLeft { digest });
    }
    Ok(())
}

fn must_be_the_keeper(draft: &Draft<'_, Interview>) -> Result<(), Refusal> {
    match draft.now().by {
        Actor::Runtime => Ok(()),
        Actor::Person(_) | Actor::Clock | Actor::Session { .. } => Err(Refusal::FileNotTaken),
    }
}
