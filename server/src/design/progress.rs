//! How far something has come, where that can be counted.

use maud::{Markup, html};

use crate::words::Words;

/// So many steps of so many; a bar, and the figures in words.
pub fn progress(words: Words, done: usize, total: usize, label: &str) -> Markup {
    let figures = words.fill("design.steps", &[("done", &done.to_string()), ("total", &total.to_string())]);
    html! {
        div.progress {
            span.progress-label { (label) }
            span.figures { (figures) }
            progress max=(total.max(1)) value=(done.min(total)) aria-label=(label) { (figures) }
        }
    }
}
