//! What follows from a typed order.

use enza_companion::{Command, State};
use enza_terminal::talk::GoesOn;
use enza_terminal::trouble::Trouble;

use super::parse::ParsedLine;
use super::talk::Talk;
use super::{folder_preview, headless_orders, lists, servers};
use crate::words::{orders, talk as words};

impl Talk<'_> {
    /// Does what was typed.
    pub(super) async fn obey(&mut self, word: ParsedLine, state: &State) -> Result<GoesOn, Trouble> {
        let screen = self.show.screen;
        let lang = screen.lang;
        let command = match word {
            ParsedLine::Empty => return Ok(GoesOn::Yes),
            ParsedLine::Quit => return Ok(GoesOn::No),
            ParsedLine::Say(text, when) => {
                self.say_to_it(text, when).await?;
                return Ok(GoesOn::Yes);
            }
            ParsedLine::Order(command) => *command,
            ParsedLine::Help => return self.told(&orders::help(screen, &self.recipes.names())),
            ParsedLine::Tasks => return self.tasks(state).await,
            ParsedLine::Watch(task) => return self.watch(state, task),
            ParsedLine::Turns => return self.turns(state).await,
            ParsedLine::Rules => return self.told(&lists::rules(screen, state)),
            ParsedLine::Mind => return self.told(&lists::mind(screen, state)),
            ParsedLine::Why => return self.why(state).await,
            ParsedLine::Prompt => return self.prompt(state).await,
            ParsedLine::Context => return self.context(state).await,
            ParsedLine::Settings => return self.settings(state),
            ParsedLine::Sessions(part) => return self.others(part).await,
            ParsedLine::Map => return self.told(&folder_preview::map(&self.folder, &state.bounds())),
            ParsedLine::Cost => return self.tell(&lists::cost(screen, state)),
            ParsedLine::Model(given) => return self.model(&given),
            ParsedLine::Servers => {
                let told = servers::of_session(screen, self.working, &self.session, state).await;
                return self.told(&told);
            }
            ParsedLine::Edit => return self.compose().await,
            ParsedLine::Unfit(order) => return self.tell(&orders::unfit(lang, &order)),
            ParsedLine::Unknown(order) => return self.tell(&orders::unknown(lang, &order)),
            ParsedLine::Export(form) => return self.export(form).await,
            ParsedLine::Fork(turn) => return self.fork(state, turn).await,
            ParsedLine::ForkOf(session, turn) => return self.fork_of(&session, turn).await,
            ParsedLine::Rewind(turn) => return self.rewind(state, turn).await,
            ParsedLine::Undo(turn) => match turn.or_else(|| lists::last_change(state)) {
                Some(turn) => Command::TakeBack { turn },
                None => return self.tell(words::nothing_to_undo(lang)),
            },
        };
        let done = headless_orders::done(lang, state, &command);
        if self.send(&command).await?
            && let Some(done) = done
        {
            self.say(&self.show.note(&done))?;
        }
        Ok(GoesOn::Yes)
    }

    /// Tells something in words, in lines that fit.
    pub(super) fn tell(&mut self, text: &str) -> Result<GoesOn, Trouble> {
        let lines = enza_terminal::screen::fold(text, self.show.screen.width()).join("\n");
        self.told(&lines)
    }

    /// Shows something that is laid out already.
    pub(super) fn told(&mut self, text: &str) -> Result<GoesOn, Trouble> {
        self.say(text)?;
        Ok(GoesOn::Yes)
    }
}
