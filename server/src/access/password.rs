//! Passwords and names: what may be one, and how a password is kept.
//!
//! A password is kept as an argon2id hash and nothing else. Hashing takes memory and time on purpose, so it runs beside
//! the async threads and a few at a time. Asking about a name that nobody has does the same work as asking about one
//! that somebody has: how long an answer takes tells nobody who is here.

use std::sync::OnceLock;

use argon2::password_hash::{PasswordHash, PasswordHasher as _, PasswordVerifier as _, SaltString};
use argon2::{Algorithm, Argon2, Params, Version};
use enza_kernel::limits;
use tokio::sync::Semaphore;

use crate::house::LOCAL;
use crate::problem::Problem;

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
/// How many hashes are made at a time, so that many sign-ins at once do not take all the memory.
static ROOM: Semaphore = Semaphore::const_new(4);

/// Whether a name may be given.
pub fn check_name(name: &str) -> Result<(), Problem> {
    let letters = name.bytes().all(|byte| byte.is_ascii_lowercase() || byte.is_ascii_digit() || b"_-".contains(&byte));
    let is_fit = letters && (NAME_SHORTEST..=NAME_LONGEST).contains(&name.len()) && name != LOCAL;
    if is_fit { Ok(()) } else { Err(Problem::NameUnfit) }
}

/// Whether a password may be used by whoever has this name.
pub fn check_password(name: &str, password: &str) -> Result<(), Problem> {
    let is_long_enough = (SHORTEST..=LONGEST).contains(&limits::length(password)) && password.len() <= 4 * LONGEST;
    let is_the_name = password.trim().eq_ignore_ascii_case(name);
    if is_long_enough && !is_the_name { Ok(()) } else { Err(Problem::PasswordUnfit) }
}

/// The hash of a password, to be kept.
pub async fn hash(password: &str) -> Result<String, Problem> {
    let password = password.to_owned();
    aside(move || hash_now(&password)).await
}

/// Whether a password is the one behind a hash. Without a hash it never is, and that takes as long to find out.
pub async fn is_right(password: &str, kept: Option<&str>) -> Result<bool, Problem> {
    let (password, kept) = (password.to_owned(), kept.map(str::to_owned));
    aside(move || {
        let decoy = kept.is_none();
        let kept = kept.unwrap_or_else(|| a_hash().to_owned());
        let Ok(parsed) = PasswordHash::new(&kept) else {
            tracing::error!("a kept password hash cannot be read; nobody can sign in with it");
            return false;
        };
        // The parameters are those of the hash: raising COST locks nobody out.
        hasher().verify_password(password.as_bytes(), &parsed).is_ok() && !decoy
    })
    .await
}

async fn aside<T: Send + 'static>(work: impl FnOnce() -> T + Send + 'static) -> Result<T, Problem> {
    let place = ROOM.acquire().await.map_err(|_| Problem::Bug)?;
    let done = tokio::task::spawn_blocking(move || {
        // Held until the work is over, even where whoever asked has gone away.
        let _place = place;
        work()
    });
    done.await.map_err(|_| Problem::Bug)
}

/// The hash of a password that nobody has.
fn a_hash() -> &'static str {
    static HASH: OnceLock<String> = OnceLock::new();
    HASH.get_or_init(|| hash_now("nobody has this password"))
}

fn hash_now(password: &str) -> String {
    let mut salt = [0; 16];
    getrandom::fill(&mut salt).expect("the system has chance to give");
    let salt = SaltString::encode_b64(&salt).expect("sixteen bytes make a salt");
    let hash = hasher().hash_password(password.as_bytes(), &salt).expect("the parameters are sound");
    hash.to_string()
}

fn hasher() -> Argon2<'static> {
    let (memory, passes, lanes) = COST;
    let cost = Params::new(memory, passes, lanes, None).expect("the parameters are sound");
    Argon2::new(Algorithm::Argon2id, Version::V0x13, cost)
}
