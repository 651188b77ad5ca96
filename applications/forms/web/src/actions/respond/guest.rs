//! A respondent's interview: found by a ticket, changed by the respondent's orders alone.
//!
//! Orders are a list of their own, shorter than the interview's commands: what spends the owner's money or says how an
//! interview begins is not for a respondent to ask.

use std::collections::BTreeMap;

use enza_forms::Going;
use enza_interview::{Absence, Command, Interview, State, primary};
use enza_kernel::application::Phase;
use enza_kernel::conversation::Digest;
use enza_kernel::floor::Floor;
use enza_kernel::gate::Verdict;
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_runtime::engine::{Declined, Receipt, SessionReading, Submission};
use enza_runtime::host::{Refused, SessionState};
use enza_runtime::seams::store::SessionRow;
use enza_server::access::{Address, line};
use enza_server::actions::IdempotencyKey;
use enza_server::actions::sessions::{Conversation, SessionView, conversation_in, view_in};
use enza_server::problem::Problem;
use enza_server::state::AppState;
use serde_json::json;

use super::{INTERVIEW, Ticket, respondent};
use crate::actions::{forms, submissions};

/// A respondent's interview.
pub struct GuestInterview {
    /// The ticket it was found by.
    pub ticket: Ticket,
    pub row: SessionRow,
    pub state: State,
    live: Box<dyn SessionState>,
}

/// What a respondent may ask for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum GuestCommand {
    /// Answer the open question.
    Say(String),
    /// Write into fields, by id.
    Fill(BTreeMap<String, String>),
    /// Leave the current field without a value.
    Skip(Absence),
    /// Keep what was said, though something is lacking.
    Keep,
    /// Turn to a field again.
    Change(String),
    /// Be spoken to in this language, by its BCP 47 tag.
    Language(String),
    /// Go to the confirmation with nothing changed.
    Reconfirm,
    /// Answer the gate of this name with a yes.
    Submit(String),
    /// Let a failed agent try again.
    Retry,
    /// Try a failed delivery again.
    Deliver,
    GiveUp,
}

impl GuestInterview {
    /// The interview behind a ticket. A ticket that does not fit finds nothing, whatever is wrong with it.
    pub async fn find(app: &AppState, ticket: &str) -> Result<Self, Problem> {
        let ticket = Ticket(ticket.parse().map_err(|_| Problem::NothingHere)?);
        let (row, live) = match app.engine().present(&ticket.0.form).await {
            Err(Declined::UnknownSession(_) | Declined::UnknownApplication(_)) => return Err(Problem::NothingHere),
            found => found?,
        };
        // A copy that the owner forked has the digest of the same secret in its log, and is the owner's alone.
        if row.application != INTERVIEW || row.parent.is_some() {
            return Err(Problem::NothingHere);
        }
        let state = live.typed::<Interview>().ok_or(Problem::Bug)?.clone();
        // Digests are compared: how far they agree says nothing about the secret.
        if state.key() != Some(ticket.digest().to_string().as_str()) {
            return Err(Problem::NothingHere);
        }
        Ok(Self { ticket, row, state, live })
    }

    /// The name of an order under the key that a page drew for it; none where there is no key.
    pub fn once(&self, key: &str, order: &GuestCommand) -> IdempotencyKey {
        if key.is_empty() {
            return IdempotencyKey::default();
        }
        IdempotencyKey::of(self.row.id.as_str(), key, &Digest::of(format!("{order:?}").as_bytes()))
    }

    /// Sends an order of the respondent's.
    pub async fn order(&self, app: &AppState, order: GuestCommand, once: IdempotencyKey) -> Result<Receipt, Problem> {
        let command = command(order);
        let submission = Submission { command: json!(command), by: respondent(), key: once.key() };
        Ok(app.engine().submit(&self.row.id, submission).await?)
    }

    /// Deletes the interview with everything said in it, and the copies that its owner made of it. What was submitted is
    /// the owner's to delete.
    pub async fn delete(&self, app: &AppState) -> Result<(), Problem> {
        if self.state.stage().is_submitted() {
            let refusal = enza_interview::Refusal::AlreadySubmitted;
            return Err(Problem::Refused(Refused::from_reason(&refusal)));
        }
        // From where is nobody's business: a respondent has no account.
        let line = line(app, "", crate::INTERVIEW_WITHDRAWN, self.row.id.as_str(), &Address::default());
        let Some(form) = &self.row.of else {
            app.engine().delete_with_forks(&self.row.id, &mut Some(line)).await?;
            return Ok(());
        };
        match submissions::remove_with_copies(app, form, &self.row.id, Going::Respondent, &mut Some(line)).await {
            // The interview is gone, and its form with it or before it: there is nobody left to tell.
            Err(Problem::NoSession) => Ok(()),
            removed => removed.map(drop),
        }
    }

    /// How many days answers are kept; none where they stay until somebody deletes them. It is the fewest of what the
    /// respondent was told at the beginning and what the form's rules say now.
    pub async fn keep_days(&self, app: &AppState) -> Result<Option<u32>, Problem> {
        let rule = match &self.row.of {
            Some(form) => forms::read(app, form).await?.state.rules().keep_days,
            None => None,
        };
        Ok(submissions::fewer(rule, self.state.keep_days()))
    }

    /// What was said, from after an event on.
    pub async fn conversation(
        &self,
        app: &AppState,
        after: Seq,
        limit: Option<usize>,
        lang: Lang,
    ) -> Result<Conversation, Problem> {
        conversation_in(app, &self.reading(app), after, limit, lang).await
    }

    /// The interview as its page shows it.
    pub fn view(&self, app: &AppState, lang: Lang) -> SessionView {
        view_in(self.reading(app), &*self.live, lang)
    }

    /// The interview as its respondent reads it: a guest of their own.
    pub fn reading(&self, app: &AppState) -> SessionReading {
        SessionReading::of_guest(app.engine(), self.row.clone())
    }

    /// What the respondent finds now.
    pub fn floor(&self, lang: Lang) -> Floor {
        self.live.floor(&Reader::guest(), lang)
    }

    /// Whether the respondent is spoken to in this language of ours.
    pub fn is_spoken_to_in(&self, lang: Lang) -> bool {
        primary(&self.state.locale().language) == lang.to_string()
    }

    /// Whether agents are at work.
    pub fn is_working(&self) -> bool {
        self.live.standing().phase == Phase::Working
    }

    /// Where the respondent finds it.
    pub fn address(&self) -> String {
        format!("/r/{}", self.ticket)
    }
}

fn command(order: GuestCommand) -> Command {
    match order {
        GuestCommand::Say(text) => Command::Say { text },
        GuestCommand::Fill(answers) => Command::Fill { answers },
        GuestCommand::Skip(absence) => Command::Skip { absence },
        GuestCommand::Keep => Command::KeepAsIs,
        GuestCommand::Change(field_id) => Command::ChangeAnswer { field_id },
        GuestCommand::Language(language) => Command::ChangeLanguage { language },
        GuestCommand::Reconfirm => Command::Reconfirm,
        GuestCommand::Submit(gate) => Command::Confirm { gate, verdict: Verdict::Yes, note: None },
        GuestCommand::Retry => Command::RetryModel,
        GuestCommand::Deliver => Command::RetryDelivery,
        GuestCommand::GiveUp => Command::Abandon,
    }
}
