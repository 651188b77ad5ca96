//! Every code that leaves the building, in one list. Each has a page in `docs/errors/`.
//!
//! A code is given where the trouble is known: in an application's refusal, in a failure of the store, here. The tests
//! below read those places in the source and hold this list and the pages to them.

/// All of them, in alphabetical order.
pub const ALL: &[&str] = &[
    "account-blocked",
    "accounts-needed",
    "address-unusable",
    "agent-failed",
    "already-open",
    "already-submitted",
    "answer-unread",
    "application-unknown",
    "backup-damaged",
    "backup-exists",
    "body-malformed",
    "body-of-another-kind",
    "body-too-large",
    "body-unfit",
    "budget-exceeded",
    "budget-not-higher",
    "cassette-unusable",
    "checks-failed",
    "command-malformed",
    "command-too-large",
    "config-unusable",
    "consent-missing",
    "data-folder-unusable",
    "database-damaged",
    "database-in-use",
    "database-log-damaged",
    "database-missing",
    "database-newer",
    "database-read-only",
    "database-refused",
    "database-there",
    "database-unreachable",
    "disk-full",
    "doctor-found-faults",
    "event-damaged",
    "event-unknown",
    "event-unreadable",
    "field-required",
    "field-unknown",
    "fields-missing",
    "file-not-taken",
    "file-too-large",
    "file-unreadable",
    "files-full",
    "folder-closed",
    "folder-unfit",
    "forbids-nothing",
    "foreign-host",
    "foreign-origin",
    "foreign-table",
    "form-already-begun",
    "form-closed",
    "form-edited-meanwhile",
    "form-faulty",
    "form-files-full",
    "form-full",
    "form-not-begun",
    "form-not-yours",
    "form-unpublished",
    "gate-answered",
    "gate-expired",
    "gate-needs-a-person",
    "gate-not-yours",
    "gate-unknown",
    "half-a-page",
    "internal-error",
    "interrupted",
    "interview-abandoned",
    "interview-already-opened",
    "interview-not-opened",
    "interview-not-yours",
    "key-missing",
    "key-reused",
    "key-unusable",
    "last-administrator",
    "link-revoked",
    "link-spent",
    "link-unfit",
    "link-unknown",
    "link-used",
    "links-exhausted",
    "method-wrong",
    "model-silent",
    "model-too-large",
    "model-unknown",
    "move-not-allowed",
    "moves-exhausted",
    "name-taken",
    "name-unfit",
    "needs-a-person",
    "needs-a-yes",
    "no-question-open",
    "no-such-gate",
    "no-such-hunk",
    "no-such-line",
    "no-such-task",
    "no-such-turn",
    "no-webhook",
    "not-allowed",
    "not-confirming",
    "not-open",
    "not-signed-in",
    "not-yet",
    "not-your-turn",
    "nothing-failed",
    "nothing-here",
    "nothing-to-accept",
    "nothing-to-back-up",
    "nothing-to-commit",
    "nothing-to-publish",
    "nothing-to-retry",
    "nothing-under-way",
    "null-character",
    "operation-denied",
    "password-common",
    "password-unfit",
    "password-wrong",
    "person-unknown",
    "place-unknown",
    "prompt-differs",
    "pull-damaged",
    "pull-failed",
    "pull-under-way",
    "queue-full",
    "registration-closed",
    "replay-differs",
    "request-too-slow",
    "request-under-way",
    "request-unfinished",
    "rules-unfit",
    "server-busy",
    "server-missing",
    "session-ambiguous",
    "session-contended",
    "session-exists",
    "session-has-family",
    "session-has-forks",
    "session-of-another-kind",
    "session-stuck",
    "session-unknown",
    "simulation-violated",
    "table-faulty",
    "text-empty",
    "text-too-long",
    "too-many-requests",
    "too-many-tasks",
    "too-much-forbidden",
    "upgrade-required",
    "usage-wrong",
    "waiting-at-a-gate",
    "waiting-for-an-answer",
    "webhook-unfit",
    "weights-damaged",
    "weights-missing",
    "work-under-way",
];

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    fn root() -> PathBuf {
        Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
    }

    fn sources(folder: &Path, found: &mut Vec<PathBuf>) {
        for entry in fs::read_dir(folder).unwrap().flatten() {
            let path = entry.path();
            if path.is_dir() {
                sources(&path, found);
            } else if path.extension().is_some_and(|ending| ending == "rs") {
                found.push(path);
            }
        }
    }

    /// The words in quotes of every function that gives codes. The kernel's test application leaves no building.
    fn codes_given() -> BTreeSet<String> {
        let mut files = Vec::new();
        for room in ["kernel", "runtime", "storage", "server", "cli"] {
            sources(&root().join(room).join("src"), &mut files);
        }
        sources(&root().join("applications"), &mut files);
        files.retain(|file| file.components().any(|part| part.as_os_str() == "src"));
        let mut codes = BTreeSet::new();
        for file in files.iter().filter(|file| !file.components().any(|part| part.as_os_str() == "testing")) {
            let text = fs::read_to_string(file).unwrap();
            for opening in ["fn code(&self)", "fn code_of"] {
                for (place, _) in text.match_indices(opening) {
                    codes.extend(quoted(body(&text[place..])));
                }
            }
        }
        codes
    }

    /// A function's body, without what follows it; one that is only promised has none.
    fn body(text: &str) -> &str {
        let opens = text.find('{').filter(|open| text.find(';').is_none_or(|end| *open < end));
        let Some(opens) = opens else { return "" };
        let mut depth = 0;
        for (place, letter) in text[opens..].char_indices() {
            match letter {
                '{' => depth += 1,
                '}' => depth -= 1,
                _ => {}
            }
            if depth == 0 {
                return &text[opens..opens + place];
            }
        }
        &text[opens..]
    }

    fn quoted(text: &str) -> Vec<String> {
        text.split('"').skip(1).step_by(2).map(str::to_owned).collect()
    }

    #[test]
    fn the_list_has_every_code_that_the_source_gives() {
        let listed: BTreeSet<String> = ALL.iter().map(|code| (*code).to_owned()).collect();
        assert_eq!(listed, codes_given());
    }

    #[test]
    fn every_code_has_a_page_and_every_page_a_code() {
        let pages = fs::read_dir(root().join("docs/errors")).unwrap().flatten();
        let pages: BTreeSet<String> =
            pages.filter_map(|page| Some(page.file_name().to_str()?.strip_suffix(".md")?.to_owned())).collect();
        let listed: BTreeSet<String> = ALL.iter().map(|code| (*code).to_owned()).collect();
        assert_eq!(pages, listed);
    }

    #[test]
    fn every_page_says_in_both_languages_what_happened_why_and_what_to_do() {
        for code in ALL {
            let page = fs::read_to_string(root().join("docs/errors").join(format!("{code}.md"))).unwrap();
            assert!(page.starts_with(&format!("# {code}\n")), "{code}");
            for heading in [
                "**What happened.**",
                "**Why.**",
                "**What to do.**",
                "**何が起きたか。**",
                "**なぜか。**",
                "**どうするか。**",
            ] {
                assert_eq!(page.matches(heading).count(), 1, "{code}: {heading}");
            }
        }
    }
}
