//! Where everything stands on the drawing: a window around the selected event, lanes from the top, events from the left.
//!
//! Places are by sequence, so that a second of work and a night of waiting take the same room; time is told by ticks.
//! A short session fills the width, a long one is shown in part.

use enza_kernel::text::Lang;

use super::scene::{Lane, Mark, Scene};
use crate::drawing::figures;

/// The most events that are drawn at once.
pub const WINDOW: u64 = 42;
/// How many lanes are shown even if nothing is in them; with more, the empty ones are left out.
const LANES_ALWAYS: usize = 6;
/// The width that a session fills, if its events have room in it.
const WIDTH: f64 = 940.0;
/// The room of one event, at least and at most.
const STEPS: (f64, f64) = (21.0, 56.0);
/// The height of a lane.
const LANE: f64 = 40.0;
/// The room above the lanes, for forks, and below them, for ticks.
const ABOVE: f64 = 26.0;
const BELOW: f64 = 40.0;
/// The room between two ticks, at least: of places and of times.
const TICKS_APART: f64 = 40.0;
const TIMES_APART: f64 = 104.0;

/// A window on a scene, laid out.
#[derive(Debug, Clone, PartialEq)]
pub struct View<'a> {
    pub scene: &'a Scene,
    /// The first event of the window.
    pub first: u64,
    /// The last event of the window.
    pub last: u64,
    /// The selected event.
    pub selected: u64,
    /// The room of one event.
    pub step: f64,
    /// How wide the drawing is.
    pub width: f64,
    /// How high the drawing is.
    pub height: f64,
    /// The lanes that are shown, with the height of their middle.
    pub lanes: Vec<(&'a Lane, f64)>,
    /// The marks of the window, in order.
    pub marks: Vec<PlacedMark<'a>>,
    /// Marks outside of the window whose span reaches into it.
    pub passing: Vec<PlacedMark<'a>>,
}

/// A mark in its place.
#[derive(Debug, Clone, Copy, PartialEq)]
pub struct PlacedMark<'a> {
    pub mark: &'a Mark,
    /// The middle of its event.
    pub x: f64,
    /// The middle of its lane.
    pub y: f64,
    /// Where its span begins, within the window.
    pub from: f64,
    /// Where its span ends, within the window.
    pub to: f64,
}

impl<'a> View<'a> {
    /// The window around an event. An event beyond the last counts as the last.
    pub fn around(scene: &'a Scene, selected: u64) -> Self {
        let total = scene.marks.len() as u64;
        let selected = selected.clamp(1, total.max(1));
        let first = selected.saturating_sub(WINDOW / 2).min((total + 1).saturating_sub(WINDOW)).max(1);
        let last = (first + WINDOW - 1).min(total.max(1));
        let step = (WIDTH / (last - first + 1) as f64).clamp(STEPS.0, STEPS.1).floor();
        let mut view = Self {
            scene,
            first,
            last,
            selected,
            step,
            width: step * (last - first + 1) as f64,
            height: 0.0,
            lanes: Vec::new(),
            marks: Vec::new(),
            passing: Vec::new(),
        };
        view.settle();
        view
    }

    /// The middle of an event's place; outside of the window, the edge it lies beyond.
    pub fn x(&self, seq: u64) -> f64 {
        if seq < self.first {
            return 0.0;
        }
        if seq > self.last {
            return self.width;
        }
        (seq - self.first) as f64 * self.step + self.step / 2.0
    }

    /// The top and the bottom of the lanes.
    pub fn floor(&self) -> (f64, f64) {
        (ABOVE, self.height - BELOW)
    }

    /// The events that have their number written below them.
    pub fn ticks(&self) -> Vec<u64> {
        let every = [1, 2, 5, 10, 20].into_iter().find(|every| *every as f64 * self.step >= TICKS_APART).unwrap_or(50);
        (self.first..=self.last).filter(|seq| seq.is_multiple_of(every)).collect()
    }

    /// The events that have their time written below them, and how it is written: as the time since the session's first.
    /// A time that reads like the one before is left out.
    pub fn times(&self, lang: Lang) -> Vec<(u64, String)> {
        let Some(opened) = self.scene.marks.first() else { return Vec::new() };
        let mut times: Vec<(u64, String)> = Vec::new();
        let mut free = 0.0;
        for placed in &self.marks {
            let text = figures::span(lang, opened.at.until(placed.mark.at));
            let is_news = times.last().is_none_or(|(_, last)| *last != text);
            if is_news && placed.x >= free && placed.x + TIMES_APART / 2.0 <= self.width {
                times.push((placed.mark.seq, text));
                free = placed.x + TIMES_APART;
            }
        }
        times
    }

    fn settle(&mut self) {
        let touches = |mark: &&Mark| mark.from <= self.last && mark.to.max(mark.seq) >= self.first;
        let inside: Vec<&Mark> = self.scene.marks.iter().filter(touches).collect();
        let all = self.scene.lanes.len() <= LANES_ALWAYS;
        let shown = |lane: usize| all || inside.iter().any(|mark| mark.lane == lane);
        let mut heights = vec![None; self.scene.lanes.len()];
        for (place, lane) in self.scene.lanes.iter().enumerate() {
            if shown(place) {
                let y = ABOVE + LANE * (self.lanes.len() as f64 + 0.5);
                heights[place] = Some(y);
                self.lanes.push((lane, y));
            }
        }
        self.height = ABOVE + LANE * self.lanes.len() as f64 + BELOW;
        for mark in inside {
            let Some(y) = heights.get(mark.lane).copied().flatten() else { continue };
            let placed = PlacedMark { mark, x: self.x(mark.seq), y, from: self.x(mark.from), to: self.x(mark.to) };
            if (self.first..=self.last).contains(&mark.seq) {
                self.marks.push(placed);
            } else {
                self.passing.push(placed);
            }
        }
    }
}
