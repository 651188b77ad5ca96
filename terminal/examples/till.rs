//! An Enza with one application, the till, added by the lines of "Add an application" in CONTRIBUTING.md.
//!
//! `tests/till.rs` holds the document to this file, and drives what is built from it.

use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use enza_kernel::testing::till::Till;
use enza_runtime::simulation::{Role, TillRole};
use enza_terminal::applications::{AddRules, Applications, Registered};

fn till() -> Registered {
    let rules: AddRules = |all, _config| Ok(all.with(Till::new(Duration::from_secs(3_600))));
    let roles: Vec<Arc<dyn Role>> = vec![Arc::new(TillRole)];
    Registered { roles, ..Registered::of::<Till>(rules) }
}

fn main() -> ExitCode {
    enza_terminal::main(&Applications::new(vec![till()]))
}
