//! The markup of a diagram of moves.

use enza_kernel::floor::Position;
use enza_kernel::moves::Table;
use maud::{Markup, html};

use super::plan::{Plan, StateBox};
use super::route::RoutedMove;
use crate::words::Words;

/// The diagram of a table, with everything that stands in it.
pub fn diagram(words: Words, table: &Table, positions: &[Position]) -> Markup {
    let plan = Plan::of(table, positions);
    let (tip, error_tip) = (format!("tip-{}", table.name()), format!("error-tip-{}", table.name()));
    html! {
        div.moves-scroll tabindex="0" role="group" aria-label=(table.name()) {
            svg.moves width=(plan.width) height=(plan.height) viewBox={ "0 0 " (plan.width) " " (plan.height) } role="img" aria-label=(spoken(words, table, &plan)) {
                defs { (arrow(&tip, "moves-tip")) (arrow(&error_tip, "moves-tip error")) }
                @for way in &plan.ways { (line(way, if way.is_error { &error_tip } else { &tip })) }
                @for sheet in &plan.sheets { (state(sheet, &tip)) }
                @for way in &plan.ways { @if !way.label.is_empty() {
                    text.moves-label.error[way.is_error] x=(way.label_at.0) y=(way.label_at.1) text-anchor="middle" { (way.label) }
                } }
            }
        }
    }
}

/// The diagram in words: what stands where.
fn spoken(words: Words, table: &Table, plan: &Plan) -> String {
    let lit = plan.sheets.iter().filter(|sheet| sheet.is_lit());
    let places: Vec<String> = lit.map(|sheet| format!("{}: {}", sheet.state, sheet.here.join(", "))).collect();
    words.fill("inspector.moves_spoken", &[("table", table.name()), ("places", &places.join("; "))])
}

fn arrow(id: &str, class: &str) -> Markup {
    html! {
        marker id=(id) viewBox="0 0 8 8" refX="7" refY="4" markerWidth="7" markerHeight="7" orient="auto-start-reverse" {
            path class=(class) d="M0.5 0.8L7 4L0.5 7.2z" {}
        }
    }
}

fn line(way: &RoutedMove, tip: &str) -> Markup {
    let title = if way.label.is_empty() {
        format!("{} → {}", way.from, way.to)
    } else {
        format!("{} → {}: {}", way.from, way.to, way.label)
    };
    html! { path.moves-way.error[way.is_error] d=(way.path) marker-end={ "url(#" (tip) ")" } { title { (title) } } }
}

fn state(sheet: &StateBox, tip: &str) -> Markup {
    let StateBox { x, y, width, height, .. } = sheet;
    let middle = x + width / 2.0;
    html! {
        g.moves-state.is-lit[sheet.is_lit()] {
            @if sheet.is_start {
                circle.moves-start cx=(x - 26.0) cy=(sheet.middle()) r="4.5" {}
                line.moves-way x1=(x - 21.0) y1=(sheet.middle()) x2=(x - 1.0) y2=(sheet.middle()) marker-end={ "url(#" (tip) ")" } {}
            }
            rect.moves-box x=(x) y=(y) width=(width) height=(height) rx="8" {}
            @if sheet.is_end { rect.moves-end x=(x + 3.5) y=(y + 3.5) width=(width - 7.0) height=(height - 7.0) rx="5" {} }
            text.moves-name x=(middle) y=(y + 24.0) text-anchor="middle" { (sheet.label) }
            @for (place, thing) in sheet.here.iter().enumerate() {
                text.moves-thing x=(middle) y=(y + 44.0 + place as f64 * 17.0) text-anchor="middle" { (thing) }
            }
            @if sheet.more > 0 {
                text.moves-thing x=(middle) y=(y + 44.0 + sheet.here.len() as f64 * 17.0) text-anchor="middle" { "+" (sheet.more) }
            }
        }
    }
}
