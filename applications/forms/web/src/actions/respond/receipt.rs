//! What a respondent takes home: every value with the sentence it came from, when it was sent, and under which name.

use std::fmt::Write as _;

use enza_interview::{Absence, Kind, unpunctuated};
use enza_kernel::text::Lang;
use enza_kernel::time::{Seq, Timestamp};
use enza_server::problem::Problem;
use enza_server::state::AppState;
use serde::Serialize;

use super::guest::GuestInterview;
use super::view::InterviewPhase;

/// How far from its end a log is looked through for the moment of the submission.
const FAR: u64 = 200;

/// A receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct Receipt {
    /// The submission's name.
    pub id: String,
    /// The form's title.
    pub title: String,
    /// The form's version.
    pub version: Option<u64>,
    /// When it was submitted, in UTC.
    pub submitted: String,
    /// The same, as a moment.
    #[serde(skip)]
    pub at: Timestamp,
    pub answers: Vec<ReceiptLine>,
}

/// An answer on a receipt.
#[derive(Debug, Clone, PartialEq, Eq, Serialize)]
pub struct ReceiptLine {
    pub field_id: String,
    pub label: String,
    /// What kind of answer it wanted.
    pub kind: Kind,
    /// The value, in the spelling in which it is kept.
    pub value: Option<String>,
    /// The same as a person reads it.
    pub shown: Option<String>,
    /// Why there is none.
    pub absence: Option<Absence>,
    /// Whether something is lacking.
    pub incomplete: bool,
    /// The sentence that it came from.
    pub sentence: Option<String>,
}

impl GuestInterview {
    /// The receipt; there is none before the submission.
    pub async fn receipt(&self, app: &AppState, lang: Lang) -> Result<Receipt, Problem> {
        if self.moment() != InterviewPhase::Submitted {
            return Err(Problem::NothingHere);
        }
        let entries = self.entries();
        let answers = entries.iter().filter(|entry| !entry.asks_for_more()).map(|entry| ReceiptLine {
            field_id: entry.id().to_owned(),
            label: entry.label.clone(),
            kind: entry.field.kind,
            value: entry.record.value().map(str::to_owned),
            shown: entry.shown(lang),
            absence: entry.record.absence(),
            incomplete: entry.record.is_incomplete(),
            sentence: entry.record.sentence().map(str::to_owned),
        });
        let at = self.submitted_at(app).await?;
        let submitted = jiff::Timestamp::from_millisecond(at.0).map(|at| at.strftime("%Y-%m-%dT%H:%M:%SZ").to_string());
        Ok(Receipt {
            id: self.row.id.to_string(),
            title: self.state.form().title.clone(),
            version: self.state.version(),
            submitted: submitted.unwrap_or_default(),
            at,
            answers: answers.collect(),
        })
    }

    async fn submitted_at(&self, app: &AppState) -> Result<Timestamp, Problem> {
        let from = Seq(self.row.head.0.saturating_sub(FAR));
        let last = app.engine().store().events(&self.row.id, from, FAR as usize).await?;
        let submitted = last.iter().rev().find(|recorded| recorded.stored.kind == "Submitted");
        Ok(submitted.map_or(self.row.changed_at, |recorded| recorded.at))
    }
}

impl Receipt {
    /// As plain text.
    pub fn to_text(&self, lang: Lang) -> String {
        let mut out = format!("{}\n{}\n{}\n\n", self.title, self.submitted, self.id);
        for line in &self.answers {
            let value = line.shown.as_deref().or(line.absence.map(|absence| absence.say(lang))).unwrap_or("—");
            let _ = writeln!(out, "{}{}{value}", unpunctuated(&line.label), lang.pick("：", ": "));
            if let Some(sentence) = line.sentence.as_deref().filter(|sentence| Some(*sentence) != line.shown.as_deref())
            {
                let _ = writeln!(out, "    {}", lang.pick(format!("「{sentence}」"), format!("“{sentence}”")));
            }
        }
        out
    }
}
