//! The sentences that every voice by rule can choose from, whatever its values: the file `voice.toml`.

use std::sync::LazyLock;

use enza_kernel::text::Lang;
use enza_kernel::words::pieces;
use serde::Deserialize;

use super::facets::FacetKind;
use crate::coach::Tone;
use crate::data::{self, Both};
use crate::modes::Aim;

/// Sentences in both languages, the nth of one beside the nth of the other.
pub(crate) type Lines = Both<Vec<String>>;

/// Everything in `voice.toml`.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(crate) struct Pools {
    again: Again,
    pub(crate) added: Lines,
    pub(crate) own_past: Lines,
    pub(crate) own_thinking: Lines,
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

/// How a thing is taken up again.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Again {
    people: Both<String>,
    step: Both<String>,
    worry: Both<String>,
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

    /// What stands for something of this kind that was named just before.
    pub(crate) fn again(&self, kind: FacetKind) -> &Both<String> {
        match kind {
            FacetKind::People => &self.again.people,
            FacetKind::Step => &self.again.step,
            FacetKind::Worry => &self.again.worry,
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
    const JAPANESE: [&str; 8] = [
        "反対です",
        "異論",
        "同意できません",
        "賛成できません",
        "違うと思い",
        "疑問です",
        "疑問があり",
        "納得できません",
    ];
    const ENGLISH: [&str; 7] =
        ["disagree", "i object", "i oppose", "not convinced", "i doubt", "on the contrary", "i cannot agree"];
    let folded = sentence.to_lowercase();
    let ours = lang.pick(&OBJECTIONS.ja, &OBJECTIONS.en).iter().any(|fixed| is_made_of(&folded, fixed));
    ours || JAPANESE.iter().chain(&ENGLISH).any(|mark| folded.contains(mark))
}

/// The fixed parts of every line of ours that objects.
static OBJECTIONS: LazyLock<Both<Vec<Vec<String>>>> = LazyLock::new(|| {
    let pools = pools();
    let lists = [&pools.react_people, &pools.react_step, &pools.react_worry, &pools.react_source, &pools.react_quote];
    let objecting =
        |lines: &Vec<String>| lines[lines.len() / 2..].iter().map(|line| fixed_parts(line)).collect::<Vec<_>>();
    let of = |lang: Lang| lists.iter().flat_map(|list| objecting(list.pick(lang))).collect();
    Both { ja: of(Lang::Ja), en: of(Lang::En) }
});

/// What of a line stands in every sentence that is made of it, in small letters.
pub(crate) fn fixed_parts(line: &str) -> Vec<String> {
    let mut fixed = line.to_lowercase();
    for piece in pieces(line) {
        fixed = fixed.replace(&format!("{{{piece}}}"), "\u{0}");
    }
    // Quotes change when they stand within quotes.
    let quotes = ['「', '」', '“', '”'];
    fixed.split(['\u{0}']).map(|part| part.trim_matches(quotes).to_owned()).filter(|part| !part.is_empty()).collect()
}

/// Whether a sentence in small letters was made by filling in a line: the line's fixed parts stand in it, in order.
pub(crate) fn is_made_of(sentence: &str, fixed: &[String]) -> bool {
    let mut rest = sentence;
    fixed.iter().all(|part| match rest.find(part.as_str()) {
        Some(at) => {
            rest = &rest[at + part.len()..];
            true
        }
        None => false,
    })
}
