//! Where a drill lives: a data folder, and a database of its own.

use std::path::PathBuf;

use tokio_postgres::NoTls;

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
        let server = std::env::var("ENZA_TEST_POSTGRES")
            .expect("ENZA_TEST_POSTGRES is not set: run ./test, which starts a PostgreSQL server for the tests");
        let name = format!("enza_crash_{}", std::process::id());
        tokio::runtime::Runtime::new().unwrap().block_on(async {
            let (client, connection) = tokio_postgres::connect(&server, NoTls).await.expect("the server answers");
            tokio::spawn(connection);
            client.batch_execute(&format!("CREATE DATABASE {name}")).await.expect("a new database");
        });
        let (server, _) = server.rsplit_once('/').expect("an address with a database");
        Self { database: format!("{server}/{name}"), folder: tempfile::tempdir().unwrap() }
    }

    /// The data folder.
    pub fn data(&self) -> PathBuf {
        self.folder.path().to_owned()
    }

    /// One line for every delivery that was made.
    pub fn deliveries(&self) -> String {
        std::fs::read_to_string(self.data().join("outbox/deliveries.log")).unwrap_or_default()
    }
}
