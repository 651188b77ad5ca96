//! What respondents do: people without an account, who come by a link and come back by a ticket.
//!
//! A respondent's interview belongs to the form and counts for the form's owner. The ticket names the interview and
//! brings a secret of which the interview keeps the digest; whoever has the ticket is the respondent, and nobody else
//! is. Nothing that a respondent reaches shows what only the owner may see.

mod files;
mod guest;
mod pace;
mod receipt;
mod start;
mod view;

use std::fmt;

use enza_forms::{self as form_rules, Admission, AskLocale, Command as FormCommand, Link, Published};
use enza_interview::{self as interview, Bootstrap, Command, DeliveryWay, Interview, Open};
use enza_kernel::application::Application as _;
use enza_kernel::conversation::Digest;
use enza_kernel::time::{Actor, Now, Seq};
use enza_runtime::engine::Submission;
use enza_runtime::host::Refused;
use enza_runtime::seams::store::SessionOpening;
use enza_server::actions::IdempotencyKey;
use enza_server::problem::Problem;
use enza_server::state::AppState;
use serde_json::json;

pub use files::{FileDownload, LARGEST, ReceivedFile, Upload};
pub use guest::{GuestCommand, GuestInterview};
pub use pace::count_beginning;
pub use receipt::{Receipt, ReceiptLine};
pub use start::{InterviewStart, PREFIX, detect_locale, prefill_of};
pub use view::{FieldMark, FieldView, InterviewPhase, QuickAnswer, moment};

use crate::actions::forms::{self, LinkTo, LoadedForm, draw_token};

/// The respondent's name in the log. No account can have it.
pub const RESPONDENT: &str = "~respondent";
const INTERVIEW: &str = Interview::NAME;
const SECRET: usize = 22;

/// What lets a respondent back in.
#[derive(Clone, PartialEq, Eq)]
pub struct Ticket(LinkTo);

/// The form behind a link, and how somebody who comes by it now is received.
pub async fn look_up_link(app: &AppState, link: &LinkTo) -> Result<LoadedForm, Problem> {
    match forms::load_by_link(app, link).await {
        // Whoever has a link knows nothing of sessions.
        Err(Problem::NoSession) => Err(no_such_link()),
        found => found,
    }
}

/// What is said of a link that leads nowhere.
pub fn no_such_link() -> Problem {
    refused(&form_rules::Refusal::LinkUnknown)
}

/// Why a form lets nobody in by this link now; none where it does.
pub fn refusal(held: &LoadedForm, link: &LinkTo, app: &AppState) -> Option<Problem> {
    held.state.admission(&link.token, None, app.now()).err().map(|refusal| refused(&refusal))
}

/// Begins an interview by a link: the form admits it, then it is opened. The same `once` gives the same interview.
pub async fn begin(
    app: &AppState,
    link: &LinkTo,
    arrival: InterviewStart,
    once: IdempotencyKey,
) -> Result<Ticket, Problem> {
    let session = once.session();
    let LoadedForm { row, state } = look_up_link(app, link).await?;
    let welcome = state.admission(&link.token, Some(session.as_str()), app.now()).map_err(|why| refused(&why))?;
    let (published, way_in) = match welcome {
        Admission::New { published, link } => (published, Some(link)),
        // Admitted before, and perhaps not opened: with the version that is published now.
        Admission::Again => (state.published().ok_or(Problem::NothingHere)?, state.links().get(&link.token)),
    };
    let secret = secret_of(once);
    let open = Command::Open(Box::new(opening(&state, published, way_in, arrival, &link.token, &secret)));
    // Before anything is used up: a link that counts once must survive a box that was not ticked, and whatever else the
    // interview would refuse.
    let now = Now { time: app.now(), by: respondent(), head: Seq::START };
    let would_open = Interview::new().decide(&interview::State::default(), open.clone(), &now);
    would_open.map_err(|why| Problem::Refused(Refused::from_reason(&why)))?;
    let admit = FormCommand::Admit { token: link.token.clone(), session: session.to_string() };
    forms::submit_as_runtime(app, &row.id, &admit, format!("admit-{session}")).await?;
    let submission = Submission { command: json!(open), by: respondent(), key: Some(format!("open-{session}")) };
    let whose = SessionOpening::new(INTERVIEW, &row.owner).of(&row.id);
    app.engine().open(&session, whose, submission).await?;
    Ok(Ticket(LinkTo { form: session, token: secret }))
}

impl Ticket {
    fn digest(&self) -> Digest {
        Digest::of(self.0.token.as_bytes())
    }
}

impl fmt::Display for Ticket {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.0.fmt(out)
    }
}

impl fmt::Debug for Ticket {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(out, "Ticket({}, …)", self.0.form)
    }
}

fn opening(
    form: &form_rules::State,
    published: &Published,
    link: Option<&Link>,
    arrival: InterviewStart,
    token: &str,
    secret: &str,
) -> Open {
    let mut prefill = arrival.prefill;
    prefill.extend(link.map(|link| link.prefill.clone()).unwrap_or_default());
    Open {
        form: (*published.form).clone(),
        version: Some(published.version),
        budget: form.rules().budget,
        bootstrap: match form.rules().locale {
            AskLocale::Ask => Bootstrap::default(),
            AskLocale::Infer => arrival.bootstrap,
        },
        consented: arrival.consented,
        prefill,
        delivery: DeliveryWay::UntilItArrives,
        key: Some(Digest::of(secret.as_bytes()).to_string()),
        link: Some(Digest::of(token.as_bytes()).to_string()),
        keep_days: form.rules().keep_days,
    }
}

/// Asking twice for the same interview must give the same ticket, so its secret follows from the one name of the
/// request. That has in it what the browser drew; the interview's own name is another part of it.
fn secret_of(once: IdempotencyKey) -> String {
    match once.key() {
        Some(name) => Digest::of(format!("ticket:{name}").as_bytes()).to_string().chars().take(SECRET).collect(),
        None => draw_token(SECRET),
    }
}

fn respondent() -> Actor {
    Actor::Person(RESPONDENT.to_owned())
}

fn refused(refusal: &form_rules::Refusal) -> Problem {
    Problem::Refused(Refused::from_reason(refusal))
}
