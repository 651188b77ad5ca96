//! The companion without anyone at the keyboard: what it says, what it changes, and how it ends.

use serde_json::json;

use crate::behaviour::companion_fixture::{ScriptedProject, approval, change, talk};
use crate::house::finished;

#[test]
fn what_is_said_is_answered_and_the_run_ends_well() {
    let stage = ScriptedProject::with([talk("It greets the world.")]);
    stage.house.file("project/AGENTS.md", "Speak of greetings only.\n");
    let run = stage.enza(&["-p", "what does @src/greet.txt do?"]);
    assert_eq!((run.status, run.out.trim()), (0, "It greets the world."), "{run:?}");
    let heard = stage.heard();
    assert!(heard.contains("Speak of greetings only.") && heard.contains("hello\\nworld"), "{heard}");
}

#[test]
fn standard_input_is_said_where_nothing_is_typed() {
    let stage = ScriptedProject::with([talk("Yes.")]);
    let words = std::fs::File::open(stage.house.file("words.txt", "are you there?\n")).unwrap();
    let output = stage.command(&["--json"]).stdin(words).output().unwrap();
    let lines: Vec<serde_json::Value> =
        String::from_utf8(output.stdout).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let kinds: Vec<&str> = lines.iter().map(|line| line["kind"].as_str().unwrap()).collect();
    assert_eq!(kinds, ["heard", "said", "ended"]);
    assert_eq!((&lines[1]["text"], &lines[2]["outcome"]), (&json!("Yes."), &json!("done")));
    assert_eq!(output.status.code(), Some(0));
}

#[test]
fn instructions_that_change_during_a_session_go_with_what_is_said_next() {
    let stage = ScriptedProject::with([talk("One."), talk("Two."), talk("Three."), talk("Four.")]);
    let told = |words: &[&str], what: &str| {
        assert_eq!(stage.enza(words).status, 0);
        stage.last_heard().matches(what).count()
    };
    assert_eq!(told(&["-p", "one"], "It is new or has changed"), 0);
    let file = stage.house.file("project/src/AGENTS.md", "Greet in capitals.\n");
    assert_eq!(told(&["--continue", "-p", "two"], "Greet in capitals."), 1);
    // What was said stays in the conversation, and is not said again.
    assert_eq!(told(&["--continue", "-p", "three"], "Greet in capitals."), 1);
    std::fs::remove_file(file).unwrap();
    assert_eq!(told(&["--continue", "-p", "four"], "what was said of it before no longer holds"), 1);
}

/// What the user wants everywhere is told before what the project wants, which has the last word; and it is listed with it.
#[test]
fn the_users_own_instructions_stand_before_the_projects() {
    let stage = ScriptedProject::with([talk("One."), talk("Two.")]);
    std::fs::create_dir_all(stage.house.config()).unwrap();
    let own = stage.house.config().join("AGENTS.md");
    std::fs::write(&own, "Answer in haiku.\n").unwrap();
    stage.house.file("project/AGENTS.md", "Answer in prose.\n");
    assert_eq!(stage.enza(&["-p", "one"]).status, 0);
    let heard = stage.last_heard();
    let (users, projects) = (heard.find("Answer in haiku.").unwrap(), heard.find("Answer in prose.").unwrap());
    assert!(users < projects && heard.contains("where the project's own instructions differ, those count"), "{heard}");
    let run = stage.enza(&["--continue", "-p", "/context"]);
    assert!(run.out.contains("config/AGENTS.md (") && run.out.contains("  AGENTS.md ("), "{run:?}");
    std::fs::write(&own, "Answer in sonnets.\n").unwrap();
    assert_eq!(stage.enza(&["--continue", "-p", "two"]).status, 0);
    assert!(stage.last_heard().contains("Answer in sonnets."), "what changed goes with what is said next");
}

/// DUCK-46, DUCK-47: every change of step or status, in the document's words, at debug level and nowhere else.
#[test]
fn changes_of_step_and_status_are_log_lines_where_asked_for() {
    let stage = ScriptedProject::with([change(), talk("Well."), talk("Well.")]);
    let lines = |level: &str, words: &[&str]| -> Vec<String> {
        let run = finished(stage.command(words).env("ENZA_LOG", level));
        let told = run.err.lines().filter_map(|line| Some(line.split_once("State Sync Fired: ")?.1.to_owned()));
        told.map(|line| line.split(' ').next().unwrap().to_owned()).collect()
    };
    let asked = ["PLANNING.IN_PROGRESS", "PLANNING.IN_PROGRESS", "AWAITING_APPROVAL.IN_PROGRESS"];
    assert_eq!(
        lines("enza_runtime=debug", &["-p", "greet the moon"]),
        [&asked[..], &["AWAITING_APPROVAL.REQUIRES_USER_INPUT"]].concat()
    );
    assert_eq!(lines("info", &["--continue", "-p", "no"]), [""; 0]);
    let wrong = finished(stage.command(&["-p", "hello"]).env("ENZA_LOG", "loud"));
    assert_eq!(wrong.status, 2, "{wrong:?}");
}

#[test]
fn a_gate_with_nobody_to_answer_ends_the_run_with_four_and_stays_open() {
    let stage = ScriptedProject::with([change(), approval()]);
    let before = stage.tree();
    let run = stage.enza(&["--json", "-p", "greet the moon"]);
    assert_eq!(run.status, 4, "{run:?}");
    assert_eq!(stage.tree(), before, "nothing is touched before a yes");
    let lines = run.lines();
    let gate = lines.iter().find(|line| line["kind"] == "gate").unwrap();
    assert!(gate["gate"]["ask"]["diff"].as_str().unwrap().contains("-world\n+moon\n"), "{gate}");
    let error = &lines.last().unwrap()["error"];
    let session = error["session"].as_str().unwrap();
    assert_eq!(error["code"], "waiting-at-a-gate");
    assert!(run.err.contains("enza companion --resume"), "{}", run.err);
    // The answer of a person, given later, is carried out exactly as shown.
    let run = stage.enza(&["--json", "--resume", session, "-p", "yes"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(stage.text("src/greet.txt"), "hello\nmoon\n");
    let changed = run.lines().into_iter().find(|line| line["kind"] == "changed").unwrap();
    assert_eq!(changed["changes"][0]["path"], "src/greet.txt");
}

#[test]
fn a_refused_gate_leaves_the_tree_as_it_was() {
    let stage = ScriptedProject::with([change()]);
    let before = stage.tree();
    assert_eq!(stage.enza(&["-p", "greet the moon"]).status, 4);
    let run = stage.enza(&["--continue", "-p", "no"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(stage.tree(), before);
    assert_eq!(stage.asked(), 1, "a plain no asks no model");
}

#[test]
fn what_is_allowed_beforehand_is_done_without_a_gate() {
    let stage = ScriptedProject::with([change(), approval()]);
    let run = stage.enza(&["-p", "greet the moon", "--allow", "change src/**"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(stage.text("src/greet.txt"), "hello\nmoon\n");
    assert!(run.out.contains("Changed src/greet.txt"), "{}", run.out);
}

#[test]
fn what_a_rule_denies_ends_the_run_with_three() {
    let stage = ScriptedProject::with([change(), talk("I may not.")]);
    stage.house.file(
        "project/.enza/companion.toml",
        "rules = [{ verdict = \"deny\", operation = \"change\", pattern = \"src/**\" }]\n",
    );
    let before = stage.tree();
    let run = stage.enza(&["-p", "greet the moon", "--allow", "change src/**"]);
    run.failed(3, "operation-denied", "--resume");
    assert!(run.err.contains("deny change src/**"), "{}", run.err);
    assert_eq!(stage.tree(), before);
}

// DUCK-88: a denial holds wherever it was written down, also in a session that began before it.
#[test]
fn a_session_that_is_gone_on_with_obeys_what_was_denied_since() {
    let stage = ScriptedProject::with([talk("Hello."), change(), talk("I may not.")]);
    assert_eq!(stage.enza(&["-p", "hello", "--allow", "change src/**"]).status, 0);
    let before = stage.tree();
    let rule = "[[rules]]\nverdict = \"deny\"\noperation = \"change\"\npattern = \"src/**\"\n";
    std::fs::write(stage.house.config().join("companion.toml"), rule).unwrap();
    let run = stage.enza(&["--continue", "-p", "greet the moon"]);
    run.failed(3, "operation-denied", "--resume");
    assert!(run.err.contains("deny change src/**"), "{}", run.err);
    assert_eq!(stage.tree(), before);
    stage.enza(&["--continue", "-p", "once more"]);
    let session = stage.house.json(&["session", "list", "--application", "companion"])[0]["id"].clone();
    let kept = stage.enza(&["audit", session.as_str().unwrap(), "--json"]).lines();
    assert_eq!(kept.iter().filter(|line| line["kind"] == "rule" && line["what"] == "deny change src/**").count(), 1);
}

#[test]
fn in_plan_mode_nothing_is_changed() {
    let stage = ScriptedProject::with([change(), talk("Here is what I would do.")]);
    let before = stage.tree();
    assert_eq!(stage.enza(&["-p", "greet the moon", "--plan", "--allow", "*"]).status, 3);
    assert_eq!(stage.tree(), before);
}

#[test]
fn a_model_that_does_not_answer_ends_the_run_with_one() {
    let stage = ScriptedProject::with([]);
    stage.enza(&["-p", "hello"]).failed(1, "session-stuck", "--resume");
}

// DUCK-14 to DUCK-16, DUCK-61: what was forbidden and said is carried into the next session.
#[test]
fn the_next_session_in_the_folder_remembers() {
    let stage = ScriptedProject::with([talk("Understood."), change(), talk("I leave it alone.")]);
    let run = stage.enza(&["-p", "Do not touch src/greet.txt"]);
    assert_eq!(run.status, 0, "{run:?}");
    let run = stage.enza(&["-p", "greet the moon", "--accept-edits"]);
    run.failed(3, "operation-denied", "--resume");
    assert_eq!(stage.text("src/greet.txt"), "hello\nworld\n");
    assert!(stage.heard().contains("Understood."), "the earlier talk is summed up");
}

// DUCK-61: work that was not finished is taken up whole, with what had to be kept to and what was settled.
#[test]
fn unfinished_work_is_carried_into_the_next_session_whole() {
    let delta = json!({
        "goal": "greet the moon", "why_now": "it rises", "constraints": ["keep it short"], "plan_brief": ["edit it"],
        "open_questions": ["which moon"], "decision_log": ["no exclamation mark"],
    });
    let mut begins = change();
    begins["state_delta"] = delta;
    let stage = ScriptedProject::with([begins, talk("Hello again.")]);
    assert_eq!(stage.enza(&["-p", "greet the moon"]).status, 4);
    stage.enza(&["-p", "where were we"]);
    let heard = stage.last_heard();
    for told in ["greet the moon", "it rises", "keep it short", "edit it", "which moon"] {
        assert!(heard.contains(told), "{told}: {heard}");
    }
    let session = stage.house.json(&["session", "list", "--application", "companion"])[0]["id"].clone();
    let state = stage.house.json(&["session", "show", session.as_str().unwrap()])["state"].clone();
    assert_eq!(state["desks"][0]["mind"]["decision_log"], json!(["no exclamation mark"]), "{state}");
}

#[test]
fn a_fork_knows_nothing_of_the_turn_and_what_came_after() {
    let stage = ScriptedProject::with([talk("First."), talk("Second."), talk("Other.")]);
    assert_eq!(stage.enza(&["-p", "one"]).status, 0);
    let run = stage.enza(&["--json", "--continue", "-p", "two"]);
    let session = run.lines().last().unwrap()["session"].as_str().unwrap().to_owned();
    let run = stage.enza(&["--json", "--fork", &format!("{session}@2"), "-p", "another"]);
    assert_eq!((run.status, &run.lines().last().unwrap()["turn"]), (0, &json!(2)), "{run:?}");
    let listed = stage.house.json(&["session", "list", "--application", "companion"]);
    assert_eq!(listed.as_array().unwrap().len(), 2, "{listed}");
}

#[test]
fn a_folder_that_is_none_is_told() {
    let stage = ScriptedProject::with([]);
    stage.enza(&["missing", "-p", "hello"]).failed(1, "file-unreadable", "place");
    stage.enza(&["README.md", "-p", "hello"]).failed(1, "file-unreadable", "place");
    stage.enza(&["--continue", "-p", "hello"]).failed(1, "file-unreadable", "place");
    stage.enza(&["-p", "x", "--allow", "destroy *"]).failed(2, "usage-wrong", "enza --help");
}

#[test]
fn words_are_streamed_to_a_script_only_when_it_asks() {
    let stage = ScriptedProject::with([talk("Some words for you."), talk("Some words for you.")]);
    let run = stage.enza(&["--json", "--stream", "-p", "hello"]);
    let lines = run.lines();
    let deltas = lines.iter().filter(|line| line["kind"] == "delta").map(|line| line["text"].as_str().unwrap());
    assert_eq!(deltas.collect::<String>(), "Some words for you.", "{run:?}");
    assert!(lines.iter().any(|line| line["kind"] == "said"), "{run:?}");
    let run = stage.enza(&["--json", "-p", "hello"]);
    assert!(run.lines().iter().all(|line| line["kind"] != "delta"), "{run:?}");
}

#[test]
fn files_and_folders_named_in_a_headless_run_are_handed_over_and_a_missing_one_is_told() {
    let stage = ScriptedProject::with([talk("Read.")]);
    let run = stage.enza(&["-p", "see @src/greet.txt and @src/"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert!(stage.heard().contains("hello\\nworld") && stage.heard().contains("greet.txt\\n"), "{}", stage.heard());
    stage.enza(&["-p", "see @src/missing.txt"]).failed(1, "file-unreadable", "place");
    assert_eq!(stage.asked(), 1);
}

// DUCK-79: the table of moves can be replaced, and one that cannot be used is told with its line.
#[test]
fn a_table_of_ones_own_is_the_one_in_force_and_a_faulty_one_is_told() {
    let built_in = include_str!("../rules/src/steps.toml");
    let stage = ScriptedProject::with([talk("Hello.")]);
    let put = |text: &str| std::fs::write(stage.house.config().join("companion-steps.toml"), text).unwrap();
    let to_the_end = "[[move]]\nfrom = \"PLANNING\"\nto = \"DONE\"\non = \"nothing is left to do\"\n";
    put(&format!("{built_in}\n{to_the_end}"));
    let moves = stage.house.enza(&["moves", "companion"]);
    assert!(moves.out.contains("nothing is left to do"), "{}", moves.out);
    assert_eq!(stage.enza(&["-p", "hello"]).status, 0);

    put(&built_in.replacen("to = \"EXECUTION\"", "to = \"NOWHERE\"", 1));
    for arguments in [&["moves", "companion"][..], &["companion", "-p", "hello"], &["simulate", "--seed", "1"]] {
        let run = stage.house.enza(arguments);
        run.failed(1, "table-faulty", "companion-steps.toml");
        assert!(run.err.contains("\"NOWHERE\" is not among the states"), "{}", run.err);
    }
    put(&built_in.replace("REVIEW", "LOOKING"));
    let run = stage.house.enza(&["moves", "companion"]);
    run.failed(1, "table-faulty", "PLANNING, EXECUTION, REVIEW, AWAITING_APPROVAL, DONE");
    // Looking at what there is needs no table.
    assert_eq!(stage.house.enza(&["session", "list"]).status, 0);
}
