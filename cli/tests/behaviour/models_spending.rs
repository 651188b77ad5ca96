//! What models cost: the user's own prices, and the allowance that stops a session before it is exceeded.

use serde_json::{Value, json};

use crate::behaviour::models_provider::{INPUT, KEY_VARIABLE, OUTPUT, Provider};
use crate::house::{House, Run, finished};

/// Two dollars a million tokens in, ten out; the built-in table does not know the stage.
const PRICES: &str = "[[price]]\nprovider = \"stage\"\nmodel = \"dear-*\"\nas_of = \"2026-11-16\"\n\
                      input = 2.0\noutput = 10.0\n";
/// What one call costs then, in millionths of a dollar.
const COST: u64 = INPUT * 2 + OUTPUT * 10;

fn stage(provider: &Provider) -> House {
    let house = House::new();
    provider.moves_into(&house, "stage");
    house
}

fn interview(house: &House, model: &str) -> Run {
    let answers = house.file("answers.txt", "The lamp flickers since Monday\nHall 2, by the door\n/skip\n");
    let typed = ["--model", model, "interview", "run", "--answers", &answers, "--yes"];
    finished(house.command(&typed).env(KEY_VARIABLE, "stage-123456"))
}

fn total(house: &House) -> Value {
    house.json(&["usage"])["total"].clone()
}

#[test]
fn a_price_of_ones_own_shows_up_as_cost() {
    let provider = Provider::of_interviews();
    let house = stage(&provider);
    house.file("config/prices.toml", PRICES);
    assert_eq!(interview(&house, "stage/dear-one").status, 0);
    assert_eq!(interview(&house, "stage/free-one").status, 0);
    let rows = house.json(&["usage", "--by", "model"])["rows"].clone();
    let row = |model: &str, cost: u64| {
        json!({
            "model": model, "calls": 5, "input": 5 * INPUT, "output": 5 * OUTPUT,
            "cache_read": 0, "cache_write": 0, "cost": 5 * cost,
        })
    };
    assert_eq!(rows, json!([row("stage/dear-one", COST), row("stage/free-one", 0)]));
    assert!(house.enza(&["usage"]).out.contains("$0.015"), "{:?}", house.enza(&["usage"]));
}

#[test]
fn prices_that_are_none_are_refused_with_their_file() {
    let house = House::new();
    let path = house.file("config/prices.toml", &PRICES.replace("2.0", "-2.0"));
    let run = house.enza(&["model", "list"]);
    run.failed(1, "config-unusable", "Correct that file");
    assert!(run.err.contains(&path) && run.err.contains("stage/dear-*"), "{run:?}");
}

#[test]
fn an_allowance_of_tokens_stops_a_session_before_it_is_exceeded() {
    const MOST: u64 = 15_000;
    let provider = Provider::of_interviews();
    let house = stage(&provider);
    house.file("config/config.toml", &format!("[allowance]\ntokens_per_day = {MOST}\n"));
    // One session after another, until there is no more to spend.
    let stopped = (0..20).map(|_| interview(&house, "stage/any")).find(|run| run.status != 0).expect("it never stops");
    stopped.failed(4, "session-stuck", "enza interview run --session");
    assert!(stopped.err.contains("Reason: the day's budget has"), "{stopped:?}");
    let spent = total(&house);
    let spent = spent["input"].as_u64().unwrap() + spent["output"].as_u64().unwrap();
    assert!((1..=MOST).contains(&spent), "{spent} of {MOST} tokens");
    // A question may still fit where a review does not; at last nothing does, and nobody is asked any more.
    let is_turned_away = |_| {
        let before = provider.asked().len();
        interview(&house, "stage/any").failed(4, "session-stuck", "enza interview run --session");
        provider.asked().len() == before
    };
    assert!((0..20).any(is_turned_away), "{:?}", provider.tools());
    house.file("config/config.toml", "[allowance]\ntokens_per_day = 1000000\n");
    assert_eq!(interview(&house, "stage/any").status, 0, "with a higher one it goes on");
}

#[test]
fn an_allowance_of_dollars_stops_what_costs_and_lets_the_rest_go_on() {
    let provider = Provider::of_interviews();
    let house = stage(&provider);
    house.file("config/prices.toml", PRICES);
    house.file("config/config.toml", "[allowance]\ndollars = 0.07\n");
    let stopped = (0..30).map(|_| interview(&house, "stage/dear-one")).find(|run| run.status != 0);
    let stopped = stopped.expect("it never stops");
    stopped.failed(4, "session-stuck", "enza interview run --session");
    assert!(stopped.err.contains("Reason: the owner's budget has"), "{stopped:?}");
    let cost = total(&house)["cost"].as_u64().unwrap();
    assert!((COST..=70_000).contains(&cost), "{cost} millionths of a dollar");
    assert_eq!(interview(&house, "stage/free-one").status, 0);
}
