//! The latest of something, the newest last: a short memory that costs nothing to copy.
//!
//! Every decision works on a copy of the state, so what is only remembered must not be copied with it each time: it is
//! shared, and a copy that takes in something new has a list of its own with the same entries. In JSON it is a plain
//! list. How many are kept is said by whoever adds one.

use std::ops::Deref;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

/// The latest of something, the newest last.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Latest<T>(Arc<Vec<Arc<T>>>);

impl<T> Latest<T> {
    /// Adds the newest, and forgets the oldest beyond so many.
    pub(super) fn push(&mut self, newest: T, most: usize) {
        let list = Arc::make_mut(&mut self.0);
        list.push(Arc::new(newest));
        let surplus = list.len().saturating_sub(most);
        list.drain(..surplus);
    }

    /// Keeps those of which this is true.
    pub(super) fn retain(&mut self, is_kept: impl Fn(&T) -> bool) {
        Arc::make_mut(&mut self.0).retain(|one| is_kept(one));
    }
}

impl<T: Clone> Latest<T> {
    /// Changes those of which this is true.
    pub(super) fn change(&mut self, is_it: impl Fn(&T) -> bool, change: impl Fn(&mut T)) {
        let list = Arc::make_mut(&mut self.0);
        list.iter_mut().filter(|one| is_it(one)).for_each(|one| change(Arc::make_mut(one)));
    }

    /// The one of which this is true, or else the newest, to be changed.
    pub(super) fn find_mut(&mut self, is_it: impl Fn(&T) -> bool) -> Option<&mut T> {
        let list = Arc::make_mut(&mut self.0);
        let place = list.iter().rposition(|one| is_it(one)).or_else(|| list.len().checked_sub(1))?;
        list.get_mut(place).map(Arc::make_mut)
    }
}

impl<T> Default for Latest<T> {
    fn default() -> Self {
        Self(Arc::default())
    }
}

impl<T> Deref for Latest<T> {
    type Target = [Arc<T>];

    fn deref(&self) -> &[Arc<T>] {
        &self.0
    }
}

impl<'a, T> IntoIterator for &'a Latest<T> {
    type Item = &'a Arc<T>;
    type IntoIter = std::slice::Iter<'a, Arc<T>>;

    fn into_iter(self) -> Self::IntoIter {
        self.iter()
    }
}
