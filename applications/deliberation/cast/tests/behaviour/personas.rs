//! Personas: byte for byte as written, held to their bounds, different for different values.

use std::collections::BTreeSet;

use enza_deliberation_cast::{Persona, PersonaDiff, PersonaFault, ValuesFault, check_chosen, values};
use enza_kernel::limits::length;
use enza_kernel::text::Lang;

/// As `JSON.stringify(persona, null, 2)` prints it, keys in an order of its own and one key that is not ours.
const WRITTEN: &str = r#"{
  "version": 3,
  "background": "港町の\"灯台\"守\n二代目 \u001f é 👨‍👩‍👧",
  "motto": {
    "empty": {},
    "none": [],
    "half": 0.5,
    "yes": true,
    "nothing": null
  },
  "personality_traits": [
    "a/b",
    "静か"
  ],
  "thinking_style": "順に考える。",
  "core_values": [
    "公平",
    "希望",
    "誠実"
  ]
}"#;

#[test]
fn a_persona_survives_byte_for_byte() {
    let persona = Persona::read(WRITTEN).unwrap();
    assert_eq!(persona.raw(), WRITTEN);
    assert_eq!(persona.pretty(), WRITTEN);
    let stored = serde_json::to_string(&persona).unwrap();
    assert_eq!(serde_json::from_str::<Persona>(&stored).unwrap(), persona);
    let around = format!("Here you are:\n```json\n{WRITTEN}\n```");
    assert_eq!(Persona::read(&around).unwrap(), persona);
}

#[test]
fn a_compact_text_is_kept_as_it_is_and_printed_with_an_indent() {
    let compact = r#"{"core_values":["a","b","c"],"thinking_style":"t","personality_traits":[],"background":"b\/c","version":1.0}"#;
    let persona = Persona::read(compact).unwrap();
    assert_eq!(persona.raw(), compact);
    let pretty = "{\n  \"core_values\": [\n    \"a\",\n    \"b\",\n    \"c\"\n  ],\n  \"thinking_style\": \"t\",\n  \"personality_traits\": [],\n  \"background\": \"b/c\",\n  \"version\": 1\n}";
    assert_eq!(persona.pretty(), pretty);
}

#[test]
fn what_is_no_persona_is_refused() {
    assert_eq!(Persona::read("no"), Err(PersonaFault::NoObject));
    assert_eq!(Persona::read("} {"), Err(PersonaFault::NoObject));
    assert_eq!(Persona::read("{}"), Err(PersonaFault::Misshapen { key: "core_values" }));
    let with = |from: &str, to: &str| Persona::read(&WRITTEN.replace(from, to));
    assert_eq!(with("\"順に考える。\"", "\"  \""), Err(PersonaFault::Blank { key: "thinking_style" }));
    let long = "あ".repeat(301);
    let fault = PersonaFault::TooLong { key: "thinking_style", graphemes: 301, most: 300 };
    assert_eq!(with("順に考える。", &long), Err(fault));
    let family = "👨‍👩‍👧".repeat(300);
    assert!(with("順に考える。", &family).is_ok(), "300 as a person counts them");
    assert_eq!(with("\"公平\",\n", ""), Err(PersonaFault::Count { key: "core_values", count: 2, fewest: 3, most: 5 }));
}

#[test]
fn a_newborn_has_the_chosen_values_in_front() {
    let chosen = ["自由", "希望", "挑戦"];
    let born = Persona::read_born(WRITTEN, &chosen, 1).unwrap();
    assert_eq!(born.core_values(), ["自由", "挑戦", "公平", "希望", "誠実"]);
    assert_eq!(born.version(), 1);
    assert!(born.pretty().starts_with("{\n  \"version\": 1,\n  \"background\""), "{}", born.pretty());
    let complete = Persona::read_born(WRITTEN, &["公平", "希望", "誠実"], 3).unwrap();
    assert_eq!(complete.raw(), WRITTEN, "nothing was touched");
}

#[test]
fn a_grown_persona_is_brought_within_its_bounds() {
    let old = Persona::read(WRITTEN).unwrap();
    let few = WRITTEN
        .replace("    \"公平\",\n    \"希望\",\n    \"誠実\"", "    \"誠実\"")
        .replace("\"version\": 3", "\"version\": 99");
    let grown = Persona::read_grown(&few, &old).unwrap();
    assert_eq!(grown.core_values(), ["誠実", "公平", "希望"]);
    assert_eq!(grown.version(), 4);
    let traits: Vec<String> = (0..12).map(|nth| format!("\"t{nth}\"")).collect();
    let many = WRITTEN.replace("\"a/b\",\n    \"静か\"", &traits.join(","));
    assert_eq!(Persona::read_grown(&many, &old).unwrap().personality_traits().len(), 10);
    let diff = PersonaDiff::between(&old, &grown);
    assert_eq!((diff.from_version, diff.to_version, diff.is_empty()), (3, 4, true));
    assert_eq!(old.with_version(7).version(), 7);
}

#[test]
fn exactly_three_different_values_are_chosen() {
    assert_eq!(values().len(), 24);
    assert!(check_chosen(&["hope", "peace", "honesty"]).is_ok());
    assert_eq!(check_chosen(&["hope", "peace"]), Err(ValuesFault::NotThree { count: 2 }));
    let four = check_chosen(&["hope", "peace", "honesty", "empathy"]);
    assert_eq!(four, Err(ValuesFault::NotThree { count: 4 }));
    assert_eq!(check_chosen(&["hope", "hope", "peace"]), Err(ValuesFault::Twice { key: "hope".to_owned() }));
    assert_eq!(check_chosen(&["hope", "x", "peace"]), Err(ValuesFault::Unknown { key: "x".to_owned() }));
}

#[test]
fn every_choice_of_values_gives_a_sound_persona() {
    let all = values();
    for lang in [Lang::Ja, Lang::En] {
        for one in 0..all.len() {
            for two in one + 1..all.len() {
                for three in two + 1..all.len() {
                    let chosen = [&all[one], &all[two], &all[three]];
                    let persona = Persona::by_rule(lang, &chosen, &format!("{one}{two}"));
                    assert_eq!(Persona::read(persona.raw()).as_ref(), Ok(&persona));
                    assert_eq!(persona.core_values(), chosen.map(|value| value.text(lang).name.clone()));
                    assert!((4..=10).contains(&persona.personality_traits().len()));
                    assert!(length(persona.thinking_style()) <= 300 && length(persona.background()) <= 300);
                }
            }
        }
    }
}

#[test]
fn no_two_values_give_the_same_sentence() {
    for lang in [Lang::Ja, Lang::En] {
        let mut known = BTreeSet::new();
        for chosen in values().chunks(3) {
            let chosen = [&chosen[0], &chosen[1], &chosen[2]];
            for seed in 0..24 {
                let persona = Persona::by_rule(lang, &chosen, &seed.to_string());
                for text in [persona.thinking_style(), persona.background()] {
                    known.extend(enza_deliberation_cast::sentences(text));
                }
            }
        }
        // Of each value: how it thinks, and where it comes from.
        assert_eq!(known.len(), 48, "{lang}: {known:#?}");
    }
}
