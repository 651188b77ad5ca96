//! Forms under simulation: an owner who describes, edits, publishes, shares and closes; respondents who come by links,
//! submit and are forgotten; a stranger who may do nothing; and an architect's model that writes sense and nonsense.
//!
//! The session's secret stands in the notes of links and in the receiver's address, which the architect must not see.
//! Whatever happens, the log is held against the promises of a form (`rules.rs`).

mod commands;
mod dice;
#[cfg(test)]
mod flaws;
mod replies;
mod rules;

use enza_forms::{Command, Event, Forms, State};
use enza_interview::Form;
use enza_kernel::agent::{Step, ThreadEvent};
use enza_kernel::conversation::{Reply, Request};
use enza_kernel::text::Lang;
use enza_kernel::time::Actor;
use enza_runtime::seams::store::Recorded;
use enza_runtime::simulation::Role;
use serde_json::{Value, json};

use dice::Dice;

/// What everything bears that somebody else than the owner asks for.
const STRANGER: &str = "stranger";

/// What stands between a person's words and what the form is to be.
const AFTER_WORDS: &str = ": ";

/// Those who have to do with a form.
pub struct FormsRole;

impl Role for FormsRole {
    fn application(&self) -> &'static str {
        "form"
    }

    fn profile(&self) -> &'static str {
        "forms"
    }

    fn opening(&self, _budget: Option<u64>, secret: &str, draw: u64) -> Value {
        let mut dice = Dice::new(draw);
        let session = secret.rsplit('-').next().unwrap_or(secret);
        let language = dice.pick(&[Lang::Ja, Lang::En]);
        let (form, sentence) = match dice.below(4) {
            0 => (None, None),
            1 | 2 => (Some(Form::sample(language)), None),
            _ => (None, Some(format!("{session}{AFTER_WORDS}{}", commands::wish(&mut dice, language)))),
        };
        json!(Command::Begin { title: String::new(), language, form, sentence })
    }

    fn next(&self, state: &Value, words: &str, draw: u64) -> Option<Value> {
        let state: State = serde_json::from_value(state.clone()).ok()?;
        Some(json!(commands::next(&state, words, &mut Dice::new(draw))))
    }

    fn rival(&self, command: &Value) -> Option<Value> {
        let command = serde_json::from_value(command.clone()).ok()?;
        commands::rival(command).map(|rival| json!(rival))
    }

    fn reply(&self, request: &Request, draw: u64) -> Reply {
        replies::reply(request, draw)
    }

    fn sender(&self, command: &Value) -> Actor {
        if command.to_string().contains(STRANGER) {
            return Actor::Person("bob".to_owned());
        }
        match serde_json::from_value(command.clone()) {
            Ok(Command::Admit { .. } | Command::Receive { .. } | Command::Forget { .. }) => Actor::Runtime,
            Ok(_) | Err(_) => Actor::Person("ada".to_owned()),
        }
    }

    /// The architect is bounded by its rounds; a form's budget is for the interviews about it.
    fn keeps_budget(&self) -> bool {
        false
    }

    fn may_change_nothing(&self, command: &Value) -> bool {
        match serde_json::from_value(command.clone()) {
            Ok(
                Command::Close
                | Command::Reopen
                | Command::RevokeLink { .. }
                | Command::Admit { .. }
                | Command::Forget { .. }
                | Command::SetRules { .. }
                | Command::SetWebhook { .. },
            ) => true,
            Ok(
                Command::Begin { .. }
                | Command::Edit { .. }
                | Command::Describe { .. }
                | Command::Publish
                | Command::MakeLink { .. }
                | Command::Receive { .. }
                | Command::RetryModel,
            )
            | Err(_) => false,
        }
    }

    fn may_see_secret(&self, _agent: &str) -> bool {
        false
    }

    fn heard(&self, recorded: &Recorded) -> Option<String> {
        let Event::Described { sentence } = event(recorded)? else { return None };
        sentence.split_once(AFTER_WORDS).map(|(words, _)| words.to_owned())
    }

    fn gate_answered(&self, _recorded: &Recorded) -> Option<String> {
        None
    }

    fn gate_opened(&self, _recorded: &Recorded) -> Option<String> {
        None
    }

    fn thread_cut(&self, recorded: &Recorded) -> Option<String> {
        let Event::Stepped(Step { thread, what }) = event(recorded)? else { return None };
        matches!(
            what,
            ThreadEvent::Began { .. }
                | ThreadEvent::Lightened { .. }
                | ThreadEvent::Compacted { .. }
                | ThreadEvent::Closed
        )
        .then_some(thread)
    }

    fn broken_rules(&self, log: &[Recorded]) -> Vec<String> {
        rules::broken(log)
    }
}

fn event(recorded: &Recorded) -> Option<Event> {
    recorded.event::<Forms>().ok()
}
