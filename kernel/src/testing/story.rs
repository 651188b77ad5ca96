//! Given these events, when this command, then these events.
//!
//! A story folds events, decides one thing and compares whole values. A failed `then` prints both
//! sides. Time stands still unless the story moves it.

use crate::application::{Application, Entry};
use crate::effect::{Effect, Outcome};
use crate::time::{Actor, Now, Seq, Timestamp};

/// A story about one application.
pub struct Story<'a, A: Application> {
    app: &'a A,
    state: A::State,
    now: Now,
    told: Option<Result<Vec<A::Event>, A::Refusal>>,
}

/// Begins a story with what has happened.
pub fn given<A: Application>(app: &A, events: impl IntoIterator<Item = A::Event>) -> Story<'_, A> {
    let now = Now { time: Timestamp(0), head: Seq::START, by: Actor::Person("ada".to_owned()) };
    Story { app, state: A::State::default(), now, told: None }.and(events)
}

/// The state that events lead to, all at the same time.
pub fn fold<A: Application>(events: impl IntoIterator<Item = A::Event>) -> A::State {
    let mut state = A::State::default();
    for (place, event) in events.into_iter().enumerate() {
        A::evolve(&mut state, &Entry { seq: Seq(place as u64 + 1), at: Timestamp(0), event });
    }
    state
}

impl<A: Application> Story<'_, A> {
    /// Sets the time of what follows.
    pub fn at(mut self, time: Timestamp) -> Self {
        self.now.time = time;
        self
    }

    /// Sets who acts from here on.
    pub fn by(mut self, actor: Actor) -> Self {
        self.now.by = actor;
        self
    }

    /// More that has happened.
    pub fn and(mut self, events: impl IntoIterator<Item = A::Event>) -> Self {
        for event in events {
            self.now.head = self.now.head.next();
            A::evolve(&mut self.state, &Entry { seq: self.now.head, at: self.now.time, event });
        }
        self
    }

    /// Someone asks for something. What was decided before is taken in first.
    pub fn when(mut self, command: A::Command) -> Self {
        self = self.go_on();
        self.told = Some(self.app.decide(&self.state, command, &self.now));
        self
    }

    /// A due effect has an outcome: the first that `choose` accepts.
    ///
    /// # Panics
    /// If no such effect is due.
    pub fn when_settled(mut self, choose: impl Fn(&Effect) -> bool, outcome: Outcome) -> Self {
        self = self.go_on();
        let due = self.app.due(&self.state);
        let effect = due.iter().find(|effect| choose(effect)).unwrap_or_else(|| panic!("not due; due is: {due:#?}"));
        self.told = Some(Ok(self.app.settle(&self.state, effect, outcome, &self.now)));
        self
    }

    /// These events follow.
    ///
    /// # Panics
    /// If others do.
    pub fn then(self, expected: impl IntoIterator<Item = A::Event>) -> Self {
        let expected: Vec<_> = expected.into_iter().collect();
        assert_eq!(self.told.as_ref().expect("nothing was asked for"), &Ok(expected));
        self
    }

    /// It is refused for this reason.
    ///
    /// # Panics
    /// If it is not.
    pub fn then_refused(self, refusal: A::Refusal) -> Self {
        assert_eq!(self.told.as_ref().expect("nothing was asked for"), &Err(refusal));
        self
    }

    /// What is owed after it satisfies a question.
    ///
    /// # Panics
    /// If it does not.
    pub fn then_due(mut self, question: impl Fn(&[Effect]) -> bool) -> Self {
        self = self.go_on();
        let due = self.app.due(&self.state);
        assert!(question(&due), "due is: {due:#?}");
        self
    }

    /// Takes in what was decided last.
    pub fn go_on(mut self) -> Self {
        match self.told.take() {
            None => self,
            Some(Ok(events)) => self.and(events),
            Some(Err(refusal)) => {
                self.told = Some(Err(refusal));
                self
            }
        }
    }

    /// The events decided last.
    ///
    /// # Panics
    /// If it was refused, or nothing was asked for.
    pub fn events(&self) -> &[A::Event] {
        self.told.as_ref().expect("nothing was asked for").as_ref().expect("it was refused")
    }

    /// The state, with what was decided taken in.
    pub fn into_state(self) -> A::State {
        self.go_on().state
    }
}
