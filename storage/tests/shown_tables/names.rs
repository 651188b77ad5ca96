//! Names that are the store's own cannot be declared, whatever migrations have made.

use enza_kernel::table::is_of_the_store;

use crate::common::{Home, connect};

#[tokio::test]
async fn no_name_that_the_migrations_use_can_be_declared() {
    let steps = [
        include_str!("../../migrations/sqlite/1.sql"),
        include_str!("../../migrations/sqlite/2.sql"),
        include_str!("../../migrations/sqlite/3.sql"),
        include_str!("../../migrations/sqlite/4.sql"),
        include_str!("../../migrations/sqlite/5.sql"),
        include_str!("../../migrations/sqlite/6.sql"),
        include_str!("../../migrations/sqlite/7.sql"),
        include_str!("../../migrations/sqlite/8.sql"),
    ];
    let on_disk = std::fs::read_dir(concat!(env!("CARGO_MANIFEST_DIR"), "/migrations/sqlite")).unwrap().count();
    assert_eq!(steps.len(), on_disk, "every step is looked at");
    let file = rusqlite::Connection::open_in_memory().unwrap();
    let mut names = Vec::new();
    for step in steps {
        file.execute_batch(step).unwrap();
        let mut statement = file.prepare("SELECT name FROM sqlite_schema").unwrap();
        names.extend(statement.query_map([], |row| row.get::<_, String>(0)).unwrap().map(Result::unwrap));
    }
    let home = Home::postgres().await;
    drop(home.open().await);
    let found = "SELECT relname::text FROM pg_class WHERE relnamespace = current_schema()::regnamespace";
    names.extend(connect(&home.url).await.query(found, &[]).await.unwrap().iter().map(|row| row.get::<_, String>(0)));
    assert!(names.len() > 50, "{names:?}");
    names.retain(|name| !is_of_the_store(name));
    assert_eq!(names, Vec::<String>::new());
}
