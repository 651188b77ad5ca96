//! Reads a JSON Forms UI schema onto a form: in which order to ask, under which labels, and when.
//!
//! A layout says where things stand on a screen, which an interview does not have: only the order in which controls
//! are met counts. A rule on a layout counts for every control in it. What is left is remarked on.

use serde_json::{Map, Value};

use enza_kernel::limits;

use super::arrange::arrange;
use super::json_schema::{condition_on, id_of, negated};
use super::remark::{Loss, Remark};
use crate::form::{Condition, Form, Kind, MOST_CONDITIONS};

/// How deep layouts may stand within each other.
const DEEPEST: usize = 16;
/// How many elements are looked at. A form has far fewer fields.
const MOST_VISITS: usize = 1_000;

/// Applies a UI schema to a form. The remarks say what of it had no effect, and which fields it does not mention.
pub fn apply_ui_schema(form: &mut Form, ui: &Value) -> Vec<Remark> {
    let mut reader = UiSchemaReader { form, remarks: Vec::new(), order: Vec::new(), visits: 0 };
    reader.element("#", ui, &[], 0);
    let UiSchemaReader { mut remarks, order, .. } = reader;
    for field in &form.fields {
        if !order.contains(&field.field_id) && !field.hidden {
            remarks.push(Remark::new("#", &field.field_id, Loss::NotMentioned));
        }
    }
    let rank = |id: &str| order.iter().position(|met| met == id).unwrap_or(order.len());
    form.fields.sort_by_key(|field| rank(&field.field_id));
    remarks.extend(arrange(form));
    remarks
}

struct UiSchemaReader<'f> {
    form: &'f mut Form,
    remarks: Vec<Remark>,
    /// The fields, in the order in which their controls were met.
    order: Vec<String>,
    visits: usize,
}

impl UiSchemaReader<'_> {
    fn element(&mut self, place: &str, element: &Value, around: &[Condition], depth: usize) {
        self.visits += 1;
        let Some(object) = element.as_object().filter(|_| depth < DEEPEST && self.visits <= MOST_VISITS) else {
            self.remarks.push(Remark::new(place, "elements", Loss::LeftOut));
            return;
        };
        let mut conditions = around.to_vec();
        if let Some(rule) = object.get("rule") {
            match self.rule(rule) {
                Some(found) => conditions.extend(found),
                None => self.remarks.push(Remark::new(place, "rule", Loss::LeftOut)),
            }
        }
        // One more than a field may have, so that a control still says that there are too many.
        conditions.truncate(MOST_CONDITIONS + 1);
        match object.get("type").and_then(Value::as_str) {
            Some("Control") => self.control(place, object, &conditions),
            Some("VerticalLayout" | "HorizontalLayout" | "Group" | "Categorization" | "Category") => {
                self.left_over(place, object, &["type", "elements", "rule", "i18n"]);
                let elements = object.get("elements").and_then(Value::as_array);
                for (nth, element) in elements.into_iter().flatten().enumerate() {
                    self.element(&format!("{place}/elements/{nth}"), element, &conditions, depth + 1);
                }
            }
            Some(other) => self.remarks.push(Remark::new(place, other, Loss::LeftOut)),
            None => self.remarks.push(Remark::new(place, "type", Loss::LeftOut)),
        }
    }

    fn control(&mut self, place: &str, control: &Map<String, Value>, conditions: &[Condition]) {
        let scope = control.get("scope").and_then(Value::as_str).unwrap_or_default();
        let ids = self.behind(scope);
        if ids.is_empty() {
            self.remarks.push(Remark::new(place, scope, Loss::UnknownField));
            return;
        }
        self.left_over(place, control, &["type", "scope", "label", "options", "rule", "i18n"]);
        for id in &ids {
            if !self.order.contains(id) {
                self.order.push(id.clone());
            }
            self.condition(place, id, conditions);
        }
        self.label(place, control, &ids);
        self.options(place, control, &ids);
    }

    fn condition(&mut self, place: &str, id: &str, conditions: &[Condition]) {
        let Some(field) = self.form.fields.iter_mut().find(|field| field.field_id == id) else { return };
        for condition in conditions {
            if field.when.contains(condition) {
                continue;
            }
            if field.when.len() == MOST_CONDITIONS {
                self.remarks.push(Remark::new(place, "rule", Loss::LeftOut));
                return;
            }
            field.when.push(condition.clone());
        }
    }

    fn label(&mut self, place: &str, control: &Map<String, Value>, ids: &[String]) {
        let Some(written) = control.get("label") else { return };
        let text = written.as_str().or_else(|| written.get("text")?.as_str());
        let label = text.and_then(|text| limits::TITLE.check(text).ok());
        let field = match ids {
            [only] => self.form.fields.iter_mut().find(|field| field.field_id == *only),
            _ => None,
        };
        match (label, field) {
            (Some(label), Some(field)) if field.group.is_none() => field.label = label,
            // Hiding the label of a control is a matter of its looks.
            (None, _) if written.is_boolean() => {}
            (Some(_) | None, _) => self.remarks.push(Remark::new(place, "label", Loss::LeftOut)),
        }
    }

    fn options(&mut self, place: &str, control: &Map<String, Value>, ids: &[String]) {
        let options = control.get("options").and_then(Value::as_object);
        for (option, value) in options.into_iter().flatten() {
            let fields = self.form.fields.iter_mut().filter(|field| ids.contains(&field.field_id));
            let texts: Vec<_> = fields.filter(|field| field.kind.is_free_text()).collect();
            if option == "multi" && !texts.is_empty() {
                let kind = if value == &Value::Bool(true) { Kind::LongText } else { Kind::Text };
                texts.into_iter().for_each(|field| field.kind = kind);
            } else {
                self.remarks.push(Remark::new(&format!("{place}/options"), option, Loss::LeftOut));
            }
        }
    }

    /// The conditions under which a rule lets something be seen.
    fn rule(&self, rule: &Value) -> Option<Vec<Condition>> {
        let mut conditions = self.conditions(rule.get("condition")?, 0)?;
        match rule.get("effect")?.as_str()? {
            "SHOW" | "ENABLE" => Some(conditions),
            "HIDE" | "DISABLE" => {
                let only = conditions.pop().filter(|_| conditions.is_empty())?;
                Some(vec![negated(only)?])
            }
            _ => None,
        }
    }

    fn conditions(&self, condition: &Value, depth: usize) -> Option<Vec<Condition>> {
        if condition.get("type").is_some_and(|kind| kind == "AND") && depth < DEEPEST {
            let parts = condition.get("conditions")?.as_array()?.iter();
            let parts = parts.map(|part| self.conditions(part, depth + 1)).collect::<Option<Vec<_>>>()?;
            return Some(parts.concat());
        }
        let ids = self.behind(condition.get("scope")?.as_str()?);
        let [id] = ids.as_slice() else { return None };
        let test = match (condition.get("schema"), condition.get("expectedValue")) {
            (Some(schema), _) => schema.clone(),
            (None, Some(expected)) => serde_json::json!({ "const": expected }),
            (None, None) => return None,
        };
        Some(vec![condition_on(id, &test)?])
    }

    /// The fields behind a scope such as `#/properties/name`: one, or all of a group.
    fn behind(&self, scope: &str) -> Vec<String> {
        let names = names_in(scope);
        let names: Vec<&str> = names.iter().map(String::as_str).collect();
        let Some(last) = names.last() else { return Vec::new() };
        let of_group = |id: &str| -> Vec<String> {
            let members = self.form.fields.iter().filter(|field| field.group.as_deref() == Some(id));
            members.map(|field| field.field_id.clone()).collect()
        };
        for id in [id_of(&names), id_of(&[last])] {
            if self.form.find(&id).is_some() {
                return vec![id];
            }
            let members = of_group(&id);
            if !members.is_empty() {
                return members;
            }
        }
        Vec::new()
    }

    fn left_over(&mut self, place: &str, element: &Map<String, Value>, known: &[&str]) {
        for keyword in element.keys().filter(|keyword| !known.contains(&keyword.as_str())) {
            self.remarks.push(Remark::new(place, keyword, Loss::LeftOut));
        }
    }
}

/// The names of properties in a scope, the outermost first.
fn names_in(scope: &str) -> Vec<String> {
    let mut names = Vec::new();
    let mut parts = scope.trim_start_matches('#').split('/').filter(|part| !part.is_empty());
    while let Some(part) = parts.next() {
        let name = if part == "properties" { parts.next() } else { None };
        names.extend(name.map(|name| name.replace("~1", "/").replace("~0", "~")));
    }
    names
}
