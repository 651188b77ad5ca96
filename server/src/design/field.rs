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
    pub kind: FieldKind<'a>,
    /// What helps to fill it.
    pub hint: Option<&'a str>,
    /// What stands in it while it is empty.
    pub placeholder: Option<&'a str>,
    pub error: Option<&'a str>,
    /// Whether it must be filled.
    pub required: bool,
    /// Whether its label says so where it need not be.
    pub says_optional: bool,
    /// How many characters it may have.
    pub limit: Option<usize>,
    /// What the browser may fill in; `off` where nothing.
    pub autocomplete: &'a str,
    /// What style and scripts know what is typed into by.
    pub class: Option<&'a str>,
}

/// What is typed into a field.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FieldKind<'a> {
    /// A line.
    Text,
    /// A secret; what was typed is never sent back.
    Password,
    Number,
    /// A whole number between two others.
    Figure {
        least: u32,
        most: u32,
    },
    /// Several lines.
    Area {
        /// How many are seen.
        rows: u8,
    },
    /// One of several, in a list that folds: what is sent, and what is shown.
    Select {
        options: &'a [(&'a str, &'a str)],
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
            placeholder: None,
            error: None,
            required: false,
            says_optional: true,
            limit: None,
            autocomplete: "off",
            class: None,
        }
    }

    /// A line in a form of many, of which most may be left empty without a word.
    pub fn dense(name: &'a str, label: &'a str, value: &'a str) -> Self {
        Self { value, says_optional: false, ..Self::new(name, label) }
    }
}

/// A form that is posted.
pub fn form(action: &str, body: Markup) -> Markup {
    html! { form.form method="post" action=(action) { (body) } }
}

/// A field with its label, its hint and what is wrong with it.
pub fn field(words: Words, field: &Field<'_>) -> Markup {
    let id = id_of(field.name);
    let (hint_id, error_id) = (format!("{id}-hint"), format!("{id}-error"));
    let described = described_by(field, &hint_id, &error_id);
    let is_figure = matches!(field.kind, FieldKind::Figure { .. });
    html! {
        div.field.figure-entry[is_figure] {
            label for=(id) {
                (field.label)
                @if !field.required && field.says_optional { span.optional { (words.say("design.optional")) } }
            }
            (control(field, &id, described.as_deref()))
            @if let Some(limit) = field.limit { span.counter data-counts=(id) hidden { "0 / " (limit) } }
            @if let Some(hint) = field.hint { p.hint id=(hint_id) { (hint) } }
            @if let Some(error) = field.error { p.error id=(error_id) { (error) } }
        }
    }
}

/// One of several, in a list that folds.
pub fn choice(name: &str, label: &str, options: &[(&str, &str)], selected: &str) -> Markup {
    let chosen = Field { kind: FieldKind::Select { options }, ..Field::dense(name, label, selected) };
    let id = id_of(name);
    html! {
        div.field {
            label for=(id) { (label) }
            (control(&chosen, &id, None))
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

/// What is typed into.
fn control(field: &Field<'_>, id: &str, described: Option<&str>) -> Markup {
    let Field { name, value, required, limit, placeholder, autocomplete, class, .. } = *field;
    let invalid = field.error.map(|_| "true");
    let line = |kind: &str, value: Option<&str>, mode: Option<&str>, step: Option<&str>, bounds: Option<(u32, u32)>| {
        html! {
            input class=[class] id=(id) type=(kind) inputmode=[mode] step=[step] min=[bounds.map(|bounds| bounds.0)]
                max=[bounds.map(|bounds| bounds.1)] name=(name) value=[value] required[required] placeholder=[placeholder]
                autocomplete=(autocomplete) data-limit=[limit] aria-invalid=[invalid] aria-describedby=[described];
        }
    };
    match field.kind {
        FieldKind::Text => line("text", Some(value), None, None, None),
        FieldKind::Password => line("password", None, None, None, None),
        FieldKind::Number => line("number", Some(value), Some("decimal"), Some("any"), None),
        FieldKind::Figure { least, most } => line("number", Some(value), Some("numeric"), None, Some((least, most))),
        FieldKind::Area { rows } => html! {
            textarea class=[class] id=(id) name=(name) rows=(rows) required[required] placeholder=[placeholder]
                autocomplete=(autocomplete) data-limit=[limit] aria-invalid=[invalid] aria-describedby=[described] { "\n" (value) }
        },
        FieldKind::Select { options } => html! {
            select class=[class] id=(id) name=(name) aria-invalid=[invalid] aria-describedby=[described] {
                @for (option, label) in options { option value=(option) selected[*option == value] { (label) } }
            }
        },
    }
}

/// An id for what is typed into, from its name in the form.
fn id_of(name: &str) -> String {
    let plain = |letter: char| letter.is_ascii_alphanumeric() || letter == '_' || letter == '-';
    let name: String = name.chars().map(|letter| if plain(letter) { letter } else { '-' }).collect();
    format!("field-{name}")
}

fn described_by(field: &Field<'_>, hint_id: &str, error_id: &str) -> Option<String> {
    let parts = [field.error.map(|_| error_id), field.hint.map(|_| hint_id)];
    let ids: Vec<&str> = parts.into_iter().flatten().collect();
    (!ids.is_empty()).then(|| ids.join(" "))
}
