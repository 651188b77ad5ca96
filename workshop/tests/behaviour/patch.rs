//! A patch is one proposal over many files.

use enza_work::{Fault, Proposal};

use crate::behaviour::project::TestProject;

fn patch(text: &str) -> Proposal {
    Proposal::Patch { text: text.to_owned() }
}

#[test]
fn a_patch_changes_creates_moves_and_deletes_and_is_taken_back_as_a_whole() {
    let yard = TestProject::with(&[("a.txt", "one\ntwo\n"), ("gone.txt", "gone\n"), ("old.txt", "old\n")]);
    let before = yard.tree();
    let text = "*** Begin Patch\n*** Update File: a.txt\n@@\n one\n-two\n+three\n*** Add File: new/b.txt\n+b\n\
        *** Delete File: gone.txt\n*** Update File: old.txt\n*** Move to: moved.txt\n@@\n-old\n+new\n*** End Patch\n";
    let changes = yard.changes(&[patch(text)]);
    yard.make(&changes).unwrap();
    let names: Vec<String> = yard.tree().into_keys().collect();
    assert_eq!(names, ["a.txt", "moved.txt", "new/", "new/b.txt"]);
    assert_eq!((yard.text("a.txt").as_str(), yard.text("moved.txt").as_str()), ("one\nthree\n", "new\n"));
    assert_eq!(yard.restore(&changes).kept, []);
    assert_eq!(yard.tree(), before);
}

#[test]
fn a_patch_that_leads_out_or_does_not_fit_is_refused_without_telling_secrets() {
    let yard = TestProject::with(&[(".env", "PLAIN=visible\n")]);
    let out = "--- a/../beside/one.txt\n+++ b/../beside/one.txt\n@@ -1 +1 @@\n-canary\n+x\n";
    let refused = yard.prepare(&[patch(out)]);
    assert!(matches!(refused, Err(Fault::OutsideToWrite { .. } | Fault::UnreadablePatch { .. })), "{refused:?}");
    let secret = "--- a/.env\n+++ b/.env\n@@ -1 +1 @@\n-OTHER\n+x\n";
    let Err(Fault::DoesNotApply { why, .. }) = yard.prepare(&[patch(secret)]) else { panic!("it fitted") };
    assert!(!why.contains("visible"), "{why}");
}
