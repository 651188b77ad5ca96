//! What is said behind `-p`: talk for the model, a person's own order, or an order that is obeyed.
//!
//! A line that begins with a slash is an order, as at the keyboard. One that cannot be obeyed here is told before a session
//! is begun for it.

use std::path::Path;

use enza_applications::companion::{Command, State, When};
use enza_models::choice::Chosen;
use enza_runtime::seams::store::SessionId;
use serde_json::json;

use super::follow::Following;
use super::headless::{self, Streams};
use super::instructed::Instructed;
use super::ordered::{self, Misplaced, Occasion, Ordered};
use super::recipes::Recipes;
use super::show::Show;
use super::typed::{self, Word};
use super::{attached, exporting, glance, send};
use crate::arguments::CompanionOf;
use crate::files;
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;
use crate::words::companion::talk as words;

/// A run with nobody at the keyboard.
pub struct Once<'a> {
    /// Around it all.
    pub around: &'a Surroundings,
    /// How things are shown.
    pub show: Show<'a>,
    /// The model that was chosen.
    pub chosen: &'a Chosen,
    /// The session.
    pub session: &'a SessionId,
    /// Whether words are passed on as they are written.
    pub streams: Streams,
}

/// Refuses an order that makes no sense in a session which is only begun for it, before one is.
pub fn check(around: &Surroundings, order: &CompanionOf, folder: &Path, text: &str) -> Result<(), Trouble> {
    let goes_on = order.go_on || order.resume.is_some() || order.fork.is_some();
    if goes_on || Recipes::of(&around.config, folder).say(text).is_some() {
        return Ok(());
    }
    match word(text) {
        Word::Unknown(order) => Err(Trouble::Misplaced(Misplaced::Unknown(order))),
        Word::Unfit(order) => Err(Trouble::Misplaced(Misplaced::Unfit(order))),
        word if ordered::may_begin(&word) => Ok(()),
        _ => Err(Trouble::Misplaced(Misplaced::NoSession)),
    }
}

/// What was typed: an order only behind a slash. Behind `!` and `?` there is nothing to be interrupted here.
fn word(text: &str) -> Word {
    if text.trim_start().starts_with('/') { typed::word(text) } else { Word::Say(text.to_owned(), When::Turn) }
}

impl Once<'_> {
    /// Says one thing, and follows what comes of it. With nothing to say, a session that is gone on with is followed.
    pub async fn say(self, mut following: Following<'_>, text: &str) -> Result<(), Trouble> {
        let Self { around, show, chosen, session, streams } = self;
        let engine = following.engine();
        let state = following.moment().await?.state;
        let recipes = Recipes::of(&around.config, state.folder.as_ref());
        let (text, word) = match recipes.say(text) {
            Some(said) => (said.clone(), Word::Say(said, When::Turn)),
            None => (text.to_owned(), word(text)),
        };
        let occasion = Occasion { around, screen: show.screen, state: &state, chosen, recipes: &recipes.names() };
        let command = match ordered::obey(&occasion, word) {
            Ordered::Said if text.trim().is_empty() => None,
            Ordered::Said => Some(self.talk(&following, &state, text).await?),
            Ordered::Command(command) => Some(command),
            Ordered::Told(text) => return told(show, &text),
            Ordered::Export(form) => {
                let told_of = exporting::export(around, engine, session, form, show.screen.lang).await?;
                return told(show, &told_of);
            }
            Ordered::Fork(_) => return Err(instead("/fork")),
            Ordered::Rewind(_) => return Err(instead("/rewind")),
            Ordered::Misplaced(misplaced) => return Err(Trouble::Misplaced(misplaced)),
        };
        if let Some(command) = command {
            send(engine, session, &command).await?;
            if let Some(done) = ordered::done(show.screen.lang, &state, &command) {
                told(show, &done)?;
            }
        }
        headless::follow(around, show, &mut following, session, streams).await
    }

    /// Something said, with the files that are named in it.
    async fn talk(&self, following: &Following<'_>, state: &State, text: String) -> Result<Command, Trouble> {
        let (folder, lang) = (Path::new(&state.folder), self.show.screen.lang);
        let mut named = attached::named_in(&text, folder);
        // Nobody is there to see that something was left out.
        if let Some(missing) = named.missing.first() {
            let why = words::not_attached_because(lang, missing.why);
            return Err(files::unreadable(Path::new(&missing.name), why));
        }
        named.files.extend(glance::named_in(&text, folder, &state.bounds(), &named.files));
        let news =
            Instructed::default().news(&self.around.config, following.engine(), self.session, state, lang).await?;
        named.files.extend(news);
        Ok(Command::Say { text, when: When::Turn, files: named.files })
    }
}

fn instead(order: &'static str) -> Trouble {
    Trouble::Misplaced(Misplaced::Instead(order, "enza companion --fork ID@TURN -p \"…\""))
}

/// Something to be read.
fn told(show: Show<'_>, text: &str) -> Result<(), Trouble> {
    if show.screen.json {
        return show.screen.value(&json!({"kind": "told", "text": text}));
    }
    show.screen.say(text)
}
