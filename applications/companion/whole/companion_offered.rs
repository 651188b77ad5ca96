//! A command that may not read a path outside the folder: the person is asked, and it is run again with it.

use std::fs;

use serde_json::json;

use crate::behaviour::companion_fixture::ScriptedProject;
use crate::behaviour::companion_repository::{approved, session_of, wants};
use crate::behaviour::models_provider::{Answer, Asked};

#[test]
fn what_a_command_may_not_read_is_offered_and_after_a_yes_it_is_run_again() {
    let outside = tempfile::tempdir().unwrap();
    let table = outside.path().canonicalize().unwrap().join("table.csv");
    fs::write(&table, "one,two\n").unwrap();
    let copy = format!("cat {} > copy.csv", table.display());
    let actions = json!([{ "operation": "run", "command": ["sh", "-c", copy] }]);
    let stage = ScriptedProject::by(move |asked: &Asked| {
        let is_review = asked.body["messages"].to_string().contains("Review what was changed");
        Answer::Words(if is_review { approved() } else { wants(&actions) }.to_string())
    });
    let run = stage.enza(&["--json", "-p", "copy the table"]);
    assert_eq!(run.status, 4, "{run:?}");
    let session = session_of(&run);
    let run = stage.enza(&["--json", "--resume", &session, "-p", "yes"]);
    assert_eq!(run.status, 4, "it is asked: {run:?}");
    assert!(run.out.contains("Allow reading it and try again") && run.out.contains("table.csv"), "{run:?}");
    assert_eq!(stage.text("copy.csv"), "", "so far it was kept from it");
    let run = stage.enza(&["--json", "--resume", &session, "-p", "yes"]);
    assert_eq!((run.status, stage.text("copy.csv").as_str()), (0, "one,two\n"), "{run:?}");
}
