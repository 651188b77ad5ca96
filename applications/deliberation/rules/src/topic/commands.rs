//! What is decided about each command of a topic.

use enza_deliberation_cast::NextTopic;
use enza_kernel::application::{Application as _, Draft};
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;

use super::command::{Command, DebateOutcome, TopicSettings};
use super::event::{Event, Listing, RunName, TopicStatus};
use super::refusal::{Refusal, SettingsFault};
use super::{Topics, run};
use crate::{Brief, TOPIC_DESCRIPTION, TOPIC_TITLE, of_words};

pub(super) fn decide(draft: &mut Draft<'_, Topics>, command: Command) -> Result<(), Refusal> {
    match command {
        Command::Begin { id, title, description, lang, settings, owner } => {
            begin(draft, Beginning { id, title, description, lang, settings, owner })
        }
        Command::Edit { title, description } => edit(draft, &title, &description),
        Command::SetSettings { settings } => configure(draft, settings),
        Command::RunNow => run_now(draft, Vec::new(), None),
        Command::Convene { debaters, turns } => run_now(draft, distinct(debaters), turns),
        Command::Pause => pause(draft),
        Command::Resume => resume(draft),
        Command::Archive => archive(draft),
        Command::AcceptNext { debate } => accept_next(draft, debate),
        Command::DropNext { debate } => {
            proposal(draft, &debate)?;
            draft.record(Event::NextDropped { debate });
            Ok(())
        }
        Command::Brief { debate, brief } => take_brief(draft, &debate, brief),
        Command::Ended { debate, outcome, summary, next } => ended(draft, debate, outcome, summary, next),
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

fn begin(draft: &mut Draft<'_, Topics>, beginning: Beginning) -> Result<(), Refusal> {
    if draft.state.listing.is_some() {
        return Err(Refusal::Common(CommonRefusal::AlreadyOpen));
    }
    let Beginning { id, title, description, lang, settings, owner } = beginning;
    let by = &draft.now().by;
    // Another topic says whose it is; a person is whoever they are.
    let predecessor = by.session_of(Topics::NAME).map(str::to_owned);
    let owner = by.person().map(str::to_owned).or_else(|| owner.filter(|_| predecessor.is_some()));
    let owner = owner.ok_or(Refusal::Common(CommonRefusal::NotAPerson))?;
    let settings = settings.unwrap_or_else(|| draft.app.defaults.clone());
    settings.check().map_err(Refusal::Settings)?;
    let now = draft.now().time.0;
    let listing = Listing {
        session: id,
        title: title_of(&title)?,
        description: TOPIC_DESCRIPTION.check(&description).map_err(Refusal::Text)?,
        lang,
        owner,
        status: TopicStatus::Active,
        predecessor,
        created_at: now,
        updated_at: now,
    };
    draft.record(Event::Begun { listing, settings });
    Ok(())
}

/// A title is one line (DEL-C9).
fn title_of(text: &str) -> Result<String, Refusal> {
    let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
    TOPIC_TITLE.check(&line).map_err(Refusal::Text)
}

/// What the owner, and nobody else, may change as long as it is not over.
fn owned(draft: &Draft<'_, Topics>) -> Result<Listing, Refusal> {
    let listing = draft.state.listing.clone().ok_or(Refusal::Common(CommonRefusal::NotOpen))?;
    let person = draft.now().by.person().ok_or(Refusal::Common(CommonRefusal::NotAPerson))?;
    if person != listing.owner {
        return Err(Refusal::Common(CommonRefusal::NotYourPart));
    }
    match listing.status {
        TopicStatus::Active => Ok(Listing { updated_at: draft.now().time.0, ..listing }),
        TopicStatus::Archived => Err(Refusal::Archived),
    }
}

fn edit(draft: &mut Draft<'_, Topics>, title: &str, description: &str) -> Result<(), Refusal> {
    let known = owned(draft)?;
    let title = title_of(title)?;
    let description = TOPIC_DESCRIPTION.check(description).map_err(Refusal::Text)?;
    if (&title, &description) != (&known.title, &known.description) {
        draft.record(Event::Edited { listing: Listing { title, description, ..known } });
    }
    Ok(())
}

fn configure(draft: &mut Draft<'_, Topics>, settings: TopicSettings) -> Result<(), Refusal> {
    owned(draft)?;
    settings.check().map_err(Refusal::Settings)?;
    if settings != draft.state.settings {
        draft.record(Event::Configured { settings });
    }
    Ok(())
}

fn run_now(draft: &mut Draft<'_, Topics>, named: Vec<String>, turns: Option<u32>) -> Result<(), Refusal> {
    owned(draft)?;
    if draft.state.run.is_some() {
        return Err(Refusal::RunUnderWay);
    }
    let turns = turns.unwrap_or(draft.state.settings.turns);
    if !(1..=20).contains(&turns) {
        return Err(Refusal::Settings(SettingsFault::Turns));
    }
    if named.len() == 1 || named.len() > 8 {
        return Err(Refusal::Settings(SettingsFault::Seats));
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

fn pause(draft: &mut Draft<'_, Topics>) -> Result<(), Refusal> {
    owned(draft)?;
    if draft.state.schedule.as_ref().is_some_and(|schedule| schedule.paused_at().is_none()) {
        draft.record(Event::Paused);
    }
    Ok(())
}

fn resume(draft: &mut Draft<'_, Topics>) -> Result<(), Refusal> {
    owned(draft)?;
    if draft.state.schedule.as_ref().is_some_and(|schedule| schedule.paused_at().is_some()) {
        draft.record(Event::Resumed);
    }
    Ok(())
}

fn archive(draft: &mut Draft<'_, Topics>) -> Result<(), Refusal> {
    let listing = owned(draft)?;
    run::call_off(draft);
    draft.record(Event::Archived { listing: Listing { status: TopicStatus::Archived, ..listing } });
    Ok(())
}

fn proposal(draft: &Draft<'_, Topics>, debate: &str) -> Result<(Listing, NextTopic), Refusal> {
    let listing = owned(draft)?;
    let next = draft.state.proposals.get(debate).cloned().ok_or(Refusal::ProposalUnknown)?;
    Ok((listing, next))
}

/// The new topic takes the place of this one, and knows where it came from.
fn accept_next(draft: &mut Draft<'_, Topics>, debate: String) -> Result<(), Refusal> {
    let (listing, next) = proposal(draft, &debate)?;
    run::call_off(draft);
    let session = of_words(&["next-topic", &debate]);
    let listing = Listing { status: TopicStatus::Archived, ..listing };
    draft.record(Event::NextAccepted { debate, session, next, listing });
    Ok(())
}

fn take_brief(draft: &mut Draft<'_, Topics>, debate: &str, brief: Brief) -> Result<(), Refusal> {
    if draft.now().by.session_of("debater") != Some(brief.debater.as_str()) {
        return Err(Refusal::Common(CommonRefusal::NotASession));
    }
    let run = draft.state.run.as_ref().filter(|run| run.debate.as_deref() == Some(debate));
    if !run.is_some_and(|run| run.waiting.contains(&brief.debater)) {
        return Err(Refusal::NotSummoned);
    }
    draft.record(Event::BriefTaken { brief });
    Ok(())
}

fn ended(
    draft: &mut Draft<'_, Topics>,
    debate: String,
    outcome: DebateOutcome,
    summary: String,
    next: Option<NextTopic>,
) -> Result<(), Refusal> {
    if draft.now().by.session_of("debate") != Some(debate.as_str()) {
        return Err(Refusal::Common(CommonRefusal::NotASession));
    }
    match draft.state.debates.get(&debate) {
        None => Err(Refusal::DebateUnknown),
        Some(card) if card.outcome.is_some() => Ok(()),
        Some(_) => {
            draft.record(Event::DebateEnded { debate, outcome, summary, next });
            Ok(())
        }
    }
}
