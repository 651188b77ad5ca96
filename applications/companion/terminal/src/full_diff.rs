//! A change in full, for whoever decides about it.
//!
//! A gate carries as much of a diff as a log should. Both sides of a change are in the workshop's store, so everything that a
//! yes would do can be shown all the same, secrets masked. What was veiled stays veiled: only a diff that goes on from what
//! was shown already is taken, and none of a file whose name says that it holds secrets.

use std::path::Path;

use enza_work::{Bounds, Finding, Job, Order, PreparedChange};
use enza_workshop::files::{self, Access};
use enza_workshop::store::Store;

/// The diff of a change in a folder in full; none where it cannot be had.
pub fn diff(contents: &Path, folder: &Path, one: &PreparedChange) -> Option<String> {
    if !one.findings.contains(&Finding::DiffCut) {
        return Some(one.diff.clone());
    }
    if one.findings.contains(&Finding::SecretFile) {
        return None;
    }
    let store = Store::open(contents, Store::MOST).ok()?;
    let task = Job::Choose { chosen: Vec::new() };
    let order = Order { folder: folder.display().to_string(), task, bounds: Bounds::default(), granted: Vec::new() };
    let whole = files::whole_diff(&Access::of(&order).ok()?, &store, &one.change).ok()?;
    whole.starts_with(&one.diff).then_some(whole)
}

#[cfg(test)]
mod tests {
    use enza_work::Change;

    use super::*;

    fn cut(store: &Store, shown: &str, findings: &[Finding]) -> PreparedChange {
        let new = format!("{}API_KEY = \"q8Zr1vT4bN6kX2\"\n", "line\n".repeat(10));
        let digest = store.put(new.as_bytes()).unwrap();
        let change = Change {
            path: "a.txt".to_owned(),
            to: None,
            before: None,
            after: Some(digest),
            mode: None,
            folders: 0,
            seen: false,
        };
        let findings = [&[Finding::DiffCut], findings].concat();
        PreparedChange { change, diff: shown.to_owned(), hunks: 1, added: 11, removed: 0, findings }
    }

    #[test]
    fn a_diff_that_was_cut_is_had_in_full_masked_and_never_of_what_was_veiled() {
        let house = tempfile::tempdir().unwrap();
        let store = Store::open(house.path(), Store::MOST).unwrap();
        let whole_of = |one: &PreparedChange| diff(house.path(), house.path(), one);
        let whole = whole_of(&cut(&store, "", &[])).unwrap();
        assert!(whole.contains("+line\n+API_KEY = \"[secret]\"\n"), "{whole}");
        let beginning: String = whole.split_inclusive('\n').take(4).collect();
        assert_eq!(whole_of(&cut(&store, &beginning, &[])), Some(whole));
        assert_eq!(whole_of(&cut(&store, "+…\n", &[])), None);
        assert_eq!(whole_of(&cut(&store, &beginning, &[Finding::SecretFile])), None);
        let short = PreparedChange { findings: Vec::new(), ..cut(&store, "as it is\n", &[]) };
        assert_eq!(whole_of(&short).as_deref(), Some("as it is\n"));
    }
}
