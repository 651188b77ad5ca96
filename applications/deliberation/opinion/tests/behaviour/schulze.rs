//! Ranked choice: a worked example, ties, and properties on any ballots.

use enza_opinion::{Ballots, Ranking, Tie, TieRule, rank};
use proptest::prelude::*;

/// Ballots written as `5 A B=C D`: so many voters with this order.
fn ballots(lines: &[&str]) -> Ballots {
    let mut cast = Vec::new();
    for line in lines {
        let (count, order) = line.split_once(' ').unwrap();
        let tiers: Vec<Vec<String>> =
            order.split_whitespace().map(|tier| tier.split('=').map(str::to_owned).collect()).collect();
        for nth in 0..count.parse::<usize>().unwrap() {
            cast.push((format!("{line}/{nth}"), tiers.clone()));
        }
    }
    Ballots::gather([], cast)
}

fn order(ranking: &Ranking) -> Vec<&str> {
    ranking.order.iter().map(|ranked| ranked.candidate.as_str()).collect()
}

/// The example that Schulze's own paper begins with.
#[test]
fn forty_five_voters_choose_e() {
    let ranking = rank(&ballots(&[
        "5 A C B E D",
        "5 A D E C B",
        "8 B E D A C",
        "3 C A B E D",
        "7 C A E B D",
        "2 C B A D E",
        "7 D C E B A",
        "8 E B A D C",
    ]));
    assert_eq!(order(&ranking), ["E", "A", "C", "B", "D"]);
    let chains =
        [[0, 28, 28, 30, 24], [25, 0, 28, 33, 24], [25, 29, 0, 29, 24], [25, 28, 28, 0, 24], [25, 28, 28, 31, 0]];
    assert_eq!(ranking.chains, chains.map(|row| row.to_vec()));
    assert_eq!(ranking.preferred[0], [0, 20, 26, 30, 22]);
    assert_eq!((ranking.condorcet, ranking.winners), (None, vec!["E".to_owned()]));
    let over_a = ranking.defeats.iter().find(|defeat| defeat.over == "E" && defeat.under == "A").unwrap();
    assert_eq!(
        (over_a.preferred_by, over_a.preferred_by_against, over_a.strength, over_a.strength_back),
        (23, 22, 25, 24)
    );
    assert_eq!(over_a.chain, ["E", "B", "A"]);
    assert!(ranking.ties.is_empty());
}

#[test]
fn whoever_is_left_out_comes_last_and_equals_are_equal() {
    let ranking = rank(&ballots(&["2 A", "1 B=C A"]));
    assert_eq!(ranking.preferred, [[0, 2, 2], [1, 0, 0], [1, 0, 0]]);
    assert_eq!(order(&ranking), ["A", "B", "C"]);
    assert_eq!(ranking.order.iter().map(|ranked| ranked.rank).collect::<Vec<_>>(), [1, 2, 2]);
    assert_eq!(ranking.ties, [Tie { before: "B".into(), after: "C".into(), by: TieRule::Name }]);
}

#[test]
fn a_tie_says_what_broke_it() {
    // A circle of three with one voter each: nothing tells them apart but their names.
    let circle = rank(&ballots(&["1 A B C", "1 B C A", "1 C A B"]));
    assert_eq!(circle.winners, ["A", "B", "C"]);
    assert_eq!(circle.ties.iter().map(|tie| tie.by).collect::<Vec<_>>(), [TieRule::Name, TieRule::Name]);
    // A and B stand level with each other; B is further ahead of C.
    let margins = rank(&ballots(&["1 A B C", "1 B C A", "1 A=B C"]));
    assert_eq!(margins.chosen.as_deref(), Some("B"));
    assert_eq!(margins.ties, [Tie { before: "B".into(), after: "A".into(), by: TieRule::Margins }]);
    // Level with everybody, but hardly anyone puts B first.
    let firsts = rank(&ballots(&["2 C B A", "2 A B C", "1 B=C=A"]));
    assert_eq!(order(&firsts), ["A", "C", "B"]);
    assert_eq!(firsts.ties.iter().map(|tie| tie.by).collect::<Vec<_>>(), [TieRule::Name, TieRule::FirstPlaces]);
}

#[test]
fn no_ballots_choose_nobody() {
    let ranking = rank(&Ballots::default());
    assert_eq!((ranking.chosen, ranking.ballots), (None, 0));
    let silent = rank(&Ballots::gather(["B".to_owned(), "A".to_owned()], [("ada".to_owned(), Vec::new())]));
    assert_eq!((silent.chosen.as_deref(), silent.ballots), (Some("A"), 1));
}

/// Up to five candidates, each voter giving each a number or nothing.
fn any_ballots() -> impl Strategy<Value = Vec<Vec<Option<u8>>>> {
    (1_usize..6).prop_flat_map(|count| {
        prop::collection::vec(prop::collection::vec(prop::option::weighted(0.8, 0_u8..5), count), 0..14)
    })
}

fn of_numbers(rows: &[Vec<Option<u8>>]) -> Ballots {
    let name = |at: usize| char::from(b'A' + at as u8).to_string();
    let count = rows.first().map_or(0, Vec::len);
    let tiers = |row: &Vec<Option<u8>>| -> Vec<Vec<String>> {
        (0..6).map(|rank| (0..row.len()).filter(|at| row[*at] == Some(rank)).map(name).collect()).collect()
    };
    let cast = rows.iter().enumerate().map(|(voter, row)| (voter.to_string(), tiers(row)));
    Ballots::gather((0..count).map(name), cast)
}

/// The strongest of all chains, by trying every one.
fn strongest(links: &[Vec<usize>], from: usize, to: usize, used: &mut Vec<usize>) -> usize {
    if from == to {
        return usize::MAX;
    }
    let mut best = 0;
    for next in 0..links.len() {
        if links[from][next] > links[next][from] && !used.contains(&next) {
            used.push(next);
            best = best.max(links[from][next].min(strongest(links, next, to, used)));
            used.pop();
        }
    }
    best
}

proptest! {
    #[test]
    fn chains_are_the_strongest_there_are(rows in any_ballots()) {
        let ranking = rank(&of_numbers(&rows));
        for one in 0..ranking.candidates.len() {
            for other in (0..ranking.candidates.len()).filter(|other| *other != one) {
                let best = strongest(&ranking.preferred, one, other, &mut vec![one]);
                prop_assert_eq!(ranking.chains[one][other], best);
            }
        }
        for defeat in &ranking.defeats {
            let at = |name: &String| ranking.candidates.iter().position(|candidate| candidate == name).unwrap();
            let links = defeat.chain.windows(2).map(|two| ranking.preferred[at(&two[0])][at(&two[1])]);
            prop_assert_eq!(links.min(), Some(defeat.strength));
            prop_assert_eq!((defeat.chain.first(), defeat.chain.last()), (Some(&defeat.over), Some(&defeat.under)));
        }
    }

    #[test]
    fn whoever_would_win_against_each_alone_is_chosen(rows in any_ballots()) {
        let ranking = rank(&of_numbers(&rows));
        if let Some(condorcet) = &ranking.condorcet {
            prop_assert_eq!(Some(condorcet), ranking.chosen.as_ref());
            prop_assert_eq!(std::slice::from_ref(condorcet), ranking.winners.as_slice());
        }
    }

    #[test]
    fn nobody_stands_behind_someone_they_beat(rows in any_ballots()) {
        let ranking = rank(&of_numbers(&rows));
        let place = |name: &String| ranking.order.iter().position(|ranked| ranked.candidate == *name).unwrap();
        prop_assert!(ranking.defeats.iter().all(|defeat| place(&defeat.over) < place(&defeat.under)));
        prop_assert_eq!(ranking.order.len(), ranking.candidates.len());
        prop_assert_eq!(ranking.winners.len(), ranking.order.iter().filter(|ranked| ranked.rank == 1).count());
    }

    #[test]
    fn a_winner_whom_a_voter_puts_first_after_all_stays_one(rows in any_ballots(), voter in any::<prop::sample::Index>()) {
        prop_assume!(!rows.is_empty());
        let before = rank(&of_numbers(&rows));
        for (at, name) in before.candidates.iter().enumerate().filter(|(_, name)| before.winners.contains(name)) {
            let mut raised = rows.clone();
            let row = &mut raised[voter.index(rows.len())];
            row.iter_mut().flatten().for_each(|rank| *rank += 1);
            row[at] = Some(0);
            let after = rank(&of_numbers(&raised));
            prop_assert!(after.winners.contains(name), "{} {:?}", name, after.winners);
        }
    }

    #[test]
    fn the_order_of_ballots_changes_nothing(rows in any_ballots(), by in 0_usize..14) {
        let mut turned = rows.clone();
        if !rows.is_empty() {
            turned.rotate_left(by % rows.len());
        }
        prop_assert_eq!(rank(&of_numbers(&rows)), rank(&of_numbers(&turned)));
    }

    #[test]
    fn level_in_everything_the_name_decides_and_otherwise_never(rows in any_ballots()) {
        let ranking = rank(&of_numbers(&rows));
        let of = |name: &String| ranking.order.iter().find(|ranked| ranked.candidate == *name).unwrap();
        for tie in &ranking.ties {
            let (before, after) = (of(&tie.before), of(&tie.after));
            let expected = if before.margins != after.margins {
                TieRule::Margins
            } else if before.first_places != after.first_places {
                TieRule::FirstPlaces
            } else {
                TieRule::Name
            };
            prop_assert_eq!(tie.by, expected);
            let by_rule = (after.margins, after.first_places, &tie.before) <= (before.margins, before.first_places, &tie.after);
            prop_assert!(by_rule);
        }
    }
}
