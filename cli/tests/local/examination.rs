//! `enza model test` on the small model: everything that Enza asks of a model works here.

use crate::local::fixture;

#[test]
fn the_small_model_can_do_everything_that_is_asked_of_a_model() {
    let house = fixture::house();
    let report = house.json(&["model", "test", "local/small"]);
    assert_eq!(report["model"], "local/small");
    // Its Japanese is looked at too, but what comes of it is chance.
    for skill in ["plain", "streaming", "tool_call", "schema", "cache"] {
        assert_eq!(report["skills"][skill]["can"], true, "{skill}: {report}");
    }
    assert!(report["skills"]["japanese"].is_object(), "{report}");
    assert!(report["tokens_per_second"].as_f64().is_some_and(|speed| speed > 0.0), "{report}");
    assert_eq!(report["cost"], 0, "{report}");
    assert!(fixture::until_servers(&house, 0), "no server stays behind");
    let listed = house.json(&["model", "list"]);
    assert_eq!(listed["weights"][0]["name"], "small", "{listed}");
    assert_eq!(listed["weights"][0]["checked"], true, "{listed}");
}
