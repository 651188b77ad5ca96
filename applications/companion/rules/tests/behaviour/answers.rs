//! Answers at a gate and after an offer: which words count, what was taken, and what is not asked for again.

use enza_companion::{Command, Decision, Event, Pick, Scope, Settings, Share, Taken};
use enza_kernel::application::Application as _;
use enza_kernel::gate::{Picking, Verdict as Yes, plain_answer};
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;
use serde_json::{Value, json};

use super::world::World;

fn write(path: &str, content: &str) -> Value {
    json!({ "operation": "write", "path": path, "content": content })
}

fn run(words: &[&str]) -> Value {
    json!({ "operation": "run", "command": words })
}

/// At a gate about two files and a command.
fn asked() -> World {
    let mut world = World::opened();
    world.say("Do it");
    let actions = json!([write("a.txt", "a\n"), write("b.txt", "b\n"), run(&["make", "all"])]);
    world.decides(json!({ "actions": actions, "next_step": "done", "step": "EXECUTION" }));
    world
}

fn take(world: &mut World, picks: Vec<Pick>, left: Vec<u32>) {
    let gate = world.gate().unwrap().id;
    let answer = Command::Answer { gate, verdict: Yes::Yes, note: None, scope: Scope::Once, picks, left };
    world.tell(answer).unwrap();
    world.work();
}

fn nothing_of(file: u32) -> Pick {
    Pick { file, hunks: Some(Vec::new()), content: None }
}

/// G30: only a whole reply is an answer.
#[test]
fn a_gate_took_no_word_but_yes_and_no() {
    let yes = ["yes", "Y", "ok", "OK!", "ＯＫ", "okay", "はい", "はい。", "承認", "承認します", " Yes. "];
    let no = ["no", "N", "いいえ", "拒否", "拒否します。", "NO"];
    assert!(yes.iter().all(|word| plain_answer(word) == Some(Yes::Yes)));
    assert!(no.iter().all(|word| plain_answer(word) == Some(Yes::No)));
    let talk = [
        "ok?",
        "承認しますか",
        "yes but",
        "no problem",
        "はいはい",
        "not ok",
        "拒否しない",
        "承認の前に",
        "yesterday",
        "",
        "1",
    ];
    assert!(talk.iter().all(|word| plain_answer(word).is_none()));
    let mut world = asked();
    world.say("承認");
    world.work();
    assert_eq!(world.files["a.txt"], "a\n");
    let mut world = asked();
    world.say("承認していいか迷う");
    assert!(world.gate().is_some(), "what only contains it leaves the question open");
}

#[test]
fn what_was_left_out_of_a_gate_was_done_all_the_same() {
    let mut world = asked();
    take(&mut world, vec![nothing_of(1)], vec![2]);
    assert_eq!((world.files.contains_key("a.txt"), world.files.contains_key("b.txt")), (true, false));
    assert_eq!(world.ran, Vec::<String>::new(), "a command that was left out is not run");
    let answered = world.log.iter().find_map(|entry| match &entry.event {
        Event::GateAnswered { left, shares, .. } => Some((left.clone(), shares.clone())),
        _ => None,
    });
    let share = |what: &str, taken| Share { what: what.to_owned(), taken };
    let shares =
        vec![share("a.txt", Taken::Whole), share("b.txt", Taken::Nothing), share("run make all", Taken::Nothing)];
    assert_eq!(answered, Some((vec![1, 2], shares)), "the log names what was taken");
    assert!(
        world.last_told().contains("Not done: run make all (it was left out at the gate)"),
        "{}",
        world.last_told()
    );
}

/// Every sentence about what was taken, over all its parts.
#[test]
fn the_line_said_yes_where_only_some_was_taken() {
    let read = |picks: Vec<Pick>, left: Vec<u32>, lang| {
        let mut world = asked();
        take(&mut world, picks, left);
        world.read(lang)
    };
    let edited = || Pick { file: 0, hunks: None, content: Some("mine\n".to_owned()) };
    let cases = [
        (
            vec![nothing_of(1)],
            vec![],
            "ada accepted a part: a.txt, run make all. Left out: b.txt.",
            "adaさんが一部を受け入れました: a.txt、run make all。見送ったもの: b.txt。",
        ),
        (
            vec![edited()],
            vec![2],
            "ada accepted a part: a.txt (edited), b.txt. Left out: run make all.",
            "adaさんが一部を受け入れました: a.txt(書き直したもの)、b.txt。見送ったもの: run make all。",
        ),
        (
            vec![edited()],
            vec![],
            "ada accepted a part: a.txt (edited), b.txt, run make all.\n",
            "adaさんが一部を受け入れました: a.txt(書き直したもの)、b.txt、run make all。\n",
        ),
    ];
    for (picks, left, en, ja) in cases {
        assert!(read(picks.clone(), left.clone(), Lang::En).contains(en), "{en}: {}", read(picks, left, Lang::En));
        assert!(read(picks.clone(), left.clone(), Lang::Ja).contains(ja), "{ja}: {}", read(picks, left, Lang::Ja));
    }
}

#[test]
fn a_move_was_done_although_it_was_left_out() {
    let mut world = World::opened();
    world.files.insert("old.txt".to_owned(), "old\n".to_owned());
    world.say("Do it");
    let moves = json!({ "operation": "move", "path": "old.txt", "to": "new.txt" });
    world.decides(json!({ "actions": [moves, write("a.txt", "a\n")], "next_step": "done", "step": "EXECUTION" }));
    let leeway = world.app.floor(&world.state, &Reader::host(), Lang::En).leeway;
    let files: Vec<_> = leeway.files.iter().map(|file| (file.path.as_str(), file.picking, file.content)).collect();
    let content = leeway.files[1].content;
    assert_eq!(files, [("old.txt", Picking::Whole, None), ("a.txt", Picking::Hunks, content)]);
    take(&mut world, vec![nothing_of(0)], Vec::new());
    let there = |path: &str| world.files.contains_key(path);
    assert_eq!((there("old.txt"), there("new.txt"), there("a.txt")), (true, false, true));
    assert!(
        world.read(Lang::En).contains("ada accepted a part: a.txt. Left out: old.txt."),
        "{}",
        world.read(Lang::En)
    );
    let told = world.last_told();
    assert!(told.contains("Not done: move old.txt (it was left out at the gate)"), "{told}");
}

#[test]
fn a_yes_that_takes_nothing_is_a_no() {
    let mut world = asked();
    take(&mut world, vec![nothing_of(0), nothing_of(1)], vec![2]);
    assert_eq!((world.files.len(), world.ran.len()), (1, 0));
    assert!(world.read(Lang::En).contains("said no"), "{}", world.read(Lang::En));
}

#[test]
fn only_commands_and_tools_of_the_gate_can_be_left_out_by_their_place() {
    for left in [vec![0], vec![9], vec![2, 1]] {
        let mut world = asked();
        let gate = world.gate().unwrap().id;
        let answer =
            Command::Answer { gate, verdict: Yes::Yes, note: None, scope: Scope::Once, picks: Vec::new(), left };
        assert!(world.tell(answer).is_err());
        assert!(world.gate().is_some());
    }
}

/// A lasting yes is about what was taken alone.
#[test]
fn what_was_left_out_is_not_allowed_for_longer() {
    let mut world = asked();
    let gate = world.gate().unwrap().id;
    let answer = Command::Answer {
        gate,
        verdict: Yes::Yes,
        note: None,
        scope: Scope::Session,
        picks: Vec::new(),
        left: vec![2],
    };
    world.tell(answer).unwrap();
    world.work();
    let rules: Vec<String> = world.state.rules.iter().map(enza_companion::Rule::say).collect();
    assert_eq!(rules, ["allow change ./a.txt", "allow change ./b.txt"]);
}

fn decided(world: &World) -> Option<Decision> {
    world.log.iter().rev().find_map(|entry| match &entry.event {
        Event::Decided { decisions, .. } => decisions.last().cloned(),
        _ => None,
    })
}

/// G28: what was refused is not put to the person again, whatever the model tries.
#[test]
fn the_same_that_was_refused_was_asked_for_again() {
    for action in [write("a.txt", "a\n"), run(&["make", "all"])] {
        let mut world = World::opened();
        world.say("Do it");
        world.decides(json!({ "actions": [action.clone()], "next_step": "done", "step": "EXECUTION" }));
        world.answer(Yes::No);
        world.say("What else could be done?");
        let again = json!({ "actions": [action.clone()], "rationale": "it has to be", "next_step": "done", "step": "EXECUTION" });
        world.decides(again.clone());
        assert!(world.gate().is_none(), "{action}");
        assert_eq!(decided(&world), Some(Decision::Denied("turned down".to_owned())));
        assert!(
            world.last_told().contains("not asked for again until the person brings it up"),
            "{}",
            world.last_told()
        );
        assert!(world.read(Lang::En).contains("it was turned down in this task"), "{}", world.read(Lang::En));
        world.decides(json!({ "reply": "I see.", "next_step": "pending_user" }));
        world.say("Fine: a.txt and make are all right after all");
        world.decides(again);
        assert!(world.gate().is_some(), "the person has brought it up: {action}");
    }
}

#[test]
fn another_proposal_for_the_same_file_may_be_asked_for() {
    let mut world = World::opened();
    world.say("Do it");
    world.decides(json!({ "actions": [write("a.txt", "a\n")], "next_step": "done", "step": "EXECUTION" }));
    world.answer(Yes::No);
    world.say("Another way, please");
    world.decides(json!({ "actions": [write("a.txt", "other\n")], "next_step": "done", "step": "EXECUTION" }));
    assert!(world.gate().is_some());
}

#[test]
fn what_was_left_out_of_a_gate_is_not_asked_for_again_either() {
    let mut world = asked();
    take(&mut world, Vec::new(), vec![2]);
    world.decides(json!({ "actions": [run(&["make", "all"])], "next_step": "continue", "step": "EXECUTION" }));
    assert!(world.gate().is_none());
    assert_eq!(decided(&world), Some(Decision::Denied("turned down".to_owned())));
}

/// DUCK-94: a bare choice is the offer, told to the model in its own words and to the person as it was read.
#[test]
fn a_bare_choice_after_an_offer_was_a_new_question() {
    let mut world = World::opened();
    world.say("Store the notes somewhere");
    let offer = "Where should they go?\n1. In a file\n2. In SQLite (recommended)";
    world.decides(json!({ "reply": offer, "next_step": "pending_user" }));
    world.say("default");
    let heard = world.request().messages.iter().map(|message| message.text.to_string()).next_back().unwrap();
    assert_eq!(heard, "default\n(By this the person takes what you offered: In SQLite (recommended))");
    assert_eq!(world.state.front().unwrap().said, "default (In SQLite (recommended))", "a task is not called default");
    assert!(world.read(Lang::Ja).contains("この提案を選んだものとして進めます: In SQLite (recommended)"));
    world.decides(json!({ "reply": "Done.", "next_step": "pending_user" }));
    world.say("1");
    let heard = world.request().messages.iter().map(|message| message.text.to_string()).next_back().unwrap();
    assert_eq!(heard, "1", "nothing was offered this time");
}

/// Words of refusals name what would have it otherwise.
#[test]
fn a_refusal_names_the_setting_that_would_allow_it() {
    let told = |settings: Settings, attended: bool, path: &str| {
        let mut open = World::with(settings).log.into_iter().find_map(|entry| match entry.event {
            Event::Opened(opened) => Some(opened.open),
            _ => None,
        });
        let open = open.as_mut().unwrap();
        open.attended = attended;
        let mut world = World::open(open.clone());
        world.findings.insert("x.exe".to_owned(), vec![enza_work::Finding::Dangerous]);
        world.say("Do it");
        world.decides(json!({ "actions": [write(path, "a\n")], "next_step": "done", "step": "EXECUTION" }));
        world.last_told()
    };
    let plan = Settings { mode: enza_companion::Mode::Plan, ..Settings::default() };
    assert!(told(plan, true, "a.txt").contains("mode = \"ask\""));
    assert!(told(Settings::default(), false, "a.txt").contains("--allow"));
    assert!(told(Settings::default(), true, "x.exe").contains("dangerous_endings"));
    let rule = serde_json::from_value(json!({ "verdict": "deny", "operation": "change", "pattern": "a.txt" })).unwrap();
    let denied = told(Settings { rules: vec![rule], ..Settings::default() }, true, "a.txt");
    assert!(denied.contains("by the rule \"deny change a.txt\"; without it in rules"), "{denied}");
}

/// A patch is shown by the files that it changes.
/// At a gate about a file, in a task that was sent behind.
fn asked_behind() -> World {
    let mut world = World::opened();
    world.say("Do it");
    world.decides(json!({ "actions": [write("a.txt", "a\n")], "next_step": "done", "step": "EXECUTION" }));
    world.tell(Command::Background).unwrap();
    world.say("What is this?");
    world
}

#[test]
fn a_plain_yes_to_the_one_gate_behind_was_talk() {
    for (word, is_done) in [("yes", true), ("no", false)] {
        let mut world = asked_behind();
        world.decides(json!({ "reply": "A folder.", "next_step": "done" }));
        assert_eq!((world.gate().is_some(), world.state.front().unwrap().id), (true, 2));
        world.say(word);
        world.work();
        assert_eq!((world.gate(), world.files.contains_key("a.txt")), (None, is_done), "{word}");
        assert!(!world.state.recent.iter().any(|exchange| exchange.said == word), "it is no talk");
    }
}

#[test]
fn a_yes_to_what_was_asked_in_front_is_no_consent_to_what_waits_behind() {
    let mut world = asked_behind();
    world.decides(json!({ "reply": "Shall I explain it?", "next_step": "pending_user" }));
    world.say("yes");
    assert!(world.gate().is_some() && !world.files.contains_key("a.txt"));
}

#[test]
fn a_patch_was_called_patch_patch() {
    let mut world = World::opened();
    world.say("Do it");
    let patch = "*** Begin Patch\n  *** Update File: src/a.py\n*** Add File: b.py\n*** End Patch\n";
    let action = json!({ "operation": "patch", "patch": patch });
    world.reply_text(&super::world::verdict(json!({ "actions": [action], "step": "EXECUTION" })).to_string());
    let wanted = world.log.iter().rev().find_map(|entry| match &entry.event {
        Event::Wanted { wants, .. } => Some(wants[0].target.clone()),
        _ => None,
    });
    assert_eq!(wanted.as_deref(), Some("src/a.py, b.py"));

    // The folder of these tests takes a patch for the name of the one file in it.
    let mut world = World::opened();
    world.say("Do it");
    let action = json!({ "operation": "patch", "patch": "src/c.py" });
    world.decides(json!({ "actions": [action], "step": "EXECUTION" }));
    assert_eq!(world.gate().unwrap().ask.intent, "Patch: src/c.py");
}

/// Logs that were written before operations could be left out are read as they are.
#[test]
fn an_answer_in_an_older_log_took_everything() {
    use enza_kernel::application::{Stored, restore};
    let body = r#"{"desk":1,"answer":{"verdict":"yes","note":null,"by":"local","at":1794830000000},"scope":"once"}"#;
    let stored = Stored { kind: "GateAnswered".to_owned(), version: 2, body: body.to_owned() };
    let event = restore::<enza_companion::Companion>(&stored).unwrap();
    let Event::GateAnswered { picks, left, shares, .. } = event else { panic!("{event:?}") };
    assert_eq!((picks, left, shares), (Vec::new(), Vec::new(), Vec::new()));
}

/// A reason that speaks of what was turned down wants it otherwise, not never.
#[test]
fn what_a_reason_speaks_of_may_be_asked_for_again() {
    let mut world = World::opened();
    world.say("Do it");
    let act = json!({ "actions": [run(&["make", "all"])], "next_step": "done", "step": "EXECUTION" });
    world.decides(act.clone());
    let gate = world.gate().unwrap().id;
    let note = Some("read the Makefile first, then make all".to_owned());
    let no = Command::Answer { gate, verdict: Yes::No, note, scope: Scope::Once, picks: Vec::new(), left: Vec::new() };
    world.tell(no).unwrap();
    world.decides(act);
    assert!(world.gate().is_some());
}
