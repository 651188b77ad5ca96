//! `enza interview rehearse`: the ten respondents that come along, on the understudy.
//!
//! The understudy judges an answer by its field's kind and else takes any text for an answer. So it completes every form;
//! what it gets wrong stands below, and each is something that only a language model could hear.

use serde_json::{Value, json};

use crate::house::House;

#[test]
fn the_understudy_takes_all_ten_to_the_end() {
    let house = House::new();
    let report = house.json(&["interview", "rehearse"]);
    let respondents = report["respondents"].as_array().unwrap();
    let ended: Vec<(&Value, &Value)> = respondents.iter().map(|one| (&one["name"], &one["outcome"])).collect();
    let names = [
        "en-brief",
        "en-corrects",
        "en-curious",
        "en-talkative",
        "en-unsure",
        "ja-brief",
        "ja-corrects",
        "ja-curious",
        "ja-talkative",
        "ja-unsure",
    ];
    let completed = json!("completed");
    assert_eq!(ended, names.map(|name| json!(name)).iter().map(|name| (name, &completed)).collect::<Vec<_>>());
    assert_eq!((&report["model"], &report["total"]["completed"]), (&json!("understudy"), &json!(10)));
    // Everyone stays within what a person would put up with.
    assert!(report["total"]["turns_per_field"].as_f64().unwrap() < 1.5, "{}", report["total"]);
    assert!(report["total"]["calls_per_field"].as_f64().unwrap() < 2.0, "{}", report["total"]);
    let misses: Vec<String> = respondents.iter().flat_map(missed).collect();
    assert_eq!(
        misses,
        [
            // A sentence around a don't-know is a text, and any text will do.
            "en-unsure what_happened: slipped … wet / I'm not sure, it all went so fast.",
            "en-unsure injury: wrist … first aid / A visitor, I don't know the name.",
            "ja-unsure agreed: 決まりません / うーん、よくわかりません",
        ]
    );
    assert!(!house.data().join("outbox").exists(), "nothing is delivered");
    let session = respondents[0]["session"].as_str().unwrap();
    assert_eq!(house.json(&["session", "show", session])["session"]["standing"]["phase"], "ended");
}

fn missed(one: &Value) -> Vec<String> {
    let wrong = one["wrong"].as_array().unwrap().iter();
    let text = |value: &Value| value.as_str().unwrap().to_owned();
    wrong
        .map(|miss| {
            format!(
                "{} {}: {} / {}",
                text(&one["name"]),
                text(&miss["field"]),
                text(&miss["meant"]),
                text(&miss["came"])
            )
        })
        .collect()
}

#[test]
fn the_table_is_shown_in_both_languages() {
    let house = House::new();
    let english = house.enza(&["interview", "rehearse", "--only", "ja-curious"]);
    assert!(english.out.contains("1 of 1 completed; 0 of 10 fields wrong;"), "{}", english.out);
    let japanese = house.enza(&["--lang", "ja", "interview", "rehearse", "--only", "ja-unsure"]);
    assert!(japanese.out.contains("agreed: 正解 決まりません"), "{}", japanese.out);
    assert!(japanese.out.contains("1人中1人が完了。10項目のうち誤り1。"), "{}", japanese.out);
}

#[test]
fn respondents_of_ones_own_are_played_and_checked_first() {
    let house = House::new();
    let form = "title = \"T\"\n[[fields]]\nfieldId = \"name\"\nlabel = \"Name\"\nrequired = true\n\
                [[fields]]\nfieldId = \"size\"\nlabel = \"Size\"\nkind = \"number\"\nrequired = true\n";
    house.file("own/forms/t.toml", form);
    let script = |size: &str| {
        format!(
            "about = \"x\"\nform = \"forms/t.toml\"\nlanguage = \"en\"\ncountry = \"US\"\n\
             [answers]\nname = \"Ada\"\nsize = \"{size}\"\n[truth]\nsize = \"3\"\n[truth_words]\nname = [\"ada\"]\n"
        )
    };
    let path = house.file("own/ada.toml", &script("three"));
    let folder = path.rsplit_once('/').unwrap().0;
    let rehearse =
        |more: &[&str]| house.enza(&[&["--json", "interview", "rehearse", "--respondents", folder], more].concat());
    let well = rehearse(&[]).json();
    assert_eq!(
        (&well["respondents"][0]["outcome"], &well["total"]["wrong"]),
        (&json!("completed"), &json!(0)),
        "{well}"
    );
    // Someone who never says it in a way that can be read ends in bounded time, and the form stays unfinished.
    house.file("own/ada.toml", &script("rather large"));
    let unread = rehearse(&[]).json();
    let one = &unread["respondents"][0];
    assert_eq!(
        (&one["outcome"], &one["why"], &one["wrong"][0]["field"]),
        (&json!("unfinished"), &json!(["Size"]), &json!("size"))
    );
    assert!(one["turns"].as_u64().unwrap() < 10, "{one}");
    rehearse(&["--only", "grace"]).failed(1, "file-unreadable", "content");
    house.file("own/ada.toml", "about = 3");
    rehearse(&[]).failed(1, "file-unreadable", "content");
}
