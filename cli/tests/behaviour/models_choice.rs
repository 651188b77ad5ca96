//! Which model is asked: the list of them, `model use`, a model for a single agent, and names that mean nothing.

use serde_json::{Value, json};

use crate::behaviour::models_provider::{KEY_VARIABLE, Provider, register};
use crate::house::{House, Run, finished};

/// Runs it with no model in the environment and no program on the search path, so that the config file has the word.
fn by_config(house: &House, arguments: &[&str]) -> Run {
    finished(
        house.command(arguments).env_remove("ENZA_MODEL").env("PATH", "/nowhere").env(KEY_VARIABLE, "stage-123456"),
    )
}

fn config(house: &House, text: &str) -> String {
    house.file("config/config.toml", text)
}

fn interview(house: &House, more: &[&str]) -> Run {
    let answers = house.file("answers.txt", "The lamp flickers since Monday\nHall 2, by the door\n/skip\n");
    by_config(house, &[&["interview", "run", "--answers", &answers, "--yes"], more].concat())
}

#[test]
fn the_list_says_what_is_used_and_why_in_both_languages() {
    let house = House::new();
    register(&house, "stage", "http://127.0.0.1:1/v1");
    let run = by_config(&house, &["model", "list"]);
    assert_eq!(run.status, 0, "{run:?}");
    for line in [
        "  understudy (no model) · because there is no other\n",
        "  For a real model: enza model pull (on this machine, no key)",
        "  none yet; get one with enza model pull\n",
        "  llama-server  none (enza model pull server)\n",
    ] {
        assert!(run.out.contains(line), "{line:?} is not in {run:?}");
    }
    let stage = |run: &Run| {
        let line = run.out.lines().find(|line| line.contains("stage/MODEL")).unwrap_or_else(|| panic!("{run:?}"));
        line.split_whitespace().map(str::to_owned).collect::<Vec<_>>()
    };
    assert_eq!(stage(&run), ["stage/MODEL", "The", "stage", "key", "found"]);
    config(&house, "model = \"stage/any\"\n[agents]\n\"interview.reviewer\" = \"understudy\"\n");
    let run = by_config(&house, &["--lang", "ja", "model", "list"]);
    for line in ["  stage/any · config.toml の指定\n", "  interview.reviewer: understudy\n", "まだありません。"]
    {
        assert!(run.out.contains(line), "{line:?} is not in {run:?}");
    }
    assert_eq!(stage(&run), ["stage/MODEL", "The", "stage", "キーあり"]);
    assert_eq!(run.err, "");
}

#[test]
fn the_list_as_json_is_one_value_with_the_same_facts() {
    let house = House::new();
    register(&house, "stage", "http://127.0.0.1:1/v1");
    house.file("models/weights/mine.gguf", "GGUF");
    config(&house, "model = \"stage/any\"\n[agents]\n\"interview\" = \"local/mine\"\n");
    let mut list = by_config(&house, &["--json", "model", "list"]).json();
    let providers = list.as_object_mut().unwrap().remove("providers").unwrap();
    let stage: Vec<&Value> = providers.as_array().unwrap().iter().filter(|one| one["has_key"] == true).collect();
    assert_eq!(stage, [&json!({ "name": "stage", "key_variable": KEY_VARIABLE, "has_key": true })]);
    let path = house.models().join("weights/mine.gguf");
    assert_eq!(
        list,
        json!({
            "model": "stage/any", "because": "from config.toml", "server": null,
            "weights": [{ "name": "mine", "bytes": 4, "checked": false, "path": path }],
            "agents": { "interview": "local/mine" },
        })
    );
}

#[test]
fn using_a_model_leaves_every_comment_where_it_is() {
    let house = House::new();
    register(&house, "stage", "http://127.0.0.1:1/v1");
    let path = config(&house, "# mine\nmodel = \"stage/old\" # for now\n\n[local]\n# quiet fans\nthreads = 1\n");
    let run = by_config(&house, &["model", "use", "stage/new"]);
    assert_eq!(run.status, 0, "{run:?}");
    let text = std::fs::read_to_string(&path).unwrap();
    assert_eq!(text, "# mine\nmodel = \"stage/new\" # for now\n\n[local]\n# quiet fans\nthreads = 1\n");
    let list = by_config(&house, &["--json", "model", "list"]).json();
    assert_eq!((&list["model"], &list["because"]), (&json!("stage/new"), &json!("from config.toml")));
    let files = std::fs::read_dir(house.config()).unwrap().count();
    assert_eq!(files, 2, "the file and the providers, and nothing half-written");
}

#[test]
fn using_a_model_makes_the_config_file_where_there_is_none() {
    let house = House::new();
    let value = house.json(&["model", "use", "understudy"]);
    let path = house.config().join("config.toml");
    assert_eq!(value, json!({ "model": "understudy", "config": path }));
    assert_eq!(std::fs::read_to_string(path).unwrap(), "model = \"understudy\"\n");
}

#[test]
fn a_broken_config_file_is_named_with_its_line_and_left_as_it_is() {
    let house = House::new();
    for (text, names) in [("# mine\nmodel = \n", "line 2"), ("[allowance]\ndollars_a_day = 1\n", "dollars_a_day")] {
        let path = config(&house, text);
        for command in
            [&["model", "use", "understudy"][..], &["model", "list"], &["model", "test"], &["interview", "run"]]
        {
            let run = house.enza(command);
            run.failed(1, "config-unusable", "Correct that file");
            assert!(run.err.contains(&path) && run.err.contains(names), "{run:?}");
        }
        house.enza(&["--lang", "ja", "model", "list"]).failed(1, "config-unusable", "そのファイルを直すか");
        assert_eq!(std::fs::read_to_string(&path).unwrap(), text);
        assert_eq!(house.enza(&["session", "list"]).status, 0, "what needs no model works all the same");
    }
}

#[test]
fn a_providers_file_that_is_not_understood_is_named() {
    let house = House::new();
    let path = house.file("config/providers/stage.toml", "name = \"stage\"\ntitel = \"The stage\"\n");
    let run = house.enza(&["model", "list"]);
    run.failed(1, "config-unusable", "Correct that file");
    assert!(run.err.contains(&path) && run.err.contains("titel"), "{run:?}");
}

#[test]
fn an_unknown_provider_is_refused_wherever_it_was_named_and_those_there_are_are_listed() {
    let house = House::new();
    let next = "Give a model as PROVIDER/MODEL. Available: anthropic,";
    house.enza(&["--model", "opnai/x", "interview", "run"]).failed(1, "model-unknown", next);
    house.enza(&["model", "use", "opnai/x"]).failed(1, "model-unknown", next);
    house.enza(&["model", "test", "opnai/x"]).failed(1, "model-unknown", next);
    finished(house.command(&["interview", "run"]).env("ENZA_MODEL", "opnai/x")).failed(1, "model-unknown", next);
    config(&house, "model = \"opnai/x\"\n");
    by_config(&house, &["interview", "run"]).failed(1, "model-unknown", next);
    config(&house, "model = \"understudy\"\n[agents]\n\"interview.reviewer\" = \"opnai/x\"\n");
    by_config(&house, &["interview", "run"]).failed(1, "model-unknown", next);
    by_config(&house, &["--lang", "ja", "interview", "run"]).failed(1, "model-unknown", "提供元/モデル の形で");
    assert!(house.json(&["session", "list"]).as_array().unwrap().is_empty(), "no session was opened for nothing");
}

#[test]
fn a_provider_without_a_usual_model_wants_one_named() {
    let house = House::new();
    house.enza(&["--model", "ollama", "interview", "run"]).failed(1, "model-unknown", "ollama/MODEL");
}

#[test]
fn the_model_of_a_single_agent_is_asked_for_that_agent_and_for_no_other() {
    let (lead, second) = (Provider::of_interviews(), Provider::of_interviews());
    let house = House::new();
    lead.moves_into(&house, "lead");
    second.moves_into(&house, "second");
    config(&house, "model = \"lead/a\"\n[agents]\n\"interview.reviewer\" = \"second/b\"\n");
    let run = interview(&house, &[]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(lead.tools(), ["ask", "ask", "ask"]);
    assert_eq!(second.tools(), ["review", "review"]);
    assert!(lead.asked().iter().all(|asked| asked.body["model"] == "a"));
    assert!(second.asked().iter().all(|asked| asked.body["model"] == "b"));
    let usage = house.json(&["usage", "--by", "model"]);
    let calls: Vec<_> = usage["rows"].as_array().unwrap().iter().map(|row| (&row["model"], &row["calls"])).collect();
    assert_eq!(calls, [(&json!("lead/a"), &json!(3)), (&json!("second/b"), &json!(2))]);
}

#[test]
fn a_model_that_is_typed_plays_every_agent() {
    let (lead, second) = (Provider::of_interviews(), Provider::of_interviews());
    let house = House::new();
    lead.moves_into(&house, "lead");
    second.moves_into(&house, "second");
    config(&house, "model = \"lead/a\"\n[agents]\n\"interview.reviewer\" = \"second/b\"\n");
    let run = interview(&house, &["--model", "lead/c"]);
    assert_eq!(run.status, 0, "{run:?}");
    assert_eq!(lead.asked().len(), 5);
    assert!(lead.asked().iter().all(|asked| asked.body["model"] == "c"));
    assert_eq!(second.asked().len(), 0);
}
