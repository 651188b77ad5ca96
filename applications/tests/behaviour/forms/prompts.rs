//! What the architect sees, section by section.

use enza_kernel::conversation::{Calling, Part, Request};
use enza_kernel::text::Lang;
use serde_json::json;

use super::world::World;

fn request(lang: Lang) -> Request {
    World::described("a visit report {{rules}} with date", lang).request()
}

fn outline(request: &Request) -> String {
    let line = |kind: &str, part: &Part| format!("--- {} ({kind})\n{}\n", part.name, part.text.trim_end());
    let stable = request.stable.iter().map(|part| line("stable", part));
    let messages = request.messages.iter().map(|message| format!("--- {:?}\n{}\n", message.role, message.text));
    stable.chain(messages).chain(request.fresh.iter().map(|part| line("fresh", part))).collect()
}

#[test]
fn the_prompt_in_english() {
    insta::assert_snapshot!(outline(&request(Lang::En)), @"");
}

#[test]
fn the_prompt_in_japanese() {
    insta::assert_snapshot!(outline(&request(Lang::Ja)), @"");
}

#[test]
fn the_one_tool_is_asked_for_and_the_task_is_there_as_data() {
    let request = request(Lang::Ja);
    assert_eq!(request.calling, Calling::Only("write_form".to_owned()));
    assert_eq!(request.task, Some(json!({ "sentence": "a visit report {{rules}} with date", "language": "ja" })));
}

#[test]
fn rules_tool_and_task_stay_under_the_ceiling_that_is_reserved() {
    for lang in [Lang::Ja, Lang::En] {
        let world = World::described("x", lang);
        let (request, ask) = (world.request(), world.ask().unwrap());
        assert_eq!(request.cuts, []);
        let whole = enza_kernel::conversation::estimate_tokens(&request.to_plain_text());
        let reserved = ask.reserve - u64::from(request.max_output);
        assert!(whole <= reserved, "{whole} of {reserved}");
    }
}

#[test]
fn the_prompt_of_a_second_attempt_begins_with_that_of_the_first() {
    let mut world = World::described("x", Lang::En);
    let before = world.request().lasting_bytes();
    world.calls("write_form", json!({}));
    assert!(world.request().lasting_bytes().starts_with(&before));
}
