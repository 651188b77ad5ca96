//! The ways a debate can run: how many turns, and what each of them is for. A mode is a file of data.
//!
//! The framing of a phase stands in the user prompt of a turn; what a length means to a model is said there too. A house
//! may hand in a file of its own, which is read by the same checks as ours.

use std::sync::LazyLock;

use enza_kernel::text::Lang;
use serde::{Deserialize, Serialize};

use crate::data::{self, DataFault};

/// A way to run a debate.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Mode {
    pub key: String,
    /// How many turns it has.
    pub turns: u32,
    /// Whether statements end with how sure their speaker is.
    pub confidence: bool,
    /// How long a direction can be sent before a turn; none where the topic decides.
    #[serde(default)]
    pub window_seconds: Option<u32>,
    pub ja: ModeText,
    pub en: ModeText,
    #[serde(rename = "phase")]
    pub phases: Vec<Phase>,
}

/// What a mode is called.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct ModeText {
    pub name: String,
    pub about: String,
}

/// Some turns in a row that are for the same thing.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Phase {
    pub key: String,
    /// Its first turn; the first of all is 1.
    pub from: u32,
    /// Its last turn.
    pub to: u32,
    pub aim: Aim,
    pub ja: PhaseText,
    pub en: PhaseText,
}

/// What a phase is for, as the voices by rule understand it.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Aim {
    Open,
    Widen,
    Narrow,
    Invent,
    Decide,
    Close,
}

/// A phase in one language.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct PhaseText {
    pub label: String,
    pub framing: String,
    pub instruction: String,
    pub constraints: Vec<Constraint>,
    /// The fewest and the most characters of a statement.
    pub length: (usize, usize),
}

/// Something a phase asks speakers to keep to, and why.
#[derive(Debug, Clone, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Constraint {
    pub rule: String,
    pub reason: String,
}

impl Mode {
    /// What it is called in one language.
    pub fn text(&self, lang: Lang) -> &ModeText {
        lang.pick(&self.ja, &self.en)
    }

    /// The phase of a turn; past the last turn, the last phase.
    pub fn phase_of(&self, turn: u32) -> &Phase {
        let found = self.phases.iter().find(|phase| (phase.from..=phase.to).contains(&turn));
        // There is a phase: a mode without any is refused when it is read.
        found.unwrap_or_else(|| &self.phases[self.phases.len() - 1])
    }

    /// The phase of a turn of a debate that has another number of turns than the mode: the first and the last turn keep
    /// theirs, the ones between are stretched or drawn together.
    pub fn phase_of_turn_in(&self, turn: u32, turns: u32) -> &Phase {
        match (turn, turns) {
            (turn, turns) if turns == self.turns => self.phase_of(turn),
            (0 | 1, _) => self.phase_of(1),
            (turn, turns) if turn >= turns => self.phase_of(self.turns),
            (turn, turns) => {
                let inner = self.turns.saturating_sub(2).max(1);
                self.phase_of(2 + (turn - 2) * inner / (turns - 2).max(1))
            }
        }
    }
}

impl Phase {
    /// The phase in one language.
    pub fn text(&self, lang: Lang) -> &PhaseText {
        lang.pick(&self.ja, &self.en)
    }
}

static MODES: LazyLock<Vec<Mode>> = LazyLock::new(|| {
    let files = [
        ("modes/free_discussion.toml", include_str!("../data/modes/free_discussion.toml")),
        ("modes/double_diamond.toml", include_str!("../data/modes/double_diamond.toml")),
        ("modes/tutorial.toml", include_str!("../data/modes/tutorial.toml")),
    ];
    files.map(|(file, text)| data::sound(read_mode(file, text))).into()
});

/// The modes of the house.
pub fn modes() -> &'static [Mode] {
    &MODES
}

/// The mode of a key.
pub fn mode(key: &str) -> Option<&'static Mode> {
    modes().iter().find(|mode| mode.key == key)
}

/// A mode out of a file; a fault names the file, the phase and the language.
pub fn read_mode(file: &str, text: &str) -> Result<Mode, DataFault> {
    let mode: Mode = data::read(file, text)?;
    let mut next = 1;
    for phase in &mode.phases {
        if phase.from != next || phase.to < phase.from {
            let why = format!("turns {} to {}, but turn {next} is next", phase.from, phase.to);
            return Err(DataFault::of_key(file, &phase.key, why));
        }
        next = phase.to + 1;
        for lang in [Lang::Ja, Lang::En] {
            check(phase.text(lang)).map_err(|why| DataFault::of_lang(file, &phase.key, lang, why))?;
        }
        if phase.ja.constraints.len() != phase.en.constraints.len() {
            return Err(DataFault::of_key(file, &phase.key, "the languages have different numbers of constraints"));
        }
    }
    if mode.turns == 0 || next != mode.turns + 1 {
        return Err(DataFault::of_file(file, format!("phases for {} turns of {}", next - 1, mode.turns)));
    }
    for lang in [Lang::Ja, Lang::En] {
        let ModeText { name, about } = mode.text(lang);
        if name.trim().is_empty() || about.trim().is_empty() {
            return Err(DataFault::of_lang(file, "name", lang, "name and about must say something"));
        }
    }
    Ok(mode)
}

fn check(text: &PhaseText) -> Result<(), &'static str> {
    let said = text.constraints.iter().flat_map(|constraint| [&constraint.rule, &constraint.reason]);
    let is_blank = |text: &String| text.trim().is_empty();
    if [&text.label, &text.framing, &text.instruction].into_iter().chain(said).any(is_blank) {
        return Err("a text is blank");
    }
    let (fewest, most) = text.length;
    if fewest == 0 || fewest >= most { Err("the length must have a least below its most") } else { Ok(()) }
}

const MARKS: [(&str, &str); 2] = [("【確信度:", "】"), ("[Confidence:", "]")];

/// How sure a speaker says to be, from 0 to 10: the last mark `【確信度: X/10】` (or `[Confidence: X/10]`) of a statement.
pub fn confidence(statement: &str) -> Option<u8> {
    marked(statement).map(|(sure, _)| sure)
}

/// A statement without its mark of confidence.
pub fn without_confidence(statement: &str) -> &str {
    marked(statement).map_or(statement, |(_, before)| before.trim_end())
}

/// The mark as it is written at the end of a statement.
pub(crate) fn confidence_mark(lang: Lang, sure: u8) -> String {
    lang.pick(format!("【確信度: {sure}/10】"), format!("[Confidence: {sure}/10]"))
}

fn marked(statement: &str) -> Option<(u8, &str)> {
    MARKS.iter().find_map(|(opening, closing)| {
        // A full-width colon is what a Japanese keyboard gives.
        let wide = opening.replace(':', "：");
        let (start, length) =
            [*opening, wide.as_str()].iter().find_map(|mark| Some((statement.rfind(mark)?, mark.len())))?;
        let rest = &statement[start + length..];
        let (figure, after) = rest.split_once(closing)?;
        let (sure, of) = figure.split_once(['/', '／'])?;
        let sure: u8 = sure.trim().parse().ok().filter(|sure| *sure <= 10)?;
        (of.trim() == "10" && after.trim().is_empty()).then_some((sure, &statement[..start]))
    })
}
