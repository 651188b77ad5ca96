//! What an owner's feedback does, by rule: the strategy of the next debate, the growth of the persona, and the question a
//! debater asks afterwards.
//!
//! Feedback is heard for a few things it can ask for. The strategy says the same in words that the voices by rule hear
//! again, so that a person sees the whole loop without a model.

use std::sync::LazyLock;

use enza_kernel::limits::{length, one_line};
use enza_kernel::text::Lang;
use enza_kernel::words::fill;
use serde::{Deserialize, Serialize};

use crate::chance::place;
use crate::data::{self, Both};
use crate::persona::Persona;
use crate::sentences::{excerpt, sentences};
use crate::values::value;
use crate::voice::Utterance;

/// How a strategy colours what is said.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tone {
    Listening,
    Concrete,
    Firm,
    Bridging,
    Inventive,
    /// Nothing is added.
    Plain,
}

/// What a debater asks its owner, and what it is about.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Reflection {
    pub question: String,
    pub context: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct CoachFile {
    signal: Vec<Signal>,
    reflection: Both<Vec<String>>,
    context: Context,
    frame: Frame,
}

/// Something that feedback can ask for.
#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct Signal {
    key: String,
    words: Vec<String>,
    value: String,
    ja: SignalText,
    en: SignalText,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct SignalText {
    #[serde(rename = "trait")]
    quality: String,
    thinks: String,
    strategy: String,
}

#[derive(Deserialize)]
struct Context {
    with: Both<String>,
    alone: Both<String>,
}

#[derive(Deserialize)]
struct Frame {
    from_feedback: Both<String>,
    last_words: Both<String>,
    steady: Both<String>,
}

static COACH: LazyLock<CoachFile> =
    LazyLock::new(|| data::sound(data::read("coach.toml", include_str!("../data/coach.toml"))));

/// What a strategy asks of its debater's voice.
pub fn tone_of(strategy: &str) -> Tone {
    match signal_in(strategy).key.as_str() {
        "listening" | "gentle" => Tone::Listening,
        "concrete" => Tone::Concrete,
        "firm" => Tone::Firm,
        "bridging" => Tone::Bridging,
        "inventive" => Tone::Inventive,
        _ => Tone::Plain,
    }
}

/// What is asked for most often; the last signal, which has no words, where nothing is.
fn signal_in(text: &str) -> &'static Signal {
    let folded = text.to_lowercase();
    let count = |signal: &Signal| signal.words.iter().map(|word| folded.matches(word.as_str()).count()).sum::<usize>();
    let signals = &COACH.signal;
    let plain = &signals[signals.len() - 1];
    // The first of several that are asked for equally often.
    signals
        .iter()
        .fold((0, plain), |best, signal| if count(signal) > best.0 { (count(signal), signal) } else { best })
        .1
}

/// The strategy that a feedback leads to: 100 to 200 characters.
pub fn strategy(lang: Lang, feedback: &str, own: &[Utterance]) -> String {
    const SHORTEST: usize = 100;
    const LONGEST: usize = 200;
    let signal = signal_in(feedback);
    let said = &lang.pick(&signal.ja, &signal.en).strategy;
    let frame = &COACH.frame;
    let quoted = excerpt(feedback, lang.pick(30, 40));
    let mut text = fill(frame.from_feedback.pick(lang), &[("feedback", &quoted), ("strategy", said)]);
    let last = own.last().map(|own| excerpt(&own.text, lang.pick(20, 30))).filter(|last| !last.is_empty());
    if let Some(last) = last {
        let more = fill(frame.last_words.pick(lang), &[("last", &last)]);
        let longer = [text.as_str(), more.as_str()].join(lang.pick("", " "));
        if length(&longer) <= LONGEST {
            text = longer;
        }
    }
    if length(&text) < SHORTEST {
        text = [text.as_str(), frame.steady.pick(lang)].join(lang.pick("", " "));
    }
    text
}

/// A persona's next version by rule: what the feedbacks ask for is gained, what they have had enough of is lost, and the
/// way of thinking moves a little. The text keeps its order of keys; only the caller makes it count.
pub fn growth(lang: Lang, persona: &Persona, feedbacks: &[&str]) -> String {
    let all = feedbacks.join("\n");
    let signal = signal_in(&all);
    let text = lang.pick(&signal.ja, &signal.en);
    let mut written = persona.written();
    let mut values = persona.core_values().to_vec();
    let mut traits = persona.personality_traits().to_vec();
    let gained = value(&signal.value).map(|value| value.text(lang).name.clone()).unwrap_or_default();
    if let Some(nth) = unwanted(&all, &traits) {
        traits.remove(nth);
    } else if let Some(nth) = unwanted(&all, &values).filter(|_| values.len() > 3) {
        values.remove(nth);
    } else if traits.len() < 10 && !traits.contains(&text.quality) {
        traits.push(text.quality.clone());
    } else if values.len() < 5 && !values.contains(&gained) {
        values.push(gained);
    } else if traits.len() > 1 {
        traits.remove(0);
    }
    written.set_texts("core_values", &values);
    written.set_texts("personality_traits", &traits);
    written.set_text("thinking_style", &moved(lang, persona.thinking_style(), &text.thinks));
    written.set_number("version", persona.version() + 1);
    written.pretty()
}

/// What is named together with words that say: enough of it.
fn unwanted(feedback: &str, words: &[String]) -> Option<usize> {
    let enough = ["やめ", "減らし", "控え", "すぎ", "過ぎ", "less", "too ", "stop", "enough", "drop"];
    let low = feedback.to_lowercase();
    let is_enough = enough.iter().any(|mark| low.contains(mark));
    words.iter().position(|word| is_enough && low.contains(&word.to_lowercase()))
}

/// The way of thinking with one sentence more; where there is no room, it takes the place of the last one.
fn moved(lang: Lang, thinking_style: &str, thinks: &str) -> String {
    const LONGEST: usize = 300;
    let between = lang.pick("", " ");
    if thinking_style.contains(thinks) {
        return thinking_style.to_owned();
    }
    let longer = [thinking_style.trim(), thinks].join(between);
    if length(&longer) <= LONGEST {
        return longer;
    }
    let mut kept = sentences(thinking_style);
    loop {
        kept.pop();
        let text = kept.iter().map(String::as_str).chain([thinks]).collect::<Vec<_>>().join(between);
        if kept.is_empty() || length(&text) <= LONGEST {
            return text;
        }
    }
}

/// The question a debater asks its owner: at most 40 characters, its context at most 80.
pub fn reflection(lang: Lang, topic: &str, own: &[Utterance], others: &[&str], seed: &str) -> Reflection {
    let questions = COACH.reflection.pick(lang);
    let question = questions[place(&["reflection", seed], questions.len())].clone();
    let times = |name: &&str| own.iter().filter(|own| own.text.contains(name)).count();
    let partner = others.iter().copied().filter(|name| times(name) > 0).max_by_key(times);
    let topic = excerpt(topic, lang.pick(26, 24));
    let count = own.len().to_string();
    let frame = if partner.is_some() { &COACH.context.with } else { &COACH.context.alone };
    let name = one_line(partner.unwrap_or_default(), 16);
    let context = fill(frame.pick(lang), &[("topic", &topic), ("name", &name), ("count", &count)]);
    Reflection { question: one_line(&question, 40), context: one_line(&context, 80) }
}
