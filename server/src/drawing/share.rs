//! A bar of parts that make up a whole: where a prompt's tokens are, and how much of it a provider knew already.

use maud::{Markup, html};

/// One part.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct SharePart<'a> {
    /// The class that gives it its colour.
    pub class: &'a str,
    pub title: String,
    pub amount: u64,
}

/// The length of the bar in its own units.
const LENGTH: f64 = 1_000.0;
/// The least a part is drawn with, so that it can be seen at all.
const LEAST: f64 = 3.0;

/// The bar. What is missing from `whole` stays empty.
pub fn bar(label: &str, parts: &[SharePart<'_>], whole: u64) -> Markup {
    html! {
        svg.share role="img" aria-label=(label) viewBox="0 0 1000 10" preserveAspectRatio="none" {
            rect.share-ground x="0" y="0" width="1000" height="10" {}
            @for (part, (from, length)) in parts.iter().zip(places(parts, whole)) {
                rect class={ "share-part " (part.class) } x=(from) y="0" width=(length) height="10" { title { (part.title) } }
            }
        }
    }
}

/// Where each part begins and how long it is.
fn places(parts: &[SharePart<'_>], whole: u64) -> Vec<(f64, f64)> {
    let mut from: f64 = 0.0;
    let mut places = Vec::with_capacity(parts.len());
    for part in parts {
        let exact = if whole == 0 { 0.0 } else { part.amount as f64 / whole as f64 * LENGTH };
        let wanted = if part.amount == 0 { 0.0 } else { exact.max(LEAST) };
        let length = wanted.min(LENGTH - from);
        places.push((round(from), round(length)));
        from += length;
    }
    places
}

fn round(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}

#[cfg(test)]
mod tests {
    use super::{SharePart, places};

    #[test]
    fn parts_stand_one_after_another_and_never_past_the_end() {
        let part = |amount| SharePart { class: "", title: String::new(), amount };
        assert_eq!(places(&[part(25), part(50)], 100), [(0.0, 250.0), (250.0, 500.0)]);
        assert_eq!(places(&[part(0), part(1), part(99_999)], 100_000), [(0.0, 0.0), (0.0, 3.0), (3.0, 997.0)]);
        assert_eq!(places(&[part(7)], 0), [(0.0, 3.0)]);
    }
}
