//! Databases of their own on the PostgreSQL server that `./test` starts.

use tokio_postgres::NoTls;

/// The address of a new database, which is named after what it is for.
pub fn new_database(purpose: &str) -> String {
    let server = std::env::var("ENZA_TEST_POSTGRES")
        .expect("ENZA_TEST_POSTGRES is not set: run ./test, which starts a PostgreSQL server for the tests");
    let name = format!("enza_{purpose}_{}", std::process::id());
    tokio::runtime::Runtime::new().unwrap().block_on(async {
        let (client, connection) = tokio_postgres::connect(&server, NoTls).await.expect("the server answers");
        tokio::spawn(connection);
        client.batch_execute(&format!("CREATE DATABASE {name}")).await.expect("a new database");
    });
    let (server, _) = server.rsplit_once('/').expect("an address with a database");
    format!("{server}/{name}")
}
