//! What is set for the whole house.
//!
//! One row with one document; what is in it is known to the server only.

use async_trait::async_trait;
use enza_runtime::seams::register::Settings;
use enza_runtime::seams::store::Failure;
use serde_json::Value;

use crate::columns::register::document;
use crate::postgres::Postgres;
use crate::postgres::connection::{all, first};

#[async_trait]
impl Settings for Postgres {
    async fn settings(&self) -> Result<Option<Value>, Failure> {
        let row = first(&self.pool, "SELECT content FROM settings", &[]).await?;
        Ok(row.map(|row| document(&row)).transpose()?)
    }

    async fn set_settings(&self, settings: &Value) -> Result<(), Failure> {
        const SET: &str = "INSERT INTO settings (one, content) VALUES (1, $1) \
             ON CONFLICT (one) DO UPDATE SET content = excluded.content";
        all(&self.pool, SET, &[&settings.to_string()]).await?;
        Ok(())
    }
}
