//! One sheet with its whole story, read from the log of its interview: every review, every attempt to deliver.
//!
//! This is the owner's view. What agents found among themselves is in it, and nothing of it is shown to respondents.

use std::collections::{BTreeMap, BTreeSet};

use enza_interview::{DecidedBy, Event, Field, FieldRecord, Finding, Interview, State};
use enza_kernel::agent::ThreadEvent;
use enza_kernel::floor::{Line, Who};
use enza_kernel::reader::Reader;
use enza_kernel::review::ReviewStep;
use enza_kernel::text::Lang;
use enza_kernel::time::{Seq, Timestamp};
use enza_runtime::seams::store::{Recorded, SessionRow};
use enza_server::access::Caller;
use enza_server::actions::sessions::SaidLine;
use enza_server::problem::Problem;
use enza_server::state::AppState;

use super::change::find;
use super::sheet::{self, Sheet};
use crate::actions::forms::LoadedForm;

/// How many events are read at a time.
const PAGE: usize = 256;

/// A sheet with its story.
pub struct SheetHistory {
    pub held: LoadedForm,
    pub row: SessionRow,
    pub sheet: Sheet,
    /// Where the interview stands.
    pub state: State,
    /// Whether the respondent agreed to the form's consent text.
    pub consented: bool,
    pub submitted_at: Option<Timestamp>,
    /// The fields, in the order in which they were asked.
    pub fields: Vec<FieldHistory>,
    pub lines: Vec<SaidLine>,
    /// The lines that answer a sensitive field.
    pub private: BTreeSet<Seq>,
    /// What came of each attempt to deliver.
    pub attempts: Vec<Attempt>,
    /// How often each tool was called by an agent.
    pub tools: BTreeMap<String, u64>,
}

/// A field with its story.
#[derive(Debug, Clone, PartialEq)]
pub struct FieldHistory {
    /// The field, with the item of its group before it.
    pub id: String,
    pub label: String,
    pub field: Field,
    pub record: FieldRecord,
    /// Whether it was asked of this respondent.
    pub applies: bool,
    /// The line that the value came from.
    pub line: Option<Seq>,
    /// What was still lacking when it was closed.
    pub lacking: Vec<String>,
    pub reviews: Vec<Review>,
}

/// A review.
#[derive(Debug, Clone, PartialEq)]
pub struct Review {
    /// Its place in the log.
    pub seq: Seq,
    pub at: Timestamp,
    pub finding: Finding,
    /// What followed; nothing where it was no answer.
    pub step: Option<ReviewStep>,
    pub by: DecidedBy,
}

/// An attempt to deliver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Attempt {
    /// Its place in the log.
    pub seq: Seq,
    pub at: Timestamp,
    pub came: DeliveryOutcome,
}

/// What came of an attempt to deliver.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum DeliveryOutcome {
    Arrived {
        /// What the receiver answered.
        receipt: Option<String>,
    },
    Failed {
        why: String,
        /// When it is tried again by itself.
        again: Option<Timestamp>,
    },
    /// Nobody knows.
    Lost,
}

/// The sheet of an interview of a form of the caller's, with its story.
pub async fn sheet_history(
    app: &AppState,
    caller: &Caller,
    form: &str,
    session: &str,
    lang: Lang,
) -> Result<SheetHistory, Problem> {
    let (held, row) = find(app, caller, form, session).await?;
    let sheet = sheet::one(app, &row, &held.state).await?;
    let (row, state) = app.engine().state::<Interview>(&row.id).await?;
    let host = app.engine().applications().find(&row.application).ok_or(Problem::NoApplication)?;
    let mut story = HistoryBuilder::default();
    let mut after = Seq::START;
    loop {
        let page = app.engine().store().events(&row.id, after, PAGE).await?;
        let Some(last) = page.last() else { break };
        after = last.seq;
        for recorded in &page {
            story.hear(recorded, host.line(recorded, &Reader::host(), lang));
        }
    }
    let fields = state.fields().map(|(field, record)| story.field(&state, field, record)).collect();
    let is_private = |id: &str| state.record(id).is_none_or(|record| state.field_of(record).sensitive);
    let private = story.answered.iter().filter(|(_, id)| is_private(id)).map(|(seq, _)| *seq).collect();
    let HistoryBuilder { consented, submitted_at, lines, attempts, tools, .. } = story;
    Ok(SheetHistory { held, row, sheet, state, consented, submitted_at, fields, lines, private, attempts, tools })
}

/// What a log tells, as far as it was read.
#[derive(Default)]
struct HistoryBuilder {
    consented: bool,
    submitted_at: Option<Timestamp>,
    lines: Vec<SaidLine>,
    attempts: Vec<Attempt>,
    tools: BTreeMap<String, u64>,
    /// Which field each answer was given to.
    answered: Vec<(Seq, String)>,
    reviews: BTreeMap<String, Vec<Review>>,
    /// What was lacking, and where the field was closed, by field.
    closed: BTreeMap<String, (Vec<String>, Seq)>,
}

impl HistoryBuilder {
    fn hear(&mut self, recorded: &Recorded, line: Option<Line>) {
        let (seq, at) = (recorded.seq, recorded.at);
        self.lines.extend(line.map(|line| SaidLine { seq, at, line }));
        // What cannot be read is in the inspector; the rest of the story is still worth telling.
        let Ok(event) = recorded.event::<Interview>() else { return };
        match event {
            Event::Opened { consented, .. } => self.consented = consented,
            Event::AnswerGiven { field_id, .. } => self.answered.push((seq, field_id)),
            Event::Reviewed { field_id, finding, step, by } => {
                self.reviews.entry(field_id).or_default().push(Review { seq, at, finding, step, by });
            }
            Event::FieldClosed { field_id, lacking, .. } => drop(self.closed.insert(field_id, (lacking, seq))),
            Event::FieldReopened { field_id, .. } => drop(self.closed.remove(&field_id)),
            Event::Submitted { .. } => self.submitted_at = Some(at),
            Event::Delivered { receipt, .. } => self.attempt(seq, at, DeliveryOutcome::Arrived { receipt }),
            Event::DeliveryFailed { why, again } => self.attempt(seq, at, DeliveryOutcome::Failed { why, again }),
            Event::DeliveryLost => self.attempt(seq, at, DeliveryOutcome::Lost),
            Event::Stepped(step) => {
                if let ThreadEvent::Replied { calls, .. } = step.what {
                    calls.into_iter().for_each(|call| *self.tools.entry(call.tool).or_default() += 1);
                }
            }
            Event::Greeted { .. }
            | Event::Settled { .. }
            | Event::Planned { .. }
            | Event::FieldTaken { .. }
            | Event::FieldMoved { .. }
            | Event::FileTaken { .. }
            | Event::FileLeft { .. }
            | Event::FieldDeclined { .. }
            | Event::FieldSetAside { .. }
            | Event::HelpAsked { .. }
            | Event::ItemAdded { .. }
            | Event::MoreAsked { .. }
            | Event::Gathered { .. }
            | Event::GateOpened { .. }
            | Event::GateAnswered { .. }
            | Event::DeliveryRequeued
            | Event::DeliveryStarted { .. }
            | Event::BudgetRaised { .. }
            | Event::Abandoned { .. } => {}
        }
    }

    fn attempt(&mut self, seq: Seq, at: Timestamp, came: DeliveryOutcome) {
        self.attempts.push(Attempt { seq, at, came });
    }

    fn field(&mut self, state: &State, field: &Field, record: &FieldRecord) -> FieldHistory {
        let (lacking, closed) = self.closed.remove(record.id()).unwrap_or((Vec::new(), Seq(u64::MAX)));
        FieldHistory {
            id: record.id().to_owned(),
            label: state.label(record),
            field: field.clone(),
            record: record.clone(),
            applies: state.applies(record),
            line: record.sentence().and_then(|sentence| self.line_with(sentence, closed)),
            lacking,
            reviews: self.reviews.remove(record.id()).unwrap_or_default(),
        }
    }

    /// The last thing that the respondent said before a field was closed, and that has the sentence in it.
    fn line_with(&self, sentence: &str, closed: Seq) -> Option<Seq> {
        let before = self.lines.iter().rev().filter(|said| said.seq <= closed);
        let mut of_person = before.filter(|said| matches!(said.line.who, Who::Person(_)));
        of_person.find(|said| said.line.text.contains(sentence)).map(|said| said.seq)
    }
}
