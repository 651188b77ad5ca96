//! The files of data: complete in both languages, and a fault names where it is.

use std::collections::BTreeSet;

use enza_deliberation_cast::{
    Aim, confidence, mode, modes, partners, read_mode, read_topics, sentences, topic_called, topics, without_confidence,
};
use enza_kernel::limits::length;
use enza_kernel::text::Lang;

#[test]
fn the_library_has_thirty_topics_in_both_languages() {
    assert_eq!(topics().len(), 30);
    let keys: BTreeSet<_> = topics().iter().map(|topic| &topic.key).collect();
    assert_eq!(keys.len(), 30);
    for topic in topics() {
        for lang in [Lang::Ja, Lang::En] {
            let text = topic.text(lang);
            assert!(length(&text.title) <= 200 && length(&text.description) <= 2000);
            let count = sentences(&text.description).len();
            assert!((2..=4).contains(&count), "{} {lang}: {count} sentences", topic.key);
            assert_eq!(topic_called(&text.title), Some((topic, lang)));
        }
    }
}

#[test]
fn the_modes_have_the_turns_of_the_document() {
    let turns: Vec<_> = modes().iter().map(|mode| (mode.key.as_str(), mode.turns)).collect();
    assert_eq!(turns, [("free_discussion", 6), ("double_diamond", 10), ("tutorial", 3)]);
    assert_eq!(mode("tutorial").unwrap().window_seconds, Some(90));
    let diamond = mode("double_diamond").unwrap();
    let phases: Vec<_> = (1..=11).map(|turn| diamond.phase_of(turn).key.as_str()).collect();
    let expected = [
        "introduction",
        "discover",
        "discover",
        "define",
        "define",
        "develop",
        "develop",
        "deliver",
        "deliver",
        "conclusion",
        "conclusion",
    ];
    assert_eq!(phases, expected);
    assert_eq!(diamond.phase_of_turn_in(1, 5).aim, Aim::Open);
    assert_eq!(diamond.phase_of_turn_in(5, 5).aim, Aim::Close);
    for phase in &diamond.phases {
        assert!((2..=3).contains(&phase.ja.constraints.len()), "{}", phase.key);
    }
}

#[test]
fn a_fault_names_the_file_the_key_and_the_language() {
    let sound = include_str!("../../data/modes/tutorial.toml");
    let broken = sound.replacen("framing = \"The last word.\"", "framing = \"\"", 1);
    let fault = read_mode("mine.toml", &broken).unwrap_err();
    assert_eq!(fault.to_string(), "mine.toml, conclusion (en): a text is blank");
    let gap = sound.replacen("from = 2\nto = 2", "from = 2\nto = 1", 1);
    assert_eq!(read_mode("mine.toml", &gap).unwrap_err().key.as_deref(), Some("deepening"));
    let short = sound.replacen("turns = 3", "turns = 4", 1);
    assert!(read_mode("mine.toml", &short).unwrap_err().to_string().contains("3 turns of 4"));
    let topic = include_str!("../../data/topics/town.toml");
    let blank = topic.replacen("title = \"商店街の空き店舗をどう使うか\"", "title = \" \"", 1);
    let fault = read_topics("mine.toml", &blank).unwrap_err();
    assert_eq!((fault.key.as_deref(), fault.lang), (Some("empty_shops"), Some(Lang::Ja)));
    assert!(read_topics("mine.toml", "[[topic]]").is_err());
}

#[test]
fn confidence_is_read_from_the_end_of_a_statement() {
    assert_eq!(confidence("賛成です。【確信度: 7/10】"), Some(7));
    assert_eq!(confidence("賛成です。【確信度：10／10】\n"), Some(10));
    assert_eq!(confidence("I agree. [Confidence: 0/10]"), Some(0));
    assert_eq!(without_confidence("I agree. [Confidence: 0/10]"), "I agree.");
    for none in ["賛成です。", "【確信度: 11/10】", "【確信度: 7/10】のつもり", "【確信度: 7/9】", "【確信度: 七/10】"]
    {
        assert_eq!(confidence(none), None, "{none}");
        assert_eq!(without_confidence(none), none);
    }
}

#[test]
fn the_house_has_three_partners_who_never_grow() {
    let keys: Vec<_> = partners().iter().map(|partner| partner.key.as_str()).collect();
    assert_eq!(keys, ["optimist", "realist", "idea_maker"]);
    for partner in partners() {
        for lang in [Lang::Ja, Lang::En] {
            let text = partner.text(lang);
            let persona = partner.persona(lang);
            assert_eq!((persona.version(), persona.known_values().len(), text.knowledge.len()), (0, 3, 2));
            assert_eq!(enza_deliberation_cast::Persona::read(persona.raw()), Ok(persona));
            for known in &text.knowledge {
                assert!(length(&known.title) <= 30 && length(&known.content) <= 500);
            }
        }
    }
}
