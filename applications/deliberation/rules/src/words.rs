//! What sessions of the deliberation say themselves, by key, in both languages. What debaters say is their own.

use std::sync::LazyLock;

use enza_kernel::text::Lang;
use enza_kernel::words::{Catalogue, Sentences};

static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    Catalogue::built_in(&[
        include_str!("../words/debate.toml"),
        include_str!("../words/debater.toml"),
        include_str!("../words/stable.toml"),
        include_str!("../words/topic.toml"),
    ])
});

/// The sentences in one language.
pub(crate) fn words(lang: Lang) -> Sentences {
    CATALOGUE.words(lang)
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
            plain: &["turn", "turns", "fewest", "mode"],
        }
        .check();
    }
}
