//! The events of the drawing once more, as a list: for whoever cannot see the drawing, and for whoever wants to read it.

use enza_kernel::about::About;
use maud::{Markup, html};

use crate::design::table;
use crate::drawing::figures;
use crate::drawing::timeline::{Mark, TimelineLinks, View, lane_name};
use crate::words::Words;

/// The list, folded.
pub fn listing(words: Words, about: About<'_>, view: &View<'_>, links: &TimelineLinks<'_>) -> Markup {
    let heads = ["number", "what", "whose", "said"].map(|head| words.of("inspector-list", head));
    let rows = view.marks.iter().map(|placed| row(words, about, view, placed.mark, links)).collect();
    let range = [("from", view.first.to_string()), ("to", view.last.to_string())];
    let range: Vec<(&str, &str)> = range.iter().map(|(name, text)| (*name, text.as_str())).collect();
    html! {
        details.listing {
            summary { (words.fill("inspector.list", &range)) }
            (table(&heads, rows))
        }
    }
}

fn row(words: Words, about: About<'_>, view: &View<'_>, mark: &Mark, links: &TimelineLinks<'_>) -> Vec<Markup> {
    let lane = view.scene.lanes.get(mark.lane).map(|lane| lane_name(words, about, lane)).unwrap_or_default();
    let tokens = mark.tokens.map(|tokens| words.fill("inspector.tokens", &[("count", &figures::count(tokens))]));
    let said: String = mark.text.as_deref().unwrap_or_default().chars().take(160).collect();
    vec![
        html! { a href=((links.to_event)(mark.seq)) aria-current=[(mark.seq == view.selected).then_some("true")] { (mark.seq) } },
        html! {
            code { (mark.kind) }
            @if let Some(step) = mark.step { " " (words.of("inspector-step", step)) }
            @if let Some(tool) = &mark.tool { " " code { (tool) } }
        },
        html! { (lane) },
        html! { @if let Some(tokens) = tokens { (tokens) } @else { (said) } },
    ]
}
