//! `enza backup` and `enza restore`: everything in the database to one file, and back.
//!
//! A backup can be taken while a server runs; to put one back, it must be stopped. Both follow every log to its end
//! before anything gets its final name.

use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};

use enza_storage::{Address, DeepCheck};
use serde_json::json;

use crate::arguments::{BackupArgs, RestoreArgs};
use crate::environment::Environment;
use crate::known_databases;
use crate::screen::{Screen, bytes};
use crate::setup;
use crate::trouble::Trouble;
use crate::words::backup as words;

/// Takes a backup.
pub async fn backup(around: &Environment, screen: &Screen, order: BackupArgs) -> Result<(), Trouble> {
    let to = named(&order.to);
    let taken = enza_storage::backup(&around.database, &to, progress(screen)).await;
    let deep = taken.map_err(|why| Trouble::Backup { path: to.clone(), why })?;
    let size = std::fs::metadata(&to).map_or(0, |about| about.len());
    if screen.json {
        return screen.value(&json!({ "file": to, "bytes": size, "sessions": deep.sessions, "events": deep.events }));
    }
    screen.say(&words::taken(screen.lang, &to, &deep, &bytes(size)))
}

/// A folder gets a file that is named by the time.
fn named(to: &Path) -> PathBuf {
    if !to.is_dir() {
        return to.to_owned();
    }
    let now = jiff::Timestamp::now().strftime("%Y%m%dT%H%M%SZ");
    to.join(format!("enza-{now}.backup"))
}

/// Puts a backup back.
pub async fn restore(around: &Environment, screen: &Screen, order: RestoreArgs) -> Result<(), Trouble> {
    let address = Address::read(&around.database);
    if let Address::Sqlite(path) = &address {
        setup::make_folder_of(around, path)?;
    }
    let restored = enza_storage::restore(&order.from, &around.database, order.replace, progress(screen)).await;
    let restored = restored.map_err(|why| Trouble::Backup { path: order.from.clone(), why })?;
    // What was known of the database that stood there is no longer so.
    if let Some(name) = address.name() {
        known_databases::forget(&around.data, &name);
    }
    drop(setup::open_database(around).await?);
    let DeepCheck { sessions, events, .. } = restored.deep;
    if screen.json {
        return screen.value(&json!({ "sessions": sessions, "events": events, "aside": restored.aside }));
    }
    screen.say(&words::restored(screen.lang, &restored.deep, restored.aside.as_deref()))
}

/// Says how far a check has come, where a person waits for it.
pub fn progress(screen: &Screen) -> impl Fn(u64, u64) + Send + Sync + 'static + use<> {
    const STEP: u64 = 1_000;
    let (told, shows, lang) = (AtomicU64::new(0), screen.is_watched(), screen.lang);
    move |done, total| {
        let step = done / STEP;
        if shows && total > STEP && told.swap(step, Ordering::Relaxed) != step {
            let _ = writeln!(std::io::stderr(), "{}", words::checked_so_far(lang, done, total));
        }
    }
}
