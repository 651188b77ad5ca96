//! Lets people in: looks up whose a cookie or a token is.
//!
//! A pass is asked about with every request, so what was found is remembered for a few seconds. Whoever takes a pass
//! away here, or changes a person, says so with `forget`, and it counts at once, also for live streams that are open;
//! what another process takes away counts when the memory runs out.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::{Duration, Instant};

use axum::http::HeaderMap;
use axum::http::header::AUTHORIZATION;
use enza_kernel::conversation::Digest;
use enza_kernel::time::Timestamp;
use enza_runtime::seams::register::{Pass, PassKind, Person, Register};
use enza_runtime::seams::store::Failure;
use tokio::sync::broadcast;

use super::address::{Address, Channel};
use super::caller::{AuthMethod, Caller};
use super::cookie;
use super::pass::is_pass_valid;
use super::secret::Secret;

/// How long what was found is remembered.
const MEMORY: Duration = Duration::from_secs(5);
/// How many are remembered.
const MOST: usize = 10_000;
/// How many changes a live stream may miss before it asks about itself, whoever they were about.
const CHANGES: usize = 64;
/// How seldom the last use of a pass is written down, in milliseconds.
const SELDOM: i64 = 60_000;

/// Lets people in.
pub struct Authenticator {
    register: Arc<dyn Register>,
    memory: Mutex<PassCache>,
    /// The names of people about whom something changed.
    changes: broadcast::Sender<Arc<str>>,
}

#[derive(Default)]
struct PassCache {
    known: HashMap<Digest, CachedPass>,
    /// How often something was forgotten: what was read before that is not remembered after it.
    forgotten: u64,
}

#[derive(Clone)]
struct CachedPass {
    since: Instant,
    pass: Arc<Pass>,
    person: Arc<Person>,
}

impl Authenticator {
    /// A doorkeeper with the register's list.
    pub fn new(register: Arc<dyn Register>) -> Self {
        Self { register, memory: Mutex::default(), changes: broadcast::Sender::new(CHANGES) }
    }

    /// The names of people of whom a pass was taken away or something else changed, from now on.
    pub fn changes(&self) -> broadcast::Receiver<Arc<str>> {
        self.changes.subscribe()
    }

    /// Whoever these headers let in; nobody where they let in nobody. From where is for the edge to add.
    pub async fn authenticate(
        &self,
        headers: &HeaderMap,
        channel: Channel,
        now: Timestamp,
    ) -> Result<Option<Caller>, Failure> {
        let Some((secret, kind)) = brought(headers, channel) else { return Ok(None) };
        self.let_in(secret.digest(), kind, now).await
    }

    /// Whoever was let in, if they still are.
    pub async fn reauthenticate(&self, caller: &Caller, now: Timestamp) -> Result<Option<Caller>, Failure> {
        match &caller.way {
            AuthMethod::Browser { digest } => self.let_in(*digest, PassKind::SignIn, now).await,
            AuthMethod::Token { digest, .. } => self.let_in(*digest, PassKind::Token, now).await,
        }
    }

    async fn let_in(&self, digest: Digest, kind: PassKind, now: Timestamp) -> Result<Option<Caller>, Failure> {
        let Some(known) = self.look_up(&digest).await? else { return Ok(None) };
        if known.pass.kind != kind || !is_pass_valid(&known.pass, now) || known.person.is_blocked {
            return Ok(None);
        }
        if known.pass.used_at.is_none_or(|last| now.0 - last.0 > SELDOM) {
            if let Err(failure) = self.register.used(&digest, now).await {
                // Nobody is kept out because a database may only be read just now.
                tracing::warn!(%failure, "the last use of a pass was not kept");
            }
            self.memory.lock().expect("memory").forget(&digest);
        }
        let way = match kind {
            PassKind::Token => AuthMethod::Token { digest, scopes: known.pass.scopes.clone() },
            PassKind::SignIn | PassKind::Invitation | PassKind::Link => AuthMethod::Browser { digest },
        };
        Ok(Some(Caller { person: known.person, way, from: Address::default() }))
    }

    /// Forgets what is remembered of a person's pass that was taken away.
    pub fn forget(&self, name: &str, digest: &Digest) {
        self.memory.lock().expect("memory").forget(digest);
        self.tell(name);
    }

    /// Forgets what is remembered of a person, whatever the pass.
    pub fn forget_person(&self, name: &str) {
        let mut memory = self.memory.lock().expect("memory");
        memory.forgotten += 1;
        memory.known.retain(|_, known| known.person.name != name);
        drop(memory);
        self.tell(name);
    }

    fn tell(&self, name: &str) {
        // Where nobody listens, nobody has to be told.
        let _ = self.changes.send(name.into());
    }

    async fn look_up(&self, digest: &Digest) -> Result<Option<CachedPass>, Failure> {
        let (remembered, forgotten) = {
            let memory = self.memory.lock().expect("memory");
            (memory.known.get(digest).cloned(), memory.forgotten)
        };
        if let Some(known) = remembered.filter(|known| known.since.elapsed() < MEMORY) {
            return Ok(Some(known));
        }
        let Some(pass) = self.register.pass(digest).await? else { return Ok(None) };
        let Some(name) = &pass.person else { return Ok(None) };
        let Some(person) = self.register.person(name).await? else { return Ok(None) };
        let known = CachedPass { since: Instant::now(), pass: Arc::new(pass), person: Arc::new(person) };
        let mut memory = self.memory.lock().expect("memory");
        if memory.known.len() >= MOST {
            memory.known.clear();
        }
        if memory.forgotten == forgotten {
            memory.known.insert(*digest, known.clone());
        }
        Ok(Some(known))
    }
}

impl PassCache {
    fn forget(&mut self, digest: &Digest) {
        self.forgotten += 1;
        self.known.remove(digest);
    }
}

/// The secret in the headers, and the kind of pass it claims to be. A token goes before a cookie.
fn brought(headers: &HeaderMap, channel: Channel) -> Option<(Secret, PassKind)> {
    if let Some(value) = headers.get(AUTHORIZATION) {
        let token = value.to_str().ok()?.strip_prefix("Bearer ")?;
        return Some((Secret::brought(token.trim()), PassKind::Token));
    }
    Some((Secret::brought(cookie::signed_in(headers, channel)?), PassKind::SignIn))
}
