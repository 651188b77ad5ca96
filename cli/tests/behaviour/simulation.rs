//! `enza simulate` and `enza drill`.

use serde_json::json;

use crate::house::House;

#[test]
fn a_seed_repeats_exactly_and_faults_are_counted() {
    let house = House::new();
    let run = |application: &str| {
        let mut value = house.json(&["simulate", "--seed", "7", "--application", application]);
        value["seconds"] = json!(0);
        value
    };
    for application in ["interview", "till"] {
        let first = run(application);
        assert_eq!(first, run(application));
        assert_eq!(first["violations"], json!([]));
    }
    assert_ne!(run("interview")["trace"], run("till")["trace"]);
}

#[test]
fn many_seeds_of_every_way_of_playing_break_no_promise() {
    let house = House::new();
    let report = house.json(&["simulate", "--seeds", "30"]);
    assert_eq!((&report["seeds"], &report["violations"]), (&json!(30), &json!([])), "{report}");
    for profile in ["till", "interview", "difficult-respondents", "companion", "forms"] {
        assert!(report["profiles"][profile].as_u64().unwrap_or(0) > 5, "{profile} is in the mix: {report}");
    }
    assert!(report["faults"]["Crash"].as_u64().unwrap() > 10, "{report}");
    let table = house.enza(&["--lang", "ja", "simulate", "--seeds", "1"]);
    assert_eq!(table.status, 0);
    assert!(table.out.contains("違反"), "{}", table.out);
    house.enza(&["simulate", "--application", "nonsense"]).failed(1, "application-unknown", "till");
}

#[test]
fn an_exploration_plays_seeds_that_were_never_played_before_until_time_is_up() {
    let house = House::new();
    let explore = || house.json(&["simulate", "--minutes", "0.01"]);
    let (first, second) = (explore(), explore());
    let from = |report: &serde_json::Value| report["first_seed"].as_u64().unwrap();
    assert!(from(&first) > 1_700_000_000_000, "{first}");
    assert!(from(&second) >= from(&first) + first["seeds"].as_u64().unwrap(), "{first} {second}");
    let report = house.json(&["simulate", "--minutes", "0.001", "--from", "5", "--profile", "till"]);
    assert_eq!((&report["first_seed"], &report["profiles"]["companion"]), (&json!(5), &json!(null)), "{report}");
    house.enza(&["simulate", "--minutes", "0"]).failed(2, "usage-wrong", "--help");
}

/// INT-52, INT-53: whoever answers, and whatever the model makes of it.
#[test]
fn difficult_respondents_break_neither_rule_of_the_interview() {
    let house = House::new();
    let report = house.json(&["simulate", "--profile", "difficult-respondents", "--seeds", "20"]);
    assert_eq!((&report["seeds"], &report["violations"]), (&json!(20), &json!([])), "{report}");
}

#[test]
fn a_drill_comes_to_its_end_and_finds_nothing_to_do_the_second_time() {
    let house = House::new();
    let journal = house.file("journal", "");
    let drill = ["drill", "--sessions", "3", "--rounds", "2", "--journal", &journal];
    let first = house.enza(&drill);
    assert_eq!(first.status, 0, "{first:?}");
    assert_eq!(std::fs::read_to_string(&journal).unwrap(), first.out);
    let ended = house.json(&["session", "list", "--phase", "ended", "--limit", "0"]);
    assert_eq!(ended.as_array().unwrap().len(), 6);
    let again = house.enza(&drill).lines();
    assert!(again.iter().all(|line| line["key"] == "open"), "{again:?}");
    let deliveries = std::fs::read_to_string(house.data().join("outbox/deliveries.log")).unwrap();
    assert_eq!(deliveries.lines().count(), 6);
}

/// DUCK-76, DUCK-95, G23, G29, DUCK-131: whoever works with it, and whatever the model makes of it.
#[test]
fn people_and_models_of_every_kind_break_no_rule_of_the_companion() {
    let house = House::new();
    let report = house.json(&["simulate", "--profile", "companion", "--seeds", "20"]);
    assert_eq!((&report["seeds"], &report["violations"]), (&json!(20), &json!([])), "{report}");
}
