//! Files and folders that a person names with `@` in what they say: `fix @src/main.rs`, `what is in @src/`.
//!
//! Only what is inside the folder of work is handed over, of a folder the names in it. A name that leads out, to a secret
//! or to nothing is reported, where it looks like a path; a word like `@someone` stays a word. Secrets in texts are masked,
//! and a text that is too long ends with a mark.

use std::io::Read as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use enza_companion::Attached;
use enza_work::{Bounds, hazard};

use super::folder_preview;

/// The most of one file, in bytes.
pub const LONGEST: usize = 48 * 1024;
/// The most files at once.
pub const MOST: usize = 8;
/// The most names of a folder.
const MOST_NAMES: usize = 300;
/// What may stand behind a name in a sentence.
const BEHIND: [char; 12] = [',', '.', ';', ':', ')', '?', '!', '、', '。', '」', '）', '？'];

/// What a text names.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Mentions {
    /// Handed over.
    pub files: Vec<Attached>,
    /// Not handed over, though it looks like a path.
    pub missing: Vec<MissingMention>,
}

/// Something that was named and is not handed over.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MissingMention {
    pub name: String,
    pub why: MissingReason,
}

/// Why something is not handed over.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MissingReason {
    NotThere,
    /// It is outside the folder.
    Outside,
    /// Its name says that it holds secrets.
    Secret,
    NoText,
    /// There are too many already.
    TooMany,
}

/// Everything that goes along with what a person says, wherever it is said: the files that they show with it, those that
/// they name with `@`, and those that they name in passing.
pub fn along_with(text: &str, shown: Vec<Attached>, folder: &Path, bounds: &Bounds) -> Mentions {
    let Mentions { files: named, missing } = named_in(text, folder);
    let mut files = shown;
    for file in named {
        if files.iter().all(|one| one.path != file.path) {
            files.push(file);
        }
    }
    files.extend(folder_preview::named_in(text, folder, bounds, &files));
    Mentions { files, missing }
}

/// The files that a text names.
pub fn named_in(text: &str, folder: &Path) -> Mentions {
    let mut named = Mentions::default();
    for word in text.split_whitespace().filter_map(|word| word.strip_prefix('@')) {
        let bare = word.trim_end_matches(BEHIND);
        let found = read(word, folder).or_else(|_| read(bare, folder));
        match found {
            Ok(file) if named.files.iter().any(|one| one.path == file.path) => {}
            Ok(file) if named.files.len() < MOST => named.files.push(file),
            Ok(_) => named.missing.push(MissingMention { name: bare.to_owned(), why: MissingReason::TooMany }),
            Err(MissingReason::NotThere) if !bare.contains(['/', '.']) => {}
            Err(why) => named.missing.push(MissingMention { name: bare.to_owned(), why }),
        }
    }
    named
}

/// A file inside the folder; none where it is not to be handed over.
pub fn file(path: &Path, folder: &Path) -> Option<Attached> {
    read(path.to_str()?, folder).ok().filter(|one| !one.path.ends_with('/'))
}

fn read(path: &str, folder: &Path) -> Result<Attached, MissingReason> {
    let real = folder.join(path).canonicalize().map_err(|_| MissingReason::NotThere)?;
    let inside = real.strip_prefix(folder).ok().and_then(Path::to_str).ok_or(MissingReason::Outside)?.to_owned();
    if hazard::names_secrets(&inside) {
        return Err(MissingReason::Secret);
    }
    if real.is_dir() {
        return Ok(Attached { path: format!("{inside}/"), text: names(&real) });
    }
    let (bytes, is_whole) = beginning(&real)?;
    if bytes.contains(&0) {
        return Err(MissingReason::NoText);
    }
    // The last line may have been cut in the middle, of a secret or of a letter.
    let end =
        if is_whole { bytes.len() } else { bytes.iter().rposition(|byte| *byte == b'\n').map_or(0, |end| end + 1) };
    let mark = if is_whole { "" } else { "…\n" };
    let text = format!("{}{mark}", hazard::mask(&String::from_utf8_lossy(&bytes[..end])));
    Ok(Attached { path: inside, text })
}

/// The beginning of a file and whether it is all of it. Opened without waiting, and read only where it is a plain file: a
/// pipe would wait for whoever writes into it.
fn beginning(path: &Path) -> Result<(Vec<u8>, bool), MissingReason> {
    let mut options = std::fs::OpenOptions::new();
    options.read(true).custom_flags(rustix::fs::OFlags::NONBLOCK.bits().cast_signed());
    let file = options.open(path).map_err(|_| MissingReason::NotThere)?;
    if !file.metadata().is_ok_and(|about| about.is_file()) {
        return Err(MissingReason::NoText);
    }
    let mut bytes = Vec::new();
    file.take(LONGEST as u64 + 1).read_to_end(&mut bytes).map_err(|_| MissingReason::NotThere)?;
    let is_whole = bytes.len() <= LONGEST;
    bytes.truncate(LONGEST);
    Ok((bytes, is_whole))
}

/// What is in a folder, one name on each line, folders with `/` at the end; hidden ones are left out.
fn names(folder: &Path) -> String {
    let Ok(entries) = std::fs::read_dir(folder) else { return String::new() };
    let named = entries.flatten().filter_map(|entry| {
        let name = entry.file_name().into_string().ok().filter(|name| !name.starts_with('.'))?;
        Some(if entry.path().is_dir() { format!("{name}/") } else { name })
    });
    let mut named: Vec<String> = named.collect();
    named.sort();
    let more = named.len().saturating_sub(MOST_NAMES);
    named.truncate(MOST_NAMES);
    if more > 0 {
        named.push(format!("… {more}"));
    }
    named.join("\n")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_named_inside_the_folder_is_handed_over_and_the_rest_is_told() {
        let house = tempfile::tempdir().unwrap();
        let folder = house.path().canonicalize().unwrap().join("work");
        std::fs::create_dir_all(folder.join("src")).unwrap();
        for (name, text) in [("../outside.txt", "no"), ("src/a.rs", "fn a() {}"), (".env", "KEY=1"), ("x.bin", "\0")] {
            std::fs::write(folder.join(name), text).unwrap();
        }
        let said =
            "see @src/a.rs, and @src/a.rs @src/ @../outside.txt @.env @x.bin @src/none.rs。 @someone me@src/a.rs";
        let file = |path: &str, text: &str| Attached { path: path.to_owned(), text: text.to_owned() };
        let missing = |name: &str, why| MissingMention { name: name.to_owned(), why };
        let expected = Mentions {
            files: vec![file("src/a.rs", "fn a() {}"), file("src/", "a.rs")],
            missing: vec![
                missing("../outside.txt", MissingReason::Outside),
                missing(".env", MissingReason::Secret),
                missing("x.bin", MissingReason::NoText),
                missing("src/none.rs", MissingReason::NotThere),
            ],
        };
        assert_eq!(named_in(said, &folder), expected);
    }

    #[test]
    fn what_is_too_long_ends_with_a_mark_and_what_is_no_plain_file_is_not_waited_for() {
        let house = tempfile::tempdir().unwrap();
        let folder = house.path().canonicalize().unwrap();
        std::fs::write(folder.join("long.txt"), "0123456789abcde\n".repeat(4_000)).unwrap();
        rustix::fs::mknodat(rustix::fs::CWD, folder.join("pipe.txt"), rustix::fs::FileType::Fifo, 0o600.into(), 0)
            .unwrap();
        let named = named_in("see @long.txt and @pipe.txt", &folder);
        let text = &named.files[0].text;
        assert!(text.ends_with("abcde\n…\n") && text.len() <= LONGEST + 4, "{}", text.len());
        assert_eq!(named.missing, [MissingMention { name: "pipe.txt".to_owned(), why: MissingReason::NoText }]);
    }
}
