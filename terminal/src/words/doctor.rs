//! What the doctor says.

use std::path::Path;
use std::time::Duration;

use enza_kernel::text::Lang;
use enza_storage::{Checkup, Durability};

use super::many;
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
            Self::Folder => lang.pick("データフォルダー", "data folder"),
            Self::Room => lang.pick("空き容量", "free space"),
            Self::Database => lang.pick("データベース", "database"),
            Self::Schema => lang.pick("スキーマ", "schema"),
            Self::Integrity => lang.pick("健全性", "integrity"),
            Self::Durability => lang.pick("保存の確実さ", "durability"),
            Self::Probe => lang.pick("書き込み", "write probe"),
            Self::Sessions => lang.pick("セッション", "sessions"),
            Self::Log => lang.pick("書き込みログ", "write-ahead log"),
            Self::Deep => lang.pick("全体の確認", "everything"),
            Self::Model => lang.pick("モデル", "model"),
            Self::Commands => lang.pick("コマンドの隔離", "commands"),
            Self::Language => lang.pick("言語", "language"),
            Self::Terminal => lang.pick("端末", "terminal"),
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
    lang.pick(
        format!("Landlock {abi} で次から隔離します: {}", walls.join("、")),
        format!("kept by Landlock {abi} from {}", walls.join(", ")),
    )
}

/// Commands are not confined from these, since the kernel is too old or refuses it.
pub fn not_confined(lang: Lang, walls: &[&str]) -> String {
    lang.pick(
        format!("カーネルが古いか許していないため、次からは隔離できません: {}", walls.join("、")),
        format!("not from {}: the kernel is too old for it or refuses it", walls.join(", ")),
    )
}

/// The folder is there and can be written.
pub fn folder_well(lang: Lang, path: &Path) -> String {
    let path = path.display();
    lang.pick(format!("{path} (書き込めます)"), format!("{path}, writable"))
}

/// The folder is not there, but can be made.
pub fn folder_not_yet(lang: Lang, path: &Path) -> String {
    let path = path.display();
    lang.pick(format!("{path} (まだありません。最初に使うときに作ります)"), format!("{path}, made at first use"))
}

/// The system does not say.
pub fn room_unknown(lang: Lang) -> &'static str {
    lang.pick("調べられませんでした", "the system does not say")
}

/// What to do about a full disk.
pub fn make_room(lang: Lang) -> &'static str {
    lang.pick(
        "不要なファイルを消すか、--data で空きのある場所を選んでください。",
        "Remove what is not needed, or choose another disk with --data.",
    )
}

/// The database is there.
pub fn database(lang: Lang, checkup: &Checkup) -> String {
    let Checkup { what, sessions, events, bytes: size, .. } = checkup;
    let size = bytes(*size);
    lang.pick(
        format!("{what} (セッション {sessions}、イベント {events}、{size})"),
        format!("{what}: {}, {}, {size}", many(*sessions, "session"), many(*events, "event")),
    )
}

/// There is none yet.
pub fn database_not_yet(lang: Lang, what: &str) -> String {
    lang.pick(format!("{what} (まだありません。最初に使うときに作ります)"), format!("{what}, made at first use"))
}

/// Which schema.
pub fn schema(lang: Lang, version: i64, known: i64) -> String {
    if version == known {
        lang.pick(format!("版 {version}"), format!("version {version}"))
    } else {
        lang.pick(
            format!("版 {version} (次に開くときに {known} にします)"),
            format!("version {version}, brought to {known} when it is next opened"),
        )
    }
}

/// Nothing wrong.
pub fn sound(lang: Lang) -> &'static str {
    lang.pick("異常なし", "sound")
}

/// There is no such check.
pub fn not_checked(lang: Lang) -> &'static str {
    lang.pick("サーバーが管理しています", "left to the server")
}

/// What an acknowledgement means.
pub fn durability(lang: Lang, durability: Durability) -> &'static str {
    match durability {
        Durability::Full => lang.pick("full (電源断でも失われません)", "full: survives a power cut"),
        Durability::Normal => lang.pick(
            "normal (プロセスの停止では失われません。電源断では最後の数件を失うことがあります)",
            "normal: survives a crash; a power cut may take the last events",
        ),
    }
}

/// A write went through.
pub fn probed(lang: Lang, took: Duration) -> String {
    let took = took.as_secs_f64() * 1_000.0;
    lang.pick(format!("{took:.1} ミリ秒"), format!("{took:.1} ms, opening included"))
}

/// What to do about damage.
pub fn restore_one(lang: Lang, wrong: u64) -> String {
    lang.pick(
        format!("全部で {wrong} 件です。データベースの写しを取ってから、バックアップから戻してください(enza restore FILE --replace)。"),
        format!("{wrong} in all. Copy the database away, then restore a backup: enza restore FILE --replace."),
    )
}

/// Which language, and why.
pub fn language(lang: Lang, from: &str) -> String {
    match (lang, from.is_empty()) {
        (Lang::Ja, true) => "日本語".to_owned(),
        (Lang::Ja, false) => format!("日本語 ({from})"),
        (Lang::En, true) => "English (no locale is set; --lang ja for Japanese)".to_owned(),
        (Lang::En, false) => format!("English ({from})"),
    }
}

/// The terminal.
pub fn terminal(lang: Lang, on_screen: bool, width: usize, colour: bool) -> String {
    if !on_screen {
        return lang.pick("端末ではありません(色を使わず、質問もしません)", "none: no colour, no questions").to_owned();
    }
    match colour {
        true => lang.pick(format!("{width}桁、色あり"), format!("{width} columns, colour")),
        false => lang.pick(format!("{width}桁、色なし"), format!("{width} columns, no colour")),
    }
}
