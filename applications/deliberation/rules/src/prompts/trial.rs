//! The prompts with which a feedback is tried out before it is given: the strategy it would lead to, and the first sentence
//! with that strategy and without it.
//!
//! The strategy and the system prompt are asked for as in a debate (`strategy`, `statement`), so that what is tried is what
//! would come; only the one sentence is asked for here.

use enza_deliberation_cast::sentences;
use enza_kernel::limits::one_line;
use enza_kernel::text::Lang;

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
