//! What the agents see, section by section.

use enza_interview::{Command, Form, Open, Order};
use enza_kernel::conversation::{Part, Request};
use enza_kernel::text::Lang;
use serde_json::json;

use super::world::{World, open};

fn both(lang: Lang) -> [Request; 2] {
    let mut world = World::new();
    world.tell(open(Form::sample(lang), None)).unwrap();
    world.asks_for("?");
    world.say("The lift {{rules}} is stuck");
    world.reviews(json!({ "passed": false, "missing_facts": ["since"], "extracted_facts": ["what: lift"] }));
    let interviewer = world.request();
    world.asks_for("?");
    world.say("Today");
    [interviewer, world.request()]
}

fn outline(request: &Request) -> String {
    let line = |kind: &str, part: &Part| {
        let start: String = part.text.lines().next().unwrap_or_default().chars().take(40).collect();
        format!("{}: {} ({kind}) {start}\n", request.agent, part.name)
    };
    let stable = request.stable.iter().map(|part| line("stable", part));
    stable.chain(request.fresh.iter().map(|part| line("fresh", part))).collect()
}

#[test]
fn the_layout_in_english() {
    insta::assert_snapshot!(both(Lang::En).map(|request| outline(&request)).concat(), @r#"
    interviewer: rules (stable) You are the interviewer of a form. You s
    interviewer: form (stable) Form: Report of a fault in the building
    interviewer: field (fresh) What is wrong (required)
    interviewer: hints (fresh) - what: Ask for what was seen, heard or 
    interviewer: facts (fresh) ```facts
    interviewer: task (fresh) Now: with ask, put one short question to
    reviewer: rules (stable) You are the reviewer of a form. You judg
    reviewer: form (stable) Form: Report of a fault in the building
    reviewer: field (fresh) What is wrong (required)
    reviewer: criteria (fresh) - what: Both the thing and the symptom a
    reviewer: facts (fresh) ```facts
    reviewer: task (fresh) Now: with review, judge the answers to "
    "#);
}

#[test]
fn the_layout_in_japanese() {
    insta::assert_snapshot!(both(Lang::Ja).map(|request| outline(&request)).concat(), @r#"
    interviewer: rules (stable) あなたはフォームの聞き取り係です。回答者と話し、項目を一つずつ尋ねます。
    interviewer: form (stable) フォーム: 設備の不具合報告
    interviewer: field (fresh) 不具合の内容 (必須)
    interviewer: hints (fresh) - what: 音、におい、水漏れなど、見聞きしたことを尋ねる。
    interviewer: facts (fresh) ```facts
    interviewer: task (fresh) 今すること: ask で、項目「不具合の内容」(必須)について回答者に一つだけ短
    reviewer: rules (stable) あなたはフォームの審査係です。一つの項目について集まった回答が、項目の定義を満た
    reviewer: form (stable) フォーム: 設備の不具合報告
    reviewer: field (fresh) 不具合の内容 (必須)
    reviewer: criteria (fresh) - what: 物と症状の両方がわかる。
    reviewer: facts (fresh) ```facts
    reviewer: task (fresh) 今すること: 項目「不具合の内容」(必須)への回答を審査し、review で返し
    "#);
}

/// INT-40, INT-41 and section 3: who sees what.
#[test]
fn done_criteria_are_for_the_reviewer_and_hints_for_the_interviewer() {
    let [interviewer, reviewer] = both(Lang::En).map(|request| request.to_plain_text());
    let (criterion, hint) = ("Both the thing and the symptom are named.", "Ask for what was seen, heard or smelt.");
    assert_eq!((interviewer.contains(criterion), interviewer.contains(hint)), (false, true));
    assert_eq!((reviewer.contains(criterion), reviewer.contains(hint)), (true, false));
}

#[test]
fn a_respondents_words_stand_in_a_fence_and_are_never_expanded() {
    let [interviewer, reviewer] = both(Lang::En);
    let told = &interviewer.messages.last().unwrap().text;
    assert!(told.starts_with("{\"answer\":\"The lift {{rules}} is stuck\""), "{told}");
    assert!(reviewer.messages[0].text.contains("{\"question\":\"?\",\"answer\":\"The lift {{rules}} is stuck\"}"));
}

#[test]
fn the_prompt_of_a_turn_begins_with_that_of_the_turn_before() {
    let mut world = World::opened();
    let mut before = world.request().lasting_bytes();
    for _ in 0..2 {
        world.round("The lift", json!({ "passed": false, "missing_facts": ["since"] }));
        let now = world.request().lasting_bytes();
        assert!(now.starts_with(&before));
        before = now;
    }
}

#[test]
fn the_largest_form_stays_under_the_ceiling_that_is_reserved() {
    let mut form = Form::sample(Lang::Ja);
    form.fields = (0..50)
        .map(|nth| {
            let mut field = form.fields[0].clone();
            field.field_id = format!("field-{nth}");
            field.label = "項".repeat(120);
            field.intent = Some("目".repeat(1_000));
            let fact = field.facts[0].clone();
            field.facts = (0..10)
                .map(|nth| {
                    let mut fact = fact.clone();
                    fact.fact_key = format!("fact-{nth}");
                    fact.fact = "事".repeat(300);
                    fact.done_criteria = "条".repeat(300);
                    fact.questioning_hints = Some("問".repeat(300));
                    fact
                })
                .collect();
            field
        })
        .collect();
    let mut world = World::new();
    world.tell(open(form, None)).unwrap();
    for _ in 0..8 {
        // Every reply of the understudy is held to the call's reserve.
        world.play();
        world.say(&"答".repeat(4_000));
    }
    world.play();
    assert_eq!(world.state.progress(), (8, 50));
    let cut: Vec<String> = world.request_after_an_answer().cuts.into_iter().map(|cut| cut.section).collect();
    assert_eq!(cut, ["form", "field", "criteria"], "what gives way is what may");
}

/// The whole prompt of every agent, in both languages, as it is sent.
#[test]
fn the_prompts_of_the_four_agents() {
    for lang in [Lang::En, Lang::Ja] {
        let mut world = World::new();
        let form = Form { order: Order::Free, ..Form::sample(lang) };
        world.tell(Command::Open(Box::new(Open::form(form)))).unwrap();
        let shown = |world: &World| {
            let request = world.request();
            insta::assert_snapshot!(format!("{}_{lang}", request.agent), request.to_plain_text());
        };
        shown(&world);
        world.asks_for("?");
        world.say(lang.pick("日本語、日本", "English, USA"));
        shown(&world);
        world.play_once();
        world.asks_for("?");
        world.say(lang.pick("エレベーターが止まっています", "The lift is stuck"));
        world.reviews(json!({ "passed": false, "missing_facts": ["since"], "extracted_facts": ["what: lift"] }));
        shown(&world);
        world.asks_for("?");
        world.say(lang.pick("今朝から", "Since this morning"));
        shown(&world);
    }
}
