//! `enza session open` and `enza session talk`: a session of whatever application, at this terminal.

use std::sync::Arc;

use enza_runtime::engine::{Engine, Submission};
use enza_runtime::seams::store::{SessionId, SessionOpening};
use enza_server::prepare::{Prepare, Prepared, SentCommand};
use serde_json::{Value, json};

use crate::applications::tools_of;
use crate::arguments::{SessionOpen, SessionTalk};
use crate::environment::Environment;
use crate::screen::Screen;
use crate::setup::{self, ModelSetup, OWNER, Workplace, short_id};
use crate::talk::{self, PlainTalk, TalkSetup};
use crate::trouble::Trouble;
use crate::words::talk as words;

/// What is to be talked in.
enum Target {
    New { application: String, command: Value },
    Known(String),
}

/// Opens a session, and goes on in it.
pub async fn open(around: &Environment, screen: &Screen, order: SessionOpen) -> Result<(), Trouble> {
    let command = opening(around, screen, &order)?;
    hold(around, screen, Target::New { application: order.application, command }, order.plain).await
}

/// Goes on in a session.
pub async fn talk(around: &Environment, screen: &Screen, order: SessionTalk) -> Result<(), Trouble> {
    hold(around, screen, Target::Known(order.id), order.plain).await
}

/// The command that opens a session: the one that was typed, or a ready-made one of the application.
fn opening(around: &Environment, screen: &Screen, order: &SessionOpen) -> Result<Value, Trouble> {
    let registry = around.applications.registry();
    let Some(host) = registry.find(&order.application) else {
        let (name, known) = (order.application.clone(), registry.names().collect());
        return Err(Trouble::UnknownApplication { name, known });
    };
    if let Some(typed) = &order.command {
        return serde_json::from_str(typed)
            .map_err(|why| enza_runtime::engine::Declined::Malformed(why.to_string()).into());
    }
    let openings = host.openings(screen.lang);
    let named = |name: &str| openings.iter().find(|one| one.name == name);
    match order.opening.as_deref().map_or_else(|| openings.first(), named) {
        Some(opening) => Ok(opening.command.clone()),
        None => Err(Trouble::NoOpening {
            application: order.application.clone(),
            known: openings.into_iter().map(|one| one.name).collect(),
            begins: around.applications.begins_of(&order.application),
        }),
    }
}

async fn hold(around: &Environment, screen: &Screen, target: Target, plain: bool) -> Result<(), Trouble> {
    let players = ModelSetup::chosen(around, None)?;
    let place = Workplace::open(around).await?;
    let sets = around.applications.tool_sets(around, &place.store);
    let working = place.start(&players, tools_of(&sets));
    let engine = &working.engine;
    let prepares: Vec<Arc<dyn Prepare>> = sets.iter().filter_map(|set| set.prepares(around, engine)).collect();
    let prepare_of = |application: &str| prepares.iter().find(|one| one.application() == application).map(|one| &**one);
    let (application, session) = match target {
        Target::Known(part) => {
            let row = setup::find_session(&**engine.store(), &part).await?;
            (row.application, row.id)
        }
        Target::New { application, command } => {
            let session = setup::new_session();
            let sent = SentCommand { session: &session, opens: true, command, lang: screen.lang };
            let prepared = talk::prepared(prepare_of(&application), sent).await?;
            begin(screen, engine, &application, &session, prepared).await?;
            (application, session)
        }
    };
    screen.remember(&session, format!("enza session talk {}", short_id(&session)));
    let prepare = prepare_of(&application);
    let setup = TalkSetup { around, screen, engine, prepare, application: &application, session: &session, plain };
    let outcome = PlainTalk::begin(setup)?.hold().await;
    engine.close().await;
    for set in &sets {
        set.close().await;
    }
    outcome
}

async fn begin(
    screen: &Screen,
    engine: &Engine,
    application: &str,
    session: &SessionId,
    prepared: Prepared,
) -> Result<(), Trouble> {
    for remark in &prepared.remarks {
        screen.aside(&remark.text)?;
    }
    let submission = Submission { command: prepared.command, by: setup::person(), key: Some(setup::new_key()) };
    engine.open(session, SessionOpening::new(application, OWNER), submission).await?;
    if screen.json {
        return screen.value(&json!({ "session": session }));
    }
    screen.note(&screen.paint.faint(&words::opened(screen.lang, short_id(session))))
}
