//! What a typed line means: something said, or an order to the terminal.
//!
//! What begins with a slash and a word is an order, and one that nobody knows is not taken for something said. A path is
//! something said. `!` interrupts the work under way, `?` asks beside it.

use enza_applications::companion::{Command, Delta, Mode, Ruling, Scope, When};

use super::settings;

/// The orders, for help and completion.
pub const ORDERS: [&str; 41] = [
    "/help",
    "/plan",
    "/ask",
    "/edits",
    "/tasks",
    "/watch",
    "/stop",
    "/back",
    "/front",
    "/turns",
    "/undo",
    "/fork",
    "/rewind",
    "/accept",
    "/commit",
    "/reset",
    "/retry",
    "/rules",
    "/allow",
    "/deny",
    "/forget",
    "/forbid",
    "/lift",
    "/settings",
    "/mind",
    "/why",
    "/prompt",
    "/context",
    "/cost",
    "/budget",
    "/compact",
    "/model",
    "/servers",
    "/edit",
    "/export",
    "/rename",
    "/sessions",
    "/map",
    "/quit",
    "/exit",
    "/?",
];

/// Before a rule that holds in every session of the folder.
const PROJECT: &str = "--project ";

/// What a line means.
#[derive(Debug, Clone, PartialEq)]
pub enum Word {
    /// Nothing.
    Empty,
    /// Something said.
    Say(String, When),
    /// A command to the session.
    Order(Box<Command>),
    /// What can be typed.
    Help,
    /// What is under way.
    Tasks,
    /// Take changes back from this turn on, or those of the last turn that made any.
    Undo(Option<u32>),
    /// What can be taken back.
    Turns,
    /// Another session from before this turn; files stay.
    Fork(u32),
    /// The same in another session, by a part of its name.
    ForkOf(String, u32),
    /// Files and conversation together from before this turn, or what there is to go back to.
    Rewind(Option<u32>),
    /// Show the words of a task as they come, or those in front again.
    Watch(Option<u32>),
    /// The rules and what is forbidden.
    Rules,
    /// What is held in mind.
    Mind,
    /// The latest moves, and what brought them about.
    Why,
    /// The prompt of the last call.
    Prompt,
    /// What fills the window.
    Context,
    /// What is set, and where.
    Settings,
    /// What was used.
    Cost,
    /// Which model answers, or who is to from now on: words behind the order.
    Model(Vec<String>),
    /// Servers and their tools.
    Servers,
    /// Write something long in an editor.
    Edit,
    /// Write the conversation to a file, or the log.
    Export(Form),
    /// The sessions of this folder, or those whose names have this in them.
    Sessions(Option<String>),
    /// What is in the folder.
    Map,
    /// Leave.
    Quit,
    /// An order with something wrong behind it.
    Unfit(String),
    /// An order that there is not.
    Unknown(String),
}

/// In which form a session is written to a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Form {
    /// The conversation, for people.
    Markdown,
    /// The log, a line each.
    Log,
}

impl Word {
    fn order(command: Command) -> Self {
        Self::Order(Box::new(command))
    }
}

/// Reads a line.
pub fn word(line: &str) -> Word {
    let line = line.trim();
    match line.chars().next() {
        None => Word::Empty,
        Some('!') if line.len() > 1 => Word::Say(line[1..].trim().to_owned(), When::Now),
        Some('?' | '？') if line.chars().count() > 1 => {
            Word::Say(line.chars().skip(1).collect::<String>().trim().to_owned(), When::Aside)
        }
        Some('/') => order(line),
        Some(_) => Word::Say(line.to_owned(), When::Turn),
    }
}

fn order(line: &str) -> Word {
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let unfit = || Word::Unfit(first.to_owned());
    let number = |make: fn(u32) -> Word| rest.parse().map_or_else(|_| unfit(), make);
    let perhaps = |make: fn(Option<u32>) -> Word| match rest {
        "" => make(None),
        number => number.parse().map_or_else(|_| unfit(), |number| make(Some(number))),
    };
    let rule = |verdict| {
        let (scope, rest) = match rest.strip_prefix(PROJECT) {
            Some(rest) => (Scope::Project, rest),
            None => (Scope::Session, rest),
        };
        settings::rule(verdict, rest).map_or_else(unfit, |rule| Word::order(Command::Remember { rule, scope }))
    };
    let mode = |mode| Word::order(Command::SetMode { mode });
    let text = || Some(rest.to_owned()).filter(|rest| !rest.is_empty());
    match first {
        "/help" | "/?" => Word::Help,
        "/plan" => mode(Mode::Plan),
        "/ask" => mode(Mode::Ask),
        "/edits" => mode(Mode::AcceptEdits),
        "/tasks" => Word::Tasks,
        "/stop" => perhaps(|task| Word::order(Command::Stop { task })),
        "/back" => Word::order(Command::Background),
        "/front" => number(|task| Word::order(Command::Front { task })),
        "/undo" => perhaps(Word::Undo),
        "/turns" => Word::Turns,
        "/fork" => match rest.rsplit_once('@') {
            Some((session, turn)) => {
                turn.parse().map_or_else(|_| unfit(), |turn| Word::ForkOf(session.to_owned(), turn))
            }
            None => number(Word::Fork),
        },
        "/rewind" => perhaps(Word::Rewind),
        "/watch" => perhaps(Word::Watch),
        "/accept" => Word::order(Command::Accept),
        "/commit" => Word::order(Command::Commit { message: text() }),
        "/reset" => Word::order(Command::Reset),
        "/retry" => Word::order(Command::Retry),
        "/rules" => Word::Rules,
        "/allow" => rule(Ruling::Allow),
        "/deny" => rule(Ruling::Deny),
        // Lists are numbered from 1 for people; a 0 names nothing.
        "/forget" => number(|number| Word::order(Command::ForgetRule { place: number.wrapping_sub(1) })),
        "/forbid" => text().map_or_else(unfit, |text| Word::order(Command::Forbid { text })),
        "/lift" => number(|number| Word::order(Command::Lift { place: number.wrapping_sub(1) })),
        "/mind" if rest.is_empty() => Word::Mind,
        "/mind" => minded(rest).map_or_else(unfit, |delta| Word::order(Command::Mind(delta))),
        "/why" => Word::Why,
        "/prompt" => Word::Prompt,
        "/context" => Word::Context,
        "/settings" => Word::Settings,
        "/cost" => Word::Cost,
        "/budget" => match rest.replace(['_', ','], "").parse() {
            Ok(tokens) => Word::order(Command::RaiseBudget { tokens }),
            Err(_) => unfit(),
        },
        "/compact" => Word::order(Command::Compact),
        "/model" if rest.split_whitespace().count() <= 2 => {
            Word::Model(rest.split_whitespace().map(str::to_owned).collect())
        }
        "/model" => unfit(),
        "/servers" => Word::Servers,
        "/edit" => Word::Edit,
        "/export" => match rest {
            "" | "md" => Word::Export(Form::Markdown),
            "log" => Word::Export(Form::Log),
            _ => unfit(),
        },
        "/rename" => text().map_or_else(unfit, |title| Word::order(Command::Rename { title })),
        "/sessions" => Word::Sessions(text()),
        "/map" => Word::Map,
        "/quit" | "/exit" => Word::Quit,
        _ if is_order(first) => Word::Unknown(first.to_owned()),
        _ => Word::Say(line.to_owned(), When::Turn),
    }
}

/// One of the five items and what it is to be: `goal ship it`, `moves read; write`; a dash clears it.
fn minded(rest: &str) -> Option<Delta> {
    let (item, text) = rest.split_once(char::is_whitespace)?;
    let text = if text.trim() == "-" { "" } else { text.trim() };
    let line = Some(text.to_owned());
    let parts = text.split([';', '；']).map(str::trim).filter(|part| !part.is_empty());
    let list = Some(parts.map(str::to_owned).collect());
    match item {
        "goal" => Some(Delta { goal: line, ..Delta::default() }),
        "why" => Some(Delta { why_now: line, ..Delta::default() }),
        "constraints" => Some(Delta { constraints: list, ..Delta::default() }),
        "moves" => Some(Delta { plan_brief: list, ..Delta::default() }),
        "questions" => Some(Delta { open_questions: list, ..Delta::default() }),
        _ => None,
    }
}

/// A slash and a name alone; `/etc/hosts` is a path.
fn is_order(first: &str) -> bool {
    let letters = |letter: char| letter.is_ascii_lowercase() || letter.is_ascii_digit() || letter == '-';
    first.len() > 1 && first[1..].chars().all(letters)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_told_from_what_is_said() {
        let say = |text: &str, when| Word::Say(text.to_owned(), when);
        let cases = [
            ("  ", Word::Empty),
            ("fix it", say("fix it", When::Turn)),
            ("!stop that", say("stop that", When::Now)),
            ("？なぜ", say("なぜ", When::Aside)),
            ("/etc/hosts is wrong", say("/etc/hosts is wrong", When::Turn)),
            ("/undo", Word::Undo(None)),
            ("/undo 3", Word::Undo(Some(3))),
            ("/undo it", Word::Unfit("/undo".to_owned())),
            ("/front", Word::Unfit("/front".to_owned())),
            ("/budget 20,000", Word::order(Command::RaiseBudget { tokens: 20_000 })),
            ("/forbid src/auth", Word::order(Command::Forbid { text: "src/auth".to_owned() })),
            ("/lift 1", Word::order(Command::Lift { place: 0 })),
            ("/rename", Word::Unfit("/rename".to_owned())),
            ("/allow nonsense", Word::Unfit("/allow".to_owned())),
            ("/allow --project", Word::Unfit("/allow".to_owned())),
            ("/nonsense", Word::Unknown("/nonsense".to_owned())),
            ("/rewind 2", Word::Rewind(Some(2))),
            ("/fork 2", Word::Fork(2)),
            ("/fork 3f2a@2", Word::ForkOf("3f2a".to_owned(), 2)),
            ("/fork 3f2a@", Word::Unfit("/fork".to_owned())),
            ("/model planner stage/a", Word::Model(vec!["planner".to_owned(), "stage/a".to_owned()])),
            ("/export log", Word::Export(Form::Log)),
            ("/sessions", Word::Sessions(None)),
            ("/sessions the moon", Word::Sessions(Some("the moon".to_owned()))),
            ("/export pdf", Word::Unfit("/export".to_owned())),
        ];
        for (line, expected) in cases {
            assert_eq!(word(line), expected, "{line}");
        }
    }

    // DUCK-88: a rule that is typed may hold for the project, as one that is given at a gate.
    #[test]
    fn a_rule_is_for_the_session_unless_it_is_for_the_project() {
        let rule = settings::rule(Ruling::Deny, "run git push *").unwrap();
        let kept = |scope| Word::order(Command::Remember { rule: rule.clone(), scope });
        assert_eq!(word("/deny run git push *"), kept(Scope::Session));
        assert_eq!(word("/deny --project  run git push *"), kept(Scope::Project));
    }

    // DUCK-60 and section 4, 13: the five items can be changed by the person.
    #[test]
    fn the_five_items_are_set_by_name_and_cleared_by_a_dash() {
        let set = |delta| Word::order(Command::Mind(delta));
        let list = |items: &[&str]| Some(items.iter().map(|item| (*item).to_owned()).collect());
        assert_eq!(word("/mind goal ship it"), set(Delta { goal: Some("ship it".to_owned()), ..Delta::default() }));
        let moves = Delta { plan_brief: list(&["読む", "書く"]), ..Delta::default() };
        assert_eq!(word("/mind moves 読む；書く"), set(moves));
        assert_eq!(word("/mind questions -"), set(Delta { open_questions: list(&[]), ..Delta::default() }));
        assert_eq!(word("/mind nonsense x"), Word::Unfit("/mind".to_owned()));
        assert_eq!(word("/mind"), Word::Mind);
    }

    #[test]
    fn every_order_is_known() {
        let unknown: Vec<&str> =
            ORDERS.into_iter().filter(|order| matches!(word(order), Word::Unknown(_) | Word::Say(..))).collect();
        assert_eq!(unknown, Vec::<&str>::new());
    }
}
