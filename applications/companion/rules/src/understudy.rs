//! Stands in for a model, so that the companion can be tried where there is none (section 4, 15 of its requirements).
//!
//! It lists, reads and searches on request, and adds a line to a file: with a plan, through the gate, by the same rules as
//! any model. It understands a few turns of phrase in both languages and says of itself that it is an understudy; it never
//! pretends to have judged anything. Everything it knows is in the request.

use enza_kernel::conversation::{Message, Reply, Request, Role};
use enza_kernel::text::Lang;
use serde_json::{Value, json};

use super::task::Procedure;
use super::words;
use crate::words::words;

/// The longest piece of a result that it repeats, in characters.
const LONGEST: usize = 3_000;

/// What it understands.
#[derive(Debug, Clone, PartialEq, Eq)]
enum Intent {
    /// Name what is there.
    List,
    /// Read a file.
    Read(String),
    /// Find a text.
    Search(String),
    /// Add a line to a file.
    Add { line: String, path: String },
    /// Something else.
    Talk,
}

/// The reply.
pub fn understudy(request: &Request) -> Reply {
    let task = request.task.as_ref();
    let text = |name: &str| task.and_then(|task| task[name].as_str()).unwrap_or_default();
    let lang = if text("lang") == "ja" { Lang::Ja } else { Lang::En };
    let wish = intent_of(text("said"));
    let told = told(&request.messages);
    let agent = request.agent.as_str();
    let verdict = if agent == Procedure::Planning.role() {
        plan(lang, &wish)
    } else if agent == Procedure::Execution.role() {
        carry_out(lang, &wish, &request.messages)
    } else if agent == Procedure::Review.role() {
        review(lang)
    } else {
        match told {
            Some(told) => said(&words(lang).fill("understudy.result", &[("told", &shortened(told))])),
            None => begin(lang, &wish),
        }
    };
    Reply { text: verdict.to_string(), ..Reply::default() }
}

/// The first reply to what a person said.
fn begin(lang: Lang, wish: &Intent) -> Value {
    let look = |action: Value| verdict(json!({ "next_step": "continue", "actions": [action] }));
    match wish {
        Intent::List => look(json!({ "operation": "list" })),
        Intent::Read(path) => look(json!({ "operation": "read", "path": path })),
        Intent::Search(pattern) => look(json!({ "operation": "search", "pattern": pattern })),
        Intent::Add { path, .. } => verdict(json!({
            "next_step": "continue", "prompt_pattern": "base_main_specialized", "new_task": true,
            "reply": words(lang).fill("understudy.add", &[("file", &path)]),
            "state_delta": { "goal": words(lang).fill("understudy.add_move", &[("path", &path)]) },
        })),
        Intent::Talk => said(words(lang).say("understudy.talk")),
    }
}

fn plan(lang: Lang, wish: &Intent) -> Value {
    let Intent::Add { line, path } = wish else { return not_understood(lang) };
    verdict(json!({
        "next_step": "continue",
        "plan": {
            "name": words(lang).say("understudy.plan_name"),
            "purpose": words(lang).fill("understudy.plan_purpose", &[("path", &path)]),
            "steps": [words(lang).fill("understudy.plan_step", &[("path", &path), ("line", &line)])],
            "risk": words(lang).say("understudy.plan_risk"),
            "success": words(lang).say("understudy.plan_success"),
        },
    }))
}

/// The line goes to the end of the file; where there is no such file, it is made. What else goes wrong is told.
fn carry_out(lang: Lang, wish: &Intent, messages: &[Message]) -> Value {
    let Intent::Add { line, path } = wish else { return not_understood(lang) };
    if told(messages).is_some_and(|told| told.starts_with(&words::refused(lang, None))) {
        return verdict(json!({
            "next_step": "pending_user",
            "reply": words(lang).say("understudy.carry_out"),
        }));
    }
    let tried: Vec<&str> = since_said(messages).filter(|one| one.role == Role::Agent).map(|one| &*one.text).collect();
    let has_tried = |operation: &str| tried.iter().any(|text| text.contains(&format!("\"operation\":\"{operation}\"")));
    let action = match (has_tried("patch"), has_tried("create")) {
        (false, _) => {
            let patch =
                format!("*** Begin Patch\n*** Update File: {path}\n@@\n+{line}\n*** End of File\n*** End Patch\n");
            json!({ "operation": "patch", "path": path, "patch": patch })
        }
        (true, false) => json!({ "operation": "create", "path": path, "content": format!("{line}\n") }),
        (true, true) => return not_understood(lang),
    };
    verdict(json!({ "next_step": "done", "step": "EXECUTION", "actions": [action] }))
}

fn review(lang: Lang) -> Value {
    verdict(json!({
        "next_step": "done", "step": "REVIEW",
        "reply": words(lang).say("understudy.review"),
        "review": { "rating": "fair", "problems": [], "proposals": [], "approval": "approved" },
    }))
}

fn not_understood(lang: Lang) -> Value {
    verdict(json!({
        "next_step": "pending_user",
        "reply": words(lang).say("understudy.not_understood"),
    }))
}

fn said(text: &str) -> Value {
    verdict(json!({ "next_step": "done", "reply": text }))
}

/// A whole verdict around what is particular to it.
fn verdict(more: Value) -> Value {
    let mut whole = json!({
        "rationale": "by rule: the understudy does what was named",
        "goal_consistency": "yes", "constraint_check": "yes", "step": "PLANNING", "prompt_pattern": "base_main",
    });
    if let (Some(whole), Value::Object(more)) = (whole.as_object_mut(), more) {
        whole.extend(more);
    }
    whole
}

/// The messages since a person last spoke.
fn since_said(messages: &[Message]) -> impl Iterator<Item = &Message> {
    let last = messages.iter().rposition(|one| one.role == Role::Person).map_or(0, |place| place + 1);
    messages[last..].iter()
}

/// What the session told last, if it did after the person spoke.
fn told(messages: &[Message]) -> Option<&str> {
    since_said(messages).filter(|one| one.role == Role::Session).last().map(|one| &*one.text)
}

fn shortened(text: &str) -> String {
    if text.chars().count() <= LONGEST {
        return text.to_owned();
    }
    text.chars().take(LONGEST).chain(" …".chars()).collect()
}

/// What was asked for, in one of the phrases it knows.
fn intent_of(said: &str) -> Intent {
    let said = said.trim();
    let lower = said.to_lowercase();
    if let Some(wish) = adding(said, &lower) {
        return wish;
    }
    for word in ["search for ", "search ", "find ", "grep "] {
        if let Some(rest) = lower.strip_prefix(word) {
            return Intent::Search(bare(&said[said.len() - rest.len()..]));
        }
    }
    for way in ["を検索", "を探し", "をさがし"] {
        if let Some((what, _)) = said.split_once(way) {
            return Intent::Search(bare(what));
        }
    }
    let path = said.split(|letter: char| letter.is_whitespace() || "「」『』、。".contains(letter)).find_map(as_path);
    let reads = ["read ", "show ", "open ", "explain "].iter().any(|word| lower.starts_with(word))
        || ["読んで", "見せて", "開いて", "説明して"].iter().any(|word| said.contains(word));
    match path {
        Some(path) if reads => Intent::Read(path),
        _ if ["list", "ls"].iter().any(|word| lower.split_whitespace().next() == Some(*word)) => Intent::List,
        _ if said.contains("一覧") || lower.contains("what files") => Intent::List,
        _ => Intent::Talk,
    }
}

/// `add the line "x" to FILE`, `FILE に「x」を追加`.
fn adding(said: &str, lower: &str) -> Option<Intent> {
    if let Some(rest) = lower.strip_prefix("add ") {
        let rest = &said[said.len() - rest.len()..];
        let (line, path) = rest.rsplit_once(" to ")?;
        let is_quoted = line.starts_with(['"', '\'', '`', '“']);
        let named = ["the line ", "a line "].iter().find_map(|word| line.strip_prefix(word));
        let line = named.or(is_quoted.then_some(line))?;
        return Some(Intent::Add { line: bare(line), path: as_path(path)? });
    }
    let is_order = ["追加", "足して", "加えて"].iter().any(|word| said.contains(word));
    let (path, rest) = said.split_once('に').filter(|_| is_order)?;
    let (_, line) = rest.split_once(['「', '『'])?;
    let (line, _) = line.split_once(['」', '』'])?;
    Some(Intent::Add { line: bare(line), path: as_path(path.trim())? })
}

/// A word that looks like a path, without what stands around it.
fn as_path(word: &str) -> Option<String> {
    let end = word.find(|letter: char| !letter.is_ascii_graphic()).unwrap_or(word.len());
    let word =
        word[..end].trim_matches(['"', '\'', '`', ',', '?', '!', ':']).trim_end_matches('.').trim_start_matches('@');
    let is_path = !word.is_empty() && (word.contains('/') || word.contains('.'));
    is_path.then(|| word.to_owned())
}

/// A text without its quotation marks, in one line.
fn bare(text: &str) -> String {
    let text = text.trim().trim_matches(['"', '\'', '`', '「', '」', '『', '』', '“', '”']);
    text.lines().next().unwrap_or_default().to_owned()
}

#[cfg(test)]
mod tests {
    use enza_kernel::conversation::{Message, Request, Role};
    use enza_kernel::text::Lang;
    use serde_json::json;

    use super::{Intent, intent_of, understudy};

    /// Refused with a reason, it tried the same in another way.
    #[test]
    fn a_no_is_taken_for_a_no() {
        let said = "add the line 'hello' to README.md";
        let refused = super::words::refused(Lang::En, Some("not now"));
        let messages = vec![Message::new(Role::Person, said), Message::new(Role::Session, refused)];
        let task = Some(json!({ "said": said, "lang": "en" }));
        let reply = understudy(&Request { agent: "executor".to_owned(), messages, task, ..Request::default() });
        assert!(reply.text.contains("Nothing was changed") && !reply.text.contains("actions"), "{}", reply.text);
    }

    #[test]
    fn a_few_phrases_are_understood_in_both_languages() {
        let add = |line: &str, path: &str| Intent::Add { line: line.to_owned(), path: path.to_owned() };
        for (said, expected) in [
            ("list files", Intent::List),
            ("ファイルの一覧を見せて", Intent::List),
            ("read src/main.rs", Intent::Read("src/main.rs".to_owned())),
            ("README.md を読んで", Intent::Read("README.md".to_owned())),
            ("search for \"Two words\"", Intent::Search("Two words".to_owned())),
            ("「設定」を検索して", Intent::Search("設定".to_owned())),
            ("add the line \"hello to you\" to README.md", add("hello to you", "README.md")),
            ("README.md に「こんにちは」を追加して", add("こんにちは", "README.md")),
            ("add a test", Intent::Talk),
            ("add a function f() to src/main.rs", Intent::Talk),
            ("good morning", Intent::Talk),
        ] {
            assert_eq!(intent_of(said), expected, "{said}");
        }
    }
}
