//! Where a drill lives: a data folder, and a database of its own.

use std::path::PathBuf;

use enza_terminal::part::DrillScript;

use crate::postgres::new_database;

/// A data folder and a database.
pub struct Home {
    /// The database's address.
    pub database: String,
    folder: tempfile::TempDir,
}

impl Home {
    /// With a SQLite file in the folder.
    pub fn sqlite() -> Self {
        let folder = tempfile::tempdir().unwrap();
        Self { database: format!("sqlite:{}", folder.path().join("enza.db").display()), folder }
    }

    /// With a new database on the test server.
    pub fn postgres() -> Self {
        Self { database: new_database("crash"), folder: tempfile::tempdir().unwrap() }
    }

    /// The data folder.
    pub fn data(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// One line for each thing that an application's tools did outside; none where they do nothing there.
    pub fn counted(&self, script: &dyn DrillScript) -> Option<String> {
        Some(std::fs::read_to_string(self.data().join(script.counted()?)).unwrap_or_default())
    }
}
