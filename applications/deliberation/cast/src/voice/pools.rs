//! The sentences that every voice by rule can choose from, whatever its values: the file `voice.toml`.

use std::sync::LazyLock;

use enza_kernel::text::Lang;
use enza_kernel::words::pieces;
use serde::Deserialize;

use crate::coach::Tone;
use crate::data::{self, Both};
use crate::modes::Aim;

/// Sentences in both languages, the nth of one beside the nth of the other.
pub(crate) type Lines = Both<Vec<String>>;

/// Everything in `voice.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pools {
    pub(crate) people: Lines,
    pub(crate) steps: Lines,
    pub(crate) worries: Lines,
    open: Lines,
    widen: Lines,
    narrow: Lines,
    invent: Lines,
    decide: Lines,
    close: Lines,
    pub(crate) react_people: Lines,
    pub(crate) react_step: Lines,
    pub(crate) react_worry: Lines,
    pub(crate) react_source: Lines,
    pub(crate) react_quote: Lines,
    pub(crate) react_close: Lines,
    pub(crate) knowledge: Lines,
    tone_listening: Lines,
    tone_concrete: Lines,
    tone_firm: Lines,
    tone_bridging: Lines,
    tone_inventive: Lines,
    pub(crate) ask_number: Lines,
    pub(crate) ask_question: Lines,
    pub(crate) ask_mention: Lines,
    pub(crate) ask_theme: Lines,
    pub(crate) ask_example: Lines,
    own_value: OwnValue,
    pub(crate) thinking: Thinking,
}

/// What somebody says from a value that is not one of the twenty-four.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct OwnValue {
    see: Lines,
    weigh: Lines,
    act: Lines,
    close: Lines,
}

/// What is kept as reasoning.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Thinking {
    pub(crate) value: Both<String>,
    pub(crate) react: Both<String>,
    pub(crate) strategy: Both<String>,
    pub(crate) direction: Both<String>,
    pub(crate) knowledge: Both<String>,
}

static POOLS: LazyLock<Pools> =
    LazyLock::new(|| data::sound(data::read("voice.toml", include_str!("../../data/voice.toml"))));

pub(crate) fn pools() -> &'static Pools {
    &POOLS
}

impl Pools {
    /// What does the work of a phase.
    pub(crate) fn of_aim(&self, aim: Aim) -> &Lines {
        match aim {
            Aim::Open => &self.open,
            Aim::Widen => &self.widen,
            Aim::Narrow => &self.narrow,
            Aim::Invent => &self.invent,
            Aim::Decide => &self.decide,
            Aim::Close => &self.close,
        }
    }

    /// What a strategy of this tone adds; nothing where there is none.
    pub(crate) fn of_tone(&self, tone: Tone) -> Option<&Lines> {
        match tone {
            Tone::Listening => Some(&self.tone_listening),
            Tone::Concrete => Some(&self.tone_concrete),
            Tone::Firm => Some(&self.tone_firm),
            Tone::Bridging => Some(&self.tone_bridging),
            Tone::Inventive => Some(&self.tone_inventive),
            Tone::Plain => None,
        }
    }

    /// What a value that we do not know says.
    pub(crate) fn of_own_value(&self, aim: Aim) -> &Lines {
        match aim {
            Aim::Open | Aim::Widen => &self.own_value.see,
            Aim::Narrow => &self.own_value.weigh,
            Aim::Invent | Aim::Decide => &self.own_value.act,
            Aim::Close => &self.own_value.close,
        }
    }
}

/// The second half of a list of reactions objects, the first half agrees.
pub(crate) fn agrees(nth: usize, of: usize) -> bool {
    nth < of / 2
}

/// Whether a sentence takes up what somebody said in order to object to it.
pub(crate) fn is_objection(lang: Lang, sentence: &str) -> bool {
    let pools = pools();
    let lists = [&pools.react_people, &pools.react_step, &pools.react_worry, &pools.react_source, &pools.react_quote];
    let ours = lists.iter().any(|list| {
        let lines = list.pick(lang);
        lines.iter().enumerate().any(|(nth, line)| !agrees(nth, lines.len()) && is_made_of(sentence, line))
    });
    let ja = ["反対です", "異論", "同意できません", "賛成できません", "違うと思い", "疑問です", "疑問があり"];
    let en = ["disagree", "i object", "i oppose", "not convinced", "i doubt", "on the contrary", "i cannot agree"];
    let folded = sentence.to_lowercase();
    ours || ja.iter().chain(&en).any(|mark| folded.contains(mark))
}

/// Whether a sentence was made by filling in a line: its fixed parts stand in it, in order.
pub(crate) fn is_made_of(sentence: &str, line: &str) -> bool {
    let (sentence, mut from) = (sentence.to_lowercase(), 0);
    let mut fixed = line.to_lowercase();
    for piece in pieces(line) {
        fixed = fixed.replace(&format!("{{{piece}}}"), "\u{0}");
    }
    let mut parts = fixed.split('\u{0}').map(|part| part.trim_start_matches('「').trim_end_matches('」'));
    parts.all(|part| match sentence.get(from..).and_then(|rest| rest.find(part)) {
        Some(at) => {
            from += at + part.len();
            true
        }
        None => false,
    })
}
