//! The people of a run: they open a session, take their turns, and do what people do.
//!
//! They click twice, send late, answer one gate from two screens, and try again after an error with the
//! same key. What they were told is kept by the witness; what was never acknowledged they may repeat.

use std::sync::{Arc, Mutex};
use std::time::Duration;

use serde_json::Value;

use super::role::Role;
use super::world::{Fault, World};
use crate::engine::{Declined, Engine, Submission};
use crate::seams::store::{SessionId, SessionOpening, Store};

/// The workers that are alive.
pub(super) type Workers = Arc<Mutex<[Option<Engine>; 2]>>;

pub(super) struct SimPerson {
    pub world: Arc<World>,
    pub workers: Workers,
    pub store: Arc<dyn Store>,
    pub role: Arc<dyn Role>,
    pub session: SessionId,
    pub turns: u64,
}

impl SimPerson {
    /// Plays a session to the end of its turns.
    pub async fn play(self) {
        let budget = self.world.happens(40).then(|| 3_000 + self.world.below(60_000));
        let budget = budget.filter(|_| self.role.keeps_budget());
        let secret = format!("secret-of-{}", self.session);
        self.world.witness.lock().expect("witness").opened(&self.session, budget, &secret, self.role.clone());
        let opening = self.role.opening(budget, &secret, self.world.below(1 << 32));
        self.deliver(opening, "open", None, true).await;
        for turn in 0..self.turns {
            let state = self.state_at_rest().await;
            let words = format!("{} says {turn}", self.session);
            let Some(command) = self.role.next(&state, &words, self.world.below(1 << 32)) else { return };
            let said = command.to_string().contains(&words).then_some(words);
            self.take_turn(command, &format!("turn-{turn}"), said).await;
        }
        self.state_at_rest().await;
    }

    async fn take_turn(&self, command: Value, key: &str, said: Option<String>) {
        match self.world.below(10) {
            0 | 1 => {
                self.world.count(Fault::Duplicated);
                tokio::join!(
                    self.deliver(command.clone(), key, said.clone(), false),
                    self.deliver(command.clone(), key, said.clone(), false)
                );
            }
            2 => {
                self.world.count(Fault::Duplicated);
                self.deliver(command.clone(), key, said.clone(), false).await;
                tokio::time::sleep(Duration::from_millis(self.world.below(5_000))).await;
                self.deliver(command, key, said, false).await;
            }
            3..=6 if self.role.rival(&command).is_some() => {
                self.world.count(Fault::Reordered);
                let (rival, rival_key) = (self.role.rival(&command).expect("just seen"), format!("{key}-rival"));
                tokio::join!(self.deliver(command, key, said, false), self.deliver(rival, &rival_key, None, false));
            }
            3 => {
                self.world.count(Fault::Reordered);
                let words = format!("{} also says {key}", self.session);
                let (other, other_key) = (serde_json::json!({"say": {"text": words}}), format!("{key}-other"));
                tokio::join!(
                    self.deliver(command, key, said, false),
                    self.deliver(other, &other_key, Some(words), false)
                );
            }
            _ => self.deliver(command, key, said, false).await,
        }
    }

    /// Sends a command until someone says yes or no, always with the same key.
    async fn deliver(&self, command: Value, key: &str, said: Option<String>, opens: bool) {
        loop {
            tokio::time::sleep(Duration::from_millis(self.world.below(50))).await;
            let Some(engine) = self.some_worker() else { continue };
            let by = self.role.sender(&command);
            let submission = Submission { command: command.clone(), by, key: Some(key.to_owned()) };
            let answer = if opens {
                engine.open(&self.session, SessionOpening::new(self.role.application(), "ada"), submission).await
            } else {
                engine.submit(&self.session, submission).await
            };
            match answer {
                Ok(_) if self.role.may_change_nothing(&command) => return,
                Ok(receipt) => {
                    self.world.witness.lock().expect("witness").acknowledged(&self.session, key, receipt.seq, said);
                    return;
                }
                Err(Declined::Failed(_) | Declined::Contended) => {}
                Err(
                    Declined::Refused(_)
                    | Declined::Malformed(_)
                    | Declined::TooLarge { .. }
                    | Declined::UnknownSession(_)
                    | Declined::UnknownApplication(_)
                    | Declined::NameTaken(_),
                ) => return,
            }
        }
    }

    /// The session's state once it owes nothing.
    async fn state_at_rest(&self) -> Value {
        loop {
            tokio::time::sleep(Duration::from_millis(100 + self.world.below(200))).await;
            let Ok(Some(row)) = self.store.find(&self.session).await else { continue };
            if row.standing.phase == enza_kernel::application::Phase::Working {
                continue;
            }
            let Some(engine) = self.some_worker() else { continue };
            // The worker may stop in the middle of this; a person then looks again.
            let look = tokio::time::timeout(Duration::from_secs(5), engine.state_at(&self.session, None)).await;
            if let Ok(Ok(live)) = look {
                return live.to_json();
            }
        }
    }

    fn some_worker(&self) -> Option<Engine> {
        let workers = self.workers.lock().expect("workers");
        let first = self.world.below(2) as usize;
        workers[first].clone().or_else(|| workers[1 - first].clone())
    }
}
