//! One respondent's sheet, finished or not, put together from the rows of its interview.

use std::collections::BTreeMap;

use enza_forms::State as FormState;
use enza_interview::{Bootstrap, Field, Form, SubmittedAnswer};
use enza_kernel::application::Phase;
use enza_kernel::conversation::Usage;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::store::{Family, Filter, Rows, SessionId, SessionRow, TableRow, UsageQuery};
use enza_server::problem::Problem;
use enza_server::state::AppState;
use serde::Deserialize;

/// How far a sheet has come.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum Status {
    /// Questions are open.
    InProgress,
    /// Everything is answered; the respondent has not said yes yet.
    Confirming,
    /// The respondent has said yes.
    Submitted,
    /// The respondent has given up, or did not come back.
    GivenUp,
}

impl Status {
    /// All of them, in the order in which they are shown.
    pub const ALL: [Self; 4] = [Self::Submitted, Self::Confirming, Self::InProgress, Self::GivenUp];

    /// The word in addresses and exports.
    pub fn word(self) -> &'static str {
        match self {
            Self::InProgress => "in_progress",
            Self::Confirming => "confirming",
            Self::Submitted => "submitted",
            Self::GivenUp => "given_up",
        }
    }

    /// The status behind a word.
    pub fn from_word(word: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|status| status.word() == word)
    }
}

/// One respondent's sheet.
#[derive(Debug, Clone, PartialEq)]
pub struct Sheet {
    pub session: SessionId,
    /// How far it has come.
    pub status: Status,
    pub opened_at: Timestamp,
    /// When something last happened.
    pub changed_at: Timestamp,
    /// When it was submitted; where only its arrival was kept, that.
    pub submitted_at: Option<Timestamp>,
    /// Whether the submission has arrived.
    pub delivered: bool,
    /// The version of the form.
    pub version: Option<u64>,
    /// Where the respondent is at home.
    pub bootstrap: Bootstrap,
    /// What was answered, in the order of the form as far as that is known.
    pub answers: Vec<SubmittedAnswer>,
    /// The field that was spoken of last.
    pub asked: Option<String>,
    /// Model calls.
    pub calls: u64,
    pub spent: Usage,
}

/// Every sheet of a form, the newest first.
pub async fn all(app: &AppState, form: &SessionId, state: &FormState) -> Result<Vec<Sheet>, Problem> {
    let store = app.engine().store();
    let filter = Filter { family: Family::Of(form.clone()), ..Filter::default() };
    let sessions = store.list(&filter).await?;
    let query = UsageQuery { family: Some(form.clone()), ..UsageQuery::default() };
    let mut rows = SheetRows::read(app, Rows::Family(form), &query).await?;
    let order = order_of(state);
    let mut sheets: Vec<Sheet> = sessions
        .into_iter()
        .filter(|row| row.parent.is_none())
        .map(|row| rows.take(&row.id).into_sheet(&row, &order))
        .collect();
    sheets.sort_by(|one, other| (other.opened_at, &other.session).cmp(&(one.opened_at, &one.session)));
    Ok(sheets)
}

/// The sheet of one interview.
pub(super) async fn one(app: &AppState, row: &SessionRow, state: &FormState) -> Result<Sheet, Problem> {
    let query = UsageQuery { session: Some(row.id.clone()), ..UsageQuery::default() };
    let mut rows = SheetRows::read(app, Rows::Session(&row.id), &query).await?;
    Ok(rows.take(&row.id).into_sheet(row, &order_of(state)))
}

/// The field behind the id of an answer, which inside a group has the item's number in it.
pub fn base_of<'a>(form: &'a Form, id: &str) -> Option<&'a Field> {
    if let Some((_, field)) = form.find(id) {
        return Some(field);
    }
    let (group, rest) = id.split_once('.')?;
    let (_, name) = rest.split_once('.')?;
    let in_group = |field: &&Field| field.group.as_deref() == Some(group);
    let named = form.fields.iter().filter(in_group).find(|field| field.field_id == name);
    // Whether there is another item is asked about the group as a whole.
    named.or_else(|| form.fields.iter().find(in_group).filter(|_| name == "more"))
}

/// Whether a value is masked. So is that of a field which the form no longer has: nobody can tell what it was.
pub fn is_sensitive(state: &FormState, id: &str) -> bool {
    let published = state.published().map(|published| &published.form);
    let known: Vec<&Field> =
        published.into_iter().chain([state.draft()]).filter_map(|form| base_of(form, id)).collect();
    known.is_empty() || known.iter().any(|field| field.sensitive)
}

/// The fields of the form in their order: the published ones, then what only the draft has.
fn order_of(state: &FormState) -> Vec<String> {
    let published = state.published().map(|published| &published.form);
    let forms = published.into_iter().chain([state.draft()]);
    let mut order: Vec<String> = Vec::new();
    for field in forms.flat_map(|form| &form.fields) {
        if !order.contains(&field.field_id) {
            order.push(field.field_id.clone());
        }
    }
    order
}

/// What interviews have written.
#[derive(Default)]
struct SheetRows(BTreeMap<SessionId, InterviewRows>);

/// What one interview has written.
#[derive(Default)]
struct InterviewRows {
    submission: SubmissionRow,
    /// Where the respondent is at home, if that was found out after the opening.
    settled: Option<Bootstrap>,
    answers: Vec<SubmittedAnswer>,
    asked: Option<String>,
    left: bool,
    calls: u64,
    spent: Usage,
}

/// The row of the table `submissions`, as far as it is needed.
#[derive(Default, Deserialize)]
#[serde(rename_all = "camelCase", default)]
struct SubmissionRow {
    status: String,
    version: Option<u64>,
    bootstrap: Bootstrap,
    answers: Option<Vec<SubmittedAnswer>>,
    delivered: bool,
    submitted_at: Option<Timestamp>,
    delivered_at: Option<Timestamp>,
}

impl SheetRows {
    async fn read(app: &AppState, of: Rows<'_>, query: &UsageQuery) -> Result<Self, Problem> {
        let store = app.engine().store();
        let mut written = Self::default();
        for TableRow { session, content, .. } in store.rows("submissions", of).await? {
            written.of(session).submission = serde_json::from_value(content).unwrap_or_default();
        }
        for TableRow { session, content, .. } in store.rows("settled", of).await? {
            written.of(session).settled = serde_json::from_value(content).ok();
        }
        for TableRow { session, content, .. } in store.rows("answers", of).await? {
            written.of(session).answers.extend(serde_json::from_value::<SubmittedAnswer>(content).ok());
        }
        for TableRow { session, content, .. } in store.rows("asked", of).await? {
            written.of(session).asked = content["fieldId"].as_str().map(str::to_owned);
        }
        for TableRow { session, .. } in store.rows("left", of).await? {
            written.of(session).left = true;
        }
        for line in store.usage(query).await? {
            let Some(session) = line.session else { continue };
            let one = written.of(session);
            one.calls += line.calls;
            one.spent = one.spent.plus(line.usage);
        }
        Ok(written)
    }

    fn of(&mut self, session: SessionId) -> &mut InterviewRows {
        self.0.entry(session).or_default()
    }

    fn take(&mut self, session: &SessionId) -> InterviewRows {
        self.0.remove(session).unwrap_or_default()
    }
}

impl InterviewRows {
    fn into_sheet(self, row: &SessionRow, order: &[String]) -> Sheet {
        let status = match (self.submission.status.as_str(), self.left, row.standing.phase) {
            ("submitted", ..) => Status::Submitted,
            (_, true, _) => Status::GivenUp,
            (_, false, Phase::Gate) => Status::Confirming,
            (_, false, Phase::Working | Phase::Waiting | Phase::Stuck | Phase::Ended) => Status::InProgress,
        };
        let SubmissionRow { version, bootstrap, answers, delivered, submitted_at, delivered_at, .. } = self.submission;
        Sheet {
            session: row.id.clone(),
            status,
            opened_at: row.opened_at,
            changed_at: row.changed_at,
            submitted_at: submitted_at.or(delivered_at),
            delivered,
            version,
            bootstrap: self.settled.unwrap_or(bootstrap),
            // What was submitted has its order; of what was only closed so far the rows have none.
            answers: answers.unwrap_or_else(|| ordered(self.answers, order)),
            asked: self.asked,
            calls: self.calls,
            spent: self.spent,
        }
    }
}

fn ordered(mut answers: Vec<SubmittedAnswer>, order: &[String]) -> Vec<SubmittedAnswer> {
    let place = |id: &str| {
        let name = id.rsplit('.').next().unwrap_or(id);
        order.iter().position(|one| one == id || one == name).unwrap_or(order.len())
    };
    answers.retain(|answer| !asks_for_more(&answer.field_id));
    answers.sort_by_key(|answer| place(&answer.field_id));
    answers
}

/// Whether a group has another item is asked, and is no answer.
fn asks_for_more(id: &str) -> bool {
    let mut parts = id.rsplit('.');
    parts.next() == Some("more") && parts.next().is_some_and(|item| item.parse::<u32>().is_ok())
}
