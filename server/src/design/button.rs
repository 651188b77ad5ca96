//! Buttons, and links that look like them.
//!
//! A button in a form sends the form. One that opens a dialog does nothing without a script, so whatever it leads to
//! has to be reachable in another way, too.

use maud::{Markup, html};

/// How much a button asks for attention.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Weight {
    /// The likely next step; at most one in sight.
    Main,
    /// One way among others.
    Plain,
    /// Not to be taken lightly.
    Grave,
    /// Aside from what the page is for.
    Quiet,
}

impl Weight {
    /// The classes of a button of this weight.
    pub(crate) fn class(self) -> &'static str {
        match self {
            Self::Main => "button main",
            Self::Plain => "button plain",
            Self::Grave => "button grave",
            Self::Quiet => "button quiet",
        }
    }
}

/// A button that sends the form around it.
pub fn button(label: &str, weight: Weight) -> Markup {
    html! { button type="submit" class=(weight.class()) { (label) } }
}

/// A button that sends the form around it with one more field, for forms that can be sent in several ways.
pub fn verdict_button(name: &str, value: &str, label: &str, weight: Weight) -> Markup {
    html! { button type="submit" name=(name) value=(value) class=(weight.class()) { (label) } }
}

/// A button that opens the dialog of this id.
pub fn opener(id: &str, label: &str, weight: Weight) -> Markup {
    html! { button type="button" class=(weight.class()) data-opens=(id) aria-haspopup="dialog" { (label) } }
}

/// A link that looks like a button.
pub fn link_button(href: &str, label: &str, weight: Weight) -> Markup {
    html! { a href=(href) class=(weight.class()) { (label) } }
}
