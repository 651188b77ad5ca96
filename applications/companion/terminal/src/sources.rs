//! What is set in a session, and where each of it comes from.
//!
//! The values are the session's own, pinned when it was opened; where they come from is looked up in the files as they are
//! now. What no file says is a default, and what a file says otherwise now counts for the next session.

use std::path::Path;

use enza_companion::{Settings, State};
use enza_terminal::screen::Screen;
use enza_terminal::talk::GoesOn;
use enza_terminal::trouble::Trouble;
use serde_json::Value;

use super::settings::{self, FILE, PROJECT_FILE};
use super::talk::Talk;
use crate::words::lists as words;
use crate::words::orders::listed;

impl Talk<'_> {
    /// Lists what is set.
    pub(super) fn settings(&mut self, state: &State) -> Result<GoesOn, Trouble> {
        let text = show(self.show.screen, &self.around.config, &self.folder, &state.settings);
        self.told(&text)
    }
}

/// Where a value comes from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SettingSource {
    /// Nobody set it.
    Default,
    /// The user's file.
    User,
    /// The project's file.
    Project,
    /// It was typed, or the files said so when the session was opened.
    Session,
}

pub(super) fn show(screen: &Screen, config: &Path, folder: &Path, settings: &Settings) -> String {
    let files = [table(&config.join(FILE)), table(&folder.join(PROJECT_FILE))];
    let of = |settings: &Settings| serde_json::to_value(settings).unwrap_or_default();
    let (now, defaults) = (of(settings), of(&Settings::default()));
    let rows = now.as_object().into_iter().flatten().map(|(name, value)| {
        let from = source(name, value, &defaults[name], &files);
        let told = match value {
            Value::Array(items) if items.len() > SHORT => words::items(screen.lang, items.len()),
            Value::Array(_) | Value::Object(_) | Value::String(_) | Value::Number(_) | Value::Bool(_) | Value::Null => {
                plain(value)
            }
        };
        (name.clone(), format!("{told}  ({})", words::source(screen.lang, from)))
    });
    let rows: Vec<(String, String)> = rows.collect();
    let files = words::settings_files(screen.lang, &config.join(FILE), &folder.join(PROJECT_FILE));
    format!("{}\n{}", listed(screen, &rows), screen.faintly(&files))
}

/// A longer list is only counted.
const SHORT: usize = 6;

fn source(name: &str, value: &Value, default: &Value, [user, project]: &[toml::Table; 2]) -> SettingSource {
    let says = |table: &toml::Table| {
        let said = table.get(name).and_then(|said| serde_json::to_value(said).ok());
        said.is_some_and(|said| said == *value || value.is_array() || value.is_object())
    };
    match (says(project), says(user)) {
        (true, _) => SettingSource::Project,
        (false, true) => SettingSource::User,
        (false, false) if value == default => SettingSource::Default,
        (false, false) => SettingSource::Session,
    }
}

fn table(path: &Path) -> toml::Table {
    settings::text(path).ok().flatten().and_then(|text| toml::from_str(&text).ok()).unwrap_or_default()
}

/// A value as one would write it into the file.
fn plain(value: &Value) -> String {
    match value {
        Value::Null => "—".to_owned(),
        Value::Array(items) if items.is_empty() => "—".to_owned(),
        Value::String(text) => text.clone(),
        Value::Array(items) => items.iter().map(plain).collect::<Vec<_>>().join(", "),
        Value::Object(fields) => {
            fields.iter().map(|(name, value)| format!("{name} {}", plain(value))).collect::<Vec<_>>().join(", ")
        }
        Value::Bool(_) | Value::Number(_) => value.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn each_value_knows_where_it_comes_from() {
        let files =
            ["rounds = 5\nbudget = 900", "budget = 500\nmode = \"plan\""].map(|text| toml::from_str(text).unwrap());
        let of = |name: &str, value: Value, default: Value| source(name, &value, &default, &files);
        assert_eq!(of("rounds", json!(5), json!(30)), SettingSource::User);
        assert_eq!(of("budget", json!(500), json!(null)), SettingSource::Project);
        assert_eq!(of("mode", json!("ask"), json!("ask")), SettingSource::Default);
        assert_eq!(of("mode", json!("accept_edits"), json!("ask")), SettingSource::Session);
        assert_eq!(plain(&json!({"a": 1, "b": ["x", "y"]})), "a 1, b x, y");
    }
}
