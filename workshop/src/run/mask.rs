//! Takes secrets out of what a command printed.
//!
//! The one place where this room masks; the patterns are those that can be told by their form alone.

use std::sync::LazyLock;

use regex::Regex;

/// What takes a secret's place.
const MASK: &str = "***";

static SECRETS: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    [
        r"-----BEGIN [A-Z ]*PRIVATE KEY-----[\s\S]*?(?:-----END [A-Z ]*PRIVATE KEY-----|\z)",
        r"\b(?:AKIA|ASIA)[0-9A-Z]{16}\b",
        r"\b(?:ghp|gho|ghu|ghs|ghr|github_pat)_[A-Za-z0-9_]{20,}",
        r"\b(?:sk|pk|rk)-[A-Za-z0-9_-]{20,}",
        r"\bxox[abprs]-[A-Za-z0-9-]{10,}",
        r"\beyJ[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}\.[A-Za-z0-9_-]{10,}",
    ]
    .iter()
    .filter_map(|pattern| Regex::new(pattern).ok())
    .collect()
});

/// The text with secrets masked.
pub fn masked(text: &str) -> String {
    SECRETS.iter().fold(text.to_owned(), |text, secret| secret.replace_all(&text, MASK).into_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn secrets_are_masked_and_the_rest_is_left() {
        let key = format!("-----BEGIN {0}-----\nMIIB\n-----END {0}-----", "RSA PRIVATE KEY");
        let text = format!("a\n{key}\nb AKIA{} c ghp_{} d", "A".repeat(16), "x".repeat(36));
        assert_eq!(masked(&text), "a\n***\nb *** c *** d");
    }
}
