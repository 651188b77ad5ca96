//! A few writers, each with a queue that it puts into one statement at a time.
//!
//! A session always has the same writer, so that its appends stay in order and two writers never want the same row. The
//! longer a statement takes, the more appends the next one carries. Where a statement fails as a whole for something in
//! one append, each of its appends is tried alone, and only the culprit fails; where the connection failed, nobody knows
//! what took place, and all are told so.

use std::collections::{HashSet, VecDeque};
use std::hash::{BuildHasher, BuildHasherDefault, DefaultHasher};

use deadpool_postgres::Pool;
use enza_runtime::seams::store::{Append, Appended, Failure};
use tokio::sync::mpsc::{self, UnboundedReceiver, UnboundedSender};
use tokio::sync::oneshot;

use super::append::append;
use super::link_cache::LinkCache;
use crate::fault::Fault;

/// Writers. Enough to have one statement under way while another's commit is being synced.
const WRITERS: usize = 3;

/// Appends in one statement, at most.
const BATCH: usize = 256;

struct Waiting {
    append: Append,
    answer: oneshot::Sender<Result<Appended, Failure>>,
}

/// The writers, from outside.
pub(super) struct Writers {
    queues: Vec<UnboundedSender<Waiting>>,
}

impl Writers {
    /// Starts the writers on this runtime. They end when the store is dropped and their queues are empty.
    pub fn start(pool: &Pool) -> Self {
        let start = |_| {
            let (queue, waiting) = mpsc::unbounded_channel();
            tokio::spawn(serve(pool.clone(), waiting));
            queue
        };
        Self { queues: (0..WRITERS).map(start).collect() }
    }

    /// Appends, in a statement shared with others.
    pub async fn append(&self, append: Append) -> Result<Appended, Failure> {
        let gone = || Failure::Other("the writer has stopped".to_owned());
        let hash = BuildHasherDefault::<DefaultHasher>::default().hash_one(&append.session);
        let queue = &self.queues[usize::try_from(hash % self.queues.len() as u64).unwrap_or(0)];
        let (answer, answered) = oneshot::channel();
        queue.send(Waiting { append, answer }).map_err(|_| gone())?;
        answered.await.map_err(|_| gone())?
    }
}

async fn serve(pool: Pool, mut queue: UnboundedReceiver<Waiting>) {
    // Appends of a session that is in the batch already: they come first in the next one.
    let mut later = VecDeque::new();
    let mut links = LinkCache::default();
    loop {
        if later.is_empty() {
            let Some(first) = queue.recv().await else { return };
            later.push_back(first);
        }
        while let Ok(more) = queue.try_recv() {
            later.push_back(more);
        }
        let batch = take_batch(&mut later);
        let appends: Vec<_> = batch.iter().map(|one| &one.append).collect();
        match together(&pool, &appends, &mut links).await {
            Ok(answers) => {
                for (one, answer) in batch.into_iter().zip(answers) {
                    let _ = one.answer.send(Ok(answer));
                }
            }
            Err(Fault(failure)) if is_shared(&failure) || batch.len() == 1 => {
                for one in batch {
                    let _ = one.answer.send(Err(failure.clone()));
                }
            }
            Err(_) => one_by_one(&pool, batch, &mut links).await,
        }
    }
}

/// The next appends, each session once, in the order in which they came.
fn take_batch(later: &mut VecDeque<Waiting>) -> Vec<Waiting> {
    let mut sessions = HashSet::new();
    let mut batch = Vec::new();
    let mut left = VecDeque::new();
    while let Some(one) = later.pop_front() {
        if batch.len() < BATCH && sessions.insert(one.append.session.clone()) {
            batch.push(one);
        } else {
            // The session's later appends must not overtake this one.
            sessions.insert(one.append.session.clone());
            left.push_back(one);
        }
    }
    *later = left;
    batch
}

async fn together(pool: &Pool, appends: &[&Append], links: &mut LinkCache) -> Result<Vec<Appended>, Fault> {
    let client = pool.get().await?;
    append(&client, appends, links).await
}

async fn one_by_one(pool: &Pool, batch: Vec<Waiting>, links: &mut LinkCache) {
    for one in batch {
        let answer = together(pool, &[&one.append], links).await.map_err(Failure::from);
        let _ = one.answer.send(answer.and_then(|answers| {
            answers.first().copied().ok_or_else(|| Failure::Other("the server gave no answer".to_owned()))
        }));
    }
}

/// Whether a failure is everyone's: it would meet each append alone just the same, or it may have taken place.
fn is_shared(failure: &Failure) -> bool {
    match failure {
        Failure::Unreachable(_) | Failure::Full(_) | Failure::ReadOnly(_) | Failure::Newer { .. } => true,
        Failure::Damaged(_)
        | Failure::LogDamaged(_)
        | Failure::Missing(_)
        | Failure::EventDamaged { .. }
        | Failure::Unreadable(_)
        | Failure::Other(_) => false,
    }
}
