//! What the models read, word for word, in both languages. The fixed part P3 is held to the document byte for byte
//! (DEL-88); strategies of trials have the form of P2 (DEL-91 to DEL-94), speakers that of P1.

use enza_deliberation::{DebaterCommand, GrowthTime};
use enza_kernel::conversation::Request;
use enza_kernel::text::Lang;

use super::world::World;

fn outline(request: &Request) -> String {
    let stable = request.stable.iter().map(|part| format!("--- {}\n{}\n", part.name, part.text));
    let messages = request.messages.iter().map(|message| format!("--- {:?}\n{}\n", message.role, message.text));
    stable.chain(messages).collect()
}

/// A debater in the middle of everything, and the prompt of one of its threads.
fn prompts(lang: Lang) -> Vec<(String, String)> {
    let mut world = World::opened(lang, GrowthTime::AtCompletion);
    let mut seen = vec![("portrait".to_owned(), outline(&world.request("portrait")))];
    world.play();
    world.sit_through("d1");
    world.learn("給食費").unwrap();
    world.tell(DebaterCommand::TryFeedback { debate: "d1".to_owned(), content: "数字で\n話して".to_owned() }).unwrap();
    seen.push(("trial_strategy".to_owned(), outline(&world.request("trial/strategy"))));
    seen.push(("trial_without".to_owned(), outline(&world.request("trial/without"))));
    world.say("trial/strategy", "数字を一つ出す。\n## 急がない。");
    seen.push(("trial_with".to_owned(), outline(&world.request("trial/with"))));
    world.play();
    world.give("d1", "一つ目の行\n## 見出しのふり").unwrap();
    world.seat("d2");
    world.complete("d2");
    seen.push(("growth".to_owned(), outline(&world.request("growth"))));
    seen.push(("reflection".to_owned(), outline(&world.request("reflection/d2"))));
    seen
}

#[test]
fn every_prompt_in_japanese() {
    for (name, prompt) in prompts(Lang::Ja) {
        insta::assert_snapshot!(format!("{name}_ja"), prompt);
    }
}

#[test]
fn every_prompt_in_english() {
    for (name, prompt) in prompts(Lang::En) {
        insta::assert_snapshot!(format!("{name}_en"), prompt);
    }
}

/// DEL-88
#[test]
fn p3_stands_in_the_prompt_byte_for_byte() {
    let mut world = World::back_home();
    world.give("d1", "フィードバック1").unwrap();
    world.seat("d2");
    world.complete("d2");
    world.unanswered("growth");
    world.play();
    world.give("d2", "フィードバック2").unwrap();
    world.seat("d3");
    world.complete("d3");
    let prompt = world.request("growth").messages[0].text.to_string();
    let p3 = "## ユーザーからのフィードバック\nフィードバック1\n---\nフィードバック2\n";
    assert!(prompt.contains(p3), "{prompt}");
}

/// DEL-C9: no later line of a person's text begins at the margin.
#[test]
fn no_feedback_can_pose_as_a_heading() {
    for (name, prompt) in prompts(Lang::Ja) {
        assert!(!prompt.contains("\n## 見出しのふり") && !prompt.contains("\n## 急がない"), "{name}: {prompt}");
    }
}

/// DEL-13
#[test]
fn a_strategy_may_take_two_thousand_tokens() {
    let mut world = World::back_home();
    world.tell(DebaterCommand::TryFeedback { debate: "d1".to_owned(), content: "数字で".to_owned() }).unwrap();
    assert_eq!(world.request("trial/strategy").max_output, 2_000);
}
