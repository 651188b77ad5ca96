//! Forms and what is typed into them.
//!
//! A field always has a label, keeps what was typed, and shows beside it what is wrong. A limit is counted as people
//! count, in grapheme clusters; the counter is drawn by `enza.js` and the rule is kept by whoever takes the form.

use maud::{Markup, html};

use crate::words::Words;

/// A field of a form.
#[derive(Debug, Clone, Copy)]
pub struct Field<'a> {
    /// Its name in the form.
    pub name: &'a str,
    pub label: &'a str,
    pub value: &'a str,
    pub kind: FieldKind,
    /// What helps to fill it.
    pub hint: Option<&'a str>,
    pub error: Option<&'a str>,
    /// Whether it must be filled.
    pub required: bool,
    /// How many characters it may have.
    pub limit: Option<usize>,
    /// What the browser may fill in; `off` where nothing.
    pub autocomplete: &'a str,
}

/// What is typed into a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind {
    /// A line.
    Text,
    /// A secret; what was typed is never sent back.
    Password,
    Number,
    /// Several lines.
    Area {
        /// How many are seen.
        rows: u8,
    },
}

impl<'a> Field<'a> {
    /// An empty line of text.
    pub fn new(name: &'a str, label: &'a str) -> Self {
        Self {
            name,
            label,
            value: "",
            kind: FieldKind::Text,
            hint: None,
            error: None,
            required: false,
            limit: None,
            autocomplete: "off",
        }
    }
}

/// A form that is posted.
pub fn form(action: &str, body: Markup) -> Markup {
    html! { form.form method="post" action=(action) { (body) } }
}

/// A field with its label, its hint and what is wrong with it.
pub fn field(words: Words, field: &Field<'_>) -> Markup {
    let id = format!("field-{}", field.name);
    let (hint_id, error_id) = (format!("{id}-hint"), format!("{id}-error"));
    let described = described_by(field, &hint_id, &error_id);
    let invalid = field.error.map(|_| "true");
    html! {
        div.field {
            label for=(id) {
                (field.label)
                @if !field.required { span.optional { (words.say("design.optional")) } }
            }
            @match field.kind {
                FieldKind::Text => input id=(id) type="text" name=(field.name) value=(field.value) required[field.required]
                    autocomplete=(field.autocomplete) data-limit=[field.limit] aria-invalid=[invalid] aria-describedby=[described];,
                FieldKind::Password => input id=(id) type="password" name=(field.name) required[field.required]
                    autocomplete=(field.autocomplete) aria-invalid=[invalid] aria-describedby=[described];,
                FieldKind::Number => input id=(id) type="number" inputmode="decimal" step="any" name=(field.name) value=(field.value)
                    required[field.required] autocomplete=(field.autocomplete) aria-invalid=[invalid] aria-describedby=[described];,
                FieldKind::Area { rows } => textarea id=(id) name=(field.name) rows=(rows) required[field.required]
                    autocomplete=(field.autocomplete) data-limit=[field.limit] aria-invalid=[invalid] aria-describedby=[described] { "\n" (field.value) },
            }
            @if let Some(limit) = field.limit { span.counter data-counts=(id) hidden { "0 / " (limit) } }
            @if let Some(hint) = field.hint { p.hint id=(hint_id) { (hint) } }
            @if let Some(error) = field.error { p.error id=(error_id) { (error) } }
        }
    }
}

/// One of several, in a list that folds.
pub fn choice(name: &str, label: &str, options: &[(&str, &str)], selected: &str) -> Markup {
    let id = format!("field-{name}");
    html! {
        div.field {
            label for=(id) { (label) }
            select id=(id) name=(name) {
                @for (value, label) in options { option value=(value) selected[*value == selected] { (label) } }
            }
        }
    }
}

/// A yes or no. Sends `on` where it is ticked, nothing where it is not.
pub fn checkbox(name: &str, label: &str, checked: bool) -> Markup {
    html! {
        label.check {
            input type="checkbox" name=(name) checked[checked];
            span { (label) }
        }
    }
}

fn described_by(field: &Field<'_>, hint_id: &str, error_id: &str) -> Option<String> {
    let parts = [field.error.map(|_| error_id), field.hint.map(|_| hint_id)];
    let ids: Vec<&str> = parts.into_iter().flatten().collect();
    (!ids.is_empty()).then(|| ids.join(" "))
}
