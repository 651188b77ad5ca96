//! Decides what is asked of a stable.
//!
//! Places and active debaters are counted here and nowhere else, so that of two requests for the last one the second is
//! refused (DEL-C2).

mod debaters;
mod tutorial;

pub(super) use tutorial::begin as begin_tutorial;

use enza_kernel::application::Draft;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::Lang;

use super::Stable;
use super::command::StableCommand;
use super::event::StableEvent;
use super::refusal::StableRefusal;
use super::state::KeptDebater;

pub(super) fn decide(draft: &mut Draft<'_, Stable>, command: StableCommand) -> Result<(), StableRefusal> {
    match command {
        StableCommand::Open { lang } => open(draft, lang),
        StableCommand::Create { debater, name, values, lang, tutorial } => {
            debaters::create(draft, debaters::Wish { debater, name, values, lang, tutorial })
        }
        StableCommand::Rename { debater, name } => debaters::rename(draft, debater, &name),
        StableCommand::SetStatus { debater, status } => debaters::set_status(draft, debater, status),
        StableCommand::Delete { debater } => debaters::delete(draft, debater),
        StableCommand::BeginTutorial { debater, debate } => tutorial::ask(draft, debater, debate),
        StableCommand::Brief { debate, brief } => tutorial::seat(draft, debate, brief),
        StableCommand::Ended { debate, outcome } => tutorial::end(draft, debate, outcome),
    }
}

fn open(draft: &mut Draft<'_, Stable>, lang: Lang) -> Result<(), StableRefusal> {
    if draft.state.owner.is_some() {
        return Err(StableRefusal::Common(CommonRefusal::AlreadyOpen));
    }
    let owner = draft.now().by.person().ok_or(StableRefusal::Common(CommonRefusal::NotAPerson))?.to_owned();
    draft.record(StableEvent::Opened { owner, lang });
    Ok(())
}

/// It has begun, and it is its owner who speaks.
fn for_its_owner(draft: &Draft<'_, Stable>) -> Result<String, StableRefusal> {
    let owner = draft.state.owner.clone().ok_or(StableRefusal::Common(CommonRefusal::NotOpen))?;
    let person = draft.now().by.person().ok_or(StableRefusal::Common(CommonRefusal::NotAPerson))?;
    if person == owner { Ok(owner) } else { Err(StableRefusal::Common(CommonRefusal::NotYourPart)) }
}

/// A debater whose session is there.
fn ready(draft: &Draft<'_, Stable>, debater: &str) -> Result<KeptDebater, StableRefusal> {
    let kept = draft.state.kept(debater).ok_or(StableRefusal::DebaterUnknown)?;
    if kept.is_ready { Ok(kept.clone()) } else { Err(StableRefusal::DebaterUnready) }
}

/// A name for a session: a UUID in small letters.
fn is_uuid(id: &str) -> bool {
    let is_fit = |(place, letter): (usize, char)| match place {
        8 | 13 | 18 | 23 => letter == '-',
        _ => matches!(letter, '0'..='9' | 'a'..='f'),
    };
    id.len() == 36 && id.chars().enumerate().all(is_fit)
}
