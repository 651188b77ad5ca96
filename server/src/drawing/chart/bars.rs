//! Stacked bars over an axis.

use maud::{Markup, html};

use super::scale::ticks;

/// How many series have a colour of their own; the last of them is shared by all others.
pub const SERIES: usize = 6;
const WIDTH: f64 = 880.0;
const HEIGHT: f64 = 240.0;
const LEFT: f64 = 64.0;
const TOP: f64 = 12.0;
const BOTTOM: f64 = 30.0;
/// The room between two labels of the axis, at least.
const LABELS_APART: f64 = 62.0;

/// What is charted.
pub struct Chart<'a> {
    /// What it shows, for those who hear it.
    pub title: &'a str,
    /// What each part of a bar is.
    pub series: &'a [String],
    /// The bars, from the left.
    pub bars: &'a [Bar],
    /// How an amount is written in full.
    pub exact: &'a dyn Fn(u64) -> String,
    /// How an amount is written at a tick.
    pub brief: &'a dyn Fn(u64) -> String,
}

/// One bar.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Bar {
    pub name: String,
    /// What stands below it, where there is room.
    pub brief: String,
    /// Its parts, in the order of the series.
    pub parts: Vec<u64>,
}

impl Bar {
    /// All parts together.
    pub fn total(&self) -> u64 {
        self.parts.iter().fold(0, |sum, part| sum.saturating_add(*part))
    }
}

/// The chart.
pub fn bars(chart: &Chart<'_>) -> Markup {
    let most = chart.bars.iter().map(Bar::total).max().unwrap_or(0);
    let ticks = ticks(most);
    let top = ticks.last().copied().unwrap_or(1).max(1);
    let y = |amount: u64| HEIGHT - BOTTOM - (HEIGHT - BOTTOM - TOP) * (amount as f64 / top as f64);
    let room = (WIDTH - LEFT) / chart.bars.len().max(1) as f64;
    let every = (LABELS_APART / room).ceil().max(1.0) as usize;
    html! {
        div.chart-scroll tabindex="0" role="group" aria-label=(chart.title) {
            svg.chart viewBox={ "0 0 " (WIDTH) " " (HEIGHT) } role="img" aria-label=(chart.title) {
                @for tick in &ticks {
                    line.chart-rule x1=(LEFT) y1=(one(y(*tick))) x2=(WIDTH) y2=(one(y(*tick))) {}
                    text.chart-tick x=(LEFT - 8.0) y=(one(y(*tick) + 4.0)) text-anchor="end" { ((chart.brief)(*tick)) }
                }
                @for (place, bar) in chart.bars.iter().enumerate() {
                    @let x = LEFT + room * place as f64;
                    g.chart-bar {
                        title { (told(chart, bar)) }
                        rect.chart-column x=(one(x)) y=(TOP) width=(one(room)) height=(HEIGHT - BOTTOM - TOP) {}
                        @for part in stacked(bar, room, x) {
                            rect class={ "series-" (part.series.min(SERIES - 1)) } x=(one(part.x)) y=(one(y(part.to))) width=(one(part.width)) height=(one(y(part.from) - y(part.to))) {}
                        }
                    }
                    @if place.is_multiple_of(every) {
                        text.chart-label x=(one(x + room / 2.0)) y=(HEIGHT - 10.0) text-anchor="middle" { (bar.brief) }
                    }
                }
                line.chart-axis x1=(LEFT) y1=(HEIGHT - BOTTOM) x2=(WIDTH) y2=(HEIGHT - BOTTOM) {}
            }
        }
    }
}

/// Which colour is which series.
pub fn legend(series: &[String]) -> Markup {
    html! {
        ul.legend {
            @for (place, name) in series.iter().enumerate() {
                li {
                    svg.legend-sign viewBox="0 0 12 12" width="12" height="12" aria-hidden="true" {
                        rect class={ "series-" (place.min(SERIES - 1)) } x="0" y="0" width="12" height="12" rx="3" {}
                    }
                    span { (name) }
                }
            }
        }
    }
}

/// A part of a bar in its place.
struct BarSegment {
    series: usize,
    from: u64,
    to: u64,
    x: f64,
    width: f64,
}

fn stacked(bar: &Bar, room: f64, x: f64) -> Vec<BarSegment> {
    let width = (room * 0.72).min(44.0);
    let mut from = 0_u64;
    let mut parts = Vec::new();
    for (series, amount) in bar.parts.iter().enumerate().filter(|(_, amount)| **amount > 0) {
        let to = from.saturating_add(*amount);
        parts.push(BarSegment { series, from, to, x: x + (room - width) / 2.0, width });
        from = to;
    }
    parts
}

/// A bar in words: its name, its sum, its parts.
fn told(chart: &Chart<'_>, bar: &Bar) -> String {
    let mut text = format!("{}: {}", bar.name, (chart.exact)(bar.total()));
    for (name, part) in chart.series.iter().zip(&bar.parts).filter(|(_, part)| **part > 0) {
        text += &format!("\n{name}: {}", (chart.exact)(*part));
    }
    text
}

/// One digit after the point is plenty.
fn one(length: f64) -> f64 {
    (length * 10.0).round() / 10.0
}
