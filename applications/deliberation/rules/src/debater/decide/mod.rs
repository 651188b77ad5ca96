//! Decides what is asked of a debater, one file for each subject.
//!
//! A command says who may send it: the owner, the stable, whoever summoned, or a debate about itself. What races (two
//! pieces of knowledge for one place, two feedbacks, a feedback against the next seat) is decided by the order of this log.

mod feedback;
mod growth;
mod knowledge;
mod life;
mod seats;
mod trial;

pub(super) use growth::{finish as finish_growth, go_on as go_on_growing};
pub(super) use life::be_born;
pub(super) use trial::{say as say_in_trial, take_strategy, trial_voice};

use enza_kernel::application::Draft;
use enza_kernel::refusal::CommonRefusal;

use super::Debater;
use super::command::DebaterCommand;
use super::refusal::DebaterRefusal;
use super::state::Profile;

pub(super) fn decide(draft: &mut Draft<'_, Debater>, command: DebaterCommand) -> Result<(), DebaterRefusal> {
    match command {
        DebaterCommand::Open { debater, owner, name, values, lang, status, house } => {
            let plan = life::Plan { debater, owner, name, values, lang, status, house };
            life::open(draft, plan)
        }
        DebaterCommand::Rename { name } => life::rename(draft, &name),
        DebaterCommand::SetStatus { status } => life::set_status(draft, status),
        DebaterCommand::Retire => life::retire(draft),
        DebaterCommand::Summon { debate, run, most_per_run, title } => {
            seats::summon(draft, debate, run, most_per_run, title)
        }
        DebaterCommand::Release { debate } => seats::release(draft, debate),
        DebaterCommand::Seated { debate, started_at } => seats::seated(draft, debate, started_at),
        DebaterCommand::Completed { debate, title, completed_at, own, summary, highlights } => {
            let ended = seats::Ended { debate, title, completed_at, own, summary, highlights };
            seats::completed(draft, ended)
        }
        DebaterCommand::Released { debate } => seats::cancelled(draft, debate),
        DebaterCommand::AddKnowledge { title, content } => knowledge::add(draft, &title, &content),
        DebaterCommand::EditKnowledge { id, title, content } => knowledge::edit(draft, &id, &title, &content),
        DebaterCommand::RemoveKnowledge { id } => knowledge::remove(draft, &id),
        DebaterCommand::GiveFeedback { debate, content } => feedback::give(draft, &debate, &content),
        DebaterCommand::EditFeedback { id, content } => feedback::edit(draft, &id, &content),
        DebaterCommand::TryFeedback { debate, content } => trial::begin(draft, debate, &content),
        DebaterCommand::RetryGrowth => growth::retry(draft),
        DebaterCommand::TakeBack { change } => growth::take_back(draft, &change),
    }
}

/// It is there, and has not left.
fn living(draft: &Draft<'_, Debater>) -> Result<Profile, DebaterRefusal> {
    let profile = draft.state.profile.clone().ok_or(DebaterRefusal::Common(CommonRefusal::NotOpen))?;
    if draft.state.is_retired { Err(DebaterRefusal::Retired) } else { Ok(profile) }
}

/// The same, and it is its owner who speaks.
fn for_its_owner(draft: &Draft<'_, Debater>) -> Result<Profile, DebaterRefusal> {
    let profile = living(draft)?;
    let person = draft.now().by.person().ok_or(DebaterRefusal::Common(CommonRefusal::NotAPerson))?;
    if person == profile.owner { Ok(profile) } else { Err(DebaterRefusal::Common(CommonRefusal::NotYourPart)) }
}
