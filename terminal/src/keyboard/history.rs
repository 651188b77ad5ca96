//! What was typed before, to be had again with the arrow keys, and the file in which it is kept.
//!
//! Going back keeps what was being typed, so that coming forward again finds it. The file is for its owner alone, since it
//! holds what was said, and does not grow for ever.

use std::io::Write as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::path::Path;

/// How many lines are remembered.
const REMEMBERED: usize = 500;

/// What was typed before.
pub struct History {
    lines: Vec<String>,
    /// Where we are, and what was typed before going there.
    back: Option<(usize, Vec<char>)>,
}

impl History {
    /// With these lines, the newest last.
    pub fn of(lines: Vec<String>) -> Self {
        Self { lines, back: None }
    }

    /// Keeps a finished line; a repeated one is kept once.
    pub fn keep(&mut self, line: &str) {
        self.back = None;
        if line.trim().is_empty() || self.lines.last().is_some_and(|last| last == line) {
            return;
        }
        self.lines.push(line.to_owned());
        let surplus = self.lines.len().saturating_sub(REMEMBERED);
        self.lines.drain(..surplus);
    }

    /// The line before; the first stays.
    pub fn earlier(&mut self, typed: &[char]) -> Option<Vec<char>> {
        let (place, typed) = self.back.take().unwrap_or_else(|| (self.lines.len(), typed.to_vec()));
        let place = place.saturating_sub(1);
        let line = self.lines.get(place)?.chars().collect();
        self.back = Some((place, typed));
        Some(line)
    }

    /// The line after, and behind the last what was being typed.
    pub fn later(&mut self) -> Option<Vec<char>> {
        let (place, typed) = self.back.take()?;
        let Some(line) = self.lines.get(place + 1) else { return Some(typed) };
        let line = line.chars().collect();
        self.back = Some((place + 1, typed));
        Some(line)
    }
}

/// What is kept in a file, the newest last. A file with much more than is remembered is shortened, and one that others may
/// read is closed to them. What cannot be read or written is no reason to stop.
pub fn read(file: &Path) -> Vec<String> {
    let text = std::fs::read_to_string(file).unwrap_or_default();
    let lines: Vec<&str> = text.lines().collect();
    let newest = &lines[lines.len().saturating_sub(REMEMBERED)..];
    let _ = std::fs::set_permissions(file, std::fs::Permissions::from_mode(0o600));
    if lines.len() > 2 * REMEMBERED {
        let beside = file.with_extension(format!("new.{}", std::process::id()));
        let shortened: String = newest.iter().map(|line| format!("{line}\n")).collect();
        let mut options = std::fs::OpenOptions::new();
        let written = options.write(true).create(true).truncate(true).mode(0o600).open(&beside);
        let _ = written
            .and_then(|mut new| new.write_all(shortened.as_bytes()))
            .and_then(|()| std::fs::rename(&beside, file));
    }
    newest.iter().filter_map(|line| serde_json::from_str(line).ok()).collect()
}

/// Adds a line to the file.
pub fn write(file: &Path, line: &str) {
    let opened = std::fs::OpenOptions::new().create(true).append(true).mode(0o600).open(file);
    if let (Ok(mut file), Ok(line)) = (opened, serde_json::to_string(line)) {
        let _ = writeln!(file, "{line}");
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_file_is_its_owners_alone_and_does_not_grow_for_ever() {
        let house = tempfile::tempdir().unwrap();
        let file = house.path().join("history");
        let open = std::fs::Permissions::from_mode(0o644);
        for number in 0..1_100 {
            write(&file, &format!("line {number}\nbelow"));
        }
        std::fs::set_permissions(&file, open).unwrap();
        let lines = read(&file);
        assert_eq!((lines.len(), lines.last().map(String::as_str)), (500, Some("line 1099\nbelow")));
        let kept = std::fs::read_to_string(&file).unwrap();
        assert_eq!(kept.lines().count(), 500);
        assert_eq!(std::fs::metadata(&file).unwrap().permissions().mode() & 0o777, 0o600);
        assert_eq!(read(&file), lines);
        assert_eq!(read(&house.path().join("none")), Vec::<String>::new());
    }
}
