//! What is said to a person at the companion's keyboard.

use std::path::Path;

use enza_companion::State;
use enza_kernel::text::Lang;
use enza_models::choice::{Chosen, ModelRef};
use enza_terminal::screen::figures::{count, decimals, dollars};
use enza_terminal::screen::{Columns, Screen, width};
use enza_terminal::words::models;

use super::words;
use crate::mentions::{MissingMention, MissingReason};

/// Where one types.
pub const PROMPT: &str = "> ";

/// The first lines.
pub fn head(screen: &Screen, folder: &Path, session: &str, chosen: &Chosen, turns: u32) -> String {
    let lang = screen.lang;
    let mut columns = Columns::bare();
    let mut line = |key: &str, text: String| columns.row([words(lang).say(key).to_owned(), text]);
    line("talk.head_folder", folder.display().to_string());
    line("talk.head_model", models::name(lang, &chosen.pick));
    let session = match turns {
        0 => session.to_owned(),
        _ => words(lang).fill("talk.head_resumed", &[("session", &session), ("turns", &turns)]),
    };
    line("talk.head_session", session);
    let hint = words(lang).say("talk.head");
    format!("{}\n{}", columns.lines(screen.width()).join("\n"), screen.faintly(hint))
}

/// Where it stands, in one line.
pub fn status(lang: Lang, state: &State, commander: &ModelRef) -> String {
    let (step, status) = state.position();
    let mut parts =
        vec![step.say(lang).to_owned(), status.say(lang).to_owned(), state.settings.mode.say(lang).to_owned()];
    let behind = state.desks.iter().filter(|desk| desk.id != state.focus && !desk.aside).count();
    if behind > 0 {
        parts.push(words(lang).fill("talk.status", &[("behind", &behind)]));
    }
    parts.extend(spent(lang, state));
    // Whoever commands answers most of what is said.
    parts.push(models::name(lang, commander));
    parts.join(" · ")
}

/// What was used: tokens, of how many, and what they cost.
pub fn spent(lang: Lang, state: &State) -> Vec<String> {
    let (usage, ledger) = (&state.cast.usage, &state.cast.ledger);
    let tokens = count(usage.input + usage.output);
    let mut parts = vec![match ledger.limit {
        Some(limit) => words(lang).fill("talk.spent", &[("tokens", &tokens), ("limit", &count(limit))]),
        None => words(lang).fill("talk.spent_none", &[("tokens", &tokens)]),
    }];
    if usage.cost > 0 {
        parts.push(dollars(usage.cost, decimals(usage.cost)));
    }
    parts
}

/// Where one answers a gate.
pub fn gate_prompt(lang: Lang, columns: usize) -> &'static str {
    /// What is typed behind it.
    const ROOM: usize = 3;
    let words = words(lang).say("talk.gate_prompt");
    if width(words) + ROOM > columns { "[y/n/s/p/ns/np/h/e/v] > " } else { words }
}

/// What can be answered at a gate.
pub fn gate_answers(lang: Lang) -> &'static str {
    words(lang).say("talk.gate_answers")
}

/// What an answer for longer would hold for, and whether it is asked about again all the same.
pub fn lasting(lang: Lang, rules: &[String], asks_again: bool) -> String {
    let rules = lang.list(rules);
    let again = words(lang).say("talk.lasting_again");
    let again = if asks_again { again } else { "" };
    words(lang).fill("talk.lasting", &[("rules", &rules), ("again", &again)])
}

/// Ctrl-C was pressed once.
pub fn once_more(lang: Lang) -> &'static str {
    words(lang).say("talk.once_more")
}

/// The person leaves.
pub fn left(screen: &Screen, session: &str) -> String {
    let text = words(screen.lang).fill("talk.left", &[("session", &session)]);
    screen.faintly(&text)
}

/// A file was named with `@`.
pub fn attached(lang: Lang, path: &str) -> String {
    words(lang).fill("talk.attached", &[("path", &path)])
}

/// Something that was forbidden is allowed again.
pub fn lifted(lang: Lang, text: &str) -> String {
    words(lang).fill("talk.lifted", &[("text", &text)])
}

/// A rule of the session is gone.
pub fn rule_forgotten(lang: Lang, rule: &str) -> String {
    words(lang).fill("talk.rule_forgotten", &[("rule", &rule)])
}

/// More tokens may be used.
pub fn budget_raised(lang: Lang, tokens: u64) -> String {
    words(lang).fill("talk.budget_raised", &[("tokens", &count(tokens))])
}

/// An item of what is held in mind is another now.
pub fn minded(lang: Lang, item: &str, text: &str) -> String {
    let item = words(lang).of("mind", item);
    match text.is_empty() {
        true => words(lang).fill("talk.mind_cleared", &[("item", &item)]),
        false => words(lang).fill("talk.minded", &[("item", &item), ("text", &text)]),
    }
}

/// A task goes on behind.
pub fn sent_back(lang: Lang, title: &str) -> String {
    words(lang).fill("talk.sent_back", &[("title", &title)])
}

/// A task is in front.
pub fn brought_forward(lang: Lang, title: &str) -> String {
    words(lang).fill("talk.brought_forward", &[("title", &title)])
}

/// Which model answers, and how to change it.
pub fn model(lang: Lang, chosen: &Chosen, given: &[(&'static str, ModelRef)]) -> String {
    let mut lines = vec![models::name(lang, &chosen.pick)];
    lines.extend(given.iter().map(|(role, pick)| format!("  {role}: {}", models::name(lang, pick))));
    lines.push(words(lang).say("talk.model").to_owned());
    lines.join("\n")
}

/// Another model answers from now on.
pub fn recast(lang: Lang, role: Option<&str>, pick: &ModelRef) -> String {
    let name = models::name(lang, pick);
    match role {
        Some(role) => words(lang).fill("talk.recast", &[("role", &role), ("name", &name)]),
        None => words(lang).fill("talk.recast_none", &[("name", &name)]),
    }
}

/// There is no such role.
pub fn no_such_role(lang: Lang, role: &str) -> String {
    words(lang).fill("talk.no_such_role", &[("role", &role)])
}

/// No turn changed anything.
pub fn nothing_to_undo(lang: Lang) -> &'static str {
    words(lang).say("talk.nothing_to_undo")
}

/// There is no such turn.
pub fn no_such_turn(lang: Lang) -> &'static str {
    words(lang).say("talk.no_such_turn")
}

/// What a fork is.
pub fn forked(lang: Lang) -> &'static str {
    words(lang).say("talk.forked")
}

/// What a rewind is.
pub fn rewound(lang: Lang) -> &'static str {
    words(lang).say("talk.rewound")
}

/// In which session it goes on.
pub fn turned_to(lang: Lang, told: &str, child: &str, parent: &str) -> String {
    words(lang).fill("talk.turned_to", &[("told", &told), ("child", &child), ("parent", &parent)])
}

/// The three ways back.
pub fn ways_back(lang: Lang) -> &'static str {
    words(lang).say("talk.ways_back")
}

/// There is no such task.
pub fn no_such_task(lang: Lang) -> &'static str {
    words(lang).say("talk.no_such_task")
}

/// Whose words are shown as they come.
pub fn watching(lang: Lang, task: Option<u32>) -> String {
    match task {
        Some(task) => words(lang).fill("talk.watching", &[("task", &task)]),
        None => words(lang).say("talk.watching_none").to_owned(),
    }
}

/// Something named with `@` that is not handed over.
pub fn not_attached(lang: Lang, missing: &MissingMention) -> String {
    let why = not_attached_because(lang, missing.why);
    words(lang).fill("talk.not_attached", &[("name", &missing.name), ("why", &why)])
}

/// Why something is not handed over.
pub fn not_attached_because(lang: Lang, why: MissingReason) -> &'static str {
    match why {
        MissingReason::NotThere => words(lang).say("talk.not_attached_because_not_there"),
        MissingReason::Outside => words(lang).say("talk.not_attached_because_outside"),
        MissingReason::Secret => words(lang).say("talk.not_attached_because_secret"),
        MissingReason::NoText => words(lang).say("talk.not_attached_because_no_text"),
        MissingReason::TooMany => words(lang).say("talk.not_attached_because_too_many"),
    }
}

/// The log was written.
pub fn exported(lang: Lang, path: &Path) -> String {
    words(lang).fill("talk.exported", &[("path", &path.display())])
}

/// Nothing could be written.
pub fn not_exported(lang: Lang, path: &Path, why: &std::io::Error) -> String {
    words(lang).fill("talk.not_exported", &[("path", &path.display()), ("why", &why)])
}

/// One hunk of a file.
pub fn hunk(lang: Lang, path: &str, number: usize, of: usize) -> String {
    words(lang).fill("talk.hunk", &[("path", &path), ("of", &of), ("number", &number)])
}

/// Whether a hunk is taken.
pub fn take_hunk(lang: Lang) -> &'static str {
    words(lang).say("talk.take_hunk")
}

/// Whether a command is run, or a tool used.
pub fn take_operation(lang: Lang) -> &'static str {
    words(lang).say("talk.take_operation")
}

/// A file that goes elsewhere.
pub fn moved_file(lang: Lang, path: &str, to: &str) -> String {
    words(lang).fill("talk.moved_file", &[("path", &path), ("to", &to)])
}

/// A file that goes.
pub fn deleted_file(lang: Lang, path: &str) -> String {
    words(lang).fill("talk.deleted_file", &[("path", &path)])
}

/// A file that is asked about whole.
pub fn whole_file(lang: Lang, path: &str, added: u32, removed: u32) -> String {
    words(lang).fill("talk.whole_file", &[("path", &path), ("added", &added), ("removed", &removed)])
}

/// Whether a file is taken.
pub fn take_file(lang: Lang) -> &'static str {
    words(lang).say("talk.take_file")
}

/// A change of which not everything can be shown.
pub fn not_whole(lang: Lang, path: &str) -> String {
    words(lang).fill("talk.not_whole", &[("path", &path)])
}

/// There is no file in the question.
pub fn nothing_to_pick(lang: Lang) -> &'static str {
    words(lang).say("talk.nothing_to_pick")
}

/// Several files are edited on the way through their hunks.
pub fn one_file_only(lang: Lang) -> &'static str {
    words(lang).say("talk.one_file_only")
}

/// The new content is no text, or is gone.
pub fn no_content(lang: Lang) -> &'static str {
    words(lang).say("talk.no_content")
}

/// Nothing was edited.
pub fn unedited(lang: Lang) -> &'static str {
    words(lang).say("talk.unedited")
}

/// The editor did not come off.
pub fn no_editor(lang: Lang, why: &str) -> String {
    words(lang).fill("talk.no_editor", &[("why", &why)])
}
