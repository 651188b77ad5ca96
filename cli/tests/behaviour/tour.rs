//! `enza tour`.

use crate::house::House;

#[test]
fn the_tour_plays_a_real_session_and_works_twice() {
    let house = House::new();
    for _ in 0..2 {
        let run = house.enza(&["tour"]);
        assert_eq!(run.status, 0, "{run:?}");
        assert!(run.out.contains("understudy (no model) · for this tour"), "{}", run.out);
        assert!(run.out.contains("Gate"), "{}", run.out);
    }
    let sessions = house.json(&["session", "list"]);
    assert_eq!(sessions.as_array().unwrap().len(), 2);
    assert_eq!(sessions[0]["standing"]["phase"], "ended");
}

#[test]
fn the_tour_speaks_japanese_and_names_commands_that_work() {
    let house = House::new();
    let run = house.enza(&["tour", "--lang", "ja"]);
    assert!(run.out.contains("言語モデルではありません"), "{}", run.out);
    let named = run.out.lines().filter_map(|line| line.trim().strip_prefix("enza "));
    for line in named.filter(|line| !line.starts_with("interview")) {
        // The explanation is two spaces away.
        let words: Vec<&str> = line.split("  ").next().unwrap().split(' ').collect();
        let run = house.enza(&words);
        assert_eq!(run.status, 0, "{words:?}: {run:?}");
    }
}

#[test]
fn the_tour_as_json_is_one_value() {
    let house = House::new();
    let value = house.json(&["tour"]);
    assert!(value["events"].as_u64().unwrap() > 20, "{value}");
    assert!(std::path::Path::new(value["file"].as_str().unwrap()).exists(), "{value}");
}
