//! Every sentence that the companion puts together, over all its parts and in both languages.

use enza_companion::{Mismatch, Note, Share, Taken, denial, say_shares};
use enza_kernel::text::Lang;
use enza_work::RunEnd;

fn texts(list: &[&str]) -> Vec<String> {
    list.iter().map(|text| (*text).to_owned()).collect()
}

fn notes() -> Vec<Note> {
    let text = || "src/a.py".to_owned();
    vec![
        Note::Mismatch(Mismatch::ActionAgainstConstraint),
        Note::Doubt(text()),
        Note::Denied { lines: texts(&["a", "b"]) },
        Note::Failed { text: text() },
        Note::Loop,
        Note::GivenUp { error: text(), recoveries: None },
        Note::GivenUp { error: text(), recoveries: Some(2) },
        Note::RoundsSpent { rounds: 8 },
        Note::NoModel { why: "the model is busy.".to_owned() },
        Note::NoModel { why: "鍵がありません。".to_owned() },
        Note::Unknown { what: "make all".to_owned(), changed: Vec::new() },
        Note::Unknown { what: "make all".to_owned(), changed: texts(&["a.py", "b.py"]) },
        Note::ChangedSince { path: text() },
        Note::PutBack { paths: texts(&["a", "b"]) },
        Note::ChecksFailed { checks: texts(&["pytest -q"]) },
        Note::ChecksFailed { checks: texts(&["ruff check", "pytest -q"]) },
        Note::BudgetEnded { spent: 5_000, limit: 6_000, need: 2_500 },
        Note::Took { offer: "In SQLite".to_owned() },
        Note::AwaitsAcceptance,
        Note::PlanAwaits,
        Note::Idle,
        Note::NotKept { text: text() },
        Note::TooLong { layer: "main".to_owned(), tokens: 12 },
        Note::PatternMissing,
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
    let mut all: Vec<String> = notes().iter().map(|note| note.say(lang)).collect();
    all.extend(ends().into_iter().map(|ended| ended.say(lang)));
    all.extend(shares().iter().flat_map(|one| [say_shares(lang, None, one), say_shares(lang, Some("ada"), one)]));
    all.extend(WHY.iter().map(|why| denial(lang, why)));
    all
}

#[test]
fn no_sentence_shows_how_it_was_put_together() {
    for lang in [Lang::En, Lang::Ja] {
        for said in all(lang) {
            assert!(!said.trim().is_empty());
            for odd in [
                "..", "。。", "。.", ".。", ": .", ":。", " ,", "、、", "::", "{", "}", "Some(", "None", "Status(",
                "()",
            ] {
                assert!(!said.contains(odd), "{odd:?} in {said:?}");
            }
        }
    }
}

#[test]
fn the_end_of_a_budget_and_failing_checks_are_said_whole() {
    let said = |note: Note| [note.say(Lang::En), note.say(Lang::Ja)];
    assert_eq!(
        said(Note::BudgetEnded { spent: 5_000, limit: 6_000, need: 2_500 }),
        [
            "The token budget has come to its end: 5000 of 6000 are spent, and the next call can take up to 2500.\nRaise the budget to go on, to 12000 for example.",
            "トークンの予算を使い切りました: 6000のうち5000を使い、次の呼び出しには最大2500が必要です。\n続けるには、予算を増やしてください(例: 12000)。",
        ]
    );
    assert_eq!(
        said(Note::ChecksFailed { checks: texts(&["ruff check", "pytest -q"]) }),
        [
            "Not done: the checks fail: ruff check, pytest -q\nSay how to mend it, take the changes back, or give up the task.",
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
            "You took a part: a.py (of its 4 parts: 1, 3).",
            "You took a part: a.py. Left out: run make.",
            "You took a part: a.py (as you wrote it), b.py (of its 4 parts: 1, 3), run make.",
            "You took a part: run make. Left out: a.py, b.py.",
        ]
    );
    assert_eq!(say_shares(Lang::Ja, None, &shares()[0]), "一部を受け入れました: a.py(4箇所のうち 1、3 番)。");
}

/// What a setting would allow is refused with its name.
#[test]
fn a_fault_names_the_setting_that_would_have_it_otherwise() {
    use enza_work::Fault;
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
    use enza_companion::{Companion, Event};
    use enza_kernel::application::{Application as _, Entry};
    use enza_kernel::time::{Seq, Timestamp};
    use enza_work::{NotRestored, RestoreResult};
    let said = |restored: &[&str], kept: Option<NotRestored>, lang| {
        let kept = kept.map(|why| ("b.py".to_owned(), why)).into_iter().collect();
        let restored = RestoreResult { restored: texts(restored), kept, ..RestoreResult::default() };
        let event = Event::TakenBack { turn: 1, restored };
        Companion::line(&Entry { seq: Seq(1), at: Timestamp(0), event }, lang).unwrap().text
    };
    assert_eq!(said(&["a.py", "c.py"], None, Lang::En), "As it was before: a.py, c.py");
    assert_eq!(said(&["a.py"], None, Lang::Ja), "変更前の内容に戻しました: a.py");
    assert_eq!(
        said(&[], Some(NotRestored::ChangedSince), Lang::En),
        "No change was taken back.\nb.py: left as it is, since it was changed afterwards"
    );
}
