//! Who stands with whom: places on the map, gathered into groups.
//!
//! As `red-dwarf` does it, which leaves nothing to chance: k-means begins at the first k different places in order of their
//! coordinates, and k is the number of groups with the best silhouette. As Polis does it, k is at most two and one more for
//! each dozen of people. Groups are numbered by size, the largest first, so that a name does not hang on a beginning.

use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

/// Rounds after which k-means stops wherever it is; it settles long before.
const ROUNDS: usize = 300;
/// People for whom one group more is looked for.
const PEOPLE_A_GROUP: usize = 12;

/// Which group each participant is in, in the order of the votes. Who voted too little is in none.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Grouping {
    pub of: Vec<Option<usize>>,
    pub count: usize,
}

impl Grouping {
    /// Groups that are given by participant, such as those of a file. Whoever is not named is in none. Groups are numbered
    /// from 0 without gaps, in the order of their numbers.
    pub fn given(participants: &[String], groups: &BTreeMap<String, usize>) -> Grouping {
        let named: Vec<Option<usize>> =
            participants.iter().map(|participant| groups.get(participant).copied()).collect();
        let mut numbers: Vec<usize> = named.iter().flatten().copied().collect();
        numbers.sort_unstable();
        numbers.dedup();
        let of = named.iter().map(|group| group.and_then(|group| numbers.binary_search(&group).ok())).collect();
        Grouping { of, count: numbers.len() }
    }

    /// The places of those in a group.
    pub fn members(&self, group: usize) -> impl Iterator<Item = usize> {
        self.of.iter().enumerate().filter(move |(_, of)| **of == Some(group)).map(|(at, _)| at)
    }
}

type Point = [f64; 2];

/// What was found, and how clearly the groups stand apart: −1 to 1, none where there is one group.
pub(crate) struct Clusters {
    pub(crate) grouping: Grouping,
    pub(crate) silhouette: Option<f64>,
}

/// Gathers those who are `taken` into at most `most` groups by where they stand.
pub(crate) fn gather(places: &[Point], taken: &[usize], most: usize) -> Clusters {
    // In order of coordinates, so that sums do not depend on who came first.
    let mut order = taken.to_vec();
    order.sort_by(|one, other| compare(&places[*one], &places[*other]).then(one.cmp(other)));
    let points: Vec<Point> = order.iter().map(|at| places[*at]).collect();
    let mut different = points.clone();
    different.dedup();
    let most = most.min(2 + points.len() / PEOPLE_A_GROUP).min(different.len()).min(points.len().saturating_sub(1));
    let mut best: (Option<f64>, Vec<usize>) = (None, vec![0; points.len()]);
    for count in 2..=most {
        let labels = k_means(&points, &different[..count]);
        let score = silhouette(&points, &labels, count);
        if best.0.is_none_or(|so_far| score > so_far) {
            best = (Some(score), labels);
        }
    }
    let (silhouette, labels) = best;
    let (labels, count) = numbered_by_size(&points, &labels);
    let mut of = vec![None; places.len()];
    for (at, label) in order.into_iter().zip(labels) {
        of[at] = Some(label);
    }
    Clusters { grouping: Grouping { of, count }, silhouette }
}

fn compare(one: &Point, other: &Point) -> std::cmp::Ordering {
    one[0].total_cmp(&other[0]).then(one[1].total_cmp(&other[1]))
}

fn square_of_distance(one: &Point, other: &Point) -> f64 {
    let (x, y) = (one[0] - other[0], one[1] - other[1]);
    x * x + y * y
}

/// Lloyd's rounds from the centres given, until nobody changes groups.
fn k_means(points: &[Point], begin: &[Point]) -> Vec<usize> {
    let mut centres = begin.to_vec();
    let mut labels = Vec::new();
    for _ in 0..ROUNDS {
        let nearest: Vec<usize> = points.iter().map(|point| closest(point, &centres)).collect();
        if nearest == labels {
            break;
        }
        labels = nearest;
        fill_empty(points, &mut labels, &centres);
        centres = (0..centres.len()).map(|group| middle(points, &labels, group)).collect();
    }
    labels
}

/// The centre next to a point; of several, the first.
fn closest(point: &Point, centres: &[Point]) -> usize {
    let mut best = (f64::INFINITY, 0);
    for (group, centre) in centres.iter().enumerate() {
        let far = square_of_distance(point, centre);
        if far < best.0 {
            best = (far, group);
        }
    }
    best.1
}

/// A group that lost everybody gets the one who stands farthest from their centre.
fn fill_empty(points: &[Point], labels: &mut [usize], centres: &[Point]) {
    for group in 0..centres.len() {
        if labels.contains(&group) {
            continue;
        }
        let far = |at: usize, labels: &[usize]| square_of_distance(&points[at], &centres[labels[at]]);
        let mut farthest = 0;
        for at in 1..points.len() {
            if far(at, labels) > far(farthest, labels) {
                farthest = at;
            }
        }
        labels[farthest] = group;
    }
}

/// The mean of a group's points.
fn middle(points: &[Point], labels: &[usize], group: usize) -> Point {
    let (mut sum, mut count) = ([0.0, 0.0], 0.0);
    for (point, _) in points.iter().zip(labels).filter(|(_, label)| **label == group) {
        sum = [sum[0] + point[0], sum[1] + point[1]];
        count += 1.0;
    }
    if count > 0.0 { [sum[0] / count, sum[1] / count] } else { sum }
}

/// How much nearer everyone is to their own group than to the next one, in the mean. Who is alone counts nothing.
fn silhouette(points: &[Point], labels: &[usize], count: usize) -> f64 {
    let mut sizes = vec![0.0; count];
    labels.iter().for_each(|label| sizes[*label] += 1.0);
    let mut sum = 0.0;
    for (point, own) in points.iter().zip(labels) {
        if sizes[*own] < 2.0 {
            continue;
        }
        let mut distances = vec![0.0; count];
        for (other, label) in points.iter().zip(labels) {
            distances[*label] += square_of_distance(point, other).sqrt();
        }
        let within = distances[*own] / (sizes[*own] - 1.0);
        let others = (0..count).filter(|group| group != own && sizes[*group] > 0.0);
        let next = others.map(|group| distances[group] / sizes[group]).fold(f64::INFINITY, f64::min);
        let wider = within.max(next);
        if wider > 0.0 && wider.is_finite() {
            sum += (next - within) / wider;
        }
    }
    sum / points.len() as f64
}

/// The same groups with the largest first; of two that are equal, the one further left, then further down.
fn numbered_by_size(points: &[Point], labels: &[usize]) -> (Vec<usize>, usize) {
    let mut sizes: BTreeMap<usize, usize> = BTreeMap::new();
    labels.iter().for_each(|label| *sizes.entry(*label).or_default() += 1);
    let mut order: Vec<(usize, usize)> = sizes.into_iter().collect();
    order.sort_by(|(one, size), (other, other_size)| {
        let centres = (middle(points, labels, *one), middle(points, labels, *other));
        other_size.cmp(size).then_with(|| compare(&centres.0, &centres.1))
    });
    let number: BTreeMap<usize, usize> =
        order.iter().enumerate().map(|(number, (label, _))| (*label, number)).collect();
    (labels.iter().map(|label| number[label]).collect(), order.len())
}

#[cfg(test)]
mod tests {
    use super::{gather, silhouette};

    #[test]
    fn two_clouds_are_two_groups_and_the_larger_is_the_first() {
        let places = [[5.0, 0.0], [-5.0, 0.0], [5.0, 1.0], [-5.0, 1.0], [5.5, 0.5], [0.0, 40.0]];
        let clusters = gather(&places, &[0, 1, 2, 3, 4], 5);
        assert_eq!(clusters.grouping.of, [Some(0), Some(1), Some(0), Some(1), Some(0), None]);
        assert!(clusters.silhouette.is_some_and(|clear| clear > 0.8));
    }

    #[test]
    fn people_in_one_place_are_one_group() {
        let clusters = gather(&[[1.0, 2.0]; 4], &[0, 1, 2, 3], 5);
        assert_eq!((clusters.grouping.count, clusters.silhouette), (1, None));
    }

    #[test]
    fn three_clouds_of_a_dozen_are_found() {
        let cloud =
            |x: f64, y: f64| (0..12).map(move |nth| [x + f64::from(nth % 3) / 10.0, y + f64::from(nth / 3) / 10.0]);
        let places: Vec<_> = cloud(0.0, 0.0).chain(cloud(6.0, 0.0)).chain(cloud(3.0, 5.0)).collect();
        let taken: Vec<usize> = (0..36).collect();
        let clusters = gather(&places, &taken, 5);
        assert_eq!(clusters.grouping.count, 3);
        assert!((0..3).all(|group| clusters.grouping.members(group).count() == 12));
    }

    #[test]
    fn the_silhouette_is_what_a_hand_computes() {
        // Within: 1 each. To the other group: 10 and 11 for the first, 9 and 10 for the second, and the same again.
        let points = [[0.0, 0.0], [1.0, 0.0], [10.0, 0.0], [11.0, 0.0]];
        let expected = ((10.5 - 1.0) / 10.5 + (9.5 - 1.0) / 9.5) / 2.0;
        assert!((silhouette(&points, &[0, 0, 1, 1], 2) - expected).abs() < 1e-12);
    }
}
