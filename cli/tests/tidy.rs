//! Holds the house in order: headers, sizes, dependencies, and nothing left undone.
//!
//! What is checked here never has to be said in review. Each test lists everything that is out of order at once.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use crate::sources::{dependencies, files, is_source, root, type_name};

/// Past this many lines before its tests, a file has two subjects.
const LONGEST: usize = 500;

/// What the kernel may depend on: nothing that performs.
const KERNEL: &[&str] =
    &["jiff", "schemars", "serde", "serde_json", "sha2", "thiserror", "toml", "unicode-segmentation"];
/// What the rules of applications may depend on: the kernel, what is to be done in a folder, the form that an interview
/// asks, who sits in a debate and how opinions are counted, what only describes data, and what only computes: days, letters
/// and digests.
const RULES: &[&str] = &[
    "enza-deliberation-cast",
    "enza-interview",
    "enza-kernel",
    "enza-opinion",
    "enza-work",
    "jiff",
    "schemars",
    "serde",
    "serde_json",
    "sha2",
    "toml",
    "unicode-normalization",
];

/// What the mathematics of opinion may depend on: reading and writing tables, days, and what only describes data.
const OPINION: &[&str] = &["csv", "jiff", "serde"];

fn offenders(wrong: impl Fn(&Path, &str) -> bool) -> Vec<PathBuf> {
    files("rs").into_iter().filter(|(path, text)| wrong(path, text)).map(|(path, _)| path).collect()
}

#[test]
fn every_file_begins_by_saying_what_it_is_for() {
    let silent = offenders(|_, text| !text.starts_with("//!"));
    assert!(silent.is_empty(), "no header: {silent:#?}");
}

#[test]
fn no_file_has_grown_a_second_subject() {
    let long = offenders(|_, text| {
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(text);
        code.lines().count() > LONGEST
    });
    assert!(long.is_empty(), "more than {LONGEST} lines: {long:#?}");
}

#[test]
fn whatever_a_crate_offers_says_what_it_is() {
    let mut silent = Vec::new();
    // Only libraries offer something; a program's parts are for itself.
    let is_library = |path: &Path| !path.starts_with("cli") && !path.starts_with("bench");
    for (path, text) in files("rs").into_iter().filter(|(path, _)| is_source(path) && is_library(path)) {
        let code = text.split("#[cfg(test)]\nmod tests").next().unwrap_or(&text);
        let (mut is_said, mut in_attribute) = (false, false);
        for line in code.lines() {
            if line.starts_with("pub ") && is_item(line) && !is_said {
                silent.push(format!("{}: {line}", path.display()));
            }
            // Attributes stand between an item and what is said of it.
            in_attribute = (in_attribute || line.starts_with("#[")) && !line.ends_with(']');
            is_said = line.starts_with("///") || (is_said && (in_attribute || line.ends_with(']')));
        }
    }
    assert!(silent.is_empty(), "nothing is said of {silent:#?}");
}

#[test]
fn a_name_means_one_type_in_its_crate() {
    let mut named: BTreeMap<(PathBuf, String), BTreeSet<PathBuf>> = BTreeMap::new();
    for (path, text) in files("rs").into_iter().filter(|(path, _)| is_source(path)) {
        let room: PathBuf = path.iter().take_while(|part| *part != "src").collect();
        for name in text.lines().filter_map(type_name) {
            named.entry((room.clone(), name.to_owned())).or_default().insert(path.clone());
        }
    }
    let twice: Vec<_> = named.into_iter().filter(|(_, places)| places.len() > 1).collect();
    assert!(twice.is_empty(), "one name for several types: {twice:#?}");
}

/// Whether a line that begins with `pub` begins an item rather than a field.
fn is_item(line: &str) -> bool {
    let words = ["struct", "enum", "trait", "type", "fn", "const", "static", "async", "unsafe"];
    line.split_whitespace().nth(1).is_some_and(|word| words.contains(&word))
}

#[test]
fn nothing_is_left_undone_or_untested() {
    // Put together here, so that this file does not find itself.
    let words = [["todo", "!("], ["unimplemented", "!("], ["#[ign", "ore"]].map(|parts| parts.concat());
    let undone = offenders(|_, text| words.iter().any(|word| text.contains(word)));
    assert!(undone.is_empty(), "unfinished: {undone:#?}");
}

/// Every program more is linked with everything again.
#[test]
fn a_crates_tests_are_one_program() {
    let (mut many, mut looked) = (Vec::new(), 0);
    for (path, text) in files("toml").into_iter().filter(|(path, _)| path.ends_with("Cargo.toml")) {
        let tests = root().join(&path).parent().unwrap().join("tests");
        let mut names = BTreeSet::new();
        if tests.is_dir() {
            walk_all(&tests, &mut names);
        }
        let names = names.iter().filter_map(|name| name.strip_prefix(path.parent().unwrap()).ok()?.to_str());
        let programs = test_programs(&text, &names.collect::<Vec<_>>());
        looked += programs.len();
        if programs.len() > 1 {
            many.push((path, programs));
        }
    }
    assert!(many.is_empty(), "make them modules of one tests/main.rs: {many:#?}");
    assert!(looked > 10, "only {looked} programs of tests were found");
}

#[test]
fn a_second_program_of_tests_is_seen_however_it_comes() {
    let (found, named) = ("[package]\nname = \"a\"\n", "[package]\nname = \"a\"\nautotests = false\n");
    let main = "[[test]]\nname = \"main\"\npath = \"tests/main.rs\"\n";
    let other = "[[test]]\nname = \"b\"\npath = \"tests/b/mod.rs\"\n";
    let files = ["tests/main.rs", "tests/b/mod.rs", "tests/b/c/main.rs", "tests/words.rs"];
    assert_eq!(test_programs(found, &files[..3]), set(&["tests/main.rs"]));
    assert_eq!(test_programs(found, &files), set(&["tests/main.rs", "tests/words.rs"]));
    assert_eq!(test_programs(found, &["tests/b/main.rs", "tests/d/main.rs"]).len(), 2);
    assert_eq!(test_programs(&format!("{named}{main}"), &files), set(&["tests/main.rs"]));
    assert_eq!(test_programs(&format!("{named}{main}{other}"), &files), set(&["tests/main.rs", "tests/b/mod.rs"]));
    assert_eq!(test_programs(&format!("{found}{main}{other}"), &files[..1]).len(), 2);
}

/// The root of every program of tests that a manifest names and, unless it forbids that, cargo finds among these files.
fn test_programs(manifest: &str, files: &[&str]) -> BTreeSet<String> {
    let table: toml::Table = toml::from_str(manifest).unwrap();
    let named = table.get("test").and_then(toml::Value::as_array).into_iter().flatten();
    let path = |test: &toml::Value| match (test.get("path"), test.get("name")) {
        (Some(path), _) => path.as_str().unwrap().to_owned(),
        (None, Some(name)) => format!("tests/{}.rs", name.as_str().unwrap()),
        (None, None) => panic!("a test without a name: {test}"),
    };
    let mut programs: BTreeSet<String> = named.map(path).collect();
    let finds = table.get("package").and_then(|package| package.get("autotests")?.as_bool());
    if finds.unwrap_or(true) {
        let is_root = |file: &&&str| match file.split('/').collect::<Vec<_>>()[..] {
            ["tests", name] => name.ends_with(".rs"),
            ["tests", _, name] => name == "main.rs",
            _ => false,
        };
        programs.extend(files.iter().filter(is_root).map(|file| (*file).to_owned()));
    }
    programs
}

/// What a person reads never shows a value as our code writes it.
#[test]
fn no_text_for_people_is_made_from_a_debug_form() {
    // Words and pages of the frame and of every application, what an application says at a terminal, and the rules of the
    // companion. Other rules tell models what was wrong with a call, in the spelling that they read best.
    let speaks = |path: &Path| is_source(path) && path.iter().any(|part| part == "words" || part == "pages");
    let is_theirs = |path: &Path| {
        let parts: Vec<_> = path.iter().filter_map(|part| part.to_str()).collect();
        matches!(
            parts[..],
            ["applications", _, "terminal", "src", ..] | ["applications", "companion", "rules", "src", ..]
        )
    };
    let is_told = |line: &str| !["assert", "panic!", "tracing::"].iter().any(|word| line.contains(word));
    let shows = |path: &Path, text: &str| {
        let ours = speaks(path) || is_theirs(path);
        let told = text.split("#[cfg(test)]").next().unwrap_or_default();
        ours && !path.ends_with("tests.rs") && told.lines().any(|line| line.contains(":?}") && is_told(line))
    };
    assert_eq!(offenders(shows), Vec::<PathBuf>::new());
}

#[test]
fn a_module_with_children_lives_in_its_folder() {
    let beside = offenders(|path, _| {
        // A folder of texts beside a file is no module.
        let beside = fs::read_dir(root().join(path).with_extension(""));
        let is_module = |name: &str| name.ends_with(".rs");
        beside.is_ok_and(|entries| entries.flatten().any(|entry| is_module(&entry.file_name().to_string_lossy())))
    });
    assert!(beside.is_empty(), "move to FOLDER/mod.rs: {beside:#?}");
}

#[test]
fn the_kernel_and_the_applications_depend_on_nothing_that_performs() {
    assert_eq!(dependencies(Path::new("kernel"), "dependencies"), set(KERNEL));
    let opinion = Path::new("applications/deliberation/opinion");
    assert_eq!(dependencies(opinion, "dependencies"), set(OPINION));
    assert!(root().join(opinion).join("clippy.toml").exists(), "{} bans no clock", opinion.display());
    let mut rooms = vec![PathBuf::from("work")];
    let applications = fs::read_dir(root().join("applications")).unwrap().flatten();
    // An application may begin with another room than its rules.
    rooms.extend(applications.map(|entry| entry.path().join("rules")).filter(|room| room.is_dir()));
    for room in rooms {
        let beyond: Vec<_> = dependencies(&room, "dependencies").difference(&set(RULES)).cloned().collect();
        assert!(beyond.is_empty(), "{}: {beyond:?}", room.display());
        assert!(root().join(&room).join("clippy.toml").exists(), "{} bans no clock", room.display());
    }
}

fn set(names: &[&str]) -> BTreeSet<String> {
    names.iter().map(|name| (*name).to_owned()).collect()
}

#[test]
fn the_two_readmes_have_the_same_shape() {
    let shape = |name: &str| -> Vec<usize> {
        let text = fs::read_to_string(root().join(name)).unwrap_or_else(|why| panic!("{name}: {why}"));
        headings(&text)
    };
    assert_eq!(shape("README.md"), shape("README.ja.md"), "the levels of the headings, in order");
}

/// The levels of a page's headings, leaving out what stands in fences.
fn headings(page: &str) -> Vec<usize> {
    let mut fenced = false;
    let mut levels = Vec::new();
    for line in page.lines() {
        if line.starts_with("```") {
            fenced = !fenced;
        } else if !fenced && line.starts_with('#') {
            levels.push(line.chars().take_while(|letter| *letter == '#').count());
        }
    }
    levels
}

/// A file that was renamed leads readers of the documents nowhere.
#[test]
fn every_place_that_the_documents_name_is_there() {
    let mut pages = vec![PathBuf::from("ARCHITECTURE.md"), PathBuf::from("CONTRIBUTING.md")];
    let mut places = BTreeSet::new();
    walk_all(&root(), &mut places);
    let is_coverage = |place: &&PathBuf| place.to_string_lossy().starts_with("docs/coverage-");
    pages.extend(places.iter().filter(is_coverage).cloned());
    assert_eq!(pages.len(), 2 + with_coverage().len(), "{pages:?}");
    let (mut lost, mut looked) = (Vec::new(), 0);
    for page in pages {
        let text = fs::read_to_string(root().join(&page)).unwrap();
        for named in text.lines().flat_map(named_places) {
            looked += 1;
            if !places.iter().any(|place| is_at(place, &named)) {
                lost.push(format!("{}: {named}", page.display()));
            }
        }
    }
    assert!(lost.is_empty(), "not in the tree: {lost:#?}");
    assert!(looked > 200, "only {looked} places were found in the documents");
}

/// Every file and folder of the house.
fn walk_all(folder: &Path, found: &mut BTreeSet<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().flatten() {
        let (path, name) = (entry.path(), entry.file_name());
        if ["target", "node_modules", ".git"].iter().any(|skipped| name == *skipped) {
            continue;
        }
        found.insert(path.strip_prefix(root()).unwrap().to_owned());
        if entry.file_type().unwrap().is_dir() {
            walk_all(&path, found);
        }
    }
}

/// The paths of ours in backticks in a line, with what is in braces written out. A part in capitals stands for any name, and
/// what begins with a slash is an address.
fn named_places(line: &str) -> Vec<String> {
    const ENDINGS: [&str; 8] = [".rs", ".toml", ".js", ".mjs", ".sql", ".md", ".txt", "/"];
    let quoted = line.split('`').skip(1).step_by(2).flat_map(str::split_whitespace);
    let is_path = |word: &&str| ENDINGS.iter().any(|ending| word.ends_with(ending)) && !word.starts_with('/');
    let is_for_any = |part: &str| {
        let stem = part.split('.').next().unwrap_or(part);
        part != stem && stem.len() <= 4 && stem.chars().all(char::is_uppercase) || part == "NAME"
    };
    let all = quoted.filter(is_path).flat_map(written_out);
    all.filter(|path| !path.split('/').any(is_for_any)).collect()
}

/// `{a,b}.rs` as `a.rs` and `b.rs`.
fn written_out(path: &str) -> Vec<String> {
    let Some((before, rest)) = path.split_once('{') else { return vec![path.to_owned()] };
    let Some((inside, after)) = rest.split_once('}') else { return vec![path.to_owned()] };
    inside.split(',').flat_map(|one| written_out(&format!("{before}{one}{after}"))).collect()
}

/// Whether a place is the one that is named, by its whole path or the end of it; a star stands for the rest of a name.
fn is_at(place: &Path, named: &str) -> bool {
    let named: Vec<&str> = named.trim_end_matches('/').split('/').collect();
    let parts: Vec<_> = place.iter().map(|part| part.to_string_lossy()).collect();
    let fits = |part: &str, named: &str| match named.split_once('*') {
        Some((before, after)) => {
            part.len() >= before.len() + after.len() && part.starts_with(before) && part.ends_with(after)
        }
        None => part == named,
    };
    parts.len() >= named.len()
        && parts[parts.len() - named.len()..].iter().zip(&named).all(|(part, named)| fits(part, named))
}

/// Every requirement of an application, and every gap that its document leaves, is named by a test or has a line that says
/// why not.
#[test]
fn every_requirement_of_every_application_is_covered() {
    let (mut missing, mut looked) = (Vec::new(), 0);
    for application in with_coverage() {
        let page = fs::read_to_string(root().join(format!("docs/requirements/{application}.md"))).unwrap();
        let coverage = fs::read_to_string(root().join(format!("docs/coverage-{application}.md")));
        let coverage = coverage.unwrap_or_else(|why| panic!("docs/coverage-{application}.md: {why}"));
        let required = requirements(&page);
        assert!(!required.is_empty(), "docs/requirements/{application}.md has no table of requirements");
        for (prefix, numbers) in required {
            // What has no name of its own before its number could be anybody's.
            let own = [application.as_str(), "workshop"];
            let within = if prefix.ends_with('-') { &[""][..] } else { &own };
            let named = named_in(&tests_and_reasons(&coverage, &prefix, within), &prefix);
            looked += numbers.len();
            missing.extend(numbers.difference(&named).map(|number| format!("{application}: {prefix}{number}")));
        }
    }
    assert!(missing.is_empty(), "neither tested nor explained: {missing:?}");
    assert!(looked > 250, "only {looked} requirements were found");
}

#[test]
fn requirements_are_what_the_first_cells_of_a_page_name() {
    let page = "| ID | What |\n|---|---|\n| INT-07 | It begins. See INT-90. |\n| INT-12 | It ends. |\n| G3 | A gap |\nINT-13\n";
    let numbers = |all: &[u32]| all.iter().copied().collect::<BTreeSet<u32>>();
    let expected = BTreeMap::from([("G".to_owned(), numbers(&[3])), ("INT-".to_owned(), numbers(&[7, 12]))]);
    assert_eq!(requirements(page), expected);
    let coverage = "| INT-07 | see `begin.rs` |\n| INT-12 | It is a rule. |\n";
    assert_eq!(named_in(&tests_and_reasons(coverage, "INT-", &["no such file"]), "INT-"), numbers(&[12]));
}

/// The applications of which it is said how their requirements are met. One may still be without such a page before it is in
/// the list, or where each row of its requirements names its proofs.
fn with_coverage() -> BTreeSet<String> {
    let named: Vec<&str> = enza::applications::all().iter().map(|one| one.name).collect();
    let mut pages = with_requirements();
    pages.retain(|application| {
        let covered = root().join(format!("docs/coverage-{application}.md")).exists();
        let rows = fs::read_to_string(root().join(format!("docs/requirements/{application}.md"))).unwrap();
        let proves_itself = rows.lines().any(|line| line.starts_with("| FORM-"));
        assert!(covered || proves_itself || !named.contains(&application.as_str()), "docs/coverage-{application}.md");
        covered
    });
    pages
}

/// The applications whose requirements are kept; there is no page of anything else.
fn with_requirements() -> BTreeSet<String> {
    let pages = fs::read_dir(root().join("docs/requirements")).unwrap().flatten();
    let pages: BTreeSet<String> =
        pages.filter_map(|page| Some(page.file_name().to_str()?.strip_suffix(".md")?.to_owned())).collect();
    let folders = fs::read_dir(root().join("applications")).unwrap().flatten();
    let applications: BTreeSet<String> =
        folders.map(|folder| folder.file_name().to_string_lossy().into_owned()).collect();
    let strange: Vec<_> = pages.difference(&applications).collect();
    assert!(strange.is_empty(), "requirements of no application: {strange:?}");
    pages
}

/// The numbers that the first cells of a page's tables have, by what stands before them.
fn requirements(page: &str) -> BTreeMap<String, BTreeSet<u32>> {
    let mut found: BTreeMap<String, BTreeSet<u32>> = BTreeMap::new();
    let first_cells = page.lines().filter_map(|line| line.strip_prefix("| ")?.split(" |").next());
    for cell in first_cells {
        let prefix = cell.trim_end_matches(|letter: char| letter.is_ascii_digit());
        let is_name = prefix.starts_with(|letter: char| letter.is_ascii_uppercase())
            && prefix.chars().all(|letter| letter.is_ascii_uppercase() || letter == '-');
        if let (true, Ok(number)) = (is_name, cell[prefix.len()..].parse()) {
            found.entry(prefix.to_owned()).or_default().insert(number);
        }
    }
    found
}

/// The tests in files of these names, and the lines of a page of coverage that give a reason: those that name no file.
fn tests_and_reasons(coverage: &str, prefix: &str, within: &[&str]) -> String {
    let lines = coverage.lines().filter(|line| line.starts_with(&format!("| {prefix}")) && !line.contains(".rs"));
    let is_test =
        |path: &Path| path.iter().any(|part| ["tests", "browser", "whole"].iter().any(|folder| part == *folder));
    let is_within = |path: &Path| within.iter().any(|name| path.to_string_lossy().contains(name));
    let all = files("rs").into_iter().chain(files("mjs")).filter(|(path, _)| is_within(path));
    let tests = all.filter_map(|(path, text)| match is_test(&path) {
        true => Some(text),
        // Small tests at the end of what they try.
        false => text.split_once("#[cfg(test)]").map(|(_, tests)| tests.to_owned()),
    });
    tests.chain(lines.map(str::to_owned)).collect::<Vec<_>>().join("\n")
}

/// The numbers that a text names, by themselves or inside "INT-54 to INT-66".
fn named_in(text: &str, prefix: &str) -> BTreeSet<u32> {
    let number =
        |tail: &str| tail.split(|letter: char| !letter.is_ascii_digit()).next().and_then(|one| one.parse::<u32>().ok());
    let mut named = BTreeSet::new();
    for (place, _) in text.match_indices(prefix) {
        if text[..place].ends_with(char::is_alphanumeric) {
            continue;
        }
        let tail = &text[place + prefix.len()..];
        let Some(first) = number(tail) else { continue };
        let behind = tail.trim_start_matches(|letter: char| letter.is_ascii_digit());
        let last = behind.strip_prefix(" to ").and_then(|rest| rest.strip_prefix(prefix)).and_then(number);
        named.extend(first..=last.unwrap_or(first));
    }
    named
}

/// A number that a source line cites can be looked up, and so can the tests that the requirements of forms name.
#[test]
fn whatever_cites_a_requirement_or_proves_one_can_be_looked_up() {
    let pages: Vec<String> = files("md")
        .into_iter()
        .filter_map(|(path, text)| path.starts_with("docs/requirements").then_some(text))
        .collect();
    let rows: Vec<&str> = pages.iter().flat_map(|page| page.lines()).filter(|line| line.starts_with("| ")).collect();
    let known: BTreeSet<&str> = rows.iter().filter_map(|row| row.split('|').nth(1)).map(str::trim).collect();
    let sources: Vec<(PathBuf, String)> = files("rs").into_iter().chain(files("mjs")).collect();
    let (mut lost, mut looked) = (BTreeSet::new(), 0);
    for (path, text) in &sources {
        for cited in text.split(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-').filter(is_requirement)
        {
            looked += 1;
            if !known.contains(cited) {
                lost.insert(format!("{}: {cited}", path.display()));
            }
        }
    }
    // The last column but one of a row of forms: functions in backticks, tests of pages in quotation marks.
    for row in rows.iter().filter(|row| row.starts_with("| FORM-")) {
        let proofs = row.split('|').nth(3).unwrap_or_default();
        let functions = proofs.split('`').skip(1).step_by(2).map(|name| format!("fn {name}("));
        let named: Vec<String> =
            functions.chain(proofs.split('"').skip(1).step_by(2).map(|title| format!("test(\"{title}\""))).collect();
        assert!(!named.is_empty(), "nothing proves {row}");
        looked += named.len();
        lost.extend(named.into_iter().filter(|name| !sources.iter().any(|(_, text)| text.contains(name.as_str()))));
    }
    assert!(lost.is_empty(), "not to be found: {lost:#?}");
    assert!(looked > 500, "only {looked} were looked up");
}

/// Whether a word is the number of a requirement, such as INT-52, and not that of a standard.
fn is_requirement(word: &&str) -> bool {
    const STANDARDS: [&str; 4] = ["AES", "ISO", "SHA", "UTF"];
    word.split_once('-').is_some_and(|(kind, number)| {
        kind.len() >= 3
            && kind.chars().all(|letter| letter.is_ascii_uppercase())
            && !STANDARDS.contains(&kind)
            && (2..=3).contains(&number.len())
            && number.chars().all(|digit| digit.is_ascii_digit())
    })
}
