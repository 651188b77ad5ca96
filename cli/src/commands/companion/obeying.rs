//! What follows from a typed order.

use enza_applications::companion::{Command, State};

use super::talk::{On, Talk};
use super::typed::Word;
use super::{glance, looks, ordered, servers};
use crate::trouble::Trouble;
use crate::words::companion::{orders, talk as words};

impl Talk<'_> {
    /// Does what was typed.
    pub(super) async fn obey(&mut self, word: Word, state: &State) -> Result<On, Trouble> {
        let screen = self.show.screen;
        let lang = screen.lang;
        let command = match word {
            Word::Empty => return Ok(On::Yes),
            Word::Quit => return Ok(On::No),
            Word::Say(text, when) => {
                self.say_to_it(text, when).await?;
                return Ok(On::Yes);
            }
            Word::Order(command) => *command,
            Word::Help => return self.told(&orders::help(screen, &self.recipes.names())),
            Word::Tasks => return self.tasks(state).await,
            Word::Watch(task) => return self.watch(state, task),
            Word::Turns => return self.turns(state).await,
            Word::Rules => return self.told(&looks::rules(screen, state)),
            Word::Mind => return self.told(&looks::mind(screen, state)),
            Word::Why => return self.why(state).await,
            Word::Prompt => return self.prompt(state).await,
            Word::Context => return self.context(state).await,
            Word::Settings => return self.settings(state),
            Word::Sessions(part) => return self.others(part).await,
            Word::Map => return self.told(&glance::map(&self.folder, &state.bounds())),
            Word::Cost => return self.tell(&looks::cost(screen, state)),
            Word::Model(given) => return self.model(&given),
            Word::Servers => {
                let told = servers::of_session(screen, self.working, &self.session, state).await;
                return self.told(&told);
            }
            Word::Edit => return self.compose().await,
            Word::Unfit(order) => return self.tell(&orders::unfit(lang, &order)),
            Word::Unknown(order) => return self.tell(&orders::unknown(lang, &order)),
            Word::Export(form) => return self.export(form).await,
            Word::Fork(turn) => return self.fork(state, turn).await,
            Word::ForkOf(session, turn) => return self.fork_of(&session, turn).await,
            Word::Rewind(turn) => return self.rewind(state, turn).await,
            Word::Undo(turn) => match turn.or_else(|| looks::last_change(state)) {
                Some(turn) => Command::TakeBack { turn },
                None => return self.tell(words::nothing_to_undo(lang)),
            },
        };
        let done = ordered::done(lang, state, &command);
        if self.send(&command).await?
            && let Some(done) = done
        {
            self.say(&self.show.note(&done))?;
        }
        Ok(On::Yes)
    }

    /// Tells something in words, in lines that fit.
    pub(super) fn tell(&mut self, text: &str) -> Result<On, Trouble> {
        let lines = crate::screen::fold(text, self.show.screen.width()).join("\n");
        self.told(&lines)
    }

    /// Shows something that is laid out already.
    pub(super) fn told(&mut self, text: &str) -> Result<On, Trouble> {
        self.say(text)?;
        Ok(On::Yes)
    }
}
