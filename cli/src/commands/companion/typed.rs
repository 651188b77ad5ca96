//! What a typed line means: something said, or an order to the terminal.
//!
//! What begins with a slash and a word is an order, and one that nobody knows is not taken for something said. A path is
//! something said. `!` interrupts the work under way, `?` asks beside it.

use enza_applications::companion::{Mode, Rule, Ruling, When};

use super::settings;

/// The orders, for help and completion.
pub const ORDERS: [&str; 29] = [
    "/help", "/plan", "/ask", "/edits", "/tasks", "/stop", "/back", "/front", "/undo", "/turns", "/fork", "/accept",
    "/reset", "/retry", "/rules", "/allow", "/deny", "/forget", "/forbid", "/lift", "/mind", "/why", "/context",
    "/cost", "/budget", "/compact", "/model", "/export", "/quit",
];

/// What a line means.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Word {
    /// Nothing.
    Empty,
    /// Something said.
    Say(String, When),
    /// What can be typed.
    Help,
    /// How changes are treated from now on.
    Mode(Mode),
    /// What is under way.
    Tasks,
    /// Stop a task, or what is in front.
    Stop(Option<u32>),
    /// Let what is in front go on behind.
    Back,
    /// Bring a task to the front.
    Front(u32),
    /// Take changes back from this turn on, or those of the last turn that made any.
    Undo(Option<u32>),
    /// What can be taken back.
    Turns,
    /// Another session from before this turn.
    Fork(u32),
    /// Accept the result.
    Accept,
    /// Begin anew.
    Reset,
    /// Try again.
    Retry,
    /// The rules and what is forbidden.
    Rules,
    /// Keep a rule.
    Keep(Rule),
    /// Forget a rule of this session, from 1.
    Forget(u32),
    /// Forbid something.
    Forbid(String),
    /// Lift what was forbidden, from 1.
    Lift(u32),
    /// What is held in mind.
    Mind,
    /// The latest moves, and what brought them about.
    Why,
    /// What a prompt is made of.
    Context,
    /// What was used.
    Cost,
    /// Allow more tokens.
    Budget(u64),
    /// Shorten the conversation.
    Compact,
    /// Which model answers.
    Model,
    /// Write the log to a file.
    Export,
    /// Leave.
    Quit,
    /// An order with something wrong behind it.
    Unfit(String),
    /// An order that there is not.
    Unknown(String),
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
    let rule = |verdict| settings::rule(verdict, rest).map_or_else(unfit, Word::Keep);
    match first {
        "/help" | "/?" => Word::Help,
        "/plan" => Word::Mode(Mode::Plan),
        "/ask" => Word::Mode(Mode::Ask),
        "/edits" => Word::Mode(Mode::AcceptEdits),
        "/tasks" => Word::Tasks,
        "/stop" => perhaps(Word::Stop),
        "/back" => Word::Back,
        "/front" => number(Word::Front),
        "/undo" => perhaps(Word::Undo),
        "/turns" => Word::Turns,
        "/fork" => number(Word::Fork),
        "/accept" => Word::Accept,
        "/reset" => Word::Reset,
        "/retry" => Word::Retry,
        "/rules" => Word::Rules,
        "/allow" => rule(Ruling::Allow),
        "/deny" => rule(Ruling::Deny),
        "/forget" => number(Word::Forget),
        "/forbid" if !rest.is_empty() => Word::Forbid(rest.to_owned()),
        "/forbid" => unfit(),
        "/lift" => number(Word::Lift),
        "/mind" => Word::Mind,
        "/why" => Word::Why,
        "/context" => Word::Context,
        "/cost" => Word::Cost,
        "/budget" => rest.replace(['_', ','], "").parse().map_or_else(|_| unfit(), Word::Budget),
        "/compact" => Word::Compact,
        "/model" => Word::Model,
        "/export" => Word::Export,
        "/quit" | "/exit" => Word::Quit,
        _ if is_order(first) => Word::Unknown(first.to_owned()),
        _ => Word::Say(line.to_owned(), When::Turn),
    }
}

/// A slash and letters alone; `/etc/hosts` is a path.
fn is_order(first: &str) -> bool {
    first.len() > 1 && first[1..].chars().all(|letter| letter.is_ascii_lowercase())
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
            ("/budget 20,000", Word::Budget(20_000)),
            ("/forbid src/auth", Word::Forbid("src/auth".to_owned())),
            ("/allow nonsense", Word::Unfit("/allow".to_owned())),
            ("/nonsense", Word::Unknown("/nonsense".to_owned())),
        ];
        for (line, expected) in cases {
            assert_eq!(word(line), expected, "{line}");
        }
    }

    #[test]
    fn every_order_is_known() {
        let unknown: Vec<&str> =
            ORDERS.into_iter().filter(|order| matches!(word(order), Word::Unknown(_) | Word::Say(..))).collect();
        assert_eq!(unknown, Vec::<&str>::new());
    }
}
