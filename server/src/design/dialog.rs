//! A dialog: asks for something before going on, and keeps the rest of the page out of reach meanwhile.
//!
//! It is opened by any element with `data-opens="ID"`, and closed by Escape, by a click beside it, or by any element
//! inside it with `data-closes`. Without scripts it stays closed.

use maud::{Markup, html};

/// A closed dialog.
pub fn dialog(id: &str, title: &str, body: Markup) -> Markup {
    let heading = format!("{id}-title");
    html! {
        dialog.dialog id=(id) aria-labelledby=(heading) {
            h2 id=(heading) { (title) }
            (body)
        }
    }
}
