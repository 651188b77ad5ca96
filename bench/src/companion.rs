//! What the companion adds to a turn where the model answers at once: on a large folder, and in a long session.
//!
//! The engine, the store (synced) and the workshop are the real ones. A turn is a question, a question that looks into a
//! file first, or an edit that is prepared, allowed by a rule, made and reviewed. Beside it, the same bytes are read and
//! written by plain system calls, so that the figures can be told from the disk's.

use std::path::Path;
use std::sync::Arc;
use std::time::{Duration, Instant};

use async_trait::async_trait;
use enza_companion::{Command, Companion, Memory, Open, Rule, Ruling, Settings, State, When};
use enza_kernel::application::{Application as _, Entry};
use enza_kernel::conversation::{Reply, Request, Role, Usage};
use enza_kernel::effect::Effect;
use enza_kernel::text::Lang;
use enza_kernel::time::{Actor, Now, Seq, Timestamp};
use enza_runtime::engine::{Engine, Setup};
use enza_runtime::host::ApplicationRegistry;
use enza_runtime::seams::model::{Deltas, Model, ModelFailure};
use enza_runtime::seams::store::{SessionId, SessionOpening};
use enza_storage::{Durability, Sqlite};
use enza_work::{Bounds, Job, Order, Proposal, Receipt};
use enza_workshop::Workshop;
use enza_workshop::run::Runner;
use serde_json::{Value, json};

use crate::measure::{percentile, resident, round};
use crate::workload::by_a_person;

/// Files in one folder of the repository.
const IN_A_FOLDER: usize = 100;
/// Turns that are averaged at either end of a long session.
const WINDOW: usize = 100;
/// How often each operation of the workshop is done.
const TIMES: usize = 30;

/// Everything, in one run.
pub async fn run(folder: &Path, files: usize, turns: usize) -> Vec<Value> {
    let project = folder.join("project");
    fill(&project, files);
    let engine = engine(folder);
    vec![
        overhead(&engine, &project, files).await,
        long(&engine, &project, turns).await,
        operations(folder, &project, files).await,
        prompts(),
    ]
}

/// A repository of so many small files.
fn fill(project: &Path, files: usize) {
    let _ = std::fs::remove_dir_all(project);
    std::fs::create_dir_all(project.join(".git")).expect("a folder");
    for number in 0..files {
        let path = project.join(name(number));
        std::fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        let lines: String = (0..40).map(|line| format!("value_{line} = {number}\n")).collect();
        std::fs::write(path, lines).expect("a file");
    }
}

fn name(number: usize) -> String {
    format!("part{}/module{number}.py", number / IN_A_FOLDER)
}

fn engine(folder: &Path) -> Engine {
    let database = folder.join("companion.db");
    for suffix in ["", "-wal", "-shm"] {
        let _ = std::fs::remove_file(format!("{}{suffix}", database.display()));
    }
    let store = Arc::new(Sqlite::open(&database, Durability::Full).expect("a file"));
    let registry = ApplicationRegistry::default().with(Companion::new());
    Engine::start(Setup::new(store, Arc::new(ScriptedModel), Arc::new(workshop(folder)), registry))
}

fn workshop(folder: &Path) -> Workshop {
    let runner = Runner::new(None, std::env::var_os("PATH").unwrap_or_default());
    Workshop::new(folder.join("contents"), runner, &[])
}

/// A model that answers at once, by the first word it was asked with.
struct ScriptedModel;

#[async_trait]
impl Model for ScriptedModel {
    fn name(&self, _request: &Request) -> String {
        "instant".to_owned()
    }

    async fn reply(&self, request: &Request, _deltas: &dyn Deltas) -> Result<Reply, ModelFailure> {
        let said = request.messages.iter().rfind(|one| one.role == Role::Person).map_or("", |one| &*one.text);
        let is_first = request.messages.last().is_some_and(|one| one.role == Role::Person);
        let mut words = said.split_whitespace();
        let (kind, path, number) = (words.next(), words.next().unwrap_or_default(), words.next().unwrap_or_default());
        let more = match (request.agent.as_str(), kind, is_first) {
            ("reviewer", _, _) => json!({
                "step": "REVIEW", "next_step": "done",
                "review": { "rating": "good", "problems": [], "proposals": [], "approval": "approved" },
            }),
            (_, Some("read"), true) => {
                json!({ "next_step": "continue", "actions": [{ "operation": "read", "path": path }] })
            }
            (_, Some("edit"), true) => json!({
                "next_step": "done", "new_task": true,
                "actions": [{ "operation": "write", "path": path, "content": format!("value = {number}\n") }],
            }),
            (_, _, _) => json!({ "next_step": "done", "reply": "It keeps the values of one part, a line for each." }),
        };
        let mut verdict = json!({
            "rationale": "asked", "goal_consistency": "yes", "constraint_check": "yes", "step": "PLANNING",
            "prompt_pattern": "base_main",
        });
        if let (Some(whole), Value::Object(more)) = (verdict.as_object_mut(), more) {
            whole.extend(more);
        }
        let usage = Usage { input: 100, output: 50, ..Usage::default() };
        Ok(Reply { text: verdict.to_string(), usage, ..Reply::default() })
    }
}

async fn open(engine: &Engine, session: &SessionId, project: &Path) {
    let allow = Rule { verdict: Ruling::Allow, operation: "change".to_owned(), pattern: String::new() };
    let open = Open {
        folder: project.canonicalize().expect("the folder").display().to_string(),
        language: Lang::En,
        settings: Settings { rules: vec![allow], ..Settings::default() },
        instructions: Vec::new(),
        map: String::new(),
        memory: Memory::default(),
        name: "bench".to_owned(),
        tools: Vec::new(),
        attended: true,
    };
    let command = json!(Command::Open(Box::new(open)));
    engine.open(session, SessionOpening::new("companion", "bench"), by_a_person(command)).await.expect("opened");
}

/// One turn, from a person's word to the next wait.
async fn turn(engine: &Engine, session: &SessionId, text: String) -> Duration {
    let began = Instant::now();
    let command = json!(Command::Say { text, when: When::Turn, files: Vec::new() });
    engine.submit(session, by_a_person(command)).await.expect("accepted");
    engine.wait_for_rest(session).await.expect("at rest");
    began.elapsed()
}

/// What a turn takes without a model, on a large folder.
async fn overhead(engine: &Engine, project: &Path, files: usize) -> Value {
    let mut figures = serde_json::Map::new();
    for kind in ["ask", "read", "edit"] {
        let session = SessionId::of(format!("overhead-{kind}"));
        open(engine, &session, project).await;
        let mut times = Vec::new();
        for number in 0..WINDOW {
            times.push(turn(engine, &session, format!("{kind} {} {number}", name(number * 7 % files))).await);
        }
        figures.insert(format!("{kind}_ms"), json!(percentile(&mut times, 0.5)));
        figures.insert(format!("{kind}_p99_ms"), json!(percentile(&mut times, 0.99)));
        if kind == "edit" {
            let text = std::fs::read_to_string(project.join(name(7 % files))).expect("the file");
            assert_eq!(text, "value = 1\n", "the turns really edit");
        }
    }
    json!({ "fw": "enza", "cmd": "companion_overhead", "files": files, "turns": WINDOW, "figures": figures })
}

/// One long session of the three kinds of turns, early and late.
async fn long(engine: &Engine, project: &Path, turns: usize) -> Value {
    let session = SessionId::of("long");
    open(engine, &session, project).await;
    let mut times = Vec::with_capacity(turns);
    let mut memory = [0, 0];
    for number in 0..turns {
        let kind = ["ask", "read", "edit"][number % 3];
        times.push(turn(engine, &session, format!("{kind} {} {number}", name(number % 50))).await);
        match number + 1 {
            10 => memory[0] = resident(),
            last if last == turns => memory[1] = resident(),
            _ => {}
        }
    }
    let window = WINDOW.min(turns / 2);
    let early = percentile(&mut times[9..9 + window].to_vec(), 0.5);
    let late = percentile(&mut times[turns - window..].to_vec(), 0.5);
    json!({
        "fw": "enza", "cmd": "companion_long", "turns": turns, "ms_per_turn_early": early, "ms_per_turn_late": late,
        "time_ratio": round(late / early), "mb_at_turn_10": round(memory[0] as f64 / 1e6),
        "mb_at_the_end": round(memory[1] as f64 / 1e6), "memory_ratio": round(memory[1] as f64 / memory[0].max(1) as f64),
    })
}

/// The workshop's own operations, and the same bytes by plain system calls.
async fn operations(folder: &Path, project: &Path, files: usize) -> Value {
    let workshop = workshop(folder);
    let root = project.canonicalize().expect("the folder").display().to_string();
    let order = |task: Job| Order { folder: root.clone(), task, bounds: Bounds::default(), granted: Vec::new() };
    let (mut search, mut by_hand, mut prepare, mut make, mut write) = (vec![], vec![], vec![], vec![], vec![]);
    for time in 0..TIMES {
        let path = name(time * 13 % files);
        let began = Instant::now();
        let pattern = format!("value_39 = {}", files - 1);
        let found = workshop
            .carry_out(order(Job::Search { pattern: pattern.clone(), regex: false, path: String::new() }))
            .await;
        search.push(began.elapsed());
        assert!(matches!(found, Receipt::Found(_)), "{found:?}");
        let began = Instant::now();
        let hits = (0..files).filter(|number| contains(&project.join(name(*number)), &pattern)).count();
        by_hand.push(began.elapsed());
        assert!(hits <= 1);
        let began = Instant::now();
        let proposals = vec![Proposal::Write { path: path.clone(), content: format!("made = {time}\n") }];
        let prepared = workshop.carry_out(order(Job::Prepare { proposals })).await;
        prepare.push(began.elapsed());
        let Receipt::Prepared(prepared) = prepared else { panic!("{prepared:?}") };
        let changes = prepared.into_iter().map(|one| one.change).collect();
        let began = Instant::now();
        let made = workshop.carry_out(order(Job::Make { changes })).await;
        make.push(began.elapsed());
        assert!(matches!(made, Receipt::Made(_)), "{made:?}");
        let began = Instant::now();
        write_synced(&project.join(&path), &format!("made = {time}!\n"));
        write.push(began.elapsed());
    }
    let [search, by_hand, prepare, make, write] =
        [&mut search, &mut by_hand, &mut prepare, &mut make, &mut write].map(|times| percentile(times, 0.5));
    json!({
        "fw": "enza", "cmd": "companion_workshop", "files": files, "search_ms": search, "search_by_hand_ms": by_hand,
        "search_ratio": round(search / by_hand), "prepare_ms": prepare, "make_ms": make, "synced_write_ms": write,
        "make_ratio": round(make / write),
    })
}

fn contains(path: &Path, pattern: &str) -> bool {
    std::fs::read_to_string(path).is_ok_and(|text| text.contains(pattern))
}

/// A file is written anew beside the old one, synced, and put in its place, with its folder.
fn write_synced(path: &Path, text: &str) {
    let beside = path.with_extension("new");
    let mut file = std::fs::File::create(&beside).expect("a file");
    std::io::Write::write_all(&mut file, text.as_bytes()).expect("written");
    file.sync_all().expect("synced");
    std::fs::rename(&beside, path).expect("renamed");
    std::fs::File::open(path.parent().expect("a folder")).expect("the folder").sync_all().expect("synced");
}

/// How long it takes to write a prompt, with everything in it.
fn prompts() -> Value {
    let app = Companion::new();
    let mut state = State::default();
    let open = Open {
        folder: "/work".to_owned(),
        language: Lang::Ja,
        settings: Settings::default(),
        instructions: Vec::new(),
        map: String::new(),
        memory: Memory { recent: vec!["前の会話の要約".repeat(14); 5], ..Memory::default() },
        name: "bench".to_owned(),
        tools: Vec::new(),
        attended: true,
    };
    let say = Command::Say { text: "src/a.py に関数を足して".to_owned(), when: When::Turn, files: Vec::new() };
    let mut head = Seq::START;
    for command in [Command::Open(Box::new(open)), say] {
        let now = Now { time: Timestamp(1_794_830_000_000), head, by: Actor::Person("bench".to_owned()) };
        for event in app.decide(&state, command, &now).expect("accepted") {
            head = head.next();
            Companion::evolve(&mut state, &Entry { seq: head, at: now.time, event });
        }
    }
    let ask = app.due(&state).into_iter().find_map(|effect| match effect {
        Effect::AskModel(ask) => Some(ask),
        Effect::RunTool(_) | Effect::RunErrand(_) | Effect::Wake(_) => None,
    });
    let ask = ask.expect("a call is due");
    let mut times = Vec::new();
    for _ in 0..1_000 {
        let began = Instant::now();
        std::hint::black_box(app.request(&state, &ask));
        times.push(began.elapsed());
    }
    json!({ "fw": "enza", "cmd": "companion_prompt", "prompt_ms": percentile(&mut times, 0.5) })
}
