//! A run with nobody at the keyboard: something is said, what happens is shown, and the exit status tells how it ended.
//!
//! It never waits for a person. A gate that opens ends the run with status 4 and stays open, and so does a question that
//! the model asks; what rules deny ends it with status 3; what fails, with status 1, and so do checks that fail, whatever
//! the model says of its work, and a budget that has come to its end. Words are passed on as they are
//! written only where that was asked for; the line with the whole reply follows in any case.

use enza_companion::{Acceptable, Companion, Decision, Event, NextStep, Note, State, Status, Want, denial};
use enza_kernel::agent::{Step, ThreadEvent, ThreadFailure};
use enza_kernel::application::{Entry, Phase};
use enza_runtime::seams::store::{Recorded, SessionId};
use enza_terminal::environment::Environment;
use enza_terminal::talk::Seen;
use enza_terminal::trouble::Trouble;
use serde_json::json;

use super::follow::{self, Follower, SessionStatus};
use super::halt::Halt;
use super::partial_reply::PartialReply;
use super::printer::Printer;
use super::reply_delta::{ReplyDelta, SentReplies};
use super::{folder_memory, gate_answer, resume};
use crate::trouble::CompanionTrouble;
use crate::words;

/// What came of a run.
#[derive(Debug, Default)]
struct RunSummary {
    wants: Vec<Want>,
    denied: Vec<String>,
    failed: Option<String>,
    doubt: Option<String>,
    asked: Option<String>,
    /// Whether anything happened, and whether any of it was work.
    happened: bool,
    worked: bool,
    /// What the end of the run says again, where it ends so.
    last_words: Vec<Entry<Event>>,
}

/// Whether words are passed on as they are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Streams {
    Yes,
    /// Only whole replies are.
    No,
}

/// Follows a session until it rests, and says how it ended.
pub async fn follow(
    around: &Environment,
    show: Printer<'_>,
    following: &mut Follower,
    session: &SessionId,
    streams: Streams,
) -> Result<(), Trouble> {
    let (engine, screen) = (following.engine().clone(), show.screen);
    let mut came = RunSummary::default();
    let mut passed_on = SentReplies::default();
    let moment = loop {
        let seen = tokio::select! {
            biased;
            seen = following.next() => seen?,
            _ = tokio::signal::ctrl_c() => {
                resume::save_memory(around, screen, &engine, session, &follow::status(following).await?.state).await?;
                return Err(halted(session, Halt::Interrupted));
            }
        };
        match seen {
            Seen::Event(event) => {
                let Some(Ok(entry)) = event.recorded().map(Recorded::entry::<Companion>) else { continue };
                came.take(show, &entry.event);
                match is_last_word(&entry.event) && !screen.json {
                    true => came.last_words.push(entry.clone()),
                    false => show.event(&entry)?,
                }
                if folder_memory::is_said_in(&entry.event) {
                    resume::save_memory(around, screen, &engine, session, &follow::status(following).await?.state)
                        .await?;
                }
                if let Event::Stepped(Step { thread, what: ThreadEvent::Replied { .. } }) = &entry.event {
                    passed_on.is_whole(thread);
                }
            }
            Seen::Written(thread) if streams == Streams::Yes => {
                pass_on(show, following, &thread, &mut passed_on)?;
            }
            Seen::Written(_) => {}
            Seen::Gone => return Err(following.is_gone()),
            Seen::Quiet => {
                let moment = follow::status(following).await?;
                if moment.rests {
                    break moment;
                }
                let pace = follow::pace(following);
                screen.status(&words::at_work(screen.lang, &moment.state, None, pace, screen.width()))?;
            }
        }
    };
    resume::save_memory(around, screen, &engine, session, &moment.state).await?;
    conclude(show, session, came, moment)
}

/// Passes on what was written of a reply since the last time.
fn pass_on(show: Printer<'_>, following: &Follower, thread: &str, passed_on: &mut SentReplies) -> Result<(), Trouble> {
    let task: u32 = thread.rsplit('-').next().and_then(|number| number.parse().ok()).unwrap_or_default();
    let reply = following.draft(thread).map_or("", PartialReply::reply);
    for piece in passed_on.written(thread, reply) {
        show.screen.value(&match piece {
            ReplyDelta::Again => json!({"kind": "again", "task": task}),
            ReplyDelta::Next(text) => json!({"kind": "delta", "task": task, "text": text}),
        })?;
    }
    Ok(())
}

impl RunSummary {
    fn take(&mut self, show: Printer<'_>, event: &Event) {
        if let Event::Heard { .. } = event {
            // A new word: what came of the one before is over.
            *self = Self::default();
        }
        self.happened = true;
        self.worked |= matches!(
            event,
            Event::Heard { .. } | Event::Judged { .. } | Event::GateAnswered { .. } | Event::OrderEnded { .. }
        );
        if let Event::Wanted { wants, .. } = event {
            self.wants.clone_from(wants);
        }
        if let Event::Decided { decisions, .. } = event {
            let denied = self.wants.iter().zip(decisions).filter_map(|(want, decision)| match decision {
                Decision::Denied(why) => {
                    let why = denial(show.screen.lang, why);
                    Some(format!("{} {} ({why})", want.operation.word(), want.target))
                }
                Decision::Allowed(_) | Decision::Asked => None,
            });
            self.denied.extend(denied);
        }
        if let Event::Judged { verdict, .. } = event {
            // It says itself that it waits for a word, whether or not it puts that as a question.
            let waits = verdict.next_step == NextStep::PendingUser;
            self.asked = verdict.reply.clone().filter(|_| waits);
        }
        if let Event::Asked { question, .. } = event {
            self.asked = Some(question.clone());
        }
        if let Event::GateAnswered { .. } = event {
            // What was asked with it is answered with it.
            self.asked = None;
        }
        if let Event::CommitFailed { why } | Event::RuleNotWritten { why, .. } = event {
            self.failed = Some(why.clone());
        }
        if let Event::Noted { note, .. } = event {
            if let Note::Doubt(doubt) = note {
                self.doubt = Some(doubt.clone());
            }
            if let Note::PlanAwaits = note {
                // What it asks is whether the plan is accepted.
                self.asked = None;
            }
            self.failed = failure(show, note).or(self.failed.take());
        }
    }
}

/// What went wrong, where a note says so.
fn failure(show: Printer<'_>, note: &Note) -> Option<String> {
    match note {
        Note::GivenUp { error, recoveries: None } | Note::NoModel { why: error } => Some(error.clone()),
        // They name the setting that is the limit.
        Note::GivenUp { recoveries: Some(_), .. } | Note::RoundsSpent { .. } => Some(note.say(show.screen.lang)),
        // Where it stands says so itself.
        Note::ChecksFailed { .. } | Note::BudgetEnded { .. } => None,
        Note::Loop | Note::Idle => Some(words::in_circles(show.screen.lang).to_owned()),
        Note::Unknown { what, .. } => Some(what.clone()),
        Note::Mismatch(_)
        | Note::Doubt(_)
        | Note::Denied { .. }
        | Note::Failed { .. }
        | Note::ChangedSince { .. }
        | Note::PutBack { .. }
        | Note::NotKept { .. }
        | Note::TooLong { .. }
        | Note::AwaitsAcceptance
        | Note::PlanAwaits
        | Note::Took { .. }
        | Note::PatternMissing => None,
    }
}

/// Whether a note is what a run ends with: it is said once, by the end.
fn is_last_word(event: &Event) -> bool {
    let Event::Noted { note, .. } = event else { return false };
    matches!(note, Note::NoModel { .. } | Note::BudgetEnded { .. })
}

/// How a run ended.
fn conclude(
    show: Printer<'_>,
    session: &SessionId,
    mut came: RunSummary,
    moment: SessionStatus,
) -> Result<(), Trouble> {
    let last_words = std::mem::take(&mut came.last_words);
    let SessionStatus { phase, waiting_for, state, .. } = moment;
    let halt = match phase {
        Phase::Gate => {
            let gate = Companion::open_gate(&state);
            let beforehand = gate.map(|gate| gate_answer::beforehand(&state, gate)).unwrap_or_default();
            Some(Halt::Gate { intent: waiting_for.unwrap_or_default(), beforehand })
        }
        Phase::Stuck => Some(stuck(&state, waiting_for.unwrap_or_default())),
        Phase::Waiting | Phase::Working | Phase::Ended => came.halt(show, &state),
    };
    if !matches!(halt, Some(Halt::Failed { .. } | Halt::Budget { .. })) {
        last_words.iter().try_for_each(|entry| show.event(entry))?;
    }
    if show.screen.json {
        let (step, status) = state.position();
        show.screen.value(&json!({
            "kind": "ended", "outcome": outcome(halt.as_ref(), &state), "session": session, "turn": state.turn,
            "step": step, "status": status, "usage": state.cast.usage, "failing_checks": state.red_checks(),
        }))?;
    }
    halt.map_or(Ok(()), |halt| Err(halted(session, halt)))
}

/// Why it cannot go on by itself.
fn stuck(state: &State, why: String) -> Halt {
    match state.front().and_then(|desk| state.failure(desk)) {
        Some(ThreadFailure::BudgetExhausted { need, .. }) => {
            let ledger = &state.cast.ledger;
            Halt::Budget { spent: ledger.spent, limit: ledger.limit.unwrap_or_default(), need: *need }
        }
        Some(ThreadFailure::Unanswered { why }) => Halt::Failed { why: why.clone() },
        Some(ThreadFailure::RoundsExhausted { .. } | ThreadFailure::Malformed { .. }) | None => Halt::Failed { why },
    }
}

/// The word for it, for scripts.
fn outcome(halt: Option<&Halt>, state: &State) -> &'static str {
    match halt {
        None if state.acceptable().is_some() => "awaits_acceptance",
        None => "done",
        Some(Halt::Gate { .. }) => "gate",
        Some(Halt::Question { .. }) => "question",
        Some(Halt::Doubt { .. }) => "doubt",
        Some(Halt::Failed { .. }) => "failed",
        Some(Halt::ChecksFailed { .. }) => "checks_failed",
        Some(Halt::Budget { .. }) => "budget_ended",
        Some(Halt::Denied { .. }) => "refused",
        Some(Halt::Interrupted) => "interrupted",
    }
}

impl RunSummary {
    fn halt(self, show: Printer<'_>, state: &State) -> Option<Halt> {
        // What the checks say decides, whatever else was said; unless something else was ordered than work.
        let checks = state.red_checks();
        if !checks.is_empty() && (self.worked || !self.happened) {
            return Some(Halt::ChecksFailed { checks });
        }
        if let Some(why) = self.failed {
            return Some(Halt::Failed { why });
        }
        if !self.denied.is_empty() {
            return Some(Halt::Denied { lines: self.denied });
        }
        if let Some(doubt) = self.doubt {
            return Some(Halt::Doubt { doubt });
        }
        let status = state.position().1;
        // A question at the end of an answer is no more than a manner of speaking: the model says whether it waits.
        let waits = status == Status::RequiresUserInput && state.acceptable() != Some(Acceptable::Result);
        if let Some(question) = self.asked.filter(|_| waits) {
            return Some(Halt::Question { question });
        }
        let has_failed = status == Status::Error;
        has_failed.then(|| Halt::Failed { why: words::did_not_come_off(show.screen.lang).to_owned() })
    }
}

fn halted(session: &SessionId, halt: Halt) -> Trouble {
    CompanionTrouble::Halted { session: session.clone(), halt }.into()
}
