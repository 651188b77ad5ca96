//! Unified diffs as models remember them.

use enza_workshop::patch::{Patch, read};

use crate::patch::{change, does_not_apply, moved, patched, patched_text, unreadable};

const SIX: &str = "one\ntwo\nthree\nfour\nfive\nsix\n";

fn diff(hunks: &str) -> String {
    format!("--- a/a.txt\n+++ b/a.txt\n{hunks}")
}

#[test]
fn wrong_missing_and_foreign_numbers_are_passed_over() {
    let body = " two\n-three\n+3\n four\n";
    let changed = SIX.replace("three", "3");
    let headings = [
        "@@ -2,3 +2,3 @@",
        "@@ -2,9 +2,1 @@",
        "@@ -1,1 +1,1 @@",
        "@@ -400,3 +400,3 @@ fn elsewhere() {",
        "@@ -99999999999999999999,3 +1,3 @@",
        "@@",
        "@@ ... @@",
        "@@ -2 @@",
        "@@ two @@",
        "@@-2,3 +2,3@@",
    ];
    for heading in headings {
        assert_eq!(patched_text(SIX, &diff(&format!("{heading}\n{body}"))), Ok(changed.clone()), "{heading}");
        let fenced = format!("Here:\n```diff\n{}```\n- done\n", diff(&format!("{heading}\n{body}")));
        assert_eq!(patched_text(SIX, &fenced), Ok(changed.clone()), "{fenced}");
    }
}

#[test]
fn the_stated_place_comes_first_then_the_nearest() {
    let text = "a\nx\na\nx\na\nx\n";
    let hunk = |line: usize| diff(&format!("@@ -{line},2 +{line},2 @@\n-a\n+b\n x\n"));
    assert_eq!(patched_text(text, &hunk(3)), Ok("a\nx\nb\nx\na\nx\n".to_owned()));
    assert_eq!(patched_text(text, &hunk(90)), Ok("a\nx\na\nx\nb\nx\n".to_owned()));
    let why = "It fits 2 places equally well: lines 1, 3. Add lines around it until only one fits.";
    assert_eq!(patched_text(text, &hunk(2)), Err(does_not_apply(1, why)));
}

#[test]
fn later_hunks_follow_the_earlier_ones_where_all_numbers_are_off() {
    // Two lines have come above since the diff was made; only the first hunk can tell.
    let text = "new\nnew\nhead\na\nb\nc\na\nb\nc\na\nb\nc\n";
    let hunks = "@@ -1,2 +1,3 @@\n head\n+first\n a\n@@ -5,3 +6,3 @@\n a\n-b\n+second\n c\n";
    let expected = "new\nnew\nhead\nfirst\na\nb\nc\na\nsecond\nc\na\nb\nc\n";
    assert_eq!(patched_text(text, &diff(hunks)), Ok(expected.to_owned()));
}

#[test]
fn space_at_the_ends_of_lines_is_forgiven_and_kept() {
    let patch = diff("@@ -1,3 +1,3 @@\n a\n-b\n+B\n\n");
    assert_eq!(patched_text("a  \nb \n\t\nc\n", &patch), Ok("a  \nB\n\t\nc\n".to_owned()));
    let why = "These lines are not in the file. The nearest that are there:\n1:   abc";
    let indented = diff("@@ -1 +1 @@\n-abc\n+B\n");
    assert_eq!(
        patched_text("  abc\n", &indented),
        Err(does_not_apply(1, why)),
        "space at the beginning means something"
    );
}

#[test]
fn letter_by_letter_comes_before_almost() {
    let patch = diff("@@ -1 +1 @@\n-a\n+b\n");
    assert_eq!(patched_text("a \nx\na\n", &patch), Ok("a \nx\nb\n".to_owned()));
}

#[test]
fn a_forgotten_last_ending_is_the_files_to_decide() {
    let patch = diff("@@ -1,2 +1,3 @@\n a\n-b\n+c\n+d\n");
    assert_eq!(patched_text("a\nb", &patch), Ok("a\nc\nd".to_owned()));
    assert_eq!(patched_text("a\r\nb", &patch), Ok("a\r\nc\r\nd".to_owned()));
    let wrongly_said =
        diff("@@ -1,2 +1,2 @@\n a\n-b\n\\ No newline at end of file\n+c\n\\ No newline at end of file\n");
    assert_eq!(patched_text("a\nb\n", &wrongly_said), Ok("a\nc\n".to_owned()));
    let below = diff("@@ -1 +1,2 @@\n a\n+b\n");
    assert_eq!(patched_text("a", &below), Ok("a\nb".to_owned()));
}

#[test]
fn deleted_comments_are_no_headers() {
    let patch = diff("@@ -1,2 +1,2 @@\n--- old comment\n+++ new comment\n select\n");
    assert_eq!(patched_text("-- old comment\nselect\n", &patch), Ok("++ new comment\nselect\n".to_owned()));
    let miscounted = diff("@@ -1,7 +1,9 @@\n--- old comment\n+-- new comment\n select\n");
    assert_eq!(patched_text("-- old comment\nselect\n", &miscounted), Ok("-- new comment\nselect\n".to_owned()));
}

#[test]
fn files_follow_each_other_with_and_without_git_headers() {
    let files = [("a", "1\n"), ("b/b", "1\n"), ("old name", "1\n"), ("設計", "1\n"), ("gone", "1\n")];
    let text = "--- a/a\t2026-01-01 00:00:00\n+++ b/a\t2026-01-02 00:00:00\n@@ -1,5 +1,5 @@\n-1\n+2\n\
                --- b/b\n+++ b/b\n@@ -1 +1 @@\n-1\n+2\n\
                diff --git a/old name b/new name\nsimilarity index 90%\nrename from old name\nrename to new name\n\
                diff --git \"a/\\350\\250\\255\\350\\250\\210\" \"b/\\350\\250\\255\\350\\250\\210\"\nindex 1..2 100644\n\
                --- \"a/\\350\\250\\255\\350\\250\\210\"\n+++ \"b/\\350\\250\\255\\350\\250\\210\"\n@@ -1 +1 @@\n-1\n+2\n\
                diff --git a/gone b/gone\ndeleted file mode 100644\n\
                diff --git a/came b/came\nnew file mode 100644\nindex 0..1\n--- /dev/null\n+++ b/came\n@@ -0,0 +1 @@\n+1\n";
    let updated = |path| change(path, Some("1\n"), Some("2\n"));
    let changes = vec![
        updated("a"),
        updated("b/b"),
        moved("old name", "new name", "1\n", "1\n"),
        updated("設計"),
        change("gone", Some("1\n"), None),
        change("came", None, Some("1\n")),
    ];
    assert_eq!(patched(&files, text), Ok(changes));
}

#[test]
fn one_name_is_enough() {
    let changed = Ok("2\n".to_owned());
    for names in [
        "--- a/a.txt\n",
        "+++ b/a.txt\n",
        "diff --git a/a.txt b/a.txt\n",
        "--- a.txt\n+++ b/a.txt\n",
        "--- a.txt\n+++ a.txt\n",
        "--- b/a.txt\n+++ a/a.txt\n",
    ] {
        assert_eq!(patched_text("1\n", &format!("{names}@@ -1 +1 @@\n-1\n+2\n")), changed, "{names}");
    }
}

#[test]
fn a_new_file_written_as_an_update_is_created() {
    let created = Ok(vec![change("n", None, Some("x\n"))]);
    assert_eq!(patched(&[], "--- a/n\n+++ b/n\n@@ -0,0 +1 @@\n+x\n"), created);
    assert_eq!(patched(&[], "--- /dev/null\n+++ b/n\n@@ -0,0 +1,20 @@\n+x\n"), created);
}

#[test]
fn a_deletion_must_fit_what_it_shows() {
    let patch = "--- a/a.txt\n+++ /dev/null\n@@ -1 +0,0 @@\n-1\n";
    assert_eq!(patched(&[("a.txt", "1\n")], patch), Ok(vec![change("a.txt", Some("1\n"), None)]));
    let why = "These lines are not in the file. Nothing in the file is like them.";
    assert_eq!(patched(&[("a.txt", "2\n")], patch), Err(does_not_apply(1, why)));
}

#[test]
fn a_patch_sent_with_returns_says_nothing_about_the_file() {
    let patch = diff("@@ -1,2 +1,2 @@\n a\n-b\n+c\n").replace('\n', "\r\n");
    assert_eq!(patched_text("a\nb\n", &patch), Ok("a\nc\n".to_owned()));
    assert_eq!(patched_text("a\r\nb\r\n", &patch), Ok("a\r\nc\r\n".to_owned()));
    let new = "--- /dev/null\r\n+++ b/n\r\n@@ -0,0 +1 @@\r\n+x\r\n";
    assert_eq!(patched(&[], new), Ok(vec![change("n", None, Some("x\n"))]));
}

#[test]
fn new_lines_without_context_go_only_where_a_number_says() {
    assert_eq!(patched_text("a\r\nb\r\n", &diff("@@ -1,0 +2 @@\n+x\n")), Ok("a\r\nx\r\nb\r\n".to_owned()));
    let why = "Nothing says where the new lines go. Add lines of the file around them.";
    assert_eq!(patched_text("a\nb\n", &diff("@@ -2,3 +2,4 @@\n+x\n")), Err(does_not_apply(1, why)));
    assert_eq!(
        patched_text("a\nb\n", &diff("@@ -7,0 +8 @@\n+x\n")),
        Err(does_not_apply(1, "The file has only 2 lines."))
    );
}

#[test]
fn what_cannot_be_read_is_named_by_its_line() {
    let cases = [
        ("", 1, "There is no unified diff, no SEARCH/REPLACE block and no *** Begin Patch here."),
        ("@@ -1 +1 @@\n-a\n+b\n", 1, "No file is named before this hunk. Add --- and +++ lines."),
        ("--- a/a\n+++ b/a\n@@ -1,3 +1,3 @@\n-a\n+b\nc\n", 6, "The line begins with neither a space nor + nor -."),
        ("--- a/a\n+++ b/a\n@@ -1,2 +1,2 @@\n a\n b\n", 3, "The hunk has no line that begins with + or -."),
        (
            "--- a/a\n+++ b/c\n@@ -1 +1 @@\n-a\n+b\n",
            1,
            "The two names differ. For a move, add rename from and rename to lines.",
        ),
        ("diff --git a/a b/a\nold mode 100644\nnew mode 100755\n", 1, "The file is named, but no hunk follows."),
        ("diff --git a/a b/a\nGIT binary patch\n", 2, "Only texts can be changed, and this file is none."),
        ("diff --git a/a b/c\ncopy from a\ncopy to c\n", 2, "Copies cannot be made. Write the new file in full."),
        ("--- /dev/null\n+++ b/n\n@@ -1 +1 @@\n x\n+y\n", 1, "A new file has only lines that begin with +."),
        ("--- a/a\n+++ b/a\n@@ -1 +1 @@\n-a\n+b\n*** Begin Patch\n", 6, "Two forms of patch are mixed. Use only one."),
    ];
    for (text, line, why) in cases {
        assert_eq!(read(text), Err::<Patch, _>(unreadable(line, why)), "{text}");
    }
}
