//! Texts as lines that keep their endings.
//!
//! A line is everything up to and with its `\n`; the last one may lack it. Putting the lines together again gives the
//! text, byte for byte. A lone `\r` ends no line, except in a text that has no other endings, as they once were written.

/// The lines of a text, each with its ending.
pub(super) fn split(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
}

/// Whether the lines of a text end with a lone `\r`.
pub(super) fn end_with_returns(text: &str) -> bool {
    text.contains('\r') && !text.contains('\n')
}

/// Works on a text whose lines end with a lone `\r` as if they ended with `\n`.
pub(super) fn with_newlines<E>(text: &str, work: impl FnOnce(&str) -> Result<String, E>) -> Result<String, E> {
    work(&text.replace('\r', "\n")).map(|new| new.replace("\r\n", "\n").replace('\n', "\r"))
}

/// A line without its ending.
pub(super) fn bare(line: &str) -> &str {
    let line = line.strip_suffix('\n').unwrap_or(line);
    line.strip_suffix('\r').unwrap_or(line)
}

/// How a line ends; none for a last line without an ending.
pub(super) fn ending(line: &str) -> Option<&'static str> {
    match line {
        _ if line.ends_with("\r\n") => Some("\r\n"),
        _ if line.ends_with('\n') => Some("\n"),
        _ => None,
    }
}

/// How most lines end; none where no line ends.
pub(super) fn usual_ending<'a>(lines: impl IntoIterator<Item = &'a str>) -> Option<&'static str> {
    let (mut with_return, mut plain) = (0, 0);
    for line in lines {
        match ending(line) {
            Some("\r\n") => with_return += 1,
            Some(_) => plain += 1,
            None => {}
        }
    }
    match (with_return, plain) {
        (0, 0) => None,
        _ if with_return > plain => Some("\r\n"),
        _ => Some("\n"),
    }
}
