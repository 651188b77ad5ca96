//! Ranked choice by Schulze's method: of several candidates, the one whom nobody beats by any chain of majorities.
//!
//! A majority of one candidate over another is as strong as the number of voters who prefer it; a chain is as strong as its
//! weakest majority; and whoever has the stronger chain stands before the other. Where that leaves equals, they are put in
//! order by rules that stand in the result, so that nobody has to guess: first the larger sum of margins over all others,
//! then more first places, then the name. Chance has no part in it, and neither has the order of ballots.

use serde::{Deserialize, Serialize};

use crate::ballots::{Ballot, Ballots};

/// What decided between two who stand level.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "snake_case")]
pub enum TieRule {
    Margins,
    FirstPlaces,
    Name,
}

/// Two who stand level and were put in order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tie {
    pub before: String,
    pub after: String,
    pub by: TieRule,
}

/// A candidate in the final order.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranked {
    pub candidate: String,
    /// From 1; those whom no chain sets apart have the same.
    pub rank: usize,
    /// Over all others, voters who prefer this one less voters who prefer the other.
    pub margins: i64,
    /// Voters who put nobody before this one, and have put it somewhere.
    pub first_places: usize,
}

/// Why one stands before another.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Defeat {
    pub over: String,
    pub under: String,
    pub preferred_by: usize,
    pub preferred_by_against: usize,
    /// The strongest chain from the one to the other, both at its ends, and how strong it is.
    pub chain: Vec<String>,
    pub strength: usize,
    /// The strength of the strongest chain the other way.
    pub strength_back: usize,
}

/// The whole result.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Ranking {
    pub ballots: usize,
    pub candidates: Vec<String>,
    /// In the order of the candidates: how many prefer the one of the row to the one of the column.
    pub preferred: Vec<Vec<usize>>,
    /// How strong the strongest chain from the one of the row to the one of the column is.
    pub chains: Vec<Vec<usize>>,
    /// Whoever would win against each other one alone, if there is one.
    pub condorcet: Option<String>,
    /// Those whom nobody beats, before ties are broken.
    pub winners: Vec<String>,
    /// The first of the order, none without candidates.
    pub chosen: Option<String>,
    pub order: Vec<Ranked>,
    pub ties: Vec<Tie>,
    /// Of every two who do not stand level.
    pub defeats: Vec<Defeat>,
}

/// Ranks the candidates of these ballots.
pub fn rank(ballots: &Ballots) -> Ranking {
    let count = ballots.candidates.len();
    let preferred = preferences(ballots);
    let chains = Chains::of(&preferred);
    let name = |at: usize| ballots.candidates[at].clone();
    let beats = |one: usize, other: usize| chains.strength[one][other] > chains.strength[other][one];
    let margin = |one: usize, other: usize| preferred[one][other] as i64 - preferred[other][one] as i64;
    let standings: Vec<Standing> = (0..count)
        .map(|at| Standing {
            margins: (0..count).map(|other| margin(at, other)).sum(),
            first_places: ballots
                .ballots
                .iter()
                .filter(|ballot| ballot.tiers.first().is_some_and(|tier| tier.contains(&at)))
                .count(),
            at,
        })
        .collect();
    let tiers = tiers(count, beats, &standings);
    let order: Vec<Ranked> = tiers.iter().flat_map(|tier| tier.ranked(&standings, &ballots.candidates)).collect();
    let everyone_else = |at: usize| (0..count).filter(move |other| *other != at);
    let condorcet = (0..count).find(|at| everyone_else(*at).all(|other| margin(*at, other) > 0));
    let unbeaten = |at: &usize| everyone_else(*at).all(|other| !beats(other, *at));
    let pairs = (0..count).flat_map(|one| (0..count).map(move |other| (one, other)));
    Ranking {
        ballots: ballots.ballots.len(),
        condorcet: condorcet.map(name),
        winners: (0..count).filter(unbeaten).map(name).collect(),
        chosen: order.first().map(|first| first.candidate.clone()),
        ties: tiers.iter().flat_map(|tier| tier.ties(&standings, &ballots.candidates)).collect(),
        defeats: pairs
            .filter(|(one, other)| beats(*one, *other))
            .map(|(one, other)| defeat(ballots, &preferred, &chains, one, other))
            .collect(),
        order,
        candidates: ballots.candidates.clone(),
        preferred,
        chains: chains.strength,
    }
}

/// How many voters prefer each candidate to each other.
fn preferences(ballots: &Ballots) -> Vec<Vec<usize>> {
    let count = ballots.candidates.len();
    let mut preferred = vec![vec![0; count]; count];
    for ballot in &ballots.ballots {
        let places = places(ballot, count);
        for one in 0..count {
            for other in 0..count {
                preferred[one][other] += usize::from(places[one] < places[other]);
            }
        }
    }
    preferred
}

/// The tier of each candidate on a ballot; what was left out comes last.
fn places(ballot: &Ballot, count: usize) -> Vec<usize> {
    let mut places = vec![usize::MAX; count];
    for (place, tier) in ballot.tiers.iter().enumerate() {
        tier.iter().for_each(|at| places[*at] = place);
    }
    places
}

/// The strongest chain from each to each, and its second member.
struct Chains {
    strength: Vec<Vec<usize>>,
    next: Vec<Vec<usize>>,
}

impl Chains {
    fn of(preferred: &[Vec<usize>]) -> Chains {
        let count = preferred.len();
        let link = |one: usize, other: usize| match preferred[one][other] > preferred[other][one] {
            true => preferred[one][other],
            false => 0,
        };
        let all = |value: &dyn Fn(usize, usize) -> usize| -> Vec<Vec<usize>> {
            (0..count).map(|one| (0..count).map(|other| value(one, other)).collect()).collect()
        };
        let mut chains = Chains { strength: all(&link), next: all(&|_, other| other) };
        for middle in 0..count {
            for one in (0..count).filter(|one| *one != middle) {
                for other in (0..count).filter(|other| *other != middle && *other != one) {
                    let through = chains.strength[one][middle].min(chains.strength[middle][other]);
                    if through > chains.strength[one][other] {
                        chains.strength[one][other] = through;
                        chains.next[one][other] = chains.next[one][middle];
                    }
                }
            }
        }
        chains
    }

    fn from(&self, one: usize, other: usize) -> Vec<usize> {
        let mut chain = vec![one];
        while chain.last() != Some(&other) && chain.len() <= self.next.len() {
            chain.push(self.next[chain[chain.len() - 1]][other]);
        }
        chain
    }
}

fn defeat(ballots: &Ballots, preferred: &[Vec<usize>], chains: &Chains, one: usize, other: usize) -> Defeat {
    let name = |at: usize| ballots.candidates[at].clone();
    Defeat {
        over: name(one),
        under: name(other),
        preferred_by: preferred[one][other],
        preferred_by_against: preferred[other][one],
        chain: chains.from(one, other).into_iter().map(name).collect(),
        strength: chains.strength[one][other],
        strength_back: chains.strength[other][one],
    }
}

/// What ties are broken by; candidates stand in order of their names.
struct Standing {
    margins: i64,
    first_places: usize,
    at: usize,
}

impl Standing {
    fn rule_against(&self, other: &Standing) -> TieRule {
        if self.margins != other.margins {
            TieRule::Margins
        } else if self.first_places != other.first_places {
            TieRule::FirstPlaces
        } else {
            TieRule::Name
        }
    }
}

/// Candidates whom no chain sets apart, in the order that the rules for ties give.
struct Tier {
    rank: usize,
    members: Vec<usize>,
}

/// Takes away again and again those whom nobody beats who is left.
fn tiers(count: usize, beats: impl Fn(usize, usize) -> bool, standings: &[Standing]) -> Vec<Tier> {
    let mut left: Vec<usize> = (0..count).collect();
    let mut tiers = Vec::new();
    while !left.is_empty() {
        let unbeaten = |at: &usize| left.iter().all(|other| !beats(*other, *at));
        let mut members: Vec<usize> = left.iter().copied().filter(unbeaten).collect();
        members.sort_by_key(|at| {
            let standing = &standings[*at];
            (std::cmp::Reverse(standing.margins), std::cmp::Reverse(standing.first_places), standing.at)
        });
        let rank = 1 + count - left.len();
        left.retain(|at| !members.contains(at));
        tiers.push(Tier { rank, members });
    }
    tiers
}

impl Tier {
    fn ranked(&self, standings: &[Standing], names: &[String]) -> Vec<Ranked> {
        let ranked = |at: &usize| Ranked {
            candidate: names[*at].clone(),
            rank: self.rank,
            margins: standings[*at].margins,
            first_places: standings[*at].first_places,
        };
        self.members.iter().map(ranked).collect()
    }

    /// Of each two neighbours, what put them in order.
    fn ties(&self, standings: &[Standing], names: &[String]) -> Vec<Tie> {
        let tie = |two: &[usize]| Tie {
            before: names[two[0]].clone(),
            after: names[two[1]].clone(),
            by: standings[two[0]].rule_against(&standings[two[1]]),
        };
        self.members.windows(2).map(tie).collect()
    }
}
