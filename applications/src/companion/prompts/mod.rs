//! What the companion's model reads: base, main and specialized prompts, and what a project and a person said.
//!
//! The base is in every call (DUCK-12), the main prompt in the commander's, a procedure where the dispatch says so
//! (DUCK-99, DUCK-134). What seldom changes stands first, so that a provider's cache finds it. Everything is rebuilt from
//! state for each call (DUCK-25). The Japanese texts are the document's, word for word, with the lines that it forgot
//! (G2, G32); the English ones say the same.

mod fitting;

use std::fmt::Write as _;

use enza_kernel::conversation::Cut;
use enza_kernel::prompt::{Layout, Section, fence};
use enza_kernel::text::Lang;

use super::desk::{Call, Desk, Procedure};
use super::settings::Template;
use super::state::State;
use fitting::{Loose, Room, fill, fit};

/// The most characters of the base prompt (DUCK-18).
const BASE: usize = 1_000;
/// The most tokens of what a project tells its helpers, of the tools of servers and of what was forbidden.
const PROJECT: u64 = 6_000;
const TOOLS: u64 = 2_000;
const FORBIDDEN: u64 = 1_500;
const FORMAT: u64 = 1_200;
/// Room for what the settings give to base, main and specialized.
const LAYERS: u64 = 8_000;
/// The most tokens of a prompt without its thread.
pub(super) const CEILING: u64 = PROJECT + TOOLS + FORBIDDEN + FORMAT + LAYERS;
const THREAD: u64 = 400_000;

/// The prompt of a piece of work's next call, and what was left out of it.
pub(super) fn layout(state: &State, thread: &str) -> (Layout, Vec<Cut>) {
    let Some(desk) = state.desk_of(thread) else { return (Layout::new(CEILING), Vec::new()) };
    let lang = state.lang();
    let (base, memory, mut cuts) = base(state);
    let mut layout = Layout::new(CEILING + THREAD)
        .layer("base", LAYERS, [Section::new("base", base)])
        .layer("project", PROJECT, [Section::new("instructions", instructions(state)).trimmed(2)])
        .layer("format", FORMAT, [Section::new("format", format(lang))])
        .layer("tools", TOOLS, [Section::new("tools", tools(state)).trimmed(3)])
        .layer("memory", LAYERS, [Section::new("memory", memory).fresh()])
        .layer("forbidden", FORBIDDEN, [Section::new("forbidden", forbidden(state)).fresh().trimmed(1)]);
    if let Call::Main | Call::WithMain(_) = desk.call {
        let (main, main_cuts) = main(state, desk);
        layout = layout.layer("main", LAYERS, [Section::new("main", main).fresh()]);
        cuts.extend(main_cuts);
    }
    if let Some(procedure) = desk.call.procedure() {
        layout = layout.layer(
            "specialized",
            LAYERS,
            [Section::new("specialized", specialized(state, desk, procedure)).fresh()],
        );
    }
    (layout, cuts)
}

/// The base prompt in its two halves: who it is, which never changes, and what it remembers, which does.
fn base(state: &State) -> (String, String, Vec<Cut>) {
    let lang = state.lang();
    if state.settings.template == Template::Compact {
        let personality = lang.pick("安全第一、正確性重視、継続性を大切にする", "safety first, accuracy, continuity");
        let constraints = lang.pick(
            "作業フォルダの外には書かない。変更は承認を得てから。",
            "never write outside the work folder; change nothing without consent.",
        );
        let template = lang.pick(include_str!("compact_base.ja.txt"), include_str!("compact_base.en.txt"));
        return (
            fill(template, &[("personality", personality), ("constraints", constraints)]),
            String::new(),
            Vec::new(),
        );
    }
    let constitution = lang.pick(include_str!("base.ja.txt"), include_str!("base.en.txt"));
    let memory = &state.memory;
    let none = lang.pick("なし", "none");
    let or_none =
        |items: &[String]| if items.is_empty() { none.to_owned() } else { items.join(lang.pick("、", "; ")) };
    let learned: Vec<String> =
        memory.learned_patterns.iter().chain(&memory.experiences).chain(&memory.user_settings).cloned().collect();
    let lists = vec![
        Loose { name: "conversation_summaries", items: memory.recent.clone(), oldest_first: true },
        Loose { name: "learned_patterns", items: learned, oldest_first: true },
    ];
    let template = lang.pick(include_str!("memory.ja.txt"), include_str!("memory.en.txt"));
    let taken = constitution.chars().count();
    let tokens =
        state.settings.tokens.base_max_tokens.saturating_sub(enza_kernel::conversation::estimate_tokens(constitution));
    let room = Room { tokens, characters: BASE.saturating_sub(taken) };
    let write = |lists: &[Loose]| {
        let summaries = lists[0].items.iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n");
        fill(
            template,
            &[
                ("total_files", &memory.total_files.to_string()),
                ("successful_operations", &memory.successful_operations.to_string()),
                ("learned_patterns", &or_none(&lists[1].items)),
                ("session_id", &state.name),
                ("total_conversations", &memory.total_conversations.to_string()),
                ("last_updated", &state.on),
                ("recent_conversation_summary", if summaries.is_empty() { none } else { &summaries }),
            ],
        )
    };
    let (memory, cuts) = fit(lists, room, write);
    (constitution.to_owned(), memory, cuts)
}

/// The working memory of the dialogue.
fn main(state: &State, desk: &Desk) -> (String, Vec<Cut>) {
    let lang = state.lang();
    let mind = &desk.mind;
    let none = lang.pick("なし", "none");
    let list = |items: &[String]| if items.is_empty() { none.to_owned() } else { items.join(lang.pick("、", "; ")) };
    let line = |text: &str| if text.is_empty() { none.to_owned() } else { text.to_owned() };
    let said = |exchange: &super::state::Exchange| {
        lang.pick(
            format!("- 利用者: {}\n  返答: {}", exchange.said, exchange.replied),
            format!("- Person: {}\n  Reply: {}", exchange.said, exchange.replied),
        )
    };
    let lists = vec![
        Loose { name: "conversation_flow", items: state.recent.iter().map(said).collect(), oldest_first: true },
        Loose { name: "open_questions", items: mind.open_questions.clone(), oldest_first: true },
        Loose { name: "plan_brief", items: mind.plan_brief.clone(), oldest_first: false },
    ];
    let task = desk.task.as_ref().map_or(none.to_owned(), |work| work.title.clone());
    let room = Room { tokens: state.settings.tokens.main_max_tokens, characters: usize::MAX };
    let compact = state.settings.template == Template::Compact;
    let write = |lists: &[Loose]| {
        let flow = if lists[0].items.is_empty() { none.to_owned() } else { lists[0].items.join("\n") };
        if compact {
            let situation = format!("{} / {} / {task}", desk.step().word(), desk.status.word());
            let five = [
                line(&mind.goal),
                line(&mind.why_now),
                list(&mind.constraints),
                list(&lists[2].items),
                list(&lists[1].items),
            ]
            .join(" / ");
            let template = lang.pick(include_str!("compact_main.ja.txt"), include_str!("compact_main.en.txt"));
            return fill(template, &[("current_situation", &situation), ("fixed_five_items", &five)]);
        }
        fill(
            lang.pick(include_str!("main.ja.txt"), include_str!("main.en.txt")),
            &[
                ("current_step", desk.step().word()),
                ("current_status", desk.status.word()),
                ("ongoing_task", &task),
                ("goal", &line(&mind.goal)),
                ("why_now", &line(&mind.why_now)),
                ("constraints", &list(&mind.constraints)),
                ("plan_brief", &list(&lists[2].items)),
                ("open_questions", &list(&lists[1].items)),
                ("recent_conversation_flow", &flow),
            ],
        )
    };
    fit(lists, room, write)
}

/// A procedure, with what of the state it needs: the plan, the files, the constraints (DUCK-26).
fn specialized(state: &State, desk: &Desk, procedure: Procedure) -> String {
    let lang = state.lang();
    let text = match procedure {
        Procedure::Planning => lang.pick(include_str!("planning.ja.txt"), include_str!("planning.en.txt")),
        Procedure::Execution => lang.pick(include_str!("execution.ja.txt"), include_str!("execution.en.txt")),
        Procedure::Review => lang.pick(include_str!("review.ja.txt"), include_str!("review.en.txt")),
    };
    let mut out = text.to_owned();
    if let Some((id, plan)) = desk.task.as_ref().and_then(|work| work.plan.as_ref()) {
        let _ = write!(out, "\n## {} {id}\n{}\n", lang.pick("計画", "Plan"), plan.say(lang));
    }
    let refs: Vec<&str> = desk.mind.context_refs.iter().filter_map(|one| one.strip_prefix("file:")).collect();
    if !refs.is_empty() {
        let _ = writeln!(out, "\n{}: {}", lang.pick("見たファイル", "Files seen"), refs.join(", "));
    }
    if procedure == Procedure::Review {
        let changed: Vec<String> = state.changes_since(state.turn).into_iter().map(|change| change.path).collect();
        let _ = writeln!(out, "{}: {}", lang.pick("変更したファイル", "Files changed"), changed.join(", "));
    }
    out
}

fn format(lang: Lang) -> &'static str {
    lang.pick(include_str!("format.ja.txt"), include_str!("format.en.txt"))
}

/// What the project tells its helpers, the nearest last. It is the person's own, and yet fenced: it says how to work and
/// never what may be done.
fn instructions(state: &State) -> String {
    let mut out = String::new();
    if state.instructions.is_empty() {
        return out;
    }
    let _ = writeln!(out, "# {}", state.lang().pick("このプロジェクトの決まり", "How this project works"));
    for one in &state.instructions {
        let _ = writeln!(out, "{}", fence(&one.path, &one.text));
    }
    out
}

fn tools(state: &State) -> String {
    let mut out = String::new();
    if state.tools.is_empty() {
        return out;
    }
    let _ = writeln!(out, "# {}", state.lang().pick("使えるツール(operation: tool)", "Tools (operation: tool)"));
    for tool in &state.tools {
        let _ = writeln!(out, "- {}: {} {}", tool.name, tool.about, tool.arguments);
    }
    out
}

/// What the person forbade, in their words: in every call, whatever was compacted.
fn forbidden(state: &State) -> String {
    let mut out = String::new();
    if state.constraints.is_empty() {
        return out;
    }
    let _ = writeln!(
        out,
        "# {}",
        state.lang().pick("利用者が禁じたこと(必ず守る)", "Forbidden by the person (always keep to it)")
    );
    for constraint in &state.constraints {
        let _ = writeln!(out, "- {}", constraint.text);
    }
    out
}

/// What must survive when a conversation is shortened, and what a question beside the work starts from.
pub(super) fn summary(state: &State) -> String {
    let lang = state.lang();
    let mut out = format!("# {}\n", lang.pick("これまでのまとめ", "Summary so far"));
    if let Some(desk) = state.front() {
        let mind = &desk.mind;
        let _ = writeln!(out, "{}: {} / {}", lang.pick("状態", "State"), desk.step().word(), desk.status.word());
        for (label, text) in [
            (lang.pick("目標", "Goal"), mind.goal.clone()),
            (lang.pick("理由", "Why now"), mind.why_now.clone()),
            (lang.pick("制約", "Constraints"), mind.constraints.join("; ")),
            (lang.pick("計画", "Next moves"), mind.plan_brief.join("; ")),
            (lang.pick("未解決", "Open questions"), mind.open_questions.join("; ")),
            (lang.pick("決めたこと", "Decided"), mind.decision_log.join("; ")),
            (lang.pick("参照", "Referred to"), mind.context_refs.join("; ")),
            (lang.pick("最近の変化", "Latest change"), mind.last_delta.clone()),
        ] {
            if !text.is_empty() {
                let _ = writeln!(out, "{label}: {text}");
            }
        }
    }
    for exchange in &state.recent {
        let _ = writeln!(out, "- {} → {}", exchange.said, exchange.replied);
    }
    let changed: Vec<String> =
        state.turns.iter().flat_map(|turn| &turn.changes).map(|change| change.path.clone()).collect();
    if !changed.is_empty() {
        let mut changed = changed;
        changed.dedup();
        let _ = writeln!(out, "{}: {}", lang.pick("変更したファイル", "Files changed"), changed.join(", "));
    }
    out
}
