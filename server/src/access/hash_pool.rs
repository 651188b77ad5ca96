//! The one place where passwords are hashed: a few at a time, a bounded number waiting, in memory that is used again.
//!
//! A hash takes 19 MiB on purpose, so whoever sends many passwords at once must not decide how much memory goes. As many
//! hashes are made at a time as there are processors, each in blocks of memory of its own; at most `QUEUE` wait; everyone
//! beyond is told to come back. The blocks are handed from one hash to the next while somebody waits, and given back to
//! the system when nobody does.
//!
//! What a password may be and what a hash means belong to `password`.

use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{LazyLock, Mutex};
use std::thread::available_parallelism;

use argon2::Block;
use tokio::sync::Semaphore;

use crate::problem::Problem;

/// How many may wait for their turn.
pub const QUEUE: usize = 64;
/// The most hashes at a time, however many processors there are: 4 times 19 MiB.
const MOST_AT_ONCE: usize = 4;

/// Room for how many blocks is asked for, whatever a hash needs: more than 32 MiB. Up to there glibc's allocator keeps what
/// was freed, in an arena for each thread that ever made a hash; beyond, memory is mapped apart and goes back to the system
/// when it is freed. Blocks that are not touched cost nothing.
const MAPPED: usize = 33 * 1_024;

/// The process's one place: what a process may take is no matter of how many houses stand in it.
static POOL: LazyLock<HashPool> = LazyLock::new(|| HashPool::new(processors().min(MOST_AT_ONCE), QUEUE));

/// The memory of one hash, grown to what the hash asks for.
pub type HashMemory = Vec<Block>;

/// A place where so many work at a time and so many wait.
struct HashPool {
    turns: Semaphore,
    queue: usize,
    waiting: AtomicUsize,
    /// Memory that was used and is not in use, while others wait for it.
    spare: Mutex<Vec<HashMemory>>,
}

/// Does the work of a hash in its turn, or says that too many wait already.
pub async fn in_turn<T: Send + 'static>(
    work: impl FnOnce(&mut HashMemory) -> T + Send + 'static,
) -> Result<T, Problem> {
    POOL.in_turn(work).await
}

impl HashPool {
    fn new(at_once: usize, queue: usize) -> Self {
        Self { turns: Semaphore::new(at_once), queue, waiting: AtomicUsize::new(0), spare: Mutex::default() }
    }

    async fn in_turn<T: Send + 'static>(
        &'static self,
        work: impl FnOnce(&mut HashMemory) -> T + Send + 'static,
    ) -> Result<T, Problem> {
        let turn = match self.turns.try_acquire() {
            Ok(turn) => turn,
            Err(_) => {
                let _waiting = QueuePosition::join(&self.waiting, self.queue).ok_or(Problem::Busy)?;
                self.turns.acquire().await.map_err(|_| Problem::Bug)?
            }
        };
        let done = tokio::task::spawn_blocking(move || {
            // Held until the work is over, even where whoever asked has gone away.
            let _turn = turn;
            let spare = self.spare.lock().expect("spare").pop();
            let mut memory = spare.unwrap_or_else(|| HashMemory::with_capacity(MAPPED));
            let done = work(&mut memory);
            self.put_back(memory);
            done
        });
        done.await.map_err(|_| Problem::Bug)
    }

    /// Leaves memory to whoever waits; where nobody does, all of it goes back to the system.
    fn put_back(&self, memory: HashMemory) {
        let mut spare = self.spare.lock().expect("spare");
        spare.push(memory);
        if self.waiting.load(Ordering::Acquire) == 0 {
            spare.clear();
            spare.shrink_to_fit();
        }
    }
}

/// Somebody who waits, until this is dropped: also when they have gone away.
struct QueuePosition<'a>(&'a AtomicUsize);

impl<'a> QueuePosition<'a> {
    fn join(waiting: &'a AtomicUsize, most: usize) -> Option<Self> {
        let one_more = |count| (count < most).then_some(count + 1);
        waiting.fetch_update(Ordering::AcqRel, Ordering::Acquire, one_more).ok()?;
        Some(Self(waiting))
    }
}

impl Drop for QueuePosition<'_> {
    fn drop(&mut self) {
        self.0.fetch_sub(1, Ordering::AcqRel);
    }
}

fn processors() -> usize {
    available_parallelism().map_or(1, usize::from)
}

#[cfg(test)]
mod tests {
    use std::sync::mpsc;

    use super::*;

    #[tokio::test(flavor = "multi_thread")]
    async fn beyond_those_who_work_and_wait_everyone_is_told_to_come_back() {
        static SMALL: LazyLock<HashPool> = LazyLock::new(|| HashPool::new(1, 2));
        let (go, wait) = mpsc::channel::<()>();
        let first = tokio::spawn(SMALL.in_turn(move |memory| {
            memory.resize(8, Block::new());
            wait.recv().expect("the word to go on");
        }));
        while SMALL.turns.available_permits() > 0 {
            tokio::task::yield_now().await;
        }
        let others: Vec<_> = (0..2).map(|_| tokio::spawn(SMALL.in_turn(|memory| memory.len()))).collect();
        while SMALL.waiting.load(Ordering::Acquire) < 2 {
            tokio::task::yield_now().await;
        }
        assert_eq!(SMALL.in_turn(|_| ()).await, Err(Problem::Busy));
        go.send(()).expect("the first still waits");
        assert_eq!(first.await.expect("no panic"), Ok(()));
        for other in others {
            // The second has the memory of the first; whether the third has depends on who still waited by then.
            assert!(other.await.expect("no panic").is_ok());
        }
        assert_eq!(SMALL.in_turn(|memory| memory.len()).await, Ok(0), "what nobody waited for went back");
        assert!(SMALL.spare.lock().expect("spare").is_empty());
    }

    #[tokio::test]
    async fn whoever_goes_away_while_waiting_leaves_the_queue() {
        static ONE: LazyLock<HashPool> = LazyLock::new(|| HashPool::new(1, 1));
        let turn = ONE.turns.acquire().await.expect("never closed");
        let gone = tokio::time::timeout(std::time::Duration::from_millis(1), ONE.in_turn(|_| ())).await;
        assert!(gone.is_err(), "the turn was not free");
        assert_eq!(ONE.waiting.load(Ordering::Acquire), 0);
        drop(turn);
        assert_eq!(ONE.in_turn(|_| ()).await, Ok(()));
    }
}
