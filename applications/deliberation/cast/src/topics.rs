//! The library of topics: thirty questions that any adult can argue about, in both languages, each with statements that
//! people can vote on.
//!
//! Beside what people read, a topic brings the people, steps and worries that the voices by rule speak of.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use enza_kernel::limits::length;
use enza_kernel::text::Lang;
use serde::Deserialize;

use crate::data::{self, DataFault};

const LONGEST_TITLE: usize = 200;
const LONGEST_DESCRIPTION: usize = 2000;

/// A topic of the library.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Topic {
    pub key: String,
    pub ja: TopicText,
    pub en: TopicText,
}

/// A topic in one language.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct TopicText {
    pub title: String,
    pub description: String,
    /// Statements to vote on before anything is said.
    pub seeds: Vec<String>,
    pub(crate) people: Vec<String>,
    pub(crate) steps: Vec<String>,
    pub(crate) worries: Vec<String>,
}

impl Topic {
    /// The topic in one language.
    pub fn text(&self, lang: Lang) -> &TopicText {
        lang.pick(&self.ja, &self.en)
    }
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct TopicsFile {
    topic: Vec<Topic>,
}

static TOPICS: LazyLock<Vec<Topic>> = LazyLock::new(|| {
    let files = [
        ("topics/daily_life.toml", include_str!("../data/topics/daily_life.toml")),
        ("topics/town.toml", include_str!("../data/topics/town.toml")),
        ("topics/work.toml", include_str!("../data/topics/work.toml")),
        ("topics/school.toml", include_str!("../data/topics/school.toml")),
        ("topics/technology.toml", include_str!("../data/topics/technology.toml")),
        ("topics/nature.toml", include_str!("../data/topics/nature.toml")),
    ];
    files.into_iter().flat_map(|(file, text)| data::sound(read_topics(file, text))).collect()
});

/// The whole library.
pub fn topics() -> &'static [Topic] {
    &TOPICS
}

/// The topic of the library that has this title, and its text in the title's language.
pub fn topic_called(title: &str) -> Option<(&'static Topic, Lang)> {
    let of =
        |lang: Lang| topics().iter().find(|topic| topic.text(lang).title == title.trim()).map(|topic| (topic, lang));
    of(Lang::Ja).or_else(|| of(Lang::En))
}

/// Topics out of a file; a fault names the file, the topic and the language.
pub fn read_topics(file: &str, text: &str) -> Result<Vec<Topic>, DataFault> {
    let TopicsFile { topic: topics } = data::read(file, text)?;
    let mut known = BTreeSet::new();
    for topic in &topics {
        if !known.insert(&topic.key) {
            return Err(DataFault::of_key(file, &topic.key, "there are two topics of this key"));
        }
        for lang in [Lang::Ja, Lang::En] {
            check(topic.text(lang)).map_err(|why| DataFault::of_lang(file, &topic.key, lang, why))?;
        }
        if topic.ja.seeds.len() != topic.en.seeds.len() {
            return Err(DataFault::of_key(file, &topic.key, "the languages have different numbers of seeds"));
        }
    }
    Ok(topics)
}

fn check(text: &TopicText) -> Result<(), String> {
    let TopicText { title, description, seeds, people, steps, worries } = text;
    let said = [title, description].into_iter().chain(seeds).chain(people).chain(steps).chain(worries);
    if said.into_iter().any(|text| text.trim().is_empty()) {
        return Err("a text is blank".to_owned());
    }
    if length(title) > LONGEST_TITLE || length(description) > LONGEST_DESCRIPTION {
        return Err("title or description is too long".to_owned());
    }
    if !(2..=3).contains(&seeds.len()) {
        return Err(format!("{} seed statements, two or three are needed", seeds.len()));
    }
    let counts = [people.len(), steps.len(), worries.len()];
    if counts.contains(&0) { Err("people, steps and worries must each have an entry".to_owned()) } else { Ok(()) }
}
