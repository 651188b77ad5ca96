//! What a path means, by its letters alone.
//!
//! A path is split at `/` and nothing else: backslashes, full stops at the end, spaces and capitals are ordinary letters.
//! Empty parts and `.` say nothing and are dropped. A path that leads out of the folder, by `..` or because it is
//! absolute, becomes the absolute path that it means, so that it can be held against what was granted, letter by letter.

use enza_work::Fault;

/// No file system here takes a longer name.
const LONGEST_NAME: usize = 255;
/// Nor a longer path.
const LONGEST_PATH: usize = 4096;

/// Where a path leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) enum PathPlace {
    /// Into the folder of work: the parts below it.
    Inside(Vec<String>),
    /// Elsewhere: the parts below the root.
    Outside(Vec<String>),
}

/// Where a path leads, for a folder that is known by these absolute paths.
pub(super) fn place(path: &str, folders: &[&str]) -> Result<PathPlace, Fault> {
    let unusable = || Fault::UnusablePath { path: path.chars().take(300).collect() };
    if path.contains('\0') || path.len() > LONGEST_PATH || path.split('/').any(|part| part.len() > LONGEST_NAME) {
        return Err(unusable());
    }
    if !path.starts_with('/') && !path.split('/').any(|part| part == "..") {
        return Ok(PathPlace::Inside(parts(path)));
    }
    let folder = folders.first().copied().unwrap_or_default();
    let meant = if path.starts_with('/') { plain(path) } else { plain(&format!("{folder}/{path}")) };
    let inside = folders.iter().find_map(|folder| meant.strip_prefix(parts(folder).as_slice()));
    match inside {
        // A way through `..` that comes back in is written plainly or not at all: links make it mean two things.
        Some(_) if path.split('/').any(|part| part == "..") => Err(unusable()),
        Some(inside) => Ok(PathPlace::Inside(inside.to_vec())),
        None => Ok(PathPlace::Outside(meant)),
    }
}

/// An absolute path without empty parts, `.` and `..`.
pub(super) fn normal(path: &str) -> String {
    format!("/{}", plain(path).join("/"))
}

/// The parts of a path that say something.
pub(super) fn parts(path: &str) -> Vec<String> {
    path.split('/').filter(|part| !part.is_empty() && *part != ".").map(str::to_owned).collect()
}

fn plain(path: &str) -> Vec<String> {
    let mut plain = Vec::new();
    for part in parts(path) {
        if part == ".." {
            plain.pop();
        } else {
            plain.push(part);
        }
    }
    plain
}

/// A path as it can stand on a line of its own.
pub(super) fn on_one_line(path: &str) -> String {
    let mut line = String::with_capacity(path.len());
    for letter in path.chars() {
        if letter.is_control() { line.extend(letter.escape_default()) } else { line.push(letter) }
    }
    line
}
