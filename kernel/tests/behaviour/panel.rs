//! Panels: what is read of a floor by kind, and by programs.

use enza_kernel::floor::Floor;
use enza_kernel::panel::{Fact, ListItem, Meter, Panel};
use serde_json::json;

fn floor() -> Floor {
    let fact = Fact {
        label: "Goal".to_owned(),
        value: Some("An answer".to_owned()),
        remark: None,
        current: true,
        change: None,
    };
    let thing = ListItem { text: "One".to_owned(), remark: None, current: false, deeds: Vec::new() };
    let panels = vec![
        Panel::facts("task", "Task", vec![fact]),
        Panel::list("queue", "Queue", Vec::new()),
        Panel::list("rules", "Rules", vec![thing]),
        Panel::meters("limits", "Limits", vec![Meter { label: "Tokens".to_owned(), used: 1, limit: 2 }]),
        Panel::table("links", "Links", &["Name"], vec![vec!["A".to_owned()]]),
        Panel::table("none", "None", &["Name"], Vec::new()),
    ];
    Floor { panels, ..Floor::default() }
}

#[test]
fn programs_read_every_panel_with_something_in_it_and_find_by_kind_what_they_found_before() {
    let read = serde_json::to_value(floor()).unwrap();
    let fact = json!({ "label": "Goal", "value": "An answer", "remark": null, "current": true, "change": null });
    let thing = json!({ "text": "One", "remark": null, "current": false, "deeds": [] });
    let meter = json!({ "label": "Tokens", "used": 1, "limit": 2 });
    assert_eq!(
        read["panels"],
        json!([
            { "id": "task", "title": "Task", "kind": "facts", "facts": [fact] },
            { "id": "rules", "title": "Rules", "kind": "list", "things": [thing] },
            { "id": "limits", "title": "Limits", "kind": "meters", "meters": [meter] },
            { "id": "links", "title": "Links", "kind": "table", "columns": ["Name"], "rows": [["A"]] },
        ])
    );
    assert_eq!(
        (&read["known"], &read["lists"], &read["meters"]),
        (&json!([fact]), &json!([{ "title": "Rules", "things": [thing] }]), &json!([meter]))
    );
}
