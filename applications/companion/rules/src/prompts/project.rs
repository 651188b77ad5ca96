//! What others say in a prompt: the project to its helpers, servers about their tools, the names in the folder; and what the
//! person forbade.
//!
//! Other people's words stand in fences. They are made to fit before they are fenced: cut afterwards, a text would lose the
//! bar that says where it begins, and with it the line that says what it is.

use enza_kernel::conversation::{Cut, estimate_tokens};
use enza_kernel::prompt::fence;

use super::super::state::State;
use crate::words::words;

/// Room for the heading and the bars of fences, in tokens.
const AROUND: u64 = 80;

/// What the project tells its helpers, the nearest last: where there is too much of it, the farthest gives way first. It is the
/// person's own, and yet fenced: it says how to work and never what may be done.
pub(super) fn instructions(state: &State, most: u64) -> (String, Option<Cut>) {
    if state.instructions.is_empty() {
        return (String::new(), None);
    }
    let heading = words(state.lang()).say("project.instructions");
    let mut room = most.saturating_sub(AROUND);
    let mut parts: Vec<String> = Vec::new();
    let mut left_out = 0;
    for one in state.instructions.iter().rev() {
        let (text, cut) = beginning(&one.text, room.saturating_sub(AROUND / 4));
        left_out += cut;
        if !text.is_empty() {
            let fenced = fence(&one.path, &text);
            room = room.saturating_sub(estimate_tokens(&fenced));
            parts.push(fenced);
        }
    }
    parts.reverse();
    (format!("{heading}{}\n", parts.join("\n")), cut("instructions", left_out))
}

/// What is in the folder, so that paths need not be guessed.
pub(super) fn map(state: &State, most: u64) -> (String, Option<Cut>) {
    if state.map.is_empty() {
        return (String::new(), None);
    }
    let title = words(state.lang()).say("project.map");
    let (map, left_out) = beginning(&state.map, most.saturating_sub(AROUND));
    (format!("# {title}\n{}\n", fence("./", &map)), cut("map", left_out))
}

/// The tools of servers. Where there is no room to describe one, its name stays.
pub(super) fn tools(state: &State, most: u64) -> (String, Option<Cut>) {
    if state.tools.is_empty() {
        return (String::new(), None);
    }
    let heading = words(state.lang()).say("project.tools");
    let names: u64 = state.tools.iter().map(|tool| estimate_tokens(&tool.name) + 1).sum();
    let mut room = most.saturating_sub(AROUND * 2 + names);
    let mut left_out = 0;
    let mut line = |tool: &enza_work::Offered| {
        let about = format!(": {} {}", tool.about, tool.arguments);
        let tokens = estimate_tokens(&about);
        if tokens > room {
            left_out += tokens;
            return tool.name.clone();
        }
        room -= tokens;
        format!("{}{about}", tool.name)
    };
    let lines: Vec<String> = state.tools.iter().map(&mut line).collect();
    let (lines, gone) = beginning(&lines.join("\n"), most.saturating_sub(AROUND * 2));
    (format!("{heading}{}\n", fence("tools", &lines)), cut("tools", left_out + gone))
}

/// What the person forbade, in their words: in every call, whatever was compacted, and never left out.
pub(super) fn forbidden(state: &State) -> String {
    if state.constraints.is_empty() {
        return String::new();
    }
    let heading = words(state.lang()).say("project.forbidden");
    let lines: String = state.constraints.iter().map(|constraint| format!("- {}\n", constraint.text)).collect();
    format!("# {heading}\n{lines}")
}

/// The beginning of a text in at most so many tokens, whole lines of it, and how many tokens are left out.
fn beginning(text: &str, room: u64) -> (String, u64) {
    let whole = estimate_tokens(text);
    if whole <= room {
        return (text.to_owned(), 0);
    }
    let marker = format!("[… {whole} tokens left out]");
    let mut kept = String::new();
    for line in text.split_inclusive('\n') {
        if estimate_tokens(&kept) + estimate_tokens(line) + estimate_tokens(&marker) > room {
            break;
        }
        kept.push_str(line);
    }
    if kept.is_empty() {
        return (String::new(), whole);
    }
    let left_out = whole.saturating_sub(estimate_tokens(&kept));
    (format!("{kept}[… {left_out} tokens left out]"), left_out)
}

fn cut(section: &str, tokens: u64) -> Option<Cut> {
    (tokens > 0).then(|| Cut { section: section.to_owned(), tokens })
}
