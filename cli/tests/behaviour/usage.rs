//! `enza usage`: what was spent, summed and shown.
//!
//! Nothing here costs anything by itself, so what costs is written into the database by hand, on days long gone: the
//! understudy's own use is of today.

use rusqlite::{Connection, params};
use serde_json::{Value, json};

use crate::house::House;

/// A day in the past, 2024-10-04, and enough days to reach it.
const DAY: i64 = 20_000;
const REACH: &str = "36500";

/// Writes a line of usage: the session's key, the day, application, model, calls, input, output, cache reads and cost.
fn spend(house: &House, (session, day, application, model): (i64, i64, &str, &str), numbers: [i64; 5]) {
    let [calls, input, output, cache_read, cost] = numbers;
    let line = "INSERT INTO usage VALUES (?1, 'local', ?2, ?3, ?4, ?5, ?6, ?7, ?8, 1, ?9)";
    let values = params![session, day, application, model, calls, input, output, cache_read, cost];
    database(house).execute(line, values).unwrap();
}

fn database(house: &House) -> Connection {
    Connection::open(house.data().join("enza.db")).unwrap()
}

/// A session that has done nothing; its key.
fn session(house: &House, id: &str, title: &str) -> i64 {
    let database = database(house);
    let open = "INSERT INTO sessions (id, application, owner, opened_at, changed_at, head, phase, title) \
                VALUES (?1, 'interview', 'local', 0, 0, 0, 'waiting', ?2)";
    database.execute(open, params![id, title]).unwrap();
    database.last_insert_rowid()
}

/// An empty store.
fn empty() -> House {
    let house = House::new();
    house.enza(&["session", "list"]);
    house
}

fn lines(house: &House, arguments: &[&str]) -> Vec<String> {
    let run = house.enza(&[&["--quiet", "usage", "--days", REACH], arguments].concat());
    assert_eq!(run.status, 0, "{run:?}");
    run.out.lines().skip(2).map(str::to_owned).collect()
}

#[test]
fn where_nothing_was_used_it_says_how_to_begin() {
    let house = House::new();
    assert_eq!(house.enza(&["usage"]).out, "Nothing has been used yet. Start with: enza interview run\n");
    assert!(house.enza(&["--lang", "ja", "usage"]).out.contains("enza interview run"));
    let nothing = json!({"calls": 0, "input": 0, "output": 0, "cache_read": 0, "cache_write": 0, "cost": 0});
    let value = house.json(&["usage"]);
    assert_eq!((&value["rows"], &value["total"]), (&json!([]), &nothing));
}

#[test]
fn the_understudy_is_counted_and_not_passed_off_as_a_model() {
    let house = House::new();
    let session = house.finished_interview();
    let shown = house.json(&["session", "show", &session]);
    let total = house.json(&["usage"])["total"].clone();
    assert_eq!(
        (&total["calls"], &total["input"], &total["output"], &total["cost"]),
        (&shown["calls"], &shown["usage"]["input"], &shown["usage"]["output"], &json!(0))
    );
    for (by, name) in [("model", json!("understudy")), ("application", json!("interview")), ("session", json!(session))]
    {
        let value = house.json(&["usage", "--by", by]);
        let mut row = total.clone();
        row[by] = name;
        assert_eq!(value["rows"], json!([row]));
    }
    let english = house.enza(&["usage", "--by", "model"]).out;
    assert!(english.contains("understudy (no model)") && english.contains("the bars show tokens"), "{english}");
    let japanese = house.enza(&["--lang", "ja", "usage", "--by", "model"]).out;
    assert!(japanese.contains("代役(モデルなし)") && japanese.contains("棒はトークン数"), "{japanese}");
}

#[test]
fn json_has_exact_numbers_the_dearest_first() {
    let house = empty();
    spend(&house, (0, DAY, "novel", ""), [1, 7, 3, 0, 0]);
    spend(&house, (0, DAY, "novel", "a/small"), [1, 1_234_567, 10, 5, 42]);
    spend(&house, (0, DAY, "interview", "b/big"), [2, 20_001, 20, 10_000, 1_234_567]);
    spend(&house, (0, DAY + 1, "interview", "b/big"), [3, 30_000, 30, 0, 1]);
    let row = |model: &str, numbers: [u64; 6]| -> Value {
        let [calls, input, output, cache_read, cache_write, cost] = numbers;
        json!({"model": model, "calls": calls, "input": input, "output": output, "cache_read": cache_read,
               "cache_write": cache_write, "cost": cost})
    };
    let value = house.json(&["usage", "--by", "model", "--days", REACH]);
    let big = row("b/big", [5, 50_001, 50, 10_000, 2, 1_234_568]);
    assert_eq!(value["rows"], json!([big, row("a/small", [1, 1_234_567, 10, 5, 1, 42]), row("", [1, 7, 3, 0, 1, 0])]));
    let days = house.json(&["usage", "--days", REACH])["rows"].clone();
    assert_eq!(
        (&days[0]["day"], &days[1]["day"], &days[2]),
        (&json!("2024-10-04"), &json!("2024-10-05"), &json!(null))
    );
}

#[test]
fn the_table_lines_up_and_draws_the_cost() {
    let house = empty();
    spend(&house, (0, DAY, "novel", ""), [1, 7, 3, 0, 0]);
    spend(&house, (0, DAY, "novel", "local/default"), [40, 9_999, 1_000, 5_000, 0]);
    spend(&house, (0, DAY, "interview", "anthropic/claude-sonnet-4-5"), [2, 20_001, 20, 15_000, 12_340_000]);
    spend(&house, (0, DAY, "interview", "openai/gpt-5-mini"), [3, 30_000, 30, 0, 6_170_000]);
    let expected = [
        "model                        calls  input  output  cached    cost",
        "anthropic/claude-sonnet-4-5      2  20.0k      20     75%  $12.34  █████████████",
        "openai/gpt-5-mini                3  30.0k      30      0%   $6.17  ██████▌",
        "local/default                   40  9,999   1,000     50%       —",
        "—                                1      7       3      0%       —",
        "total                           46  60.0k   1,053     33%  $18.51",
    ];
    assert_eq!(lines(&house, &["--by", "model"]), expected);
    let expected = [
        "モデル                       回数   入力   出力  ヒット率    費用",
        "anthropic/claude-sonnet-4-5     2  20.0k     20       75%  $12.34  █████████████",
        "openai/gpt-5-mini               3  30.0k     30        0%   $6.17  ██████▌",
        "local/default                  40  9,999  1,000       50%       —",
        "—                               1      7      3        0%       —",
        "合計                           46  60.0k  1,053       33%  $18.51",
    ];
    assert_eq!(lines(&house, &["--lang", "ja", "--by", "model"]), expected);
}

#[test]
fn days_without_use_are_shown_only_where_they_are_few() {
    let house = empty();
    spend(&house, (0, DAY, "novel", "m"), [1, 10, 5, 0, 450]);
    spend(&house, (0, DAY + 2, "novel", "m"), [2, 20, 5, 10, 900]);
    let expected = [
        "day         calls  input  output  cached     cost",
        "2024-10-04      1     10       5      0%  $0.0005  ██████████████▌",
        "2024-10-05      0      0       0       —        —",
        "2024-10-06      2     20       5     50%  $0.0009  █████████████████████████████",
        "total           3     30      10     33%  $0.0014",
    ];
    assert_eq!(lines(&house, &[]), expected);
    spend(&house, (0, DAY + 40, "novel", "m"), [1, 10, 5, 0, 450]);
    let days: Vec<String> = lines(&house, &[]).iter().map(|line| line[..10].to_owned()).collect();
    assert_eq!(days, ["day       ", "2024-10-04", "2024-10-06", "2024-11-13", "total     "]);
}

#[test]
fn a_range_without_use_says_when_the_last_was() {
    let house = empty();
    spend(&house, (0, DAY, "novel", "m"), [1, 10, 5, 0, 450]);
    let run = house.enza(&["usage"]);
    let text = run.out.replace('\n', " ");
    assert!(text.contains("the last use was on 2024-10-04") && text.contains("enza usage --days "), "{run:?}");
    assert_eq!(house.json(&["usage"])["rows"], json!([]));
}

#[test]
fn sessions_are_named_with_their_titles_and_deleted_ones_are_together() {
    let house = empty();
    let one = session(&house, "0192a000-0000-7000-8000-0000aaaaaaaa", "設備の不具合報告");
    spend(&house, (one, DAY, "interview", "m"), [1, 10, 5, 0, 2_000_000]);
    spend(&house, (0, DAY, "interview", "m"), [1, 10, 5, 0, 500_000]);
    spend(&house, (0, DAY, "novel", "n"), [1, 10, 5, 0, 500_000]);
    let expected = [
        "session                    calls  input  output  cached   cost",
        "aaaaaaaa 設備の不具合報告      1     10       5      0%  $2.00  ████████████████",
        "(deleted)                      2     20      10      0%  $1.00  ████████",
        "total                          3     30      15      0%  $3.00",
    ];
    assert_eq!(lines(&house, &["--by", "session"]), expected);
    let of_one = house.json(&["usage", "--by", "model", "--days", REACH, "--session", "aaaaaaaa"]);
    assert_eq!((&of_one["rows"][0]["model"], &of_one["total"]["cost"]), (&json!("m"), &json!(2_000_000)));
    let idle = "0192a000-0000-7000-8000-0000bbbbbbbb";
    session(&house, idle, "An idle one");
    let text = house.enza(&["usage", "--session", idle]).out;
    assert!(text.contains("Session bbbbbbbb has not used a model yet"), "{text}");
    let text = house.enza(&["usage", "--session", "aaaaaaaa"]).out.replace('\n', " ");
    assert!(text.contains("enza usage --days ") && text.trim_end().ends_with("--session aaaaaaaa"), "{text}");
    house.enza(&["usage", "--session", "zzz"]).failed(1, "session-unknown", "enza session list");
}

#[test]
fn of_many_sessions_the_dearest_are_shown_and_the_rest_is_one_line() {
    let house = empty();
    for number in 1..=25 {
        let key = session(&house, &format!("s{number:02}"), "");
        spend(&house, (key, DAY, "interview", "m"), [1, 10, 5, 0, 1_000_000 * number]);
    }
    let lines = lines(&house, &["--by", "session"]);
    assert_eq!(lines.len(), 22, "the head, 19 sessions, the rest, the total: {lines:#?}");
    assert!(lines[1].starts_with("s25") && lines[19].starts_with("s07"), "{lines:#?}");
    assert_eq!(lines[20], "6 more       6     60      30      0%   $21.00");
    assert_eq!(lines[21], "total       25    250     125      0%  $325.00");
    assert_eq!(house.json(&["usage", "--by", "session", "--days", REACH])["rows"].as_array().unwrap().len(), 25);
}

#[test]
fn a_session_is_shown_with_what_it_cost() {
    let house = House::new();
    let session = house.finished_interview();
    let dear = "DELETE FROM snapshots; UPDATE sessions SET link = NULL; \
                UPDATE events SET body = replace(body, '\"usage\":{', '\"usage\":{\"cost\":500000,'), link = NULL; \
                UPDATE usage SET cost = calls * 500000;";
    database(&house).execute_batch(dear).unwrap();
    let shown = house.json(&["session", "show", &session]);
    let calls = shown["calls"].as_u64().unwrap();
    assert_eq!(shown["usage"]["cost"], json!(calls * 500_000));
    let text = house.enza(&["session", "show", &session]).out;
    let cost = format!(" out, ${}.{:02}\n", calls / 2, calls % 2 * 50);
    assert!(text.contains(&cost), "{cost:?} is not in {text}");
}

#[test]
fn what_cannot_be_summed_or_counted_is_refused() {
    let house = House::new();
    house.enza(&["usage", "--by", "colour"]).failed(2, "usage-wrong", "enza --help");
    house.enza(&["usage", "--days", "0"]).failed(2, "usage-wrong", "enza --help");
}
