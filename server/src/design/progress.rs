//! How far something has come, where that can be counted.

use maud::{Markup, html};

use crate::drawing::figures::count;
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

/// How much of a limit is used up; a bar, and the figures in words.
pub fn meter(words: Words, used: u64, limit: u64, label: &str) -> Markup {
    let figures = words.fill("design.steps", &[("done", &count(used)), ("total", &count(limit))]);
    let is_high = used.saturating_mul(10) >= limit.saturating_mul(9);
    html! {
        div.progress.meter.high[is_high] {
            span.progress-label { (label) }
            span.figures { (figures) }
            progress max=(limit.max(1)) value=(used.min(limit)) aria-label=(label) { (figures) }
        }
    }
}
