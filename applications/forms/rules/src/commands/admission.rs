//! Respondents come, submit and are forgotten. One log has one writer, so no two of them race.

use enza_kernel::application::Draft;
use enza_kernel::limits;

use super::{must_be_runtime_or_owner, must_have_begun};
use crate::Forms;
use crate::event::{Event, Going};
use crate::link::LinkUse;
use crate::refusal::Refusal;
use crate::state::Admission;

pub(super) fn admit(draft: &mut Draft<'_, Forms>, token: String, session: &str) -> Result<(), Refusal> {
    must_have_begun(draft)?;
    let session = limits::NAME.check(session).map_err(Refusal::Text)?;
    match draft.state.admission(&token, Some(&session), draft.now().time)? {
        Admission::Again => {}
        Admission::New { published, .. } => {
            let version = published.version;
            draft.record(Event::Admitted { token, session, version });
        }
    }
    Ok(())
}

/// A submission counts even where the form was closed or filled up meanwhile: its respondent was let in.
pub(super) fn receive(draft: &mut Draft<'_, Forms>, session: &str) -> Result<(), Refusal> {
    must_be_runtime_or_owner(draft)?;
    let session = limits::NAME.check(session).map_err(Refusal::Text)?;
    let count = draft.state.received + 1;
    draft.record(Event::Received { session, count });
    Ok(())
}

/// A single link drops the name; the owner is told where copies of theirs went, too.
pub(super) fn forget(draft: &mut Draft<'_, Forms>, session: String, copies: u64, why: Going) -> Result<(), Refusal> {
    must_be_runtime_or_owner(draft)?;
    let is_known = |used: &LinkUse| matches!(used, LinkUse::By(known) if *known == session);
    if copies > 0 || draft.state.links.values().any(|link| is_known(&link.used)) {
        draft.record(Event::Forgotten { session, copies, why });
    }
    Ok(())
}
