//! What the model reads: the three patterns in both languages, their limits, and what is left out first.

use enza_companion::{Command, Delta, Open, Settings, Template, Tokens};
use enza_kernel::conversation::{Request, estimate_tokens};
use enza_kernel::text::Lang;
use serde_json::json;

use super::world::{World, plan};

fn world(lang: Lang) -> World {
    World::open(Open {
        folder: "/work".to_owned(),
        language: lang,
        settings: Settings::default(),
        instructions: vec![enza_companion::Instruction {
            path: "AGENTS.md".to_owned(),
            text: "Run the tests with make test.".to_owned(),
        }],
        map: "src/hello.rs\nsrc/main.rs".to_owned(),
        memory: enza_companion::Memory::default(),
        name: "s1".to_owned(),
        tools: Vec::new(),
        attended: true,
    })
}

/// The prompt without its stable tail of schema: what a person would read.
fn read(world: &World) -> String {
    world.request().to_plain_text()
}

/// DUCK-07, DUCK-09, DUCK-26, DUCK-98 to DUCK-101, DUCK-130, DUCK-134: base and main; base, main and procedure; base and
/// procedure. No call is made only to choose (DUCK-98).
fn patterns(lang: Lang) -> [String; 4] {
    let mut world = world(lang);
    world.say(lang.pick("挨拶を追加して。src/auth には触らないで。", "Add a greeting. Don't touch src/auth."));
    let main = read(&world);
    world.decides(json!({ "prompt_pattern": "base_main_specialized", "state_delta": { "goal": lang.pick("挨拶", "a greeting") } }));
    let planning = read(&world);
    world.decides(json!({ "plan": plan() }));
    let execution = read(&world);
    world.decides(
        json!({ "actions": [{ "operation": "create", "path": "a.rs", "content": "x\n" }], "step": "EXECUTION" }),
    );
    world.answer(enza_kernel::gate::Verdict::Yes);
    world.decides(json!({ "step": "EXECUTION", "next_step": "done", "reply": "ok" }));
    [main, planning, execution, read(&world)]
}

#[test]
fn the_patterns_in_japanese() {
    let [main, planning, execution, review] = patterns(Lang::Ja);
    insta::assert_snapshot!("main_ja", main);
    insta::assert_snapshot!("planning_ja", planning);
    insta::assert_snapshot!("execution_ja", execution);
    insta::assert_snapshot!("review_ja", review);
}

#[test]
fn the_patterns_in_english() {
    let [main, planning, execution, review] = patterns(Lang::En);
    insta::assert_snapshot!("main_en", main);
    insta::assert_snapshot!("planning_en", planning);
    insta::assert_snapshot!("execution_en", execution);
    insta::assert_snapshot!("review_en", review);
}

fn part(request: &Request, name: &str) -> Option<String> {
    let parts = request.stable.iter().chain(&request.fresh);
    parts.filter(|part| part.name == name).map(|part| part.text.to_string()).next()
}

/// DUCK-12, DUCK-13, DUCK-17, DUCK-18, DUCK-27, DUCK-30, DUCK-33, G32, G34: the base is in every call, within its limits, with the lines of
/// the document word for word.
#[test]
fn the_base_is_in_every_call_and_within_its_limits() {
    let mut world = world(Lang::Ja);
    for turn in 0..6 {
        world.say(&format!("{turn} {}", "とても長い依頼です。".repeat(20)));
        let request = world.request();
        let (base, memory) = (part(&request, "base").unwrap(), part(&request, "memory").unwrap());
        assert!(base.starts_with(
            "あなたはDuckflowのAIアシスタントです。\n\n基本人格:\n- 安全第一、正確性重視、継続性を大切にする\n"
        ));
        assert!(memory.starts_with("長期的記憶:\n- 作成したファイル数: 0\n"));
        assert!((base.clone() + &memory).chars().count() <= 1_000, "DUCK-18");
        assert!(estimate_tokens(&base) + estimate_tokens(&memory) <= 500, "DUCK-103");
        world.decides(json!({ "reply": "とても長い返事です。".repeat(20), "next_step": "done" }));
    }
}

/// DUCK-22, DUCK-103, DUCK-106, G35, G36: under a small budget the talk goes first, then questions, then moves; goal, reason,
/// constraints and the form of the output stay.
#[test]
fn what_goes_first_is_fixed_and_the_core_stays() {
    let mut world =
        World::with(Settings { tokens: Tokens { main_max_tokens: 245, ..Tokens::default() }, ..Settings::default() });
    world.say("One");
    world.decides(json!({ "reply": "A long reply that takes its room. ".repeat(4), "next_step": "done" }));
    let mind = Delta {
        goal: Some("a greeting".to_owned()),
        why_now: Some("the release".to_owned()),
        constraints: Some(vec!["no new dependency".to_owned()]),
        plan_brief: Some(vec!["first ".repeat(12), "second ".repeat(12)]),
        open_questions: Some(vec!["which name ".repeat(8)]),
        ..Delta::default()
    };
    let (mind, _) = mind.fitted();
    world.tell(Command::Mind(mind)).unwrap();
    world.say("Two");
    let request = world.request();
    let cut: Vec<&str> = request.cuts.iter().map(|cut| cut.section.as_str()).collect();
    assert_eq!(cut, ["conversation_flow", "open_questions"]);
    let main = part(&request, "main").unwrap();
    for kept in [
        "Goal: a greeting",
        "Why now: the release",
        "Constraints: no new dependency",
        "\"prompt_pattern\"",
        "first first",
    ] {
        assert!(main.contains(kept), "{kept}");
    }
    assert!(estimate_tokens(&main) <= 245);
}

/// DUCK-107, G33: the compact wording.
#[test]
fn the_compact_template_says_the_same_in_few_words() {
    let mut world = World::with(Settings { template: Template::Compact, ..Settings::default() });
    world.say("Hello");
    let request = world.request();
    assert!(part(&request, "base").unwrap().starts_with("You are the AI assistant of Duckflow.\nPersonality: "));
    let main = part(&request, "main").unwrap();
    assert!(main.starts_with("The situation: PLANNING / IN_PROGRESS / none\n"), "{main}");
    assert!(
        main.contains("\"constraint_check\"") && main.trim_end().ends_with('}'),
        "DUCK-23, G36: the form stays: {main}"
    );
}

/// DUCK-01: every call carries the conversation so far; G55: what a person writes is never expanded.
#[test]
fn every_call_shares_the_conversation() {
    let mut world = World::opened();
    world.say("My name is {goal}");
    world.decides(json!({ "reply": "Hello!", "next_step": "done" }));
    world.say("What is my name?");
    let request = world.request();
    let said: Vec<String> = request.messages.iter().map(|message| message.text.to_string()).collect();
    assert_eq!((said.len(), said[0].as_str(), said[2].as_str()), (3, "My name is {goal}", "What is my name?"));
    assert!(part(&request, "main").unwrap().contains("- Person: My name is {goal}\n  Reply: Hello!"));
}
