//! The table rows that an interview's events change.
//!
//! `submissions` has one row for the session from its opening on, `settled` one for where the respondent is at home, as
//! soon as more is known of that than at the opening, `answers` one for every field that is done, and `asked` one for
//! the field that was spoken of last, so that it can be told where people leave; `told` says what a respondent was told of
//! how long answers are kept.

use enza_kernel::application::{Entry, Row};
use enza_kernel::effect::Key;
use serde_json::{Value, json};

use super::event::{Event, Submission};

pub(super) fn rows(entry: &Entry<Event>) -> Vec<Row> {
    match &entry.event {
        Event::Opened { form, version, bootstrap, consented, keep_days, .. } => {
            let told = keep_days.map(|days| row("told", "days", Some(json!({ "keepDays": days }))));
            let begun = submission_row(&json!({
                "status": "in_progress", "title": form.title, "version": version, "bootstrap": bootstrap,
                "consented": consented,
            }));
            std::iter::once(begun).chain(told).collect()
        }
        Event::Settled { bootstrap, .. } => vec![row("settled", "home", Some(json!(bootstrap)))],
        Event::FieldTaken { field_id } => vec![row("asked", "field", Some(json!({ "fieldId": field_id })))],
        Event::FieldClosed { field_id, label, value, absence, sentence, incomplete, lacking } => {
            let content = json!({
                "fieldId": field_id, "label": label, "value": value, "absence": absence, "sentence": sentence,
                "incomplete": incomplete, "lacking": lacking,
            });
            vec![row("answers", field_id, Some(content))]
        }
        Event::FieldReopened { field_id, .. } => vec![row("answers", field_id, None)],
        Event::Submitted { submission } => {
            let id = Key { seq: entry.seq, ordinal: 0 }.to_string();
            let rest = json!({ "delivered": false, "submittedAt": entry.at });
            vec![submission_row(&submitted(&id, submission, rest))]
        }
        Event::Delivered { id, submission, receipt, submitted_at } => {
            let rest = json!({
                "delivered": true, "deliveredAt": entry.at, "receipt": receipt, "submittedAt": submitted_at,
            });
            vec![submission_row(&submitted(id, submission, rest))]
        }
        Event::Abandoned { why } => vec![row("left", "left", Some(json!({ "status": "abandoned", "why": why })))],
        Event::Greeted { .. }
        | Event::Planned { .. }
        | Event::FieldMoved { .. }
        | Event::AnswerGiven { .. }
        | Event::FileTaken { .. }
        | Event::FileLeft { .. }
        | Event::FieldDeclined { .. }
        | Event::FieldSetAside { .. }
        | Event::Reviewed { .. }
        | Event::HelpAsked { .. }
        | Event::ItemAdded { .. }
        | Event::MoreAsked { .. }
        | Event::Gathered { .. }
        | Event::GateOpened { .. }
        | Event::GateAnswered { .. }
        | Event::DeliveryRequeued
        | Event::DeliveryStarted { .. }
        | Event::DeliveryFailed { .. }
        | Event::DeliveryLost
        | Event::BudgetRaised { .. }
        | Event::Stepped(_) => Vec::new(),
    }
}

fn submitted(id: &str, submission: &Submission, rest: Value) -> Value {
    let mut content = json!({
        "status": "submitted",
        "id": id,
        "title": submission.title,
        "version": submission.version,
        "bootstrap": submission.bootstrap,
        "consented": submission.consented,
        "answers": submission.answers,
    });
    if let (Value::Object(content), Value::Object(rest)) = (&mut content, rest) {
        content.extend(rest);
    }
    content
}

fn submission_row(content: &Value) -> Row {
    row("submissions", "submission", Some(content.clone()))
}

fn row(table: &str, key: &str, content: Option<Value>) -> Row {
    Row { table: table.to_owned(), key: key.to_owned(), content }
}
