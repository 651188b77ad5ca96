//! The table rows that an interview's events change.
//!
//! `answers` has a row for every field that is done, `submissions` one for the session once its fate is known.

use enza_kernel::application::{Entry, Row};
use enza_kernel::effect::Key;
use serde_json::{Value, json};

use super::event::{Event, Submission};

pub(super) fn rows(entry: &Entry<Event>) -> Vec<Row> {
    match &entry.event {
        Event::FieldClosed { field_id, value, incomplete, lacking } => {
            let content = json!({
                "fieldId": field_id, "value": value, "incomplete": incomplete, "lacking": lacking,
            });
            vec![row("answers", field_id, Some(content))]
        }
        Event::FieldReopened { field_id } => vec![row("answers", field_id, None)],
        Event::Submitted { submission } => {
            let id = Key { seq: entry.seq, ordinal: 0 }.to_string();
            vec![submission_row(&submitted(&id, submission, json!({ "delivered": false })))]
        }
        Event::Delivered { id, submission, receipt } => {
            let rest = json!({ "delivered": true, "receipt": receipt });
            vec![submission_row(&submitted(id, submission, rest))]
        }
        Event::Abandoned { why } => vec![submission_row(&json!({ "status": "abandoned", "why": why }))],
        Event::Opened { .. }
        | Event::FieldMoved { .. }
        | Event::AnswerGiven { .. }
        | Event::FieldDeclined { .. }
        | Event::Reviewed { .. }
        | Event::HelpAsked { .. }
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
