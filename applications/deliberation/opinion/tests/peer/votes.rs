//! Made-up votes: camps with opinions of their own, people who waver, and many gaps.
//!
//! A seed says everything. Camps are two to four; from seed to seed votes are denser or sparser, every second case has
//! statements that were taken out, and every third has groups that have nothing to do with the camps.

use std::collections::BTreeMap;

use enza_opinion::{Grouping, PolisComment, PolisExport, PolisVote, Summary, Vote, Votes, votes_of};
use serde_json::{Value, json};

pub struct Case {
    pub seed: u64,
    pub votes: Votes,
    pub grouping: Grouping,
    /// In order.
    pub moderated: Vec<String>,
    pub export: PolisExport,
}

/// SplitMix64: small, and the same everywhere.
struct Chance(u64);

impl Chance {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        (mixed ^ (mixed >> 31)) % bound
    }

    fn is(&mut self, percent: u64) -> bool {
        self.below(100) < percent
    }
}

impl Case {
    pub fn of_seed(seed: u64) -> Case {
        let mut chance = Chance(seed);
        let (people, statements, camps) = (30 + chance.below(120), 12 + chance.below(36), 2 + chance.below(3));
        let seen = 15 + chance.below(70);
        let minds: Vec<Vec<u64>> = (0..camps).map(|_| (0..statements).map(|_| chance.below(100)).collect()).collect();
        let mut votes = Vec::new();
        for voter in 0..people {
            for statement in 0..statements {
                if !chance.is(seen) {
                    continue;
                }
                let agrees = minds[(voter % camps) as usize][statement as usize];
                let vote = match (chance.is(12), chance.is(agrees)) {
                    (true, _) => Vote::Pass,
                    (false, true) => Vote::Agree,
                    (false, false) => Vote::Disagree,
                };
                let timestamp = 1_760_000_000 + votes.len() as i64;
                votes.push(PolisVote { timestamp, comment: statement.to_string(), voter: voter.to_string(), vote });
            }
        }
        let comments: Vec<PolisComment> = (0..statements)
            .map(|id| PolisComment {
                timestamp: 1_759_999_000,
                id: id.to_string(),
                author: (id % people).to_string(),
                agrees: 0,
                disagrees: 0,
                moderated: if seed.is_multiple_of(2) && id % 7 == 3 { -1 } else { 1 },
                body: format!("Statement {id}, \"as made\"\nby seed {seed}"),
            })
            .collect();
        let moderated =
            comments.iter().filter(|comment| comment.moderated == -1).map(|comment| comment.id.clone()).collect();
        let matrix = votes_of(&votes, &comments);
        let mut group = |voter: &String| {
            let camp = voter.parse::<u64>().unwrap() % camps;
            let group = if seed.is_multiple_of(3) { chance.below(camps) } else { camp };
            (!chance.is(10)).then_some(group as usize)
        };
        let voters = matrix.participants().iter();
        let named: BTreeMap<String, usize> =
            voters.filter_map(|voter| group(voter).map(|group| (voter.clone(), group))).collect();
        let grouping = Grouping::given(matrix.participants(), &named);
        let export = PolisExport::of(Summary::default(), comments, votes, &named);
        Case { seed, votes: matrix, grouping, moderated, export }
    }

    /// As compare.py wants it.
    pub fn to_json(&self) -> Value {
        let number = |text: &str| text.parse::<u64>().unwrap();
        let votes = self.export.votes.iter().map(|vote| {
            json!({
                "participant_id": number(&vote.voter),
                "statement_id": number(&vote.comment),
                "vote": vote.vote.value(),
                "modified": vote.timestamp,
            })
        });
        let groups = self.votes.participants().iter().zip(&self.grouping.of);
        let groups: BTreeMap<&str, usize> =
            groups.filter_map(|(voter, group)| group.map(|group| (voter.as_str(), group))).collect();
        let files: BTreeMap<&str, String> =
            self.export.files().into_iter().map(|file| (file.name, file.text)).collect();
        json!({
            "votes": votes.collect::<Vec<_>>(),
            "groups": groups,
            "moderated": self.moderated.iter().map(|id| number(id)).collect::<Vec<_>>(),
            "votes_csv": files["votes.csv"],
            "comments_csv": files["comments.csv"],
        })
    }
}
