//! What the architect reads: its rules, the owner's sentence, and what is to be done now.
//!
//! The owner's words stand in a fence. The section `task` comes last; the understudy gets the same as data. Both
//! languages say the same, and the prompt is in the language of the form.

use enza_kernel::prompt::{Layout, Section, fence};
use enza_kernel::text::Lang;
use serde::{Deserialize, Serialize};

use super::state::State;
use crate::words::words;

/// The most tokens of a prompt without its thread: the layers below, and the tool.
pub(super) const CEILING: u64 = RULES + TASK + 900;
const RULES: u64 = 1_200;
const TASK: u64 = 200;
/// Room for the thread beside it; a thread is compacted long before.
const THREAD: u64 = 100_000;

/// What the understudy is told.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct ArchitectTask {
    pub sentence: String,
    pub language: Lang,
}

/// The architect's prompt.
pub(super) fn layout(state: &State) -> Layout {
    let lang = state.draft.language;
    let rules = lang.pick(include_str!("prompts/architect.ja.txt"), include_str!("prompts/architect.en.txt"));
    let now = words(lang).say("prompt.now");
    Layout::new(CEILING + THREAD).layer("rules", RULES, [Section::new("rules", rules)]).layer(
        "task",
        TASK,
        [Section::new("task", now).fresh()],
    )
}

/// What is to be done, as data.
pub(super) fn task(state: &State) -> Option<ArchitectTask> {
    Some(ArchitectTask { sentence: state.sentence.clone()?, language: state.draft.language })
}

/// The architect's first word, and what survives when the older half of its thread is dropped.
pub(super) fn opening(lang: Lang, sentence: &str) -> String {
    let ask = words(lang).say("prompt.opening");
    format!("{ask}\n{}", fence("words", sentence))
}
