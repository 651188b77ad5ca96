//! Building one statement: which parts it has, in which order they are chosen, in which order they are read.
//!
//! What was asked for is chosen first, then the answer to somebody, then the debater's own argument, then the work of the
//! phase; what follows is there where it has room. Read aloud, the order is that of a person who answers before arguing.

use enza_kernel::limits::length;
use enza_kernel::text::Lang;
use enza_kernel::words::{fill, pieces};

use super::choice::{Borrowing, Choice, Chosen, Line};
use super::facets::Facets;
use super::heard::{Side, answers, names_heard, short};
use super::pools::{Lines, is_objection, pools};
use super::wish::{Wish, wishes};
use super::{Speaking, Spoken};
use crate::chance::drawn;
use crate::coach::{Tone, tone_of};
use crate::modes::{Aim, confidence_mark};
use crate::sentences::{excerpt, sentences};
use crate::values::{ValueText, value_named};

/// Where a part stands when the statement is read.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Part {
    FirstQuestion,
    Answer,
    Wished,
    Value,
    Knowledge,
    Aim,
    More,
    LastQuestion,
}

/// What a debater says in its turn.
pub fn speak(speaking: &Speaking) -> Spoken {
    let facets = Facets::of(speaking.lang, &speaking.topic.title);
    let mut draft = Draft::new(speaking, &facets);
    // A direction is followed even where that needs a sentence that another seat might say.
    draft.choice.borrowing = Borrowing::AsItIs;
    for wish in wishes(speaking.direction.as_deref().unwrap_or_default()) {
        draft.grant(&wish);
    }
    draft.choice.borrowing = Borrowing::Never;
    draft.answer();
    draft.argue();
    if draft.wants_knowledge() {
        draft.cite();
    }
    draft.do_the_work();
    draft.colour();
    draft.fill_up();
    if draft.long() < speaking.length.0 {
        draft.choice.borrowing = Borrowing::Framed;
        draft.fill_up();
    }
    draft.finish()
}

struct Draft<'a> {
    speaking: &'a Speaking,
    facets: &'a Facets,
    choice: Choice<'a>,
    tone: Tone,
    side: Option<Side>,
    is_brief: bool,
    parts: Vec<(Part, String)>,
    thoughts: Vec<String>,
}

impl<'a> Draft<'a> {
    fn new(speaking: &'a Speaking, facets: &'a Facets) -> Self {
        let wishes = wishes(speaking.direction.as_deref().unwrap_or_default());
        let side = wishes.iter().find_map(|wish| match wish {
            Wish::Agree => Some(Side::Agree),
            Wish::Object => Some(Side::Object),
            Wish::BeginWithQuestion | Wish::EndWithQuestion | Wish::Number | Wish::Mention(_) => None,
            Wish::Example | Wish::Brief | Wish::Theme(_) => None,
        });
        Self {
            speaking,
            facets,
            choice: Choice::new(speaking, facets),
            tone: speaking.strategy.as_deref().map_or(Tone::Plain, tone_of),
            side,
            is_brief: wishes.contains(&Wish::Brief),
            parts: Vec::new(),
            thoughts: Vec::new(),
        }
    }

    /// Does what a direction asks for, where a sentence of its own does it.
    fn grant(&mut self, wish: &Wish) {
        let lang = self.speaking.lang;
        let seed = drawn(&[&self.speaking.seed, &self.speaking.name, "figure"]) + u64::from(self.speaking.turn);
        let figure = (3 + seed % 6).to_string();
        let (part, what, list, settled) = match wish {
            Wish::BeginWithQuestion => (Part::FirstQuestion, "question", &pools().ask_question, Vec::new()),
            Wish::EndWithQuestion => (Part::LastQuestion, "question", &pools().ask_question, Vec::new()),
            Wish::Number => (Part::Wished, "number", &pools().ask_number, vec![("n", figure)]),
            Wish::Mention(words) => (Part::Wished, "mention", &pools().ask_mention, vec![("mention", words.clone())]),
            Wish::Theme(words) => (Part::Wished, "theme", &pools().ask_theme, vec![("mention", words.clone())]),
            Wish::Example => (Part::Wished, "example", &pools().ask_example, Vec::new()),
            Wish::Agree | Wish::Object | Wish::Brief => return,
        };
        let lines = list.pick(lang).iter().map(|line| Line::new(line, settled.clone())).collect();
        // What was asked for may be long; nothing else has been chosen yet.
        let room = self.room();
        self.add(part, what, lines, room);
    }

    /// Answers somebody, where anybody has spoken.
    fn answer(&mut self) {
        let found = answers(self.speaking, self.facets, self.tone, self.side);
        if found.lines.is_empty() {
            return;
        }
        let room = self.share();
        if let Some(chosen) = self.add(Part::Answer, "answer", found.lines, room) {
            let name = &found.names[chosen.nth];
            self.thoughts.push(fill(pools().thinking.react.pick(self.speaking.lang), &[("name", name)]));
        }
    }

    /// Argues from one of the debater's values, each in its turn.
    fn argue(&mut self) {
        let names = self.speaking.persona.core_values();
        let turn = self.speaking.turn as usize;
        let current = (turn + drawn(&[&self.speaking.seed, &self.speaking.name]) as usize % 7) % names.len().max(1);
        let lines: Vec<Line<'_>> = names
            .iter()
            .enumerate()
            .flat_map(|(nth, name)| {
                let against = if nth == current { 0 } else { 400 };
                value_lines(self.speaking, name).into_iter().map(move |mut line| {
                    line.against += against;
                    line
                })
            })
            .collect();
        let from: Vec<&String> =
            names.iter().flat_map(|name| value_lines(self.speaking, name).into_iter().map(move |_| name)).collect();
        let room = self.share();
        if let Some(chosen) = self.add(Part::Value, "value", lines, room) {
            let value = from[chosen.nth];
            self.thoughts.insert(0, fill(pools().thinking.value.pick(self.speaking.lang), &[("value", value)]));
        }
    }

    /// Knowledge is cited every third turn of a seat, and whenever the strategy wants things concrete.
    fn wants_knowledge(&self) -> bool {
        let is_due = (self.speaking.turn + self.speaking.seat) % 3 == 1;
        !self.speaking.knowledge.is_empty() && (is_due || self.tone == Tone::Concrete)
    }

    fn cite(&mut self) {
        let most = self.speaking.lang.pick(44, 76);
        let lines: Vec<Line<'_>> = self
            .speaking
            .knowledge
            .iter()
            .flat_map(|known| {
                let settled =
                    vec![("title", known.title.trim().to_owned()), ("content", excerpt(&known.content, most))];
                pools().knowledge.pick(self.speaking.lang).iter().map(move |line| Line::new(line, settled.clone()))
            })
            .collect();
        let each = pools().knowledge.pick(self.speaking.lang).len();
        // What one debater knows, no other cites in the same words.
        let room = self.room();
        self.choice.borrowing = Borrowing::AsItIs;
        let chosen = self.add(Part::Knowledge, "knowledge", lines, room);
        self.choice.borrowing = Borrowing::Never;
        if let Some(chosen) = chosen {
            let title = &self.speaking.knowledge[chosen.nth / each].title;
            self.thoughts.push(fill(pools().thinking.knowledge.pick(self.speaking.lang), &[("title", title)]));
        }
    }

    /// What the phase is for.
    fn do_the_work(&mut self) {
        let lines = self.lines_of(pools().of_aim(self.speaking.aim));
        let room = self.room();
        self.add(Part::Aim, "aim", lines, room);
    }

    /// What the strategy adds.
    fn colour(&mut self) {
        let Some(list) = pools().of_tone(self.tone) else { return };
        let names = names_heard(self.speaking);
        let mut lines = self.lines_of(list);
        let mut settled = Vec::new();
        for (nth, name) in names.iter().enumerate() {
            let other = &names[(nth + 1) % names.len()];
            settled.push((name.clone(), other.clone()));
        }
        lines.retain(|line| {
            let pieces = pieces(line.line);
            let needed = usize::from(pieces.contains("name")) + usize::from(pieces.contains("other"));
            settled.len() >= needed && (needed < 2 || settled.len() > 1)
        });
        let lines = lines
            .into_iter()
            .flat_map(|line| {
                let each = if pieces(line.line).contains("name") { settled.clone() } else { vec![Default::default()] };
                each.into_iter().map(move |(name, other)| Line::new(line.line, vec![("name", name), ("other", other)]))
            })
            .collect();
        let room = self.room();
        self.add(Part::More, "tone", lines, room);
    }

    /// Until the statement is as long as the mode wants it.
    fn fill_up(&mut self) {
        let (fewest, most) = self.speaking.length;
        let wanted = if self.is_brief { fewest } else { fewest + (most - fewest) / 8 };
        for step in 0..8 {
            if self.long() >= wanted {
                break;
            }
            let room = self.room();
            match (self.speaking.turn + self.speaking.seat) as usize % 3 + step {
                0 | 3 => self.add(Part::More, "more", self.lines_of(pools().of_aim(self.speaking.aim)), room),
                1 | 4 => self.add(Part::More, "more values", self.all_value_lines(), room),
                2 | 5 => self.tell_of_itself(room),
                6 => self.add(Part::More, "more questions", self.lines_of(&pools().ask_question), room),
                _ => self.add(Part::More, "more examples", self.lines_of(&pools().ask_example), room),
            };
        }
    }

    /// A sentence of the debater's own life or way of thinking, each of them once in a debate.
    fn tell_of_itself(&mut self, room: usize) -> Option<Chosen> {
        let Speaking { lang, persona, seat, .. } = self.speaking;
        let told = [(persona.background(), &pools().own_past), (persona.thinking_style(), &pools().own_thinking)];
        let mut found = Vec::new();
        for (text, frames) in told {
            let frames = frames.pick(*lang);
            // Everybody's sentences begin in a way of their own: two who think alike do not say the same.
            let Some(frame) = frames.get(*seat as usize % frames.len().max(1)) else { continue };
            found.extend(sentences(text).into_iter().map(|sentence| format!("{frame}{sentence}")));
        }
        let said: Vec<&str> = self.speaking.own.iter().map(|own| own.text.as_str()).collect();
        let is_new = |text: &&String| {
            let is_said = said.iter().any(|own| own.contains(text.as_str())) || self.choice.now.contains(text);
            length(text) <= room && !is_said
        };
        let text = found.iter().find(is_new)?.clone();
        self.choice.now.push(text.clone());
        self.parts.push((Part::More, text.clone()));
        Some(Chosen { text, nth: 0 })
    }

    fn finish(mut self) -> Spoken {
        let Speaking { lang, confidence, .. } = *self.speaking;
        let mark = confidence.then(|| confidence_mark(lang, self.sureness()));
        self.parts.sort_by_key(|(part, _)| *part);
        let said = self.parts.into_iter().map(|(_, text)| text).chain(mark);
        let text = said.collect::<Vec<_>>().join(between(lang));
        let thinking = &pools().thinking;
        if let Some(strategy) = &self.speaking.strategy {
            self.thoughts.push(fill(thinking.strategy.pick(lang), &[("strategy", &excerpt(strategy, 80))]));
        }
        if let Some(direction) = &self.speaking.direction {
            self.thoughts.push(fill(thinking.direction.pick(lang), &[("direction", direction)]));
        }
        Spoken { text, thinking: self.thoughts.join(between(lang)) }
    }

    /// Surer towards the end, less sure where it has just objected.
    fn sureness(&self) -> u8 {
        let Speaking { turn, turns, seed, name, lang, .. } = self.speaking;
        let grown = u64::from(turn * 3 / (*turns).max(1));
        let doubt = u64::from(self.choice.now.iter().any(|sentence| is_objection(*lang, sentence)));
        let sure = 4 + drawn(&[seed, name, "sure"]) % 3 + grown - doubt;
        u8::try_from(sure.clamp(1, 9)).unwrap_or(5)
    }

    fn add(&mut self, part: Part, what: &str, lines: Vec<Line<'_>>, room: usize) -> Option<Chosen> {
        let chosen = self.choice.choose(what, &lines, room)?;
        self.choice.now.push(chosen.text.clone());
        self.parts.push((part, chosen.text.clone()));
        Some(chosen)
    }

    /// Lines without what this aim leaves for later, with the value of the turn put in.
    fn lines_of(&self, list: &'static Lines) -> Vec<Line<'static>> {
        let may_propose = match self.speaking.aim {
            Aim::Open | Aim::Widen | Aim::Narrow => false,
            Aim::Invent | Aim::Decide | Aim::Close => true,
        };
        let names = self.speaking.persona.core_values();
        let name = &names[self.speaking.turn as usize % names.len().max(1)];
        let value = spelt(self.speaking.lang, name);
        let title = excerpt(&self.speaking.topic.title, self.speaking.lang.pick(28, 44));
        let fits = |line: &&String| may_propose || !pieces(line).contains("step");
        let settled = vec![("value", value), ("topic", title)];
        list.pick(self.speaking.lang).iter().filter(fits).map(|line| Line::new(line, settled.clone())).collect()
    }

    fn all_value_lines(&self) -> Vec<Line<'static>> {
        self.speaking.persona.core_values().iter().flat_map(|name| value_lines(self.speaking, name)).collect()
    }

    fn long(&self) -> usize {
        let said: usize = self.parts.iter().map(|(_, text)| length(text)).sum();
        let mark = if self.speaking.confidence { length(&confidence_mark(self.speaking.lang, 9)) } else { 0 };
        // Each of them followed by another, the last one by the mark.
        let gaps = if self.speaking.confidence { self.parts.len() } else { self.parts.len().saturating_sub(1) };
        said + mark + gaps * length(between(self.speaking.lang))
    }

    fn room(&self) -> usize {
        self.speaking.length.1.saturating_sub(self.long() + length(between(self.speaking.lang)))
    }

    /// So much that two further parts have room too.
    fn share(&self) -> usize {
        self.room().min(self.speaking.length.1 * 2 / 5)
    }
}

/// What somebody says from a value: what fits the aim first, then whatever else comes from it.
fn value_lines(speaking: &Speaking, name: &str) -> Vec<Line<'static>> {
    let Some(value) = value_named(name) else {
        let settled = vec![("value", short(name))];
        let lines = pools().of_own_value(speaking.aim).pick(speaking.lang);
        return lines.iter().map(|line| Line::new(line, settled.clone())).collect();
    };
    let ValueText { see, weigh, act, close, .. } = value.text(speaking.lang);
    let ordered: [(&'static [String], u64); 4] = match speaking.aim {
        Aim::Open | Aim::Widen => [(see, 0), (weigh, 800), (act, 3000), (close, 5000)],
        Aim::Narrow => [(weigh, 0), (see, 800), (act, 3000), (close, 5000)],
        Aim::Invent | Aim::Decide => [(act, 0), (weigh, 800), (see, 1500), (close, 5000)],
        Aim::Close => [(close, 0), (weigh, 800), (act, 1500), (see, 3000)],
    };
    let with = |(lines, against): (&'static [String], u64)| {
        lines.iter().map(move |line| Line { line, settled: Vec::new(), against })
    };
    ordered.into_iter().flat_map(with).collect()
}

/// A value within a sentence: English names of ours are ordinary nouns.
fn spelt(lang: Lang, name: &str) -> String {
    let is_ours = value_named(name).is_some();
    if lang == Lang::En && is_ours { name.to_lowercase() } else { short(name) }
}

fn between(lang: Lang) -> &'static str {
    lang.pick("", " ")
}
