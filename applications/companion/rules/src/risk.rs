//! How much is at stake in an operation, by rule (DUCK-91, DUCK-119, G31).
//!
//! The operation, what kind of file it touches, how large the change is, whether it can be taken back, and secrets all
//! raise it. A model may raise it further and never lowers it.

use enza_kernel::gate::Risk;

use schemars::JsonSchema;
use serde::{Deserialize, Serialize};

use super::action::Operation;
use super::settings::Settings;
use enza_work::pattern::{RUNNERS, base};
use enza_work::{Finding, PreparedChange};

/// What makes an operation risky, as far as it can be set.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize, JsonSchema)]
#[serde(default, deny_unknown_fields)]
pub struct RiskTable {
    /// More changed lines than this, and a change is no small one.
    pub many_lines: u32,
    /// More files at once than this, and the impact is wide.
    pub many_files: u32,
    /// Programs, or programs with their first word, that undo what cannot be redone, or reach out: always asked afresh.
    pub grave: Vec<String>,
    /// The same that only look, or only build and test what is there.
    pub looking: Vec<String>,
}

const GRAVE: &str = "rm|rmdir|dd|mkfs|shred|sudo|su|doas|chown|chmod|mount|umount|kill|pkill|killall|reboot|shutdown|truncate|\
    curl|wget|ssh|scp|rsync|nc|docker|podman|kubectl|systemctl|crontab|git push|git reset|git clean|git checkout|git restore|\
    git rebase|git stash|git branch|git config|git switch|git rm|git merge|git worktree|git commit|git filter-branch|cargo publish|cargo install|npm publish|npm install|pip install|apt install|\
    apt-get install|yarn publish";
const LOOKING: &str = "ls|cat|head|tail|wc|grep|rg|find|pwd|echo|which|file|stat|du|df|tree|diff|sort|uniq|git status|git diff|\
    git log|git show|cargo check|cargo test|cargo clippy|cargo fmt|npm test|go test|go vet|pytest|python -m pytest|\
    python -m unittest|python3 -m pytest|python3 -m unittest|make test|make check|node --test";
/// Programs that do whatever their arguments say.
const ANYTHING: &str = "python|python3|perl|ruby|node|deno|bun|php|lua|awk";
/// Options that make a program that only looks write, delete or run something.
const TURNING: &str = "-delete|-exec|-execdir|-ok|-okdir|-fls|--pre|--set";
/// The same, as far as these programs go.
const TURNING_HERE: &str = "sort -o|tree -o|date -s";

impl Default for RiskTable {
    fn default() -> Self {
        let list = |words: &str| words.split('|').map(str::to_owned).collect();
        Self { many_lines: 80, many_files: 8, grave: list(GRAVE), looking: list(LOOKING) }
    }
}

/// The risk of a change to one file.
pub(super) fn of_change(change: &PreparedChange, operation: Operation, files: usize, table: &RiskTable) -> Risk {
    let by_operation = match operation {
        Operation::Delete => Risk::High,
        Operation::Move => Risk::Medium,
        Operation::Write
        | Operation::Edit
        | Operation::Append
        | Operation::Patch
        | Operation::Create
        | Operation::List
        | Operation::Read
        | Operation::Search
        | Operation::Run
        | Operation::Tool => Risk::Low,
    };
    let goes = change.change.before.is_some() && change.change.after.is_none() && change.change.to.is_none();
    let by_size = if change.added + change.removed > table.many_lines { Risk::Medium } else { Risk::Low };
    let by_files = if files > table.many_files as usize { Risk::High } else { Risk::Low };
    let by_findings = change.findings.iter().map(of_finding).max().unwrap_or(Risk::Low);
    [by_operation, if goes { Risk::High } else { Risk::Low }, by_size, by_files, by_findings]
        .into_iter()
        .max()
        .unwrap_or(Risk::Low)
}

fn of_finding(finding: &Finding) -> Risk {
    match finding {
        Finding::System => Risk::Critical,
        Finding::Outside | Finding::SecretFile | Finding::SecretText { .. } | Finding::Dangerous => Risk::High,
        Finding::Large { .. } | Finding::HardLinked { .. } | Finding::Masked | Finding::Governs => Risk::High,
        Finding::UnknownEnding | Finding::Binary | Finding::Ignored | Finding::Link { .. } | Finding::DiffCut => {
            Risk::Medium
        }
    }
}

/// Whether a change is always asked afresh, whatever is allowed: deleting, the system's files, large ones, secrets,
/// outside the folder (DUCK-88).
pub(super) fn is_always_asked(change: &PreparedChange) -> bool {
    let goes = change.change.before.is_some() && change.change.after.is_none() && change.change.to.is_none();
    goes || change.findings.iter().any(|finding| of_finding(finding) >= Risk::High)
}

/// Why a change is not made at all, whatever anybody says.
pub(super) fn refused(change: &PreparedChange, settings: &Settings) -> Option<&'static str> {
    let has = |wanted: &Finding| change.findings.contains(wanted);
    if has(&Finding::System) {
        return Some("system");
    }
    if has(&Finding::Dangerous) && settings.safety_phase >= 2 {
        return Some("dangerous");
    }
    if has(&Finding::Masked) {
        return Some("masked");
    }
    if has(&Finding::Outside) && settings.safety_phase < 3 {
        return Some("outside");
    }
    None
}

/// The risk of a command.
pub(super) fn of_command(words: &[String], network: bool, table: &RiskTable) -> Risk {
    let called = ProgramCall::of(words);
    let is_in = |list: &[String]| list.iter().any(|known| called.is(known));
    let is_one_of = |list: &str| list.split('|').any(|known| known == called.program);
    if is_in(&table.grave) {
        let is_forced = |word: &String| word == "/" || word.starts_with("-rf") || word == "--force" || word == "-f";
        return if words.iter().any(is_forced) { Risk::Critical } else { Risk::High };
    }
    if network || (is_in(&table.looking) && called.turns()) {
        return Risk::High;
    }
    if is_in(&table.looking) {
        return Risk::Low;
    }
    if is_one_of(RUNNERS) || is_one_of(ANYTHING) { Risk::High } else { Risk::Medium }
}

/// The pattern of a command that is allowed from now on: what only looks, builds or tests may do so with other arguments;
/// anything else is allowed word for word.
pub(super) fn lasting(command: &str, table: &RiskTable) -> String {
    let words: Vec<String> = command.split_whitespace().map(str::to_owned).collect();
    let called = ProgramCall::of(&words);
    let known = table.looking.iter().filter(|known| called.is(known)).max_by_key(|known| known.len());
    match known.filter(|known| command == **known || command.starts_with(&format!("{known} "))) {
        Some(known) => format!("{known} *"),
        None => command.to_owned(),
    }
}

/// A command as it is known: its program, however it is reached, and what it is told to do.
struct ProgramCall<'a> {
    program: &'a str,
    rest: &'a [String],
}

impl<'a> ProgramCall<'a> {
    fn of(words: &'a [String]) -> Self {
        Self { program: words.first().map_or("", |word| base(word)), rest: words.get(1..).unwrap_or_default() }
    }

    /// Whether this is what it does: the program alone, or the program and its first words, options before them aside.
    fn is(&self, known: &str) -> bool {
        let Some((program, told)) = known.split_once(' ') else { return known == self.program };
        let told: Vec<&str> = told.split(' ').collect();
        let begins =
            |rest: &[String]| rest.len() >= told.len() && rest.iter().zip(&told).all(|(word, one)| word == one);
        let takes_a_word = |word: &String| matches!(word.as_str(), "-C" | "-c");
        let mut rest = self.rest;
        let mut found = begins(rest);
        while let Some(option) = rest.first().filter(|word| word.starts_with('-') && !found) {
            rest = rest.get(1 + usize::from(takes_a_word(option))..).unwrap_or_default();
            found = begins(rest);
        }
        program == self.program && found
    }

    /// Whether its arguments make more of it than a look.
    fn turns(&self) -> bool {
        let turns = |word: &str| {
            TURNING.split('|').any(|option| option == word)
                || word.starts_with("--output")
                || word.starts_with("-fprint")
                || word.starts_with("--pre=")
                || TURNING_HERE
                    .split('|')
                    .any(|both| both == format!("{} {}", self.program, word.get(..2).unwrap_or(word)))
        };
        self.rest.iter().any(|word| turns(word))
    }
}

/// The risk that a model names in words, if it does.
pub(super) fn named(words: &str) -> Option<Risk> {
    let words = words.trim_start().to_lowercase();
    let begins = |list: &[&str]| list.iter().any(|word| words.starts_with(word));
    if begins(&["critical", "重大"]) {
        return Some(Risk::Critical);
    }
    if begins(&["high", "高"]) {
        return Some(Risk::High);
    }
    begins(&["medium", "中"]).then_some(Risk::Medium)
}

#[cfg(test)]
mod tests {
    use enza_kernel::gate::Risk;

    use super::{RiskTable, lasting, of_command};

    fn risk(command: &str) -> Risk {
        let words: Vec<String> = command.split(' ').map(str::to_owned).collect();
        of_command(&words, false, &RiskTable::default())
    }

    /// DUCK-91, DUCK-119, G31: by the program and by what it is told to do.
    #[test]
    fn the_risk_of_a_command_goes_by_what_it_can_do() {
        for (expected, commands) in [
            (
                Risk::Low,
                vec!["ls -l", "cargo test", "git -C . status", "python3 -m pytest -q", "find . -name x", "grep -o a b"],
            ),
            (Risk::Medium, vec!["make all", "npm run build", "cargo run"]),
            (
                Risk::High,
                vec![
                    "rm a",
                    "git -C . clean",
                    "find . -delete",
                    "find . -exec rm {} ;",
                    "sort -o a b",
                    "sort -oa b",
                    "git diff --output=a",
                    "rg --pre x",
                    "python3 -m timeit x",
                    "timeout 60 make",
                    "sh -c ls",
                    "/bin/rm a",
                ],
            ),
            (Risk::Critical, vec!["rm -rf a", "git push --force"]),
        ] {
            for command in commands {
                assert_eq!(risk(command), expected, "{command}");
            }
        }
        assert_eq!(of_command(&["ls".to_owned()], true, &RiskTable::default()), Risk::High, "with the network");
    }

    /// A lasting yes allows what was asked, and other arguments only where none can do harm.
    #[test]
    fn what_is_allowed_from_now_on_is_no_more_than_was_asked() {
        let pattern = |command: &str| lasting(command, &RiskTable::default());
        assert_eq!(pattern("cargo test -p a"), "cargo test *");
        assert_eq!(pattern("python3 -m pytest x"), "python3 -m pytest *");
        for exact in ["python3 -m timeit x", "timeout 60 cargo test", "git -C . status", "npm run build", "make all"] {
            assert_eq!(pattern(exact), exact);
        }
    }
}
