//! Beginning a form, finding one's forms, and trying a draft before anyone else sees it.

use enza_forms::Command;
use enza_interview::{self as interview, Form, FormFault, Interview, Open, Remark, apply_ui_schema};
use enza_kernel::application::Application as _;
use enza_kernel::text::Lang;
use enza_runtime::engine::Submission;
use enza_runtime::host::Refused;
use enza_runtime::seams::store::{SessionId, SessionOpening};
use enza_server::access::Caller;
use enza_server::actions::IdempotencyKey;
use enza_server::actions::sessions::{self, SessionFilter};
use enza_server::problem::Problem;
use enza_server::state::AppState;
use serde_json::{Value, json};

use super::{FORM, LoadedForm};

/// A form to begin.
#[derive(Debug, Clone, Default)]
pub struct FormSpec {
    /// What it is called; where it is empty, the given form's own title counts.
    pub title: String,
    /// The language of a form that is written anew.
    pub language: Lang,
    /// What to start from.
    pub form: Option<Form>,
    /// What the architect is to write a draft from.
    pub sentence: Option<String>,
}

/// A page of the caller's forms.
#[derive(Debug)]
pub struct FormPage {
    /// The forms, the last changed first.
    pub forms: Vec<LoadedForm>,
    /// Where the next page begins; none after the last.
    pub next: Option<String>,
}

/// Begins a form of the caller's.
pub async fn begin(app: &AppState, caller: &Caller, new: FormSpec, once: IdempotencyKey) -> Result<SessionId, Problem> {
    let FormSpec { title, language, form, sentence } = new;
    let command = Command::Begin { title, language, form, sentence };
    let id = once.session();
    let submission = Submission { command: json!(command), by: caller.actor(), key: once.key() };
    app.engine().open(&id, SessionOpening::new(FORM, caller.name()), submission).await?;
    Ok(id)
}

/// The caller's forms.
pub async fn list(
    app: &AppState,
    caller: &Caller,
    limit: Option<usize>,
    cursor: Option<String>,
) -> Result<FormPage, Problem> {
    let wanted = SessionFilter { application: Some(FORM.to_owned()), limit, cursor, ..SessionFilter::default() };
    let page = sessions::list(app, caller, wanted).await?;
    let mut forms = Vec::with_capacity(page.rows.len());
    for row in &page.rows {
        match super::read(app, &row.id).await {
            Ok(held) => forms.push(held),
            // Deleted since the list was read.
            Err(Problem::NoSession) => {}
            Err(problem) => return Err(problem),
        }
    }
    Ok(FormPage { forms, next: page.next })
}

/// Reads a form from what people have, and arranges it by a JSON Forms UI schema, if there is one.
pub fn import(text: &str, ui_schema: &str) -> Result<(Form, Vec<Remark>), Problem> {
    let (mut form, mut remarks) = Form::read(text).map_err(unreadable)?;
    if !ui_schema.trim().is_empty() {
        let ui: Value = serde_json::from_str(ui_schema)
            .map_err(|why| unreadable(FormFault::Unreadable { why: why.to_string() }))?;
        remarks.extend(apply_ui_schema(&mut form, &ui));
    }
    Ok((form, remarks))
}

/// Opens an interview of the caller's own with the draft as it stands. It belongs to no form and counts for none.
pub async fn try_out(app: &AppState, caller: &Caller, id: &str, once: IdempotencyKey) -> Result<SessionId, Problem> {
    let held = super::load(app, caller, id).await?;
    // Whoever wrote the consent text has read it.
    let open = Open { consented: true, ..Open::at_home((**held.state.draft()).clone()) };
    let session = once.session();
    let command = interview::Command::Open(Box::new(open));
    let submission = Submission { command: json!(command), by: caller.actor(), key: once.key() };
    app.engine().open(&session, SessionOpening::new(Interview::NAME, caller.name()), submission).await?;
    Ok(session)
}

fn unreadable(fault: FormFault) -> Problem {
    Problem::Refused(Refused::from_reason(&fault))
}
