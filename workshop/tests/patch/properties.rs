//! What holds for all texts and all patches.

use std::collections::BTreeSet;

use enza_work::{Fault, Replacement};
use enza_workshop::patch::{Counts, FileChange, apply, choose, edit, hunks, read};
use proptest::prelude::*;

use crate::patch::printers::{blocks, envelope, whole_envelope};
use crate::patch::{change, patched, patched_text};

/// Lines that repeat often, so that places can be mistaken, and lines that look like marks, so that they can be misread.
fn line() -> impl Strategy<Value = String> {
    let common = prop::sample::select(vec!["a", "b", "c", "}", "", "  a", "a  ", "\t", "日本語の行", "終わり。"]);
    let marks = prop::sample::select(vec![
        "-- comment",
        "++ more",
        "--- a/x",
        "+++ b/x",
        "@@ -1 +1 @@",
        "@@",
        "+a",
        "-a",
        " a",
        "\\ No newline at end of file",
        "diff --git a/x b/x",
        "rename to x",
        "```",
        "*** Begin Patch",
        "*** End Patch",
        "*** End of File",
        "<<<<<<< SEARCH",
        "=======",
        ">>>>>>> REPLACE",
    ]);
    prop_oneof![
        8 => common.prop_map(str::to_owned),
        2 => marks.prop_map(str::to_owned),
        1 => Just("とても長い行 ".repeat(2_000)),
        1 => Just("a\rb".to_owned()),
        1 => Just("c\r".to_owned()),
        4 => "[^\n]{0,12}",
    ]
}

/// How the lines of a text end.
#[derive(Debug, Clone, Copy)]
enum Endings {
    Plain,
    WithReturn,
    Mixed,
}

/// A text before, and one after that has much in common with it. `None` keeps a line.
fn two_texts() -> impl Strategy<Value = (String, String)> {
    let fate = prop_oneof![
        12 => Just(None),
        2 => Just(Some(Vec::new())),
        2 => prop::collection::vec(line(), 1..3).prop_map(Some),
    ];
    let rows = prop::collection::vec((line(), fate, any::<[bool; 2]>()), 0..40);
    let endings = prop::sample::select(vec![Endings::Plain, Endings::WithReturn, Endings::Mixed]);
    (rows, endings, any::<[bool; 2]>()).prop_map(|(rows, endings, [cut_before, cut_after])| {
        let ended = |line: &str, flag: bool| match (endings, flag) {
            (Endings::Plain, _) | (Endings::Mixed, false) => format!("{line}\n"),
            (Endings::WithReturn, _) | (Endings::Mixed, true) => format!("{line}\r\n"),
        };
        let (mut before, mut after) = (String::new(), String::new());
        for (row, fate, [old, new]) in &rows {
            let row = ended(row, *old);
            match fate {
                None => after += &row,
                Some(lines) => after.extend(lines.iter().map(|line| ended(line, *new))),
            }
            before += &row;
        }
        (cut(before, cut_before), cut(after, cut_after))
    })
}

/// Takes the last ending away.
fn cut(mut text: String, is_cut: bool) -> String {
    if is_cut && text.ends_with('\n') {
        text.pop();
    }
    text
}

/// The same, without what the other two forms cannot say: marks inside, and a last line that ends on one side only.
fn two_sayable_texts() -> impl Strategy<Value = (String, String)> {
    two_texts().prop_map(|(before, after)| {
        let sayable = |text: String| -> String {
            let is_mark = |line: &&str| !["<<<<", "====", ">>>>"].iter().any(|mark| line.starts_with(mark));
            let text: String = text.split_inclusive('\n').filter(is_mark).collect();
            if text.is_empty() || text.ends_with('\n') { text } else { format!("{text}\n") }
        };
        (sayable(before), sayable(after))
    })
}

fn some_numbers() -> impl Strategy<Value = BTreeSet<u32>> {
    prop::collection::btree_set(1..8u32, 0..8)
}

/// Whether a patch without numbers was refused because it fits several places: then nothing was changed.
fn is_ambiguous(fault: &Fault) -> bool {
    matches!(fault, Fault::DoesNotApply { why, .. } if why.contains("places equally well"))
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 600, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn applying_a_unified_diff_gives_the_text_it_was_made_for((before, after) in two_texts()) {
        let change = change("src/日本 語.rs", Some(&before), Some(&after));
        let diff = change.unified();
        if before == after {
            prop_assert_eq!(diff, "");
        } else {
            prop_assert_eq!(patched(&[("src/日本 語.rs", &before)], &diff), Ok(vec![change]));
        }
    }

    #[test]
    fn files_that_come_go_and_move_survive_the_way_through_a_diff((before, after) in two_texts(), path in "[^\0/]{1,8}") {
        prop_assume!(path.trim() == path && !path.starts_with('.') && !path.starts_with('"'));
        let moves = FileChange { to: Some("there/now".to_owned()), ..change("was here", Some(&before), Some(&after)) };
        let files = [("went", before.as_str()), ("was here", before.as_str())];
        let changes = vec![change(&path, None, Some(&after)), change("went", Some(&before), None), moves];
        let diff: String = changes.iter().map(FileChange::unified).collect();
        prop_assert_eq!(patched(&files, &diff), Ok(changes));
    }

    #[test]
    fn a_diff_in_a_fence_with_prose_around_it_is_the_same((before, after) in two_texts()) {
        prop_assume!(before != after);
        let diff = change("a.txt", Some(&before), Some(&after)).unified();
        let answer = format!("Here is the change.\n\n```diff\n{diff}```\n\n- It does what you asked.\n");
        prop_assert_eq!(patched_text(&before, &answer), Ok(after));
    }

    #[test]
    fn a_diff_without_counts_changes_the_right_lines_or_none((before, after) in two_sayable_texts()) {
        prop_assume!(before != after && !before.is_empty());
        let mut diff = "--- a/a.txt\n+++ b/a.txt\n".to_owned();
        for hunk in hunks(&before, &after) {
            diff += &format!("@@\n{}", hunk.unified().split_once('\n').unwrap().1);
        }
        match patched_text(&before, &diff) {
            Ok(text) => prop_assert_eq!(text, after),
            Err(fault) => prop_assert!(is_ambiguous(&fault) || diff.contains("\n--- "), "{:?}", fault),
        }
    }

    #[test]
    fn blocks_change_the_right_lines_or_none((before, after) in two_sayable_texts()) {
        prop_assume!(before != after && !before.is_empty());
        match patched_text(&before, &blocks("a.txt", &before, &after)) {
            Ok(text) => prop_assert_eq!(text, after),
            Err(fault) => prop_assert!(is_ambiguous(&fault), "{:?}", fault),
        }
    }

    #[test]
    fn chunks_change_the_right_lines_or_none((before, after) in two_sayable_texts()) {
        prop_assume!(before != after && !before.is_empty());
        match patched_text(&before, &envelope("a.txt", &before, &after)) {
            Ok(text) => prop_assert_eq!(text, after),
            Err(fault) => prop_assert!(is_ambiguous(&fault), "{:?}", fault),
        }
    }

    #[test]
    fn a_whole_file_in_one_chunk_always_fits((before, after) in two_sayable_texts()) {
        prop_assume!(before != after);
        prop_assert_eq!(patched_text(&before, &whole_envelope("a.txt", &before, &after)), Ok(after));
    }

    #[test]
    fn a_last_line_that_does_not_end_stays_so_in_forms_that_cannot_say_it((before, after) in two_sayable_texts()) {
        let plain = |text: &str, last: &str| format!("{}{last}", text.replace('\r', ""));
        let (before, after) = (plain(&before, "最後 before"), plain(&after, "最後 after"));
        let patch = whole_envelope("a.txt", &before, &after);
        prop_assert_eq!(patched_text(&before, &patch), Ok(after.clone()));
        // The same patch on a file with returns gives returns, as long as there is a line to tell by.
        if before.contains('\n') {
            let returned = |text: String| text.replace('\n', "\r\n");
            prop_assert_eq!(patched_text(&returned(before), &patch), Ok(returned(after)));
        }
    }

    #[test]
    fn all_hunks_are_the_text_after_and_none_the_text_before((before, after) in two_texts()) {
        let all = (1..).zip(hunks(&before, &after)).map(|(number, _)| number).collect();
        let (made, left) = (choose(&before, &after, &all), choose(&before, &after, &BTreeSet::new()));
        prop_assert_eq!((made, left), (after, before));
    }

    #[test]
    fn some_hunks_and_then_the_rest_give_the_text_after((before, after) in two_texts(), some in some_numbers()) {
        let between = choose(&before, &after, &some);
        // The hunks that were left out, at the lines where they are now.
        let mut patch = "--- a/a.txt\n+++ b/a.txt\n".to_owned();
        let mut grown = 0isize;
        let mut left_out = 0;
        for (number, mut hunk) in (1..).zip(hunks(&before, &after)) {
            if some.contains(&number) {
                grown += hunk.after.len() as isize - hunk.before.len() as isize;
                continue;
            }
            let start = hunk.before.start.checked_add_signed(grown).unwrap();
            hunk.before = start..start + hunk.before.len();
            patch += &hunk.unified();
            left_out += 1;
        }
        if left_out == 0 {
            prop_assert_eq!(between, after);
        } else {
            prop_assert_eq!(patched_text(&between, &patch), Ok(after));
        }
    }

    #[test]
    fn counts_are_the_lines_that_only_one_side_has((before, after) in two_texts()) {
        let counts = Counts::of(&hunks(&before, &after));
        let lines = |text: &str| text.split_inclusive('\n').count() as i64;
        prop_assert_eq!(lines(&after) - lines(&before), i64::from(counts.added) - i64::from(counts.removed));
        prop_assert_eq!(before == after, counts == Counts::default());
    }

    #[test]
    fn a_hunk_that_does_not_fit_changes_nothing((before, after) in two_texts()) {
        prop_assume!(before != after);
        // The first file fits, the second does not: neither is changed.
        let fits = change("fits", Some(&before), Some(&after)).unified();
        let patch = format!("{fits}--- a/a.txt\n+++ b/a.txt\n@@ -1 +1 @@\n-nowhere to be found\n+there\n");
        let files = [("fits", before.as_str()), ("a.txt", "x\n")];
        let fault = patched(&files, &patch).unwrap_err();
        prop_assert!(matches!(fault, Fault::DoesNotApply { ref path, piece: 1, .. } if path == "a.txt"), "{:?}", fault);
    }

    #[test]
    fn garbage_is_read_or_refused_without_a_panic(text in "\\PC{0,60}(\n\\PC{0,20}){0,12}") {
        let _ = read(&text).and_then(|patch| apply(&patch, |_| Some(text.clone())));
    }

    #[test]
    fn marks_in_any_order_are_read_or_refused_without_a_panic(lines in prop::collection::vec(scrap(), 0..25), there in two_texts()) {
        let text = lines.concat();
        let _ = read(&text).and_then(|patch| apply(&patch, |path| (path != "gone").then(|| there.0.clone())));
    }

    #[test]
    fn a_diff_cut_anywhere_is_read_or_refused_without_a_panic((before, after) in two_texts(), at in any::<prop::sample::Index>()) {
        let diff = change("a.txt", Some(&before), Some(&after)).unified();
        let places: Vec<usize> = diff.char_indices().map(|(at, _)| at).collect();
        if !places.is_empty() {
            let _ = patched(&[("a.txt", &before)], &diff[..places[at.index(places.len())]]);
        }
    }

    #[test]
    fn an_edit_replaces_what_is_there_once_and_refuses_the_rest(text in "[ab\n]{0,12}", old in "[ab\n]{0,3}", new in "[xy\n]{0,3}") {
        let places: Vec<usize> = (0..text.len()).filter(|at| text[*at..].starts_with(&old)).collect();
        let edited = edit("a.txt", &text, &[Replacement { old: old.clone(), new: new.clone(), all: false }]);
        match places.as_slice() {
            _ if old.is_empty() => prop_assert_eq!(edited.is_ok(), text.is_empty()),
            [at] => prop_assert_eq!(edited, Ok(format!("{}{new}{}", &text[..*at], &text[at + old.len()..]))),
            _ => {
                let is_refused = matches!(edited, Err(Fault::DoesNotApply { piece: 1, .. }));
                prop_assert!(is_refused);
            }
        }
    }

    #[test]
    fn an_edit_everywhere_is_what_the_standard_library_replaces(text in "[ab\n]{0,12}", old in "[ab\n]{1,3}", new in "[xy\n]{0,3}") {
        let edited = edit("a.txt", &text, &[Replacement { old: old.clone(), new: new.clone(), all: true }]);
        let replaced = text.replace(&old, &new);
        prop_assert_eq!(edited.ok(), text.contains(&old).then_some(replaced));
    }

    #[test]
    fn an_edit_of_a_file_with_returns_is_the_edit_without_them_and_then_returned(text in "[ab\n]{0,12}", old in "[ab\n]{1,3}", new in "[xy\n]{0,3}", all: bool) {
        prop_assume!(text.contains('\n'));
        let replacement = [Replacement { old, new, all }];
        let returned = |text: String| text.replace('\n', "\r\n");
        let plain = edit("a.txt", &text, &replacement).map(returned);
        let with_returns = edit("a.txt", &returned(text), &replacement);
        prop_assert_eq!(with_returns, plain);
    }
}

/// A line of any of the forms.
fn scrap() -> impl Strategy<Value = String> {
    let mark = prop::sample::select(vec![
        "--- a/a.txt\n",
        "+++ b/a.txt\n",
        "--- /dev/null\n",
        "+++ /dev/null\n",
        "diff --git a/a.txt b/a.txt\n",
        "diff --git \"a/\\343\\201\\202\" b\n",
        "rename from a.txt\n",
        "rename to b.txt\n",
        "new file mode 100644\n",
        "deleted file mode 100644\n",
        "@@ -1,2 +1,2 @@\n",
        "@@ -0,0 +1 @@\n",
        "@@ -4294967295,4294967295 +99999999999999999999 @@\n",
        "@@ -99999999999999999999,1 +1 @@\n",
        "@@\n",
        "@@ a\n",
        "\\ No newline at end of file\n",
        "*** Begin Patch\n",
        "*** Update File: a.txt\n",
        "*** Add File: gone\n",
        "*** Delete File: a.txt\n",
        "*** Move to: gone\n",
        "*** End of File\n",
        "*** End Patch\n",
        "a.txt\n",
        "<<<<<<< SEARCH\n",
        "=======\n",
        ">>>>>>> REPLACE\n",
        "```\n",
        "\n",
        "+",
    ]);
    let body =
        (prop::sample::select(vec![" ", "+", "-", ""]), line()).prop_map(|(mark, line)| format!("{mark}{line}\n"));
    prop_oneof![3 => mark.prop_map(str::to_owned), 2 => body]
}
