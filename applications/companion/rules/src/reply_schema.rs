//! The form of an answer as a model is asked for it: the schema of a verdict, cut to what the call is for.
//!
//! What is read is `Verdict`, whatever the form was: a model that writes more or less is understood, or told what is
//! wrong. The form only makes it likely that little has to be told. A server that holds a model to a schema lets it write
//! what is required in the order in which it is listed, so the reason comes first and the operations last; and each
//! operation has a form of its own, so that none lacks what it needs.

use enza_kernel::schema::schema_of;
use serde_json::{Map, Value, json};

use super::action::Operation;
use super::task::Procedure;
use super::verdict::{Plan, Verdict};

/// The most operations that are asked for at once. More are taken.
const MOST_ACTIONS: usize = 8;

/// What operations need, and what they may have besides.
struct ActionShape {
    operations: &'static [Operation],
    needs: &'static [&'static str],
    may_have: &'static [&'static str],
}

const FORMS: [ActionShape; 9] = [
    ActionShape { operations: &[Operation::Read], needs: &["path"], may_have: &["from_line", "rationale"] },
    ActionShape { operations: &[Operation::List, Operation::Delete], needs: &["path"], may_have: &["rationale"] },
    ActionShape { operations: &[Operation::Search], needs: &["pattern"], may_have: &["regex", "path", "rationale"] },
    ActionShape {
        operations: &[Operation::Write, Operation::Create, Operation::Append],
        needs: &["path", "content"],
        may_have: &["rationale"],
    },
    ActionShape { operations: &[Operation::Edit], needs: &["path", "old", "content", "all"], may_have: &["rationale"] },
    ActionShape { operations: &[Operation::Patch], needs: &["patch"], may_have: &["rationale"] },
    ActionShape { operations: &[Operation::Move], needs: &["path", "to"], may_have: &["rationale"] },
    ActionShape { operations: &[Operation::Run], needs: &["command"], may_have: &["path", "rationale"] },
    ActionShape { operations: &[Operation::Tool], needs: &["command", "arguments"], may_have: &["rationale"] },
];

/// The form of the answer to a call: the commander's, or one that follows a procedure.
pub(super) fn of(procedure: Option<Procedure>) -> Value {
    let mut schema = schema_of::<Verdict>();
    let (left_out, demanded): (&[&str], &[&str]) = match procedure {
        None | Some(Procedure::Execution) => (&["plan", "review"], &[]),
        Some(Procedure::Planning) => (&["review"], &["plan"]),
        Some(Procedure::Review) => (&["plan"], &["review"]),
    };
    if let Some(Value::Object(properties)) = schema.get_mut("properties") {
        properties.retain(|name, _| !left_out.contains(&name.as_str()));
        let forms = forms(properties);
        if let Some(actions) = properties.get_mut("actions").and_then(Value::as_object_mut) {
            actions.insert("items".to_owned(), json!({ "anyOf": forms }));
            // A small model that begins to repeat itself would go on for minutes.
            actions.insert("maxItems".to_owned(), json!(MOST_ACTIONS));
        }
        // "Yes or no, and why" is read by its first word.
        for name in ["goal_consistency", "constraint_check"] {
            if let Some(said) = properties.get_mut(name).and_then(Value::as_object_mut) {
                said.insert("pattern".to_owned(), json!("^(yes|no)[^\"\\\\\\n]*$"));
            }
        }
        if let Some(steps) = properties.get_mut("plan").and_then(|plan| plan.pointer_mut("/properties/steps")) {
            steps["maxItems"] = json!(Plan::MOST_STEPS);
        }
        // Where it must be written, small models write nothing into it.
        if let Some(reply) = properties.get_mut("reply").and_then(Value::as_object_mut) {
            reply.insert("minLength".to_owned(), json!(1));
        }
    }
    // What is optional, small models leave out.
    if let Some(Value::Array(required)) = schema.get_mut("required") {
        required.extend(["reply", "actions"].iter().chain(demanded).map(|name| json!(name)));
    }
    schema
}

fn forms(properties: &Map<String, Value>) -> Vec<Value> {
    let fields = properties.get("actions").and_then(|actions| actions.pointer("/items/properties"));
    let field = |name: &str| {
        let mut field = fields.and_then(|fields| fields.get(name)).cloned().unwrap_or_else(|| json!({}));
        // Where a field stands at all, it has a value.
        if let Some(Value::Array(kinds)) = field.get("type") {
            field["type"] = kinds.iter().find(|kind| *kind != "null").cloned().unwrap_or_default();
        }
        field
    };
    let form = |form: &ActionShape| {
        let words: Vec<&str> = form.operations.iter().map(|operation| operation.word()).collect();
        let mut own = Map::from_iter([("operation".to_owned(), json!({ "type": "string", "enum": words }))]);
        own.extend(form.needs.iter().chain(form.may_have).map(|name| ((*name).to_owned(), field(name))));
        let required: Vec<&str> = std::iter::once("operation").chain(form.needs.iter().copied()).collect();
        json!({ "type": "object", "properties": own, "required": required, "additionalProperties": false })
    };
    FORMS.iter().map(form).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::Action;

    /// Something for every field that a form can name.
    fn filled(name: &str) -> Value {
        match name {
            "command" => json!(["make", "test"]),
            "arguments" => json!({}),
            "all" | "regex" => json!(true),
            "from_line" => json!(2),
            _ => json!("a"),
        }
    }

    #[test]
    fn every_operation_has_one_form_and_with_what_it_needs_it_is_whole() {
        let mut seen = Vec::new();
        for ActionShape { operations, needs, may_have } in &FORMS {
            for operation in *operations {
                for fields in [needs.to_vec(), [*needs, *may_have].concat()] {
                    let mut action = Map::from_iter([("operation".to_owned(), json!(operation.word()))]);
                    action.extend(fields.iter().map(|name| ((*name).to_owned(), filled(name))));
                    let action: Action = serde_json::from_value(Value::Object(action)).unwrap();
                    assert!(action.parse().is_ok(), "{action:?}");
                }
                seen.push(*operation);
            }
        }
        seen.sort();
        let mut all = Operation::ALL.to_vec();
        all.sort();
        assert_eq!(seen, all);
    }

    #[test]
    fn a_call_is_asked_for_what_it_is_for_the_reason_first_and_the_operations_last() {
        let required = |procedure| {
            let names = of(procedure)["required"].as_array().unwrap().clone();
            names.iter().map(|name| name.as_str().unwrap().to_owned()).collect::<Vec<_>>().join(" ")
        };
        let always = "rationale goal_consistency constraint_check next_step step reply actions";
        assert_eq!(required(None), always);
        assert_eq!(required(Some(Procedure::Execution)), always);
        assert_eq!(required(Some(Procedure::Planning)), format!("{always} plan"));
        assert_eq!(required(Some(Procedure::Review)), format!("{always} review"));
        assert!(of(None)["properties"].get("plan").is_none());
        assert!(of(Some(Procedure::Planning))["properties"].get("review").is_none());
    }
}
