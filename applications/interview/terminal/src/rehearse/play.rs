//! A scripted respondent goes through an interview.
//!
//! It behaves as a person would: says again what was not understood, has no more to say at some point and leaves it at
//! that, tries again once or twice when the assistant has failed, and then goes. Nothing here can go on for ever: turns
//! are limited, for each field and in all.

use std::collections::BTreeMap;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use enza_interview::{Absence, Command, Open, Stage, State};
use enza_kernel::application::Phase;
use enza_kernel::gate::Verdict;
use enza_models::choice::Chosen;
use enza_runtime::engine::{Declined, Engine, SeenEvent};
use enza_runtime::seams::store::SessionId;
use enza_terminal::keyboard::Keyboard;
use enza_terminal::screen::Screen;
use enza_terminal::setup;
use enza_terminal::talk::{GoesOn, Moment, Rest, TalkPart, TimedLine, hold};
use enza_terminal::trouble::Trouble;
use serde_json::{Value, json};

use super::judge::{Miss, misses};
use super::script::Script;
use crate::run::{self, IdleSession, InterviewConsole, LetterCount, WorkStatus};

/// How often a field may be asked for.
const MOST_AT_A_FIELD: usize = 8;
/// How often anything may be.
const MOST_IN_ALL: usize = 150;
/// How often a failed assistant is told to try again.
const MOST_RETRIES: usize = 2;

/// How it ended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum RehearsalOutcome {
    /// Submitted.
    Completed,
    /// Required fields stayed without a value.
    Unfinished { labels: Vec<String> },
    /// The assistant failed, again and again.
    Stuck { why: String },
    /// There were too many turns.
    Endless,
}

/// What came of a respondent.
pub struct RehearsalResult {
    /// The script's name.
    pub name: String,
    pub about: String,
    pub session: SessionId,
    pub outcome: RehearsalOutcome,
    /// How many fields there were to answer.
    pub fields: usize,
    /// How often the respondent said something.
    pub turns: usize,
    /// How often the model was called.
    pub calls: u64,
    /// How many tokens were read and written.
    pub tokens: u64,
    /// How long it took.
    pub took: Duration,
    pub misses: Vec<Miss>,
}

impl RehearsalResult {
    /// As JSON.
    pub fn as_json(&self) -> Value {
        let why = match &self.outcome {
            RehearsalOutcome::Completed | RehearsalOutcome::Endless => Value::Null,
            RehearsalOutcome::Unfinished { labels } => json!(labels),
            RehearsalOutcome::Stuck { why } => json!(why),
        };
        let outcome = match self.outcome {
            RehearsalOutcome::Completed => "completed",
            RehearsalOutcome::Unfinished { .. } => "unfinished",
            RehearsalOutcome::Stuck { .. } => "stuck",
            RehearsalOutcome::Endless => "endless",
        };
        json!({
            "name": self.name, "about": self.about, "session": self.session, "outcome": outcome, "why": why,
            "fields": self.fields, "turns": self.turns, "calls": self.calls, "tokens": self.tokens,
            "seconds": self.took.as_secs_f64(), "wrong": self.misses,
        })
    }
}

/// Plays a script to its end.
pub async fn play(
    engine: &Engine,
    screen: &Screen,
    script: &Script,
    chosen: &Chosen,
) -> Result<RehearsalResult, Trouble> {
    let began = Instant::now();
    let opening = Open {
        bootstrap: script.bootstrap(),
        consented: script.form.consent.is_some(),
        ..Open::form(script.form.clone())
    };
    let session = run::open(engine, opening).await?;
    screen.remember(&session, crate::resumes(setup::short_id(&session)));
    let mut player = RespondentRun {
        console: run::console(engine, screen, &session, Keyboard::nobody(screen.paint)),
        work: WorkStatus::new(session.clone(), chosen),
        engine,
        session: session.clone(),
        script,
        memory: RespondentMemory::default(),
        turns: 0,
        ended: None,
    };
    hold(&mut player).await?;
    let Some((outcome, state)) = player.ended else { return Err(player.console.follower.is_gone()) };
    let used = state.threads().usage;
    Ok(RehearsalResult {
        name: script.name.clone(),
        about: script.about.clone(),
        outcome,
        fields: state.progress().1,
        turns: run::turns(engine, &session).await?,
        calls: state.threads().replies,
        tokens: used.total(),
        took: began.elapsed(),
        misses: misses(script, &state),
        session,
    })
}

/// What a respondent remembers of its own part.
#[derive(Default)]
struct RespondentMemory {
    /// How often each field was asked for.
    asked: BTreeMap<String, usize>,
    /// How many answers were given to each.
    answered: BTreeMap<String, usize>,
    said: Vec<usize>,
    /// The fields that were turned back to at the end.
    turned_back: Vec<String>,
    retries: usize,
}

impl RespondentMemory {
    /// How many answers a field was given before the next one.
    fn next(&mut self, id: &str) -> usize {
        let given = self.answered.entry(id.to_owned()).or_default();
        *given += 1;
        *given - 1
    }
}

struct RespondentRun<'a> {
    engine: &'a Engine,
    session: SessionId,
    script: &'a Script,
    console: InterviewConsole<'a>,
    work: WorkStatus<'a>,
    memory: RespondentMemory,
    /// How often it was its turn.
    turns: usize,
    ended: Option<(RehearsalOutcome, State)>,
}

impl RespondentRun<'_> {
    /// Does what is to be done now; how it ended, where it did.
    async fn turn(&mut self, moment: IdleSession) -> Result<Option<(RehearsalOutcome, State)>, Trouble> {
        let IdleSession { phase, waiting_for, state, .. } = moment;
        if self.turns == MOST_IN_ALL {
            return Ok(Some((RehearsalOutcome::Endless, state)));
        }
        self.turns += 1;
        match phase {
            Phase::Ended => {
                let is_delivered = state.stage() == Stage::Delivered;
                let unfinished = || RehearsalOutcome::Unfinished { labels: state.required_not_done() };
                let outcome = if is_delivered { RehearsalOutcome::Completed } else { unfinished() };
                return Ok(Some((outcome, state)));
            }
            Phase::Gate => self.confirm(&state).await?,
            Phase::Stuck if self.memory.retries == MOST_RETRIES => {
                return Ok(Some((RehearsalOutcome::Stuck { why: waiting_for.unwrap_or_default() }, state)));
            }
            Phase::Stuck => {
                self.memory.retries += 1;
                let again = if state.is_undelivered() { Command::RetryDelivery } else { Command::RetryModel };
                self.send(&again).await?;
            }
            Phase::Waiting | Phase::Working if state.stage() == Stage::Choosing => {
                if !self.turn_back(&state).await? {
                    return Ok(Some((RehearsalOutcome::Unfinished { labels: state.required_not_done() }, state)));
                }
            }
            Phase::Waiting | Phase::Working => self.respond(&state).await?,
        }
        Ok(None)
    }

    async fn confirm(&mut self, state: &State) -> Result<(), Trouble> {
        let Some(gate) = state.gate() else { return Ok(()) };
        self.send(&Command::Confirm { gate: gate.id.clone(), verdict: Verdict::Yes, note: None }).await?;
        Ok(())
    }

    /// Says what the script has for the field that is asked for.
    async fn respond(&mut self, state: &State) -> Result<(), Trouble> {
        let Some((_, record)) = state.current() else {
            // The script says where it is at home; a greeter that asks nevertheless is told again.
            return self.send(&Command::Say { text: self.script.home() }).await.map(drop);
        };
        let id = record.id().to_owned();
        let asked = self.memory.asked.entry(id.clone()).or_default();
        *asked += 1;
        if *asked > MOST_AT_A_FIELD {
            return self.give_up().await;
        }
        if let Some(text) = self.aside(state, &id) {
            return self.send(&Command::Say { text }).await.map(drop);
        }
        let nth = self.memory.next(&id);
        // Whoever has said everything twice leaves it at that, as soon as that is possible.
        if nth > self.script.count(&id) && self.send(&Command::KeepAsIs).await? {
            return Ok(());
        }
        match self.script.answer(&id, nth) {
            Some(text) => self.send(&Command::Say { text }).await.map(drop),
            None => self.give_up().await,
        }
    }

    /// Turns to a required field that was left, once for each.
    async fn turn_back(&mut self, state: &State) -> Result<bool, Trouble> {
        let open =
            state.fields().filter(|(field, record)| field.required && !record.is_done() && state.applies(record));
        let open = open.map(|(_, record)| record.id().to_owned()).find(|id| !self.memory.turned_back.contains(id));
        let Some(field_id) = open else { return Ok(false) };
        self.memory.turned_back.push(field_id.clone());
        self.memory.asked.remove(&field_id);
        self.send(&Command::ChangeAnswer { field_id }).await
    }

    /// Leaves it at what was said, or without an answer.
    async fn give_up(&mut self) -> Result<(), Trouble> {
        if !self.send(&Command::KeepAsIs).await? {
            self.send(&Command::Skip { absence: Absence::Skipped }).await?;
        }
        Ok(())
    }

    /// What is to be said before the answer, if there is something.
    fn aside(&mut self, state: &State, id: &str) -> Option<String> {
        let is_done = |id: &str| state.record(id).is_some_and(|record| record.is_done());
        let is_due = |(place, _): &(usize, &super::script::ScriptedAside)| {
            let said = &self.script.said[*place];
            let is_time = said.at == id || is_done(&said.at);
            !self.memory.said.contains(place) && is_time && said.after.as_deref().is_none_or(is_done)
        };
        let (place, said) = self.script.said.iter().enumerate().find(is_due)?;
        self.memory.said.push(place);
        Some(said.text.clone())
    }

    /// Sends a command. Whether it was accepted.
    async fn send(&self, command: &Command) -> Result<bool, Trouble> {
        match setup::submit(self.engine, &self.session, json!(command), &setup::new_key()).await {
            Ok(_) => Ok(true),
            Err(Declined::Refused(_)) => Ok(false),
            Err(declined) => Err(declined.into()),
        }
    }
}

#[async_trait(?Send)]
impl<'a> TalkPart<'a> for RespondentRun<'a> {
    type Drafts = LetterCount;

    fn console(&mut self) -> &mut InterviewConsole<'a> {
        &mut self.console
    }

    async fn happened(&mut self, _event: &SeenEvent) -> Result<(), Trouble> {
        Ok(())
    }

    async fn at_work(&mut self, _moment: Moment) -> Result<(), Trouble> {
        self.work.show(&mut self.console).await
    }

    async fn rest(&mut self, moment: Moment) -> Result<Rest, Trouble> {
        self.work.rests();
        let moment = IdleSession::of(moment).ok_or_else(|| self.console.follower.is_gone())?;
        self.ended = self.turn(moment).await?;
        Ok(if self.ended.is_some() { Rest::Ends } else { Rest::Acted })
    }

    /// Nobody sits at its keyboard.
    async fn line(&mut self, _line: TimedLine) -> Result<GoesOn, Trouble> {
        Ok(GoesOn::Yes)
    }
}
