//! `enza interview run`: an interview at the terminal, or without anyone, from prepared answers.
//!
//! A run opens a session or goes on with one; it may be killed at any moment and gone on with later. It ends when the
//! interview does, when the person leaves, or when something is asked that nobody is there to answer.

mod answers;
mod conversation;
mod gate;

pub use answers::Respondent;
pub use conversation::Conversation;

use std::path::Path;
use std::sync::Arc;

use enza_applications::interview::{Command, Form, Open, Stage, State};
use enza_models::cassette::Tape;
use enza_models::troupe::ModelTrouble;
use enza_runtime::engine::{Engine, Submission};
use enza_runtime::seams::store::{Opening, SessionId};
use serde_json::json;

use crate::arguments::InterviewRun;
use crate::backstage::{self, OWNER, Players};
use crate::outbox::Outbox;
use crate::screen::Screen;
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;
use crate::words::interview as words;
use conversation::Ending;

const INTERVIEW: &str = "interview";

/// Runs an interview.
pub async fn run(around: &Surroundings, screen: &Screen, order: InterviewRun) -> Result<(), Trouble> {
    let respondent = Respondent::new(order.answers.as_deref(), around.attended, order.yes)?;
    let form = match (&order.form, &order.session) {
        (Some(path), _) => Some(read_form(path)?),
        (None, None) => Some(Form::sample(screen.lang)),
        (None, Some(_)) => None,
    };
    let outbox = Arc::new(Outbox { folder: around.outbox() });
    let players = Players::chosen(around, tape(&order)?)?;
    let working = backstage::working(around, &players, outbox.clone()).await?;
    let engine = working.engine.clone();
    let session = match (form, &order.session) {
        (Some(form), _) => open(&engine, form).await?,
        (None, part) => resume(&engine, part.as_deref().unwrap_or_default()).await?,
    };
    screen.remember(&session);
    let mut conversation = Conversation::new(&engine, screen, session.clone(), respondent, &players.chosen);
    let ending = conversation.hold(order.session.is_some()).await;
    engine.close().await;
    conclude(screen, &outbox, &session, ending?)
}

/// The tape that was asked for.
fn tape(order: &InterviewRun) -> Result<Option<Tape>, Trouble> {
    let tape = match (&order.record, &order.replay) {
        (Some(path), _) => Some(Tape::record(path)),
        (None, Some(path)) => Some(Tape::play(path)),
        (None, None) => None,
    };
    Ok(tape.transpose().map_err(ModelTrouble::from)?)
}

/// Opens an interview in a new session.
pub async fn open(engine: &Engine, form: Form) -> Result<SessionId, Trouble> {
    let session = backstage::new_session();
    let command = json!(Command::Open(Box::new(Open::at_home(form))));
    let submission = Submission { command, by: backstage::person(), key: Some(backstage::new_key()) };
    engine.open(&session, Opening::new(INTERVIEW, OWNER), submission).await?;
    Ok(session)
}

async fn resume(engine: &Engine, part: &str) -> Result<SessionId, Trouble> {
    let row = backstage::find(&**engine.store(), part).await?;
    if row.application == INTERVIEW {
        return Ok(row.id);
    }
    Err(Trouble::OtherApplication { session: row.id, application: row.application })
}

fn read_form(path: &Path) -> Result<Form, Trouble> {
    let text =
        std::fs::read_to_string(path).map_err(|why| Trouble::File { path: path.to_owned(), why: why.to_string() })?;
    Form::parse(&text).map_err(Trouble::Form)
}

fn conclude(screen: &Screen, outbox: &Outbox, session: &SessionId, ending: Ending) -> Result<(), Trouble> {
    let state = match ending {
        Ending::Over(state) => *state,
        Ending::Left => {
            let text = words::left(screen.lang, backstage::short(session));
            screen.say(&text)?;
            return if screen.json { screen.value(&json!({"session": session, "left": true})) } else { Ok(()) };
        }
    };
    let delivered = state.stage() == Stage::Delivered;
    let file = outbox.file_of(session);
    let file = Some(file).filter(|file| delivered && file.exists());
    if screen.json {
        return screen.value(&json!({
            "session": session,
            "stage": state.stage(),
            "progress": progress(&state),
            "values": state.values(),
            "delivered": delivered,
            "file": file,
        }));
    }
    screen.say("")?;
    screen.say(&words::over(screen.lang, state.stage(), file.as_deref()))?;
    screen.note(&screen.paint.faint(&words::look_again(screen.lang, backstage::short(session))))
}

/// How far an interview has come.
pub fn progress(state: &State) -> serde_json::Value {
    let (done, of) = state.progress();
    json!({"done": done, "of": of})
}
