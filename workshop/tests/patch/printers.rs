//! Prints changes in the two forms that are only read elsewhere, so that properties can go there and back.
//!
//! Hunks are printed with their context and no numbers: what a careful model would write.

use enza_workshop::patch::{DiffLine, hunks};

/// SEARCH/REPLACE blocks, one for each hunk.
pub fn blocks(path: &str, before: &str, after: &str) -> String {
    let mut text = String::new();
    for hunk in hunks(before, after) {
        let (mut search, mut replace) = (String::new(), String::new());
        for line in &hunk.lines {
            match line {
                DiffLine::Keep(line) => {
                    search += &whole(line);
                    replace += &whole(line);
                }
                DiffLine::Drop(line) => search += &whole(line),
                DiffLine::Add(line) => replace += &whole(line),
            }
        }
        text += &format!("{path}\n<<<<<<< SEARCH\n{search}=======\n{replace}>>>>>>> REPLACE\n");
    }
    text
}

/// `*** Begin Patch`, with one chunk for each hunk.
pub fn envelope(path: &str, before: &str, after: &str) -> String {
    let mut text = format!("*** Begin Patch\n*** Update File: {path}\n");
    for hunk in hunks(before, after) {
        text += "@@\n";
        for line in &hunk.lines {
            text += &match line {
                DiffLine::Keep(line) => format!(" {}", whole(line)),
                DiffLine::Drop(line) => format!("-{}", whole(line)),
                DiffLine::Add(line) => format!("+{}", whole(line)),
            };
        }
    }
    text + "*** End Patch\n"
}

/// `*** Begin Patch` with a single chunk that is the whole of the file, so that there is nothing to search for.
pub fn whole_envelope(path: &str, before: &str, after: &str) -> String {
    let marked = |mark: char, text: &str| -> String {
        text.split_inclusive('\n').map(|line| format!("{mark}{}", whole(line))).collect()
    };
    let (old, new) = (marked('-', before), marked('+', after));
    format!("*** Begin Patch\n*** Update File: {path}\n@@\n{old}{new}*** End of File\n*** End Patch\n")
}

/// Neither form can say that a last line does not end.
fn whole(line: &str) -> String {
    if line.ends_with('\n') { line.to_owned() } else { format!("{line}\n") }
}
