//! The applications of this build. To add one is to add it here.
//!
//! The tests below hold what is read off this list to the source and the documents: the codes that leave the building,
//! each of which has a page in `docs/errors/`, and the help of every order.

use std::sync::Arc;

use enza_companion::Companion;
use enza_companion_simulation::CompanionRole;
use enza_companion_terminal::CompanionTerminal;
use enza_forms::Forms;
use enza_forms_simulation::FormsRole;
use enza_interview::Interview;
use enza_interview_simulation::{DifficultRole, InterviewRole};
use enza_interview_terminal::{InterviewDrill, InterviewTerminal, InterviewTour};
use enza_terminal::applications::{Applications, Registered};

/// All of them, in the order in which they are listed.
pub fn all() -> Applications {
    Applications::new(vec![interview(), forms(), companion()])
}

fn interview() -> Registered {
    Registered {
        codes: vec![enza_interview::CODES],
        roles: vec![Arc::new(InterviewRole), Arc::new(DifficultRole)],
        tools: Some(enza_interview_terminal::tools),
        web: Some(enza_interview_terminal::web),
        terminal: Some(Arc::new(InterviewTerminal)),
        drill: Some(Arc::new(InterviewDrill)),
        tour: Some(Arc::new(InterviewTour)),
        ..Registered::of::<Interview>(|all, _| Ok(all.with(Interview::new())))
    }
}

/// Its orders are those of interviews.
fn forms() -> Registered {
    Registered {
        codes: vec![enza_forms::CODES, enza_forms_web::CODES],
        roles: vec![Arc::new(FormsRole)],
        tools: Some(enza_forms_terminal::tools),
        web: Some(enza_forms_terminal::web),
        ..Registered::of::<Forms>(|all, _| Ok(all.with(Forms::new())))
    }
}

fn companion() -> Registered {
    Registered {
        codes: vec![enza_companion::CODES, enza_companion_terminal::CODES, enza_companion_web::CODES],
        mask: Some(enza_companion_web::MASK),
        is_for_admins: true,
        roles: vec![Arc::new(CompanionRole)],
        tools: Some(enza_companion_terminal::tools),
        web: Some(enza_companion_terminal::web),
        terminal: Some(Arc::new(CompanionTerminal)),
        ..Registered::of::<Companion>(enza_companion_terminal::rules)
    }
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;
    use std::fs;
    use std::path::{Path, PathBuf};

    use super::*;

    /// The codes of applications whose rules are there and whose entry is still to come.
    const COMING: [&[&str]; 4] = [
        enza_deliberation::DEBATER_CODES,
        enza_deliberation::STABLE_CODES,
        enza_deliberation::debate::CODES,
        enza_deliberation::topic::CODES,
    ];

    #[test]
    fn the_tables_of_all_applications_can_be_shown_in_one_database() {
        assert_eq!(all().registry().shown_tables().err(), None);
    }

    /// The frame's list of codes, and those of every application.
    fn lists() -> Vec<&'static [&'static str]> {
        let mut lists = vec![enza_terminal::codes::CODES];
        lists.extend(all().iter().flat_map(|one| one.codes.iter().copied()));
        // Its rules stand before its entry.
        lists.extend(COMING);
        lists
    }

    fn listed() -> BTreeSet<String> {
        lists().concat().into_iter().map(str::to_owned).collect()
    }

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
        for room in ["kernel", "runtime", "storage", "server", "terminal", "applications", "cli"] {
            sources(&root().join(room), &mut files);
        }
        // Tests give codes that leave no building either.
        let is_source = |file: &PathBuf| file.components().any(|part| part.as_os_str() == "src");
        files.retain(is_source);
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
        assert_eq!(listed(), codes_given());
    }

    #[test]
    fn every_code_has_a_page_and_every_page_a_code() {
        let pages = fs::read_dir(root().join("docs/errors")).unwrap().flatten();
        let pages: BTreeSet<String> =
            pages.filter_map(|page| Some(page.file_name().to_str()?.strip_suffix(".md")?.to_owned())).collect();
        assert_eq!(pages, listed());
    }

    #[test]
    fn every_page_says_in_both_languages_what_happened_why_and_what_to_do() {
        for code in listed() {
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

    #[test]
    fn whoever_is_told_something_by_an_application_is_here() {
        let registry = all().registry();
        let names: BTreeSet<_> = registry.names().collect();
        for name in &names {
            let reach = registry.find(name).unwrap().reach();
            assert!(reach.tells.iter().all(|told| names.contains(told)), "{name} may tell {:?}", reach.tells);
        }
    }

    #[test]
    fn every_order_and_argument_is_explained_and_nothing_else_is() {
        assert_eq!(enza_terminal::words::help::faults(&all()), Vec::<String>::new());
    }

    #[test]
    fn a_code_stands_in_one_list_and_there_in_its_alphabetical_place() {
        let mut seen = BTreeSet::new();
        let twice: Vec<&str> = lists().concat().into_iter().filter(|code| !seen.insert(*code)).collect();
        assert_eq!(twice, Vec::<&str>::new(), "what several give belongs to the frame's list");
        for codes in lists() {
            assert!(codes.is_sorted(), "{codes:?}");
        }
    }
}
