//! What is set for the whole house.

use enza_storage::Opened;
use serde_json::{Value, json};

use super::at_once;

pub async fn settings_are_one_document_that_is_replaced(Opened { register, .. }: Opened) {
    assert_eq!(register.settings().await, Ok(None));
    for document in [
        json!({"registration": "by-invitation", "名前": ["円座", "\u{0}"], "share": 0.1, "most": u64::MAX}),
        json!({"registration": "closed"}),
        Value::Null,
    ] {
        assert_eq!(register.set_settings(&document).await, Ok(()));
        assert_eq!(register.settings().await, Ok(Some(document)));
    }
    at_once(&register, |register| async move { register.set_settings(&json!([1, 2])).await.unwrap() }).await;
    assert_eq!(register.settings().await, Ok(Some(json!([1, 2]))));
}
