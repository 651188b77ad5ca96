//! What a command was kept from reading, as far as that can be told from what it printed.
//!
//! The kernel tells nobody without privileges which file Landlock refused. But programs say which one they could not open;
//! and a file outside the folder that the person can read, and that nobody opened to commands, was refused by the walls and
//! by nothing else. What belongs to the system or holds secrets is never named: it is not to be opened.

use std::fs::File;
use std::path::{Path, PathBuf};

use enza_work::hazard::{belongs_to_system, names_secrets};
use enza_work::{Fault, Order, Run};

use super::sandbox;

/// What programs and languages say when the system refuses.
const REFUSALS: [&str; 2] = ["ermission denied", "EACCES"];
/// What marks the root of an environment: one file of it is of no use without the others.
const ENVIRONMENTS: [&str; 2] = ["pyvenv.cfg", "conda-meta"];

/// The first path that a command says it could not read, if the walls are why.
pub fn denied_path(order: &Order, run: &Run, home: Option<&Path>, output: &str) -> Option<Fault> {
    let folder = Path::new(&order.folder).canonicalize().ok()?;
    let at = folder.join(&run.at);
    let opened = order.bounds.readable.iter().chain(&order.granted).map(PathBuf::from);
    let opened: Vec<PathBuf> = opened.filter_map(|path| path.canonicalize().ok()).collect();
    let refused = output.lines().filter(|line| REFUSALS.iter().any(|refusal| line.contains(refusal)));
    let is_kept = |path: &PathBuf| {
        let is_open = path.starts_with(&folder) || opened.iter().any(|open| path.starts_with(open));
        !is_open && File::open(path).is_ok()
    };
    let named = refused.flat_map(words).filter(|word| word.contains('/'));
    let path = named.filter_map(|word| at.join(word).canonicalize().ok()).find(is_kept)?;
    fault(&with_its_environment(path, home))
}

/// The fault for a path that walls keep closed, if it may ever be opened.
pub fn fault(path: &Path) -> Option<Fault> {
    let path_text = path.to_str()?.to_owned();
    let is_closed =
        belongs_to_system(&path_text) || names_secrets(&path_text) || path.ancestors().any(sandbox::is_secret);
    (!is_closed).then_some(Fault::KeptFrom { path: path_text })
}

/// The environment that a file belongs to, or the file itself.
fn with_its_environment(path: PathBuf, home: Option<&Path>) -> PathBuf {
    let is_root = |folder: &&Path| ENVIRONMENTS.iter().any(|mark| folder.join(mark).exists());
    let holds_home = |folder: &Path| home.is_some_and(|home| home.starts_with(folder));
    let root = path.ancestors().skip(1).find(is_root).filter(|root| !holds_home(root));
    root.map(Path::to_owned).unwrap_or(path)
}

/// What may be a path in a line: what stands in quotes, and then every word without the marks around it.
fn words(line: &str) -> Vec<&str> {
    let quoted = ['\'', '"', '`'].into_iter().flat_map(|mark| line.split(mark).skip(1).step_by(2));
    let plain = line.split([' ', '\t', ':', ',', ';', '(', ')', '\'', '"', '`', '[', ']']);
    quoted.chain(plain).filter(|word| !word.is_empty()).collect()
}

#[cfg(test)]
mod tests {
    use super::words;

    #[test]
    fn paths_are_found_as_programs_write_them() {
        for (line, path) in [
            ("cat: /x/a.txt: Permission denied", "/x/a.txt"),
            ("sh: 1: /x/bin/tool: Permission denied", "/x/bin/tool"),
            ("PermissionError: [Errno 13] Permission denied: '/x/with blank/a'", "/x/with blank/a"),
            ("Error: EACCES: permission denied, open '/x/a.js'", "/x/a.js"),
            ("error: could not open ../y/z (Permission denied)", "../y/z"),
        ] {
            assert!(words(line).contains(&path), "{line}: {:?}", words(line));
        }
    }
}
