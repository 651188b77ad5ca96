//! What is carried from one session in a folder to the next, in a file beside the data: memory, what was forbidden, where
//! the work stood, and which session was the last.
//!
//! The file goes by a digest of the folder's path, so that nothing is ever written into the project. It is complete or
//! not there. One that cannot be read is put aside, and the next session begins without it.

use std::io::Write as _;
use std::path::{Path, PathBuf};

use enza_applications::companion::{Constraint, Memory, State, Unfinished};
use enza_kernel::conversation::Digest;
use serde::{Deserialize, Serialize};

/// What is kept about a folder.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[serde(default)]
pub struct Carried {
    /// The folder, for whoever looks at the file.
    pub folder: String,
    /// The last session.
    pub session: Option<String>,
    /// What is remembered.
    pub memory: Memory,
}

/// Where it is kept.
pub fn file(kept_in: &Path, folder: &str) -> PathBuf {
    kept_in.join(format!("{}.json", Digest::of(folder.as_bytes())))
}

/// What was carried over; nothing where there is nothing, or nothing that can be read.
pub fn read(kept_in: &Path, folder: &str) -> Carried {
    let path = file(kept_in, folder);
    let Ok(text) = std::fs::read_to_string(&path) else { return Carried::default() };
    serde_json::from_str(&text).unwrap_or_else(|_| {
        // Someone may want to mend it by hand.
        let _ = std::fs::rename(&path, path.with_extension("json.unreadable"));
        Carried::default()
    })
}

/// Writes it beside and puts that in its place.
pub fn write(kept_in: &Path, session: &str, state: &State) -> std::io::Result<()> {
    let carried = Carried { folder: state.folder.clone(), session: Some(session.to_owned()), memory: memory_of(state) };
    std::fs::create_dir_all(kept_in)?;
    let path = file(kept_in, &state.folder);
    let beside = path.with_extension(format!("json.{}", std::process::id()));
    let mut file = std::fs::File::create(&beside)?;
    file.write_all(&serde_json::to_vec_pretty(&carried)?)?;
    file.sync_all()?;
    std::fs::rename(beside, path)
}

/// The memory of a session, with what was forbidden and where its work stands.
fn memory_of(state: &State) -> Memory {
    let unfinished = state.front().filter(|desk| desk.task.is_some() && !desk.mind.goal.is_empty());
    let unfinished = unfinished.map(|desk| Unfinished {
        goal: desk.mind.goal.clone(),
        why_now: desk.mind.why_now.clone(),
        plan_brief: desk.mind.plan_brief.clone(),
        open_questions: desk.mind.open_questions.clone(),
        constraints: desk.mind.constraints.clone(),
        decision_log: desk.mind.decision_log.clone(),
    });
    Memory { constraints: state.constraints.iter().map(said).collect(), unfinished, ..state.memory.clone() }
}

/// In words from which it can be read again; a bare path is no sentence.
fn said(constraint: &Constraint) -> String {
    match Constraint::of(&constraint.text) {
        Some(_) => constraint.text.clone(),
        None => format!("do not touch {}", constraint.paths.join(" ")),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_is_read_again_and_what_cannot_be_read_is_put_aside() {
        let kept = tempfile::tempdir().unwrap();
        let constraint = Constraint { text: "src/auth".to_owned(), paths: vec!["src/auth".to_owned()] };
        let state = State { folder: "/work".to_owned(), constraints: vec![constraint], ..State::default() };
        write(kept.path(), "one", &state).unwrap();
        let carried = read(kept.path(), "/work");
        assert_eq!((carried.session.as_deref(), carried.folder.as_str()), (Some("one"), "/work"));
        let again = Constraint::of(&carried.memory.constraints[0]).unwrap();
        assert!(again.forbids("src/auth/token.rs") && !again.forbids("src/main.rs"), "{again:?}");
        assert_eq!(read(kept.path(), "/elsewhere"), Carried::default());
        std::fs::write(file(kept.path(), "/work"), "{").unwrap();
        assert_eq!(read(kept.path(), "/work"), Carried::default());
        assert!(file(kept.path(), "/work").with_extension("json.unreadable").exists());
    }
}
