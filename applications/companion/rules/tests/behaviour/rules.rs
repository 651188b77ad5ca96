//! The rules one by one: the table of moves, consent, what is held in mind, and their limits.

use enza_companion::{
    AgentState, Command, Decision, Delta, Event, Mode, Operation, Rule, Ruling, Scope, Settings, Status, Step, Subject,
    may, table,
};
use enza_kernel::application::Application as _;
use enza_kernel::gate::{Risk, Verdict as Yes};
use enza_kernel::limits;
use enza_kernel::moves::MoveKind;
use serde_json::json;

use super::world::World;

/// DUCK-36, DUCK-38: four steps, four statuses, each under its own name.
#[test]
fn steps_and_statuses_are_named_as_in_the_document() {
    let steps = Step::ALL.map(|step| serde_json::to_value(step).unwrap());
    assert_eq!(steps, ["PLANNING", "EXECUTION", "REVIEW", "AWAITING_APPROVAL"]);
    let statuses = [Status::InProgress, Status::Success, Status::Error, Status::RequiresUserInput];
    assert_eq!(
        statuses.map(|status| serde_json::to_value(status).unwrap()),
        ["IN_PROGRESS", "SUCCESS", "ERROR", "REQUIRES_USER_INPUT"]
    );
}

/// DUCK-42, DUCK-62 to DUCK-74: the allowed moves, and no others.
#[test]
fn the_table_allows_exactly_the_moves_of_the_document() {
    let world = World::opened();
    let table = world.app.tables()[0];
    let pairs = |moves: &[enza_kernel::moves::Move]| -> Vec<String> {
        moves.iter().map(|one| format!("{}>{}", one.from, one.to)).collect()
    };
    assert_eq!(
        pairs(table.moves()),
        [
            "PLANNING>EXECUTION",
            "PLANNING>REVIEW",
            "PLANNING>AWAITING_APPROVAL",
            "EXECUTION>REVIEW",
            "EXECUTION>AWAITING_APPROVAL",
            "REVIEW>EXECUTION",
            "REVIEW>AWAITING_APPROVAL",
            "REVIEW>DONE",
            "AWAITING_APPROVAL>EXECUTION",
            "AWAITING_APPROVAL>PLANNING",
        ]
    );
    assert_eq!(pairs(table.errors()), ["EXECUTION>PLANNING", "REVIEW>PLANNING", "AWAITING_APPROVAL>PLANNING"]);
    assert_eq!(table.most_per_utterance(), Some(1), "DUCK-76");
    assert!(!table.allows("NOWHERE", "PLANNING"), "DUCK-73: an unknown step is refused");
    assert_eq!(table.next(MoveKind::Ordinary, "DONE"), Vec::<&str>::new());
}

/// DUCK-79: the table is a file, and a project may have its own with the same steps.
#[test]
fn a_project_may_have_a_table_of_its_own() {
    let shipped = include_str!("../../src/steps.toml");
    assert!(table(shipped).is_ok());
    assert!(table(&shipped.replace("most_per_utterance = 1", "most_per_utterance = 2")).is_ok());
    assert!(table(&shipped.replace("\"REVIEW\"", "\"LOOKING\"")).is_err());
}

fn subject(operation: Operation, target: &str, risk: Risk) -> Subject<'_> {
    Subject { operation, target, risk, always_asked: false }
}

fn rule(verdict: Ruling, operation: &str, pattern: &str) -> Rule {
    Rule { verdict, operation: operation.to_owned(), pattern: pattern.to_owned() }
}

/// Section 4, 3; peers, rows 5 and 6: allow, ask and deny by operation and pattern, and a denial wins.
#[test]
fn a_denial_wins_over_every_allowance() {
    let write = subject(Operation::Write, "src/auth/login.rs", Risk::Low);
    let allow = rule(Ruling::Allow, "change", "src/**");
    let deny = rule(Ruling::Deny, "*", "src/auth");
    assert!(matches!(may(&write, std::slice::from_ref(&allow), Mode::Ask), Decision::Allowed(_)));
    assert!(matches!(may(&write, &[allow.clone(), deny.clone()], Mode::AcceptEdits), Decision::Denied(_)));
    assert!(matches!(may(&write, &[deny, allow], Mode::Ask), Decision::Denied(_)), "in whatever order");
    assert_eq!(may(&write, &[], Mode::Ask), Decision::Asked, "DUCK-95: without a rule, a person");
}

/// A denial cannot be got round by another spelling.
#[test]
fn spelling_does_not_get_round_a_denial() {
    let deny = [rule(Ruling::Deny, "*", "secrets")];
    for path in ["secrets/a", "./secrets/a", "SECRETS/a", "secrets", "deep/secrets"] {
        let decision = may(&subject(Operation::Write, path, Risk::Low), &deny, Mode::AcceptEdits);
        assert!(matches!(decision, Decision::Denied(_)), "{path}: {decision:?}");
    }
    let deny = [rule(Ruling::Deny, "*", "*.env")];
    assert!(matches!(
        may(&subject(Operation::Write, "a/b/prod.env", Risk::Low), &deny, Mode::Ask),
        Decision::Denied(_)
    ));
}

/// G23: what is of high risk, or always asked, is asked afresh whatever is allowed.
#[test]
fn an_allowance_does_not_reach_what_is_always_asked() {
    let allow = [rule(Ruling::Allow, "*", "")];
    let delete = Subject { always_asked: true, ..subject(Operation::Delete, "a.txt", Risk::High) };
    assert_eq!(may(&delete, &allow, Mode::AcceptEdits), Decision::Asked);
    assert_eq!(may(&subject(Operation::Run, "rm -rf x", Risk::Critical), &allow, Mode::AcceptEdits), Decision::Asked);
    assert!(matches!(may(&subject(Operation::Run, "cargo test", Risk::Low), &allow, Mode::Ask), Decision::Allowed(_)));
}

/// Patterns of commands go word by word, and nothing that a shell would read as a second command fits.
#[test]
fn a_command_pattern_fits_no_second_command() {
    let allow = [rule(Ruling::Allow, "run", "cargo test *")];
    let fits = |command: &str| {
        matches!(may(&subject(Operation::Run, command, Risk::Low), &allow, Mode::Ask), Decision::Allowed(_))
    };
    assert!(fits("cargo test") && fits("cargo test -p enza"));
    for command in [
        "cargo testing",
        "cargo test; rm x",
        "cargo test && rm x",
        "cargo test | sh",
        "cargo test $(rm x)",
        "cargo",
        "x cargo test",
    ] {
        assert!(!fits(command), "{command}");
    }
}

/// DUCK-49 to DUCK-53, DUCK-58, G40: what a model supplies is cut to its limit and told; line breaks become spaces.
#[test]
fn what_a_model_puts_in_mind_is_cut_to_its_limit() {
    let many =
        |count: usize| Some((0..count).map(|number| format!("{number} {}", "語".repeat(150))).collect::<Vec<_>>());
    let delta = Delta {
        goal: Some(format!("two\nlines {}", "x".repeat(300))),
        why_now: Some("now".to_owned()),
        constraints: many(4),
        plan_brief: many(5),
        open_questions: many(3),
        ..Delta::default()
    };
    let (fitted, cut) = delta.fitted();
    assert_eq!(limits::length(fitted.goal.as_deref().unwrap()), 200);
    assert!(fitted.goal.as_deref().unwrap().starts_with("two lines x"));
    let lists = [&fitted.constraints, &fitted.plan_brief, &fitted.open_questions].map(|list| list.clone().unwrap());
    assert_eq!(lists.each_ref().map(Vec::len), [2, 3, 2]);
    assert!(lists.iter().flatten().all(|item| limits::length(item) <= 100));
    let firsts = lists.each_ref().map(|list| list[0].split(' ').next().unwrap().to_owned());
    assert_eq!(firsts, ["2", "0", "1"], "the first moves of a plan, the newest of the others");
    for name in ["goal", "constraints", "plan_brief", "open_questions"] {
        assert!(cut.contains(&name), "{name} is missing in {cut:?}");
    }
}

/// A prompt says "none" where there is nothing; a model that hands that back has nothing in mind.
#[test]
fn the_word_for_nothing_is_nothing() {
    let goal = |text: &str| Delta { goal: Some(text.to_owned()), ..Delta::default() }.fitted().0;
    for nothing in ["none", " None.", "なし"] {
        assert_eq!(goal(nothing), Delta::default());
    }
    assert_eq!(goal("none of the tests fail").goal.as_deref(), Some("none of the tests fail"));
    let list = Delta { constraints: Some(vec!["none".to_owned()]), ..Delta::default() }.fitted().0;
    assert_eq!(list.constraints, Some(Vec::new()));
}

/// G40: what a person supplies is refused where it does not fit, and taken as it is where it does.
#[test]
fn what_a_person_puts_in_mind_is_refused_where_it_does_not_fit() {
    let mut world = World::opened();
    let long = Delta { goal: Some("x".repeat(201)), ..Delta::default() };
    assert!(world.tell(Command::Mind(long)).is_err());
    let fits = Delta { goal: Some("x".repeat(200)), ..Delta::default() };
    world.tell(Command::Mind(fits)).unwrap();
    assert_eq!(world.state.front().unwrap().mind.goal.len(), 200);
}

/// DUCK-60, G43: what does not go together is found after each change.
#[test]
fn items_that_do_not_go_together_are_found() {
    let mut world = World::opened();
    world.say("Plan something");
    let delta = json!({ "plan_brief": ["edit src/auth/login.rs"], "constraints": ["don't touch src/auth"] });
    world.decides(json!({ "state_delta": delta, "reply": "Hm.", "next_step": "pending_user" }));
    let mind: &AgentState = &world.state.front().unwrap().mind;
    assert_eq!(mind.mismatches().len(), 2, "a plan without a goal, and against a constraint: {mind:?}");
    assert!(world.log.iter().any(|entry| matches!(entry.event, Event::Noted { .. })));
}

/// DUCK-16, DUCK-21, G39: summaries are short and few, a hundred letters for each side.
#[test]
fn what_is_remembered_is_short_and_few() {
    let mut world = World::opened();
    for turn in 0..8 {
        world.say(&format!("{turn}: {}", "a long story ".repeat(30)));
        world.decides(json!({ "reply": "a long answer ".repeat(30), "next_step": "done" }));
    }
    assert_eq!((world.state.recent.len(), world.state.memory.recent.len()), (3, 5));
    let lines = world.state.recent.iter().flat_map(|one| [&one.said, &one.replied]).chain(&world.state.memory.recent);
    assert!(lines.into_iter().all(|line| limits::length(line) <= 100));
    assert_eq!(world.state.memory.total_conversations, 8);
}

/// Peers, row 5: a yes for the session makes a rule, and the same is not asked again.
#[test]
fn a_yes_for_the_session_is_remembered() {
    let mut world = World::opened();
    world.say("Write");
    let write = |text: &str| json!([{ "operation": "write", "path": "notes/a.md", "content": text }]);
    world.decides(json!({ "actions": write("1\n") }));
    let gate = world.gate().unwrap().id;
    world
        .tell(Command::Answer {
            gate,
            verdict: Yes::Yes,
            note: None,
            scope: Scope::Session,
            picks: Vec::new(),
            left: Vec::new(),
        })
        .unwrap();
    world.work();
    world.decides(json!({ "actions": write("2\n"), "step": "EXECUTION" }));
    assert_eq!((world.gate(), world.files["notes/a.md"].as_str()), (None, "2\n"));
    assert_eq!(world.state.rules, [rule(Ruling::Allow, "change", "notes/a.md")]);
}

/// Peers, row 29: where nobody can be asked, what needs consent is denied and nothing hangs.
#[test]
fn where_nobody_can_be_asked_nothing_waits() {
    let mut world = World::open(enza_companion::Open {
        folder: "/work".to_owned(),
        language: enza_kernel::text::Lang::En,
        settings: Settings::default(),
        instructions: Vec::new(),
        map: String::new(),
        memory: enza_companion::Memory::default(),
        name: String::new(),
        tools: Vec::new(),
        attended: false,
    });
    world.say("Delete the readme");
    world.decides(json!({ "actions": [{ "operation": "delete", "path": "README.md" }] }));
    assert!(world.gate().is_none() && world.files.contains_key("README.md"));
    let told = world.last_told();
    assert!(told.contains("nobody is there to ask, and this is asked for every time, whatever is allowed"), "{told}");
    let run = json!([{ "operation": "run", "command": ["make", "all"] }]);
    world.decides(json!({ "actions": run, "step": "EXECUTION" }));
    let told = world.last_told();
    assert!(told.contains("nobody is there to ask; an allow in rules, or --allow, allows it beforehand"), "{told}");
}

/// The guides name every setting there is, in both languages.
#[test]
fn the_guides_name_every_setting() {
    let settings = json!(Settings::default());
    for (language, guide) in [
        ("English", include_str!("../../../../../docs/guides/companion.md")),
        ("Japanese", include_str!("../../../../../docs/guides/companion.ja.md")),
    ] {
        let keys = settings.as_object().unwrap().keys();
        let missing: Vec<&String> = keys.filter(|key| !guide.contains(&format!("`{key}`"))).collect();
        assert!(missing.is_empty(), "the {language} guide lacks {missing:?}");
    }
}
