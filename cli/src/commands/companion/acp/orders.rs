//! What can be typed behind a slash in an editor: the terminal's orders that make sense there, and a person's own.
//!
//! Some become commands, some only look at the session. One that begins another session says which: an editor opens it from
//! its list. What is no order of ours is something said.

use std::path::Path;

use enza_applications::companion::{Command, State};
use enza_runtime::seams::store::SessionId;

use super::super::ordered::{self, Occasion, Ordered};
use super::super::recipes::Recipes;
use super::super::typed;
use super::super::{exporting, going_on, opening};
use super::agent::Agent;
use super::updates::{Hint, Typed};
use super::wire::Fault;
use crate::trouble::Trouble;
use crate::words::companion::{acp as words, orders, talk};

/// What a typed line comes to.
pub enum Order {
    /// Something said.
    Said,
    /// What a person's own order says.
    SaidBy(String),
    /// A command.
    Command(Command),
    /// Files are taken back, and another session begins before the turn.
    Rewind(u32),
    /// Something to be read.
    Told(String),
}

impl Agent {
    /// The orders, as an editor lists them for a folder.
    pub(super) fn orders(&self, folder: &Path) -> Vec<Typed> {
        let lang = self.screen.lang;
        let ours = words::orders(lang).map(|(name, description, hint)| Typed {
            name: name.to_owned(),
            description,
            input: hint.map(|hint| Hint { hint }),
        });
        let own = Recipes::of(&self.around.config, folder).names().into_iter().map(|name| Typed {
            name,
            description: words::of_your_own(lang),
            input: Some(Hint { hint: words::more_words(lang) }),
        });
        ours.into_iter().chain(own).collect()
    }

    /// Reads a typed line.
    pub(super) async fn order(&self, session: &SessionId, state: &State, line: &str) -> Result<Order, Fault> {
        let (screen, lang) = (&self.screen, self.screen.lang);
        if line.trim() == "/status" {
            let status = talk::status(lang, state, &self.chosen.pick);
            return Ok(Order::Told(format!("{status}\n{}", ordered::tasks(screen, state))));
        }
        if !line.trim_start().starts_with('/') {
            return Ok(Order::Said);
        }
        let recipes = Recipes::of(&self.around.config, state.folder.as_ref());
        if let Some(said) = recipes.say(line) {
            return Ok(Order::SaidBy(said));
        }
        let occasion =
            Occasion { around: &self.around, screen, state, chosen: &self.chosen, recipes: &recipes.names() };
        Ok(match ordered::obey(&occasion, typed::word(line)) {
            Ordered::Said => Order::Said,
            Ordered::Command(command) => Order::Command(command),
            Ordered::Told(text) => Order::Told(text),
            Ordered::Export(form) => {
                let told = exporting::export(&self.around, &self.working.engine, session, form, lang).await;
                Order::Told(told.map_err(|trouble| self.fault(&trouble))?)
            }
            Ordered::Fork(turn) => Order::Told(self.forked(session, state, turn, talk::forked(lang)).await?),
            Ordered::Rewind(turn) if changes_anything(state, turn) => Order::Rewind(turn),
            Ordered::Rewind(turn) => Order::Told(self.forked(session, state, turn, talk::rewound(lang)).await?),
            Ordered::Misplaced(misplaced) => {
                let said = orders::misplaced(lang, &misplaced);
                Order::Told(format!("{} {}", said.message, said.hint))
            }
        })
    }

    /// Begins another session before a turn, and says which.
    pub(super) async fn forked(
        &self,
        session: &SessionId,
        state: &State,
        turn: u32,
        told: &str,
    ) -> Result<String, Fault> {
        let lang = self.screen.lang;
        let Some(before) = opening::before(state, turn) else { return Ok(talk::no_such_turn(lang).to_owned()) };
        let engine = &self.working.engine;
        let forked = async {
            let child = opening::fork_from(engine, session, before).await?;
            going_on::tighten(&self.around, &self.screen, engine, &child).await?;
            Ok::<SessionId, Trouble>(child)
        };
        let child = forked.await.map_err(|trouble| self.fault(&trouble))?;
        Ok(words::open_it(lang, told, &child))
    }
}

/// Whether anything was changed from a turn on.
fn changes_anything(state: &State, turn: u32) -> bool {
    state.turns.iter().any(|one| one.number >= turn && !one.changes.is_empty())
}
