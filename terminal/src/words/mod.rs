//! Everything that the terminal says to people of its own accord, by key, in both languages.
//!
//! The sentences are the files in `words/`; the modules here choose among them where there is something to choose. The
//! test below fails on a key that is missing or never used.

pub(crate) mod backup;
pub(crate) mod command_line;
pub(crate) mod doctor;
pub mod gate;
pub mod help;
pub mod model_trouble;
pub mod models;
pub(crate) mod serve;
pub mod sessions;
pub(crate) mod simulation;
pub(crate) mod store;
pub(crate) mod talk;
pub(crate) mod tour;
pub mod trouble;
pub(crate) mod usage_report;

use std::sync::LazyLock;

use enza_kernel::text::Lang;
use enza_kernel::words::{Catalogue, Sentences};

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    Catalogue::built_in(&[
        include_str!("../../words/backup.toml"),
        include_str!("../../words/command_line.toml"),
        include_str!("../../words/doctor.toml"),
        include_str!("../../words/gate.toml"),
        include_str!("../../words/help.toml"),
        include_str!("../../words/many.toml"),
        include_str!("../../words/model_trouble.toml"),
        include_str!("../../words/models.toml"),
        include_str!("../../words/serve.toml"),
        include_str!("../../words/sessions.toml"),
        include_str!("../../words/simulation.toml"),
        include_str!("../../words/store.toml"),
        include_str!("../../words/talk.toml"),
        include_str!("../../words/tour.toml"),
        include_str!("../../words/trouble.toml"),
        include_str!("../../words/usage_report.toml"),
    ])
});

/// The sentences in one language.
pub(crate) fn words(lang: Lang) -> Sentences {
    CATALOGUE.words(lang)
}

/// So many of a thing. Japanese has the number alone, since its sentences count by themselves.
fn many(lang: Lang, count: u64, thing: &str) -> String {
    let key = if count == 1 { format!("one.{thing}") } else { format!("many.{thing}") };
    words(lang).fill(&key, &[("count", &count)])
}

#[cfg(test)]
mod tests {
    use enza_kernel::testing::words::Checked;

    use super::*;

    #[test]
    fn every_sentence_is_there_and_every_sentence_is_shown() {
        Checked {
            own: &CATALOGUE,
            frame: None,
            home: env!("CARGO_MANIFEST_DIR"),
            shared: &[],
            plain: &[
                "address",
                "after",
                "application",
                "argument",
                "aside",
                "at",
                "backup.all_well_unlinked.said",
                "close",
                "code",
                "command_line.invalid_subcommand.word",
                "doctor.database.what",
                "doctor.database_not_yet.what",
                "events",
                "file",
                "found",
                "free",
                "from",
                "head",
                "input",
                "known",
                "last",
                "minutes",
                "model_trouble.why_pip_absent.tried",
                "name",
                "needed",
                "order",
                "part",
                "parts",
                "path",
                "seconds",
                "seeds",
                "session",
                "sessions",
                "size",
                "thread",
                "to",
                "usage",
                "version",
                "walls",
                "wanted",
                "who",
            ],
        }
        .check();
    }
}
