//! The server's log: where its words go, and its last ones when something went wrong.

use std::fs;
use std::io::{self, Read as _, Seek as _};
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

/// As many lines as say why it failed.
const LAST_LINES: usize = 20;
/// The end of a log, in which those lines are.
const LOG_END: u64 = 64 << 10;

/// An empty log that only we may read. The one before stays as `.1`.
pub(super) fn begin(path: &Path) -> io::Result<fs::File> {
    if let Some(folder) = path.parent() {
        fs::create_dir_all(folder)?;
    }
    let mut before = path.as_os_str().to_owned();
    before.push(".1");
    match fs::rename(path, before) {
        Ok(()) => {}
        Err(cause) if cause.kind() == io::ErrorKind::NotFound => {}
        Err(cause) => return Err(cause),
    }
    fs::OpenOptions::new().create(true).append(true).mode(0o600).open(path)
}

/// The last lines of a log, which mostly say why it ends there.
pub(super) fn last_lines(log: &Path) -> io::Result<Vec<String>> {
    let mut file = fs::File::open(log)?;
    let length = file.metadata()?.len();
    file.seek(io::SeekFrom::Start(length.saturating_sub(LOG_END)))?;
    let mut end = Vec::new();
    file.read_to_end(&mut end)?;
    let end = String::from_utf8_lossy(&end);
    let lines: Vec<&str> = end.lines().map(str::trim_end).filter(|line| !line.is_empty()).collect();
    Ok(lines[lines.len().saturating_sub(LAST_LINES)..].iter().map(|line| (*line).to_owned()).collect())
}
