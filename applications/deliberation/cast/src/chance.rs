//! Chance that is handed in: figures drawn from a seed and from what they are drawn for.

use sha2::{Digest, Sha256};

/// A figure that looks like chance and is the same for the same parts.
pub(crate) fn drawn(parts: &[&str]) -> u64 {
    let mut digest = Sha256::new();
    for part in parts {
        // Lengths keep "ab", "c" apart from "a", "bc".
        digest.update((part.len() as u64).to_be_bytes());
        digest.update(part.as_bytes());
    }
    let digest = digest.finalize();
    digest.iter().take(8).fold(0, |figure, byte| (figure << 8) | u64::from(*byte))
}

/// A place in a list of this length.
pub(crate) fn place(parts: &[&str], length: usize) -> usize {
    usize::try_from(drawn(parts) % length.max(1) as u64).unwrap_or_default()
}
