//! The parts that sentences are put together from, so that none is ended twice and no name stands in it with its own mark.
//!
//! Labels, facts and reasons come from people and models, with or without a full stop. Whoever puts one into a sentence
//! takes it from here. `tests/behaviour/sentences.rs` plays every case with names that end in every mark.

use enza_kernel::text::Lang;
pub use enza_kernel::text::unpunctuated;

/// What ends a sentence.
const ENDS: [char; 8] = ['.', '。', '．', '｡', '!', '！', '?', '？'];
/// What may stand behind the end of a sentence and belongs to it.
const CLOSERS: [char; 8] = ['」', '』', '）', ')', '"', '”', '\'', '’'];

/// A name in quotes.
pub(super) fn quoted(lang: Lang, name: &str) -> String {
    let name = unpunctuated(name);
    lang.pick(format!("「{name}」"), format!("\"{name}\""))
}

/// Names one after the other.
pub(super) fn listed<'a>(lang: Lang, names: impl IntoIterator<Item = &'a str>) -> String {
    lang.list(names.into_iter().map(unpunctuated))
}

/// Whether a text says all of it: it needs no sentence around it.
pub(super) fn is_sentence(text: &str) -> bool {
    text.trim_end().trim_end_matches(CLOSERS).ends_with(ENDS)
}

/// Whether a text is a question by itself.
pub(super) fn is_question(text: &str) -> bool {
    text.trim_end().ends_with(['?', '？', 'か'])
}

/// A text that ends as a sentence does.
pub(super) fn ended(lang: Lang, text: &str) -> String {
    let text = text.trim_end();
    if is_sentence(text) { text.to_owned() } else { format!("{text}{}", lang.pick("。", ".")) }
}

/// Sentences one after the other.
pub(super) fn joined<'a>(lang: Lang, sentences: impl IntoIterator<Item = &'a str>) -> String {
    let sentences: Vec<String> = sentences.into_iter().map(|sentence| ended(lang, sentence)).collect();
    sentences.join(lang.pick("", " "))
}
