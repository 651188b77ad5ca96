//! What can be typed behind a slash in an editor: the terminal's orders that make sense there, and a person's own.
//!
//! Some become commands, some only look at the session. One that begins another session says which: an editor opens it from
//! its list. What is no order of ours is something said.

use std::path::Path;

use enza_companion::{Command, State};
use enza_runtime::seams::store::SessionId;
use enza_terminal::trouble::Trouble;

use super::super::custom_orders::CustomOrders;
use super::super::headless_orders::{self, OrderContext, OrderOutcome};
use super::super::parse;
use super::super::{export, open, resume, rewind};
use super::agent::Agent;
use super::updates::{AvailableCommand, CommandHint};
use super::wire::Fault;
use crate::words::{acp as words, orders, talk};

/// What a typed line comes to.
pub enum EditorOrder {
    Said,
    /// What a person's own order says.
    SaidBy(String),
    Command(Command),
    /// Files are taken back, and another session begins before the turn.
    Rewind(u32),
    /// Something to be read.
    Told(String),
}

impl Agent {
    /// The orders, as an editor lists them for a folder.
    pub(super) fn orders(&self, folder: &Path) -> Vec<AvailableCommand> {
        let lang = self.screen.lang;
        let ours = words::orders(lang).map(|(name, description, hint)| AvailableCommand {
            name: name.to_owned(),
            description,
            input: hint.map(|hint| CommandHint { hint }),
        });
        let own = CustomOrders::of(&self.around.config, folder).names().into_iter().map(|name| AvailableCommand {
            name,
            description: words::of_your_own(lang),
            input: Some(CommandHint { hint: words::more_words(lang) }),
        });
        ours.into_iter().chain(own).collect()
    }

    /// Reads a typed line.
    pub(super) async fn order(&self, session: &SessionId, state: &State, line: &str) -> Result<EditorOrder, Fault> {
        let (screen, lang) = (&self.screen, self.screen.lang);
        if line.trim() == "/status" {
            let status = talk::status(lang, state, &self.chosen.pick);
            return Ok(EditorOrder::Told(format!("{status}\n{}", headless_orders::tasks(screen, state))));
        }
        if !line.trim_start().starts_with('/') {
            return Ok(EditorOrder::Said);
        }
        let recipes = CustomOrders::of(&self.around.config, state.folder.as_ref());
        if let Some(said) = recipes.say(line) {
            return Ok(EditorOrder::SaidBy(said));
        }
        let occasion =
            OrderContext { around: &self.around, screen, state, chosen: &self.chosen, recipes: &recipes.names() };
        Ok(match headless_orders::obey(&occasion, parse::parse_line(line)) {
            OrderOutcome::Said => EditorOrder::Said,
            OrderOutcome::Command(command) => EditorOrder::Command(command),
            OrderOutcome::Told(text) => EditorOrder::Told(text),
            OrderOutcome::Turns => {
                let told = rewind::turns(&self.working.engine, screen, session, state).await;
                EditorOrder::Told(told.map_err(|trouble| self.fault(&trouble))?)
            }
            OrderOutcome::WaysBack => {
                let told = rewind::ways_back(&self.working.engine, screen, session, state).await;
                EditorOrder::Told(told.map_err(|trouble| self.fault(&trouble))?)
            }
            OrderOutcome::Export(form) => {
                let told = export::export(&self.around, &self.working.engine, session, form, lang).await;
                EditorOrder::Told(told.map_err(|trouble| self.fault(&trouble))?)
            }
            OrderOutcome::Fork(turn) => EditorOrder::Told(self.forked(session, state, turn, talk::forked(lang)).await?),
            OrderOutcome::Rewind(turn) if changes_anything(state, turn) => EditorOrder::Rewind(turn),
            OrderOutcome::Rewind(turn) => {
                EditorOrder::Told(self.forked(session, state, turn, talk::rewound(lang)).await?)
            }
            OrderOutcome::Misplaced(misplaced) => {
                let said = orders::misplaced(lang, &misplaced);
                EditorOrder::Told(said.in_one())
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
        let Some(before) = open::before(state, turn) else { return Ok(talk::no_such_turn(lang).to_owned()) };
        let engine = &self.working.engine;
        let forked = async {
            let child = open::fork_from(engine, session, before).await?;
            resume::tighten(&self.around, &self.screen, engine, &child).await?;
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
