//! Tables of moves: what loads, what does not and why, and how one moves along a table.

use enza_kernel::application::Reason as _;
use enza_kernel::moves::{Flaw, Kind, Move, MoveKind, Mover, NotAllowed, NotMoved, Problem, Table, TableFault};
use enza_kernel::text::Lang;

const FIELD: &str = r#"
name = "field"
states = ["pending", "interviewing", "reviewing", "stuck", "done"]
start = "pending"
ends = ["done"]
most_per_utterance = 2

[[move]]
from = "pending"
to = "interviewing"

[[move]]
from = "interviewing"
to = "reviewing"

[[move]]
from = "reviewing"
to = "interviewing"
on = "feedback"

[[move]]
from = "reviewing"
to = "done"

[[move]]
from = "stuck"
to = "pending"
on = "a person helps"

[[error]]
from = "reviewing"
to = "stuck"
on = "reviewer failed"
"#;

fn field() -> Table {
    Table::parse(FIELD).expect("the example table is sound")
}

fn problems(toml: &str) -> Vec<(usize, Flaw)> {
    let fault = Table::parse(toml).expect_err("the table has flaws");
    fault.problems.into_iter().map(|Problem { line, flaw }| (line, flaw)).collect()
}

#[test]
fn a_sound_table_says_what_was_written() {
    let table = field();
    assert_eq!((table.name(), table.start(), table.ends()), ("field", "pending", &["done".to_owned()][..]));
    assert_eq!(table.states(), ["pending", "interviewing", "reviewing", "stuck", "done"]);
    assert_eq!(table.moves().len(), 5);
    assert_eq!(
        table.errors(),
        [Move { from: "reviewing".into(), to: "stuck".into(), on: Some("reviewer failed".into()) }]
    );
    assert_eq!(table.most_per_utterance(), Some(2));
}

#[test]
fn a_move_that_is_not_in_the_table_is_refused_with_the_moves_that_are() {
    let refusal = field().step("reviewing", "pending").unwrap_err();
    assert_eq!(
        refusal,
        NotAllowed {
            table: "field".into(),
            from: "reviewing".into(),
            to: "pending".into(),
            allowed: vec!["interviewing".into(), "done".into()],
        }
    );
    assert_eq!(
        refusal.to_string(),
        "field: no move from reviewing to pending; from reviewing one may go to interviewing, done"
    );
}

#[test]
fn error_moves_stand_apart_from_ordinary_ones() {
    let table = field();
    assert!(!table.allows("reviewing", "stuck"));
    assert_eq!(table.error_step("reviewing", "stuck"), Ok(()));
    assert!(table.error_step("reviewing", "done").is_err());
}

#[test]
fn unknown_names_and_repetitions_are_found_together_each_with_its_line() {
    let toml = r#"name = "broken"
states = [
  "a",
  "b",
  "a",
]
start = "z"
ends = ["b"]
[[move]]
from = "a"
to = "b"
[[move]]
from = "a"
to = "bb"
[[move]]
from = "a"
to = "b"
"#;
    assert_eq!(
        problems(toml),
        [
            (5, Flaw::RepeatedState { state: "a".into() }),
            (7, Flaw::UnknownState { state: "z".into() }),
            (14, Flaw::UnknownState { state: "bb".into() }),
            (15, Flaw::RepeatedMove { from: "a".into(), to: "b".into() }),
        ]
    );
}

#[test]
fn two_moves_between_the_same_states_for_different_reasons_are_no_repetition() {
    let toml = r#"
        name = "t"
        states = ["a", "b"]
        start = "a"
        ends = ["b"]
        move = [{ from = "a", to = "b", on = "yes" }, { from = "a", to = "b", on = "no" }]
    "#;
    assert_eq!(Table::parse(toml).unwrap().next(MoveKind::Ordinary, "a"), ["b"]);
}

#[test]
fn a_state_nothing_leads_to_and_a_state_without_a_way_to_an_end_are_found() {
    let toml = r#"name = "broken"
states = ["a", "island",
          "trap", "b"]
start = "a"
ends = ["b"]
[[move]]
from = "a"
to = "b"
[[move]]
from = "a"
to = "trap"
[[move]]
from = "island"
to = "b"
[[error]]
from = "trap"
to = "b"
"#;
    assert_eq!(
        problems(toml),
        [(2, Flaw::Unreachable { state: "island".into() }), (3, Flaw::NoWayToAnEnd { state: "trap".into() })]
    );
}

#[test]
fn unknown_and_missing_keys_and_values_of_the_wrong_kind_are_found_together() {
    let toml = r#"name = "broken"
begin = "a"
states = "a"
ends = []
most_per_utterance = 0
[[move]]
from = "a"
when = "noon"
"#;
    assert_eq!(
        problems(toml),
        [
            (1, Flaw::MissingKey { key: "start" }),
            (2, Flaw::UnknownKey { key: "begin".into() }),
            (3, Flaw::WrongKind { key: "states", expected: Kind::Names }),
            (4, Flaw::WrongKind { key: "ends", expected: Kind::Names }),
            (5, Flaw::WrongKind { key: "most_per_utterance", expected: Kind::Count }),
            (6, Flaw::MissingKey { key: "to" }),
            (8, Flaw::UnknownKey { key: "when".into() }),
        ]
    );
}

#[test]
fn text_that_is_not_toml_is_refused_with_its_line() {
    let fault = Table::parse("name = \"x\"\nstates = [\n").unwrap_err();
    let [Problem { line: 2 | 3, flaw: Flaw::NotToml { .. } }] = &fault.problems[..] else {
        panic!("one problem at the open bracket, not {fault:?}");
    };
}

#[test]
fn a_fault_is_told_in_both_languages() {
    let fault = TableFault {
        table: Some("field".into()),
        problems: vec![Problem { line: 3, flaw: Flaw::UnknownState { state: "dnoe".into() } }],
    };
    insta::assert_snapshot!(fault, @r#"
    table of moves "field"
      line 3: "dnoe" is not among the states
    "#);
    insta::assert_snapshot!(fault.say(Lang::Ja).message, @"
    遷移表「field」に誤りがあります。
    3行目: 状態「dnoe」は states にありません
    ");
}

#[test]
fn an_utterance_moves_at_most_as_often_as_the_table_says_and_errors_do_not_count() {
    let table = field();
    let mut mover = Mover::at_start(&table);
    for to in ["interviewing", "reviewing"] {
        mover.may(&table, MoveKind::Ordinary, to).unwrap();
        mover.take(MoveKind::Ordinary, to);
    }
    let stay = NotMoved::TooMany { table: "field".into(), most: 2 };
    assert_eq!(mover.may(&table, MoveKind::Ordinary, "done"), Err(stay));
    assert_eq!(mover.may(&table, MoveKind::Error, "stuck"), Ok(()));
    mover.begin_utterance();
    assert_eq!(mover.may(&table, MoveKind::Ordinary, "done"), Ok(()));
    assert_eq!((mover.at(), mover.moved()), ("reviewing", 0));
}

#[test]
fn a_table_draws_itself() {
    insta::assert_snapshot!(field().to_mermaid(), @"
    stateDiagram-v2
        [*] --> pending
        pending --> interviewing
        interviewing --> reviewing
        reviewing --> interviewing : feedback
        reviewing --> done
        stuck --> pending : a person helps
        reviewing --> stuck : error (reviewer failed)
        done --> [*]
    ");
}

#[test]
fn names_that_the_diagram_language_would_misread_get_an_alias() {
    let table = Table::parse(
        r#"
        name = "t"
        states = ["受付", "end", "state_1"]
        start = "受付"
        ends = ["end"]
        [[move]]
        from = "受付"
        to = "state_1"
        on = "yes: go; \"now\""
        [[move]]
        from = "state_1"
        to = "end"
    "#,
    )
    .unwrap();
    insta::assert_snapshot!(table.to_mermaid(), @r#"
    stateDiagram-v2
        state "受付" as state_0
        state "end" as state_1
        state "state_1" as state_2
        [*] --> state_0
        state_0 --> state_2 : yes#58; go#59; #34;now#34;
        state_2 --> state_1
        state_1 --> [*]
    "#);
}
