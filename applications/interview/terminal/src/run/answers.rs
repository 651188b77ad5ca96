//! Who answers: a person at the terminal, prepared answers, or nobody.
//!
//! Standard input is read only where a person sits at it, or where `--answers -` asks for it. So a run without anyone
//! can never hang on a question. What is typed comes by the keyboard.

use std::collections::{BTreeMap, VecDeque};
use std::path::Path;
use std::time::Duration;

use enza_interview::USUAL_FOLLOW_UPS;
use enza_terminal::files;
use enza_terminal::trouble::Trouble;
use serde::Deserialize;

/// Whoever answers.
pub struct Respondent {
    prepared: PreparedAnswers,
    /// Whether a person sits at the keyboard, behind what is prepared.
    pub is_attended: bool,
    breath: Duration,
    /// Whether gates are answered with yes.
    pub says_yes: bool,
}

enum PreparedAnswers {
    Lines(VecDeque<String>),
    ByField(BTreeMap<String, Vec<Option<String>>>, BTreeMap<String, usize>),
}

/// What stands in an answers file for a field.
#[derive(Deserialize)]
#[serde(untagged)]
enum AnswerEntry {
    One(Option<Scalar>),
    Several(Vec<Option<Scalar>>),
}

/// An answer, which people write without quotes where it is a number or a yes.
#[derive(Deserialize)]
#[serde(untagged)]
enum Scalar {
    Text(String),
    Number(serde_json::Number),
    YesNo(bool),
}

impl From<Scalar> for String {
    fn from(scalar: Scalar) -> Self {
        match scalar {
            Scalar::Text(text) => text,
            Scalar::Number(number) => number.to_string(),
            Scalar::YesNo(true) => "yes".to_owned(),
            Scalar::YesNo(false) => "no".to_owned(),
        }
    }
}

impl Respondent {
    /// With the answers of a file, and a person behind them if one is there.
    pub fn new(answers: Option<&Path>, attended: bool, says_yes: bool) -> Result<Self, Trouble> {
        let from_stdin = answers.is_some_and(files::is_standard_input);
        Ok(Self {
            prepared: answers.map_or(Ok(PreparedAnswers::Lines(VecDeque::new())), read)?,
            is_attended: attended && !from_stdin,
            breath: Duration::ZERO,
            says_yes,
        })
    }

    /// With prepared lines alone, and a breath before each.
    pub fn scripted(lines: impl IntoIterator<Item = &'static str>, breath: Duration) -> Self {
        let lines = lines.into_iter().map(str::to_owned).collect();
        Self { prepared: PreparedAnswers::Lines(lines), is_attended: false, breath, says_yes: true }
    }

    /// Takes a breath, so that whoever watches can read.
    pub async fn breathe(&self) {
        tokio::time::sleep(self.breath).await;
    }

    /// The prepared answer to a field, if there is one left.
    pub fn prepared(&mut self, field_id: &str) -> Option<String> {
        self.prepared.next(field_id)
    }

    /// What the file says beside its answers: `language` and `country`, which the greeter would ask for.
    pub fn beforehand(&self, key: &str) -> Option<&str> {
        match &self.prepared {
            PreparedAnswers::Lines(_) => None,
            PreparedAnswers::ByField(answers, _) => answers.get(key)?.first()?.as_deref(),
        }
    }

    /// Whether the greeter has someone to ask: not where a file answers.
    pub fn can_be_greeted(&self) -> bool {
        let has_file = match &self.prepared {
            PreparedAnswers::Lines(lines) => !lines.is_empty(),
            PreparedAnswers::ByField(..) => true,
        };
        self.is_attended && !has_file
    }
}

impl PreparedAnswers {
    fn next(&mut self, field_id: &str) -> Option<String> {
        match self {
            Self::Lines(lines) => lines.pop_front(),
            Self::ByField(answers, used) => {
                let of_any_item = || bare(field_id).and_then(|bare| answers.get(bare));
                let Some(answers) = answers.get(field_id).or_else(of_any_item) else {
                    return another_item(answers, field_id);
                };
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

/// The id of the field behind an item of a group: `name` of `guests.2.name`. Whether there is one more is no field.
fn bare(field_id: &str) -> Option<&str> {
    field_id.rsplit_once('.').map(|(_, bare)| bare).filter(|bare| *bare != "more")
}

/// Whether there is another item of a group, `guests.1.more`: where the file has answers for it.
fn another_item(answers: &BTreeMap<String, Vec<Option<String>>>, field_id: &str) -> Option<String> {
    let (group, after) = field_id.strip_suffix(".more")?.rsplit_once('.')?;
    let next = format!("{group}.{}.", after.parse::<u32>().ok()? + 1);
    let has_more = answers.keys().any(|key| key.starts_with(&next));
    Some(if has_more { "yes" } else { "no" }.to_owned())
}

fn read(path: &Path) -> Result<PreparedAnswers, Trouble> {
    let text = files::text_of(path)?;
    if !text.trim_start().starts_with('{') {
        return Ok(PreparedAnswers::Lines(text.lines().map(str::to_owned).collect()));
    }
    let given: BTreeMap<String, AnswerEntry> =
        serde_json::from_str(&text).map_err(|why| files::unreadable(path, &why.to_string()))?;
    let answers = given.into_iter().map(|(field, given)| match given {
        AnswerEntry::One(answer) => (field, vec![answer.map(String::from)]),
        AnswerEntry::Several(answers) => (field, answers.into_iter().map(|answer| answer.map(String::from)).collect()),
    });
    Ok(PreparedAnswers::ByField(answers.collect(), BTreeMap::new()))
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
        assert_eq!(lines.prepared("a"), Some("one".to_owned()));
        assert_eq!(lines.prepared("a"), Some("two".to_owned()));
        assert_eq!(lines.prepared("a"), None);
    }

    #[test]
    fn answers_by_field_are_repeated_but_not_for_ever_and_null_skips() {
        let mut by_field = respondent(r#"{"a": ["first", "then"], "b": null}"#);
        let mut all = Vec::new();
        while let Some(answer) = by_field.prepared("a") {
            all.push(answer);
        }
        assert_eq!(all, ["first", "then", "then", "then", "then", "then"]);
        assert_eq!(by_field.prepared("b"), Some("/skip".to_owned()));
        assert_eq!(by_field.prepared("c"), None);
    }

    #[test]
    fn items_of_groups_are_named_by_their_number_and_say_themselves_how_many_there_are() {
        let mut guests = respondent(r#"{"guests.1.name": "Ada", "guests.2.name": "Grace", "people": 2, "come": true}"#);
        let mut all = Vec::new();
        for id in
            ["guests.0.more", "guests.1.name", "guests.1.more", "guests.2.name", "guests.2.more", "people", "come"]
        {
            all.push(guests.prepared(id).unwrap());
        }
        assert_eq!(all, ["yes", "Ada", "yes", "Grace", "no", "2", "yes"]);
    }

    #[test]
    fn an_answer_to_every_item_may_be_given_once() {
        let mut guests = respondent(r#"{"language": "en-GB", "name": "Ada"}"#);
        assert_eq!(guests.prepared("guests.1.name"), Some("Ada".to_owned()));
        assert_eq!(guests.beforehand("language"), Some("en-GB"));
        assert_eq!(guests.beforehand("country"), None);
    }
}
