//! What sessions of a folder carry, in whatever order they are heard.

use std::path::Path;

use enza_companion::{Companion, Event, Open, Opened, Settings};
use enza_kernel::application::{Application as _, Entry, Stored};
use enza_kernel::text::Lang;
use enza_kernel::time::Timestamp;
use serde_json::json;

use super::*;

/// A session's log, and the state after it.
#[derive(Default)]
struct Log {
    events: Vec<Recorded>,
    state: State,
}

impl Log {
    fn opened(at: i64, memory: Memory) -> Self {
        let mut log = Self::default();
        let open = Open {
            folder: "/work".to_owned(),
            language: Lang::En,
            settings: Settings::default(),
            instructions: Vec::new(),
            map: String::new(),
            memory,
            name: "one".to_owned(),
            tools: Vec::new(),
            attended: true,
        };
        log.happened(at, Event::Opened(Box::new(Opened { owner: "local".to_owned(), on: "today".to_owned(), open })));
        log
    }

    fn happened(&mut self, at: i64, event: Event) {
        let told = json!(event);
        let (kind, body) = told.as_object().and_then(|told| told.iter().next()).expect("a variant with its content");
        let stored = Stored { kind: kind.clone(), version: Companion::EVENT_VERSION, body: body.to_string() };
        let (seq, at) = (Seq(self.events.len() as u64 + 1), Timestamp(at));
        Companion::evolve(&mut self.state, &Entry { seq, at, event });
        self.events.push(Recorded { seq, at, stored });
    }

    fn forbids(mut self, at: i64, text: &str) -> Self {
        let constraint = Constraint::meant(text).unwrap();
        self.happened(at, Event::Forbidden { constraint });
        self
    }

    fn lifts(mut self, at: i64, place: u32) -> Self {
        self.happened(at, Event::Lifted { place });
        self
    }
}

fn carry(kept: &Path, session: &str, log: &Log) {
    let session = SessionId::of(session);
    file::change(kept, "/work", |carried| {
        carried.hear(&session, &log.events);
        carried.remember(&session, &log.state);
        carried.session = Some(session.to_string());
    })
    .unwrap();
}

fn forbidden(kept: &Path) -> Vec<String> {
    read(kept, "/work").memory.constraints
}

#[test]
fn what_is_written_is_read_again_and_what_cannot_be_read_is_put_aside() {
    let kept = tempfile::tempdir().unwrap();
    let log = Log::opened(1, Memory::default()).forbids(2, "src/auth").forbids(3, "stay on Python 3.8");
    carry(kept.path(), "one", &log);
    let carried = read(kept.path(), "/work");
    assert_eq!((carried.session.as_deref(), carried.folder.as_str()), (Some("one"), "/work"));
    let next = Log::opened(4, carried.memory);
    assert_eq!(next.state.constraints, log.state.constraints, "word for word");
    assert_eq!(read(kept.path(), "/elsewhere"), FolderMemory::default());
    let path = file::at(kept.path(), "/work");
    std::fs::write(&path, "{").unwrap();
    assert_eq!(read(kept.path(), "/work"), FolderMemory::default());
    carry(kept.path(), "one", &log);
    assert!(path.with_extension("json.unreadable").exists());
    assert_eq!(forbidden(kept.path()), ["src/auth", "stay on Python 3.8"], "the log is heard from its beginning");
}

/// DUCK-61, G54: whoever carries last drops nothing of what the others said.
#[test]
fn what_another_session_forbade_stays_until_it_is_lifted() {
    let kept = tempfile::tempdir().unwrap();
    let old = Log::opened(1, Memory::default());
    carry(kept.path(), "old", &old);
    carry(kept.path(), "other", &Log::opened(2, Memory::default()).forbids(3, "src/auth"));
    let old = old.forbids(4, "docs");
    carry(kept.path(), "old", &old);
    assert_eq!(forbidden(kept.path()), ["src/auth", "docs"]);
    let next = Log::opened(5, read(kept.path(), "/work").memory).lifts(6, 0);
    carry(kept.path(), "next", &next);
    carry(kept.path(), "old", &old);
    assert_eq!(forbidden(kept.path()), ["docs"], "an old session does not say again what was lifted since");
    carry(kept.path(), "old", &old.forbids(7, "src/auth"));
    assert_eq!(forbidden(kept.path()), ["docs", "src/auth"], "unless it does");
}

#[test]
fn what_is_remembered_is_added_up_and_nothing_counts_twice() {
    let kept = tempfile::tempdir().unwrap();
    let remembers = |log: &mut Log, files: u64, line: &str| {
        log.state.memory.total_files += files;
        log.state.memory.learned_patterns.push(line.to_owned());
    };
    let (mut one, mut other) = (Log::opened(1, Memory::default()), Log::opened(1, Memory::default()));
    carry(kept.path(), "one", &one);
    carry(kept.path(), "other", &other);
    remembers(&mut one, 2, "tests are in tests/");
    remembers(&mut other, 3, "tabs, not spaces");
    for _ in 0..2 {
        carry(kept.path(), "one", &one);
        carry(kept.path(), "other", &other);
    }
    let memory = read(kept.path(), "/work").memory;
    assert_eq!((memory.total_files, memory.learned_patterns.len()), (5, 2), "{memory:?}");
}

/// Two processes at once, here as two threads: the lock is one of the system's.
#[test]
fn many_at_once_lose_nothing() {
    let kept = tempfile::tempdir().unwrap();
    std::thread::scope(|scope| {
        for place in 0..8 {
            let kept = kept.path();
            scope.spawn(move || {
                let log = Log::opened(1, Memory::default()).forbids(2, &format!("part{place}"));
                carry(kept, &format!("session{place}"), &log);
            });
        }
    });
    let mut all = forbidden(kept.path());
    all.sort();
    assert_eq!(all, (0..8).map(|place| format!("part{place}")).collect::<Vec<_>>());
}

/// The work of another session is not over because this one has none.
#[test]
fn unfinished_work_stays_until_the_session_that_has_it_is_done() {
    let left = Unfinished {
        goal: "greet the moon".to_owned(),
        why_now: String::new(),
        plan_brief: Vec::new(),
        open_questions: Vec::new(),
        constraints: Vec::new(),
        decision_log: Vec::new(),
    };
    let carried = |by: &str| FolderMemory {
        memory: Memory { unfinished: Some(left.clone()), ..Memory::default() },
        unfinished_in: Some(by.to_owned()),
        ..FolderMemory::default()
    };
    let remembered = |by: &str, state: &State| {
        let mut carried = carried(by);
        carried.remember(&SessionId::of("one"), state);
        carried.memory.unfinished
    };
    assert_eq!(remembered("other", &State::default()), Some(left.clone()));
    assert_eq!(remembered("one", &State::default()), None);
    let memory = Memory { unfinished: Some(left.clone()), ..Memory::default() };
    assert_eq!(remembered("other", &State { memory, ..State::default() }), None, "it was taken up, and given up");
}
