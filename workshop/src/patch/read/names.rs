//! Names of files, as the three forms write them and as models dress them up.

use crate::patch::quote::unquoted;

/// One of the two names above a hunk.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum HeaderName {
    /// `/dev/null`: there is no file.
    Nothing,
    /// A file, perhaps still with its `a/` or `b/`.
    Named(String),
}

/// A name behind `---` or `+++`, without the date that may follow it.
pub(super) fn side(text: &str) -> HeaderName {
    match plain(text.split('\t').next().unwrap_or_default()).as_str() {
        "/dev/null" => HeaderName::Nothing,
        name => HeaderName::Named(name.to_owned()),
    }
}

/// A name without quotes, `./` and the space around it.
pub(super) fn plain(text: &str) -> String {
    let name = unquoted(text.trim()).map_or_else(|| text.trim().to_owned(), |(name, _)| name);
    let mut short = name.as_str();
    while let Some(rest) = short.strip_prefix("./") {
        short = rest;
    }
    short.to_owned()
}

/// The two names behind `diff --git`. Names with spaces are told apart by being the same but for `a/` and `b/`; where
/// even that fails, other headers have to name the file.
pub(super) fn git_names(text: &str) -> Option<(String, String)> {
    if let Some((old, rest)) = unquoted(text) {
        return Some((old, plain(rest)));
    }
    let text = text.trim();
    let splits = text.match_indices(' ').map(|(at, _)| (&text[..at], &text[at + 1..]));
    let is_same =
        |(old, new): &(&str, &str)| old.strip_prefix("a/").unwrap_or(old) == new.strip_prefix("b/").unwrap_or(new);
    let mut splits = splits.collect::<Vec<_>>().into_iter();
    let only = if splits.len() == 1 { splits.next() } else { splits.find(is_same) };
    only.map(|(old, new)| (plain(old), plain(new)))
}

/// The file that a line of prose or a fence names, if it names one: `src/a.rs`, `**src/a.rs**:`, `### File: src/a.rs`,
/// or one name in backticks among words.
pub(super) fn dressed(line: &str) -> Option<String> {
    let ticked: Vec<&str> = line.split('`').skip(1).step_by(2).filter(|inside| looks_like_path(inside)).collect();
    if let [only] = ticked.as_slice() {
        return Some(plain(only));
    }
    let line = line.trim().trim_start_matches(['#', '/', '*', '-', '>']).trim();
    let line = ["File:", "file:", "Filename:", "filename:", "Path:", "path:", "ファイル:", "ファイル："]
        .iter()
        .find_map(|label| line.strip_prefix(label))
        .unwrap_or(line);
    let name = line.trim().trim_matches(['*', '`', '"', '\'']);
    let closed = name.trim_end_matches([':', '：']).trim_end_matches(['*', '`']).trim();
    let is_word = closed == name && !name.is_empty() && name.is_ascii() && !name.ends_with(['.', '!', '?', ',']);
    let is_name = !closed.contains(char::is_whitespace) && (looks_like_path(closed) || is_word);
    is_name.then(|| plain(closed))
}

/// The file that the line of an opening fence names: the word in it that looks like a path.
pub(super) fn on_fence(line: &str) -> Option<String> {
    let words = line.trim_start_matches('`').split([' ', ':', '=', '"', '{', '}']);
    words.map(str::trim).find(|word| looks_like_path(word)).map(plain)
}

/// Whether this can only be meant as a path: something around a slash, or an ending behind a dot.
fn looks_like_path(text: &str) -> bool {
    let is_clean =
        !text.is_empty() && !text.contains(['<', '>', '|', '*', '。', '、', '\n', '(', ')']) && text.trim() == text;
    let has_ending = text.rsplit_once('.').is_some_and(|(_, ending)| {
        !ending.is_empty() && ending.chars().all(|letter| letter.is_alphanumeric() || letter == '_' || letter == '-')
    });
    is_clean && (has_ending || text.contains('/')) && !text.ends_with(['/', '.'])
}
