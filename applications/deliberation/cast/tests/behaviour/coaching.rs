//! What feedback does: a strategy that the voices hear, a persona that moves a little, a question in return.

use enza_deliberation_cast::{Persona, PersonaDiff, Tone, check_chosen, growth, modes, reflection, strategy, tone_of};
use enza_kernel::limits::length;
use enza_kernel::text::Lang;

use super::circle::Circle;

const FEEDBACKS: [(&str, &str, Tone); 8] = [
    ("もっと相手の話を聞いて", "Listen more to the others", Tone::Listening),
    ("数字や根拠を出して具体的に", "Be concrete, with figures and evidence", Tone::Concrete),
    ("遠慮せず、はっきり言って", "Be firm and clear", Tone::Firm),
    ("みんなをまとめてほしい", "Find common ground", Tone::Bridging),
    ("新しいアイデアがほしい", "I want creative ideas", Tone::Inventive),
    ("きつい言い方はやめて、優しく", "Be gentle, not harsh", Tone::Listening),
    ("よかったよ", "ok", Tone::Plain),
    ("うーん", "Hmm.", Tone::Plain),
];

#[test]
fn a_strategy_has_its_length_and_is_heard_by_the_voice() {
    for lang in [Lang::Ja, Lang::En] {
        let said = Circle::of(lang, &modes()[0], 2, 1, "coach").played();
        for (ja, en, tone) in FEEDBACKS {
            for own in [&said[..0], &said[..1]] {
                for feedback in [lang.pick(ja, en).to_owned(), lang.pick(ja, en).repeat(30)] {
                    let text = strategy(lang, &feedback, own);
                    assert!((100..=200).contains(&length(&text)), "{lang} {}: {text}", length(&text));
                    assert_eq!(tone_of(&text), tone, "{text}");
                }
            }
        }
    }
}

#[test]
fn a_persona_grows_by_what_feedback_asks_for() {
    for lang in [Lang::Ja, Lang::En] {
        let values = check_chosen(&["hope", "freedom", "sarcasm"]).unwrap();
        let mut persona = Persona::by_rule(lang, &values, "growth");
        for round in 0..20 {
            let (ja, en, _) = FEEDBACKS[round % FEEDBACKS.len()];
            let grown = Persona::read_grown(&growth(lang, &persona, &[lang.pick(ja, en)]), &persona).unwrap();
            let diff = PersonaDiff::between(&persona, &grown);
            let words = [&diff.values_gained, &diff.values_lost, &diff.traits_gained, &diff.traits_lost];
            assert_eq!(words.iter().map(|words| words.len()).sum::<usize>(), 1, "one word a time: {diff:?}");
            assert_eq!(grown.version(), persona.version() + 1);
            persona = grown;
        }
    }
}

#[test]
fn what_is_too_much_is_lost() {
    let values = check_chosen(&["composure", "honesty", "hope"]).unwrap();
    let persona = Persona::by_rule(Lang::Ja, &values, "a");
    let named = persona.personality_traits()[0].clone();
    let text = growth(Lang::Ja, &persona, &[&format!("{named}なところを控えて")]);
    let grown = Persona::read_grown(&text, &persona).unwrap();
    assert_eq!(PersonaDiff::between(&persona, &grown).traits_lost, [named]);
}

#[test]
fn a_debater_asks_one_short_question() {
    for lang in [Lang::Ja, Lang::En] {
        let circle = Circle::of(lang, &modes()[0], 3, 1, "reflection");
        let own: Vec<_> = circle.played().into_iter().filter(|one| one.speaker == circle.seats[0].name).collect();
        let others: Vec<&str> = circle.seats[1..].iter().map(|seat| seat.name).collect();
        for seed in 0..30 {
            let asked = reflection(lang, &"long ".repeat(40), &own, &others, &seed.to_string());
            assert!(length(&asked.question) <= 40 && length(&asked.context) <= 80, "{asked:?}");
            assert!(asked.question.ends_with(['?', '？']) && !asked.context.ends_with('…'), "{asked:?}");
        }
    }
}
