//! A run with nobody at the keyboard: something is said, what happens is shown, and the exit status tells how it ended.
//!
//! It never waits for a person. A gate that opens ends the run with status 4 and stays open; what rules deny ends it with
//! status 3; what fails, with status 1.

use enza_applications::companion::{Decision, Event, Note, State, Status, Want};
use enza_kernel::application::Phase;
use enza_runtime::seams::store::SessionId;
use serde_json::json;

use super::carried;
use super::follow::{Following, Moment, Seen};
use super::halt::Halt;
use super::show::Show;
use crate::trouble::Trouble;
use crate::words::companion as words;

/// What came of a run.
#[derive(Debug, Default)]
struct Came {
    wants: Vec<Want>,
    denied: Vec<String>,
    failed: Option<String>,
}

/// Follows a session until it rests, and says how it ended.
pub async fn follow(
    show: Show<'_>,
    following: &mut Following<'_>,
    session: &SessionId,
    kept_in: &std::path::Path,
) -> Result<(), Trouble> {
    let mut came = Came::default();
    let moment = loop {
        let seen = tokio::select! {
            biased;
            seen = following.next() => seen?,
            _ = tokio::signal::ctrl_c() => return Err(halted(session, Halt::Interrupted)),
        };
        match seen {
            Seen::Event(entry) => {
                show.event(&entry)?;
                came.take(show, &entry.event);
            }
            Seen::Gone => return Err(Trouble::UnknownSession { part: session.to_string(), near: Vec::new() }),
            Seen::Quiet => {
                let moment = following.moment().await?;
                if moment.rests {
                    break moment;
                }
                let (written, since) = following.writing();
                show.screen.status(&words::at_work(show.screen.lang, &moment.state, written, since))?;
            }
        }
    };
    if let Err(why) = carried::write(kept_in, session.as_str(), &moment.state) {
        show.screen.aside(&words::not_carried(show.screen.lang, &why))?;
    }
    conclude(show, session, came, moment)
}

impl Came {
    fn take(&mut self, show: Show<'_>, event: &Event) {
        match event {
            // A new word: what came of the one before is over.
            Event::Heard { .. } => *self = Self::default(),
            Event::Wanted { wants, .. } => self.wants.clone_from(wants),
            Event::Decided { decisions, .. } => {
                let denied = self.wants.iter().zip(decisions).filter_map(|(want, decision)| match decision {
                    Decision::Denied(why) => Some(format!("{} {} ({why})", want.operation.word(), want.target)),
                    Decision::Allowed(_) | Decision::Asked => None,
                });
                self.denied.extend(denied);
            }
            Event::Noted { note: Note::GivenUp { error } | Note::NoModel { why: error }, .. } => {
                self.failed = Some(error.clone());
            }
            Event::Noted { note: Note::Loop, .. } => {
                self.failed = Some(words::in_circles(show.screen.lang).to_owned());
            }
            Event::Noted { note: Note::Unknown { what }, .. } => self.failed = Some(what.clone()),
            _ => {}
        }
    }
}

fn conclude(show: Show<'_>, session: &SessionId, came: Came, moment: Moment) -> Result<(), Trouble> {
    let Moment { phase, waiting_for, state, .. } = moment;
    let halt = match phase {
        Phase::Gate => Some(Halt::Gate { intent: waiting_for.unwrap_or_default() }),
        Phase::Stuck => Some(Halt::Failed { why: waiting_for.unwrap_or_default() }),
        Phase::Waiting | Phase::Working | Phase::Ended => came.halt(show, &state),
    };
    if show.screen.json {
        let outcome = match &halt {
            None => "done",
            Some(Halt::Gate { .. }) => "gate",
            Some(Halt::Failed { .. }) => "failed",
            Some(Halt::Denied { .. }) => "refused",
            Some(Halt::Interrupted) => "interrupted",
        };
        let (step, status) = state.position();
        show.screen.value(&json!({
            "kind": "ended", "outcome": outcome, "session": session, "turn": state.turn, "step": step,
            "status": status, "usage": state.cast.usage,
        }))?;
    }
    halt.map_or(Ok(()), |halt| Err(halted(session, halt)))
}

impl Came {
    fn halt(self, show: Show<'_>, state: &State) -> Option<Halt> {
        if let Some(why) = self.failed {
            return Some(Halt::Failed { why });
        }
        if !self.denied.is_empty() {
            return Some(Halt::Denied { lines: self.denied });
        }
        let has_failed = state.position().1 == Status::Error;
        has_failed.then(|| Halt::Failed { why: words::did_not_come_off(show.screen.lang).to_owned() })
    }
}

fn halted(session: &SessionId, halt: Halt) -> Trouble {
    Trouble::Companion { session: session.clone(), halt }
}
