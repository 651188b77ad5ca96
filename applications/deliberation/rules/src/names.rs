//! Names of sessions and of what stands in them: UUIDs, made of what is handed in (DEL-31).
//!
//! What nobody may guess is made of chance that came in with a command or an outcome; what must be the same however often it
//! is asked for is made of what it is the name of.

use sha2::{Digest as _, Sha256};

/// A name of 128 bits of chance.
pub fn of_chance(draw: [u64; 2]) -> String {
    let mut bytes = [0; 16];
    bytes[..8].copy_from_slice(&draw[0].to_be_bytes());
    bytes[8..].copy_from_slice(&draw[1].to_be_bytes());
    uuid(bytes, 4)
}

/// The one name of what these words tell apart.
pub fn of_words(words: &[&str]) -> String {
    let mut sum = Sha256::new();
    for word in words {
        // The length first: "ab" and "c" are not "a" and "bc".
        sum.update((word.len() as u64).to_be_bytes());
        sum.update(word.as_bytes());
    }
    let sum = sum.finalize();
    let mut bytes = [0; 16];
    bytes.copy_from_slice(&sum[..16]);
    uuid(bytes, 8)
}

/// The session in which a person's debaters are kept.
pub fn stable_of(owner: &str) -> String {
    of_words(&["debate-stable", owner])
}

fn uuid(mut bytes: [u8; 16], version: u8) -> String {
    bytes[6] = (bytes[6] & 0x0f) | (version << 4);
    bytes[8] = (bytes[8] & 0x3f) | 0x80;
    let hex: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    format!("{}-{}-{}-{}-{}", &hex[..8], &hex[8..12], &hex[12..16], &hex[16..20], &hex[20..])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_uuids_of_their_kind() {
        assert_eq!(of_chance([0x0123_4567_89ab_cdef, u64::MAX]), "01234567-89ab-4def-bfff-ffffffffffff");
        assert_eq!(stable_of("ada").as_bytes()[14], b'8');
        assert_eq!(stable_of("ada").len(), 36);
    }

    #[test]
    fn the_same_words_have_the_same_name_and_others_another() {
        assert_eq!(stable_of("ada"), stable_of("ada"));
        assert_ne!(stable_of("ada"), stable_of("bob"));
        assert_ne!(of_words(&["ab", "c"]), of_words(&["a", "bc"]));
    }
}
