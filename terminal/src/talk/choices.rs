//! What may be done on a floor, in one numbered list, and what a typed line means there.
//!
//! Where something can be said, a line is words: a number or a label picks only behind a slash, since `3` may be an answer.
//! Where nothing can be said, the number or the label alone will do. Whether a command is accepted is the application's to
//! decide.

use enza_kernel::floor::{Floor, Offer, Weight, put_words};
use enza_kernel::gate::{Verdict, typed_answer};
use enza_kernel::limits::Limit;
use serde_json::Value;

/// Something that can be picked.
#[derive(Debug, Clone, PartialEq)]
pub struct Choice {
    /// What it is about, where its label alone would not say.
    pub of: Option<String>,
    pub label: String,
    /// What it comes to, or why it is asked once more.
    pub about: Option<String>,
    pub asks_again: bool,
    pub command: Value,
}

/// What a line means.
#[derive(Debug, Clone, PartialEq)]
pub enum TypedLine {
    /// Send this.
    Send(Value),
    /// Ask once more, and then send it.
    AskAgain(Choice),
    /// An answer at the gate, and what was said about it.
    Answer(Verdict, Option<String>),
    /// Show everything there is.
    Show,
    Help,
    Leave,
    /// There is no such order or number.
    Unknown(String),
    /// Words where nothing can be said.
    NothingToSay,
    Empty,
}

/// Everything that can be picked: what is offered first, then what is known, switches, and things of lists.
pub fn choices(floor: &Floor) -> Vec<Choice> {
    let plain = |of: Option<String>, label: &str, about: Option<String>, command: &Value| Choice {
        of,
        label: label.to_owned(),
        asks_again: false,
        about,
        command: command.clone(),
    };
    let offered = floor.offers.iter().filter_map(|offer| match offer {
        Offer::Say { .. } => None,
        Offer::Press { label, command, weight } => {
            Some(Choice { asks_again: *weight == Weight::Grave, ..plain(None, label, None, command) })
        }
    });
    let known = floor.facts().filter_map(|one| Some(plain(None, &one.label, one.value.clone(), one.change.as_ref()?)));
    let switched = floor.switches.iter().flat_map(|switch| {
        let others = switch.ways.iter().filter(|way| !way.current);
        others.map(|way| plain(Some(switch.label.clone()), &way.label, Some(way.about.clone()), &way.command))
    });
    let listed = floor.lists().flat_map(|(_, things)| things).flat_map(|thing| {
        thing.deeds.iter().map(|deed| Choice {
            asks_again: deed.about.is_some(),
            ..plain(Some(thing.text.clone()), &deed.label, deed.about.clone(), &deed.command)
        })
    });
    offered.chain(known).chain(switched).chain(listed).collect()
}

/// The offer to say something, with the limit of what is said.
pub fn say(floor: &Floor) -> Option<(&str, &Limit, &Value, &str)> {
    floor.offers.iter().find_map(|offer| match offer {
        Offer::Say { label, limit, command, place } => Some((label.as_str(), limit, command, place.as_str())),
        Offer::Press { .. } => None,
    })
}

/// What a line means on this floor.
pub fn read(line: &str, floor: &Floor) -> TypedLine {
    let line = line.trim();
    if line.is_empty() {
        return TypedLine::Empty;
    }
    if let Some(order) = line.strip_prefix('/') {
        return match order.trim() {
            "help" | "?" => TypedLine::Help,
            "show" => TypedLine::Show,
            "leave" | "quit" | "exit" => TypedLine::Leave,
            order => pick(order, floor).unwrap_or_else(|| TypedLine::Unknown(line.to_owned())),
        };
    }
    if floor.gate.is_some()
        && let Some((verdict, note)) = typed_answer(line)
    {
        return TypedLine::Answer(verdict, note);
    }
    match say(floor) {
        Some((_, _, command, place)) => TypedLine::Send(put_words(command, place, line)),
        None => pick(line, floor).unwrap_or(TypedLine::NothingToSay),
    }
}

/// The choice of this number, or of this label; the beginning of one will do where it is the only such.
fn pick(word: &str, floor: &Floor) -> Option<TypedLine> {
    let all = choices(floor);
    let choice = match word.parse::<usize>() {
        Ok(number) => all.get(number.checked_sub(1)?)?.clone(),
        Err(_) => by_label(word, all)?,
    };
    Some(if choice.asks_again { TypedLine::AskAgain(choice) } else { TypedLine::Send(choice.command) })
}

fn by_label(word: &str, all: Vec<Choice>) -> Option<Choice> {
    let word = word.to_lowercase();
    if let Some(exact) = all.iter().find(|choice| choice.label.to_lowercase() == word) {
        return Some(exact.clone());
    }
    let mut like = all.into_iter().filter(|choice| choice.label.to_lowercase().starts_with(&word));
    like.next().filter(|_| like.next().is_none())
}

#[cfg(test)]
mod tests {
    use enza_kernel::gate::{Gate, Points, Risk};
    use serde_json::json;

    use super::*;

    fn press(label: &str, weight: Weight) -> Offer {
        Offer::Press { label: label.to_owned(), command: json!(label), weight }
    }

    fn speech() -> Offer {
        let limit = Limit { name: "answer", graphemes: 10, bytes: 40 };
        Offer::Say {
            label: "Answer".to_owned(),
            limit,
            command: json!({"say": {"text": ""}}),
            place: "/say/text".to_owned(),
        }
    }

    fn floor(offers: Vec<Offer>) -> Floor {
        Floor { offers, ..Floor::default() }
    }

    #[test]
    fn where_something_can_be_said_a_number_is_words_and_behind_a_slash_a_choice() {
        let floor = floor(vec![speech(), press("Skip", Weight::Plain)]);
        assert_eq!(read(" 1 ", &floor), TypedLine::Send(json!({"say": {"text": "1"}})));
        assert_eq!(read("/1", &floor), TypedLine::Send(json!("Skip")));
        assert_eq!(read("/sk", &floor), TypedLine::Send(json!("Skip")));
        assert_eq!(read("/2", &floor), TypedLine::Unknown("/2".to_owned()));
    }

    #[test]
    fn where_nothing_can_be_said_a_number_or_a_label_will_do() {
        let floor = floor(vec![press("Publish", Weight::Main), press("Close", Weight::Grave)]);
        assert_eq!(read("1", &floor), TypedLine::Send(json!("Publish")));
        assert!(matches!(read("close", &floor), TypedLine::AskAgain(choice) if choice.label == "Close"));
        assert_eq!(read("hello", &floor), TypedLine::NothingToSay);
    }

    #[test]
    fn at_a_gate_yes_and_no_answer_it_where_they_are_the_whole_line() {
        let gate =
            Gate { id: "g".to_owned(), ask: Points::default(), risk: Risk::Low, expires: None, may_answer: Vec::new() };
        let floor = Floor { gate: Some(gate), ..floor(vec![speech()]) };
        assert_eq!(read("yes", &floor), TypedLine::Answer(Verdict::Yes, None));
        assert_eq!(read("承認。", &floor), TypedLine::Answer(Verdict::Yes, None));
        assert_eq!(read("n not today", &floor), TypedLine::Answer(Verdict::No, Some("not today".to_owned())));
        for talk in ["yes but first show me the diff", "はい、でも待って", "no, not today", "y not today", "nobody"]
        {
            assert_eq!(read(talk, &floor), TypedLine::Send(json!({"say": {"text": talk}})), "{talk}");
        }
    }
}
