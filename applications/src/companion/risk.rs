//! How much is at stake in an operation, by rule (DUCK-91, DUCK-119, G31).
//!
//! The operation, what kind of file it touches, how large the change is, whether it can be taken back, and secrets all
//! raise it. A model may raise it further and never lowers it.

use enza_kernel::gate::Risk;

use super::action::Operation;
use super::settings::Settings;
use super::work::{Finding, Prepared};

/// More changed lines than this, and a change is no small one.
const MANY_LINES: u32 = 80;
/// More files at once than this, and the impact is wide.
const MANY_FILES: usize = 8;

/// The risk of a change to one file.
pub(super) fn of_change(change: &Prepared, operation: Operation, files: usize) -> Risk {
    let by_operation = match operation {
        Operation::Delete => Risk::High,
        Operation::Move => Risk::Medium,
        Operation::Write
        | Operation::Edit
        | Operation::Patch
        | Operation::Create
        | Operation::List
        | Operation::Read
        | Operation::Search
        | Operation::Run
        | Operation::Tool => Risk::Low,
    };
    let goes = change.change.before.is_some() && change.change.after.is_none() && change.change.to.is_none();
    let by_size = if change.added + change.removed > MANY_LINES { Risk::Medium } else { Risk::Low };
    let by_files = if files > MANY_FILES { Risk::High } else { Risk::Low };
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
        Finding::Large { .. } | Finding::HardLinked { .. } | Finding::Masked => Risk::High,
        Finding::UnknownEnding | Finding::Binary | Finding::Ignored | Finding::Link { .. } | Finding::DiffCut => {
            Risk::Medium
        }
    }
}

/// Whether a change is always asked afresh, whatever is allowed: deleting, the system's files, large ones, secrets,
/// outside the folder (DUCK-88).
pub(super) fn is_always_asked(change: &Prepared) -> bool {
    let goes = change.change.before.is_some() && change.change.after.is_none() && change.change.to.is_none();
    goes || change.findings.iter().any(|finding| of_finding(finding) >= Risk::High)
}

/// Why a change is not made at all, whatever anybody says.
pub(super) fn refused(change: &Prepared, settings: &Settings) -> Option<&'static str> {
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

/// Programs that undo what cannot be redone, or reach out.
const GRAVE: &str = "rm|rmdir|dd|mkfs|shred|sudo|su|doas|chown|chmod|mount|umount|kill|pkill|killall|reboot|shutdown|truncate|\
    curl|wget|ssh|scp|rsync|nc|docker|podman|kubectl|systemctl|crontab";
/// The same, by their first two words.
const GRAVE_PAIRS: &str = "git push|git reset|git clean|git checkout|git restore|git rebase|git stash|git branch|cargo publish|\
    cargo install|npm publish|npm install|pip install|apt install|apt-get install|yarn publish";
/// Programs that only look.
const LOOKING: &str = "ls|cat|head|tail|wc|grep|rg|find|pwd|echo|date|which|file|stat|du|df|tree|diff|sort|uniq";
/// The same, by their first two words.
const LOOKING_PAIRS: &str = "git status|git diff|git log|git show|cargo check|cargo test|cargo clippy|cargo fmt|npm test|npm run|\
    go test|go vet|pytest -q|python -m|python3 -m|make test|make check|node --test";

/// The risk of a command.
pub(super) fn of_command(words: &[String], network: bool) -> Risk {
    let program = words.first().map_or("", |word| word.rsplit('/').next().unwrap_or(word));
    let pair = format!("{program} {}", words.get(1).map_or("", String::as_str));
    let is_in = |list: &str, one: &str| list.split('|').any(|word| word == one);
    let is_shell = is_in("sh|bash|zsh|dash|fish|eval|env|xargs|python|python3|perl|ruby|node", program);
    if is_in(GRAVE, program) || is_in(GRAVE_PAIRS, &pair) {
        return if words.iter().any(|word| word == "/" || word.starts_with("-rf") || word == "--force" || word == "-f") {
            Risk::Critical
        } else {
            Risk::High
        };
    }
    if network {
        return Risk::High;
    }
    if is_in(LOOKING, program) || is_in(LOOKING_PAIRS, &pair) {
        return Risk::Low;
    }
    if is_shell { Risk::High } else { Risk::Medium }
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
