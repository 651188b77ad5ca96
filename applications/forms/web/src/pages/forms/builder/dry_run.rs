//! The first question of a draft, as the rules would ask it: an interview that is played here and kept nowhere.
//!
//! The interview's own decisions and its understudy are asked, so that what the owner sees is what a respondent is asked
//! where no model answers. A draft that cannot be asked has no first question.

use enza_interview::{Command, Form, Interview, Open, State, understudy};
use enza_kernel::application::{Application, Entry};
use enza_kernel::conversation::Digest;
use enza_kernel::effect::{Effect, Outcome};
use enza_kernel::time::{Actor, Now, Seq, Timestamp};

/// The most replies that are played before a question must be there.
const MOST_REPLIES: usize = 8;

/// The first question.
pub(super) fn first_question(form: &Form, at: Timestamp) -> Option<String> {
    let interview = Interview::new();
    let mut play = DryRun { interview, state: State::default(), seq: Seq::START, at };
    let open = Open { consented: true, ..Open::at_home(form.clone()) };
    let events = play.interview.decide(&play.state, Command::Open(Box::new(open)), &play.now()).ok()?;
    play.take(events);
    for _ in 0..MOST_REPLIES {
        if let Some(question) = play.state.question() {
            return Some(question.to_owned());
        }
        let effect = play.interview.due(&play.state).into_iter().find(|due| matches!(due, Effect::AskModel(_)))?;
        let Effect::AskModel(ask) = &effect else { return None };
        let reply = understudy(&play.interview.request(&play.state, ask));
        let outcome = Outcome::Replied { reply, asked_at: play.seq, prompt: Digest::of(b"") };
        let events = play.interview.settle(&play.state, &effect, outcome, &play.now());
        play.take(events);
    }
    None
}

struct DryRun {
    interview: Interview,
    state: State,
    seq: Seq,
    at: Timestamp,
}

impl DryRun {
    fn now(&self) -> Now {
        Now { time: self.at, head: self.seq, by: Actor::Person("owner".to_owned()) }
    }

    fn take(&mut self, events: Vec<<Interview as Application>::Event>) {
        for event in events {
            self.seq = Seq(self.seq.0 + 1);
            Interview::evolve(&mut self.state, &Entry { seq: self.seq, at: self.at, event });
        }
    }
}
