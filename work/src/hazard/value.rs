//! Masks what looks like a secret in everything that a value says: in its texts, and in those that stand behind a name
//! like `password`.

use std::borrow::Cow;

use serde_json::Value;

use super::secret::{MASK, mask, secrets};

/// The value with every secret in it masked. Names stay as they are.
pub fn mask_value(value: &mut Value) {
    match value {
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
        Value::String(text) => {
            if let Cow::Owned(masked) = mask(text) {
                *text = masked;
            }
        }
        Value::Array(items) => items.iter_mut().for_each(mask_value),
        Value::Object(fields) => fields.iter_mut().for_each(|(name, value)| {
            mask_value(value);
            if let Value::String(text) = value
                && is_given_to(name, text)
            {
                MASK.clone_into(text);
            }
        }),
    }
}

/// A text of JSON with every secret in it masked; one that is none is masked as it stands.
pub fn mask_json(json: &str) -> String {
    match serde_json::from_str::<Value>(json) {
        Ok(mut value) => {
            mask_value(&mut value);
            value.to_string()
        }
        Err(_) => mask(json).into_owned(),
    }
}

/// Whether a text is a secret because of the name that it is given to.
fn is_given_to(name: &str, text: &str) -> bool {
    !text.contains(['\n', '\'']) && !secrets(&format!("{name}: '{text}'")).is_empty()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn secrets_are_masked_wherever_they_stand_and_nothing_else_is() {
        let mut value = json!({
            "text": "the key is DB_PASSWORD=hunter2HUNTER",
            "arguments": { "api_key": "q8Zr1vT4bN6k", "path": "src/main.rs", "tokens": 12 },
            "lines": ["fine", "https://me:s3cretPASS@host/"],
        });
        mask_value(&mut value);
        let expected = json!({
            "text": "the key is DB_PASSWORD=[secret]",
            "arguments": { "api_key": "[secret]", "path": "src/main.rs", "tokens": 12 },
            "lines": ["fine", "https://me:[secret]@host/"],
        });
        assert_eq!(value, expected);
        mask_value(&mut value);
        assert_eq!(value, expected, "twice is once");
        assert_eq!(mask_json("{\"password\":\"hunter2HUNTER\"}"), "{\"password\":\"[secret]\"}");
        assert_eq!(mask_json("password=hunter2HUNTER {"), "password=[secret] {");
    }
}
