//! What a person should know about a change before it is made.
//!
//! It only tells; whether something may be done is decided by the rules, which use the same words for it.

use std::collections::BTreeSet;

use enza_work::Finding;
use enza_work::hazard::{ExtensionClass, MASK, belongs_to_system, names_secrets, secrets};

use super::access::Access;
use super::ignored::is_ignored;
use super::overlay::{Content, OverlayFile};

/// One of the files that a change is about.
pub(super) struct ChangedFile<'a> {
    pub path: &'a str,
    pub sheet: &'a OverlayFile,
}

/// Everything there is to say, in order and once.
pub(super) fn findings(
    reach: &Access,
    sides: &[ChangedFile<'_>],
    before: Option<&Content>,
    after: Option<&Content>,
) -> Vec<Finding> {
    let mut findings: BTreeSet<Finding> = sides.iter().flat_map(|side| about_path(reach, side)).collect();
    findings.extend(about_content(reach.bounds.write, before, after));
    findings.into_iter().collect()
}

/// Whether what a file holds may not be shown.
pub(super) fn is_veiled(reach: &Access, path: &str) -> bool {
    (names_secrets(&reach.absolute(path)) && !reach.is_granted(path)) || reach.is_closed(path)
}

fn about_path(reach: &Access, side: &ChangedFile<'_>) -> Vec<Finding> {
    let ChangedFile { path, sheet } = side;
    let absolute = reach.absolute(path);
    // What git runs by itself is as dangerous as a program.
    let is_of_git = path.split('/').any(|part| part.eq_ignore_ascii_case(".git"));
    // The project's and the person's own settings: rules, checks, and servers that are started unconfined.
    let (_, name) = absolute.rsplit_once('/').unwrap_or_default();
    let governs = path.split('/').any(|part| part.eq_ignore_ascii_case(".enza")) || reach.governs(name);
    let ending = reach.bounds.endings.class(path);
    let mut findings = Vec::new();
    let mut note = |applies: bool, finding: Finding| findings.extend(applies.then_some(finding));
    note(sheet.outside, Finding::Outside);
    note(belongs_to_system(&absolute), Finding::System);
    note(names_secrets(&absolute), Finding::SecretFile);
    note(governs, Finding::Governs);
    note(ending == ExtensionClass::Dangerous || is_of_git, Finding::Dangerous);
    note(ending == ExtensionClass::Unknown, Finding::UnknownEnding);
    note(!sheet.outside && is_ignored(reach.home(), path), Finding::Ignored);
    note(sheet.names > 1, Finding::HardLinked { names: sheet.names });
    findings.extend(sheet.asked.clone().map(|asked| Finding::Link { asked }));
    findings
}

fn about_content(most: u64, before: Option<&Content>, after: Option<&Content>) -> Vec<Finding> {
    let mut findings = Vec::new();
    let is_binary = |content: Option<&Content>| content.is_some_and(|content| content.text.is_none());
    if is_binary(before) || is_binary(after) {
        findings.push(Finding::Binary);
    }
    let Some(after) = after else { return findings };
    let is_new = before.is_none_or(|before| before.digest != after.digest);
    if after.bytes > most && is_new {
        findings.push(Finding::Large { bytes: after.bytes });
    }
    let text = |content: Option<&Content>| content.and_then(|content| content.text.clone()).unwrap_or_default();
    let (old, new) = (text(before), text(Some(after)));
    let known: BTreeSet<&str> = secrets(&old).into_iter().map(|secret| &old[secret.range]).collect();
    let written = secrets(&new).into_iter().filter(|secret| !known.contains(&new[secret.range.clone()]));
    findings.extend(written.map(|secret| Finding::SecretText { kind: secret.kind.name().to_owned() }));
    if new.contains(MASK) && !old.contains(MASK) {
        findings.push(Finding::Masked);
    }
    findings
}
