//! Every gate refused, in every place where one can open: the tree stays as it was, mode by mode and byte by byte.

use serde_json::{Value, json};

use crate::behaviour::companion_fixture::{reply, talk};
use crate::behaviour::companion_repository::{
    approved, asked_at_a_gate, assert_tree, audit, edit, plan, repository, then, told, tree, wants, work,
};

/// What a gate can be about.
fn every_operation() -> Vec<Value> {
    let patch = "--- a/shop/price.py\n+++ b/shop/price.py\n@@ -1,2 +1,2 @@\n def net(gross):\n-    return gross / 1.1\n+    return 0\n";
    vec![
        json!([edit("shop/price.py", "1.1", "1.2")]),
        json!([{ "operation": "write", "path": "shop/price.py", "content": "" }]),
        json!([{ "operation": "create", "path": "shop/deep/new.py", "content": "x = 1\n" }]),
        json!([{ "operation": "patch", "patch": patch }]),
        json!([{ "operation": "delete", "path": "tools" }]),
        json!([{ "operation": "move", "path": "tools/release.txt", "to": "release.txt" }]),
        json!([{ "operation": "run", "command": ["sh", "-c", "rm -r shop; git commit -qam gone"] }]),
        json!([{ "operation": "run", "command": ["git", "reset", "--hard"] }, edit("shop/price.py", "1.1", "1.3")]),
    ]
}

/// DUCK-06, DUCK-72, DUCK-88, DUCK-95.
#[test]
fn every_operation_that_is_refused_leaves_the_tree_as_it_was() {
    for actions in every_operation() {
        let stage = repository([wants(&actions)]);
        let before = tree(&stage);
        let session = asked_at_a_gate(&stage, "do it");
        assert_tree(&stage, &before, &format!("{actions}: preparing touches nothing"));
        then(&stage, &session, "no", 0);
        assert_tree(&stage, &before, &actions.to_string());
        let audit = audit(&stage, &session);
        assert_eq!(told(&audit, "moved", "what"), ["PLANNING → AWAITING_APPROVAL", "AWAITING_APPROVAL → PLANNING"]);
        assert_eq!(told(&audit, "answered", "what"), ["no, once"]);
    }
}

/// A gate can open out of planning, out of a recovery, out of a review, and out of work that goes on; a no in each place
/// leaves what was there before it.
#[test]
fn a_no_after_a_yes_keeps_the_first_and_nothing_of_the_second() {
    let broken = || wants(&json!([edit("shop/price.py", "1.1", "1.2")]));
    let more = wants(&json!([edit("shop/price.py", "1.2", "1.3")]));
    let fine = wants(&json!([edit("tools/release.txt", "by hand", "by script")]));
    let going_on = reply(
        "continue",
        json!({ "step": "EXECUTION", "actions": [edit("tools/release.txt", "by hand", "by script")] }),
    );
    let mend = json!({ "rating": "poor", "problems": ["no date"], "proposals": [], "approval": "mend" });
    let sent_back = reply("continue", json!({ "step": "REVIEW", "review": mend }));
    let places = [
        ("a recovery", vec![work(), plan(), broken(), more.clone()], "shop/price.py", "1.2"),
        ("a review", vec![work(), plan(), fine, sent_back, more], "tools/release.txt", "by script"),
        ("work that goes on", vec![going_on, broken()], "tools/release.txt", "by script"),
    ];
    for (place, mut replies, path, after_the_first) in places {
        if place == "a review" {
            replies[4] = broken();
        }
        let stage = repository(replies);
        let session = asked_at_a_gate(&stage, "do it");
        then(&stage, &session, "yes", 4);
        let between = tree(&stage);
        assert!(stage.text(path).contains(after_the_first), "{place}");
        // What was broken before it is still broken.
        then(&stage, &session, "no", i32::from(place == "a recovery"));
        assert_tree(&stage, &between, place);
    }
}

/// DUCK-72: a no with a reason goes back to the model, whose next wish is refused as well.
#[test]
fn every_gate_of_a_long_talk_is_refused_and_nothing_has_changed() {
    let wish = |to: &str| wants(&json!([edit("shop/price.py", "1.1", to)]));
    let stage =
        repository([work(), plan(), wish("1.2"), wish("1.3"), wish("1.4"), talk("Then I leave it."), approved()]);
    let before = tree(&stage);
    let session = asked_at_a_gate(&stage, "raise the tax");
    then(&stage, &session, "no", 0);
    then(&stage, &session, "try it otherwise", 4);
    then(&stage, &session, "いいえ", 0);
    then(&stage, &session, "once more", 4);
    then(&stage, &session, "n", 0);
    let last = then(&stage, &session, "leave it", 0);
    assert!(last.out.contains("Then I leave it."), "{}", last.out);
    assert_tree(&stage, &before, "refused");
    assert_eq!(told(&audit(&stage, &session), "answered", "what"), ["no, once", "no, once", "no, once"]);
}

/// Peers (d) 3: what was forbidden in words is not done even where a neighbour of it gets its yes.
#[test]
fn a_yes_for_one_file_is_no_yes_for_a_forbidden_one_beside_it() {
    let both = json!([edit("shop/price.py", "1.1", "1.2"), edit("tools/release.txt", "by hand", "by script")]);
    let stage = repository([wants(&both), approved(), approved()]);
    let session = asked_at_a_gate(&stage, "raise the tax. Do not touch tools/");
    let before = tree(&stage);
    std::fs::write(stage.house.config().join("companion.toml"), "").unwrap();
    let run = stage.enza(&["--json", "--resume", &session, "-p", "yes"]);
    let after = tree(&stage);
    let changed: Vec<_> =
        after.iter().filter(|(path, entry)| before.get(*path) != Some(entry)).map(|(path, _)| path).collect();
    assert_eq!(changed, [std::path::Path::new("shop/price.py")], "{run:?}");
}
