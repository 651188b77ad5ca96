//! The respondent of an interview, under simulation.
//!
//! The form's title names the session, so that the simulated model can tell whose prompt it reads; the session's
//! secret is a done criterion, which the reviewer alone may see. The respondent answers, skips, changes answers, says
//! yes and no, tries again and gives up; the model is the understudy, which now and then sends an answer back or
//! forgets its tool.

use enza_interview::{Absence, Command, Event, Form, Interview, Open, Source, Stage, State, understudy};
use enza_kernel::agent::{Step, ThreadEvent, ThreadFailure};
use enza_kernel::conversation::{Reply, Request, ToolCall};
use enza_kernel::gate::Verdict;
use enza_kernel::text::Lang;
use enza_runtime::seams::store::Recorded;
use enza_runtime::simulation::Role;
use serde_json::{Value, json};

const REVIEWER: &str = "reviewer";

/// The respondents of interviews.
pub struct InterviewRole;

impl Role for InterviewRole {
    fn application(&self) -> &'static str {
        "interview"
    }

    fn opening(&self, budget: Option<u64>, secret: &str) -> Value {
        let session = secret.rsplit('-').next().unwrap_or(secret);
        let mut form = Form::sample(if secret.len().is_multiple_of(2) { Lang::Ja } else { Lang::En });
        form.title = format!("{} {session}", form.title);
        for fact in form.fields.iter_mut().flat_map(|field| &mut field.facts) {
            fact.done_criteria = format!("{} ({secret})", fact.done_criteria);
        }
        json!(Command::Open(Box::new(Open { budget, ..Open::at_home(form) })))
    }

    fn next(&self, state: &Value, words: &str, draw: u64) -> Option<Value> {
        let state: State = serde_json::from_value(state.clone()).ok()?;
        next(&state, words, draw).map(|command| json!(command))
    }

    fn rival(&self, command: &Value) -> Option<Value> {
        rival(command)
    }

    fn reply(&self, request: &Request, draw: u64) -> Reply {
        let call = |tool: &str, arguments| ToolCall { id: format!("c{draw}"), tool: tool.to_owned(), arguments };
        match draw % 12 {
            0 if request.agent == REVIEWER => {
                let lacking = json!({"passed": false, "missing_facts": ["more of it"], "feedback": "Ask on."});
                Reply { calls: vec![call("review", lacking)], ..Reply::default() }
            }
            1 => Reply { text: "Let me think about that.".to_owned(), ..Reply::default() },
            2 if request.agent != REVIEWER => Reply {
                calls: vec![call("ask", json!({"question": format!("What about {draw}?")}))],
                ..Reply::default()
            },
            _ => understudy(request),
        }
    }

    fn may_see_secret(&self, agent: &str) -> bool {
        agent == REVIEWER
    }

    fn heard(&self, recorded: &Recorded) -> Option<String> {
        heard(recorded)
    }

    fn gate_answered(&self, recorded: &Recorded) -> Option<String> {
        (recorded.stored.kind == "GateAnswered").then(|| "gate".to_owned())
    }

    fn gate_opened(&self, recorded: &Recorded) -> Option<String> {
        (recorded.stored.kind == "GateOpened").then(|| "gate".to_owned())
    }

    fn thread_cut(&self, recorded: &Recorded) -> Option<String> {
        thread_cut(recorded)
    }
}

/// The words of a message, once: what it also answered repeats them.
pub(super) fn heard(recorded: &Recorded) -> Option<String> {
    match event(recorded)? {
        Event::AnswerGiven { text, source: Source::Question | Source::Filled, .. } | Event::Greeted { text } => {
            Some(text)
        }
        _ => None,
    }
}

/// The thread that begins anew or is cut short.
pub(super) fn thread_cut(recorded: &Recorded) -> Option<String> {
    let Event::Stepped(Step { thread, what }) = event(recorded)? else { return None };
    matches!(
        what,
        ThreadEvent::Began { .. } | ThreadEvent::Lightened { .. } | ThreadEvent::Compacted { .. } | ThreadEvent::Closed
    )
    .then_some(thread)
}

/// Another answer to the gate that a command answers.
pub(super) fn rival(command: &Value) -> Option<Value> {
    let Command::Confirm { gate, verdict, note } = serde_json::from_value(command.clone()).ok()? else { return None };
    let verdict = match verdict {
        Verdict::Yes => Verdict::No,
        Verdict::No => Verdict::Yes,
    };
    Some(json!(Command::Confirm { gate, verdict, note }))
}

fn next(state: &State, words: &str, draw: u64) -> Option<Command> {
    match state.stage() {
        Stage::New | Stage::Delivered | Stage::Abandoned => None,
        Stage::Greeting | Stage::Planning | Stage::Interviewing => Some(while_interviewing(state, words, draw)),
        Stage::Confirming => {
            let gate = state.gate()?.id.clone();
            Some(match draw % 10 {
                0 | 1 => Command::ChangeAnswer { field_id: some_field(state, draw) },
                2 | 3 => Command::Confirm { gate, verdict: Verdict::No, note: None },
                _ => Command::Confirm { gate, verdict: Verdict::Yes, note: None },
            })
        }
        Stage::Choosing if draw.is_multiple_of(3) => Some(Command::Reconfirm),
        Stage::Choosing => Some(Command::ChangeAnswer { field_id: some_field(state, draw) }),
        Stage::Delivering => match state.gate() {
            Some(gate) => {
                let verdict = if draw.is_multiple_of(2) { Verdict::Yes } else { Verdict::No };
                Some(Command::Confirm { gate: gate.id.clone(), verdict, note: None })
            }
            None => Some(Command::RetryDelivery),
        },
    }
}

fn while_interviewing(state: &State, words: &str, draw: u64) -> Command {
    match state.failure() {
        // What was set aside for a session is the witness's limit: it is never raised here.
        Some(ThreadFailure::BudgetExhausted { .. }) => return Command::Abandon,
        Some(_) if draw.is_multiple_of(10) => return Command::Abandon,
        Some(_) => return Command::RetryModel,
        None => {}
    }
    let is_optional = state.current().is_some_and(|(field, _)| !field.required);
    match draw % 8 {
        0 | 1 if is_optional => Command::Skip { absence: Absence::Skipped },
        // Too short for the understudy, which sends it back.
        2 => Command::Say { text: "no".to_owned() },
        _ => Command::Say { text: words.to_owned() },
    }
}

fn some_field(state: &State, draw: u64) -> String {
    let fields = &state.form().fields;
    fields[(draw >> 8) as usize % fields.len()].field_id.clone()
}

pub(super) fn event(recorded: &Recorded) -> Option<Event> {
    recorded.event::<Interview>().ok()
}
