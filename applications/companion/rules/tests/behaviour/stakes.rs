//! What is at stake: the risk of changes by what is found about them, what is always asked, and what commands may not do.

use enza_companion::{Companion, Decision, Event, Mode, Note, Rule, Ruling, Scope, Settings};
use enza_kernel::gate::{Risk, Verdict as Yes};
use enza_work::Finding;
use serde_json::{Value, json};

use super::world::{World, plan};

fn write(path: &str) -> Value {
    json!({ "operation": "write", "path": path, "content": "new\n" })
}

/// Everything is allowed that can be.
fn allowing() -> Settings {
    let rule = Rule { verdict: Ruling::Allow, operation: "*".to_owned(), pattern: String::new() };
    Settings { rules: vec![rule], mode: Mode::AcceptEdits, ..Settings::default() }
}

/// What is decided about writing a file of which this is found; and the risk in the gate, where one opens.
fn decided(settings: Settings, finding: Option<Finding>) -> (Decision, Option<Risk>) {
    let mut world = World::with(settings);
    world.findings.insert("a.txt".to_owned(), finding.into_iter().collect());
    world.say("Write it");
    world.decides(json!({ "actions": [write("a.txt")] }));
    let decision = world.log.iter().find_map(|entry| match &entry.event {
        Event::Decided { decisions, .. } => Some(decisions[0].clone()),
        _ => None,
    });
    (decision.unwrap(), world.gate().map(|gate| gate.risk))
}

/// DUCK-88, DUCK-91, DUCK-117, DUCK-118, DUCK-119, G23, G25, G31: what is found about a change makes its risk, and what is
/// grave is asked afresh whatever is allowed.
#[test]
fn what_is_found_about_a_change_is_asked_for_whatever_is_allowed() {
    for (finding, risk) in [
        (Finding::SecretFile, Risk::High),
        (Finding::SecretText { kind: "key".to_owned() }, Risk::High),
        (Finding::Large { bytes: 2_000_000 }, Risk::High),
        (Finding::HardLinked { names: 2 }, Risk::High),
        (Finding::UnknownEnding, Risk::Medium),
        (Finding::Ignored, Risk::Medium),
        (Finding::Binary, Risk::Medium),
    ] {
        assert_eq!(decided(allowing(), Some(finding.clone())), (Decision::Asked, Some(risk)), "{finding:?}");
    }
    assert!(matches!(decided(allowing(), None), (Decision::Allowed(_), None)), "an ordinary one is allowed");
}

/// DUCK-111, DUCK-117, G22, G25: what is never done is denied before anybody is asked; by the phase of safety.
#[test]
fn what_is_never_done_is_denied_and_not_asked_for() {
    let phase = |safety_phase| Settings { safety_phase, ..allowing() };
    for (settings, finding) in [
        (phase(4), Finding::System),
        (phase(4), Finding::Masked),
        (phase(4), Finding::Dangerous),
        (phase(2), Finding::Dangerous),
        (phase(2), Finding::Outside),
    ] {
        let (decision, gate) = decided(settings, Some(finding.clone()));
        assert!(matches!(decision, Decision::Denied(_)) && gate.is_none(), "{finding:?}: {decision:?}");
    }
    assert_eq!(decided(phase(1), Some(Finding::Dangerous)), (Decision::Asked, Some(Risk::High)), "before phase 2");
}

/// DUCK-88: deleting, many files at once, and many lines.
#[test]
fn deleting_and_wide_changes_are_asked_for_whatever_is_allowed() {
    let risk = |actions: Value| {
        let mut world = World::with(allowing());
        world.say("Do it");
        world.decides(json!({ "actions": actions }));
        world.gate().map(|gate| gate.risk)
    };
    assert_eq!(risk(json!([{ "operation": "delete", "path": "README.md" }])), Some(Risk::High));
    let many: Vec<Value> = (0..9).map(|number| write(&format!("f{number}.txt"))).collect();
    assert_eq!(risk(json!(many)), Some(Risk::High));
    let long = json!([{ "operation": "write", "path": "a.txt", "content": "line\n".repeat(81) }]);
    assert_eq!(risk(long), Some(Risk::Medium));
}

/// DUCK-119, G31, G48: a model may raise the risk, by its plan or by not being sure, and never lowers it.
#[test]
fn a_model_raises_the_risk_and_never_lowers_it() {
    let risk = |named: &str, confidence: f64, path: &str| {
        let mut world = World::opened();
        world.findings.insert("secret.txt".to_owned(), vec![Finding::SecretFile]);
        world.say("Do it");
        world.decides(json!({ "prompt_pattern": "base_main_specialized" }));
        let mut plan = plan();
        plan["risk"] = json!(named);
        world.decides(json!({ "plan": plan }));
        world.decides(json!({ "step": "EXECUTION", "actions": [write(path)], "confidence": confidence }));
        world.gate().unwrap().risk
    };
    assert_eq!(risk("low", 0.9, "a.txt"), Risk::Low);
    assert_eq!(risk("高: 広い影響", 0.9, "a.txt"), Risk::High);
    assert_eq!(risk("low", 0.5, "a.txt"), Risk::Medium);
    assert_eq!(risk("low", 0.9, "secret.txt"), Risk::High);
}

/// A rule holds for every name of a file: the one it has and the one by which it was asked for.
#[test]
fn a_denial_of_a_linked_name_holds() {
    let rule = Rule { verdict: Ruling::Deny, operation: "change".to_owned(), pattern: "current/**".to_owned() };
    let mut world = World::with(Settings { rules: vec![rule], ..Settings::default() });
    let asked = "current/a.txt".to_owned();
    world.findings.insert("releases/1/a.txt".to_owned(), vec![Finding::Link { asked }]);
    world.say("Write it");
    world.decides(json!({ "actions": [write("releases/1/a.txt")] }));
    assert_eq!(world.gate(), None);
    assert!(world.last_told().contains("deny change current/**"), "{}", world.last_told());
}

/// A gate shows a command as it is run: where its words end, and in which folder.
#[test]
fn no_two_commands_look_alike_at_the_gate() {
    let shown = |action: Value| {
        let mut world = World::opened();
        world.say("Run it");
        world.decides(json!({ "actions": [action] }));
        world.gate().unwrap().ask.intent
    };
    assert_eq!(shown(json!({ "operation": "run", "command": ["rm", "-r", "a", "b"] })), "Run: rm -r a b");
    assert_eq!(shown(json!({ "operation": "run", "command": ["rm", "-r", "a b"] })), "Run: rm -r 'a b'");
    let elsewhere = json!({ "operation": "run", "command": ["make", "check"], "path": "vendor/evil" });
    assert_eq!(shown(elsewhere), "Run: cd vendor/evil && make check");
}

/// Peers, row 9: a yes for the session to something harmless allows nothing that is not.
#[test]
fn a_lasting_yes_reaches_no_further_than_what_was_asked() {
    for (asked, later) in [
        (["find", ".", "-name", "x"], ["find", ".", "-type", "-delete"]),
        (["python3", "-m", "pytest", "-q"], ["python3", "-m", "pip", "install"]),
        (["npm", "run", "build", "-s"], ["npm", "run", "deploy", "-s"]),
    ] {
        let mut world = World::opened();
        world.say("Run it");
        world.decides(json!({ "actions": [{ "operation": "run", "command": asked }] }));
        world.gives(Yes::Yes, None, Scope::Session);
        world.work();
        world.decides(json!({ "step": "EXECUTION", "actions": [{ "operation": "run", "command": asked }] }));
        assert_eq!((world.gate(), world.ran.len()), (None, 2), "{asked:?} is not asked for again");
        world.decides(json!({ "step": "EXECUTION", "actions": [{ "operation": "run", "command": later }] }));
        assert!(world.gate().is_some(), "{later:?}");
    }
}

/// Constraints and denials hold for what commands change, too: it is put back, and told.
#[test]
fn what_a_command_changes_against_a_constraint_is_put_back() {
    let mut world = World::with(allowing());
    world.files.insert("src/auth/a.rs".to_owned(), "old\n".to_owned());
    world.say("Format it, but don't touch src/auth");
    world.commanded = vec![("src/auth/a.rs".to_owned(), "x\n".to_owned()), ("src/b.rs".to_owned(), "b\n".to_owned())];
    world.decides(json!({ "actions": [{ "operation": "run", "command": ["cargo", "fmt"] }] }));
    assert_eq!((world.files["src/auth/a.rs"].as_str(), world.files["src/b.rs"].as_str()), ("old\n", "b\n"));
    assert!(world.last_told().contains("put back: src/auth/a.rs"), "{}", world.last_told());
    let is_told = |note: &Note| matches!(note, Note::PutBack { paths } if paths == &["src/auth/a.rs"]);
    assert!(world.log.iter().any(|entry| matches!(&entry.event, Event::Noted { note, .. } if is_told(note))));
    let changed: Vec<&str> = world.state.turns[0].changes.iter().map(|change| change.path.as_str()).collect();
    assert_eq!(changed, ["src/b.rs"], "what was put back is not there to be taken back");
}

/// G23: a yes for longer counts where the risk is low; where the same would be asked again all the same, that is said.
#[test]
fn whoever_says_yes_for_longer_is_told_where_it_is_asked_again() {
    for (lines, again) in [(3, false), (200, true)] {
        let mut world = World::opened();
        world.say("Write it");
        let content = "a line\n".repeat(lines);
        world.decides(json!({ "actions": [{ "operation": "write", "path": "src/a.rs", "content": content }] }));
        let gate = world.gate().unwrap();
        assert_eq!(Companion::asks_again(&world.state, &gate), again, "{lines} lines");
    }
}
