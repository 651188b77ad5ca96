//! Fitting a prompt: order, ceilings, cuts, secrets, and a prefix that lasts.

use std::collections::BTreeSet;

use enza_kernel::conversation::{Cut, Message, Part, Role, estimate_tokens};
use enza_kernel::prompt::{Layer, Layout, Overflow, Rendered, Section, Stability, Trim};
use proptest::collection::vec;
use proptest::prelude::*;

fn part(name: &str, text: &str) -> Part {
    Part { name: name.to_owned(), text: text.into() }
}

/// Numbered lines of four tokens each: `line 007.......`
fn lines(count: usize) -> String {
    (0..count).map(|number| format!("line {number:03}.......\n")).collect()
}

fn person(text: &str) -> Message {
    Message::new(Role::Person, text)
}

#[test]
fn stable_sections_come_first_then_the_thread_then_fresh_ones() {
    let layout = Layout::new(1_000)
        .layer("base", 500, [Section::new("rules", "Be kind."), Section::new("clock", "Noon").fresh()])
        .layer("task", 500, [Section::new("form", "Ask for a name."), Section::new("nothing", "")]);
    assert_eq!(
        layout.render(&[person("Hello")]),
        Rendered {
            stable: vec![part("rules", "Be kind."), part("form", "Ask for a name.")],
            messages: vec![person("Hello")],
            fresh: vec![part("clock", "Noon")],
            cuts: vec![],
            tokens: 2 + 4 + 1 + (4 + 2),
            overflow: vec![],
        }
    );
}

#[test]
fn a_section_is_shortened_from_its_oldest_end_at_the_beginning_of_a_line() {
    let layout = Layout::new(1_000).layer("memory", 40, [Section::new("story", lines(20)).trimmed(1).fresh()]);
    let rendered = layout.render(&[]);
    assert_eq!(rendered.cuts, [Cut { section: "story".into(), tokens: 48 }]);
    let text = &rendered.fresh[0].text;
    assert!(text.starts_with("[… 48 tokens left out]\nline 012"), "{text}");
    assert!(text.ends_with("line 019.......\n"), "{text}");
    assert!(rendered.tokens <= 40);
}

#[test]
fn a_line_too_long_for_a_line_boundary_is_cut_between_characters() {
    let layout = Layout::new(1_000).layer("memory", 40, [Section::new("story", "あ".repeat(100)).trimmed(1).fresh()]);
    let rendered = layout.render(&[]);
    let kept = 40 - estimate_tokens("[… 100 tokens left out]\n") as usize;
    let left_out = 100 - kept;
    assert_eq!(rendered.fresh, [part("story", &format!("[… {left_out} tokens left out]\n{}", "あ".repeat(kept)))]);
}

#[test]
fn a_remnant_that_says_nothing_is_left_out_whole() {
    let layout = Layout::new(1_000).layer("memory", 15, [Section::new("story", lines(20)).trimmed(1)]);
    let rendered = layout.render(&[]);
    assert_eq!((rendered.stable, rendered.tokens), (vec![], 0));
    assert_eq!(rendered.cuts, [Cut { section: "story".into(), tokens: 80 }]);
}

#[test]
fn the_highest_number_gives_way_first() {
    let layout = Layout::new(100).layer(
        "all",
        1_000,
        [
            Section::new("kept", lines(10)),
            Section::new("dear", lines(10)).trimmed(1),
            Section::new("cheap", lines(10)).trimmed(9),
        ],
    );
    let rendered = layout.render(&[]);
    assert_eq!(rendered.cuts.iter().map(|cut| cut.section.as_str()).collect::<Vec<_>>(), ["cheap"]);
}

#[test]
fn what_must_be_kept_is_never_cut_and_the_overflow_is_told() {
    let layout = Layout::new(30).layer("base", 20, [Section::new("rules", lines(10))]);
    let rendered = layout.render(&[]);
    assert_eq!(rendered.stable, [part("rules", &lines(10))]);
    assert_eq!(
        rendered.overflow,
        [Overflow { layer: Some("base".into()), tokens: 20 }, Overflow { layer: None, tokens: 10 }]
    );
}

#[test]
fn a_section_cut_twice_has_one_marker() {
    let layout = Layout::new(60).layer("memory", 70, [Section::new("story", lines(20)).trimmed(1).fresh()]);
    let rendered = layout.render(&[person("x")]);
    let text = &rendered.fresh[0].text;
    assert_eq!(text.matches("left out").count(), 1, "{text}");
    assert_eq!(rendered.cuts.len(), 1);
}

#[test]
fn a_secret_is_seen_by_its_agents_alone_and_by_nobody_where_no_agent_is_named() {
    let layout = Layout::new(100).layer(
        "plot",
        100,
        [Section::new("public", "It is night."), Section::new("culprit", "The butler did it.").only_for(["author"])],
    );
    let seen = |layout: Layout| layout.render(&[]).stable.into_iter().map(|part| part.name).collect::<Vec<_>>();
    assert_eq!(seen(layout.for_agent("author")), ["public", "culprit"]);
    assert_eq!(seen(layout.for_agent("reader")), ["public"]);
    assert_eq!(seen(layout), ["public"]);
}

#[test]
fn a_growing_thread_moves_the_cut_of_a_stable_section_only_in_steps() {
    let layout = Layout::new(900).layer("memory", 800, [Section::new("story", lines(200)).trimmed(1)]);
    let mut thread = Vec::new();
    let mut prefixes = BTreeSet::new();
    for _ in 0..80 {
        thread.push(person("One more turn of the talk."));
        let rendered = layout.render(&thread);
        assert_eq!((rendered.overflow, rendered.tokens <= 900), (vec![], true));
        prefixes.insert(rendered.stable.into_iter().map(|part| part.text.to_string()).collect::<String>());
    }
    assert!(prefixes.len() <= 9, "{} different prefixes in 80 turns", prefixes.len());
}

fn section() -> impl Strategy<Value = Section> {
    let text = prop_oneof!["[a-z ]{0,80}", "([a-z]{0,12}\n){0,30}", "[あ-ん。\n]{0,60}"];
    let trim = prop_oneof![Just(Trim::Keep), (0u32..4).prop_map(Trim::Order)];
    let stable = prop_oneof![Just(Stability::Stable), Just(Stability::Fresh)];
    ("[a-z]{1,8}", text, trim, stable).prop_map(|(name, text, priority, stable)| Section {
        name,
        text: text.into(),
        priority,
        stable,
        visible_to: None,
    })
}

fn layout() -> impl Strategy<Value = Layout> {
    let layer = ("[a-z]{1,8}", 0u64..120, vec(section(), 0..5)).prop_map(|(name, ceiling, sections)| Layer {
        name,
        ceiling,
        sections,
    });
    (vec(layer, 0..4), 0u64..300).prop_map(|(layers, ceiling)| Layout { layers, ceiling })
}

fn thread() -> impl Strategy<Value = Vec<Message>> {
    vec("[a-zあ-ん ]{0,40}".prop_map(|text: String| person(&text)), 0..6)
}

proptest! {
    #[test]
    fn the_sum_stays_under_the_ceiling_or_the_overflow_is_told(layout in layout(), thread in thread()) {
        let rendered = layout.render(&thread);
        let parts = rendered.stable.iter().chain(&rendered.fresh);
        let sum: u64 = parts.map(|part| estimate_tokens(&part.text)).sum::<u64>()
            + thread.iter().map(Message::tokens).sum::<u64>();
        prop_assert_eq!(rendered.tokens, sum);
        let told = rendered.overflow.iter().find(|overflow| overflow.layer.is_none()).map_or(0, |it| it.tokens);
        prop_assert_eq!(sum.saturating_sub(layout.ceiling), told);
        prop_assert_eq!(rendered.messages, thread);
    }

    #[test]
    fn a_layer_stays_under_its_ceiling_or_the_overflow_is_told(sections in vec(section(), 0..6), ceiling in 0u64..120) {
        let layout = Layout { layers: vec![Layer { name: "all".into(), ceiling, sections }], ceiling: 10_000 };
        let rendered = layout.render(&[]);
        let too_many = rendered.tokens.saturating_sub(ceiling);
        let told = (too_many > 0).then(|| Overflow { layer: Some("all".into()), tokens: too_many });
        prop_assert_eq!(rendered.overflow, Vec::from_iter(told));
    }

    #[test]
    fn what_is_kept_stays_whole_and_what_is_cut_is_an_end_of_its_text(layout in layout(), thread in thread()) {
        let rendered = layout.render(&thread);
        let parts: Vec<&Part> = rendered.stable.iter().chain(&rendered.fresh).collect();
        for section in layout.layers.iter().flat_map(|layer| &layer.sections) {
            let whole = parts.iter().any(|part| part.name == section.name && part.text == section.text);
            if section.priority == Trim::Keep && !section.text.is_empty() {
                prop_assert!(whole, "{} must be kept", section.name);
            }
        }
        for part in parts.iter().filter(|part| part.text.starts_with("[… ")) {
            let (_, rest) = part.text.split_once('\n').unwrap();
            let sections = layout.layers.iter().flat_map(|layer| &layer.sections);
            let is_an_end = sections.filter(|one| one.name == part.name).any(|one| one.text.ends_with(rest));
            prop_assert!(is_an_end);
        }
    }

    #[test]
    fn one_more_message_leaves_all_before_it_in_place(sections in vec(section(), 0..5), thread in thread()) {
        let layout = Layout { layers: vec![Layer { name: "all".into(), ceiling: 150, sections }], ceiling: 10_000 };
        let mut longer = thread.clone();
        longer.push(person("and another thing"));
        let before = layout.render(&thread).into_request("agent", "thread").lasting_bytes();
        let after = layout.render(&longer).into_request("agent", "thread").lasting_bytes();
        prop_assert!(after.starts_with(&before));
    }
}
