//! The small entries that cards of the builder are made of, each with a label of its own.

use maud::{Markup, html};

/// An entry: its name in the form, its id on the page, and what it is called.
#[derive(Debug, Clone, Copy)]
pub(super) struct Entry<'a> {
    /// Its name in the form.
    pub name: &'a str,
    pub label: &'a str,
    pub value: &'a str,
    /// What helps to fill it.
    pub hint: Option<&'a str>,
    /// What stands in it while it is empty.
    pub placeholder: Option<&'a str>,
}

impl<'a> Entry<'a> {
    /// An entry without help.
    pub(super) fn new(name: &'a str, label: &'a str, value: &'a str) -> Self {
        Self { name, label, value, hint: None, placeholder: None }
    }
}

/// An id for an element, from the name of its entry.
pub(super) fn id_of(name: &str) -> String {
    name.chars().map(|letter| if letter.is_ascii_alphanumeric() { letter } else { '-' }).collect()
}

/// A line of text.
pub(super) fn line(entry: &Entry<'_>) -> Markup {
    let id = id_of(entry.name);
    let hint_id = entry.hint.map(|_| format!("{id}-hint"));
    html! {
        div.field {
            label for=(id) { (entry.label) }
            input id=(id) type="text" name=(entry.name) value=(entry.value) placeholder=[entry.placeholder] autocomplete="off"
                aria-describedby=[hint_id.as_deref()];
            @if let (Some(hint), Some(hint_id)) = (entry.hint, &hint_id) { p.hint id=(hint_id) { (hint) } }
        }
    }
}

/// A whole number.
pub(super) fn figure(entry: &Entry<'_>, least: u32, most: u32) -> Markup {
    let id = id_of(entry.name);
    html! {
        div.field.figure-entry {
            label for=(id) { (entry.label) }
            input id=(id) type="number" inputmode="numeric" min=(least) max=(most) name=(entry.name) value=(entry.value)
                placeholder=[entry.placeholder] autocomplete="off";
        }
    }
}

/// Several lines.
pub(super) fn area(entry: &Entry<'_>, rows: u8) -> Markup {
    let id = id_of(entry.name);
    let hint_id = entry.hint.map(|_| format!("{id}-hint"));
    html! {
        div.field {
            label for=(id) { (entry.label) }
            textarea id=(id) name=(entry.name) rows=(rows) placeholder=[entry.placeholder] autocomplete="off"
                aria-describedby=[hint_id.as_deref()] { "\n" (entry.value) }
            @if let (Some(hint), Some(hint_id)) = (entry.hint, &hint_id) { p.hint id=(hint_id) { (hint) } }
        }
    }
}

/// One of several. The class lets style and scripts know what is chosen.
pub(super) fn pick(class: &str, entry: &Entry<'_>, options: &[(&str, &str)]) -> Markup {
    let id = id_of(entry.name);
    html! {
        div.field {
            label for=(id) { (entry.label) }
            select class=(class) id=(id) name=(entry.name) {
                @for (value, label) in options { option value=(value) selected[*value == entry.value] { (label) } }
            }
        }
    }
}

/// A yes or no.
pub(super) fn tick(name: &str, label: &str, is_ticked: bool) -> Markup {
    html! {
        label.check {
            input type="checkbox" name=(name) checked[is_ticked];
            span { (label) }
        }
    }
}
