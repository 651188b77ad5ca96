//! What is said behind `-p`: talk for the model, a person's own order, or an order that is obeyed.
//!
//! A line that begins with a slash is an order, as at the keyboard. One that cannot be obeyed here is told before a session
//! is begun for it.

use std::path::Path;

use enza_companion::{Command, State, When};
use enza_models::choice::Chosen;
use enza_runtime::seams::store::SessionId;
use enza_terminal::environment::Environment;
use enza_terminal::files::unreadable;
use enza_terminal::trouble::Trouble;
use serde_json::json;

use super::custom_orders::CustomOrders;
use super::follow::{self, Follower};
use super::headless::{self, Streams};
use super::headless_orders::{self, Misplaced, OrderContext, OrderOutcome};
use super::known_instructions::KnownInstructions;
use super::mentions::{self, Mentions};
use super::parse::{self, ParsedLine};
use super::printer::Printer;
use super::{export, rewind, send};
use crate::arguments::CompanionArgs;
use crate::trouble::CompanionTrouble;
use crate::words::talk as words;

/// A run with nobody at the keyboard.
pub struct OneShot<'a> {
    pub around: &'a Environment,
    pub show: Printer<'a>,
    /// The model that was chosen.
    pub chosen: &'a Chosen,
    pub session: &'a SessionId,
    /// Whether words are passed on as they are written.
    pub streams: Streams,
}

/// Refuses an order that makes no sense in a session which is only begun for it, before one is.
pub fn check(around: &Environment, order: &CompanionArgs, folder: &Path, text: &str) -> Result<(), Trouble> {
    let goes_on = order.go_on || order.resume.is_some() || order.fork.is_some();
    if goes_on || CustomOrders::of(&around.config, folder).say(text).is_some() {
        return Ok(());
    }
    match word(text) {
        ParsedLine::Unknown(order) => Err(CompanionTrouble::Misplaced(Misplaced::Unknown(order)).into()),
        ParsedLine::Unfit(order) => Err(CompanionTrouble::Misplaced(Misplaced::Unfit(order)).into()),
        word if headless_orders::may_begin(&word) => Ok(()),
        _ => Err(CompanionTrouble::Misplaced(Misplaced::NoSession).into()),
    }
}

/// What was typed: an order only behind a slash. Behind `!` and `?` there is nothing to be interrupted here.
fn word(text: &str) -> ParsedLine {
    if text.trim_start().starts_with('/') {
        parse::parse_line(text)
    } else {
        ParsedLine::Say(text.to_owned(), When::Turn)
    }
}

impl OneShot<'_> {
    /// Says one thing, and follows what comes of it. With nothing to say, a session that is gone on with is followed.
    pub async fn say(self, mut following: Follower, text: &str) -> Result<(), Trouble> {
        let Self { around, show, chosen, session, streams } = self;
        let engine = &following.engine().clone();
        let state = follow::status(&following).await?.state;
        let recipes = CustomOrders::of(&around.config, state.folder.as_ref());
        let (text, word) = match recipes.say(text) {
            Some(said) => (said.clone(), ParsedLine::Say(said, When::Turn)),
            None => (text.to_owned(), word(text)),
        };
        let occasion = OrderContext { around, screen: show.screen, state: &state, chosen, recipes: &recipes.names() };
        let command = match headless_orders::obey(&occasion, word) {
            OrderOutcome::Said if text.trim().is_empty() => None,
            OrderOutcome::Said => Some(self.talk(&following, &state, text).await?),
            OrderOutcome::Command(command) => Some(command),
            OrderOutcome::Told(text) => return print_text(show, &text),
            OrderOutcome::Turns => {
                return print_text(show, &rewind::turns(engine, show.screen, session, &state).await?);
            }
            OrderOutcome::WaysBack => {
                return print_text(show, &rewind::ways_back(engine, show.screen, session, &state).await?);
            }
            OrderOutcome::Export(form) => {
                let told_of = export::export(around, engine, session, form, show.screen.lang).await?;
                return print_text(show, &told_of);
            }
            OrderOutcome::Fork(_) => return Err(instead("/fork")),
            OrderOutcome::Rewind(_) => return Err(instead("/rewind")),
            OrderOutcome::Misplaced(misplaced) => return Err(CompanionTrouble::Misplaced(misplaced).into()),
        };
        if let Some(command) = command {
            send(engine, session, &command).await?;
            if let Some(done) = headless_orders::done(show.screen.lang, &state, &command) {
                print_text(show, &done)?;
            }
        }
        headless::follow(around, show, &mut following, session, streams).await
    }

    /// Something said, with the files that are named in it.
    async fn talk(&self, following: &Follower, state: &State, text: String) -> Result<Command, Trouble> {
        let (folder, lang) = (Path::new(&state.folder), self.show.screen.lang);
        let Mentions { mut files, missing } = mentions::along_with(&text, Vec::new(), folder, &state.bounds());
        // Nobody is there to see that something was left out.
        if let Some(missing) = missing.first() {
            let why = words::not_attached_because(lang, missing.why);
            return Err(unreadable(Path::new(&missing.name), why));
        }
        let news = KnownInstructions::default()
            .news(&self.around.config, following.engine(), self.session, state, lang)
            .await?;
        files.extend(news);
        Ok(Command::Say { text, when: When::Turn, files })
    }
}

fn instead(order: &'static str) -> Trouble {
    CompanionTrouble::Misplaced(Misplaced::Instead(order, "enza companion --fork ID@TURN -p \"…\"")).into()
}

/// Something to be read.
fn print_text(show: Printer<'_>, text: &str) -> Result<(), Trouble> {
    if show.screen.json {
        return show.screen.value(&json!({"kind": "told", "text": text}));
    }
    show.screen.say(text)
}
