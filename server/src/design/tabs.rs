//! Pages that stand side by side, one of them open. They are links, so each has an address of its own.

use maud::{Markup, html};

/// The tabs, with the one at `current` open.
pub fn tabs(tabs: &[(&str, &str)], current: &str) -> Markup {
    html! {
        nav.tabs {
            ul { @for (href, label) in tabs { li { a href=(href) aria-current=[(*href == current).then_some("page")] { (label) } } } }
        }
    }
}
