//! A respondent's script: the form, what is answered, what is said in between, and what is meant by it all.
//!
//! A script is checked against its form before anyone is asked: a field that the form does not have, or a truth that is
//! not spelt as values are kept, would only be found after minutes.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

use enza_interview::{Absence, Bootstrap, Field, Form, Locale, OneOrMore, ReadContext, read};
use enza_terminal::files;
use enza_terminal::trouble::Trouble;
use serde::Deserialize;

use crate::form::{self, EXAMPLES};
use crate::trouble::InterviewTrouble;

/// A respondent.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Script {
    /// The name of its file.
    #[serde(skip)]
    pub name: String,
    /// Who it is, in a few words.
    pub about: String,
    /// An example's name, or a file beside the script.
    #[serde(rename = "form")]
    form_name: String,
    /// The form itself.
    #[serde(skip)]
    pub form: Form,
    language: String,
    country: String,
    /// What is answered, by field: the first answer, then one to each follow-up; the last is repeated.
    answers: BTreeMap<String, OneOrMore>,
    /// What is said instead of an answer, once.
    #[serde(default)]
    pub said: Vec<ScriptedAside>,
    /// The values that are meant, as they are kept.
    #[serde(default)]
    pub truth: BTreeMap<String, String>,
    /// Words that a free text must hold.
    #[serde(default)]
    pub truth_words: BTreeMap<String, Vec<String>>,
    #[serde(default)]
    pub truth_absence: BTreeMap<String, Absence>,
}

/// Something that is no answer, or not only one.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ScriptedAside {
    /// When this field is asked for, or the first chance after it.
    pub at: String,
    /// But not before this one is done.
    #[serde(default)]
    pub after: Option<String>,
    pub text: String,
}

macro_rules! built_in {
    ($($name:literal),* $(,)?) => {
        [$(($name, include_str!(concat!("../../../../../examples/respondents/", $name, ".toml")))),*]
    };
}

/// Those that come along.
const BUILT_IN: [(&str, &str); 10] = built_in![
    "en-brief",
    "en-corrects",
    "en-curious",
    "en-talkative",
    "en-unsure",
    "ja-brief",
    "ja-corrects",
    "ja-curious",
    "ja-talkative",
    "ja-unsure",
];

/// The respondents of a folder, or those that come along; only those that are named, if any are.
pub fn chosen(folder: Option<&Path>, only: &[String]) -> Result<Vec<Script>, Trouble> {
    let all = match folder {
        Some(folder) => of_folder(folder)?,
        None => BUILT_IN.iter().map(|(name, text)| parse(Path::new(name), text)).collect::<Result<_, _>>()?,
    };
    let there: Vec<String> = all.iter().map(|script| script.name.clone()).collect();
    if let Some(name) = only.iter().find(|name| !there.contains(name)) {
        return Err(files::unreadable(
            Path::new(name),
            &format!("no respondent of that name; there are: {}", there.join(", ")),
        ));
    }
    Ok(all.into_iter().filter(|script| only.is_empty() || only.contains(&script.name)).collect())
}

fn of_folder(folder: &Path) -> Result<Vec<Script>, Trouble> {
    let entries = std::fs::read_dir(folder).map_err(|why| files::unreadable(folder, &why.to_string()))?;
    let mut paths: Vec<PathBuf> = entries.flatten().map(|entry| entry.path()).collect();
    paths.retain(|path| path.extension().is_some_and(|ending| ending == "toml"));
    paths.sort();
    if paths.is_empty() {
        return Err(files::unreadable(folder, "no respondent (*.toml) is in there"));
    }
    paths.iter().map(|path| parse(path, &files::text_of(path)?)).collect()
}

fn parse(path: &Path, text: &str) -> Result<Script, Trouble> {
    let faulty = |why: String| files::unreadable(path, &why);
    let mut script: Script = toml::from_str(text).map_err(|why| faulty(why.to_string().trim_end().to_owned()))?;
    script.name = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    script.form = match EXAMPLES.iter().find(|example| example.file == script.form_name) {
        Some(example) => Form::parse(example.text).map_err(InterviewTrouble::Form)?,
        None => form::read(&path.with_file_name(&script.form_name))?.0,
    };
    script.check().map_err(faulty)?;
    Ok(script)
}

impl Script {
    /// Where the respondent is at home.
    pub fn bootstrap(&self) -> Bootstrap {
        let (language, country) = (Some(self.language.clone()), Some(self.country.clone()));
        Bootstrap { language, country, timezone: None }
    }

    /// The same, said to a greeter.
    pub fn home(&self) -> String {
        format!("{}, {}", self.language, self.country)
    }

    /// What is answered when a field is asked for the nth time, from zero: the last answer again and again.
    pub fn answer(&self, id: &str, nth: usize) -> Option<String> {
        let answers = self.answers.get(id).map(OneOrMore::values).unwrap_or_default();
        answers.get(nth).or(answers.last()).cloned().or_else(|| self.another_item(id))
    }

    /// How many answers there are to a field.
    pub fn count(&self, id: &str) -> usize {
        self.answers.get(id).map_or(1, |answers| answers.values().len())
    }

    /// Whether a group has another item, `guests.1.more`, where the script does not say: if there are answers for it.
    fn another_item(&self, id: &str) -> Option<String> {
        let (group, after) = id.strip_suffix(".more")?.rsplit_once('.')?;
        let next = format!("{group}.{}.", after.parse::<u32>().ok()? + 1);
        let (yes, no) = self.form.language.pick(("はい", "いいえ"), ("yes", "no"));
        let has_more = self.answers.keys().any(|key| key.starts_with(&next));
        Some(if has_more { yes } else { no }.to_owned())
    }

    fn check(&self) -> Result<(), String> {
        let answered = self.answers.keys();
        let said = self.said.iter().flat_map(|said| std::iter::once(&said.at).chain(&said.after));
        let meant = self.truth.keys().chain(self.truth_words.keys()).chain(self.truth_absence.keys());
        if let Some(id) = answered.chain(said).chain(meant).find(|id| self.field(id).is_none() && !is_more(id)) {
            return Err(format!("the form has no field \"{id}\""));
        }
        let locale =
            Locale { language: self.language.clone(), country: Some(self.country.clone()), timezone: String::new() };
        let reading = ReadContext { locale: &locale, today: locale.today(enza_terminal::setup::now()) };
        for (id, value) in &self.truth {
            let kept = self.field(id).map(|field| read(field, value, &reading));
            match kept {
                Some(Ok(kept)) if kept == *value => {}
                Some(Ok(kept)) => return Err(format!("truth.{id}: \"{value}\" is kept as \"{kept}\"")),
                Some(Err(unread)) => return Err(format!("truth.{id}: {}", unread.say(self.form.language))),
                None => return Err(format!("the form has no field \"{id}\"")),
            }
        }
        Ok(())
    }

    /// The field behind an id; inside a group, whichever the item.
    fn field(&self, id: &str) -> Option<&Field> {
        let bare = id.rsplit('.').next().unwrap_or(id);
        self.form.find(bare).map(|(_, field)| field)
    }
}

fn is_more(id: &str) -> bool {
    id.ends_with(".more")
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::*;

    #[test]
    fn the_respondents_that_come_along_are_those_of_the_folder_and_sound() {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../examples/respondents");
        let names = |scripts: Vec<Script>| scripts.into_iter().map(|script| script.name).collect::<Vec<_>>();
        assert_eq!(names(chosen(None, &[]).unwrap()), names(chosen(Some(&folder), &[]).unwrap()));
    }

    #[test]
    fn they_are_half_english_and_half_japanese_and_go_through_every_example() {
        let scripts = chosen(None, &[]).unwrap();
        assert_eq!(scripts.iter().filter(|script| script.language == "ja").count(), 5);
        let forms: BTreeSet<&str> = scripts.iter().filter_map(|script| script.form_name.split('.').next()).collect();
        assert_eq!(forms, BTreeSet::from(["event-sign-up", "incident-report", "visit-report"]));
    }

    #[test]
    fn a_script_that_cannot_be_played_says_why_before_anyone_is_asked() {
        let script = |more: &str| {
            let text = format!(
                "about = 'x'\nform = 'visit-report.en'\nlanguage = 'en'\ncountry = 'US'\n[answers]\nmood = 'Good'\n{more}"
            );
            match parse(Path::new("x.toml"), &text) {
                Err(Trouble::File { why, .. }) => why,
                other => panic!("{other:?}"),
            }
        };
        assert_eq!(script("nonsense = 'x'"), "the form has no field \"nonsense\"");
        assert_eq!(
            script("[truth]\nvisit_date = '3 November 2026'"),
            "truth.visit_date: \"3 November 2026\" is kept as \"2026-11-03\""
        );
        assert_eq!(
            script("[truth]\nvisit_date = 'soon'"),
            "truth.visit_date: Please give one date, such as November 3, 2026 or tomorrow."
        );
    }
}
