//! `enza companion --acp`: the companion for editors, by the Agent Client Protocol (version 1).
//!
//! Sessions are the same as everywhere else: they can be gone on with at a terminal and seen in the web. Files and commands
//! are the workshop's, so an editor is asked for permissions and for nothing else. Standard output has nothing but the
//! protocol; what a person should know besides goes to standard error, where editors keep a log.
//!
//! `wire` carries messages, `messages` and `updates` say what they are, `agent` and `sessions` answer requests, `turn`
//! follows a prompt to its end, `told` and `calls` say what an editor is told of an event, `speech` what of a reply that is
//! being written. Decision 0019 says why the types are our own.

mod agent;
mod calls;
mod content;
mod messages;
mod orders;
mod reply_stream;
mod sessions;
mod translate;
mod turn;
mod updates;
mod wire;

use std::sync::{Arc, Mutex};

use enza_terminal::environment::Environment;
use enza_terminal::screen::Screen;
use enza_terminal::setup::ModelSetup;
use enza_terminal::trouble::Trouble;

use super::open;
use crate::arguments::CompanionArgs;
use crate::tools::RunningCompanion;
use agent::Agent;
use wire::{Incoming, Wire};

/// Serves an editor until it closes the wire.
pub async fn serve(around: &Environment, players: &ModelSetup, order: &CompanionArgs) -> Result<(), Trouble> {
    // Whatever is said to a person must not get between the messages.
    let around = Environment { json: true, attended: false, on_screen: false, colour: false, ..around.clone() };
    let working = RunningCompanion::start(&around, players).await?;
    let engine = working.engine.clone();
    let (wire, mut coming) = Wire::open();
    let screen = Screen::new(&around);
    let agent = Arc::new(Agent {
        around,
        screen,
        working,
        chosen: players.chosen.clone(),
        rules: open::allowed(order)?,
        mode: open::mode(order),
        budget: order.budget,
        wire,
        rooms: Mutex::default(),
    });
    loop {
        let incoming = tokio::select! {
            incoming = coming.recv() => incoming,
            _ = tokio::signal::ctrl_c() => None,
        };
        match incoming {
            Some(Incoming::Request { id, method, params }) => agent.request(id, &method, params),
            Some(Incoming::Notification { method, params }) => agent.notified(&method, params),
            Some(Incoming::Response { id, outcome }) => agent.wire.answered(id, outcome),
            Some(Incoming::Nonsense { id, fault }) => agent.wire.answer(&id, Err(fault)),
            None => break,
        }
    }
    engine.close().await;
    agent.close().await;
    Ok(())
}
