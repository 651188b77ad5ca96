//! Writes a form as a file that people like to read: TOML with what matters, or JSON.
//!
//! Only what differs from what a form has anyway is written. What is written here, `Form::parse` reads as the same
//! form.

use std::fmt::Write as _;

use enza_kernel::text::Lang;

use super::GUIDE;
use crate::form::{Choice, Condition, Fact, Field, Form, Group, Kind, MOST_ITEMS, OneOrMore, Order};

/// An array longer than this is written with a line for each element.
const LINE: usize = 100;

impl Form {
    /// The form as TOML.
    pub fn to_toml(&self) -> String {
        let Self { title, description, consent, language, order, follow_ups, fields, groups } = self;
        let mut page =
            TomlWriter { text: format!("# A form for an interview. Every key is explained in {GUIDE}.\n\n") };
        page.text("title", title);
        page.optional("description", description.as_deref());
        page.optional("consent", consent.as_deref());
        if *language != Lang::default() {
            page.text("language", &language.to_string());
        }
        match order {
            Order::Free => {}
            Order::Fixed => page.text("order", "fixed"),
        }
        page.number("followUps", *follow_ups);
        if fields.is_empty() {
            // The key must be there, and no table will bring it.
            page.line("fields", "[]");
        }
        groups.iter().for_each(|group| page.group(group));
        fields.iter().for_each(|field| page.field(field));
        page.text
    }

    /// The form as JSON, with a line for each key.
    pub fn to_json(&self) -> String {
        format!("{:#}\n", serde_json::json!(self))
    }
}

struct TomlWriter {
    text: String,
}

impl TomlWriter {
    fn group(&mut self, group: &Group) {
        let Group { group_id, item, min, max } = group;
        self.text.push_str("\n[[groups]]\n");
        self.text("groupId", group_id);
        self.text("item", item);
        self.number("min", (*min > 0).then_some(*min));
        self.number("max", (*max != MOST_ITEMS).then_some(*max));
    }

    fn field(&mut self, field: &Field) {
        let Field {
            field_id,
            label,
            intent,
            required,
            kind,
            options,
            allow_other,
            min,
            max,
            when,
            depends_on,
            group,
            hidden,
            sensitive,
            follow_ups,
            facts,
        } = field;
        self.text.push_str("\n[[fields]]\n");
        self.text("fieldId", field_id);
        self.optional("group", group.as_deref());
        self.text("label", label);
        if *kind != Kind::default() {
            self.text("kind", kind.word());
        }
        self.flag("required", *required);
        self.optional("intent", intent.as_deref());
        self.list("options", options.iter().map(choice).collect());
        self.flag("allowOther", *allow_other);
        self.optional("min", min.as_deref());
        self.optional("max", max.as_deref());
        self.list("when", when.iter().map(condition).collect());
        self.list("dependsOn", depends_on.iter().map(|id| quoted(id)).collect());
        self.flag("hidden", *hidden);
        self.flag("sensitive", *sensitive);
        self.number("followUps", *follow_ups);
        facts.iter().for_each(|fact| self.fact(fact));
    }

    fn fact(&mut self, fact: &Fact) {
        let Fact { fact_key, fact, done_criteria, questioning_hints } = fact;
        self.text.push_str("\n[[fields.facts]]\n");
        self.text("factKey", fact_key);
        self.text("fact", fact);
        self.text("doneCriteria", done_criteria);
        self.optional("questioningHints", questioning_hints.as_deref());
    }

    fn line(&mut self, key: &str, value: &str) {
        writeln!(self.text, "{key} = {value}").expect("a string takes what it is given");
    }

    fn text(&mut self, key: &str, text: &str) {
        self.line(key, &quoted(text));
    }

    fn optional(&mut self, key: &str, text: Option<&str>) {
        if let Some(text) = text {
            self.text(key, text);
        }
    }

    fn number(&mut self, key: &str, number: Option<u32>) {
        if let Some(number) = number {
            self.line(key, &number.to_string());
        }
    }

    fn flag(&mut self, key: &str, flag: bool) {
        if flag {
            self.line(key, "true");
        }
    }

    fn list(&mut self, key: &str, elements: Vec<String>) {
        if elements.is_empty() {
            return;
        }
        let short = format!("[{}]", elements.join(", "));
        let is_short = !short.contains('\n') && short.chars().count() + key.len() < LINE;
        let long = || format!("[\n{}]", elements.iter().map(|element| format!("  {element},\n")).collect::<String>());
        self.line(key, &if is_short { short } else { long() });
    }
}

fn choice(choice: &Choice) -> String {
    let Choice { value, label } = choice;
    match label {
        None => quoted(value),
        Some(label) => format!("{{ value = {}, label = {} }}", quoted(value), quoted(label)),
    }
}

fn condition(condition: &Condition) -> String {
    let Condition { field, is, is_not, more_than, less_than, answered } = condition;
    let parts = [
        Some(format!("field = {}", quoted(field))),
        is.as_ref().map(|wanted| format!("is = {}", one_or_more(wanted))),
        is_not.as_ref().map(|wanted| format!("isNot = {}", one_or_more(wanted))),
        more_than.as_ref().map(|bound| format!("moreThan = {}", quoted(bound))),
        less_than.as_ref().map(|bound| format!("lessThan = {}", quoted(bound))),
        answered.map(|answered| format!("answered = {answered}")),
    ];
    format!("{{ {} }}", parts.into_iter().flatten().collect::<Vec<_>>().join(", "))
}

fn one_or_more(wanted: &OneOrMore) -> String {
    match wanted {
        OneOrMore::One(value) => quoted(value),
        OneOrMore::Any(values) => {
            format!("[{}]", values.iter().map(|value| quoted(value)).collect::<Vec<_>>().join(", "))
        }
    }
}

fn quoted(text: &str) -> String {
    toml::Value::from(text).to_string()
}
