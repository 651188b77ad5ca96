//! Figures of groups, computed by hand.

use enza_opinion::{GroupAware, Grouping, Leaning, Tally, figures};

use super::{is_near, votes};

fn assert_leaning(leaning: &Leaning, expected: [f64; 4]) {
    let found =
        [leaning.probability, leaning.probability_test, leaning.representativeness, leaning.representativeness_test];
    assert!(found.iter().zip(expected).all(|(found, expected)| is_near(*found, expected)), "{found:?} {expected:?}");
}

#[test]
fn two_groups_have_the_figures_that_a_hand_computes() {
    let votes = votes(&["+", "+", "0", "-", "."]);
    // The fifth participant has cast nothing and is not there.
    assert_eq!(votes.participants().len(), 4);
    let grouping = Grouping { of: vec![Some(0), Some(0), Some(0), Some(1)], count: 2 };
    let found = &figures(&votes, &grouping)[0];
    assert_eq!(found.groups[0].tally, Tally { agree: 2, disagree: 0, pass: 1, seen: 3 });
    assert_eq!(found.groups[1].tally, Tally { agree: 0, disagree: 1, pass: 0, seen: 1 });
    // p = 3/5, against 1/3; z of (3/4, 1/2) with 4/6 of both.
    assert_leaning(&found.groups[0].agree, [0.6, 1.0, 1.8, 0.25 / (2.0_f64 / 9.0 * 0.75).sqrt()]);
    // p = 1/5, against 2/3; z of (1/4, 2/2) with 3/6 of both.
    assert_leaning(&found.groups[0].disagree, [0.2, -1.0, 0.3, -0.75 / (0.25_f64 * 0.75).sqrt()]);
    assert_leaning(&found.groups[1].agree, [1.0 / 3.0, 0.0, 1.0 / 1.8, -0.25 / (2.0_f64 / 9.0 * 0.75).sqrt()]);
    let GroupAware { agree, disagree } = found.consensus;
    assert!(is_near(agree, 0.2) && is_near(disagree, 0.2 * 2.0 / 3.0));
}

#[test]
fn where_everyone_agrees_no_group_is_different() {
    let votes = votes(&["+", "+", "+"]);
    let grouping = Grouping { of: vec![Some(0), Some(1), Some(1)], count: 2 };
    let found = &figures(&votes, &grouping)[0];
    assert_eq!(found.groups[0].agree.representativeness_test, 0.0);
    assert!(is_near(found.consensus.agree, 2.0 / 3.0 * 3.0 / 4.0));
}

#[test]
fn who_is_in_no_group_is_not_counted() {
    let votes = votes(&["+", "-"]);
    let grouping = Grouping { of: vec![Some(0), None], count: 1 };
    assert_eq!(figures(&votes, &grouping)[0].groups[0].tally, Tally { agree: 1, disagree: 0, pass: 0, seen: 1 });
}
