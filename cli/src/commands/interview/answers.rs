//! Who answers: a person at the terminal, prepared answers, or nobody.
//!
//! Standard input is read only where a person sits at it, or where `--answers -` asks for it. So a run without anyone
//! can never hang on a question.

use std::collections::{BTreeMap, VecDeque};
use std::io::{BufRead as _, Read as _};
use std::path::Path;
use std::time::Duration;

use enza_applications::interview::USUAL_FOLLOW_UPS;
use serde::Deserialize;
use tokio::sync::mpsc;

use crate::trouble::Trouble;

/// Whoever answers.
pub struct Respondent {
    prepared: Prepared,
    keyboard: Option<mpsc::UnboundedReceiver<String>>,
    breath: Duration,
    /// Whether gates are answered with yes.
    pub says_yes: bool,
}

enum Prepared {
    Lines(VecDeque<String>),
    ByField(BTreeMap<String, Vec<Option<String>>>, BTreeMap<String, usize>),
}

/// What stands in an answers file for a field.
#[derive(Deserialize)]
#[serde(untagged)]
enum Given {
    One(Option<String>),
    Several(Vec<Option<String>>),
}

/// An answer to a question.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Line {
    /// A prepared one.
    Prepared(String),
    /// One that was just typed.
    Typed(String),
    /// The keyboard is gone: the person left.
    Gone,
    /// There is nobody to answer.
    Nobody,
}

impl Respondent {
    /// With the answers of a file, and a person behind them if one is there.
    pub fn new(answers: Option<&Path>, attended: bool, says_yes: bool) -> Result<Self, Trouble> {
        let from_stdin = answers == Some(Path::new("-"));
        Ok(Self {
            prepared: answers.map_or(Ok(Prepared::Lines(VecDeque::new())), read)?,
            keyboard: (attended && !from_stdin).then(listen),
            breath: Duration::ZERO,
            says_yes,
        })
    }

    /// With prepared lines alone, and a breath before each.
    pub fn scripted(lines: impl IntoIterator<Item = &'static str>, breath: Duration) -> Self {
        let lines = lines.into_iter().map(str::to_owned).collect();
        Self { prepared: Prepared::Lines(lines), keyboard: None, breath, says_yes: true }
    }

    /// Takes a breath, so that whoever watches can read.
    pub async fn breathe(&self) {
        tokio::time::sleep(self.breath).await;
    }

    /// Whether someone sits at the keyboard.
    pub fn is_attended(&self) -> bool {
        self.keyboard.is_some()
    }

    /// The prepared answer to a field, if there is one left.
    pub fn prepared(&mut self, field_id: &str) -> Option<Line> {
        self.prepared.next(field_id).map(Line::Prepared)
    }

    /// The next line that is typed.
    pub async fn typed(&mut self) -> Line {
        match &mut self.keyboard {
            None => Line::Nobody,
            Some(keyboard) => keyboard.recv().await.map_or(Line::Gone, Line::Typed),
        }
    }
}

impl Prepared {
    fn next(&mut self, field_id: &str) -> Option<String> {
        match self {
            Self::Lines(lines) => lines.pop_front(),
            Self::ByField(answers, used) => {
                let answers = answers.get(field_id)?;
                let place = used.entry(field_id.to_owned()).or_default();
                *place += 1;
                // A field that is asked again gets its next answer, or the last one again, but not for ever.
                let again = *place > answers.len() + USUAL_FOLLOW_UPS as usize + 1;
                let answer = answers.get(*place - 1).or(answers.last()).filter(|_| !again)?;
                Some(answer.clone().unwrap_or_else(|| "/skip".to_owned()))
            }
        }
    }
}

fn read(path: &Path) -> Result<Prepared, Trouble> {
    let unreadable = |why: String| Trouble::File { path: path.to_owned(), why };
    let mut text = String::new();
    let outcome = if path == Path::new("-") {
        std::io::stdin().lock().read_to_string(&mut text).map(drop)
    } else {
        std::fs::read_to_string(path).map(|read| text = read)
    };
    outcome.map_err(|why| unreadable(why.to_string()))?;
    if !text.trim_start().starts_with('{') {
        return Ok(Prepared::Lines(text.lines().map(str::to_owned).collect()));
    }
    let given: BTreeMap<String, Given> = serde_json::from_str(&text).map_err(|why| unreadable(why.to_string()))?;
    let answers = given.into_iter().map(|(field, given)| match given {
        Given::One(answer) => (field, vec![answer]),
        Given::Several(answers) => (field, answers),
    });
    Ok(Prepared::ByField(answers.collect(), BTreeMap::new()))
}

/// Reads the keyboard on a thread of its own, since that cannot be interrupted.
fn listen() -> mpsc::UnboundedReceiver<String> {
    let (send, receive) = mpsc::unbounded_channel();
    std::thread::spawn(move || {
        for line in std::io::stdin().lock().lines() {
            let Ok(line) = line else { return };
            if send.send(line).is_err() {
                return;
            }
        }
    });
    receive
}

#[cfg(test)]
mod tests {
    use super::*;

    fn respondent(text: &str) -> Respondent {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        Respondent::new(Some(file.path()), false, false).unwrap()
    }

    #[test]
    fn lines_are_taken_in_order_and_then_there_is_nobody() {
        let mut lines = respondent("one\ntwo\n");
        assert_eq!(lines.prepared("a"), Some(Line::Prepared("one".to_owned())));
        assert_eq!(lines.prepared("a"), Some(Line::Prepared("two".to_owned())));
        assert_eq!(lines.prepared("a"), None);
    }

    #[test]
    fn answers_by_field_are_repeated_but_not_for_ever_and_null_skips() {
        let mut by_field = respondent(r#"{"a": ["first", "then"], "b": null}"#);
        let mut all = Vec::new();
        while let Some(Line::Prepared(answer)) = by_field.prepared("a") {
            all.push(answer);
        }
        assert_eq!(all, ["first", "then", "then", "then", "then", "then"]);
        assert_eq!(by_field.prepared("b"), Some(Line::Prepared("/skip".to_owned())));
        assert_eq!(by_field.prepared("c"), None);
    }
}
