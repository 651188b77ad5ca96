//! What the companion's model reads: base, main and specialized prompts, and what a project and a person said.
//!
//! The base is in every call (DUCK-12), the main prompt in the commander's, a procedure where the dispatch says so
//! (DUCK-99, DUCK-134). What seldom changes stands first, so that a provider's cache finds it. Everything is rebuilt from
//! state for each call (DUCK-25). The Japanese texts are the document's, word for word, with the lines that it forgot
//! (G2, G32); the English ones say the same.

mod project;
mod shorten;
mod summary;

use std::fmt::Write as _;

use enza_kernel::agent::Agent;
use enza_kernel::conversation::{Cut, estimate_tokens};
use enza_kernel::prompt::{Layout, Section};
use enza_kernel::text::Lang;

use super::constraints;
use super::settings::Template;
use super::state::State;
use super::task::{ModelCall, Procedure, Task};
use crate::words::words;
use shorten::{FittedText, ShrinkableList, TextLimit, fill, fit};
pub(super) use summary::summary;

/// The most characters of the base prompt (DUCK-18).
const BASE: usize = 1_000;
/// The most tokens of what a project tells its helpers, of the names in it, of the tools of servers and of what was
/// forbidden.
const PROJECT: u64 = 6_000;
const MAP: u64 = 1_200;
const TOOLS: u64 = 2_000;
const FORBIDDEN: u64 = constraints::MOST_TOKENS + 40;
const BESIDE: u64 = 600;
const FORMAT: u64 = 1_200;
/// Room for what the settings give to base, main and specialized.
const LAYERS: u64 = 8_000;
/// The most tokens of a prompt without its thread.
pub(super) const CEILING: u64 = PROJECT + MAP + TOOLS + FORBIDDEN + BESIDE + FORMAT + LAYERS;
const THREAD: u64 = 400_000;
/// One token in so many is missed by an estimate: code and numbers take more than prose.
const MISSED: u64 = 8;
/// Tokens with which a provider sets a prompt in order.
const AROUND: u64 = 50;

/// The prompt of a piece of work's next call, and what was left out of it.
pub(super) fn layout(state: &State, thread: &str) -> (Layout, Vec<Cut>) {
    let Some(task) = state.task_of(thread) else { return (Layout::new(CEILING), Vec::new()) };
    let lang = state.lang();
    let (base, memory, mut cuts) = base(state);
    // What is other people's stands in fences, so it is made to fit before it is fenced and never cut afterwards.
    let told = [project::instructions(state, PROJECT), project::map(state, MAP), project::tools(state, TOOLS)];
    let [instructions, map, tools] = told.map(|(text, cut)| {
        cuts.extend(cut);
        text
    });
    let mut layout = Layout::new(CEILING + THREAD)
        .layer("base", LAYERS, [Section::new("base", base)])
        .layer("project", PROJECT, [Section::new("instructions", instructions)])
        .layer("map", MAP, [Section::new("map", map)])
        .layer("format", FORMAT, [Section::new("format", format(lang))])
        .layer("tools", TOOLS, [Section::new("tools", tools)])
        .layer("memory", LAYERS, [Section::new("memory", memory).fresh()])
        .layer("forbidden", FORBIDDEN, [Section::new("forbidden", project::forbidden(state)).fresh()])
        .layer("beside", BESIDE, [Section::new("beside", summary::beside(state, task)).fresh().trimmed(1)]);
    if let ModelCall::Main | ModelCall::WithMain(_) = task.call {
        let main = main(state, task);
        layout = layout.layer("main", LAYERS, [Section::new("main", main.text).fresh()]);
        cuts.extend(main.cuts);
    }
    if let Some(procedure) = task.call.procedure() {
        let specialized = specialized(state, task, procedure);
        layout = layout.layer("specialized", LAYERS, [Section::new("specialized", specialized.text).fresh()]);
        cuts.extend(specialized.cuts);
    }
    (layout, cuts)
}

/// What everything in the prompt of a thread's next call but its messages takes, with the form of the answer, which many
/// providers count, and with room for what an estimate misses and what stands around each message.
pub(super) fn tokens(state: &State, agent: &Agent, thread: &str) -> u64 {
    let (layout, _) = layout(state, thread);
    let form = agent.output.as_ref().map_or(0, |schema| estimate_tokens(&schema.to_string()));
    let messages = state.cast.threads.get(thread).map_or(0, |thread| thread.tokens);
    let written = layout.for_agent(agent.name).render(&[]).tokens + form;
    written + (written + messages) / MISSED + AROUND
}

/// By how many tokens a layer is too long although everything was left out of it that may be: which, and by how much (G36).
pub(super) fn too_long(state: &State, task: &Task) -> Option<(&'static str, u64)> {
    let procedure = task.call.procedure().map_or(0, |procedure| specialized(state, task, procedure).over);
    let layers = [("main", main(state, task).over), ("specialized", procedure)];
    layers.into_iter().find(|(_, over)| *over > 0)
}

/// The base prompt in its two halves: who it is, which never changes, and what it remembers, which does.
fn base(state: &State) -> (String, String, Vec<Cut>) {
    let lang = state.lang();
    let compact = || {
        let personality = words(lang).say("prompt.personality");
        let constraints = words(lang).say("prompt.base_constraints");
        let template = lang.pick(include_str!("compact_base.ja.txt"), include_str!("compact_base.en.txt"));
        (fill(template, &[("personality", personality), ("constraints", constraints)]), String::new(), Vec::new())
    };
    if state.settings.template == Template::Compact {
        return compact();
    }
    let constitution = lang.pick(include_str!("base.ja.txt"), include_str!("base.en.txt"));
    let memory = &state.memory;
    let none = words(lang).say("prompt.none");
    let or_none =
        |items: &[String]| if items.is_empty() { none.to_owned() } else { items.join(lang.pick("、", "; ")) };
    let loose = |name, items: &[String]| ShrinkableList { name, items: items.to_vec(), oldest_first: true };
    let lists = vec![
        loose("conversation_summaries", &memory.recent),
        loose("experiences", &memory.experiences),
        loose("learned_patterns", &memory.learned_patterns),
        loose("user_settings", &memory.user_settings),
    ];
    let template = lang.pick(include_str!("memory.ja.txt"), include_str!("memory.en.txt"));
    let taken = constitution.chars().count();
    let tokens = state.settings.tokens.base_max_tokens.saturating_sub(estimate_tokens(constitution));
    let room = TextLimit { tokens, characters: BASE.saturating_sub(taken) };
    let write = |lists: &[ShrinkableList]| {
        let summaries = lists[0].items.iter().map(|line| format!("- {line}")).collect::<Vec<_>>().join("\n");
        fill(
            template,
            &[
                ("total_files", &memory.total_files.to_string()),
                ("successful_operations", &memory.successful_operations.to_string()),
                ("experiences", &or_none(&lists[1].items)),
                ("learned_patterns", &or_none(&lists[2].items)),
                ("user_settings", &or_none(&lists[3].items)),
                ("session_id", &state.name),
                ("total_conversations", &memory.total_conversations.to_string()),
                ("last_updated", &super::day(state.changed)),
                ("recent_conversation_summary", if summaries.is_empty() { none } else { &summaries }),
            ],
        )
    };
    let memory = fit(lists, room, write);
    // Where not even that fits, the short wording is all there is room for (G33).
    if memory.over > 0 {
        let (base, none, _) = compact();
        let gone = Cut { section: "memory".to_owned(), tokens: estimate_tokens(&memory.text) };
        return (base, none, memory.cuts.into_iter().chain([gone]).collect());
    }
    (constitution.to_owned(), memory.text, memory.cuts)
}

/// The working memory of the dialogue; in the short wording where the full one does not fit (G33).
fn main(state: &State, task: &Task) -> FittedText {
    let full = main_in(state.settings.template, state, task);
    if full.over > 0 { main_in(Template::Compact, state, task) } else { full }
}

fn main_in(template: Template, state: &State, task: &Task) -> FittedText {
    let lang = state.lang();
    let mind = &task.mind;
    let none = words(lang).say("prompt.none");
    let list = |items: &[String]| if items.is_empty() { none.to_owned() } else { items.join(lang.pick("、", "; ")) };
    let line = |text: &str| if text.is_empty() { none.to_owned() } else { text.to_owned() };
    let said = |exchange: &super::state::Exchange| {
        words(lang).fill("prompt.exchange", &[("said", &exchange.said), ("replied", &exchange.replied)])
    };
    let lists = vec![
        ShrinkableList {
            name: "conversation_flow",
            items: state.recent.iter().map(said).collect(),
            oldest_first: true,
        },
        ShrinkableList { name: "open_questions", items: mind.open_questions.clone(), oldest_first: true },
        ShrinkableList { name: "plan_brief", items: mind.plan_brief.clone(), oldest_first: false },
    ];
    let ongoing = task.task.as_ref().map_or(none.to_owned(), |work| work.title.clone());
    let room = TextLimit { tokens: state.settings.tokens.main_max_tokens, characters: usize::MAX };
    let compact = template == Template::Compact;
    let whole = lang.pick(include_str!("main.ja.txt"), include_str!("main.en.txt"));
    let write = |lists: &[ShrinkableList]| {
        let flow = if lists[0].items.is_empty() { none.to_owned() } else { lists[0].items.join("\n") };
        if compact {
            let situation = format!("{} / {} / {ongoing}", task.step().word(), task.status.word());
            let five = [
                line(&mind.goal),
                line(&mind.why_now),
                list(&mind.constraints),
                list(&lists[2].items),
                list(&lists[1].items),
            ]
            .join(" / ");
            let short = lang.pick(include_str!("compact_main.ja.txt"), include_str!("compact_main.en.txt"));
            let short = fill(short, &[("current_situation", &situation), ("fixed_five_items", &five)]);
            return format!("{}\n{}", short.trim_end(), form(whole));
        }
        fill(
            whole,
            &[
                ("current_step", task.step().word()),
                ("current_status", task.status.word()),
                ("ongoing_task", &ongoing),
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

/// The form of the answer, which ends the main prompt and is never left out (G36).
fn form(main: &'static str) -> &'static str {
    main.rfind("\n# ").map_or(main, |start| &main[start..])
}

/// A procedure, with what of the state it needs: the goal, the constraints, the plan, the files (DUCK-26).
fn specialized(state: &State, task: &Task, procedure: Procedure) -> FittedText {
    let lang = state.lang();
    let text = match procedure {
        Procedure::Planning => lang.pick(include_str!("planning.ja.txt"), include_str!("planning.en.txt")),
        Procedure::Execution => lang.pick(include_str!("execution.ja.txt"), include_str!("execution.en.txt")),
        Procedure::Review => lang.pick(include_str!("review.ja.txt"), include_str!("review.en.txt")),
    };
    let work = task.task.as_ref();
    let seen = task.mind.context_refs.iter().filter_map(|one| one.strip_prefix("file:")).map(str::to_owned).collect();
    let changed = match (procedure, work) {
        (Procedure::Review, Some(work)) => {
            let mut paths: Vec<String> = state.changes_since(work.since).into_iter().map(|one| one.path).collect();
            paths.dedup();
            paths
        }
        (Procedure::Planning | Procedure::Execution | Procedure::Review, _) => Vec::new(),
    };
    let lists = vec![
        ShrinkableList { name: "files_seen", items: seen, oldest_first: true },
        ShrinkableList { name: "files_changed", items: changed, oldest_first: true },
    ];
    let room = TextLimit { tokens: state.settings.tokens.specialized_max_tokens, characters: usize::MAX };
    fit(lists, room, |lists| {
        let mut out = text.to_owned();
        // A call without the main prompt is asked about both, and has to know them.
        if let ModelCall::Alone(_) = task.call {
            for (label, value) in [
                (words(lang).say("prompt.goal"), task.mind.goal.clone()),
                (words(lang).say("prompt.constraints"), task.mind.constraints.join(lang.pick("、", "; "))),
            ] {
                let value = if value.is_empty() { words(lang).say("prompt.none").to_owned() } else { value };
                let _ = write!(out, "\n{label}: {value}");
            }
            out.push('\n');
        }
        let plans = work.iter().flat_map(|work| [("prompt.plan", &work.plan), ("prompt.plan_of_step", &work.part)]);
        for (key, plan) in plans {
            if let Some((id, plan)) = plan {
                let _ = write!(out, "\n## {} {id}\n{}\n", words(lang).say(key), plan.say(lang));
            }
        }
        let labels = [words(lang).say("prompt.files_seen"), words(lang).say("prompt.files_changed")];
        for (label, list) in labels.into_iter().zip(lists).filter(|(_, list)| !list.items.is_empty()) {
            let _ = writeln!(out, "\n{label}: {}", list.items.join(", "));
        }
        out
    })
}

fn format(lang: Lang) -> &'static str {
    lang.pick(include_str!("format.ja.txt"), include_str!("format.en.txt"))
}
