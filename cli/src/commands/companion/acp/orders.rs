//! What can be typed behind a slash in an editor: the terminal's orders that make sense there.
//!
//! Some become commands, some only look at the session. What is no order of ours is something said.

use enza_applications::companion::{Command, State};
use enza_kernel::text::Lang;

use super::super::looks::{self, Progress};
use super::super::typed::{self, Word};
use super::agent::Agent;
use super::updates::{Hint, Typed};
use crate::words::companion::{acp as words, orders, talk};

/// What a typed line comes to.
pub enum Order {
    /// Something said.
    Said,
    /// A command.
    Command(Command),
    /// Something to be read.
    Told(String),
}

/// The orders, as an editor lists them.
pub fn all(lang: Lang) -> Vec<Typed> {
    let typed = |(name, description, hint): (&'static str, &'static str, Option<&'static str>)| Typed {
        name,
        description,
        input: hint.map(|hint| Hint { hint }),
    };
    words::orders(lang).map(typed).to_vec()
}

/// Reads a typed line.
pub fn read(agent: &Agent, state: &State, line: &str) -> Order {
    let (screen, lang) = (&agent.screen, agent.screen.lang);
    if line.trim() == "/status" {
        let status = talk::status(lang, state, &agent.chosen.pick);
        return Order::Told(format!("{status}\n{}", tasks(agent, state)));
    }
    if !line.trim_start().starts_with('/') {
        return Order::Said;
    }
    match typed::word(line) {
        Word::Empty | Word::Say(..) => Order::Said,
        Word::Undo(turn) => match turn.or_else(|| looks::last_change(state)) {
            Some(turn) => Order::Command(Command::TakeBack { turn }),
            None => Order::Told(talk::nothing_to_undo(lang).to_owned()),
        },
        Word::Accept => Order::Command(Command::Accept),
        Word::Rename(title) => Order::Command(Command::Rename { title }),
        Word::Commit(message) => Order::Command(Command::Commit { message }),
        Word::Reset => Order::Command(Command::Reset),
        Word::Retry => Order::Command(Command::Retry),
        Word::Forbid(text) => Order::Command(Command::Forbid { text }),
        Word::Mode(mode) => Order::Command(Command::SetMode { mode }),
        Word::Budget(tokens) => Order::Command(Command::RaiseBudget { tokens }),
        Word::Compact => Order::Command(Command::Compact),
        Word::Tasks => Order::Told(tasks(agent, state)),
        Word::Turns => Order::Told(looks::turns(screen, state)),
        Word::Rules => Order::Told(looks::rules(screen, state)),
        Word::SetMind(delta) => Order::Command(Command::Mind(*delta)),
        Word::Mind => Order::Told(looks::mind(screen, state)),
        Word::Why => Order::Told(looks::why(screen, state, None)),
        Word::Context => Order::Told(looks::context(screen, state)),
        Word::Cost => Order::Told(looks::cost(screen, state)),
        Word::Model(_) => Order::Told(talk::model(lang, &agent.chosen, &[])),
        Word::Unfit(order) => Order::Told(orders::unfit(lang, &order)),
        Word::Help
        | Word::Stop(_)
        | Word::Back
        | Word::Front(_)
        | Word::Fork(_)
        | Word::Keep(..)
        | Word::Forget(_)
        | Word::Lift(_)
        | Word::Servers
        | Word::Export(_)
        | Word::Rewind(_)
        | Word::Watch(_)
        | Word::Prompt
        | Word::Settings
        | Word::Edit
        | Word::Sessions(_)
        | Word::Map
        | Word::Quit
        | Word::Unknown(_) => Order::Told(words::not_here(lang, line.trim())),
    }
}

/// What is under way.
fn tasks(agent: &Agent, state: &State) -> String {
    let progress = |desk| Progress { desk, tokens: None, latest: None, is_watched: false };
    looks::tasks(&agent.screen, state, &state.desks.iter().map(progress).collect::<Vec<_>>())
}
