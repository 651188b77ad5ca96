//! What a typed line means: something said, or an order to the terminal.
//!
//! What begins with a slash and a word is an order, and one that nobody knows is not taken for something said. A path is
//! something said. `!` interrupts the work under way, `?` asks beside it.

use enza_companion::{Command, Delta, Mode, Ruling, Scope, When};

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
pub enum ParsedLine {
    /// Nothing.
    Empty,
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
    Export(TranscriptFormat),
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
pub enum TranscriptFormat {
    /// The conversation, for people.
    Markdown,
    /// The log, a line each.
    Log,
}

impl ParsedLine {
    fn order(command: Command) -> Self {
        Self::Order(Box::new(command))
    }
}

/// Reads a line.
pub fn parse_line(line: &str) -> ParsedLine {
    let line = line.trim();
    match line.chars().next() {
        None => ParsedLine::Empty,
        Some('!') if line.len() > 1 => ParsedLine::Say(line[1..].trim().to_owned(), When::Now),
        Some('?' | '？') if line.chars().count() > 1 => {
            ParsedLine::Say(line.chars().skip(1).collect::<String>().trim().to_owned(), When::Aside)
        }
        Some('/') => order(line),
        Some(_) => ParsedLine::Say(line.to_owned(), When::Turn),
    }
}

fn order(line: &str) -> ParsedLine {
    let (first, rest) = line.split_once(char::is_whitespace).unwrap_or((line, ""));
    let rest = rest.trim();
    let unfit = || ParsedLine::Unfit(first.to_owned());
    let number = |make: fn(u32) -> ParsedLine| rest.parse().map_or_else(|_| unfit(), make);
    let perhaps = |make: fn(Option<u32>) -> ParsedLine| match rest {
        "" => make(None),
        number => number.parse().map_or_else(|_| unfit(), |number| make(Some(number))),
    };
    let rule = |verdict| {
        let (scope, rest) = match rest.strip_prefix(PROJECT) {
            Some(rest) => (Scope::Project, rest),
            None => (Scope::Session, rest),
        };
        settings::rule(verdict, rest).map_or_else(unfit, |rule| ParsedLine::order(Command::Remember { rule, scope }))
    };
    let mode = |mode| ParsedLine::order(Command::SetMode { mode });
    let text = || Some(rest.to_owned()).filter(|rest| !rest.is_empty());
    match first {
        "/help" | "/?" => ParsedLine::Help,
        "/plan" => mode(Mode::Plan),
        "/ask" => mode(Mode::Ask),
        "/edits" => mode(Mode::AcceptEdits),
        "/tasks" => ParsedLine::Tasks,
        "/stop" => perhaps(|task| ParsedLine::order(Command::Stop { task })),
        "/back" => ParsedLine::order(Command::Background),
        "/front" => number(|task| ParsedLine::order(Command::Front { task })),
        "/undo" => perhaps(ParsedLine::Undo),
        "/turns" => ParsedLine::Turns,
        "/fork" => match rest.rsplit_once('@') {
            Some((session, turn)) => {
                turn.parse().map_or_else(|_| unfit(), |turn| ParsedLine::ForkOf(session.to_owned(), turn))
            }
            None => number(ParsedLine::Fork),
        },
        "/rewind" => perhaps(ParsedLine::Rewind),
        "/watch" => perhaps(ParsedLine::Watch),
        "/accept" => ParsedLine::order(Command::Accept),
        "/commit" => ParsedLine::order(Command::Commit { message: text() }),
        "/reset" => ParsedLine::order(Command::Reset),
        "/retry" => ParsedLine::order(Command::Retry),
        "/rules" => ParsedLine::Rules,
        "/allow" => rule(Ruling::Allow),
        "/deny" => rule(Ruling::Deny),
        // Lists are numbered from 1 for people; a 0 names nothing.
        "/forget" => number(|number| ParsedLine::order(Command::ForgetRule { place: number.wrapping_sub(1) })),
        "/forbid" => text().map_or_else(unfit, |text| ParsedLine::order(Command::Forbid { text })),
        "/lift" => number(|number| ParsedLine::order(Command::Lift { place: number.wrapping_sub(1) })),
        "/mind" if rest.is_empty() => ParsedLine::Mind,
        "/mind" => minded(rest).map_or_else(unfit, |delta| ParsedLine::order(Command::Mind(delta))),
        "/why" => ParsedLine::Why,
        "/prompt" => ParsedLine::Prompt,
        "/context" => ParsedLine::Context,
        "/settings" => ParsedLine::Settings,
        "/cost" => ParsedLine::Cost,
        "/budget" => match rest.replace(['_', ','], "").parse() {
            Ok(tokens) => ParsedLine::order(Command::RaiseBudget { tokens }),
            Err(_) => unfit(),
        },
        "/compact" => ParsedLine::order(Command::Compact),
        "/model" if rest.split_whitespace().count() <= 2 => {
            ParsedLine::Model(rest.split_whitespace().map(str::to_owned).collect())
        }
        "/model" => unfit(),
        "/servers" => ParsedLine::Servers,
        "/edit" => ParsedLine::Edit,
        "/export" => match rest {
            "" | "md" => ParsedLine::Export(TranscriptFormat::Markdown),
            "log" => ParsedLine::Export(TranscriptFormat::Log),
            _ => unfit(),
        },
        "/rename" => text().map_or_else(unfit, |title| ParsedLine::order(Command::Rename { title })),
        "/sessions" => ParsedLine::Sessions(text()),
        "/map" => ParsedLine::Map,
        "/quit" | "/exit" => ParsedLine::Quit,
        _ if is_order(first) => ParsedLine::Unknown(first.to_owned()),
        _ => ParsedLine::Say(line.to_owned(), When::Turn),
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
        let say = |text: &str, when| ParsedLine::Say(text.to_owned(), when);
        let cases = [
            ("  ", ParsedLine::Empty),
            ("fix it", say("fix it", When::Turn)),
            ("!stop that", say("stop that", When::Now)),
            ("？なぜ", say("なぜ", When::Aside)),
            ("/etc/hosts is wrong", say("/etc/hosts is wrong", When::Turn)),
            ("/undo", ParsedLine::Undo(None)),
            ("/undo 3", ParsedLine::Undo(Some(3))),
            ("/undo it", ParsedLine::Unfit("/undo".to_owned())),
            ("/front", ParsedLine::Unfit("/front".to_owned())),
            ("/budget 20,000", ParsedLine::order(Command::RaiseBudget { tokens: 20_000 })),
            ("/forbid src/auth", ParsedLine::order(Command::Forbid { text: "src/auth".to_owned() })),
            ("/lift 1", ParsedLine::order(Command::Lift { place: 0 })),
            ("/rename", ParsedLine::Unfit("/rename".to_owned())),
            ("/allow nonsense", ParsedLine::Unfit("/allow".to_owned())),
            ("/allow --project", ParsedLine::Unfit("/allow".to_owned())),
            ("/nonsense", ParsedLine::Unknown("/nonsense".to_owned())),
            ("/rewind 2", ParsedLine::Rewind(Some(2))),
            ("/fork 2", ParsedLine::Fork(2)),
            ("/fork 3f2a@2", ParsedLine::ForkOf("3f2a".to_owned(), 2)),
            ("/fork 3f2a@", ParsedLine::Unfit("/fork".to_owned())),
            ("/model planner stage/a", ParsedLine::Model(vec!["planner".to_owned(), "stage/a".to_owned()])),
            ("/export log", ParsedLine::Export(TranscriptFormat::Log)),
            ("/sessions", ParsedLine::Sessions(None)),
            ("/sessions the moon", ParsedLine::Sessions(Some("the moon".to_owned()))),
            ("/export pdf", ParsedLine::Unfit("/export".to_owned())),
        ];
        for (line, expected) in cases {
            assert_eq!(parse_line(line), expected, "{line}");
        }
    }

    // DUCK-88: a rule that is typed may hold for the project, as one that is given at a gate.
    #[test]
    fn a_rule_is_for_the_session_unless_it_is_for_the_project() {
        let rule = settings::rule(Ruling::Deny, "run git push *").unwrap();
        let kept = |scope| ParsedLine::order(Command::Remember { rule: rule.clone(), scope });
        assert_eq!(parse_line("/deny run git push *"), kept(Scope::Session));
        assert_eq!(parse_line("/deny --project  run git push *"), kept(Scope::Project));
    }

    // DUCK-60 and section 4, 13: the five items can be changed by the person.
    #[test]
    fn the_five_items_are_set_by_name_and_cleared_by_a_dash() {
        let set = |delta| ParsedLine::order(Command::Mind(delta));
        let list = |items: &[&str]| Some(items.iter().map(|item| (*item).to_owned()).collect());
        assert_eq!(
            parse_line("/mind goal ship it"),
            set(Delta { goal: Some("ship it".to_owned()), ..Delta::default() })
        );
        let moves = Delta { plan_brief: list(&["読む", "書く"]), ..Delta::default() };
        assert_eq!(parse_line("/mind moves 読む；書く"), set(moves));
        assert_eq!(parse_line("/mind questions -"), set(Delta { open_questions: list(&[]), ..Delta::default() }));
        assert_eq!(parse_line("/mind nonsense x"), ParsedLine::Unfit("/mind".to_owned()));
        assert_eq!(parse_line("/mind"), ParsedLine::Mind);
    }

    #[test]
    fn every_order_is_known() {
        let unknown: Vec<&str> = ORDERS
            .into_iter()
            .filter(|order| matches!(parse_line(order), ParsedLine::Unknown(_) | ParsedLine::Say(..)))
            .collect();
        assert_eq!(unknown, Vec::<&str>::new());
    }
}
