//! The prompts with which a feedback is tried out before it is given: the strategy it would lead to, and the first sentence
//! with that strategy and without it.
//!
//! Strategy and system prompt have the form of those in a debate (P2, P1), so that what is tried is what would come.

use enza_deliberation_cast::{Persona, sentences};
use enza_kernel::limits::one_line;
use enza_kernel::text::Lang;

use super::indented;
use crate::brief::{KnowledgeEntry, OwnStatement};

/// Who speaks in a trial.
pub(crate) struct TrialVoice<'a> {
    pub lang: Lang,
    pub name: &'a str,
    pub persona: &'a Persona,
    /// None where it speaks as it would anyway.
    pub strategy: Option<&'a str>,
    pub knowledge: &'a [KnowledgeEntry],
}

/// The system prompt of a strategy (DEL-91).
pub(crate) fn trial_strategy_rules(lang: Lang) -> &'static str {
    lang.pick(
        "あなたはAI熟議エージェントの戦略立案を支援する専門家です。",
        "You are an expert who helps AI deliberation agents to plan their strategy.",
    )
}

/// P2: persona, own statements, feedback and task.
pub(crate) fn trial_strategy(lang: Lang, persona: &Persona, own: &[OwnStatement], feedback: &str) -> String {
    let persona = persona.pretty();
    let feedback = indented(feedback);
    let turn = |own: &OwnStatement| {
        let (turn, content) = (own.turn, indented(&own.content));
        lang.pick(format!("ターン{turn}: {content}"), format!("Turn {turn}: {content}"))
    };
    let own = own.iter().map(turn).collect::<Vec<_>>().join("\n");
    match lang {
        Lang::Ja => {
            let own = if own.is_empty() { "（前回の発言はありません）" } else { &own };
            format!(
                "## あなたの人格\n{persona}\n\n## 前回のセッションでのあなたの発言\n{own}\n\n## ユーザーからのフィードバック\n{feedback}\n\n## 指示\n\
                上記のフィードバックと前回の自分の発言を踏まえて、次回の熟議に臨む方針を100-200文字で簡潔にまとめてください。\n\
                自分がどういう姿勢で議論に参加し、何を意識すべきかを明確にしてください。\n\
                方針のテキストのみを出力してください。"
            )
        }
        Lang::En => {
            let own = if own.is_empty() { "(no statements last time)" } else { &own };
            format!(
                "## Your persona\n{persona}\n\n## Your statements in the last session\n{own}\n\n## Feedback from the user\n{feedback}\n\n## Task\n\
                In the light of the feedback and of your own statements, sum up in 100-200 characters how you will go into the next deliberation.\n\
                Make clear with which attitude you take part and what you keep in mind.\n\
                Output nothing but the text of the strategy."
            )
        }
    }
}

/// P1 without a direction.
pub(crate) fn trial_rules(voice: &TrialVoice<'_>) -> String {
    let TrialVoice { lang, name, persona, strategy, knowledge } = voice;
    let (name, persona) = (one_line(name, 100), persona.pretty());
    let entry = |entry: &KnowledgeEntry| format!("- {}: {}", one_line(&entry.title, 30), indented(&entry.content));
    let known = knowledge.iter().map(entry).collect::<Vec<_>>().join("\n");
    let none = lang.pick("（特に知識はありません）", "(no particular knowledge)");
    let known = if known.is_empty() { none } else { &known };
    let plan = strategy.map(|strategy| {
        let heading = lang.pick("今回の熟議方針", "Strategy for this deliberation");
        format!("## {heading}\n{}\n\n", indented(strategy))
    });
    let plan = plan.unwrap_or_default();
    let keep = strategy.map_or("", |_| {
        lang.pick("\n5. 今回の熟議方針を意識して発言する", "\n5. Keep the strategy for this deliberation in mind")
    });
    match lang {
        Lang::Ja => format!(
            "あなたは「{name}」という名前の熟議エージェントです。\n\n## あなたの人格\n{persona}\n\n{plan}## あなたの知識\n{known}\n\n## 熟議のルール\n\
            1. 他者の意見を尊重し、建設的に議論する\n2. 自分の考えを明確に述べる\n3. 根拠を示す\n4. 150-300文字程度で簡潔に発言する{keep}"
        ),
        Lang::En => format!(
            "You are a deliberation agent named “{name}”.\n\n## Your persona\n{persona}\n\n{plan}## Your knowledge\n{known}\n\n## Rules of deliberation\n\
            1. Respect the opinions of others and argue constructively\n2. State your own view clearly\n3. Give grounds\n4. Speak concisely, in about 150-300 characters{keep}"
        ),
    }
}

/// What the speaker of a trial is asked.
pub(crate) fn trial_speech(lang: Lang, title: &str) -> String {
    let title = one_line(title, 200);
    match lang {
        Lang::Ja => format!(
            "## テーマ\n{title}\n\n## 指示\nこのテーマで次に熟議するときの、あなたの最初の発言の一文目だけを書いてください。文章のみを出力してください。"
        ),
        Lang::En => format!(
            "## Topic\n{title}\n\n## Task\nWrite only the first sentence of your first statement when this topic is deliberated next. Output nothing but the sentence."
        ),
    }
}

/// The first sentence of an answer, whatever the model thought aloud before it.
pub(crate) fn first_sentence(answer: &str) -> Option<String> {
    let said = answer.rsplit_once("</thinking>").map_or(answer, |(_, said)| said);
    let first = sentences(said).into_iter().next()?;
    Some(one_line(&first, 300)).filter(|sentence| !sentence.is_empty())
}
