//! What is set for the whole house.
//!
//! One row with one document; what is in it is known to the server only.

use async_trait::async_trait;
use enza_runtime::seams::register::Settings;
use enza_runtime::seams::store::Failure;
use serde_json::Value;

use crate::columns::register::document;
use crate::sqlite::Sqlite;
use crate::sqlite::reader::first;

#[async_trait]
impl Settings for Sqlite {
    async fn settings(&self) -> Result<Option<Value>, Failure> {
        self.readers.read(|reader| first(reader, "SELECT content FROM settings", [], |row| document(row))).await
    }

    async fn set_settings(&self, settings: &Value) -> Result<(), Failure> {
        const SET: &str = "INSERT INTO settings (one, content) VALUES (1, ?1) \
             ON CONFLICT (one) DO UPDATE SET content = excluded.content";
        let content = settings.to_string();
        self.writer
            .write(move |desk| {
                desk.connection.prepare_cached(SET)?.execute([&content])?;
                Ok(())
            })
            .await
    }
}
