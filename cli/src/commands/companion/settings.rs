//! How the companion behaves in a folder: the user's file, tightened by the project's.
//!
//! `companion.toml` in the config folder is the user's, with a section for each folder they have settled something about.
//! `.enza/companion.toml` in the project may only tighten: its denials and questions count, its check commands and
//! allowances only once the user trusts the folder, since whoever wrote the repository would run commands otherwise.
//! Nothing is ever written into the project.

use std::collections::BTreeMap;
use std::io::Write as _;
use std::path::{Path, PathBuf};

use enza_applications::companion::{CheckCommand, Mode, Operation, Rule, Ruling, Settings};
use serde::Deserialize;

use crate::files;
use crate::trouble::Trouble;

/// The user's file in the config folder.
pub const FILE: &str = "companion.toml";
/// The project's file in its folder.
pub const PROJECT_FILE: &str = ".enza/companion.toml";
/// The section with what was settled folder by folder.
const FOLDERS: &str = "folders";

/// What both files say about a folder.
#[derive(Debug)]
pub struct Found {
    user: Settings,
    folder: OfFolder,
    project: Project,
}

/// What the user has settled about one folder.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct OfFolder {
    trusted: bool,
    rules: Vec<Rule>,
}

/// What a project may say.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct Project {
    rules: Vec<Rule>,
    checks: Vec<CheckCommand>,
    mode: Option<Mode>,
    budget: Option<u64>,
}

impl Found {
    /// Reads both files.
    pub fn read(config: &Path, folder: &Path) -> Result<Self, Trouble> {
        let (user, folders) = of_user(&config.join(FILE))?;
        let of_folder = folders.get(&folder.display().to_string()).cloned().unwrap_or_default();
        let path = folder.join(PROJECT_FILE);
        let project = match text(&path)? {
            Some(text) => toml::from_str(&text).map_err(|why| files::unreadable(&path, why.message()))?,
            None => Project::default(),
        };
        Ok(Self { user, folder: of_folder, project })
    }

    /// What the project wants that counts only once it is trusted, in one line each.
    pub fn wishes(&self) -> Vec<String> {
        if self.folder.trusted {
            return Vec::new();
        }
        let checks = self.project.checks.iter().map(|check| format!("{}: {}", check.name, check.command.join(" ")));
        let allowed = self.project.rules.iter().filter(|rule| rule.verdict == Ruling::Allow).map(Rule::say);
        checks.chain(allowed).collect()
    }

    /// The settings; `trusted` where the person has just said so.
    pub fn settings(self, trusted: bool) -> Settings {
        let trusted = trusted || self.folder.trusted;
        let Self { mut user, folder, project } = self;
        user.rules.extend(folder.rules);
        user.rules.extend(project.rules.into_iter().filter(|rule| trusted || rule.verdict != Ruling::Allow));
        if trusted {
            user.checks.extend(project.checks);
        }
        if let Some(mode) = project.mode {
            user.mode = tighter(user.mode, mode);
        }
        user.budget = [user.budget, project.budget].into_iter().flatten().min();
        user
    }
}

fn tighter(one: Mode, other: Mode) -> Mode {
    match (one, other) {
        (Mode::Plan, _) | (_, Mode::Plan) => Mode::Plan,
        (Mode::Ask, _) | (_, Mode::Ask) => Mode::Ask,
        (Mode::AcceptEdits, Mode::AcceptEdits) => Mode::AcceptEdits,
    }
}

fn of_user(path: &Path) -> Result<(Settings, BTreeMap<String, OfFolder>), Trouble> {
    let Some(text) = text(path)? else { return Ok((Settings::default(), BTreeMap::new())) };
    let unfit = |why: toml::de::Error| files::unreadable(path, why.message());
    let mut table: toml::Table = toml::from_str(&text).map_err(unfit)?;
    let folders = match table.remove(FOLDERS) {
        Some(folders) => folders.try_into().map_err(unfit)?,
        None => BTreeMap::new(),
    };
    Ok((toml::Value::Table(table).try_into().map_err(unfit)?, folders))
}

fn text(path: &Path) -> Result<Option<String>, Trouble> {
    match std::fs::read_to_string(path) {
        Ok(text) => Ok(Some(text)),
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => Ok(None),
        Err(why) => Err(files::unreadable(path, &why.to_string())),
    }
}

/// Keeps in the user's file that a folder is trusted.
pub fn trust(config: &Path, folder: &Path) -> Result<(), Trouble> {
    append(config, folder, &format!("[{}]\ntrusted = true\n", section(folder, "")))
}

/// Keeps a rule for a folder in the user's file.
pub fn keep(config: &Path, folder: &Path, rule: &Rule) -> Result<(), Trouble> {
    let verdict = match rule.verdict {
        Ruling::Allow => "allow",
        Ruling::Ask => "ask",
        Ruling::Deny => "deny",
    };
    let [operation, pattern] = [&rule.operation, &rule.pattern].map(|text| toml::Value::from(text.as_str()));
    let lines = format!("verdict = \"{verdict}\"\noperation = {operation}\npattern = {pattern}\n");
    append(config, folder, &format!("[[{}]]\n{lines}", section(folder, ".rules")))
}

fn section(folder: &Path, below: &str) -> String {
    format!("{FOLDERS}.{}{below}", toml::Value::from(folder.display().to_string()))
}

/// Adds to the end of the user's file, so that nothing of theirs is written anew; what could not be read afterwards is
/// not written at all.
fn append(config: &Path, folder: &Path, more: &str) -> Result<(), Trouble> {
    let path = config.join(FILE);
    let before = text(&path)?.unwrap_or_default();
    let gap = if before.is_empty() || before.ends_with("\n\n") { "" } else { "\n" };
    let end = if before.is_empty() || before.ends_with('\n') { "" } else { "\n" };
    let whole = format!("{before}{end}{gap}{more}");
    toml::from_str::<toml::Table>(&whole).map_err(|why| {
        let where_to = format!("{}; write this into it by hand:\n{more}", why.message());
        files::unreadable(&path, &format!("{}: {where_to}", folder.display()))
    })?;
    replace(&path, &whole).map_err(|why| files::unreadable(&path, &why.to_string()))
}

fn replace(path: &Path, text: &str) -> std::io::Result<()> {
    let folder = path.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    let beside: PathBuf = path.with_extension(format!("toml.{}", std::process::id()));
    let mut file = std::fs::File::create(&beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(beside, path)
}

/// A rule as it is typed: `change src/**`, `run cargo test *`.
pub fn rule(verdict: Ruling, typed: &str) -> Option<Rule> {
    const ALL: [Operation; 11] = [
        Operation::List,
        Operation::Read,
        Operation::Search,
        Operation::Write,
        Operation::Edit,
        Operation::Patch,
        Operation::Create,
        Operation::Delete,
        Operation::Move,
        Operation::Run,
        Operation::Tool,
    ];
    let typed = typed.trim();
    let (operation, pattern) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
    let is_known = ["*", "change"].contains(&operation) || ALL.iter().any(|one| one.word() == operation);
    is_known.then(|| Rule { verdict, operation: operation.to_owned(), pattern: pattern.trim().to_owned() })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn put(path: &Path, text: &str) {
        std::fs::create_dir_all(path.parent().unwrap()).unwrap();
        std::fs::write(path, text).unwrap();
    }

    const PROJECT: &str = r#"
        mode = "accept_edits"
        budget = 500
        rules = [
            { verdict = "deny", operation = "change", pattern = "dist/**" },
            { verdict = "allow", operation = "run", pattern = "*" },
        ]
        checks = [{ name = "tests", command = ["sh", "evil"] }]
    "#;

    #[test]
    fn a_project_tightens_and_loosens_nothing_until_it_is_trusted() {
        let house = tempfile::tempdir().unwrap();
        let (config, folder) = (house.path().join("config"), house.path().join("work"));
        put(&folder.join(PROJECT_FILE), PROJECT);
        put(&config.join(FILE), "# mine\nbudget = 900\nrecoveries = 1\n");
        let found = Found::read(&config, &folder).unwrap();
        assert_eq!(found.wishes(), ["tests: sh evil", "allow run *"]);
        let settings = found.settings(false);
        let said: Vec<String> = settings.rules.iter().map(Rule::say).collect();
        assert_eq!(said, ["deny change dist/**"]);
        assert_eq!((settings.checks.len(), settings.budget, settings.mode), (0, Some(500), Mode::Ask));
        assert_eq!(settings.recoveries, 1);

        keep(&config, &folder, &rule(Ruling::Allow, "change src/**").unwrap()).unwrap();
        trust(&config, &folder).unwrap();
        let found = Found::read(&config, &folder).unwrap();
        assert_eq!(found.wishes(), Vec::<String>::new());
        let settings = found.settings(false);
        let said: Vec<String> = settings.rules.iter().map(Rule::say).collect();
        assert_eq!(said, ["allow change src/**", "deny change dist/**", "allow run *"]);
        assert_eq!(settings.checks.len(), 1);
        let text = std::fs::read_to_string(config.join(FILE)).unwrap();
        assert!(text.starts_with("# mine\nbudget = 900\n"), "{text}");
        let elsewhere = Found::read(&config, house.path()).unwrap().settings(false);
        assert_eq!(elsewhere.rules, []);
    }

    #[test]
    fn a_file_with_a_word_that_means_nothing_is_told() {
        let house = tempfile::tempdir().unwrap();
        put(&house.path().join(FILE), "saftey_phase = 1\n");
        let told = Found::read(house.path(), house.path()).unwrap_err();
        assert!(matches!(&told, Trouble::File { why, .. } if why.contains("saftey_phase")), "{told:?}");
    }

    #[test]
    fn a_rule_is_read_as_it_is_typed() {
        assert_eq!(rule(Ruling::Allow, " run cargo test * ").unwrap().say(), "allow run cargo test *");
        assert_eq!(rule(Ruling::Deny, "change").unwrap().say(), "deny change");
        assert_eq!(rule(Ruling::Deny, "destroy everything"), None);
    }
}
