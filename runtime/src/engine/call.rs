//! A model call under way, from the side of the session that waits for it.
//!
//! It is given up when nobody waits for it any more. What it may have cost is known at that very moment, so that it can be
//! counted together with what called it off: nothing, if it still waited for its turn, and then it is never made; what its
//! reply came to, if that is there and was not taken up yet; else the prompt and the longest reply. The call's own task
//! asks `Progress` before each attempt and is told there.

use std::sync::Arc;
use std::sync::atomic::{AtomicU8, AtomicU64, Ordering};

use enza_kernel::conversation::{Request, estimate_tokens};
use enza_kernel::effect::AskModel;
use tokio::sync::oneshot;

/// A call.
pub(super) struct Call {
    ask: AskModel,
    progress: Arc<Progress>,
    /// The call goes on by this, and ends where it stands when it is dropped.
    _leave: oneshot::Sender<()>,
}

impl Call {
    /// A call that is yet to be made, and what its task goes by.
    pub fn new(ask: AskModel, request: &Request) -> (Self, Arc<Progress>, oneshot::Receiver<()>) {
        let most = estimate_tokens(&request.to_plain_text()) + u64::from(request.max_output);
        let progress = Arc::new(Progress { at: AtomicU8::new(WAITS), cost: AtomicU64::new(most.min(ask.reserve)) });
        let (leave, left) = oneshot::channel();
        (Self { ask, progress: progress.clone(), _leave: leave }, progress, left)
    }

    /// What is asked.
    pub fn ask(&self) -> &AskModel {
        &self.ask
    }

    /// Ends it, and says how many tokens it may have cost.
    pub fn give_up(self) -> u64 {
        self.progress.give_up();
        self.progress.cost_when_given_up()
    }
}

/// It waits for its turn, or for its next attempt.
const WAITS: u8 = 0;
/// The provider is at work on it, or has answered.
const IS_MADE: u8 = 1;
/// It was given up while it waited.
const GIVEN_UP_WAITING: u8 = 2;
/// It was given up while the provider was at work on it.
const GIVEN_UP_MADE: u8 = 3;

/// How far a call is. What was given up is not made any more.
pub(super) struct Progress {
    at: AtomicU8,
    /// In tokens: the most, until it is answered.
    cost: AtomicU64,
}

impl Progress {
    /// Whether an attempt may be made; from now on it may cost something.
    pub fn begin(&self) -> bool {
        self.at.compare_exchange(WAITS, IS_MADE, Ordering::AcqRel, Ordering::Acquire).is_ok()
    }

    /// It was answered, for so many tokens. They are owed even if it is given up before the answer is taken up.
    pub fn answered(&self, tokens: u64) {
        self.cost.store(tokens, Ordering::Release);
    }

    /// An attempt came to nothing.
    pub fn failed(&self) {
        let _ = self.at.compare_exchange(IS_MADE, WAITS, Ordering::AcqRel, Ordering::Acquire);
    }

    /// How many tokens it may have cost by the time it was given up.
    pub fn cost_when_given_up(&self) -> u64 {
        if self.at.load(Ordering::Acquire) == GIVEN_UP_MADE { self.cost.load(Ordering::Acquire) } else { 0 }
    }

    fn give_up(&self) {
        let given_up = |at| Some(if at == IS_MADE { GIVEN_UP_MADE } else { GIVEN_UP_WAITING });
        let _ = self.at.fetch_update(Ordering::AcqRel, Ordering::Acquire, given_up);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn under_way() -> Progress {
        let progress = Progress { at: AtomicU8::new(WAITS), cost: AtomicU64::new(900) };
        assert!(progress.begin());
        progress
    }

    #[test]
    fn an_answer_that_was_not_taken_up_costs_what_it_came_to() {
        let progress = under_way();
        progress.answered(120);
        progress.give_up();
        assert_eq!(progress.cost_when_given_up(), 120);
    }

    #[test]
    fn what_is_given_up_costs_the_most_while_it_is_made_and_nothing_while_it_waits() {
        let progress = under_way();
        progress.give_up();
        assert_eq!(progress.cost_when_given_up(), 900);
        let progress = under_way();
        progress.failed();
        progress.give_up();
        assert_eq!((progress.cost_when_given_up(), progress.begin()), (0, false));
    }
}
