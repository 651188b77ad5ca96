//! The companion from a request to a result that is accepted, on a real repository whose tests are really run.

use serde_json::{Value, json};

use crate::behaviour::companion_fixture::{ScriptedProject, talk};
use crate::behaviour::companion_repository::{
    PRICE, TESTS, approved, asked_at_a_gate, audit, edit, plan, repository, session_of, then, told, tree, wants, work,
};
use crate::behaviour::companion_terminal::{Setting, Terminal};

/// The function as it is first written: wrong.
const WRONG: &str = "\n\ndef vat(gross):\n    return gross * 0.1\n";
/// As it should be.
const RIGHT: &str = "\n\ndef vat(gross):\n    return gross - net(gross)\n";
/// The test for it.
const TEST_VAT: &str = "import unittest\nfrom shop.price import vat\n\n\nclass Vat(unittest.TestCase):\n    def test_vat(self):\n        self.assertAlmostEqual(vat(110), 10)\n";

fn first_try() -> Value {
    let test = json!({ "operation": "create", "path": "tests/test_vat.py", "content": TEST_VAT });
    wants(&json!([
        edit("shop/price.py", "    return gross / 1.1\n", &format!("    return gross / 1.1\n{WRONG}")),
        test
    ]))
}

fn mended() -> Value {
    wants(&json!([edit("shop/price.py", "gross * 0.1", "gross - net(gross)")]))
}

/// DUCK-03, DUCK-06, DUCK-07, DUCK-09, DUCK-86, DUCK-95, DUCK-122, DUCK-126, G11, G12.
#[test]
fn a_request_goes_by_plan_gate_edit_red_tests_mend_green_tests_and_review_to_its_end() {
    let stage = repository([work(), plan(), first_try(), mended(), approved()]);
    let before = tree(&stage);
    let session = asked_at_a_gate(&stage, "add a function vat() with a test");
    assert_eq!((tree(&stage), stage.asked()), (before.clone(), 3), "nothing is touched before a yes");

    let red = then(&stage, &session, "yes", 4);
    assert_eq!(stage.text("shop/price.py"), format!("{PRICE}{WRONG}"));
    assert!(stage.heard().contains("FAILED (failures=1)"), "the model hears what the tests say: {}", stage.heard());
    assert!(red.out.contains("\"risk\""), "the mend is asked for as well: {}", red.out);

    let green = then(&stage, &session, "yes", 0);
    let ended = green.lines().pop().unwrap();
    assert_eq!((&ended["step"], &ended["status"]), (&json!("REVIEW"), &json!("REQUIRES_USER_INPUT")), "{ended}");
    let mut terminal = Terminal::open(&stage, &Setting::default(), "--continue --plain");
    terminal.types("/accept\n/turns\n/quit\n");
    terminal.ends();

    let mut after = before;
    let price = crate::behaviour::companion_repository::Entry::File(0o100_644, format!("{PRICE}{RIGHT}").into_bytes());
    after.insert("shop/price.py".into(), price);
    after.insert("tests/test_vat.py".into(), tree(&stage)[std::path::Path::new("tests/test_vat.py")].clone());
    assert_eq!(tree(&stage), after, "two files have changed, and nothing else: no commit, no cache, no stray file");
    assert_eq!(
        (stage.text("tests/test_vat.py").as_str(), stage.text("tests/test_price.py").as_str()),
        (TEST_VAT, TESTS)
    );
    assert_eq!(stage.asked(), 5, "no call beyond the five");
    the_log_tells_it(&stage, &session);
}

/// DUCK-08, DUCK-75, DUCK-76, DUCK-91, G49, G51: the audit log alone tells what happened, and who said yes to it.
fn the_log_tells_it(stage: &ScriptedProject, session: &str) {
    let audit = audit(stage, session);
    let moves = [
        "PLANNING → AWAITING_APPROVAL",
        "AWAITING_APPROVAL → EXECUTION",
        "EXECUTION → PLANNING",
        "PLANNING → AWAITING_APPROVAL",
        "AWAITING_APPROVAL → EXECUTION",
        "EXECUTION → REVIEW",
        "REVIEW → DONE",
    ];
    assert_eq!(told(&audit, "moved", "what"), moves);
    assert_eq!(told(&audit, "answered", "what"), ["yes, once", "yes, once"]);
    assert_eq!(told(&audit, "answered", "who"), ["local", "local"]);
    assert_eq!(told(&audit, "decided", "what"), ["asked; asked", "asked"]);
    assert_eq!(told(&audit, "recovered", "what").len(), 1);
    assert_eq!(told(&audit, "task_ended", "what"), ["accepted"]);
    assert_eq!(told(&audit, "tokens", "who").len(), 5);
    assert!(told(&audit, "judged", "why").iter().all(|why| why == "the person asked"), "a reason each: {audit:?}");
    let made: Vec<&Value> =
        audit.iter().filter(|line| line["what"].as_str().is_some_and(|what| what.starts_with("changed "))).collect();
    assert_eq!(made.len(), 2, "{audit:?}");
    assert_eq!(made[0]["more"]["changes"][0]["after"], made[1]["more"]["changes"][0]["before"], "digests link up");
}

/// G28: what a person has written meanwhile is theirs; nothing is applied over it, and it is asked again.
#[test]
fn a_file_that_a_person_changed_while_the_gate_was_open_is_asked_for_again() {
    let by_hand = "def net(gross):\n    return gross / 1.2\n";
    let again =
        wants(&json!([edit("shop/price.py", "    return gross / 1.2\n", &format!("    return gross / 1.2\n{RIGHT}"))]));
    let stage = repository([work(), plan(), first_try(), again]);
    let session = asked_at_a_gate(&stage, "add vat()");
    std::fs::write(stage.project.join("shop/price.py"), by_hand).unwrap();
    let by_the_person = tree(&stage);
    let run = then(&stage, &session, "yes", 4);
    assert_eq!(tree(&stage), by_the_person, "neither the file nor the test beside it is written");
    assert!(run.out.contains("shop/price.py has changed since it was shown"), "{}", run.out);
    let gates: Vec<Value> = run.lines().into_iter().filter(|line| line["kind"] == "gate").collect();
    assert!(gates[0]["gate"]["ask"]["diff"].as_str().unwrap().contains(" def net(gross):\n     return gross / 1.2\n"));
    assert_eq!(gates[0]["gate"]["id"], "gate-2", "{gates:?}");
}

/// G28: talk beside an open gate leaves it open and changes nothing.
#[test]
fn what_is_neither_yes_nor_no_is_talk_and_leaves_the_gate_open() {
    let stage = repository([work(), plan(), first_try(), talk("It adds the tax."), mended(), approved()]);
    let session = asked_at_a_gate(&stage, "add vat()");
    let before = tree(&stage);
    let run = then(&stage, &session, "yes, but what does it do", 4);
    assert!(run.out.contains("It adds the tax."), "{}", run.out);
    assert_eq!(tree(&stage), before);
    then(&stage, &session, "はい。", 4);
    assert_eq!(stage.text("shop/price.py"), format!("{PRICE}{WRONG}"));
}

/// DUCK-122: a file is read without a gate, and the answer ends the turn.
#[test]
fn reading_asks_nobody() {
    let look = crate::behaviour::companion_fixture::reply(
        "continue",
        json!({ "actions": [{ "operation": "read", "path": "shop/price.py" }] }),
    );
    let stage = repository([look, talk("It computes the net price.")]);
    let before = tree(&stage);
    let run = stage.enza(&["--json", "-p", "what does shop/price.py do?"]);
    assert_eq!((run.status, tree(&stage)), (0, before), "{run:?}");
    assert!(stage.heard().contains("return gross / 1.1"), "{}", stage.heard());
    assert_eq!(told(&audit(&stage, &session_of(&run)), "gate", "what"), Vec::<String>::new());
}
