//! A real repository for the companion: a small Python package with its tests, under git.
//!
//! The tests in it are run by the companion itself, behind its walls, so red and green are what Python says and not what a
//! script pretends. A tree is compared whole: every file, folder and link, with its mode and content, git's own included.

use std::collections::BTreeMap;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::process::Command;

use serde_json::{Value, json};

use crate::behaviour::companion_fixture::{ScriptedProject, reply};
use crate::house::Run;

/// What is in a folder, path by path.
pub type Tree = BTreeMap<PathBuf, Entry>;

/// One thing in a folder.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Entry {
    /// A folder with its mode.
    Folder(u32),
    /// A link and where it leads.
    Link(PathBuf),
    /// A file with its mode and content.
    File(u32, Vec<u8>),
}

/// The module of the package, before anything is done to it.
pub const PRICE: &str = "def net(gross):\n    return gross / 1.1\n";
/// Its tests.
pub const TESTS: &str = "import unittest\nfrom shop.price import net\n\n\nclass Net(unittest.TestCase):\n    def test_net(self):\n        self.assertAlmostEqual(net(110), 100)\n";

/// A package with tests that pass, under git, whose tests are run after every change.
pub fn repository(replies: impl IntoIterator<Item = Value>) -> ScriptedProject {
    let stage = ScriptedProject::with(replies);
    for (path, text) in [
        ("shop/__init__.py", ""),
        ("shop/price.py", PRICE),
        ("tests/__init__.py", ""),
        ("tests/test_price.py", TESTS),
        ("tools/release.txt", "by hand\n"),
        (".gitignore", "__pycache__/\n"),
    ] {
        stage.house.file(&format!("project/{path}"), text);
    }
    let mode = std::fs::Permissions::from_mode(0o755);
    std::fs::set_permissions(stage.project.join("tools/release.txt"), mode).unwrap();
    std::os::unix::fs::symlink("shop/price.py", stage.project.join("price")).unwrap();
    std::fs::remove_dir(stage.project.join(".git")).unwrap();
    for arguments in [
        &["init", "-q"][..],
        &["add", "-A"],
        &["-c", "user.name=Ada", "-c", "user.email=ada@example.org", "commit", "-q", "-m", "Begin"],
    ] {
        let ended = Command::new("git").args(arguments).current_dir(&stage.project).status();
        assert!(ended.expect("git is needed").success(), "git {arguments:?}");
    }
    let check = "checks = [{ name = \"tests\", command = [\"python3\", \"-B\", \"-m\", \"unittest\", \"-q\"] }]\n";
    std::fs::create_dir_all(stage.house.config()).unwrap();
    std::fs::write(stage.house.config().join("companion.toml"), check).unwrap();
    stage
}

/// Everything in the project.
pub fn tree(stage: &ScriptedProject) -> Tree {
    let mut tree = Tree::new();
    walk(&stage.project, &stage.project, &mut tree);
    tree
}

/// Insists that the project is this tree; only what differs is printed.
pub fn assert_tree(stage: &ScriptedProject, expected: &Tree, about: &str) {
    let now = tree(stage);
    let paths: std::collections::BTreeSet<&PathBuf> = now.keys().chain(expected.keys()).collect();
    let differ: Vec<_> = paths.into_iter().filter(|path| now.get(*path) != expected.get(*path)).collect();
    let told: Vec<String> = differ
        .iter()
        .map(|path| format!("{path:?}: {:?}, expected {:?}", now.get(*path), expected.get(*path)))
        .collect();
    assert!(differ.is_empty(), "{about}\n{}", told.join("\n"));
}

fn walk(root: &Path, folder: &Path, tree: &mut Tree) {
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let about = path.symlink_metadata().unwrap();
        let mode = about.permissions().mode();
        let found = if about.is_symlink() {
            Entry::Link(path.read_link().unwrap())
        } else if about.is_dir() {
            walk(root, &path, tree);
            Entry::Folder(mode)
        } else {
            Entry::File(mode, std::fs::read(&path).unwrap())
        };
        tree.insert(path.strip_prefix(root).unwrap().to_owned(), found);
    }
}

/// The session that a run with `--json` was in.
pub fn session_of(run: &Run) -> String {
    let lines = run.lines();
    let named = lines.iter().rev().find_map(|line| line["session"].as_str().or(line["error"]["session"].as_str()));
    named.unwrap_or_else(|| panic!("no session in {run:?}")).to_owned()
}

/// Says something to a new session, which must come to a gate; the session.
pub fn asked_at_a_gate(stage: &ScriptedProject, said: &str) -> String {
    let run = stage.enza(&["--json", "-p", said]);
    assert_eq!(run.status, 4, "{run:?}");
    session_of(&run)
}

/// Goes on with a session by these words, and insists on how the run ends.
pub fn then(stage: &ScriptedProject, session: &str, said: &str, status: i32) -> Run {
    let run = stage.enza(&["--json", "--resume", session, "-p", said]);
    assert_eq!(run.status, status, "{said:?}: {run:?}");
    run
}

/// What happened in a session, as `who kind: what`, without the model's tokens.
pub fn audit(stage: &ScriptedProject, session: &str) -> Vec<Value> {
    let run = stage.enza(&["audit", session, "--json"]);
    assert_eq!(run.status, 0, "{run:?}");
    run.lines()
}

/// The lines of one kind of an audit log, by one of their fields.
pub fn told(audit: &[Value], kind: &str, field: &str) -> Vec<String> {
    let of_kind = audit.iter().filter(|line| line["kind"] == kind);
    of_kind.map(|line| line[field].as_str().unwrap().to_owned()).collect()
}

/// A reply that asks for a procedure.
pub fn work() -> Value {
    reply("continue", json!({ "prompt_pattern": "base_main_specialized" }))
}

/// A plan for it.
pub fn plan() -> Value {
    let plan = json!({
        "name": "VAT", "purpose": "add vat()", "steps": ["write vat() and a test for it", "run the tests"],
        "risk": "low", "success": "the tests pass",
    });
    reply("continue", json!({ "plan": plan }))
}

/// A reply that wants these operations and then to be done.
pub fn wants(actions: &Value) -> Value {
    reply("done", json!({ "step": "EXECUTION", "actions": actions }))
}

/// An edit as an action.
pub fn edit(path: &str, old: &str, new: &str) -> Value {
    json!({ "operation": "edit", "path": path, "old": old, "content": new, "rationale": "as planned" })
}

/// A review that finds nothing.
pub fn approved() -> Value {
    let review = json!({ "rating": "good", "problems": [], "proposals": [], "approval": "approved" });
    reply("done", json!({ "reply": "vat() is there.", "step": "REVIEW", "review": review }))
}
