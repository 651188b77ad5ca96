//! What holds for any votes.

use std::collections::BTreeMap;

use enza_opinion::{Grouping, Settings, Side, Statement, Tally, Vote, Votes, draw, draw_with_groups, figures};
use proptest::prelude::*;

type Rows = Vec<Vec<Option<i8>>>;

/// Votes of up to twenty people on up to nine statements, with gaps.
fn any_votes() -> impl Strategy<Value = Rows> {
    (1_usize..10).prop_flat_map(|width| {
        prop::collection::vec(prop::collection::vec(prop::option::weighted(0.7, -1_i8..2), width), 1..20)
    })
}

fn votes_named(rows: &Rows, name: impl Fn(usize) -> String) -> Votes {
    let known = (0..rows.first().map_or(0, Vec::len)).map(|at| Statement::named(at.to_string()));
    let cast = rows.iter().enumerate().flat_map(|(participant, row)| {
        let name = name(participant);
        let cast = row.iter().enumerate();
        cast.filter_map(move |(at, value)| value.map(|value| (name.clone(), at.to_string(), Vote::of(value).unwrap())))
    });
    Votes::gather(known, cast.collect::<Vec<_>>())
}

fn votes(rows: &Rows) -> Votes {
    votes_named(rows, |participant| participant.to_string())
}

fn dot(one: &[f64], other: &[f64]) -> f64 {
    one.iter().zip(other).map(|(one, other)| one * other).sum()
}

proptest! {
    #[test]
    fn votes_of_groups_add_up(rows in any_votes(), of in prop::collection::vec(prop::option::of(0_usize..3), 20)) {
        let votes = votes(&rows);
        let grouping = Grouping { of: of[..votes.participants().len()].to_vec(), count: 3 };
        for (at, figures) in figures(&votes, &grouping).iter().enumerate() {
            let cast = (0..votes.participants().len()).filter(|member| grouping.of[*member].is_some());
            let cast: Vec<Vote> = cast.filter_map(|member| votes.row(member)[at]).collect();
            let count = |wanted: Vote| cast.iter().filter(|vote| **vote == wanted).count() as u32;
            let sum = |part: fn(&Tally) -> u32| figures.groups.iter().map(|group| part(&group.tally)).sum::<u32>();
            prop_assert_eq!(sum(|tally| tally.agree), count(Vote::Agree));
            prop_assert_eq!(sum(|tally| tally.disagree), count(Vote::Disagree));
            prop_assert_eq!(sum(|tally| tally.pass), count(Vote::Pass));
            prop_assert_eq!(sum(|tally| tally.seen) as usize, cast.len());
            let of_sides = [figures.consensus.agree, figures.consensus.disagree];
            prop_assert!(of_sides.iter().all(|product| *product > 0.0 && *product < 1.0));
        }
    }

    #[test]
    fn components_stand_at_right_angles_and_the_first_explains_most(rows in any_votes()) {
        let map = draw(&votes(&rows), &Settings::default());
        for (at, component) in map.components.iter().enumerate() {
            for (other, second) in map.components.iter().enumerate() {
                let expected = if at == other { 1.0 } else { 0.0 };
                prop_assert!((dot(&component.loadings, &second.loadings) - expected).abs() < 1e-9);
            }
        }
        let explained: Vec<f64> = map.components.iter().map(|component| component.explained).collect();
        prop_assert!(explained.windows(2).all(|two| two[0] >= two[1] - 1e-12));
        prop_assert!(explained.iter().sum::<f64>() <= 1.0 + 1e-9);
    }

    /// Of imputed votes by another way: the variance along a component is that of the places without their scale.
    #[test]
    fn a_component_has_the_variance_of_the_votes_along_it(rows in any_votes()) {
        let votes = votes(&rows);
        let people = votes.participants().len();
        let map = draw(&votes, &Settings::default());
        for component in &map.components {
            let means: Vec<f64> = (0..votes.statements().len()).map(|at| {
                let cast: Vec<f64> = (0..people).filter_map(|one| votes.row(one)[at]).map(|vote| vote.value().into()).collect();
                if cast.is_empty() { 0.0 } else { cast.iter().sum::<f64>() / cast.len() as f64 }
            }).collect();
            let along = (0..people).map(|one| {
                let row = votes.row(one).iter().zip(&means);
                let away: Vec<f64> = row.map(|(vote, mean)| vote.map_or(0.0, |vote| f64::from(vote.value()) - mean)).collect();
                dot(&away, &component.loadings)
            });
            let variance = along.map(|place| place * place).sum::<f64>() / (people.max(2) - 1) as f64;
            prop_assert!((variance - component.variance).abs() < 1e-9, "{} {}", variance, component.variance);
        }
    }

    /// Other names put participants in another order; every figure stays the same to the last bit.
    #[test]
    fn the_order_of_participants_changes_no_figure(rows in any_votes(), turn in 1_usize..20) {
        let name = |participant: usize| ((participant * 7 + turn) % 23).to_string();
        let (map, renamed) = (draw(&votes(&rows), &Settings::default()), draw(&votes_named(&rows, name), &Settings::default()));
        prop_assert_eq!(&map.statements, &renamed.statements);
        prop_assert_eq!(&map.groups, &renamed.groups);
        prop_assert_eq!(&map.components, &renamed.components);
        prop_assert_eq!(&map.divides, &renamed.divides);
        prop_assert_eq!(&map.consensus, &renamed.consensus);
        prop_assert_eq!(map.silhouette, renamed.silhouette);
        let places: BTreeMap<&str, _> = renamed.participants.iter().map(|place| (place.id.as_str(), (place.x, place.y, place.group))).collect();
        for place in &map.participants {
            let other = name(place.id.parse().unwrap());
            prop_assert_eq!(places[other.as_str()], (place.x, place.y, place.group));
        }
    }

    #[test]
    fn everyone_who_voted_enough_is_in_one_group_and_no_group_is_empty(rows in any_votes()) {
        let map = draw(&votes(&rows), &Settings { at_least: 0, ..Settings::default() });
        let enough = 7.min(map.statements.iter().filter(|statement| statement.all.seen > 0).count());
        for place in &map.participants {
            prop_assert_eq!(place.group.is_some(), place.votes >= enough);
        }
        for group in &map.groups {
            prop_assert!(group.size > 0);
            prop_assert_eq!(group.size, map.participants.iter().filter(|place| place.group == Some(group.id)).count());
        }
        prop_assert!(map.groups.windows(2).all(|two| two[0].size >= two[1].size));
        prop_assert!(map.groups.len() <= 5);
    }

    #[test]
    fn what_stands_for_a_group_is_what_its_figures_say(rows in any_votes(), of in prop::collection::vec(prop::option::of(0_usize..3), 20)) {
        let votes = votes(&rows);
        let given: BTreeMap<String, usize> =
            votes.participants().iter().zip(of).filter_map(|(id, group)| group.map(|group| (id.clone(), group))).collect();
        let map = draw_with_groups(&votes, &Grouping::given(votes.participants(), &given), &Settings::default());
        for group in &map.groups {
            prop_assert!(group.representative.len() <= 5);
            prop_assert!(group.representative.windows(2).all(|two| two[0].side <= two[1].side));
            for representative in &group.representative {
                let statement = map.statements.iter().find(|statement| statement.id == representative.statement).unwrap();
                let figures = &statement.groups[group.id];
                prop_assert_eq!(representative.taken, figures.tally.of(representative.side));
                prop_assert_eq!(representative.probability, figures.leaning(representative.side).probability);
            }
        }
        for divide in &map.divides {
            let statement = map.statements.iter().find(|statement| statement.id == divide.statement).unwrap();
            let likely = |group: usize| statement.groups[group].tally.probability(Side::Agree);
            prop_assert!((0..map.groups.len()).all(|group| likely(group) <= likely(divide.most) && likely(group) >= likely(divide.least)));
            prop_assert!(divide.gap > 0.0 && divide.gap < 1.0);
        }
    }
}
