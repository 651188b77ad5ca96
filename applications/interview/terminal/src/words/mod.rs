//! Everything that these orders say to people, one file for each subject, Japanese and English side by side.

pub mod forms;
pub mod interview;
pub mod question;
pub mod rehearse;
pub mod tour;
pub mod trouble;

use std::sync::LazyLock;

use enza_kernel::text::Lang;
use enza_kernel::words::{Catalogue, Sentences};

/// The sentences of the files in `words/`.
pub static CATALOGUE: LazyLock<Catalogue> = LazyLock::new(|| {
    Catalogue::built_in(&[
        include_str!("../../words/forms.toml"),
        include_str!("../../words/help.toml"),
        include_str!("../../words/interview.toml"),
        include_str!("../../words/question.toml"),
        include_str!("../../words/rehearse.toml"),
        include_str!("../../words/trouble.toml"),
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
            shared: &["help"],
            plain: &["command", "field", "wrong"],
        }
        .check();
    }
}
