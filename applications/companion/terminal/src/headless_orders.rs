//! What follows from an order that is typed where nobody sits at a keyboard: behind `-p`, or in an editor.
//!
//! An order is obeyed as one or refused as one; it never goes to the model as something said. What needs a keyboard, or is
//! done by a command of its own, says so. A person's own orders (`recipes`) are looked for before.

use enza_companion::{Command, Delta, State, Task};
use enza_kernel::text::Lang;
use enza_models::choice::Chosen;
use enza_terminal::environment::Environment;
use enza_terminal::screen::Screen;

use super::lists::{self, TaskProgress};
use super::parse::{ParsedLine, TranscriptFormat};
use super::{folder_preview, sources};
use crate::words::lists::MIND;
use crate::words::{orders, talk as words};

/// What an order comes to.
#[derive(Debug, Clone, PartialEq)]
pub enum OrderOutcome {
    /// It is none: something is said.
    Said,
    Command(Command),
    /// Something to be read.
    Told(String),
    /// The turns are to be read, which other sessions have, too.
    Turns,
    /// The same with the ways back to them.
    WaysBack,
    /// The session is written to a file.
    Export(TranscriptFormat),
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
    Instead(&'static str, &'static str),
    /// It is about a session that was begun, and none was named.
    NoSession,
}

/// Where and of whom an order is given.
pub struct OrderContext<'a> {
    pub around: &'a Environment,
    /// For whom it is laid out.
    pub screen: &'a Screen,
    pub state: &'a State,
    /// The model that was chosen.
    pub chosen: &'a Chosen,
    /// The names of a person's own orders.
    pub recipes: &'a [String],
}

/// What follows from an order.
pub fn obey(occasion: &OrderContext<'_>, word: ParsedLine) -> OrderOutcome {
    let OrderContext { around, screen, state, chosen, recipes } = *occasion;
    let lang = screen.lang;
    let command = match word {
        ParsedLine::Empty | ParsedLine::Say(..) => return OrderOutcome::Said,
        ParsedLine::Order(command) => *command,
        ParsedLine::Help => return OrderOutcome::Told(orders::help(screen, recipes)),
        ParsedLine::Tasks => return OrderOutcome::Told(tasks(screen, state)),
        ParsedLine::Turns => return OrderOutcome::Turns,
        ParsedLine::Rules => return OrderOutcome::Told(lists::rules(screen, state)),
        ParsedLine::Mind => return OrderOutcome::Told(lists::mind(screen, state)),
        ParsedLine::Why => return OrderOutcome::Told(lists::why(screen, state, None)),
        ParsedLine::Context => return OrderOutcome::Told(lists::context(screen, state)),
        ParsedLine::Cost => return OrderOutcome::Told(lists::cost(screen, state)),
        ParsedLine::Map => return OrderOutcome::Told(folder_preview::map(state.folder.as_ref(), &state.bounds())),
        ParsedLine::Settings => {
            return OrderOutcome::Told(sources::show(screen, &around.config, state.folder.as_ref(), &state.settings));
        }
        ParsedLine::Model(given) if given.is_empty() => return OrderOutcome::Told(words::model(lang, chosen, &[])),
        ParsedLine::Export(form) => return OrderOutcome::Export(form),
        ParsedLine::Fork(turn) => return OrderOutcome::Fork(turn),
        ParsedLine::ForkOf(..) => {
            return OrderOutcome::Misplaced(Misplaced::Instead("/fork", "enza companion --fork ID@TURN"));
        }
        ParsedLine::Rewind(Some(turn)) => return OrderOutcome::Rewind(turn),
        ParsedLine::Rewind(None) => return OrderOutcome::WaysBack,
        ParsedLine::Undo(turn) => match turn.or_else(|| lists::last_change(state)) {
            Some(turn) => Command::TakeBack { turn },
            None => return OrderOutcome::Told(words::nothing_to_undo(lang).to_owned()),
        },
        ParsedLine::Watch(_) => return OrderOutcome::Misplaced(Misplaced::AtKeyboard("/watch")),
        ParsedLine::Edit => return OrderOutcome::Misplaced(Misplaced::AtKeyboard("/edit")),
        ParsedLine::Quit => return OrderOutcome::Misplaced(Misplaced::AtKeyboard("/quit")),
        ParsedLine::Model(_) => return OrderOutcome::Misplaced(Misplaced::Instead("/model", "enza model use NAME")),
        ParsedLine::Servers => {
            return OrderOutcome::Misplaced(Misplaced::Instead("/servers", "enza companion servers"));
        }
        ParsedLine::Prompt => return OrderOutcome::Misplaced(Misplaced::Instead("/prompt", "enza prompt ID")),
        ParsedLine::Sessions(_) => {
            return OrderOutcome::Misplaced(Misplaced::Instead(
                "/sessions",
                "enza session list --application companion --search TEXT",
            ));
        }
        ParsedLine::Unfit(order) => return OrderOutcome::Misplaced(Misplaced::Unfit(order)),
        ParsedLine::Unknown(order) => return OrderOutcome::Misplaced(Misplaced::Unknown(order)),
    };
    OrderOutcome::Command(command)
}

/// What was done by a command of which nothing else tells, in a session that stood like this before; none where something
/// does.
pub fn done(lang: Lang, state: &State, command: &Command) -> Option<String> {
    let title = |desk: Option<&Task>| {
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
        Command::Front { task } => Some(words::brought_forward(lang, &title(state.task(*task)))),
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
    let said = MIND.iter().zip(items).filter_map(|(name, text)| Some(words::minded(lang, name, &text?)));
    said.collect::<Vec<_>>().join("\n")
}

/// Whether an order makes sense in a session that is only begun by it: what holds for the whole folder does.
pub fn may_begin(word: &ParsedLine) -> bool {
    match word {
        ParsedLine::Empty | ParsedLine::Say(..) | ParsedLine::Help | ParsedLine::Rules | ParsedLine::Settings => true,
        ParsedLine::Order(command) => {
            matches!(**command, Command::Remember { .. } | Command::Forbid { .. } | Command::Lift { .. })
        }
        _ => false,
    }
}

/// What is under way.
pub fn tasks(screen: &Screen, state: &State) -> String {
    let progress = |desk| TaskProgress { desk, tokens: None, latest: None, is_watched: false };
    lists::tasks(screen, state, &state.desks.iter().map(progress).collect::<Vec<_>>())
}
