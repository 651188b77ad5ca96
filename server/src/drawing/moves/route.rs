//! Leads the moves from box to box without crossing a box.
//!
//! A move to the next layer crosses the gap between. Every other runs along a track of its own, above or below all
//! boxes, which it reaches through the gaps beside its two states, or straight where no other box is in between. Moves
//! between the same two states are one way with all their labels.

use std::collections::BTreeMap;

use enza_kernel::moves::{Move, Table};

use super::plan::{MARGIN, Plan, SMALL, StateBox, label};
use crate::drawing::text_width::width;

/// How far tracks are apart, and the first from the boxes.
const TRACK: f64 = 24.0;
const FIRST: f64 = 26.0;
/// How round corners are.
const ROUND: f64 = 8.0;

/// A way from state to state.
#[derive(Debug, Clone, PartialEq)]
pub struct RoutedMove {
    pub from: String,
    pub to: String,
    /// The line, as SVG writes it.
    pub path: String,
    /// What brings it about.
    pub label: String,
    /// Where the label stands: the middle of its foot.
    pub label_at: (f64, f64),
    /// Whether it is an error.
    pub is_error: bool,
}

/// On which side of the boxes a way runs.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum TrackSide {
    Above,
    Below,
}

/// A way before it has a track.
struct UnroutedMove<'a> {
    from: &'a StateBox,
    to: &'a StateBox,
    labels: String,
    is_error: bool,
}

pub(super) fn route(plan: &mut Plan, table: &Table) {
    let plain = merged(&plan.sheets, table);
    let mut ways = Vec::new();
    let mut tracked: BTreeMap<TrackSide, Vec<&UnroutedMove<'_>>> = BTreeMap::new();
    for one in &plain {
        if one.from.state == one.to.state {
            ways.push(loop_of(one));
        } else if one.to.layer == one.from.layer + 1 && !one.is_error {
            ways.push(direct(one));
        } else if one.to.layer > one.from.layer && !one.is_error {
            tracked.entry(TrackSide::Above).or_default().push(one);
        } else {
            tracked.entry(TrackSide::Below).or_default().push(one);
        }
    }
    let floor = plan.sheets.iter().map(|sheet| sheet.y + sheet.height).fold(0.0, f64::max);
    let mut ports = Ports::default();
    let mut room = BTreeMap::from([(TrackSide::Above, MARGIN / 2.0), (TrackSide::Below, MARGIN / 2.0)]);
    for (side, mut list) in tracked {
        list.sort_by(|a, b| reach(a).total_cmp(&reach(b)));
        let mut tracks: Vec<Vec<(f64, f64)>> = Vec::new();
        for one in list {
            let ends = (ports.leave(one.from, side, &plan.sheets), ports.enter(one.to, side, &plan.sheets));
            let (left, right) = (ends.0.x.min(ends.1.x), ends.0.x.max(ends.1.x));
            let half = (right - left).max(width(&one.labels, SMALL) + 8.0) / 2.0 + 6.0;
            let middle = f64::midpoint(left, right);
            let wanted = (middle - half, middle + half);
            let free =
                tracks.iter().position(|track| track.iter().all(|taken| wanted.1 < taken.0 || taken.1 < wanted.0));
            let track = free.unwrap_or_else(|| {
                tracks.push(Vec::new());
                tracks.len() - 1
            });
            tracks[track].push(wanted);
            let away = FIRST + TRACK * track as f64;
            let y = match side {
                TrackSide::Above => -away,
                TrackSide::Below => floor + away,
            };
            ways.push(along(one, ends, y, middle));
        }
        room.insert(side, FIRST + TRACK * tracks.len() as f64 + 8.0);
    }
    let shift = room[&TrackSide::Above];
    let height = shift + floor + room[&TrackSide::Below];
    drop(plain);
    plan.sheets.iter_mut().for_each(|sheet| sheet.y += shift);
    plan.ways = ways
        .into_iter()
        .map(|(line, way)| RoutedMove {
            path: line.drawn(shift),
            label_at: (way.label_at.0, way.label_at.1 + shift),
            ..way
        })
        .collect();
    plan.height = height;
    // A label may be longer than its way.
    let reach = |way: &RoutedMove| way.label_at.0 + width(&way.label, SMALL) / 2.0 + 8.0;
    plan.width = plan.ways.iter().map(reach).fold(plan.width, f64::max).ceil();
}

/// One way for all moves of the same list between the same states.
fn merged<'a>(sheets: &'a [StateBox], table: &Table) -> Vec<UnroutedMove<'a>> {
    let mut plain: Vec<UnroutedMove<'a>> = Vec::new();
    let find = |state: &str| sheets.iter().find(|sheet| sheet.state == state);
    let mut add = |one: &Move, is_error: bool| {
        let (Some(from), Some(to)) = (find(&one.from), find(&one.to)) else { return };
        let known = plain
            .iter_mut()
            .find(|way| way.is_error == is_error && way.from.state == one.from && way.to.state == one.to);
        let on = one.on.clone().unwrap_or_default();
        match known {
            Some(way) if !on.is_empty() => way.labels = format!("{} / {on}", way.labels),
            Some(_) => {}
            None => plain.push(UnroutedMove { from, to, labels: on, is_error }),
        }
    };
    table.moves().iter().for_each(|one| add(one, false));
    table.errors().iter().for_each(|one| add(one, true));
    plain.iter_mut().for_each(|way| way.labels = label(way.labels.trim_start_matches(" / ")));
    plain
}

/// How far a way reaches, so that short ones get the inner tracks.
fn reach(one: &UnroutedMove<'_>) -> f64 {
    (one.from.x - one.to.x).abs()
}

/// Where a way meets the vertical piece that takes it to its track.
#[derive(Clone, Copy)]
struct Port {
    /// The vertical piece.
    x: f64,
    /// Where it touches the box.
    touch: (f64, f64),
}

/// Counts how many ways touch each box and use each gap, so that no two lie on each other.
#[derive(Default)]
struct Ports {
    touches: BTreeMap<(String, TrackSide), usize>,
    gaps: BTreeMap<usize, usize>,
}

impl Ports {
    fn leave(&mut self, sheet: &StateBox, side: TrackSide, sheets: &[StateBox]) -> Port {
        self.straight(sheet, side).unwrap_or_else(|| {
            let right =
                sheets.iter().filter(|one| one.layer == sheet.layer).map(|one| one.x + one.width).fold(0.0, f64::max);
            let x = right + 10.0 + self.lane(sheet.layer + 1);
            Port { x, touch: (sheet.x + sheet.width, sheet.middle() + 9.0) }
        })
    }

    fn enter(&mut self, sheet: &StateBox, side: TrackSide, sheets: &[StateBox]) -> Port {
        self.straight(sheet, side).unwrap_or_else(|| {
            let left = sheets.iter().filter(|one| one.layer == sheet.layer).map(|one| one.x).fold(f64::MAX, f64::min);
            let x = left - 14.0 - self.lane(sheet.layer);
            Port { x, touch: (sheet.x, sheet.middle() + 9.0) }
        })
    }

    /// Straight up or down, where the box is the outermost of its layer.
    fn straight(&mut self, sheet: &StateBox, side: TrackSide) -> Option<Port> {
        let (is_free, y) = match side {
            TrackSide::Above => (sheet.is_outermost.0, sheet.y),
            TrackSide::Below => (sheet.is_outermost.1, sheet.y + sheet.height),
        };
        let count = self.touches.entry((sheet.state.clone(), side)).or_default();
        // From the middle to both sides in turn, and no further than the box is wide.
        let most = (sheet.width / 2.0 - 14.0) / 14.0;
        if !is_free || *count as f64 > most * 2.0 {
            return None;
        }
        let away = count.div_ceil(2) as f64 * 14.0;
        let x = sheet.x + sheet.width / 2.0 + if count.is_multiple_of(2) { away } else { -away };
        *count += 1;
        Some(Port { x, touch: (x, y) })
    }

    fn lane(&mut self, gap: usize) -> f64 {
        let count = self.gaps.entry(gap).or_default();
        *count += 1;
        (*count - 1) as f64 % 4.0 * 5.0
    }
}

/// A line before the drawing has its final height.
enum Stroke {
    Corners(Vec<(f64, f64)>),
    Curve([(f64, f64); 4]),
}

impl Stroke {
    fn drawn(&self, shift: f64) -> String {
        match self {
            Self::Curve([a, b, c, d]) => format!(
                "M{:.1} {:.1}C{:.1} {:.1} {:.1} {:.1} {:.1} {:.1}",
                a.0,
                a.1 + shift,
                b.0,
                b.1 + shift,
                c.0,
                c.1 + shift,
                d.0,
                d.1 + shift
            ),
            Self::Corners(corners) => rounded(corners, shift),
        }
    }
}

fn direct(one: &UnroutedMove<'_>) -> (Stroke, RoutedMove) {
    let (a, d) = ((one.from.x + one.from.width, one.from.middle()), (one.to.x, one.to.middle()));
    let half = (d.0 - a.0) / 2.0;
    let curve = Stroke::Curve([a, (a.0 + half, a.1), (d.0 - half, d.1), d]);
    // Half-way, where ways that part have parted and ways that meet have not met yet.
    let at = (a.0 + half, a.1 + (d.1 - a.1) * 0.5 - 6.0);
    (curve, way(one, at))
}

fn loop_of(one: &UnroutedMove<'_>) -> (Stroke, RoutedMove) {
    let (right, top) = (one.from.x + one.from.width, one.from.y);
    let curve = Stroke::Curve([
        (right - 34.0, top),
        (right - 38.0, top - 24.0),
        (right - 8.0, top - 24.0),
        (right - 12.0, top),
    ]);
    (curve, way(one, (right - 23.0, top - 20.0)))
}

fn along(one: &UnroutedMove<'_>, (leave, enter): (Port, Port), y: f64, middle: f64) -> (Stroke, RoutedMove) {
    let mut corners = vec![leave.touch];
    if (leave.x - leave.touch.0).abs() > 0.1 {
        corners.push((leave.x, leave.touch.1));
    }
    corners.extend([(leave.x, y), (enter.x, y)]);
    if (enter.x - enter.touch.0).abs() > 0.1 {
        corners.push((enter.x, enter.touch.1));
    }
    corners.push(enter.touch);
    (Stroke::Corners(corners), way(one, (middle, y - 5.0)))
}

fn way(one: &UnroutedMove<'_>, label_at: (f64, f64)) -> RoutedMove {
    RoutedMove {
        from: one.from.state.clone(),
        to: one.to.state.clone(),
        path: String::new(),
        label: one.labels.clone(),
        label_at,
        is_error: one.is_error,
    }
}

/// Straight pieces with round corners.
fn rounded(corners: &[(f64, f64)], shift: f64) -> String {
    let mut path = format!("M{:.1} {:.1}", corners[0].0, corners[0].1 + shift);
    for three in corners.windows(3) {
        let (a, b, c) = (three[0], three[1], three[2]);
        let (before, after) = (toward(b, a), toward(b, c));
        path += &format!(
            "L{:.1} {:.1}Q{:.1} {:.1} {:.1} {:.1}",
            before.0,
            before.1 + shift,
            b.0,
            b.1 + shift,
            after.0,
            after.1 + shift
        );
    }
    let end = corners[corners.len() - 1];
    path + &format!("L{:.1} {:.1}", end.0, end.1 + shift)
}

/// The point a corner's roundness away from it, on the way to another; at most half of it.
fn toward(corner: (f64, f64), other: (f64, f64)) -> (f64, f64) {
    let (dx, dy) = (other.0 - corner.0, other.1 - corner.1);
    let length = dx.hypot(dy);
    let share = if length == 0.0 { 0.0 } else { (ROUND / length).min(0.5) };
    (corner.0 + dx * share, corner.1 + dy * share)
}
