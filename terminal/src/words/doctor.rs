//! What the doctor says.

use std::path::Path;
use std::time::Duration;

use enza_kernel::text::Lang;
use enza_storage::{Checkup, Durability};

use super::{many, words};
use crate::commands::doctor::Health;
use crate::screen::bytes;

/// What is examined.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum What {
    /// The data folder.
    Folder,
    /// The room on its disk.
    Room,
    Database,
    Schema,
    /// Its own check of itself.
    Integrity,
    /// What an acknowledgement means.
    Durability,
    /// A write.
    Probe,
    /// What is remembered of its sessions.
    Sessions,
    /// Its write-ahead log.
    Log,
    /// Everything in it.
    Deep,
    /// The model that would answer.
    Model,
    /// How commands are confined.
    Commands,
    Language,
    Terminal,
}

impl What {
    /// Its word in `--json`.
    pub fn word(self) -> &'static str {
        match self {
            Self::Folder => "folder",
            Self::Room => "room",
            Self::Database => "database",
            Self::Schema => "schema",
            Self::Integrity => "integrity",
            Self::Durability => "durability",
            Self::Probe => "write_probe",
            Self::Sessions => "sessions",
            Self::Log => "log",
            Self::Deep => "deep",
            Self::Model => "model",
            Self::Commands => "commands",
            Self::Language => "language",
            Self::Terminal => "terminal",
        }
    }

    /// Its name for people.
    pub fn name(self, lang: Lang) -> &'static str {
        match self {
            Self::Folder => words(lang).say("doctor.name_folder"),
            Self::Room => words(lang).say("doctor.name_room"),
            Self::Database => words(lang).say("doctor.name_database"),
            Self::Schema => words(lang).say("doctor.name_schema"),
            Self::Integrity => words(lang).say("doctor.name_integrity"),
            Self::Durability => words(lang).say("doctor.name_durability"),
            Self::Probe => words(lang).say("doctor.name_probe"),
            Self::Sessions => words(lang).say("doctor.name_sessions"),
            Self::Log => words(lang).say("doctor.name_log"),
            Self::Deep => words(lang).say("doctor.name_deep"),
            Self::Model => words(lang).say("doctor.name_model"),
            Self::Commands => words(lang).say("doctor.name_commands"),
            Self::Language => words(lang).say("doctor.name_language"),
            Self::Terminal => words(lang).say("doctor.name_terminal"),
        }
    }
}

/// How something is, in a word.
pub fn health(health: Health) -> &'static str {
    match health {
        Health::Ok => "ok",
        Health::Warn => "warn",
        Health::Fail => "fail",
    }
}

/// Commands are confined from these.
pub fn confined(lang: Lang, abi: u32, walls: &[&str]) -> String {
    words(lang).fill("doctor.confined", &[("abi", &abi), ("walls", &lang.list(walls))])
}

/// Commands are not confined from these, since the kernel is too old or refuses it.
pub fn not_confined(lang: Lang, walls: &[&str]) -> String {
    words(lang).fill("doctor.not_confined", &[("walls", &lang.list(walls))])
}

/// The folder is there and can be written.
pub fn folder_well(lang: Lang, path: &Path) -> String {
    let path = path.display();
    words(lang).fill("doctor.folder_well", &[("path", &path)])
}

/// The folder is not there, but can be made.
pub fn folder_not_yet(lang: Lang, path: &Path) -> String {
    let path = path.display();
    words(lang).fill("doctor.folder_not_yet", &[("path", &path)])
}

/// The system does not say.
pub fn room_unknown(lang: Lang) -> &'static str {
    words(lang).say("doctor.room_unknown")
}

/// What to do about a full disk.
pub fn make_room(lang: Lang) -> &'static str {
    words(lang).say("doctor.make_room")
}

/// The database is there.
pub fn database(lang: Lang, checkup: &Checkup) -> String {
    let Checkup { what, sessions, events, bytes: size, .. } = checkup;
    let size = bytes(*size);
    words(lang).fill(
        "doctor.database",
        &[
            ("what", &what),
            ("sessions", &many(lang, *sessions, "session")),
            ("events", &many(lang, *events, "event")),
            ("size", &size),
        ],
    )
}

/// There is none yet.
pub fn database_not_yet(lang: Lang, what: &str) -> String {
    words(lang).fill("doctor.database_not_yet", &[("what", &what)])
}

/// Which schema.
pub fn schema(lang: Lang, version: i64, known: i64) -> String {
    if version == known {
        words(lang).fill("doctor.schema", &[("version", &version)])
    } else {
        words(lang).fill("doctor.schema_older", &[("version", &version), ("known", &known)])
    }
}

/// Nothing wrong.
pub fn sound(lang: Lang) -> &'static str {
    words(lang).say("doctor.sound")
}

/// There is no such check.
pub fn not_checked(lang: Lang) -> &'static str {
    words(lang).say("doctor.not_checked")
}

/// What an acknowledgement means.
pub fn durability(lang: Lang, durability: Durability) -> &'static str {
    match durability {
        Durability::Full => words(lang).say("doctor.durability_full"),
        Durability::Normal => words(lang).say("doctor.durability_normal"),
    }
}

/// A write went through.
pub fn probed(lang: Lang, took: Duration) -> String {
    let took = took.as_secs_f64() * 1_000.0;
    words(lang).fill("doctor.probed", &[("took", &format_args!("{took:.1}"))])
}

/// What to do about damage.
pub fn restore_one(lang: Lang, wrong: u64) -> String {
    words(lang).fill("doctor.restore_one", &[("wrong", &wrong)])
}

/// Which language, and why.
pub fn language(lang: Lang, from: &str) -> String {
    if from.is_empty() {
        return words(lang).say("doctor.language").to_owned();
    }
    words(lang).fill("doctor.language_from", &[("from", &from)])
}

/// The terminal.
pub fn terminal(lang: Lang, on_screen: bool, width: usize, colour: bool) -> String {
    if !on_screen {
        return words(lang).say("doctor.terminal").to_owned();
    }
    match colour {
        true => words(lang).fill("doctor.terminal_colour", &[("width", &width)]),
        false => words(lang).fill("doctor.terminal_plain", &[("width", &width)]),
    }
}
