//! Passwords and names: what may be one, and how a password is kept.
//!
//! A password is kept as an argon2id hash and nothing else. Hashing takes memory and time on purpose, so it is done in
//! turn (`hash_pool`). Asking about a name that nobody has does the same work as asking about one that somebody has: how
//! long an answer takes tells nobody who is here.

use std::sync::OnceLock;

use argon2::password_hash::{Error, Output, ParamsString, PasswordHash, Salt, SaltString};
use argon2::{Algorithm, Argon2, Block, Params, Version};
use enza_kernel::limits;

use super::common::is_guessed_first;
use super::hash_pool::{self, HashMemory};
use crate::problem::Problem;
use crate::state::LOCAL;

/// The fewest characters of a password.
pub const SHORTEST: usize = 10;
/// The most characters of a password.
pub const LONGEST: usize = 200;
/// The fewest characters of a name.
pub const NAME_SHORTEST: usize = 2;
/// The most characters of a name.
pub const NAME_LONGEST: usize = 32;

/// What a hash costs: 19 MiB of memory, two passes over it, one lane.
const COST: (u32, u32, u32) = (19 * 1024, 2, 1);

/// Whether a name may be given.
pub fn check_name(name: &str) -> Result<(), Problem> {
    let letters = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte));
    let is_fit = letters && (NAME_SHORTEST..=NAME_LONGEST).contains(&name.len()) && name != LOCAL;
    if is_fit { Ok(()) } else { Err(Problem::NameUnfit) }
}

/// Whether a password may be used by whoever has this name.
pub fn check_password(name: &str, password: &str) -> Result<(), Problem> {
    let is_long_enough = (SHORTEST..=LONGEST).contains(&limits::length(password)) && password.len() <= 4 * LONGEST;
    if !is_long_enough {
        return Err(Problem::PasswordUnfit);
    }
    if is_guessed_first(name, password) { Err(Problem::PasswordCommon) } else { Ok(()) }
}

/// The hash of a password, to be kept.
pub async fn hash(password: &str) -> Result<String, Problem> {
    let password = password.to_owned();
    hash_pool::in_turn(move |memory| hash_now(&password, memory)).await
}

/// Whether a password is the one behind a hash. Without a hash it never is, and that takes as long to find out.
pub async fn is_right(password: &str, kept: Option<&str>) -> Result<bool, Problem> {
    let (password, kept) = (password.to_owned(), kept.map(str::to_owned));
    hash_pool::in_turn(move |memory| {
        let decoy = kept.is_none();
        let kept = kept.unwrap_or_else(|| a_hash(memory).to_owned());
        let Ok(matches) = matches(&password, &kept, memory) else {
            tracing::error!("a kept password hash cannot be read; nobody can sign in with it");
            return false;
        };
        matches && !decoy
    })
    .await
}

/// The hash of a password that nobody has.
fn a_hash(memory: &mut HashMemory) -> &'static str {
    static HASH: OnceLock<String> = OnceLock::new();
    HASH.get_or_init(|| hash_now("nobody has this password", memory))
}

fn hash_now(password: &str, memory: &mut HashMemory) -> String {
    let (kib, passes, lanes) = COST;
    let cost = Params::new(kib, passes, lanes, None).expect("the parameters are sound");
    let argon2 = Argon2::new(Algorithm::Argon2id, Version::V0x13, cost);
    let mut salt = [0; 16];
    getrandom::fill(&mut salt).expect("the system has chance to give");
    let output = digest(&argon2, password, &salt, Params::DEFAULT_OUTPUT_LEN, memory);
    let salt = SaltString::encode_b64(&salt).expect("sixteen bytes make a salt");
    let hash = PasswordHash {
        algorithm: Algorithm::Argon2id.ident(),
        version: Some(Version::V0x13.into()),
        params: ParamsString::try_from(argon2.params()).expect("the parameters are sound"),
        salt: Some(salt.as_salt()),
        hash: Some(output.expect("the parameters are sound")),
    };
    hash.to_string()
}

/// Compares in a time that says nothing of where they differ. The parameters are those of the kept hash, so that raising
/// `COST` locks nobody out.
fn matches(password: &str, kept: &str, memory: &mut HashMemory) -> Result<bool, Error> {
    let kept = PasswordHash::new(kept)?;
    let algorithm = Algorithm::try_from(kept.algorithm)?;
    let version = kept.version.map(Version::try_from).transpose()?.unwrap_or_default();
    let argon2 = Argon2::new(algorithm, version, Params::try_from(&kept)?);
    let (salt, expected) = kept.salt.zip(kept.hash).ok_or(Error::PhcStringField)?;
    let mut room = [0; Salt::MAX_LENGTH];
    let salt = salt.decode_b64(&mut room)?;
    Ok(digest(&argon2, password, salt, expected.len(), memory)? == expected)
}

fn digest(
    argon2: &Argon2<'_>,
    password: &str,
    salt: &[u8],
    length: usize,
    memory: &mut HashMemory,
) -> Result<Output, Error> {
    let blocks = argon2.params().block_count();
    if memory.len() < blocks {
        memory.resize(blocks, Block::new());
    }
    Output::init_with(length, |out| {
        Ok(argon2.hash_password_into_with_memory(password.as_bytes(), salt, out, &mut memory[..blocks])?)
    })
}

#[cfg(test)]
mod tests {
    use argon2::PasswordVerifier as _;

    use super::*;

    #[test]
    fn a_hash_in_used_memory_is_the_hash_that_others_make() {
        let mut memory = HashMemory::new();
        let first = hash_now("correct horse battery", &mut memory);
        let second = hash_now("another fine password", &mut memory);
        for (password, kept, is_right) in [
            ("correct horse battery", &first, true),
            ("another fine password", &second, true),
            ("another fine password", &first, false),
        ] {
            assert_eq!(matches(password, kept, &mut memory), Ok(is_right));
            let parsed = PasswordHash::new(kept).expect("it is one");
            let theirs = Argon2::default().verify_password(password.as_bytes(), &parsed);
            assert_eq!(theirs.is_ok(), is_right, "{password}");
        }
    }

    #[test]
    fn a_hash_of_another_cost_is_read_with_its_own() {
        use argon2::PasswordHasher as _;
        let small = Argon2::new(Algorithm::Argon2id, Version::V0x13, Params::new(64, 1, 1, None).expect("sound"));
        let salt = SaltString::encode_b64(&[7; 16]).expect("a salt");
        let kept = small.hash_password(b"correct horse battery", &salt).expect("sound").to_string();
        let mut memory = vec![Block::new(); 19 * 1024];
        assert_eq!(matches("correct horse battery", &kept, &mut memory), Ok(true));
        assert_eq!(matches("correct horse", &kept, &mut memory), Ok(false));
        assert!(matches("anything", "not a hash", &mut memory).is_err());
    }
}
