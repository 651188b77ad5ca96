//! Texts as lines that keep their endings.
//!
//! A line is everything up to and with its `\n`; the last one may lack it. Putting the lines together again gives the
//! text, byte for byte. A lone `\r` ends no line.

/// The lines of a text, each with its ending.
pub(super) fn split(text: &str) -> Vec<&str> {
    text.split_inclusive('\n').collect()
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
