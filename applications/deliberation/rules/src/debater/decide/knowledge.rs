//! Knowledge: at most ten pieces, at any time (DEL-06, DEL-59 to DEL-61).
//!
//! Titles are one line, so that no title can pose as a heading of a prompt (DEL-C9).

use enza_kernel::application::Draft;
use enza_kernel::limits::{Limit, one_line};

use super::for_its_owner;
use crate::brief::KnowledgeEntry;
use crate::debater::Debater;
use crate::debater::event::DebaterEvent;
use crate::debater::refusal::DebaterRefusal;
use crate::limits::{KNOWLEDGE_CONTENT, KNOWLEDGE_SLOTS, KNOWLEDGE_TITLE};
use crate::names::of_words;

pub(super) fn add(draft: &mut Draft<'_, Debater>, title: &str, content: &str) -> Result<(), DebaterRefusal> {
    let profile = for_its_owner(draft)?;
    let (title, content) = checked(title, content)?;
    if draft.state.knowledge.len() >= KNOWLEDGE_SLOTS {
        return Err(DebaterRefusal::KnowledgeFull);
    }
    let id = of_words(&["knowledge", &profile.debater, &draft.now().head.to_string()]);
    let entry = KnowledgeEntry { id, title, content, created_at: draft.now().time.0 };
    let known: Vec<KnowledgeEntry> = [entry.clone()].into_iter().chain(draft.state.knowledge.clone()).collect();
    let look_up = draft.state.look_up(&profile, &known, None);
    draft.record(DebaterEvent::KnowledgeAdded { entry, look_up });
    Ok(())
}

pub(super) fn edit(draft: &mut Draft<'_, Debater>, id: &str, title: &str, content: &str) -> Result<(), DebaterRefusal> {
    for_its_owner(draft)?;
    let (title, content) = checked(title, content)?;
    let known = find(draft, id)?;
    let entry = KnowledgeEntry { title, content, ..known.clone() };
    if entry != known {
        draft.record(DebaterEvent::KnowledgeEdited { entry });
    }
    Ok(())
}

pub(super) fn remove(draft: &mut Draft<'_, Debater>, id: &str) -> Result<(), DebaterRefusal> {
    let profile = for_its_owner(draft)?;
    let entry = find(draft, id)?;
    let left: Vec<KnowledgeEntry> = draft.state.knowledge.iter().filter(|known| known.id != id).cloned().collect();
    let look_up = draft.state.look_up(&profile, &left, None);
    draft.record(DebaterEvent::KnowledgeRemoved { entry, look_up });
    Ok(())
}

fn checked(title: &str, content: &str) -> Result<(String, String), DebaterRefusal> {
    let check = |limit: Limit, text: &str| limit.check(text).map_err(DebaterRefusal::Text);
    let title = check(KNOWLEDGE_TITLE, title)?;
    Ok((one_line(&title, KNOWLEDGE_TITLE.graphemes), check(KNOWLEDGE_CONTENT, content)?))
}

fn find(draft: &Draft<'_, Debater>, id: &str) -> Result<KnowledgeEntry, DebaterRefusal> {
    let known = draft.state.knowledge.iter().find(|known| known.id == id);
    known.cloned().ok_or(DebaterRefusal::KnowledgeUnknown)
}
