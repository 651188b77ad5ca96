//! The map as a whole, on votes that are small enough to look at.

use std::collections::BTreeMap;

use enza_opinion::{Grouping, OpinionMap, Settings, Side, Statement, Vote, Votes, draw, draw_with_groups};

use super::{is_near, votes};

/// Two camps of five and four who split over the first three statements, agree on the fourth and reject the fifth.
fn two_camps() -> Votes {
    votes(&["+++++", "+++++", "++0+-", "+++.-", "+++0-", "---+-", "---+-", "--0+-", "-.-+-"])
}

#[test]
fn two_camps_are_found_with_what_unites_and_what_divides_them() {
    let map = draw(&two_camps(), &Settings::default());
    let groups: Vec<Option<usize>> = map.participants.iter().map(|place| place.group).collect();
    assert_eq!(groups, [[Some(0); 5].as_slice(), &[Some(1); 4]].concat());
    assert_eq!(map.groups.iter().map(|group| group.size).collect::<Vec<_>>(), [5, 4]);
    let agreed: Vec<&str> = map.consensus.agree.iter().map(|agreement| agreement.statement.as_str()).collect();
    let rejected: Vec<&str> = map.consensus.disagree.iter().map(|agreement| agreement.statement.as_str()).collect();
    assert_eq!((agreed, rejected), (vec!["3"], vec!["4"]));
    let divides: Vec<&str> = map.divides.iter().map(|divide| divide.statement.as_str()).collect();
    assert_eq!(divides, ["0", "1", "2"]);
    assert_eq!((map.divides[0].most, map.divides[0].least), (0, 1));
    assert!(is_near(map.divides[0].gap, 6.0 / 7.0 - 1.0 / 6.0));
    let shown = |group: usize| -> Vec<(&str, Side)> {
        let of_group = &map.groups[group].representative;
        of_group.iter().map(|representative| (representative.statement.as_str(), representative.side)).collect()
    };
    assert_eq!(shown(0), [("0", Side::Agree), ("1", Side::Agree), ("2", Side::Agree)]);
    // The best that it agrees with comes first, though the others agree with it as well.
    assert_eq!(shown(1)[0], ("3", Side::Agree));
    assert!(shown(1)[1..].iter().all(|(_, side)| *side == Side::Disagree));
    assert!(map.silhouette.is_some_and(|clear| clear > 0.6));
}

#[test]
fn a_component_of_two_statements_is_what_a_hand_computes() {
    let map = draw(&votes(&["++", "++", "--", "--"]), &Settings::default());
    let half = 0.5_f64.sqrt();
    assert_eq!(map.components.len(), 1, "there is nothing beside the one direction");
    assert!(map.components[0].loadings.iter().all(|loading| is_near(*loading, half)));
    assert!(is_near(map.components[0].variance, 8.0 / 3.0) && is_near(map.components[0].explained, 1.0));
    assert!(is_near(map.participants[0].x, 2.0_f64.sqrt()) && is_near(map.participants[0].y, 0.0));
    // Who agrees with one statement alone: half of the way, times the root of two statements over one vote.
    assert!(is_near(map.statements[0].x, 1.0));
}

#[test]
fn who_voted_on_few_statements_is_moved_away_from_the_middle() {
    let map = draw(&votes(&["++", "+.", "--", "-.", "--", "++"]), &Settings::default());
    let along = map.components[0].loadings[0];
    assert!(is_near(map.participants[1].x, along * 2.0_f64.sqrt()));
}

#[test]
fn a_statement_that_was_taken_out_moves_nobody_and_is_shown_nowhere() {
    let rows = ["+++", "++-", "--+", "--+", "++.", "-.+"];
    let with = |left_out: bool| {
        let known = ["0", "1", "2"].map(|id| Statement { left_out: left_out && id == "2", ..Statement::named(id) });
        let all = votes(&rows);
        let cast = (0..rows.len()).flat_map(|participant| {
            let row = all.row(participant).iter().enumerate();
            row.filter_map(|(at, vote)| vote.map(|vote| (participant.to_string(), at.to_string(), vote)))
                .collect::<Vec<_>>()
        });
        draw(&Votes::gather(known, cast), &Settings::default())
    };
    let (all, fewer) = (with(false), with(true));
    assert_eq!(fewer.left_out, ["2"]);
    assert_eq!(fewer.statements.iter().map(|statement| statement.id.as_str()).collect::<Vec<_>>(), ["0", "1"]);
    assert!(fewer.components.iter().all(|component| component.loadings.len() == 2));
    assert!(all.components[0].loadings[2].abs() > 0.1, "it had mattered");
    assert_eq!(fewer.participants[0].x, fewer.participants[1].x, "they differ in the third statement alone");
    // Everyone counts as having passed on it: the last voted on one of the other two, which makes two votes on three.
    let along = fewer.components[0].loadings[0];
    assert!(is_near(fewer.participants[5].x, -along * 1.5_f64.sqrt()));
}

#[test]
fn a_statement_that_nobody_voted_on_moves_nobody() {
    let (with, without) = (votes(&["+-.", "-..", "--.", "++."]), votes(&["+-", "-.", "--", "++"]));
    assert_eq!((with.statements().len(), without.statements().len()), (3, 2));
    let (with, without) = (draw(&with, &Settings::default()), draw(&without, &Settings::default()));
    let shown = |map: &OpinionMap| -> Vec<_> { map.groups.iter().map(|group| group.representative.clone()).collect() };
    assert_eq!(shown(&with), shown(&without));
    for (one, other) in with.participants.iter().zip(&without.participants) {
        assert!(is_near(one.x, other.x) && is_near(one.y, other.y), "{one:?} {other:?}");
    }
    assert!(with.components.iter().all(|component| is_near(component.loadings[2], 0.0)));
    assert_eq!(with.statements[2].all.seen, 0);
}

#[test]
fn who_voted_too_little_is_on_the_map_and_in_no_group() {
    let row = |letter: char, count: usize| letter.to_string().repeat(count);
    let mut rows: Vec<String> = (0..8).map(|_| row('+', 10)).chain((0..8).map(|_| row('-', 10))).collect();
    rows.push(row('+', 6));
    rows.push(row('+', 7));
    let rows: Vec<&str> = rows.iter().map(String::as_str).collect();
    let map = draw(&votes(&rows), &Settings::default());
    assert_eq!((map.participants[16].group, map.participants[16].votes), (None, 6));
    assert!(map.participants[17].group.is_some());
}

#[test]
fn a_small_circle_takes_in_whoever_voted_at_all() {
    let map = draw(&votes(&["++++++++++", "+++.......", "----------", "---......."]), &Settings::default());
    assert!(map.participants.iter().all(|place| place.group.is_some()));
    let strict = Settings { at_least: 0, ..Settings::default() };
    let map = draw(&votes(&["++++++++++", "+++.......", "----------", "---......."]), &strict);
    assert_eq!(map.participants.iter().filter(|place| place.group.is_none()).count(), 2);
}

#[test]
fn one_opinion_is_one_group_and_divides_nobody() {
    let map = draw(&votes(&["+++", "+++", "+++", "+++"]), &Settings::default());
    assert_eq!((map.groups.len(), map.components.len(), map.silhouette), (1, 0, None));
    assert!(map.divides.is_empty());
    assert_eq!(map.consensus.agree.len(), 3);
}

#[test]
fn no_votes_are_an_empty_map() {
    let map = draw(&Votes::gather([], []), &Settings::default());
    assert!(map.participants.is_empty() && map.groups.is_empty() && map.components.is_empty());
    let one = draw(&Votes::gather([], [("ada".to_owned(), "tea".to_owned(), Vote::Agree)]), &Settings::default());
    assert_eq!(one.groups.len(), 1);
}

#[test]
fn groups_that_are_given_are_kept() {
    let votes = two_camps();
    let given: BTreeMap<String, usize> =
        [("0", 4), ("1", 4), ("5", 2)].map(|(id, group)| (id.to_owned(), group)).into();
    let grouping = Grouping::given(votes.participants(), &given);
    assert_eq!((grouping.count, grouping.of[0], grouping.of[5], grouping.of[2]), (2, Some(1), Some(0), None));
    let map = draw_with_groups(&votes, &grouping, &Settings::default());
    assert_eq!(map.groups.iter().map(|group| group.size).collect::<Vec<_>>(), [1, 2]);
    assert_eq!(map.silhouette, None);
}

#[test]
fn a_map_survives_the_way_through_json() {
    let map = draw(&two_camps(), &Settings::default());
    let text = serde_json::to_string(&map).unwrap();
    assert_eq!(serde_json::from_str::<OpinionMap>(&text).unwrap(), map);
}
