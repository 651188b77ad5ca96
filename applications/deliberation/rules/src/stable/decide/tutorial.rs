//! The tutorial: one debater, the three partners of the house, three short turns; once for each person.

use enza_deliberation_cast::{Partner, mode, partners, topics};
use enza_kernel::application::Draft;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;
use serde_json::json;

use super::{for_its_owner, is_uuid, ready};
use crate::brief::{Brief, KnowledgeEntry};
use crate::names::of_words;
use crate::stable::command::TutorialOutcome;
use crate::stable::event::StableEvent;
use crate::stable::refusal::StableRefusal;
use crate::stable::state::TutorialStep;
use crate::stable::{DEBATER, Stable};

/// The mode of a tutorial, by its key.
const MODE: &str = "tutorial";
/// A direction can be sent this long where the mode does not say.
const WINDOW_SECONDS: u32 = 90;

pub(super) fn ask(draft: &mut Draft<'_, Stable>, debater: String, debate: String) -> Result<(), StableRefusal> {
    for_its_owner(draft)?;
    ready(draft, &debater)?;
    if !is_uuid(&debate) {
        return Err(StableRefusal::IdUnfit);
    }
    if draft.state.has_used_tutorial() {
        return Err(StableRefusal::TutorialUsed);
    }
    begin(draft, debater, debate);
    Ok(())
}

pub(in crate::stable) fn begin(draft: &mut Draft<'_, Stable>, debater: String, debate: String) {
    let title = topic_of(&debate, draft.state.lang).0;
    draft.record(StableEvent::TutorialBegun { debate, debater, title });
}

/// The debater has come: everybody sits down.
pub(super) fn seat(draft: &mut Draft<'_, Stable>, debate: String, brief: Brief) -> Result<(), StableRefusal> {
    let by = draft.now().by.session_of(DEBATER).ok_or(StableRefusal::Common(CommonRefusal::NotASession))?;
    let tutorial = draft.state.tutorial.as_ref();
    let is_awaited = tutorial.is_some_and(|tutorial| {
        tutorial.debate == debate && tutorial.debater == by && tutorial.step == TutorialStep::Summoned
    });
    if !is_awaited || brief.debater != by {
        return Err(StableRefusal::Common(CommonRefusal::NotYourPart));
    }
    let host = draft.state.owner.clone().unwrap_or_default();
    let command = opening(&debate, &host, brief, draft.state.lang);
    draft.record(StableEvent::TutorialSeated { debate, command });
    Ok(())
}

pub(super) fn end(
    draft: &mut Draft<'_, Stable>,
    debate: String,
    outcome: TutorialOutcome,
) -> Result<(), StableRefusal> {
    let by = draft.now().by.session_of(DEBATER).ok_or(StableRefusal::Common(CommonRefusal::NotASession))?;
    let is_ours = draft.state.tutorial.as_ref().is_some_and(|tutorial| {
        tutorial.debate == debate && tutorial.debater == by && tutorial.step == TutorialStep::Running
    });
    if !is_ours {
        return Err(StableRefusal::Common(CommonRefusal::NotYourPart));
    }
    draft.record(StableEvent::TutorialEnded { debate, outcome });
    Ok(())
}

/// The command that opens the debate; its host is the person whose tutorial it is.
fn opening(debate: &str, host: &str, brief: Brief, lang: Lang) -> serde_json::Value {
    let (title, description) = topic_of(debate, lang);
    let mode = mode(MODE);
    let turns = mode.map_or(3, |mode| mode.turns);
    let window = mode.and_then(|mode| mode.window_seconds).unwrap_or(WINDOW_SECONDS) * 1_000;
    let partners = partners().iter().map(|partner| partner_brief(partner, lang));
    let seats: Vec<Brief> = std::iter::once(brief).chain(partners).collect();
    let topic = json!({
        "id": of_words(&["tutorial-topic", debate]), "title": title, "description": description, "lang": lang,
    });
    json!({ "open": {
        "topic": topic, "mode": MODE, "turns": turns, "seats": seats, "window": window,
        "settings": { "debate": debate, "host": host, "seed": debate, "is_tutorial": true },
    } })
}

/// A topic of the library: which one, the debate's name decides.
fn topic_of(debate: &str, lang: Lang) -> (String, String) {
    let sum: usize = debate.bytes().map(usize::from).sum();
    let topic = topics().get(sum % topics().len().max(1));
    topic.map(|topic| topic.text(lang)).map(|text| (text.title.clone(), text.description.clone())).unwrap_or_default()
}

fn partner_brief(partner: &Partner, lang: Lang) -> Brief {
    let (text, persona) = (partner.text(lang), partner.persona(lang));
    let known = text.knowledge.iter().map(|known| KnowledgeEntry {
        id: of_words(&["partner", &partner.key, &known.title]),
        title: known.title.clone(),
        content: known.content.clone(),
        created_at: 0,
    });
    Brief {
        debater: partner.key.clone(),
        owner: None,
        name: text.name.clone(),
        persona: persona.raw().to_owned(),
        persona_version: persona.version(),
        knowledge: known.collect(),
        feedback: None,
    }
}
