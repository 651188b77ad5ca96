//! Difficult respondents, under simulation: silent, off topic, contradicting, switching language, pasting, answering
//! everything at once, refusing.
//!
//! The form has something of everything, nothing is known of the respondent beforehand, and the model now and then finds
//! answers where there are none. Whatever happens, the log is held to the two rules that carry the interview.

use std::collections::BTreeMap;

use enza_interview::{
    Absence, Command, Condition, DeliveryWay, Event, Field, Form, Group, Kind, OneOrMore, Open, Order, Stage, State,
    understudy,
};
use enza_kernel::agent::ThreadFailure;
use enza_kernel::conversation::{Reply, Request, ToolCall};
use enza_kernel::gate::Verdict;
use enza_kernel::review::ReviewStep;
use enza_kernel::text::Lang;
use enza_runtime::seams::store::Recorded;
use enza_runtime::simulation::Role;
use serde_json::{Value, json};

use super::respondent::{event, heard, rival, thread_cut};

const REVIEWER: &str = "reviewer";
/// The required fields that apply to everybody.
const REQUIRED: [&str; 3] = ["symptom", "day", "hurt"];

/// Difficult respondents.
pub struct DifficultRole;

/// In which way a respondent is difficult.
#[derive(Clone, Copy)]
enum Manner {
    Silent,
    OffTopic,
    Contradicting,
    SwitchingLanguage,
    Pasting,
    EverythingAtOnce,
    Refusing,
}

impl Role for DifficultRole {
    fn application(&self) -> &'static str {
        "interview"
    }

    fn profile(&self) -> &'static str {
        "difficult-respondents"
    }

    fn opening(&self, budget: Option<u64>, secret: &str) -> Value {
        let lang = if secret.len().is_multiple_of(2) { Lang::Ja } else { Lang::En };
        let delivery = if secret.len().is_multiple_of(3) { DeliveryWay::UntilItArrives } else { DeliveryWay::Once };
        json!(Command::Open(Box::new(Open { budget, delivery, ..Open::form(form(lang, secret)) })))
    }

    fn next(&self, state: &Value, words: &str, draw: u64) -> Option<Value> {
        let state: State = serde_json::from_value(state.clone()).ok()?;
        next(&state, words, draw).map(|command| json!(command))
    }

    fn rival(&self, command: &Value) -> Option<Value> {
        rival(command)
    }

    fn reply(&self, request: &Request, draw: u64) -> Reply {
        let call = |arguments| Reply {
            calls: vec![ToolCall { id: format!("c{draw}"), tool: "review".to_owned(), arguments }],
            ..Reply::default()
        };
        if request.agent != REVIEWER {
            return understudy(request);
        }
        match draw % 10 {
            0 => call(json!({ "passed": true, "stance": "declined" })),
            1 => call(json!({ "passed": true, "field_value": "made up", "other_fields": ["day", "note", "symptom"] })),
            2 => call(json!({ "passed": false, "stance": "elsewhere", "other_fields": ["hurt", "guests.1.name"] })),
            3 => call(json!({ "passed": false, "missing_facts": ["more of it"] })),
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

    /// INT-52 and INT-53, read from the log alone.
    fn broken_rules(&self, log: &[Recorded]) -> Vec<String> {
        let mut broken = Vec::new();
        let mut let_pass: BTreeMap<String, bool> = BTreeMap::new();
        for happened in log.iter().filter_map(event) {
            match happened {
                Event::AnswerGiven { field_id, .. } | Event::FieldReopened { field_id, .. } => {
                    let_pass.insert(field_id, false);
                }
                Event::Reviewed { field_id, step, .. } => {
                    let passes = matches!(step, Some(ReviewStep::Passed | ReviewStep::Escalated { .. }));
                    let_pass.insert(field_id, passes);
                }
                Event::FieldClosed { field_id, .. } if let_pass.get(&field_id) != Some(&true) => {
                    broken.push(format!("INT-52: {field_id} was closed without a review that lets it pass"));
                }
                Event::Submitted { submission } => {
                    let value = |id: &str| {
                        submission
                            .answers
                            .iter()
                            .find(|answer| answer.field_id == id)
                            .and_then(|one| one.value.as_deref())
                    };
                    let who = (value("hurt") == Some("yes")).then_some("who");
                    let missing = REQUIRED.into_iter().chain(who).filter(|id| value(id).is_none());
                    broken.extend(missing.map(|id| format!("INT-53: submitted without {id}")));
                }
                _ => {}
            }
        }
        broken
    }
}

/// A form with something of everything. Its title names the session, and its secret is a done criterion.
fn form(lang: Lang, secret: &str) -> Form {
    let session = secret.rsplit('-').next().unwrap_or(secret);
    let sample = Form::sample(lang);
    let mut symptom = sample.fields[0].clone();
    for fact in &mut symptom.facts {
        fact.done_criteria = format!("{} ({secret})", fact.done_criteria);
    }
    let if_hurt =
        Condition { field: "hurt".to_owned(), is: Some(OneOrMore::One("yes".to_owned())), ..Condition::default() };
    let guest = |field: Field| Field { group: Some("guests".to_owned()), ..field };
    Form {
        title: format!("{} {session}", sample.title),
        order: Order::Free,
        groups: vec![Group { group_id: "guests".to_owned(), item: "guest".to_owned(), min: 0, max: 2 }],
        fields: vec![
            symptom,
            Field::new("day", "Day", Kind::Date).required(),
            Field::new("hurt", "Anybody hurt", Kind::YesNo).required(),
            Field { when: vec![if_hurt], ..Field::new("who", "Who", Kind::Text).required() },
            guest(Field::new("name", "Name", Kind::Text).required()),
            guest(Field::new("age", "Age", Kind::Number)),
            Field { depends_on: vec!["day".to_owned()], ..Field::new("note", "Note", Kind::LongText) },
        ],
        ..sample
    }
}

fn next(state: &State, words: &str, draw: u64) -> Option<Command> {
    match (state.stage(), state.gate()) {
        (Stage::New | Stage::Delivered | Stage::Abandoned, _) => None,
        (Stage::Delivering, Some(gate)) => Some(confirm(gate.id.clone(), Verdict::No)),
        (Stage::Delivering, None) if state.is_undelivered() => Some(Command::RetryDelivery),
        // It tries again by itself.
        (Stage::Delivering, None) => None,
        (Stage::Confirming, Some(gate)) if draw.is_multiple_of(3) => Some(confirm(gate.id.clone(), Verdict::Yes)),
        (Stage::Confirming | Stage::Choosing, _) => Some(match draw % 4 {
            0 => Command::Reconfirm,
            1 | 2 => fill("day", &some_day(draw)),
            _ => Command::ChangeAnswer { field_id: "symptom".to_owned() },
        }),
        (Stage::Greeting | Stage::Planning | Stage::Interviewing, _) => Some(match state.failure() {
            // What was set aside for a session is the witness's limit: it is never raised here.
            Some(ThreadFailure::BudgetExhausted { .. }) => Command::Abandon,
            Some(_) if draw.is_multiple_of(4) => fill("symptom", words),
            Some(_) => Command::RetryModel,
            None => difficult(manner(draw), state, words, draw),
        }),
    }
}

fn manner(draw: u64) -> Manner {
    match (draw >> 16) % 7 {
        0 => Manner::Silent,
        1 => Manner::OffTopic,
        2 => Manner::Contradicting,
        3 => Manner::SwitchingLanguage,
        4 => Manner::Pasting,
        5 => Manner::EverythingAtOnce,
        _ => Manner::Refusing,
    }
}

fn difficult(manner: Manner, state: &State, words: &str, draw: u64) -> Command {
    let say = |text: String| Command::Say { text };
    // The witness looks for the words alone, as they are; here they are a part of something longer.
    let loud = words.to_uppercase();
    match manner {
        _ if draw.is_multiple_of(5) => say(words.to_owned()),
        Manner::Silent if draw.is_multiple_of(2) => say(String::new()),
        Manner::Silent => say("…".to_owned()),
        Manner::OffTopic => say(format!("{loud}, but who reads this?")),
        Manner::Contradicting if draw.is_multiple_of(3) => Command::ChangeAnswer { field_id: "day".to_owned() },
        Manner::Contradicting => fill("day", &some_day(draw)),
        Manner::SwitchingLanguage if state.stage() == Stage::Greeting => say(format!("日本語で。{loud}、日本")),
        Manner::SwitchingLanguage => say(format!("{loud}。はい、昨日です")),
        Manner::Pasting => say("50 kB of something else. ".repeat(2_100)),
        Manner::EverythingAtOnce => say(format!("{loud}\nDay: 2026-11-03\nAnybody hurt: yes\nWho: Ken\nNote: {draw}")),
        Manner::Refusing => match draw % 5 {
            0 => say("I don't know".to_owned()),
            1 => say("I'd rather not say".to_owned()),
            2 => Command::Skip { absence: Absence::Declined },
            3 => Command::KeepAsIs,
            _ => say("no".to_owned()),
        },
    }
}

fn fill(id: &str, text: &str) -> Command {
    Command::Fill { answers: [(id.to_owned(), text.to_owned())].into() }
}

/// A day that is hardly ever the one that is there: what changes nothing is not recorded, and the witness would miss it.
fn some_day(draw: u64) -> String {
    let (year, month, day) = (1_000 + (draw >> 8) % 8_000, 1 + (draw >> 24) % 12, 1 + (draw >> 28) % 28);
    format!("{year:04}-{month:02}-{day:02}")
}

fn confirm(gate: String, verdict: Verdict) -> Command {
    Command::Confirm { gate, verdict, note: None }
}
