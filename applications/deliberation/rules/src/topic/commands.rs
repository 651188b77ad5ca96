//! What is decided about each command of a topic.

use enza_deliberation_cast::NextTopic;
use enza_kernel::application::{Application as _, Draft};
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;

use super::command::{DebateOutcome, TopicCommand, TopicSettings};
use super::event::{Listing, RunName, TopicEvent, TopicStatus};
use super::refusal::{SettingsFault, TopicRefusal};
use super::{Topics, run};
use crate::{Brief, TOPIC_DESCRIPTION, TOPIC_TITLE, of_words};

pub(super) fn decide(draft: &mut Draft<'_, Topics>, command: TopicCommand) -> Result<(), TopicRefusal> {
    match command {
        TopicCommand::Begin { id, title, description, lang, settings, owner } => {
            begin(draft, Beginning { id, title, description, lang, settings, owner })
        }
        TopicCommand::Edit { title, description } => edit(draft, &title, &description),
        TopicCommand::SetSettings { settings } => configure(draft, settings),
        TopicCommand::RunNow => run_now(draft, Vec::new(), None),
        TopicCommand::Convene { debaters, turns } => run_now(draft, distinct(debaters), turns),
        TopicCommand::Pause => pause(draft),
        TopicCommand::Resume => resume(draft),
        TopicCommand::Archive => archive(draft),
        TopicCommand::AcceptNext { debate } => accept_next(draft, debate),
        TopicCommand::DropNext { debate } => {
            proposal(draft, &debate)?;
            draft.record(TopicEvent::NextDropped { debate });
            Ok(())
        }
        TopicCommand::Brief { debate, brief } => take_brief(draft, &debate, brief),
        TopicCommand::Ended { debate, outcome, summary, next } => ended(draft, debate, outcome, summary, next),
    }
}

/// What a topic begins with.
struct Beginning {
    id: Option<String>,
    title: String,
    description: String,
    lang: Lang,
    settings: Option<TopicSettings>,
    owner: Option<String>,
}

fn begin(draft: &mut Draft<'_, Topics>, beginning: Beginning) -> Result<(), TopicRefusal> {
    if draft.state.listing.is_some() {
        return Err(TopicRefusal::Common(CommonRefusal::AlreadyOpen));
    }
    let Beginning { id, title, description, lang, settings, owner } = beginning;
    let by = &draft.now().by;
    // Another topic says whose it is; a person is whoever they are.
    let predecessor = by.session_of(Topics::NAME).map(str::to_owned);
    let owner = by.person().map(str::to_owned).or_else(|| owner.filter(|_| predecessor.is_some()));
    let owner = owner.ok_or(TopicRefusal::Common(CommonRefusal::NotAPerson))?;
    let settings = settings.unwrap_or_else(|| draft.app.defaults.clone());
    settings.check().map_err(TopicRefusal::Settings)?;
    let now = draft.now().time.0;
    let listing = Listing {
        session: id,
        title: title_of(&title)?,
        description: TOPIC_DESCRIPTION.check(&description).map_err(TopicRefusal::Text)?,
        lang,
        owner,
        status: TopicStatus::Active,
        predecessor,
        created_at: now,
        updated_at: now,
    };
    draft.record(TopicEvent::Begun { listing, settings });
    Ok(())
}

/// A title is one line (DEL-C9).
fn title_of(text: &str) -> Result<String, TopicRefusal> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    TOPIC_TITLE.check(&line).map_err(TopicRefusal::Text)
}

/// What the owner, and nobody else, may change as long as it is not over.
fn owned(draft: &Draft<'_, Topics>) -> Result<Listing, TopicRefusal> {
    let listing = draft.state.listing.clone().ok_or(TopicRefusal::Common(CommonRefusal::NotOpen))?;
    let person = draft.now().by.person().ok_or(TopicRefusal::Common(CommonRefusal::NotAPerson))?;
    if person != listing.owner {
        return Err(TopicRefusal::Common(CommonRefusal::NotYourPart));
    }
    match listing.status {
        TopicStatus::Active => Ok(Listing { updated_at: draft.now().time.0, ..listing }),
        TopicStatus::Archived => Err(TopicRefusal::Archived),
    }
}

fn edit(draft: &mut Draft<'_, Topics>, title: &str, description: &str) -> Result<(), TopicRefusal> {
    let known = owned(draft)?;
    let title = title_of(title)?;
    let description = TOPIC_DESCRIPTION.check(description).map_err(TopicRefusal::Text)?;
    if (&title, &description) != (&known.title, &known.description) {
        draft.record(TopicEvent::Edited { listing: Listing { title, description, ..known } });
    }
    Ok(())
}

fn configure(draft: &mut Draft<'_, Topics>, settings: TopicSettings) -> Result<(), TopicRefusal> {
    owned(draft)?;
    settings.check().map_err(TopicRefusal::Settings)?;
    if settings != draft.state.settings {
        draft.record(TopicEvent::Configured { settings });
    }
    Ok(())
}

fn run_now(draft: &mut Draft<'_, Topics>, named: Vec<String>, turns: Option<u32>) -> Result<(), TopicRefusal> {
    owned(draft)?;
    if draft.state.run.is_some() {
        return Err(TopicRefusal::RunUnderWay);
    }
    let turns = turns.unwrap_or(draft.state.settings.turns);
    if !(1..=20).contains(&turns) {
        return Err(TopicRefusal::Settings(SettingsFault::Turns));
    }
    if named.len() == 1 || named.len() > 8 {
        return Err(TopicRefusal::Settings(SettingsFault::Seats));
    }
    let name = RunName { at: draft.now().time, start: None };
    run::begin(draft, name, named, turns);
    Ok(())
}

fn distinct(debaters: Vec<String>) -> Vec<String> {
    let mut kept = Vec::new();
    for debater in debaters {
        if !kept.contains(&debater) {
            kept.push(debater);
        }
    }
    kept
}

fn pause(draft: &mut Draft<'_, Topics>) -> Result<(), TopicRefusal> {
    owned(draft)?;
    if draft.state.schedule.as_ref().is_some_and(|schedule| schedule.paused_at().is_none()) {
        draft.record(TopicEvent::Paused);
    }
    Ok(())
}

fn resume(draft: &mut Draft<'_, Topics>) -> Result<(), TopicRefusal> {
    owned(draft)?;
    if draft.state.schedule.as_ref().is_some_and(|schedule| schedule.paused_at().is_some()) {
        draft.record(TopicEvent::Resumed);
    }
    Ok(())
}

fn archive(draft: &mut Draft<'_, Topics>) -> Result<(), TopicRefusal> {
    let listing = owned(draft)?;
    run::call_off(draft);
    draft.record(TopicEvent::Archived { listing: Listing { status: TopicStatus::Archived, ..listing } });
    Ok(())
}

fn proposal(draft: &Draft<'_, Topics>, debate: &str) -> Result<(Listing, NextTopic), TopicRefusal> {
    let listing = owned(draft)?;
    let next = draft.state.proposals.get(debate).cloned().ok_or(TopicRefusal::ProposalUnknown)?;
    Ok((listing, next))
}

/// The new topic takes the place of this one, and knows where it came from.
fn accept_next(draft: &mut Draft<'_, Topics>, debate: String) -> Result<(), TopicRefusal> {
    let (listing, next) = proposal(draft, &debate)?;
    run::call_off(draft);
    let session = of_words(&["next-topic", &debate]);
    let listing = Listing { status: TopicStatus::Archived, ..listing };
    draft.record(TopicEvent::NextAccepted { debate, session, next, listing });
    Ok(())
}

fn take_brief(draft: &mut Draft<'_, Topics>, debate: &str, brief: Brief) -> Result<(), TopicRefusal> {
    if draft.now().by.session_of("debater") != Some(brief.debater.as_str()) {
        return Err(TopicRefusal::Common(CommonRefusal::NotASession));
    }
    let run = draft.state.run.as_ref().filter(|run| run.debate.as_deref() == Some(debate));
    if !run.is_some_and(|run| run.waiting.contains(&brief.debater)) {
        return Err(TopicRefusal::NotSummoned);
    }
    draft.record(TopicEvent::BriefTaken { brief });
    Ok(())
}

fn ended(
    draft: &mut Draft<'_, Topics>,
    debate: String,
    outcome: DebateOutcome,
    summary: String,
    next: Option<NextTopic>,
) -> Result<(), TopicRefusal> {
    if draft.now().by.session_of("debate") != Some(debate.as_str()) {
        return Err(TopicRefusal::Common(CommonRefusal::NotASession));
    }
    match draft.state.debates.get(&debate) {
        None => Err(TopicRefusal::DebateUnknown),
        Some(card) if card.outcome.is_some() => Ok(()),
        Some(_) => {
            draft.record(TopicEvent::DebateEnded { debate, outcome, summary, next });
            Ok(())
        }
    }
}
