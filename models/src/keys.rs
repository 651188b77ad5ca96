//! Keys to providers: read where they are kept, shown nowhere.
//!
//! A key comes from a variable, from a file that nobody else may read, or from a command that prints it. From then on
//! it is a `Secret`: whatever prints it prints a mark, and `scrub` takes it out of texts that others wrote, since
//! servers like to repeat the key they did not accept.

use std::ffi::OsString;
use std::fmt;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use serde::Deserialize;
use serde_json::Value;

/// What stands where a key was.
pub const MARK: &str = "[secret]";
/// A shorter text is not looked for: it would be found everywhere.
const SHORTEST: usize = 6;

/// A key. Whatever prints it prints a mark instead.
#[derive(Clone, PartialEq, Eq)]
pub struct Secret(String);

/// Where a key is kept.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum KeySource {
    /// In a variable of the environment.
    Variable(String),
    /// Alone in a file, which only its owner may read.
    File(PathBuf),
    /// On the first line that a command prints.
    Command(Vec<String>),
}

/// Why there is no key.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum KeyError {
    /// The variable is not set, or empty. Set it.
    #[error("the variable {variable} is not set")]
    NotSet { variable: String },
    /// The file cannot be read. Make it, or name another.
    #[error("the key file {} cannot be read: {why}", path.display())]
    Unreadable {
        path: PathBuf,
        /// What the system says.
        why: String,
    },
    /// Others may read the file. Take that away: `chmod 600`.
    #[error("the key file {} may be read by others (mode {mode:o})", path.display())]
    Open { path: PathBuf, mode: u32 },
    /// The command did not do its work. Run it by hand.
    #[error("the command {command} gave no key: {why}")]
    CommandFailed {
        command: String,
        /// Its status, or why it did not start.
        why: String,
    },
    /// There is nothing in it.
    #[error("there is no key in {place}")]
    Empty {
        /// The file or command.
        place: String,
    },
}

impl Secret {
    /// Takes a key, without the white space around it.
    pub fn new(text: &str) -> Self {
        Self(text.trim().to_owned())
    }

    /// The key itself, for the header of a request and nothing else.
    pub fn expose(&self) -> &str {
        &self.0
    }

    /// A text without this key in it.
    pub fn scrub(&self, text: &str) -> String {
        if self.0.len() < SHORTEST { text.to_owned() } else { text.replace(&self.0, MARK) }
    }

    /// A value without this key in any of its texts.
    pub fn scrub_value(&self, value: Value) -> Value {
        match value {
            Value::String(text) => Value::String(self.scrub(&text)),
            Value::Array(items) => items.into_iter().map(|item| self.scrub_value(item)).collect(),
            Value::Object(fields) => {
                fields.into_iter().map(|(name, value)| (self.scrub(&name), self.scrub_value(value))).collect()
            }
            Value::Null | Value::Bool(_) | Value::Number(_) => value,
        }
    }

    /// Whether a text gives the key away.
    pub fn is_in(&self, text: &str) -> bool {
        self.0.len() >= SHORTEST && text.contains(&self.0)
    }
}

impl fmt::Debug for Secret {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        out.write_str(MARK)
    }
}

impl KeySource {
    /// Reads the key. Variables are looked up by the function that is handed in.
    pub fn read(&self, environment: &dyn Fn(&str) -> Option<OsString>) -> Result<Secret, KeyError> {
        let (text, place) = match self {
            Self::Variable(variable) => {
                let value = environment(variable).and_then(|value| value.into_string().ok()).unwrap_or_default();
                if value.trim().is_empty() {
                    return Err(KeyError::NotSet { variable: variable.clone() });
                }
                (value, variable.clone())
            }
            Self::File(path) => (read_private(path)?, path.display().to_string()),
            Self::Command(words) => (first_line_of(words)?, words.join(" ")),
        };
        let secret = Secret::new(&text);
        if secret.0.is_empty() { Err(KeyError::Empty { place }) } else { Ok(secret) }
    }
}

fn read_private(path: &Path) -> Result<String, KeyError> {
    let unreadable = |why: std::io::Error| KeyError::Unreadable { path: path.to_owned(), why: why.to_string() };
    let mode = std::fs::metadata(path).map_err(unreadable)?.permissions().mode() & 0o777;
    if mode & 0o077 != 0 {
        return Err(KeyError::Open { path: path.to_owned(), mode });
    }
    std::fs::read_to_string(path).map_err(unreadable)
}

fn first_line_of(words: &[String]) -> Result<String, KeyError> {
    let failed = |why: String| KeyError::CommandFailed { command: words.first().cloned().unwrap_or_default(), why };
    let [program, arguments @ ..] = words else { return Err(failed("it is empty".to_owned())) };
    // What the command says on its way may hold the key as well, so it goes to the terminal and nowhere else.
    let ended = Command::new(program)
        .args(arguments)
        .stderr(Stdio::inherit())
        .output()
        .map_err(|why| failed(why.to_string()))?;
    if !ended.status.success() {
        return Err(failed(ended.status.to_string()));
    }
    let text = String::from_utf8_lossy(&ended.stdout);
    Ok(text.lines().next().unwrap_or_default().to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn nothing_set(_: &str) -> Option<OsString> {
        None
    }

    fn file_with(text: &str, mode: u32) -> tempfile::TempPath {
        let file = tempfile::NamedTempFile::new().unwrap();
        std::fs::write(file.path(), text).unwrap();
        std::fs::set_permissions(file.path(), std::fs::Permissions::from_mode(mode)).unwrap();
        file.into_temp_path()
    }

    #[test]
    fn a_key_comes_from_a_variable_a_private_file_or_a_command() {
        let environment = |name: &str| (name == "KEY").then(|| OsString::from(" k-123456 "));
        let key = Secret::new("k-123456");
        assert_eq!(KeySource::Variable("KEY".to_owned()).read(&environment), Ok(key.clone()));
        let file = file_with("k-123456\n", 0o600);
        assert_eq!(KeySource::File(file.to_path_buf()).read(&nothing_set), Ok(key.clone()));
        let command = ["printf", "k-123456\\nmore"].map(str::to_owned).to_vec();
        assert_eq!(KeySource::Command(command).read(&nothing_set), Ok(key));
    }

    #[test]
    fn what_is_missing_open_or_empty_is_told_apart() {
        let unset = KeySource::Variable("KEY".to_owned()).read(&nothing_set);
        assert_eq!(unset, Err(KeyError::NotSet { variable: "KEY".to_owned() }));
        let open = file_with("k-123456", 0o644);
        let path = open.to_path_buf();
        assert_eq!(KeySource::File(path.clone()).read(&nothing_set), Err(KeyError::Open { path, mode: 0o644 }));
        let empty = file_with("\n", 0o600);
        let place = empty.display().to_string();
        assert_eq!(KeySource::File(empty.to_path_buf()).read(&nothing_set), Err(KeyError::Empty { place }));
        let gone = KeySource::File("/nowhere/key".into()).read(&nothing_set);
        assert!(matches!(gone, Err(KeyError::Unreadable { .. })), "{gone:?}");
        let failing = KeySource::Command(vec!["false".to_owned()]).read(&nothing_set);
        assert!(matches!(failing, Err(KeyError::CommandFailed { .. })), "{failing:?}");
    }

    #[test]
    fn a_secret_shows_itself_to_nobody_and_is_taken_out_of_what_others_say() {
        let secret = Secret::new("k-123456");
        assert_eq!(format!("{secret:?}"), "[secret]");
        assert_eq!(secret.scrub("bad key k-123456!"), "bad key [secret]!");
        assert_eq!(Secret::new("a").scrub("banana"), "banana");
        assert!(secret.is_in("x k-123456 y"));
        let value = serde_json::json!({ "k-123456": ["a", { "b": "=k-123456" }, 1, null] });
        assert_eq!(secret.scrub_value(value), serde_json::json!({ "[secret]": ["a", { "b": "=[secret]" }, 1, null] }));
    }
}
