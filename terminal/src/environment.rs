//! Where a command runs: folders, database, language, terminal.
//!
//! This is the one place that reads the environment, and it does so through a function that is handed in, so that
//! every rule here can be tested without touching the process. What was typed goes before what the environment says,
//! and that before the defaults. Nothing is created here.

use std::ffi::OsString;
use std::io::IsTerminal as _;
use std::path::PathBuf;

use enza_kernel::text::Lang;
use enza_storage::Durability;

use crate::applications::Applications;
use crate::arguments::{self, GlobalArgs};
use crate::trouble::Trouble;

/// Looks up a variable of the environment.
pub type VariableLookup<'a> = dyn Fn(&str) -> Option<OsString> + 'a;

/// The widest line we write, however wide the terminal is.
const WIDEST: usize = 100;
/// And the narrowest.
const NARROWEST: usize = 40;
/// What we write for where there is no terminal.
const USUAL_WIDTH: usize = 80;

/// Everything around a command.
#[derive(Debug, Clone)]
pub struct Environment {
    pub data: PathBuf,
    pub config: PathBuf,
    /// The folder with weights and the server that runs them.
    pub models: PathBuf,
    /// The model that was typed.
    pub model: Option<String>,
    /// The database's address.
    pub database: String,
    /// What an acknowledged append has survived.
    pub durability: Durability,
    /// The language of everything for people.
    pub lang: Lang,
    /// Where that was found: `--lang`, a variable, or nothing.
    pub lang_from: String,
    pub lang_typed: Option<Lang>,
    /// The locale of the environment, as it is written there.
    pub locale: Option<String>,
    /// Whether the result is JSON.
    pub json: bool,
    /// Whether to leave out what is not the result.
    pub quiet: bool,
    /// Whether to use colour on standard output.
    pub colour: bool,
    /// Whether a person sits at standard input.
    pub attended: bool,
    /// Whether standard output is a screen.
    pub on_screen: bool,
    /// How many columns a line has.
    pub width: usize,
    /// The applications of this build.
    pub applications: Applications,
}

impl Environment {
    /// Resolves what was typed.
    pub(crate) fn resolve(
        typed: &GlobalArgs,
        environment: &VariableLookup<'_>,
        applications: Applications,
    ) -> Result<Self, Trouble> {
        let data = match &typed.data {
            Some(folder) => folder.clone(),
            None => data_folder(environment).ok_or(Trouble::NoHome)?,
        };
        let database = typed.database.clone().or_else(|| text(environment, "ENZA_DATABASE"));
        let database = database.unwrap_or_else(|| format!("sqlite:{}", data.join("enza.db").display()));
        let (lang, lang_from) = match typed.lang {
            Some(lang) => (lang, "--lang".to_owned()),
            None => language(environment),
        };
        let on_screen = std::io::stdout().is_terminal();
        let plain = typed.no_color || environment("NO_COLOR").is_some_and(|value| !value.is_empty());
        Ok(Self {
            config: config_folder(environment).unwrap_or_else(|| data.join("config")),
            models: folder(environment, "ENZA_MODELS").unwrap_or_else(|| data.join("models")),
            model: typed.model_wanted.clone(),
            data,
            database,
            durability: match typed.durability {
                None | Some(arguments::Durability::Full) => Durability::Full,
                Some(arguments::Durability::Normal) => Durability::Normal,
            },
            lang,
            lang_from,
            lang_typed: typed.lang,
            locale: locale(environment).map(|(_, locale)| locale),
            json: typed.json,
            quiet: typed.quiet,
            colour: on_screen && !plain && environment("TERM").is_none_or(|term| term != "dumb"),
            attended: std::io::stdin().is_terminal(),
            on_screen,
            width: width(),
            applications,
        })
    }
}

/// A variable of this process's environment.
pub fn variable(name: &str) -> Option<OsString> {
    std::env::var_os(name)
}

/// The language that was typed, looked for before anything is parsed: help itself must be in it.
pub fn language_typed(typed: &[OsString]) -> Option<Lang> {
    let words: Vec<_> = typed.iter().map(|word| word.to_string_lossy()).collect();
    let after = words.iter().position(|word| word == "--lang").and_then(|place| words.get(place + 1));
    let joined = words.iter().find_map(|word| word.strip_prefix("--lang="));
    joined.or(after.map(AsRef::as_ref)).and_then(|word| word.parse().ok())
}

/// The language of the environment, and the variable that says so.
pub fn language(environment: &VariableLookup<'_>) -> (Lang, String) {
    match locale(environment) {
        Some((name, locale)) => (Lang::of_locale(&locale), format!("{name}={locale}")),
        None => (Lang::En, String::new()),
    }
}

/// The first locale that is set, and its variable.
fn locale(environment: &VariableLookup<'_>) -> Option<(&'static str, String)> {
    ["LC_ALL", "LC_MESSAGES", "LANG"].into_iter().find_map(|name| Some((name, text(environment, name)?)))
}

/// How many columns a line has.
pub fn width() -> usize {
    terminal_size::terminal_size().map_or(USUAL_WIDTH, |(width, _)| usize::from(width.0).clamp(NARROWEST, WIDEST))
}

fn data_folder(environment: &VariableLookup<'_>) -> Option<PathBuf> {
    folder(environment, "ENZA_DATA").or_else(|| shared_folder(environment, "XDG_DATA_HOME", ".local/share"))
}

fn config_folder(environment: &VariableLookup<'_>) -> Option<PathBuf> {
    folder(environment, "ENZA_CONFIG").or_else(|| shared_folder(environment, "XDG_CONFIG_HOME", ".config"))
}

/// Our folder in one that programs share.
fn shared_folder(environment: &VariableLookup<'_>, name: &str, in_home: &str) -> Option<PathBuf> {
    // The XDG rules say that a relative folder there is to be ignored.
    let shared = folder(environment, name).filter(|path| path.is_absolute());
    let shared = shared.or_else(|| folder(environment, "HOME").map(|home| home.join(in_home)));
    shared.map(|shared| shared.join("enza"))
}

fn folder(environment: &VariableLookup<'_>, name: &str) -> Option<PathBuf> {
    environment(name).filter(|path| !path.is_empty()).map(PathBuf::from)
}

fn text(environment: &VariableLookup<'_>, name: &str) -> Option<String> {
    environment(name)?.into_string().ok().filter(|value| !value.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn around(typed: &GlobalArgs, variables: &[(&str, &str)]) -> Environment {
        let environment =
            |name: &str| variables.iter().find(|(known, _)| *known == name).map(|(_, value)| value.into());
        Environment::resolve(typed, &environment, Applications::default()).unwrap()
    }

    #[test]
    fn what_is_typed_goes_before_the_environment_and_that_before_the_default() {
        let home = ("HOME", "/home/ada");
        assert_eq!(around(&GlobalArgs::default(), &[home]).data, PathBuf::from("/home/ada/.local/share/enza"));
        assert_eq!(around(&GlobalArgs::default(), &[home, ("XDG_DATA_HOME", "/x")]).data, PathBuf::from("/x/enza"));
        assert_eq!(around(&GlobalArgs::default(), &[home, ("ENZA_DATA", "/d")]).data, PathBuf::from("/d"));
        let typed = GlobalArgs { data: Some("/typed".into()), ..GlobalArgs::default() };
        let resolved = around(&typed, &[home, ("ENZA_DATA", "/d")]);
        assert_eq!(resolved.data, PathBuf::from("/typed"));
        assert_eq!(resolved.database, "sqlite:/typed/enza.db");
    }

    #[test]
    fn the_language_comes_from_the_first_locale_that_is_set() {
        let home = ("HOME", "/home/ada");
        let lang = |more: &[(&str, &str)]| around(&GlobalArgs::default(), &[&[home], more].concat()).lang;
        assert_eq!(lang(&[]), Lang::En);
        assert_eq!(lang(&[("LANG", "ja_JP.UTF-8")]), Lang::Ja);
        assert_eq!(lang(&[("LANG", "ja_JP.UTF-8"), ("LC_ALL", "C")]), Lang::En);
        assert_eq!(lang(&[("LANG", "en_US.UTF-8"), ("LC_MESSAGES", "ja_JP.UTF-8")]), Lang::Ja);
    }

    #[test]
    fn without_a_home_there_is_no_folder_to_guess() {
        let nothing = |_: &str| None;
        assert!(matches!(
            Environment::resolve(&GlobalArgs::default(), &nothing, Applications::default()),
            Err(Trouble::NoHome)
        ));
    }
}
