//! P1, the system prompt of a turn (DEL-77 to DEL-82), and the user prompt beside it: topic, what the turn is for, what was
//! said in earlier turns (DEL-C6, DEL-C18).

use std::fmt::Write as _;

use enza_deliberation_cast::{Mode, Utterance, sentences};
use enza_kernel::text::Lang;

use super::{in_one_line, indented};
use crate::KnowledgeEntry;
use crate::words::words;

/// What P1 is made from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Speaker<'a> {
    pub name: &'a str,
    /// As it is printed, with an indent of two.
    pub persona: &'a str,
    pub strategy: Option<&'a str>,
    pub knowledge: &'a [KnowledgeEntry],
    pub direction: Option<&'a str>,
}

/// P1.
pub(crate) fn system(lang: Lang, speaker: &Speaker<'_>) -> String {
    let pick = |ja: &'static str, en: &'static str| lang.pick(ja, en);
    let name = in_one_line(speaker.name);
    let mut blocks = vec![lang.pick(
        format!("あなたは「{name}」という名前の熟議エージェントです。"),
        format!("You are a deliberation agent named \"{name}\"."),
    )];
    let mut block = |heading: &str, text: &str| blocks.push(format!("## {heading}\n{text}"));
    block(pick("あなたの人格", "Your persona"), speaker.persona);
    if let Some(strategy) = speaker.strategy {
        block(pick("今回の熟議方針", "Your strategy for this deliberation"), &indented(strategy));
    }
    block(pick("あなたの知識", "Your knowledge"), &knowledge(lang, speaker.knowledge));
    if let Some(direction) = speaker.direction {
        block(
            pick("ユーザーからの指示（このターンのみ）", "Instruction from the user (this turn only)"),
            &in_one_line(direction),
        );
    }
    let mut rules = vec![
        pick("1. 他者の意見を尊重し、建設的に議論する", "1. Respect the opinions of others and discuss constructively"),
        pick("2. 自分の考えを明確に述べる", "2. State your own thoughts clearly"),
        pick("3. 根拠を示す", "3. Give grounds"),
        pick("4. 150-300文字程度で簡潔に発言する", "4. Speak concisely, in about 150-300 characters"),
    ];
    if speaker.strategy.is_some() {
        rules.push(pick(
            "5. 今回の熟議方針を意識して発言する",
            "5. Speak with your strategy for this deliberation in mind",
        ));
    }
    if speaker.direction.is_some() {
        rules.push(pick(
            "6. ユーザーの指示を今回の発言に反映する",
            "6. Reflect the user's instruction in this statement",
        ));
    }
    block(pick("熟議のルール", "Rules of deliberation"), &rules.join("\n"));
    blocks.join("\n\n")
}

fn knowledge(lang: Lang, entries: &[KnowledgeEntry]) -> String {
    if entries.is_empty() {
        return lang.pick("（特に知識はありません）", "(No particular knowledge)").to_owned();
    }
    let line = |one: &KnowledgeEntry| format!("- {}: {}", in_one_line(&one.title), indented(&one.content));
    entries.iter().take(crate::KNOWLEDGE_SLOTS).map(line).collect::<Vec<_>>().join("\n")
}

/// What the user prompt of a turn is made from.
#[derive(Debug, Clone, Copy)]
pub(crate) struct TurnAsked<'a> {
    pub title: &'a str,
    pub description: &'a str,
    pub mode: &'a Mode,
    pub turn: u32,
    pub turns: u32,
    /// The speaker's name.
    pub name: &'a str,
    /// Everything said in earlier turns.
    pub said: &'a [Utterance],
    /// A turn, and everything up to it in few words; it stands for what was said up to there.
    pub summary: Option<(u32, &'a str)>,
}

/// The user prompt.
pub(crate) fn user(lang: Lang, asked: &TurnAsked<'_>) -> String {
    let words = words(lang);
    let TurnAsked { title, description, mode, turn, turns, name, .. } = *asked;
    let phase = mode.phase_of_turn_in(turn, turns).text(lang);
    let mut out = format!(
        "## {}\n{}\n{}\n\n## {}\n{}\n{}\n",
        words.say("prompt.topic"),
        in_one_line(title),
        indented(description),
        words.fill("prompt.phase", &[("mode", &mode.text(lang).name), ("label", &phase.label)]),
        phase.framing,
        phase.instruction,
    );
    for constraint in &phase.constraints {
        let (rule, reason) = (&constraint.rule, &constraint.reason);
        let _ = writeln!(out, "- {}", lang.pick(format!("{rule}（{reason}）"), format!("{rule} ({reason})")));
    }
    let (fewest, most) = phase.length;
    let _ = writeln!(out, "- {}", words.fill("prompt.length", &[("fewest", &fewest), ("most", &most)]));
    if mode.confidence {
        let _ = writeln!(out, "- {}", words.say("prompt.confidence"));
    }
    let _ = write!(out, "\n## {}\n{}\n\n", words.say("prompt.history"), history(lang, asked));
    let pieces: [(&str, &dyn std::fmt::Display); 3] = [("name", &name), ("turn", &turn), ("turns", &turns)];
    let _ = write!(out, "## {}\n{}", words.fill("prompt.your_turn", &pieces), words.say("prompt.ask"));
    out
}

/// What was said before: all of it, or from the fourth turn on a summary, the turn before last with others in a sentence,
/// and the last turn.
fn history(lang: Lang, asked: &TurnAsked<'_>) -> String {
    let words = words(lang);
    if asked.said.is_empty() {
        return words.say("prompt.nothing_said").to_owned();
    }
    let mut out: Vec<String> = Vec::new();
    let mut from = 1;
    if let Some((turn, summary)) = asked.summary {
        out.push(format!("### {}\n{}", words.fill("prompt.until_turn", &[("turn", &turn)]), indented(summary)));
        from = turn + 1;
    }
    for turn in from..asked.turn {
        let is_short = asked.summary.is_some() && turn + 1 < asked.turn;
        let lines: Vec<String> = asked
            .said
            .iter()
            .filter(|one| one.turn == turn)
            .map(|one| {
                let is_own = one.speaker == asked.name;
                let first = if is_short && !is_own { sentences(&one.text).into_iter().next() } else { None };
                format!("{}: {}", in_one_line(&one.speaker), indented(first.as_ref().unwrap_or(&one.text)))
            })
            .collect();
        if !lines.is_empty() {
            out.push(format!("### {}\n{}", words.fill("prompt.turn", &[("turn", &turn)]), lines.join("\n")));
        }
    }
    out.join("\n")
}
