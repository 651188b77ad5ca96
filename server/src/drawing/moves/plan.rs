//! Where the states of a table stand: in layers by their distance from the start, from left to right.
//!
//! No two boxes overlap, and between two layers there is a gap that only moves pass through. Room is left above for
//! moves that skip layers, and below for those that go back and for errors.

use std::collections::{BTreeMap, VecDeque};

use enza_kernel::floor::Position;
use enza_kernel::moves::{Move, Table};

use super::route::{RoutedMove, route};
use crate::drawing::text_width::{fitted, width};

/// The size of letters in boxes and on moves.
pub(super) const LETTERS: f64 = 13.0;
pub(super) const SMALL: f64 = 11.0;
/// The margin on every side.
pub(super) const MARGIN: f64 = 34.0;
const BOX_WIDTH: (f64, f64) = (92.0, 200.0);
const BOX_HEIGHT: f64 = 38.0;
const ROW: f64 = 17.0;
const BETWEEN: f64 = 30.0;
const GAP: f64 = 64.0;
/// The widest label that makes a gap wider; a longer one is cut.
const LABEL: f64 = 150.0;
/// How many things are named in a box.
const NAMED: usize = 4;

/// A laid-out diagram.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Plan {
    pub width: f64,
    pub height: f64,
    pub sheets: Vec<StateBox>,
    pub ways: Vec<RoutedMove>,
}

/// A state's box.
#[derive(Debug, Clone, PartialEq)]
pub struct StateBox {
    pub state: String,
    /// Its name as far as it fits.
    pub label: String,
    /// Its layer, from 0.
    pub layer: usize,
    /// The left edge.
    pub x: f64,
    /// The upper edge.
    pub y: f64,
    pub width: f64,
    pub height: f64,
    /// What stands here, as far as it is named.
    pub here: Vec<String>,
    /// How many more stand here.
    pub more: usize,
    /// Whether it is where everything begins.
    pub is_start: bool,
    /// Whether it is an end.
    pub is_end: bool,
    /// Whether nothing stands above it in its layer, and whether nothing stands below.
    pub is_outermost: (bool, bool),
}

impl StateBox {
    /// The middle of its height.
    pub fn middle(&self) -> f64 {
        self.y + self.height / 2.0
    }

    /// Whether anything stands here.
    pub fn is_lit(&self) -> bool {
        !self.here.is_empty()
    }
}

impl Plan {
    /// Lays out a table, with everything that stands in it.
    pub fn of(table: &Table, positions: &[Position]) -> Self {
        let layers = layers(table);
        let mut sheets: Vec<StateBox> = Vec::new();
        let mut x = MARGIN;
        let mut widths = Vec::new();
        for (layer, states) in layers.iter().enumerate() {
            let column: Vec<StateBox> =
                states.iter().map(|state| state_box(table, positions, state, layer, x)).collect();
            let wide = column.iter().map(|sheet| sheet.width).fold(0.0, f64::max);
            widths.push(wide);
            sheets.extend(column.into_iter().map(|one| StateBox { x: x + (wide - one.width) / 2.0, ..one }));
            x += wide + gap(table, &layers, layer);
        }
        let right = sheets.iter().map(|sheet| sheet.x + sheet.width).fold(0.0, f64::max);
        stack(&mut sheets, layers.len());
        let mut plan = Self { width: right + MARGIN, height: 0.0, sheets, ways: Vec::new() };
        route(&mut plan, table);
        plan
    }
}

/// States by their distance from the start; within a layer, near what leads to them.
fn layers(table: &Table) -> Vec<Vec<String>> {
    let mut rank: BTreeMap<&str, usize> = BTreeMap::from([(table.start(), 0)]);
    for moves in [table.moves(), table.errors()] {
        let mut queue: VecDeque<&str> =
            table.states().iter().map(String::as_str).filter(|one| rank.contains_key(one)).collect();
        while let Some(state) = queue.pop_front() {
            let next = rank[state] + 1;
            for one in moves.iter().filter(|one| one.from == state) {
                if !rank.contains_key(one.to.as_str()) {
                    rank.insert(&one.to, next);
                    queue.push_back(&one.to);
                }
            }
        }
    }
    let last = rank.values().copied().max().unwrap_or(0);
    let mut layers = vec![Vec::new(); last + 1];
    for state in table.states() {
        // A checked table has no state that cannot be reached; were there one, it would stand last.
        layers[rank.get(state.as_str()).copied().unwrap_or(last)].push(state.clone());
    }
    for layer in 1..layers.len() {
        let (before, rest) = layers.split_at_mut(layer);
        let above = &before[layer - 1];
        rest[0].sort_by_key(|state| nearness(table, above, state));
    }
    layers
}

/// The middle of those in the layer before that lead here, in hundredths of a place.
fn nearness(table: &Table, above: &[String], state: &str) -> usize {
    let leads = |one: &&Move| one.to == state;
    let sources = table.moves().iter().chain(table.errors()).filter(leads);
    let places: Vec<usize> = sources.filter_map(|one| above.iter().position(|name| *name == one.from)).collect();
    if places.is_empty() { usize::MAX } else { places.iter().sum::<usize>() * 100 / places.len() }
}

fn state_box(table: &Table, positions: &[Position], state: &str, layer: usize, x: f64) -> StateBox {
    let here: Vec<&str> = positions
        .iter()
        .filter(|position| position.table == table.name() && position.at == state)
        .map(|position| position.thing.as_str())
        .collect();
    let label = fitted(state, BOX_WIDTH.1 - 28.0, LETTERS);
    let named: Vec<String> = here.iter().take(NAMED).map(|thing| fitted(thing, BOX_WIDTH.1 - 36.0, SMALL)).collect();
    let widest = named.iter().map(|name| width(name, SMALL) + 8.0).fold(width(&label, LETTERS), f64::max);
    let more = here.len() - named.len();
    let rows = named.len() + usize::from(more > 0);
    StateBox {
        state: state.to_owned(),
        label,
        layer,
        x,
        y: 0.0,
        width: (widest + 28.0).clamp(BOX_WIDTH.0, BOX_WIDTH.1).ceil(),
        height: BOX_HEIGHT + rows as f64 * ROW + if rows > 0 { 6.0 } else { 0.0 },
        here: named,
        more,
        is_start: table.start() == state,
        is_end: table.is_end(state),
        is_outermost: (false, false),
    }
}

/// The gap after a layer: wide enough for the labels of the moves that cross it.
fn gap(table: &Table, layers: &[Vec<String>], layer: usize) -> f64 {
    let Some(next) = layers.get(layer + 1) else { return 0.0 };
    let crosses = |one: &&Move| layers[layer].contains(&one.from) && next.contains(&one.to);
    let labels = table.moves().iter().filter(crosses).filter_map(|one| one.on.as_deref());
    labels.map(|on| width(on, SMALL).min(LABEL) + 44.0).fold(GAP, f64::max).ceil()
}

/// The label of a move, as far as it fits.
pub(super) fn label(on: &str) -> String {
    fitted(on, LABEL, SMALL)
}

/// Stacks the boxes of each layer around one middle line.
fn stack(sheets: &mut [StateBox], layers: usize) {
    let total = |column: &[StateBox]| {
        column.iter().map(|sheet| sheet.height).sum::<f64>() + BETWEEN * column.len().saturating_sub(1) as f64
    };
    let columns: Vec<f64> = (0..layers)
        .map(|layer| total(&sheets.iter().filter(|sheet| sheet.layer == layer).cloned().collect::<Vec<_>>()))
        .collect();
    let highest = columns.iter().copied().fold(0.0, f64::max);
    for (layer, height) in columns.iter().enumerate() {
        let mut y = (highest - height) / 2.0;
        let places: Vec<usize> = (0..sheets.len()).filter(|place| sheets[*place].layer == layer).collect();
        for (nth, place) in places.iter().enumerate() {
            sheets[*place].y = y;
            sheets[*place].is_outermost = (nth == 0, nth + 1 == places.len());
            y += sheets[*place].height + BETWEEN;
        }
    }
}
