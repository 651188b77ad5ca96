//! How outcomes are asked for: summaries, the verdict, closing statements and their order, the next topic. Nobody here is
//! told who owns a debater.

use enza_deliberation_cast::{Axis, Candidate, Utterance};
use enza_kernel::text::Lang;

use super::{in_one_line, indented};
use crate::words::words;

/// The topic and everything that was said.
#[derive(Debug, Clone, Copy)]
pub(crate) struct WholeDebate<'a> {
    pub title: &'a str,
    pub description: &'a str,
    pub said: &'a [Utterance],
}

impl WholeDebate<'_> {
    fn written(&self, lang: Lang) -> String {
        let words = words(lang);
        let line = |one: &Utterance| {
            let turn = words.fill("prompt.turn", &[("turn", &one.turn)]);
            format!("[{}] {turn} {}: {}", one.number, in_one_line(&one.speaker), indented(&one.text))
        };
        let said: Vec<String> = self.said.iter().map(line).collect();
        let said = if said.is_empty() { words.say("prompt.nothing_said").to_owned() } else { said.join("\n") };
        let (title, about) = (in_one_line(self.title), indented(self.description));
        format!("## {}\n{title}\n{about}\n\n## {}\n{said}", words.say("prompt.topic"), words.say("prompt.history"))
    }

    fn asked(&self, lang: Lang, task: &str) -> String {
        format!("{}\n\n## {}\n{task}", self.written(lang), words(lang).say("prompt.task"))
    }

    /// Everything up to a turn in few words; what was said before the previous summary is in it.
    pub(crate) fn turn_summary(&self, lang: Lang, turn: u32, previous: Option<&str>) -> String {
        let asked = self.asked(lang, &words(lang).fill("prompt.ask_turn_summary", &[("turn", &turn)]));
        match previous {
            Some(previous) => {
                let heading = words(lang).say("prompt.so_far");
                format!("## {heading}\n{}\n\n{asked}", indented(previous))
            }
            None => asked,
        }
    }

    pub(crate) fn summary(&self, lang: Lang) -> String {
        self.asked(lang, words(lang).say("prompt.ask_summary"))
    }

    pub(crate) fn verdict(&self, lang: Lang) -> String {
        let axes = Axis::ALL.map(|axis| format!("- {}: {}", axis.word(), axis.label(lang)));
        self.asked(lang, &format!("{}\n{}", words(lang).say("prompt.ask_verdict"), axes.join("\n")))
    }

    pub(crate) fn candidates(&self, lang: Lang) -> String {
        self.asked(lang, words(lang).say("prompt.ask_candidates"))
    }

    /// For one seat, which reads its persona in the system prompt.
    pub(crate) fn ranking(&self, lang: Lang, candidates: &[Candidate]) -> String {
        let listed = candidates.iter().zip(1..).map(|(one, number)| format!("{number}. {}", indented(&one.text)));
        let listed = listed.collect::<Vec<_>>().join("\n");
        self.asked(lang, &format!("{}\n{listed}", words(lang).say("prompt.ask_ranking")))
    }

    pub(crate) fn next_topic(&self, lang: Lang) -> String {
        self.asked(lang, words(lang).say("prompt.ask_next"))
    }
}
