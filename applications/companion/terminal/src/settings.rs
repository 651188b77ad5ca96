//! How the companion behaves in a folder: the user's file, tightened by the project's.
//!
//! `companion.toml` in the config folder is the user's, with a section for each folder they have settled something about.
//! `.enza/companion.toml` in the project may only tighten: its denials and questions count, its check commands, servers and
//! allowances only once the user trusts them, since whoever wrote the repository would run commands otherwise. Trust is in
//! what was shown, by its digest: when the file asks for something else, it counts for nothing until it is trusted anew,
//! also in a session under way. Nothing is ever written into the project.

use std::collections::BTreeMap;
use std::io::{Read as _, Write as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::{Path, PathBuf};

use enza_companion::{CheckCommand, Mode, Operation, Rule, Ruling, Settings};
use enza_kernel::conversation::Digest;
use enza_terminal::files;
use enza_terminal::trouble::Trouble;
use enza_workshop::servers::Server;
use serde::Deserialize;
use serde_json::json;

use crate::trouble::CompanionTrouble;

/// The user's file in the config folder.
pub const FILE: &str = "companion.toml";
/// The project's file in its folder.
pub const PROJECT_FILE: &str = ".enza/companion.toml";
/// The section with what was settled folder by folder.
const FOLDERS: &str = "folders";
/// The section with the servers whose tools may be used.
const SERVERS: &str = "servers";

/// A longer file holds no settings.
const LONGEST: u64 = 1 << 20;

/// Servers by their names.
pub type NamedServers = BTreeMap<String, Server>;

/// What both files say about a folder.
#[derive(Debug)]
pub struct FolderSettings {
    user: Settings,
    servers: NamedServers,
    folder: FolderSection,
    project: ProjectFile,
    /// The digest of what counts only once it is trusted.
    digest: String,
}

/// What the user has settled about one folder.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct FolderSection {
    /// What earlier versions wrote down: it says nothing about what was trusted, so it counts for nothing.
    trusted: bool,
    trust: Vec<Trust>,
    rules: Vec<Rule>,
}

/// What a project asked for when the user said yes to it.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
struct Trust {
    digest: String,
}

/// What a project may say.
#[derive(Debug, Clone, Default, Deserialize)]
#[serde(default, deny_unknown_fields)]
struct ProjectFile {
    rules: Vec<Rule>,
    checks: Vec<CheckCommand>,
    mode: Option<Mode>,
    budget: Option<u64>,
    servers: NamedServers,
}

impl FolderSettings {
    /// Reads both files.
    pub fn read(config: &Path, folder: &Path) -> Result<Self, Trouble> {
        let UserFile { settings: user, folders, servers } = of_user(&config.join(FILE))?;
        let of_folder = folders.get(&folder.display().to_string()).cloned().unwrap_or_default();
        let path = folder.join(PROJECT_FILE);
        let text = text(&path)?.unwrap_or_default();
        let project: ProjectFile = toml::from_str(&text).map_err(|why| files::unreadable(&path, why.message()))?;
        check_servers(&path, &project.servers)?;
        Ok(Self { user, servers, folder: of_folder, project, digest: digest(&text) })
    }

    /// Whether the user trusts what the project asks for now.
    fn is_trusted(&self) -> bool {
        self.folder.trust.iter().any(|trust| trust.digest == self.digest)
    }

    /// Whether the user once trusted something else that the project asked for.
    pub fn was_trusted(&self) -> bool {
        !self.is_trusted() && (self.folder.trusted || !self.folder.trust.is_empty())
    }

    /// What the project wants that counts only once it is trusted, in one line each.
    pub fn wishes(&self) -> Vec<String> {
        if self.is_trusted() {
            return Vec::new();
        }
        let checks = self.project.checks.iter().map(|check| format!("{}: {}", check.name, check.command.join(" ")));
        let allowed = self.project.rules.iter().filter(|rule| rule.verdict == Ruling::Allow).map(Rule::say);
        let servers = self.project.servers.iter().map(|(name, server)| format!("{name}: {}", server.say()));
        checks.chain(allowed).chain(servers).collect()
    }

    /// The servers; `trusted` where the person has just said so. Of two with one name the user's counts.
    pub fn servers(&self, trusted: bool) -> NamedServers {
        let mut servers = if trusted || self.is_trusted() { self.project.servers.clone() } else { NamedServers::new() };
        servers.extend(self.servers.clone());
        servers
    }

    /// What is denied and asked for, trusted or not.
    pub fn denials(self) -> Vec<Rule> {
        self.settings(false).rules.into_iter().filter(|rule| rule.verdict != Ruling::Allow).collect()
    }

    /// The settings; `trusted` where the person has just said so.
    pub fn settings(self, trusted: bool) -> Settings {
        let trusted = trusted || self.is_trusted();
        let Self { mut user, folder, project, .. } = self;
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

/// What the user's file says.
#[derive(Debug, Default)]
struct UserFile {
    settings: Settings,
    folders: BTreeMap<String, FolderSection>,
    servers: NamedServers,
}

fn of_user(path: &Path) -> Result<UserFile, Trouble> {
    let Some(text) = text(path)? else { return Ok(UserFile::default()) };
    let unfit = |why: toml::de::Error| files::unreadable(path, why.message());
    let mut table: toml::Table = toml::from_str(&text).map_err(unfit)?;
    let folders = table.remove(FOLDERS).map(toml::Value::try_into).transpose().map_err(unfit)?.unwrap_or_default();
    let servers = table.remove(SERVERS).map(toml::Value::try_into).transpose().map_err(unfit)?.unwrap_or_default();
    check_servers(path, &servers)?;
    Ok(UserFile { settings: toml::Value::Table(table).try_into().map_err(unfit)?, folders, servers })
}

/// A server's name stands in rules, so it is plain; and there is exactly one way to reach it.
fn check_servers(path: &Path, servers: &NamedServers) -> Result<(), Trouble> {
    for (name, server) in servers {
        if !Server::may_be_called(name) {
            let why = format!("[servers.\"{name}\"]: a-z, A-Z, 0-9, - and _, at most 40");
            return Err(files::unreadable(path, &why));
        }
        let unfit =
            |unfit| Trouble::from(CompanionTrouble::Server { path: path.to_owned(), name: name.clone(), unfit });
        server.way().map_err(unfit)?;
    }
    Ok(())
}

/// The digest of what a project's file asks for that counts only once it is trusted.
fn digest(text: &str) -> String {
    let table: toml::Table = toml::from_str(text).unwrap_or_default();
    let allows = |rule: &&toml::Value| rule.get("verdict").and_then(toml::Value::as_str) == Some("allow");
    let rules = table.get("rules").and_then(toml::Value::as_array).into_iter().flatten();
    let allowed: Vec<&toml::Value> = rules.filter(allows).collect();
    let asked = json!([table.get("checks"), allowed, table.get(SERVERS)]);
    Digest::of(asked.to_string().as_bytes()).to_string()
}

/// The text of a settings file; none where there is none. One that never ends, or is no ordinary file, is told instead of
/// waited for: whoever wrote a repository chose what is there.
pub(super) fn text(path: &Path) -> Result<Option<String>, Trouble> {
    let unfit = |why: &str| files::unreadable(path, why);
    let flags = rustix::fs::OFlags::NONBLOCK.bits().cast_signed();
    let file = match std::fs::OpenOptions::new().read(true).custom_flags(flags).open(path) {
        Ok(file) => file,
        Err(why) if why.kind() == std::io::ErrorKind::NotFound => return Ok(None),
        Err(why) => return Err(unfit(&why.to_string())),
    };
    if !file.metadata().is_ok_and(|about| about.is_file()) {
        return Err(unfit("it is no ordinary file"));
    }
    let mut text = String::new();
    let read = file.take(LONGEST + 1).read_to_string(&mut text).map_err(|why| unfit(&why.to_string()))?;
    if read as u64 > LONGEST { Err(unfit(&format!("it has more than {LONGEST} bytes"))) } else { Ok(Some(text)) }
}

/// Keeps in the user's file that what a folder asks for is trusted.
pub fn trust(config: &Path, folder: &Path, found: &FolderSettings) -> Result<(), Trouble> {
    append(config, folder, &format!("[[{}]]\ndigest = \"{}\"\n", section(folder, ".trust"), found.digest))
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
    if before.contains(more) {
        return Ok(());
    }
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
    let typed = typed.trim();
    let (operation, pattern) = typed.split_once(char::is_whitespace).unwrap_or((typed, ""));
    let is_known = ["*", "change"].contains(&operation) || Operation::ALL.iter().any(|one| one.word() == operation);
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
        [servers.theirs]
        command = ["sh", "server"]
        [servers.mine]
        command = ["sh", "not mine"]
    "#;

    #[test]
    fn a_project_tightens_and_loosens_nothing_until_it_is_trusted() {
        let house = tempfile::tempdir().unwrap();
        let (config, folder) = (house.path().join("config"), house.path().join("work"));
        put(&folder.join(PROJECT_FILE), PROJECT);
        put(&config.join(FILE), "# mine\nbudget = 900\nrecoveries = 1\n[servers.mine]\ncommand = [\"mine\"]\n");
        let found = FolderSettings::read(&config, &folder).unwrap();
        assert_eq!(found.wishes(), ["tests: sh evil", "allow run *", "mine: sh not mine", "theirs: sh server"]);
        let commands =
            |servers: NamedServers| servers.into_values().map(|one| one.command.join(" ")).collect::<Vec<_>>();
        assert_eq!(commands(found.servers(false)), ["mine"]);
        assert_eq!(commands(found.servers(true)), ["mine", "sh server"]);
        let settings = found.settings(false);
        let said: Vec<String> = settings.rules.iter().map(Rule::say).collect();
        assert_eq!(said, ["deny change dist/**"]);
        assert_eq!((settings.checks.len(), settings.budget, settings.mode), (0, Some(500), Mode::Ask));
        assert_eq!(settings.recoveries, 1);

        keep(&config, &folder, &rule(Ruling::Allow, "change src/**").unwrap()).unwrap();
        let found = FolderSettings::read(&config, &folder).unwrap();
        trust(&config, &folder, &found).unwrap();
        let found = FolderSettings::read(&config, &folder).unwrap();
        assert_eq!((found.wishes(), commands(found.servers(false)).len()), (Vec::new(), 2));
        let settings = found.settings(false);
        let said: Vec<String> = settings.rules.iter().map(Rule::say).collect();
        assert_eq!(said, ["allow change src/**", "deny change dist/**", "allow run *"]);
        assert_eq!(settings.checks.len(), 1);
        let text = std::fs::read_to_string(config.join(FILE)).unwrap();
        assert!(text.starts_with("# mine\nbudget = 900\n"), "{text}");
        let elsewhere = FolderSettings::read(&config, house.path()).unwrap().settings(false);
        assert_eq!(elsewhere.rules, []);
    }

    /// Whoever can write into the folder, a model among them, must not run programs by what was trusted before.
    #[test]
    fn what_a_project_asks_for_anew_is_not_trusted_with_what_it_asked_before() {
        let house = tempfile::tempdir().unwrap();
        let (config, folder) = (house.path().join("config"), house.path().join("work"));
        put(&folder.join(PROJECT_FILE), PROJECT);
        put(&config.join(FILE), &format!("[{}]\ntrusted = true\n", section(&folder, "")));
        let found = || FolderSettings::read(&config, &folder).unwrap();
        // What was trusted without a word about what it was is asked for once more.
        assert_eq!((found().wishes().len(), found().servers(false).len(), found().was_trusted()), (4, 0, true));
        trust(&config, &folder, &found()).unwrap();
        assert_eq!((found().wishes().len(), found().servers(false).len(), found().was_trusted()), (0, 2, false));
        for (was, is) in [("sh\", \"server", "evil"), ("sh\", \"evil", "worse"), ("\"run\"", "\"*\"")] {
            put(&folder.join(PROJECT_FILE), &PROJECT.replacen(was, is, 1));
            assert_eq!((found().servers(false).len(), found().was_trusted()), (0, true), "{is}");
            let settings = found().settings(false);
            assert_eq!((settings.checks.len(), settings.rules.len()), (0, 1), "{is}");
        }
        trust(&config, &folder, &found()).unwrap();
        assert_eq!(found().servers(false).len(), 2);
        // What only tightens needs no trust.
        put(&folder.join(PROJECT_FILE), &PROJECT.replace("dist/**", "build/**").replace("500", "100"));
        assert_eq!((found().wishes().len(), found().settings(false).budget), (0, Some(100)));
    }

    #[test]
    fn a_settings_file_that_never_ends_or_is_no_file_is_told() {
        let house = tempfile::tempdir().unwrap();
        let path = house.path().join(FILE);
        let told = |why: &str| {
            let told = text(&path).unwrap_err();
            assert!(matches!(&told, Trouble::File { why: said, .. } if said.contains(why)), "{told:?}");
            std::fs::remove_file(&path).unwrap();
        };
        rustix::fs::mkfifoat(rustix::fs::CWD, &path, rustix::fs::Mode::RUSR).unwrap();
        told("no ordinary file");
        std::os::unix::fs::symlink("/dev/zero", &path).unwrap();
        told("no ordinary file");
        put(&path, &"#".repeat(2 << 20));
        told("more than");
    }

    #[test]
    fn a_file_with_a_word_that_means_nothing_is_told() {
        let house = tempfile::tempdir().unwrap();
        put(&house.path().join(FILE), "saftey_phase = 1\n");
        let told = FolderSettings::read(house.path(), house.path()).unwrap_err();
        assert!(matches!(&told, Trouble::File { why, .. } if why.contains("saftey_phase")), "{told:?}");
    }

    #[test]
    fn a_server_whose_name_is_not_plain_is_told() {
        let house = tempfile::tempdir().unwrap();
        put(&house.path().join(FILE), "[servers.\"a/b\"]\ncommand = [\"x\"]\n");
        let told = FolderSettings::read(house.path(), house.path()).unwrap_err();
        assert!(matches!(&told, Trouble::File { why, .. } if why.contains("a/b")), "{told:?}");
    }

    #[test]
    fn a_server_with_a_command_and_a_url_is_told_by_its_key_in_both_files() {
        let house = tempfile::tempdir().unwrap();
        for file in [FILE, PROJECT_FILE] {
            put(&house.path().join(file), "[servers.two]\ncommand = [\"x\"]\nurl = \"https://x.example\"\n");
            let told = FolderSettings::read(house.path(), house.path()).unwrap_err();
            let said = enza_terminal::words::trouble::say(&told, enza_kernel::text::Lang::En).message;
            assert!(
                said.ends_with("[servers.two]: It has both a command and a url. Leave one of the two out."),
                "{said}"
            );
            std::fs::remove_file(house.path().join(file)).unwrap();
        }
    }

    /// Whoever is asked sees where their variables would go.
    #[test]
    fn a_projects_address_is_a_wish_with_its_headers_and_another_address_is_another_wish() {
        let house = tempfile::tempdir().unwrap();
        let (config, folder) = (house.path().join("config"), house.path().join("work"));
        let of = |host: &str| {
            let headers = "headers = { Authorization = \"Bearer ${GITHUB_TOKEN}\" }";
            put(&folder.join(PROJECT_FILE), &format!("[servers.far]\nurl = \"https://{host}/mcp\"\n{headers}\n"));
            FolderSettings::read(&config, &folder).unwrap()
        };
        let found = of("good.example");
        assert_eq!(found.wishes(), ["far: https://good.example/mcp (Authorization: Bearer ${GITHUB_TOKEN})"]);
        assert_eq!(found.servers(false).len(), 0);
        trust(&config, &folder, &found).unwrap();
        assert_eq!(of("good.example").servers(false).len(), 1);
        assert_eq!((of("evil.example").servers(false).len(), of("evil.example").was_trusted()), (0, true));
    }

    #[test]
    fn a_rule_is_read_as_it_is_typed() {
        assert_eq!(rule(Ruling::Allow, " run cargo test * ").unwrap().say(), "allow run cargo test *");
        assert_eq!(rule(Ruling::Deny, "change").unwrap().say(), "deny change");
        assert_eq!(rule(Ruling::Deny, "destroy everything"), None);
    }
}
