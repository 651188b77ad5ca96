//! Every sentence that the companion puts together, over all its parts and in both languages.

use enza_companion::{
    Companion, Mismatch, Mode, Note, Rule, Ruling, Scope, Settings, Share, Taken, denial, say_shares,
};
use enza_kernel::application::Application as _;
use enza_kernel::floor::Who;
use enza_kernel::gate::Verdict as Yes;
use enza_kernel::reader::Reader;
use enza_kernel::testing::prose;
use enza_kernel::text::Lang;
use enza_work::{Fault, RunEnd, RunResult, SideEffects};
use serde_json::json;

use super::world::World;

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

/// What models, programs and people write, with every mark that it may end in.
const TEXTS: [&str; 6] = [
    "It may break the build",
    "It may break the build.",
    "Is that so?",
    "Stop!",
    "壊れるかもしれません。",
    "本当ですか？",
];

fn notes(text: &str) -> Vec<Note> {
    let path = || "src/a.py".to_owned();
    let text = || text.to_owned();
    vec![
        Note::Mismatch(Mismatch::PlanWithoutGoal),
        Note::Mismatch(Mismatch::ReasonWithoutGoal),
        Note::Mismatch(Mismatch::MoveAgainstConstraint),
        Note::Mismatch(Mismatch::ActionAgainstConstraint),
        Note::Mismatch(Mismatch::QuestionAnswered),
        Note::Doubt(text()),
        Note::Denied { lines: texts(&["a", "b"]) },
        Note::Failed { text: text() },
        Note::Loop,
        Note::GivenUp { error: text(), recoveries: None },
        Note::GivenUp { error: text(), recoveries: Some(2) },
        Note::RoundsSpent { rounds: 8 },
        Note::NoModel { why: text() },
        Note::Unknown { what: "make all".to_owned(), changed: Vec::new() },
        Note::Unknown { what: "make all".to_owned(), changed: texts(&["a.py", "b.py"]) },
        Note::ChangedSince { path: path() },
        Note::PutBack { paths: texts(&["a", "b"]) },
        Note::ChecksFailed { checks: texts(&["pytest -q"]) },
        Note::ChecksFailed { checks: texts(&["ruff check", "pytest -q"]) },
        Note::BudgetEnded { spent: 5_000, limit: 6_000, need: 2_500 },
        Note::Took { offer: text() },
        Note::AwaitsAcceptance,
        Note::PlanAwaits,
        Note::Idle,
        Note::NotKept { text: text() },
        Note::TooLong { layer: "main".to_owned(), tokens: 12 },
        Note::PatternMissing,
    ]
}

/// Every way in which an order is not carried out.
fn faults(text: &str) -> Vec<Fault> {
    let path = || "src/a.py".to_owned();
    let why = || text.to_owned();
    vec![
        Fault::OutsideToRead { path: path() },
        Fault::OutsideToWrite { path: path() },
        Fault::Secret { path: path() },
        Fault::Closed { path: path() },
        Fault::Missing { path: path() },
        Fault::Exists { path: path() },
        Fault::IsFolder { path: path() },
        Fault::NotAFolder { path: path() },
        Fault::NotText { path: path() },
        Fault::TooLarge { path: path(), bytes: 9, most: 1 },
        Fault::TooMany { path: path(), most: 100 },
        Fault::NoFiles { path: path() },
        Fault::UnusablePath { path: path() },
        Fault::IsLink { path: path() },
        Fault::Special { path: path() },
        Fault::Forgotten { path: path() },
        Fault::HalfMade { why: Box::new(Fault::System { path: path(), why: why() }), left: texts(&["a.py", "b.py"]) },
        Fault::HalfMade { why: Box::new(Fault::Changed { path: path() }), left: texts(&["a.py"]) },
        Fault::Changed { path: path() },
        Fault::UnreadablePatch { line: 3, why: why() },
        Fault::DoesNotApply { path: path(), piece: 2, why: why() },
        Fault::UnreadablePattern { why: why() },
        Fault::NoSuchProgram { name: "ruff".to_owned() },
        Fault::NothingToCommit { why: why() },
        Fault::NoSandbox { why: why() },
        Fault::KeptFrom { path: path() },
        Fault::Unsealed { why: why() },
        Fault::Tool { tool: "wiki/search".to_owned(), why: why() },
        Fault::System { path: path(), why: why() },
    ]
}

fn side_effects() -> Vec<SideEffects> {
    let effects = |files: &[&str], others, put_back: &[&str]| SideEffects {
        files: texts(files),
        others,
        put_back: texts(put_back),
    };
    let hooks = [".git/hooks/pre-commit", "web/.git/config"];
    vec![
        effects(&["big.bin"], false, &[]),
        effects(&["big.bin", "bigger.bin"], true, &[]),
        effects(&[], true, &[]),
        effects(&[], false, &hooks),
        effects(&["big.bin"], true, &hooks),
    ]
}

fn ends() -> Vec<RunEnd> {
    vec![
        RunEnd::Status(0),
        RunEnd::Status(1),
        RunEnd::Signal(9),
        RunEnd::OutOfTime,
        RunEnd::TooManyProcesses,
        RunEnd::TooMuchMemory,
        RunEnd::TooMuchDisk,
        RunEnd::Stopped,
        RunEnd::Unseen,
    ]
}

fn shares() -> Vec<Vec<Share>> {
    let share = |what: &str, taken| Share { what: what.to_owned(), taken };
    let hunks = || Taken::Hunks { hunks: vec![1, 3], of: 4 };
    vec![
        vec![share("a.py", hunks())],
        vec![share("a.py", Taken::Whole), share("run make", Taken::Nothing)],
        vec![share("a.py", Taken::Edited), share("b.py", hunks()), share("run make", Taken::Whole)],
        vec![share("a.py", Taken::Nothing), share("b.py", Taken::Nothing), share("run make", Taken::Whole)],
    ]
}

const WHY: [&str; 8] = [
    "mode = plan",
    "aside",
    "nobody to ask",
    "nobody to ask what is always asked",
    "left out",
    "turned down",
    "deny run npm *",
    "src/auth: don't touch it",
];

fn all(lang: Lang) -> Vec<String> {
    let mut all: Vec<String> = TEXTS.iter().flat_map(|text| notes(text)).map(|note| note.say(lang)).collect();
    all.extend(TEXTS.iter().flat_map(|text| faults(text)).flat_map(|fault| {
        let said = fault.say(lang);
        let besides = RunResult { kept_from: Some(Box::new(fault)), ..RunResult::stopped_before_it_began() };
        [Some(said.in_one()), besides.besides(lang), Some(said.message), Some(said.hint)].into_iter().flatten()
    }));
    all.extend(side_effects().iter().map(|beyond| beyond.say(lang).expect("there is something to say")));
    all.extend(ends().into_iter().map(|ended| ended.say(lang)));
    all.extend(shares().iter().flat_map(|one| [say_shares(lang, None, one), say_shares(lang, Some("ada"), one)]));
    all.extend(WHY.iter().map(|why| denial(lang, why)));
    all
}

#[test]
fn no_sentence_shows_how_it_was_put_together() {
    for lang in [Lang::En, Lang::Ja] {
        all(lang).iter().for_each(|said| reads_well(said));
    }
}

fn reads_well(said: &str) {
    assert!(!said.trim().is_empty());
    assert_eq!(prose::faults(said), Vec::<String>::new(), "{said}");
    for odd in ["::", " ,", "Some(", "None", "Status("] {
        assert!(!said.contains(odd), "{odd:?} in {said:?}");
    }
}

/// Everything that a session has told its person, and what it asks for now.
fn told(world: &World, lang: Lang) -> Vec<String> {
    let lines = world.log.iter().filter_map(|entry| Companion::line(entry, &Reader::host(), lang));
    let mut all: Vec<String> = lines.filter(|line| !matches!(line.who, Who::Person(_))).map(|line| line.text).collect();
    all.extend(Companion::standing(&world.state).waiting_for);
    if let Some(gate) = world.gate() {
        let ask = gate.ask;
        all.extend([ask.intent, ask.grounds, ask.impact].into_iter().filter(|text| !text.is_empty()));
        all.extend(ask.alternatives);
    }
    all
}

fn in_language(lang: Lang, mut settings: Settings) -> World {
    settings.safety_phase = 4;
    let mut world = World::with(settings);
    world.state.lang = Some(lang);
    for path in ["/home/ada/notes.txt", ".env", "private/plan.md"] {
        world.files.insert(path.to_owned(), "text\n".to_owned());
    }
    world
}

/// A model's doubt is a sentence of its own, and the question after it is another.
#[test]
fn a_doubt_that_ends_in_a_full_stop_is_not_ended_twice() {
    for (lang, doubt) in [Lang::En, Lang::Ja].into_iter().flat_map(|lang| TEXTS.map(|doubt| (lang, doubt))) {
        let mut world = in_language(lang, Settings::default());
        world.say("Remove it.");
        let actions = json!([{ "operation": "delete", "path": "src/hello.rs", "rationale": "it was asked for" }]);
        world.decides(json!({ "actions": actions, "constraint_check": format!("no: {doubt}") }));
        let all = told(&world, lang);
        assert!(all.iter().filter(|said| said.contains(doubt)).count() > 1, "it is held back and asked: {all:?}");
        all.iter().for_each(|said| reads_well(said));
    }
}

#[test]
fn the_questions_about_closed_paths_read_well() {
    let rule = || Rule { verdict: Ruling::Deny, operation: "read".to_owned(), pattern: "/home/**".to_owned() };
    for (lang, grounds) in [Lang::En, Lang::Ja].into_iter().flat_map(|lang| TEXTS.map(|text| (lang, text))) {
        for path in ["/home/ada/notes.txt", ".env"] {
            for operation in ["read", "write"] {
                let mut world = in_language(lang, Settings::default());
                world.say("How is it set up?");
                let action = json!({ "operation": operation, "path": path, "content": "new\n", "rationale": grounds });
                world.decides(json!({ "actions": [action] }));
                assert!(world.gate().is_some(), "{operation} {path}");
                told(&world, lang).iter().for_each(|said| reads_well(said));
                world.gives(Yes::No, Some(grounds), Scope::Once);
                told(&world, lang).iter().for_each(|said| reads_well(said));
            }
        }
        let mut kept = in_language(lang, Settings::default());
        (kept.kept_from, kept.statuses) = (Some("/home/ada/envs/web".to_owned()), vec![1, 0]);
        kept.say("Run the tests.");
        kept.decides(
            json!({ "actions": [{ "operation": "run", "command": ["make", "tests"], "rationale": grounds }] }),
        );
        kept.answer(Yes::Yes);
        assert!(kept.gate().is_some(), "it is offered to open the path");
        told(&kept, lang).iter().for_each(|said| reads_well(said));
        // What is never opened, and what a rule, the mode and an empty room keep from being done.
        for (settings, attended) in [
            (Settings::default(), true),
            (Settings { rules: vec![rule()], ..Settings::default() }, true),
            (Settings { mode: Mode::Plan, ..Settings::default() }, true),
            (Settings::default(), false),
        ] {
            let mut world = in_language(lang, settings);
            world.state.attended = attended;
            world.say("How is it set up?");
            let actions = json!([
                { "operation": "read", "path": "/etc/passwd", "rationale": grounds },
                { "operation": "read", "path": "/home/ada/notes.txt", "rationale": grounds },
                { "operation": "write", "path": "/etc/passwd", "content": "x", "rationale": grounds },
            ]);
            world.decides(json!({ "actions": actions }));
            let all = told(&world, lang);
            all.iter().for_each(|said| reads_well(said));
            assert!(!all.is_empty(), "something is asked, or told to be kept from being done");
        }
    }
}

#[test]
fn the_end_of_a_budget_and_failing_checks_are_said_whole() {
    let said = |note: Note| [note.say(Lang::En), note.say(Lang::Ja)];
    assert_eq!(
        said(Note::BudgetEnded { spent: 5_000, limit: 6_000, need: 2_500 }),
        [
            "The token budget is used up: 5000 of 6000 tokens were used, and the next call can take up to 2500.\nRaise the budget to continue, for example to 12000.",
            "トークンの予算を使い切りました: 6000のうち5000を使い、次の呼び出しには最大2500が必要です。\n続けるには、予算を増やしてください(例: 12000)。",
        ]
    );
    assert_eq!(
        said(Note::ChecksFailed { checks: texts(&["ruff check", "pytest -q"]) }),
        [
            "Not done: the checks fail: ruff check, pytest -q\nSay how to fix it, undo the changes, or give up the task.",
            "完了していません。変更後の確認が失敗しています: ruff check、pytest -q\n直し方を伝えるか、変更を元に戻すか、作業を取りやめてください。",
        ]
    );
}

#[test]
fn what_was_taken_is_said_whole() {
    let said: Vec<String> = shares().iter().map(|one| say_shares(Lang::En, None, one)).collect();
    assert_eq!(
        said,
        [
            "You accepted a part: a.py (parts 1, 3 of 4).",
            "You accepted a part: a.py. Left out: run make.",
            "You accepted a part: a.py (edited), b.py (parts 1, 3 of 4), run make.",
            "You accepted a part: run make. Left out: a.py, b.py.",
        ]
    );
    assert_eq!(say_shares(Lang::Ja, None, &shares()[0]), "一部を受け入れました: a.py(4箇所のうち 1、3 番)。");
}

/// What a setting would allow is refused with its name.
#[test]
fn a_fault_names_the_setting_that_would_have_it_otherwise() {
    let path = || "/etc/x".to_owned();
    let faults = [
        (Fault::OutsideToRead { path: path() }, "readable"),
        (Fault::OutsideToWrite { path: path() }, "safety_phase"),
        (Fault::Closed { path: path() }, "rules"),
        (Fault::TooLarge { path: path(), bytes: 9, most: 1 }, "write_bytes"),
    ];
    for (fault, setting) in faults {
        for lang in [Lang::En, Lang::Ja] {
            assert!(fault.say(lang).hint.contains(setting), "{:?}", fault.say(lang));
        }
    }
    assert!([Lang::En, Lang::Ja].iter().all(|lang| RunEnd::OutOfTime.say(*lang).contains("command_seconds")));
}

/// What came of taking turns back says which files.
#[test]
fn taken_back_one_said_nothing() {
    use enza_companion::Event;
    use enza_kernel::application::Entry;
    use enza_kernel::time::{Seq, Timestamp};
    use enza_work::{NotRestored, RestoreResult};
    let said = |restored: &[&str], kept: Option<NotRestored>, lang| {
        let kept = kept.map(|why| ("b.py".to_owned(), why)).into_iter().collect();
        let restored = RestoreResult { restored: texts(restored), kept, ..RestoreResult::default() };
        let event = Event::TakenBack { turn: 1, restored };
        Companion::line(&Entry { seq: Seq(1), at: Timestamp(0), event }, &Reader::host(), lang).unwrap().text
    };
    assert_eq!(said(&["a.py", "c.py"], None, Lang::En), "Restored to what it was before: a.py, c.py");
    assert_eq!(said(&["a.py"], None, Lang::Ja), "変更前の内容に戻しました: a.py");
    assert_eq!(
        said(&[], Some(NotRestored::ChangedSince), Lang::En),
        "No change was undone.\nb.py: left as it is, because it was edited afterwards"
    );
}
