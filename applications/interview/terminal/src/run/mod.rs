//! `enza interview run`: an interview at the terminal, or without anyone, from prepared answers.
//!
//! A run opens a session or goes on with one; it may be killed at any moment and gone on with later. It ends when the
//! interview does, when the person leaves, or when something is asked that nobody is there to answer.

mod answers;
mod conversation;
mod fill;
mod gate;
mod line_action;
mod parse;
mod receipt;
mod respondent_locale;
mod wait;

pub use answers::Respondent;
pub use conversation::Conversation;
pub use line_action::InputPlace;
pub use parse::{are_numbered, listed};
pub use receipt::{progress, turns};
pub use wait::{IdleSession, InterviewConsole, LetterCount, WorkStatus, console};

use enza_interview::{Command, Form, Interview, Open};
use enza_kernel::gate::{Verdict, plain_answer};
use enza_models::cassette::ActiveCassette;
use enza_models::catalog::ModelError;
use enza_runtime::engine::{Engine, Submission};
use enza_runtime::seams::store::{SessionId, SessionOpening};
use enza_terminal::environment::Environment;
use enza_terminal::keyboard::Keyboard;
use enza_terminal::screen::Screen;
use enza_terminal::setup::{self, ModelSetup, OWNER};
use enza_terminal::talk::{Asked, ask};
use enza_terminal::trouble::Trouble;
use serde_json::json;

use crate::arguments::InterviewRun;
use crate::delivery::Outbox;
use crate::trouble::InterviewTrouble;
use crate::words::interview as words;
use crate::{INTERVIEW, form};
use respondent_locale::RespondentLocale;

/// Runs an interview.
pub async fn run(around: &Environment, screen: &Screen, order: InterviewRun) -> Result<(), Trouble> {
    let respondent = Respondent::new(order.answers.as_deref(), around.attended, order.yes)?;
    let mut keyboard = keyboard(screen, &respondent);
    let form = wanted(screen, &order)?;
    let outbox = Outbox { folder: crate::outbox(around) };
    let players = ModelSetup::chosen(around, tape(&order)?)?;
    let opening = match form {
        None => None,
        Some(form) if !consents(screen, &form, order.consent, &mut keyboard).await? => {
            screen.say(words::no_consent(screen.lang))?;
            return if screen.json { screen.value(&json!({"left": true})) } else { Ok(()) };
        }
        Some(form) => Some(beginning(around, &order, &respondent, form)),
    };
    let working = setup::start_engine(around, &players).await?;
    let engine = working.engine.clone();
    let session = match opening {
        Some(opening) => open(&engine, opening).await?,
        None => resume(&engine, order.session.as_deref().unwrap_or_default()).await?,
    };
    screen.remember(&session, crate::resumes(setup::short_id(&session)));
    if respondent.is_attended && screen.is_lively() {
        keyboard.take_keys();
    }
    let conversation = Conversation::new(&engine, screen, session.clone(), (respondent, keyboard), &players.chosen);
    let ending = conversation.hold(order.session.is_some()).await;
    engine.close().await;
    receipt::conclude(screen, &engine, &outbox, &session, ending?).await
}

/// The keyboard of whoever answers; nothing that is answered is remembered beside the session. Lines are read as the
/// terminal gives them until the interview begins.
fn keyboard(screen: &Screen, respondent: &Respondent) -> Keyboard {
    if respondent.is_attended {
        Keyboard::open(false, screen.paint, None, Box::new(|_| Vec::new()))
    } else {
        Keyboard::nobody(screen.paint)
    }
}

/// The form to begin with; none where a session is gone on with.
fn wanted(screen: &Screen, order: &InterviewRun) -> Result<Option<Form>, Trouble> {
    match (&order.form, &order.session) {
        (Some(path), _) => {
            let (form, remarks) = form::read(path)?;
            for remark in remarks {
                screen.aside(&remark.say(screen.lang))?;
            }
            Ok(Some(form))
        }
        (None, None) => Ok(Some(Form::sample(screen.lang))),
        (None, Some(_)) => Ok(None),
    }
}

/// The tape that was asked for.
fn tape(order: &InterviewRun) -> Result<Option<ActiveCassette>, Trouble> {
    let tape = match (&order.record, &order.replay) {
        (Some(path), _) => Some(ActiveCassette::record(path)),
        (None, Some(path)) => Some(ActiveCassette::play(path)),
        (None, None) => None,
    };
    Ok(tape.transpose().map_err(ModelError::from)?)
}

/// Whether the respondent agrees to what the form asks consent for, if it does.
async fn consents(screen: &Screen, form: &Form, is_given: bool, keyboard: &mut Keyboard) -> Result<bool, Trouble> {
    if form.consent.is_none() || is_given {
        return Ok(true);
    }
    screen.say(&words::consent(screen, form))?;
    if !keyboard.is_attended() {
        return Err(InterviewTrouble::AtConsent { title: form.title.clone() }.into());
    }
    loop {
        screen.put(&screen.paint.strong(words::consent_prompt(screen.lang)))?;
        match ask(keyboard, screen).await {
            Asked::Line(line) => match plain_answer(&line.text) {
                Some(Verdict::Yes) => return Ok(true),
                Some(Verdict::No) => return Ok(false),
                None => {}
            },
            Asked::Gone => return Ok(false),
            Asked::Interrupt | Asked::Ended => return Err(Trouble::Interrupted { under_way: screen.under_way() }),
        }
    }
}

/// How an interview begins, with what is known of the respondent.
fn beginning(around: &Environment, order: &InterviewRun, respondent: &Respondent, form: Form) -> Open {
    // A form may ask for a language or a country itself; then the answer is meant for that.
    let beforehand = |key: &str| respondent.beforehand(key).filter(|_| form.find(key).is_none());
    let known = RespondentLocale {
        language: order.language.as_deref().or(beforehand("language")),
        country: order.country.as_deref().or(beforehand("country")),
        typed: around.lang_typed,
        locale: around.locale.as_deref(),
    };
    let bootstrap = if respondent.can_be_greeted() { known.as_far() } else { known.wholly(form.language) };
    Open { bootstrap, consented: form.consent.is_some(), ..Open::form(form) }
}

/// Opens an interview in a new session.
pub async fn open(engine: &Engine, opening: Open) -> Result<SessionId, Trouble> {
    let session = setup::new_session();
    let command = json!(Command::Open(Box::new(opening)));
    let submission = Submission { command, by: setup::person(), key: Some(setup::new_key()) };
    engine.open(&session, SessionOpening::new(INTERVIEW, OWNER), submission).await?;
    Ok(session)
}

async fn resume(engine: &Engine, part: &str) -> Result<SessionId, Trouble> {
    let row = setup::find_session(&**engine.store(), part).await?;
    if row.application == INTERVIEW {
        return Ok(row.id);
    }
    Err(Trouble::other_application::<Interview>(engine, row))
}
