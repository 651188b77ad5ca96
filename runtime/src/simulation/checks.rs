//! What must hold at the end of a run, whatever happened in it.
//!
//! The witness keeps what people were told, what tools really did and what the model really charged;
//! the checks hold the logs to it. Each check has a planted bug in `flaw.rs` that it must catch.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use enza_kernel::conversation::{Digest, Request};
use enza_kernel::effect::{Effect, Key, RunTool};
use enza_kernel::time::Seq;

use super::role::{Role, ToolWorld};
use super::world::World;
use super::{Report, sendings};
use crate::engine::Engine;
use crate::host::{AnyApplication, ApplicationRegistry};
use crate::seams::store::{Recorded, SessionId, SnapshotUse, Store};

/// Something that must not happen, and did.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub enum Violation {
    /// A command was acknowledged and is not in the log.
    AcknowledgedAndLost { session: String, key: String },
    /// A person's message is in the log twice.
    AcceptedTwice { session: String, words: String },
    /// A gate has two answers.
    GateAnsweredTwice { session: String },
    /// The log has a gap.
    Gap {
        session: String,
        /// After which event.
        after: u64,
    },
    /// Folding the log anew gives another state.
    ReplayDiffers { session: String },
    /// A recorded prompt cannot be rendered again.
    PromptDiffers { session: String, seq: u64 },
    /// A tool that must not be repeated ran twice.
    RanTwice { session: String, key: String },
    /// More was spent than the budget allows.
    BudgetExceeded { session: String, spent: u64, limit: u64 },
    /// A prompt is not the beginning of the next one, and nothing was compacted.
    PrefixBroken {
        session: String,
        /// Before which reply.
        seq: u64,
    },
    /// An agent was shown a secret that is not for it.
    SecretShown { session: String, agent: String },
    /// What one session sent another was taken more than once.
    TakenTwice { session: String, what: String },
    /// A session heard that what it sent was taken, and nobody has it; or that it was not, and somebody has it.
    ToldWrongly { session: String, what: String },
    /// A session took what nobody had sent.
    NeverSent { session: String, what: String },
    /// A rule of the application's own does not hold.
    RuleBroken { session: String, rule: String },
    /// A session did not come to rest after the faults stopped.
    NotAtRest { session: String, standing: String },
}

/// What really happened, apart from the log.
#[derive(Default)]
pub(super) struct Witness {
    sessions: BTreeMap<SessionId, SessionWitness>,
}

#[derive(Default)]
struct SessionWitness {
    role: Option<Arc<dyn Role>>,
    budget: Option<u64>,
    secret: String,
    acknowledged: Vec<(String, Seq, Option<String>)>,
    runs: BTreeMap<Key, u32>,
    charged: u64,
    premises: Option<Box<dyn ToolWorld>>,
    shown_to: BTreeSet<String>,
}

impl Witness {
    pub fn opened(&mut self, session: &SessionId, budget: Option<u64>, secret: &str, role: Arc<dyn Role>) {
        let seen = self.sessions.entry(session.clone()).or_default();
        let premises = role.premises();
        *seen = SessionWitness {
            role: Some(role),
            budget,
            secret: secret.to_owned(),
            premises,
            ..SessionWitness::default()
        };
    }

    pub fn role_of(&self, session: &SessionId, roles: &[Arc<dyn Role>]) -> Arc<dyn Role> {
        self.sessions.get(session).and_then(|seen| seen.role.clone()).unwrap_or_else(|| roles[0].clone())
    }

    /// Who plays, one of each application.
    pub fn roles(&self) -> Vec<Arc<dyn Role>> {
        sendings::one_of_each(self.sessions.values().filter_map(|seen| seen.role.as_ref()))
    }

    pub fn acknowledged(&mut self, session: &SessionId, key: &str, seq: Seq, words: Option<String>) {
        self.sessions.entry(session.clone()).or_default().acknowledged.push((key.to_owned(), seq, words));
    }

    pub fn ran(&mut self, session: &SessionId, key: Key) {
        *self.sessions.entry(session.clone()).or_default().runs.entry(key).or_default() += 1;
    }

    /// What a tool run comes to in the session's own world, where it has one.
    pub fn run(&mut self, session: &SessionId, run: &RunTool, draw: u64) -> Option<String> {
        Some(self.sessions.get_mut(session)?.premises.as_mut()?.run(run, draw))
    }

    pub fn charged(&mut self, session: &SessionId, tokens: u64) {
        self.sessions.entry(session.clone()).or_default().charged += tokens;
    }

    pub fn saw_prompt(&mut self, session: &SessionId, request: &Request, role: &dyn Role) {
        let seen = self.sessions.entry(session.clone()).or_default();
        let visible = !seen.secret.is_empty() && request.to_plain_text().contains(&seen.secret);
        if visible && !role.may_see_secret(&request.agent) {
            seen.shown_to.insert(request.agent.clone());
        }
    }
}

/// Checks every session of a run.
pub(super) async fn check(
    world: &World,
    store: &Arc<dyn Store>,
    repertoire: &ApplicationRegistry,
    engines: &[Engine],
    sessions: &[SessionId],
) -> Report {
    let mut report = Report { sessions: sessions.len() as u64, ..Report::default() };
    for session in sessions {
        let log = CheckedLog {
            session,
            events: store.events(session, Seq::START, usize::MAX).await.unwrap_or_default(),
            accepted: accepted(world, store, session).await,
            in_memory: in_memory(engines, session).await,
        };
        let mut found = check_session(world, repertoire, &log, &mut report);
        check_head(store, session, &log.events, &mut found).await;
        report.events += log.events.len() as u64;
        report.trace = digest(report.trace, &log.events);
        report.violations.extend(found.into_iter().map(|violation| (0, violation)));
    }
    let between = sendings::check(world, store).await;
    report.violations.extend(between.into_iter().map(|violation| (0, violation)));
    report
}

/// A session's log, and what the store and the engines say of it.
struct CheckedLog<'a> {
    session: &'a SessionId,
    events: Vec<Recorded>,
    accepted: BTreeSet<String>,
    in_memory: Vec<(Seq, Vec<u8>)>,
}

fn check_session(
    world: &World,
    repertoire: &ApplicationRegistry,
    log: &CheckedLog<'_>,
    report: &mut Report,
) -> Vec<Violation> {
    let mut found = Vec::new();
    let witness = world.witness.lock().expect("witness");
    let Some(seen) = witness.sessions.get(log.session) else { return found };
    report.acknowledged += seen.acknowledged.len() as u64;
    if let Some(role) = &seen.role {
        *report.profiles.entry(role.profile()).or_default() += 1;
    }
    check_acknowledged(log, seen, &mut found);
    check_log(log, seen, &mut found);
    check_world(log, seen, &mut found);
    if let Some(host) = seen.role.as_ref().and_then(|role| repertoire.find(role.application())) {
        check_replay(log, seen, &*host, &mut found);
    }
    found
}

async fn in_memory(engines: &[Engine], session: &SessionId) -> Vec<(Seq, Vec<u8>)> {
    let mut found = Vec::new();
    for engine in engines {
        found.extend(engine.in_memory(session).await);
    }
    found
}

async fn accepted(world: &World, store: &Arc<dyn Store>, session: &SessionId) -> BTreeSet<String> {
    let keys: Vec<String> = {
        let witness = world.witness.lock().expect("witness");
        let seen = witness.sessions.get(session);
        seen.map(|seen| seen.acknowledged.iter().map(|(key, ..)| key.clone()).collect()).unwrap_or_default()
    };
    let mut found = BTreeSet::new();
    for key in keys {
        if matches!(store.accepted(session, &key).await, Ok(Some(_))) {
            found.insert(key);
        }
    }
    found
}

fn check_acknowledged(log: &CheckedLog<'_>, seen: &SessionWitness, found: &mut Vec<Violation>) {
    let CheckedLog { session, events, accepted, .. } = log;
    let Some(role) = &seen.role else { return };
    let heard = role.all_heard(events);
    for (key, seq, words) in &seen.acknowledged {
        let said = words.as_ref().is_none_or(|words| heard.contains(words));
        if !accepted.contains(key) || *seq > Seq(events.len() as u64) || !said {
            found.push(Violation::AcknowledgedAndLost { session: session.to_string(), key: key.clone() });
        }
    }
    let mut once = BTreeSet::new();
    for words in heard {
        if words.contains("says") && !once.insert(words.clone()) {
            found.push(Violation::AcceptedTwice { session: session.to_string(), words });
        }
    }
}

fn check_log(log: &CheckedLog<'_>, seen: &SessionWitness, found: &mut Vec<Violation>) {
    let CheckedLog { session, events, .. } = log;
    let Some(role) = &seen.role else { return };
    for (place, recorded) in events.iter().enumerate() {
        if recorded.seq != Seq(place as u64 + 1) {
            found.push(Violation::Gap { session: session.to_string(), after: place as u64 });
            break;
        }
    }
    let in_its_world = seen.premises.iter().flat_map(|premises| premises.broken_rules(events));
    let broken = role.broken_rules(events).into_iter().chain(in_its_world);
    found.extend(broken.map(|rule| Violation::RuleBroken { session: session.to_string(), rule }));
    let mut answered = BTreeSet::new();
    for recorded in events {
        if let Some(gate) = role.gate_answered(recorded)
            && !answered.insert(gate)
        {
            found.push(Violation::GateAnsweredTwice { session: session.to_string() });
        }
        if let Some(gate) = role.gate_opened(recorded) {
            answered.remove(&gate);
        }
    }
}

fn check_world(log: &CheckedLog<'_>, seen: &SessionWitness, found: &mut Vec<Violation>) {
    let session = log.session.to_string();
    for (key, runs) in &seen.runs {
        if *runs > 1 {
            found.push(Violation::RanTwice { session: session.clone(), key: key.to_string() });
        }
    }
    if let Some(limit) = seen.budget
        && seen.charged > limit
    {
        found.push(Violation::BudgetExceeded { session: session.clone(), spent: seen.charged, limit });
    }
    for agent in &seen.shown_to {
        found.push(Violation::SecretShown { session: session.clone(), agent: agent.clone() });
    }
}

/// Folds the log anew: the state in memory and every recorded prompt must come out the same, and each prompt must be
/// the beginning of its thread's next.
fn check_replay(log: &CheckedLog<'_>, seen: &SessionWitness, host: &dyn AnyApplication, found: &mut Vec<Violation>) {
    let CheckedLog { session, events, in_memory, .. } = log;
    let Some(role) = &seen.role else { return };
    let name = session.to_string();
    let mut live = host.fresh();
    let mut asked: BTreeMap<(Seq, String), (Digest, Vec<u8>)> = BTreeMap::new();
    let mut before: BTreeMap<String, Vec<u8>> = BTreeMap::new();
    for recorded in events {
        if let Some(reply) = live.prompt_of(recorded) {
            match asked.get(&(reply.asked_at, reply.thread.clone())) {
                Some((digest, lasting)) if *digest == reply.digest => {
                    let last = before.insert(reply.thread, lasting.clone());
                    if last.is_some_and(|last| !lasting.starts_with(&last)) {
                        found.push(Violation::PrefixBroken { session: name.clone(), seq: recorded.seq.0 });
                    }
                }
                Some(_) | None => {
                    found.push(Violation::PromptDiffers { session: name.clone(), seq: recorded.seq.0 });
                }
            }
        }
        if let Some(thread) = role.thread_cut(recorded) {
            before.remove(&thread);
        }
        if live.take(recorded).is_err() {
            found.push(Violation::ReplayDiffers { session: name });
            return;
        }
        for effect in live.due() {
            if let Effect::AskModel(ask) = effect {
                let request = live.request(&ask);
                asked.insert((live.seq(), ask.thread), (request.digest(), request.lasting_bytes()));
            }
        }
        if in_memory.iter().any(|(seq, state)| *seq == live.seq() && *state != live.to_snapshot()) {
            found.push(Violation::ReplayDiffers { session: name.clone() });
        }
    }
}

/// The row's head is the last event, by way of a load as well.
async fn check_head(store: &Arc<dyn Store>, session: &SessionId, events: &[Recorded], found: &mut Vec<Violation>) {
    let head = Seq(events.len() as u64);
    let loaded = store.load(session, SnapshotUse::Never).await.ok().flatten();
    let agrees = loaded.is_some_and(|loaded| loaded.row.head == head && loaded.events.len() == events.len());
    if !agrees {
        found.push(Violation::Gap { session: session.to_string(), after: head.0 });
    }
}

fn digest(before: u64, events: &[Recorded]) -> u64 {
    events.iter().fold(before, |sum, recorded| {
        let text = format!("{}{}{}{}", recorded.seq, recorded.at.0, recorded.stored.kind, recorded.stored.body);
        let bytes = Digest::of(text.as_bytes()).0;
        sum.rotate_left(7) ^ u64::from_le_bytes(bytes[..8].try_into().expect("eight bytes"))
    })
}
