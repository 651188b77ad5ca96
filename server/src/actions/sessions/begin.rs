//! Beginning a session: with a command, with a ready-made opening, or as a fork of another.

use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_runtime::engine::{Declined, Receipt, Submission};
use enza_runtime::seams::store::{SessionId, SessionOpening};
use serde_json::Value;

use crate::access::Caller;
use crate::actions::IdempotencyKey;
use crate::prepare::{Prepared, Remark, SentCommand};
use crate::problem::Problem;
use crate::state::AppState;

/// A session to begin.
#[derive(Debug, Clone)]
pub struct SessionSpec {
    /// The application's word.
    pub application: String,
    pub beginning: Beginning,
    /// The name it is to have; none to get one.
    pub id: Option<String>,
}

/// How a session begins.
#[derive(Debug, Clone)]
pub enum Beginning {
    Command(Value),
    /// With one of the application's openings, by its name.
    Opening(String),
}

/// A session that was begun.
#[derive(Debug)]
pub struct OpenedSession {
    pub session: SessionId,
    /// Its first events.
    pub receipt: Receipt,
    /// What the person is told besides.
    pub remarks: Vec<Remark>,
}

/// Begins a session of the caller's.
pub async fn open(
    app: &AppState,
    caller: &Caller,
    new: SessionSpec,
    once: IdempotencyKey,
    lang: Lang,
) -> Result<OpenedSession, Problem> {
    let host = app.engine().applications().find(&new.application).ok_or(Problem::NoApplication)?;
    let command = match new.beginning {
        Beginning::Command(command) => command,
        Beginning::Opening(name) => {
            let opening = host.openings(lang).into_iter().find(|opening| opening.name == name);
            opening.ok_or_else(|| Problem::BodyUnfit(format!("opening: {name}")))?.command
        }
    };
    let session = match new.id {
        Some(id) => named(&id)?,
        None => once.session(),
    };
    let sent = SentCommand { session: &session, opens: true, command, lang };
    let Prepared { command, remarks, .. } = prepared(app, caller, &new.application, sent).await?;
    let submission = Submission { command, by: caller.actor(), key: once.key() };
    let opening = SessionOpening::new(new.application, caller.name());
    let receipt = app.engine().open(&session, opening, submission).await?;
    Ok(OpenedSession { session, receipt, remarks })
}

/// Forks a session of the caller's at an event, or at its last. Says what the fork is called and where it left.
pub async fn fork(
    app: &AppState,
    caller: &Caller,
    parent: &str,
    at: Option<Seq>,
    once: IdempotencyKey,
) -> Result<(SessionId, Seq), Problem> {
    let row = caller.session(app, parent).await?;
    if at.is_some_and(|at| at == Seq::START || at > row.head) {
        return Err(Problem::NoSuchEvent);
    }
    let child = once.session();
    match app.engine().fork(&row.id, at, &child, caller.name()).await {
        Ok(at) => Ok((child, at)),
        // The same fork was asked for before.
        Err(Declined::NameTaken(_)) => {
            let made = caller.session(app, child.as_str()).await?;
            let (_, at) = made.parent.filter(|(from, _)| *from == row.id).ok_or(Problem::SessionExists)?;
            Ok((child, at))
        }
        Err(declined) => Err(declined.into()),
    }
}

/// A name that a client chose. Only what nobody can guess or mistake will do.
fn named(id: &str) -> Result<SessionId, Problem> {
    let uuid = uuid::Uuid::parse_str(id).ok().filter(|uuid| !uuid.is_nil());
    uuid.map(|uuid| SessionId::of(uuid.to_string())).ok_or_else(|| Problem::BodyUnfit("id: UUID".to_owned()))
}

/// A command as it is to be submitted, from a caller who may send it.
pub(super) async fn prepared(
    app: &AppState,
    caller: &Caller,
    application: &str,
    sent: SentCommand<'_>,
) -> Result<Prepared, Problem> {
    if let Some(part) = app.part_of(application) {
        part.allows(app, caller, sent.opens)?;
    }
    match app.prepare_of(application) {
        Some(prepare) => Ok(prepare.prepare(sent).await?),
        None => Ok(Prepared::plain(sent.command)),
    }
}
