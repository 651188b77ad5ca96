//! A circle of debaters that speaks by rule from the first turn to the last, as the tests and the example need it.

use enza_deliberation_cast::{
    Knowledge, Mode, Persona, Speaking, Subject, Utterance, check_chosen, sentences, speak, topics,
};
use enza_kernel::text::Lang;

/// A seat of the circle.
pub struct Seat {
    pub name: &'static str,
    pub persona: Persona,
    pub knowledge: Vec<Knowledge>,
    pub strategy: Option<&'static str>,
}

/// A debate that is played to its end.
pub struct Circle {
    pub lang: Lang,
    pub mode: &'static Mode,
    pub topic: Subject,
    pub seats: Vec<Seat>,
    pub seed: String,
}

/// Three values each; the eight between them hold all twenty-four.
const CHOSEN: [[&str; 3]; 8] = [
    ["fairness", "honesty", "patience"],
    ["empathy", "kindness", "peace"],
    ["efficiency", "calculation", "composure"],
    ["curiosity", "challenge", "freedom"],
    ["tradition", "gratitude", "stubbornness"],
    ["skepticism", "sarcasm", "frankness"],
    ["ambition", "rivalry", "hope"],
    ["diversity", "independence", "sharp_tongue"],
];

impl Circle {
    /// So many seats with different values on the nth topic of the library.
    pub fn of(lang: Lang, mode: &'static Mode, seats: usize, topic: usize, seed: &str) -> Self {
        let names = lang.pick(
            ["ソラ", "ハル", "ケン", "ミナ", "ゲンジ", "クロ", "ホムラ", "アオイ"],
            ["Sora", "Hazel", "Kent", "Mina", "George", "Crow", "Blaze", "Iris"],
        );
        let seats = (0..seats)
            .map(|nth| {
                let values = check_chosen(&CHOSEN[nth]).unwrap();
                let persona = Persona::by_rule(lang, &values, &format!("{seed}-{nth}"));
                let knowledge = (nth % 2 == 0).then(|| known(lang, nth)).into_iter().collect();
                Seat { name: names[nth], persona, knowledge, strategy: None }
            })
            .collect();
        let text = topics()[topic].text(lang);
        let topic = Subject { title: text.title.clone(), description: text.description.clone() };
        Self { lang, mode, topic, seats, seed: seed.to_owned() }
    }

    /// What a seat is asked for in a turn.
    pub fn speaking(&self, turn: u32, seat: usize, said: &[Utterance]) -> Speaking {
        let Seat { name, persona, knowledge, strategy } = &self.seats[seat];
        let phase = self.mode.phase_of(turn);
        let (own, heard) = said.iter().filter(|one| one.turn < turn).cloned().partition(|one| one.speaker == *name);
        Speaking {
            lang: self.lang,
            topic: self.topic.clone(),
            aim: phase.aim,
            length: phase.text(self.lang).length,
            confidence: self.mode.confidence,
            turn,
            turns: self.mode.turns,
            seat: seat as u32,
            seats: self.seats.len() as u32,
            name: (*name).to_owned(),
            persona: persona.clone(),
            strategy: strategy.map(str::to_owned),
            knowledge: knowledge.clone(),
            direction: None,
            heard,
            own,
            seed: self.seed.clone(),
        }
    }

    /// Everything that is said, in the order of turns and seats.
    pub fn played(&self) -> Vec<Utterance> {
        let mut said = Vec::new();
        for turn in 1..=self.mode.turns {
            for seat in 0..self.seats.len() {
                let text = speak(&self.speaking(turn, seat, &said)).text;
                let number = said.len() as u32 + 1;
                said.push(Utterance { number, turn, speaker: self.seats[seat].name.to_owned(), text });
            }
        }
        said
    }
}

/// Something a seat knows.
pub fn known(lang: Lang, nth: usize) -> Knowledge {
    let (title, content) = lang.pick(
        (format!("町の聞き取り{nth}"), format!("四月に{}軒を回ると、半分の家が同じことを話した。", 20 + nth)),
        (
            format!("Door-to-door notes {nth}"),
            format!("Of {} homes visited in April, half told the same story.", 20 + nth),
        ),
    );
    Knowledge { title, content }
}

/// The sentences of a statement without its mark of confidence.
pub fn sentences_of(text: &str) -> Vec<String> {
    sentences(enza_deliberation_cast::without_confidence(text))
}
