//! What proposals would do, and that nothing is touched before they are made.

use enza_kernel::conversation::Digest;
use enza_work::hazard::ExtensionLists;
use enza_work::{Bounds, Change, Fault, Finding, PreparedChange, Proposal, Replacement};
use enza_workshop::files;

use crate::behaviour::project::{TestProject, delete, put, rename};

fn digest(text: &str) -> Option<Digest> {
    Some(Digest::of(text.as_bytes()))
}

fn edit(path: &str, old: &str, new: &str) -> Proposal {
    let replacement = Replacement { old: old.to_owned(), new: new.to_owned(), all: false };
    Proposal::Edit { path: path.to_owned(), replacements: vec![replacement] }
}

fn create(path: &str, content: &str) -> Proposal {
    Proposal::Create { path: path.to_owned(), content: content.to_owned() }
}

fn findings(yard: &TestProject, proposal: Proposal) -> Vec<Finding> {
    yard.prepare(&[proposal]).unwrap().remove(0).findings
}

#[test]
fn preparing_touches_nothing_and_keeps_both_sides() {
    let yard = TestProject::with(&[("a.txt", "one\ntwo\n")]);
    let before = yard.tree();
    let prepared = yard.prepare(&[edit("a.txt", "two", "three"), create("new/deep/b.txt", "b\n")]).unwrap();
    let (first, second) = (&prepared[0], &prepared[1]);
    let change = Change {
        path: "a.txt".to_owned(),
        to: None,
        before: digest("one\ntwo\n"),
        after: digest("one\nthree\n"),
        mode: Some(0o644),
        folders: 0,
        seen: false,
    };
    assert_eq!((&first.change, first.hunks, first.added, first.removed), (&change, 1, 1, 1));
    assert!(first.diff.contains("\n-two\n+three\n"), "{}", first.diff);
    assert_eq!((second.change.before, second.change.mode, second.change.folders), (None, None, 2));
    assert_eq!(yard.tree(), before);
    for kept in [change.before, change.after, second.change.after] {
        assert!(yard.store.read(&kept.unwrap()).unwrap().is_some());
    }
}

#[test]
fn what_is_appended_needs_a_file_and_leaves_the_rest_of_it_alone() {
    let yard = TestProject::with(&[("a.txt", "one\n")]);
    let append = |path: &str| Proposal::Append { path: path.to_owned(), content: "two".to_owned() };
    let prepared = yard.prepare(&[append("a.txt")]).unwrap();
    assert_eq!(prepared[0].change.after, digest("one\ntwo\n"));
    assert_eq!(yard.prepare(&[append("b.txt")]), Err(Fault::Missing { path: "b.txt".to_owned() }));
}

#[test]
fn each_proposal_sees_what_the_ones_before_it_did() {
    let yard = TestProject::with(&[("a.txt", "one\n"), ("gone.txt", "gone\n")]);
    let proposals = [
        edit("a.txt", "one", "two"),
        edit("a.txt", "two", "three"),
        rename("a.txt", "b.txt"),
        edit("b.txt", "three", "four"),
        create("passing.txt", "x"),
        delete("passing.txt"),
        delete("gone.txt"),
        create("gone.txt", "back\n"),
    ];
    let prepared = yard.changes(&proposals);
    let moved = Change {
        path: "a.txt".to_owned(),
        to: Some("b.txt".to_owned()),
        before: digest("one\n"),
        after: digest("four\n"),
        mode: Some(0o644),
        folders: 0,
        seen: false,
    };
    let rewritten = Change {
        path: "gone.txt".to_owned(),
        to: None,
        before: digest("gone\n"),
        after: digest("back\n"),
        mode: Some(0o644),
        folders: 0,
        seen: false,
    };
    assert_eq!(prepared, [moved, rewritten]);
    assert_eq!(yard.changes(&[edit("a.txt", "one", "two"), edit("a.txt", "two", "one")]), []);
}

#[test]
fn what_cannot_be_is_refused_by_name() {
    let yard = TestProject::with(&[("a.txt", "x x\n"), ("folder/b.txt", "b\n"), ("empty/.keep", "")]);
    std::fs::remove_file(yard.work.join("empty/.keep")).unwrap();
    yard.link("a.txt", "folder/link");
    let path = |path: &str| path.to_owned();
    let cases = [
        (vec![create("a.txt", "")], Fault::Exists { path: path("a.txt") }),
        (vec![edit("none.txt", "a", "b")], Fault::Missing { path: path("none.txt") }),
        (vec![delete("none.txt")], Fault::Missing { path: path("none.txt") }),
        (vec![rename("none.txt", "b")], Fault::Missing { path: path("none.txt") }),
        (vec![rename("a.txt", "folder/b.txt")], Fault::Exists { path: path("folder/b.txt") }),
        (vec![rename("folder", "other")], Fault::IsFolder { path: path("folder") }),
        (vec![put("folder", "")], Fault::IsFolder { path: path("folder") }),
        (vec![put("a.txt/b", "")], Fault::NotAFolder { path: path("a.txt") }),
        (vec![put("n", ""), put("n/b", "")], Fault::NotAFolder { path: path("n") }),
        (vec![put("n/b", ""), put("n", "")], Fault::IsFolder { path: path("n") }),
        (vec![delete("a.txt"), delete("a.txt")], Fault::Missing { path: path("a.txt") }),
        (vec![delete("")], Fault::IsFolder { path: path("") }),
        (vec![delete("empty")], Fault::NoFiles { path: path("empty") }),
        // What could not be brought back is not taken away.
        (vec![delete("folder")], Fault::IsLink { path: path("folder/link") }),
    ];
    for (proposals, fault) in cases {
        assert_eq!(yard.prepare(&proposals), Err(fault), "{proposals:?}");
    }
    let twice = yard.prepare(&[edit("a.txt", "x", "y")]);
    assert!(matches!(twice, Err(Fault::DoesNotApply { piece: 1, .. })), "{twice:?}");
}

#[test]
fn deleting_a_folder_is_one_change_for_each_file_ignored_or_not() {
    let yard =
        TestProject::with(&[(".gitignore", "*.log\n"), ("d/a.txt", "a"), ("d/e/b.log", "b"), ("d/e/c.txt", "c")]);
    let deleted = yard.changes(&[delete("d")]);
    let told: Vec<_> = deleted.iter().map(|change| (change.path.as_str(), change.after, change.folders)).collect();
    assert_eq!(told, [("d/a.txt", None, 1), ("d/e/b.log", None, 2), ("d/e/c.txt", None, 2)]);
    for number in 0..2001 {
        yard.write(&format!("many/{number}"), "");
    }
    assert_eq!(yard.prepare(&[delete("many")]), Err(Fault::TooMany { path: "many".to_owned(), most: 2000 }));
}

#[test]
fn a_person_is_told_what_is_risky_about_a_change() {
    let mut yard = TestProject::with(&[(".gitignore", "out/\n"), ("a.txt", "a\n"), ("cfg.py", "key = \"[secret]\"\n")]);
    yard.write("raw.txt", b"\0");
    yard.bounds.write = 100;
    let secret = |kind: &str| Finding::SecretText { kind: kind.to_owned() };
    assert_eq!(findings(&yard, put("a.txt", "b\n")), []);
    assert_eq!(findings(&yard, put("run.SH", "x")), [Finding::Dangerous]);
    assert_eq!(
        findings(&yard, put(".git/hooks/pre-commit", "x")),
        [Finding::Dangerous, Finding::UnknownEnding, Finding::Ignored]
    );
    // Where the file system does not tell the case, this is the same file.
    assert_eq!(
        findings(&yard, put(".Git/hooks/pre-commit", "x")),
        [Finding::Dangerous, Finding::UnknownEnding, Finding::Ignored]
    );
    assert_eq!(findings(&yard, put("a.xyz", "x")), [Finding::UnknownEnding]);
    assert_eq!(findings(&yard, put(".enza/companion.toml", "x")), [Finding::Governs]);
    assert_eq!(findings(&yard, put(".enza/commands/review.md", "x")), [Finding::Governs]);
    assert_eq!(findings(&yard, put("config/enza/companion.toml", "x")), [Finding::Governs]);
    // The lists are the person's to change (DUCK-112, DUCK-117): a project of scripts calls `sh` harmless.
    let endings = ExtensionLists { dangerous: vec![".xyz".to_owned()], safe: vec!["sh".to_owned()] };
    let mut own = TestProject::with(&[]);
    own.bounds = Bounds { endings, ..Bounds::default() };
    assert_eq!(findings(&own, put("run.sh", "x")), []);
    assert_eq!(findings(&own, put("a.xyz", "x")), [Finding::Dangerous]);
    assert_eq!(findings(&yard, put("out/a.txt", "x")), [Finding::Ignored]);
    assert_eq!(findings(&yard, put("a.txt", &"x".repeat(101))), [Finding::Large { bytes: 101 }]);
    assert_eq!(findings(&yard, put("raw.txt", "x")), [Finding::Binary]);
    assert_eq!(findings(&yard, put("key.pem", "x")), [Finding::SecretFile, Finding::UnknownEnding]);
    assert_eq!(findings(&yard, put("a.py", "password = 'hT7kQz92Lm'\n")), [secret("assigned")]);
    // A model that writes back what it was shown would destroy the secret.
    assert_eq!(findings(&yard, put("a.py", "password = '[secret]'\n")), [Finding::Masked]);
    assert_eq!(findings(&yard, put("cfg.py", "key = \"[secret]\" # mine\n")), []);
}

#[test]
fn diffs_are_masked_and_cut_and_secret_files_are_not_shown() {
    let mut yard = TestProject::with(&[(".env", "HIDDEN=plain\n"), ("a.py", "password = 'hT7kQz92Lm'\nx = 1\n")]);
    let shown = |prepared: Vec<PreparedChange>| prepared.into_iter().map(|prepared| prepared.diff).collect::<String>();
    let diff = shown(yard.prepare(&[put("a.py", "password = 'hT7kQz92Lm'\nx = 2\n")]).unwrap());
    assert!(diff.contains("[secret]") && !diff.contains("hT7k") && diff.contains("+x = 2"), "{diff}");
    let diff = shown(yard.prepare(&[put(".env", "HIDDEN=other\n")]).unwrap());
    assert!(!diff.contains("plain") && diff.contains("+HIDDEN=other"), "{diff}");
    let Err(Fault::DoesNotApply { why, .. }) = yard.prepare(&[edit(".env", "nothing like it", "x")]) else { panic!() };
    assert!(!why.contains("plain"), "{why}");
    yard.bounds.output = 60;
    let prepared = yard.prepare(&[put("b.txt", &"line\n".repeat(100)), put("c.txt", "c\n")]).unwrap();
    assert!(prepared.iter().all(|prepared| prepared.findings == [Finding::DiffCut]), "{prepared:#?}");
    assert_eq!(prepared.iter().map(|prepared| prepared.added).collect::<Vec<_>>(), [100, 1]);
    assert!(prepared.iter().map(|prepared| prepared.diff.len()).sum::<usize>() <= 60);
}

/// Whether a piece is found tells what a file holds, so a closed file is not changed piece by piece.
#[test]
fn a_change_that_does_not_fit_tells_nothing_of_a_file_that_a_rule_closes() {
    let mut yard = TestProject::with(&[("private/plan.md", "# Plan\nsoon\nlater\n"), ("a.md", "a\n")]);
    yard.bounds.closed = vec!["private/**".to_owned()];
    yard.link("private/plan.md", "harmless.md");
    let closed = Err(Fault::Closed { path: "private/plan.md".to_owned() });
    let patch = |path: &str| {
        let text = format!("--- a/{path}\n+++ b/{path}\n@@ -1,2 +1,2 @@\n # Plan\n-never\n+x\n");
        Proposal::Patch { text }
    };
    let append = Proposal::Append { path: "harmless.md".to_owned(), content: "x".to_owned() };
    for path in ["private/plan.md", "harmless.md"] {
        assert_eq!(yard.prepare(&[edit(path, "# Plan\nnever", "x")]), closed, "{path}");
        assert_eq!(yard.prepare(&[patch(path)]), closed, "{path}");
    }
    assert_eq!(yard.prepare(&[append]), closed);
    assert_eq!(yard.prepare(&[rename("private/plan.md", "open.md")]), closed);
    let shown = yard.prepare(&[put("private/plan.md", "# Plan\nnew\n")]).unwrap().remove(0).diff;
    assert!(shown.contains("+new") && !shown.contains("soon") && !shown.contains("later"), "{shown}");
    // What was not there has nothing to tell.
    assert_eq!(yard.changes(&[create("private/new.md", "a\n"), edit("private/new.md", "a", "b")]).len(), 1);
    yard.granted = vec!["private/plan.md".to_owned()];
    assert_eq!(yard.changes(&[edit("harmless.md", "soon", "now")]).len(), 1);
}

#[test]
fn neither_a_fault_nor_a_diff_quotes_lines_out_of_the_middle_of_a_private_key() {
    let key = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASC\nBKcwggSjAgEAAoIBAQC7VJTUt9Us8cKj\nMzEfYyjiWA4R4ypbHqGC0H0=";
    let text = format!("tls:\n-----BEGIN PRIVATE KEY-----\n{key}\n-----END PRIVATE KEY-----\nport: 1\n");
    let yard = TestProject::with(&[("config.yaml", &text)]);
    let wrong = "x\nx\nx\n-----END PRIVATE KEY-----\nport: 2";
    let Err(Fault::DoesNotApply { why, .. }) = yard.prepare(&[edit("config.yaml", wrong, "")]) else { panic!() };
    assert!(why.contains("[secret]") && !key.lines().any(|line| why.contains(line)), "{why}");
    let diff = yard.prepare(&[edit("config.yaml", "port: 1", "port: 2")]).unwrap().remove(0).diff;
    assert!(diff.contains("[secret]") && diff.contains("+port: 2"), "{diff}");
    assert!(!key.lines().any(|line| diff.contains(line)), "{diff}");
}

/// A secret file that is called otherwise by now, or by a link, is the same file.
#[test]
fn a_secret_file_is_not_quoted_under_another_name() {
    let yard = TestProject::with(&[(".env", "ONE=plain\nTWO=-- plainer\n"), ("b.txt", "b\n")]);
    yard.link(".env", "harmless.txt");
    let patch = |path: &str, head: &str| {
        let text = format!("{head}--- a/{path}\n+++ b/{path}\n@@ -1,2 +1,2 @@\n ONE=\n-TWO=x\n+x\n");
        Proposal::Patch { text }
    };
    let moved = "diff --git a/.env b/c.txt\nrename from .env\nrename to c.txt\n";
    let cases = [
        vec![patch("harmless.txt", "")],
        vec![patch("c.txt", moved)],
        vec![rename(".env", "c.txt"), edit("c.txt", "ONE=\nTWO=", "x")],
    ];
    for proposals in cases {
        let told = yard.prepare(&proposals);
        assert!(!format!("{told:?}").contains("plain"), "{told:?}");
    }
    let over = yard.prepare(&[delete("b.txt"), rename(".env", "b.txt")]).unwrap();
    assert!(over.iter().all(|one| !one.diff.contains("plain")), "{over:#?}");
    let gone = yard.prepare(&[put(".env", "x\n")]).unwrap();
    assert!(gone.iter().all(|one| !one.diff.contains("plain")), "{gone:#?}");
}

/// Nobody has to approve what they were not shown.
#[test]
fn the_whole_of_a_diff_that_was_cut_can_be_had_and_is_masked_too() {
    let mut yard =
        TestProject::with(&[(".env", "HIDDEN=plain\n"), ("a.py", "password = 'hT7kQz92Lm'\n"), ("old.txt", "o\n")]);
    let proposals = [
        put("a.py", &format!("password = 'hT7kQz92Lm'\n{}", "x = 2\n".repeat(100))),
        put(".env", "HIDDEN=other\n"),
        delete("old.txt"),
    ];
    let whole: Vec<String> = yard.prepare(&proposals).unwrap().into_iter().map(|prepared| prepared.diff).collect();
    yard.bounds.output = 60;
    let prepared = yard.prepare(&proposals).unwrap();
    assert!(prepared.iter().all(|prepared| prepared.findings.contains(&Finding::DiffCut)), "{prepared:#?}");
    let had = |one: &PreparedChange| files::whole_diff(&yard.reach(), &yard.store, &one.change).unwrap();
    assert_eq!(prepared.iter().map(had).collect::<Vec<_>>(), whole);
    assert!(whole[0].contains("[secret]") && whole[0].matches("+x = 2").count() == 100 && !whole[1].contains("plain"));
    let forgotten = Change { after: digest("never kept"), ..prepared[0].change.clone() };
    let why = files::whole_diff(&yard.reach(), &yard.store, &forgotten);
    assert_eq!(why, Err(Fault::Forgotten { path: "a.py".to_owned() }));
}
