//! How many streams a person has open at once, so that nobody takes them all.

use std::collections::HashMap;
use std::sync::{Arc, Mutex};

/// Everybody's open streams. Clones count together.
#[derive(Debug, Clone, Default)]
pub struct StreamPermits(Arc<Mutex<HashMap<String, usize>>>);

/// A stream that is open, until it is dropped.
#[derive(Debug)]
pub struct StreamPermit {
    seats: StreamPermits,
    person: String,
}

impl StreamPermits {
    /// A seat for a person, if fewer than `most` are taken.
    pub fn take(&self, person: &str, most: usize) -> Option<StreamPermit> {
        let mut taken = self.0.lock().expect("seats");
        let count = taken.entry(person.to_owned()).or_default();
        if *count >= most {
            return None;
        }
        *count += 1;
        Some(StreamPermit { seats: self.clone(), person: person.to_owned() })
    }

    /// How many streams are open in all.
    pub fn taken(&self) -> usize {
        self.0.lock().expect("seats").values().sum()
    }
}

impl Drop for StreamPermit {
    fn drop(&mut self) {
        let mut taken = self.seats.0.lock().expect("seats");
        if let Some(count) = taken.get_mut(&self.person) {
            *count -= 1;
            if *count == 0 {
                taken.remove(&self.person);
            }
        }
    }
}
