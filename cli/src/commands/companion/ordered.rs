//! What follows from an order that is typed where nobody sits at a keyboard: behind `-p`, or in an editor.
//!
//! An order is obeyed as one or refused as one; it never goes to the model as something said. What needs a keyboard, or is
//! done by a command of its own, says so. A person's own orders (`recipes`) are looked for before.

use enza_applications::companion::{Command, Delta, Desk, State};
use enza_kernel::text::Lang;
use enza_models::choice::Chosen;

use super::looks::{self, Progress};
use super::typed::{Form, Word};
use super::{glance, sources};
use crate::screen::Screen;
use crate::surroundings::Surroundings;
use crate::words::companion::looks::MIND;
use crate::words::companion::{orders, talk as words};

/// What an order comes to.
#[derive(Debug, Clone, PartialEq)]
pub enum Ordered {
    /// It is none: something is said.
    Said,
    /// A command.
    Command(Command),
    /// Something to be read.
    Told(String),
    /// The session is written to a file.
    Export(Form),
    /// Another session begins before this turn; files stay.
    Fork(u32),
    /// Files are taken back from this turn on, and another session begins before it.
    Rewind(u32),
    /// It cannot be obeyed here.
    Misplaced(Misplaced),
}

/// Why an order cannot be obeyed without a keyboard.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Misplaced {
    /// There is no such order.
    Unknown(String),
    /// Something is wrong behind it.
    Unfit(String),
    /// It makes sense at a keyboard alone.
    AtKeyboard(&'static str),
    /// This does it instead.
    Instead(&'static str, &'static str),
    /// It is about a session that was begun, and none was named.
    NoSession,
}

/// Where and of whom an order is given.
pub struct Occasion<'a> {
    /// Around it all.
    pub around: &'a Surroundings,
    /// For whom it is laid out.
    pub screen: &'a Screen,
    /// The session.
    pub state: &'a State,
    /// The model that was chosen.
    pub chosen: &'a Chosen,
    /// The names of a person's own orders.
    pub recipes: &'a [String],
}

/// What follows from an order.
pub fn obey(occasion: &Occasion<'_>, word: Word) -> Ordered {
    let Occasion { around, screen, state, chosen, recipes } = *occasion;
    let lang = screen.lang;
    let command = match word {
        Word::Empty | Word::Say(..) => return Ordered::Said,
        Word::Order(command) => *command,
        Word::Help => return Ordered::Told(orders::help(screen, recipes)),
        Word::Tasks => return Ordered::Told(tasks(screen, state)),
        Word::Turns => return Ordered::Told(looks::turns(screen, state)),
        Word::Rules => return Ordered::Told(looks::rules(screen, state)),
        Word::Mind => return Ordered::Told(looks::mind(screen, state)),
        Word::Why => return Ordered::Told(looks::why(screen, state, None)),
        Word::Context => return Ordered::Told(looks::context(screen, state)),
        Word::Cost => return Ordered::Told(looks::cost(screen, state)),
        Word::Map => return Ordered::Told(glance::map(state.folder.as_ref(), &state.bounds())),
        Word::Settings => {
            return Ordered::Told(sources::show(screen, &around.config, state.folder.as_ref(), &state.settings));
        }
        Word::Model(given) if given.is_empty() => return Ordered::Told(words::model(lang, chosen, &[])),
        Word::Export(form) => return Ordered::Export(form),
        Word::Fork(turn) => return Ordered::Fork(turn),
        Word::ForkOf(..) => return Ordered::Misplaced(Misplaced::Instead("/fork", "enza companion --fork ID@TURN")),
        Word::Rewind(Some(turn)) => return Ordered::Rewind(turn),
        Word::Rewind(None) => {
            let ways = crate::screen::fold(words::ways_back(lang), screen.width()).join("\n");
            return Ordered::Told(format!("{}\n{ways}", looks::turns(screen, state)));
        }
        Word::Undo(turn) => match turn.or_else(|| looks::last_change(state)) {
            Some(turn) => Command::TakeBack { turn },
            None => return Ordered::Told(words::nothing_to_undo(lang).to_owned()),
        },
        Word::Watch(_) => return Ordered::Misplaced(Misplaced::AtKeyboard("/watch")),
        Word::Edit => return Ordered::Misplaced(Misplaced::AtKeyboard("/edit")),
        Word::Quit => return Ordered::Misplaced(Misplaced::AtKeyboard("/quit")),
        Word::Model(_) => return Ordered::Misplaced(Misplaced::Instead("/model", "enza model use NAME")),
        Word::Servers => return Ordered::Misplaced(Misplaced::Instead("/servers", "enza companion servers")),
        Word::Prompt => return Ordered::Misplaced(Misplaced::Instead("/prompt", "enza prompt ID")),
        Word::Sessions(_) => {
            return Ordered::Misplaced(Misplaced::Instead(
                "/sessions",
                "enza session list --application companion --search TEXT",
            ));
        }
        Word::Unfit(order) => return Ordered::Misplaced(Misplaced::Unfit(order)),
        Word::Unknown(order) => return Ordered::Misplaced(Misplaced::Unknown(order)),
    };
    Ordered::Command(command)
}

/// What was done by a command of which nothing else tells, in a session that stood like this before; none where something
/// does.
pub fn done(lang: Lang, state: &State, command: &Command) -> Option<String> {
    let title = |desk: Option<&Desk>| {
        let title = desk.map(|desk| desk.task.as_ref().map_or(&desk.said, |work| &work.title).clone());
        title.unwrap_or_default()
    };
    match command {
        Command::Lift { place } => {
            state.constraints.get(*place as usize).map(|constraint| words::lifted(lang, &constraint.text))
        }
        Command::ForgetRule { place } => {
            state.rules.get(*place as usize).map(|rule| words::rule_forgotten(lang, &rule.say()))
        }
        Command::RaiseBudget { tokens } => Some(words::budget_raised(lang, *tokens)),
        Command::Mind(delta) => Some(minded(lang, delta)),
        Command::Background => Some(words::sent_back(lang, &title(state.front()))),
        Command::Front { task } => Some(words::brought_forward(lang, &title(state.desk(*task)))),
        Command::Open(_)
        | Command::Say { .. }
        | Command::Answer { .. }
        | Command::Accept
        | Command::Commit { .. }
        | Command::Rename { .. }
        | Command::Stop { .. }
        | Command::TakeBack { .. }
        | Command::Reset
        | Command::Retry
        | Command::SetMode { .. }
        | Command::Remember { .. }
        | Command::Forbid { .. }
        | Command::Compact
        | Command::Close => None,
    }
}

/// Every item that is another now, one a line.
fn minded(lang: Lang, delta: &Delta) -> String {
    let join = |items: &Option<Vec<String>>| items.as_ref().map(|items| items.join("; "));
    let items = [
        delta.goal.clone(),
        delta.why_now.clone(),
        join(&delta.constraints),
        join(&delta.plan_brief),
        join(&delta.open_questions),
    ];
    let said = MIND.iter().zip(items).filter_map(|(name, text)| Some(words::minded(lang, *name, &text?)));
    said.collect::<Vec<_>>().join("\n")
}

/// Whether an order makes sense in a session that is only begun by it: what holds for the whole folder does.
pub fn may_begin(word: &Word) -> bool {
    match word {
        Word::Empty | Word::Say(..) | Word::Help | Word::Rules | Word::Settings => true,
        Word::Order(command) => {
            matches!(**command, Command::Remember { .. } | Command::Forbid { .. } | Command::Lift { .. })
        }
        _ => false,
    }
}

/// What is under way.
pub fn tasks(screen: &Screen, state: &State) -> String {
    let progress = |desk| Progress { desk, tokens: None, latest: None, is_watched: false };
    looks::tasks(screen, state, &state.desks.iter().map(progress).collect::<Vec<_>>())
}
