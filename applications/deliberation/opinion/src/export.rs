//! Polis' export files, written.
//!
//! Five files, and a sixth that newer exports have, from one value in memory, so that whatever reads Polis' exports reads
//! ours. What is written is read back equal (`tests/behaviour/exports.rs`). Polis numbers comments and participants; tools
//! that read its files count on that, so whoever fills this in should number them too.

use std::collections::{BTreeMap, BTreeSet};

use crate::figures::Tally;
use crate::polis::{CommentGroups, ParticipantsVotes, PolisComment, PolisParticipant, PolisVote, votes_of};
use crate::votes::Vote;

/// A line of `stats-history.csv`: how much there was of everything, after each thing that happened.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub struct History {
    pub votes: u32,
    pub comments: u32,
    pub visitors: u32,
    pub voters: u32,
    pub commenters: u32,
}

/// What `summary.csv` says of the whole.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Summary {
    pub topic: String,
    pub url: String,
    pub views: u32,
    pub voters: u32,
    /// Voters who are in a group.
    pub voters_in_groups: u32,
    pub commenters: u32,
    pub comments: u32,
    pub groups: u32,
    pub description: String,
}

/// Everything that is exported.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct PolisExport {
    pub summary: Summary,
    pub comments: Vec<PolisComment>,
    pub votes: Vec<PolisVote>,
    pub participants: ParticipantsVotes,
    pub history: Vec<History>,
    pub comment_groups: Vec<CommentGroups>,
}

/// A file of the export.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolisFile {
    pub name: &'static str,
    pub text: String,
}

impl PolisExport {
    /// Fills in everything that follows from comments, votes and groups. Of the summary only topic, address, views and
    /// description are taken; views are also the visitors, of whom it is not known when they came, so history begins with
    /// them. Counts of comments are made from the votes that count.
    pub fn of(
        summary: Summary,
        mut comments: Vec<PolisComment>,
        votes: Vec<PolisVote>,
        groups: &BTreeMap<String, usize>,
    ) -> PolisExport {
        let matrix = votes_of(&votes, &comments);
        let tallies = crate::figures::tally(&matrix, 0..matrix.participants().len());
        let totals: BTreeMap<&str, Tally> =
            matrix.statements().iter().map(|statement| statement.id.as_str()).zip(tallies).collect();
        for comment in &mut comments {
            let total = totals.get(comment.id.as_str()).copied().unwrap_or_default();
            (comment.agrees, comment.disagrees) = (total.agree, total.disagree);
        }
        let written = |id: &str| comments.iter().filter(|comment| comment.author == id).count() as u32;
        let rows = matrix.participants().iter().enumerate().map(|(at, id)| PolisParticipant {
            id: id.clone(),
            group: groups.get(id).copied(),
            comments: written(id),
            votes: matrix.row(at).to_vec(),
        });
        let participants = ParticipantsVotes {
            comments: matrix.statements().iter().map(|statement| statement.id.clone()).collect(),
            participants: rows.collect(),
        };
        let authors: BTreeSet<&str> = comments.iter().map(|comment| comment.author.as_str()).collect();
        let in_groups = participants.groups();
        let count = in_groups.values().copied().max().map_or(0, |most| most + 1);
        let summary = Summary {
            voters: participants.participants.len() as u32,
            voters_in_groups: in_groups.len() as u32,
            commenters: authors.len() as u32,
            comments: comments.len() as u32,
            groups: count as u32,
            ..summary
        };
        let history = history(summary.views, &comments, &votes);
        let comment_groups = comment_groups(&participants, &comments, count);
        PolisExport { summary, comments, votes, participants, history, comment_groups }
    }

    /// The files, with their names.
    pub fn files(&self) -> Vec<PolisFile> {
        let file = |name, rows| PolisFile { name, text: text(rows) };
        vec![
            file("summary.csv", self.summary.rows()),
            file("comments.csv", comment_rows(&self.comments)),
            file("votes.csv", vote_rows(&self.votes)),
            file("participants-votes.csv", self.participants.rows()),
            file("stats-history.csv", history_rows(&self.history)),
            file("comment-groups.csv", comment_group_rows(&self.comment_groups)),
        ]
    }
}

/// What happened, in order of time; at the same time a comment comes before the votes on it.
fn history(views: u32, comments: &[PolisComment], votes: &[PolisVote]) -> Vec<History> {
    enum Deed<'a> {
        Wrote(&'a str),
        Voted(&'a str),
    }
    let wrote = comments.iter().map(|comment| (comment.timestamp, Deed::Wrote(&comment.author)));
    let voted = votes.iter().map(|vote| (vote.timestamp, Deed::Voted(&vote.voter)));
    let mut deeds: Vec<(i64, Deed)> = wrote.chain(voted).collect();
    deeds.sort_by_key(|(timestamp, _)| *timestamp);
    let (mut voters, mut authors) = (BTreeSet::new(), BTreeSet::new());
    let mut now = History { visitors: views, ..History::default() };
    let after = |(_, deed)| {
        match deed {
            Deed::Wrote(author) => {
                now.comments += 1;
                authors.insert(author);
            }
            Deed::Voted(voter) => {
                now.votes += 1;
                voters.insert(voter);
            }
        }
        (now.voters, now.commenters) = (voters.len() as u32, authors.len() as u32);
        now
    };
    deeds.into_iter().map(after).collect()
}

fn comment_groups(participants: &ParticipantsVotes, comments: &[PolisComment], count: usize) -> Vec<CommentGroups> {
    let tally = |at: usize, is_in: &dyn Fn(&PolisParticipant) -> bool| {
        let mut tally = Tally::default();
        for vote in participants.participants.iter().filter(|row| is_in(row)).filter_map(|row| row.votes[at]) {
            match vote {
                Vote::Agree => tally.agree += 1,
                Vote::Disagree => tally.disagree += 1,
                Vote::Pass => tally.pass += 1,
            }
            tally.seen += 1;
        }
        tally
    };
    let of_comment = |(at, id): (usize, &String)| CommentGroups {
        id: id.clone(),
        body: comments.iter().find(|comment| comment.id == *id).map(|comment| comment.body.clone()).unwrap_or_default(),
        total: tally(at, &|_| true),
        groups: (0..count).map(|group| tally(at, &|row| row.group == Some(group))).collect(),
    };
    participants.comments.iter().enumerate().map(of_comment).collect()
}

type Cells = Vec<Vec<String>>;

impl Summary {
    fn rows(&self) -> Cells {
        let number = |name: &str, value: u32| vec![name.to_owned(), value.to_string()];
        let words = |name: &str, value: &str| vec![name.to_owned(), value.to_owned()];
        vec![
            words("topic", &self.topic),
            words("url", &self.url),
            number("views", self.views),
            number("voters", self.voters),
            number("voters-in-conv", self.voters_in_groups),
            number("commenters", self.commenters),
            number("comments", self.comments),
            number("groups", self.groups),
            words("conversation-description", &self.description),
        ]
    }
}

impl ParticipantsVotes {
    fn rows(&self) -> Cells {
        let own = ["participant", "group-id", "n-comments", "n-votes", "n-agree", "n-disagree"];
        let header = own.iter().map(|name| (*name).to_owned()).chain(self.comments.iter().cloned()).collect();
        let row = |participant: &PolisParticipant| {
            let cast = |wanted: Vote| participant.votes.iter().flatten().filter(|vote| **vote == wanted).count();
            let own = [
                participant.id.clone(),
                participant.group.map(|group| group.to_string()).unwrap_or_default(),
                participant.comments.to_string(),
                participant.votes.iter().flatten().count().to_string(),
                cast(Vote::Agree).to_string(),
                cast(Vote::Disagree).to_string(),
            ];
            let votes =
                participant.votes.iter().map(|vote| vote.map(|vote| vote.value().to_string()).unwrap_or_default());
            own.into_iter().chain(votes).collect()
        };
        std::iter::once(header).chain(self.participants.iter().map(row)).collect()
    }
}

fn vote_rows(votes: &[PolisVote]) -> Cells {
    let row = |vote: &PolisVote| {
        let (time, shown) = (vote.timestamp.to_string(), moment(vote.timestamp));
        vec![time, shown, vote.comment.clone(), vote.voter.clone(), vote.vote.value().to_string()]
    };
    under("timestamp,datetime,comment-id,voter-id,vote", votes.iter().map(row))
}

fn comment_rows(comments: &[PolisComment]) -> Cells {
    let row = |comment: &PolisComment| {
        vec![
            comment.timestamp.to_string(),
            moment(comment.timestamp),
            comment.id.clone(),
            comment.author.clone(),
            comment.agrees.to_string(),
            comment.disagrees.to_string(),
            comment.moderated.to_string(),
            comment.body.clone(),
        ]
    };
    under("timestamp,datetime,comment-id,author-id,agrees,disagrees,moderated,comment-body", comments.iter().map(row))
}

fn history_rows(history: &[History]) -> Cells {
    let row = |now: &History| {
        [now.votes, now.comments, now.visitors, now.voters, now.commenters].iter().map(u32::to_string).collect()
    };
    under("n-votes,n-comments,n-visitors,n-voters,n-commenters", history.iter().map(row))
}

fn comment_group_rows(comments: &[CommentGroups]) -> Cells {
    let count = comments.iter().map(|comment| comment.groups.len()).max().unwrap_or_default();
    let letters = ('a'..='z').take(count).map(|letter| format!("group-{letter}"));
    let tallies = std::iter::once("total".to_owned()).chain(letters);
    let named = |prefix: String| ["votes", "agrees", "disagrees", "passes"].map(|what| format!("{prefix}-{what}"));
    let header: Vec<String> = tallies.flat_map(named).collect();
    let numbers = |tally: Tally| [tally.seen, tally.agree, tally.disagree, tally.pass].map(|number| number.to_string());
    let row = |comment: &CommentGroups| {
        let groups = (0..count.min(26)).map(|group| comment.groups.get(group).copied().unwrap_or_default());
        let tallies = std::iter::once(comment.total).chain(groups).flat_map(numbers);
        [comment.id.clone(), comment.body.clone()].into_iter().chain(tallies).collect()
    };
    under(&format!("comment-id,comment,{}", header.join(",")), comments.iter().map(row))
}

fn under(header: &str, rows: impl Iterator<Item = Vec<String>>) -> Cells {
    std::iter::once(header.split(',').map(str::to_owned).collect()).chain(rows).collect()
}

/// A time as Polis shows it; nothing where a calendar has no such day.
fn moment(timestamp: i64) -> String {
    let shown = jiff::Timestamp::from_second(timestamp);
    let shown = shown.map(|at| at.strftime("%a %b %d %Y %H:%M:%S GMT+0000 (Coordinated Universal Time)").to_string());
    shown.unwrap_or_default()
}

/// Lines end in a line feed alone, and cells are quoted where they must be.
fn text(rows: Cells) -> String {
    let mut writer = csv::WriterBuilder::new().flexible(true).from_writer(Vec::new());
    let written = rows.iter().try_for_each(|row| writer.write_record(row));
    let bytes = written.ok().and_then(|()| writer.into_inner().ok());
    // Writing text into memory cannot fail.
    bytes.and_then(|bytes| String::from_utf8(bytes).ok()).unwrap_or_default()
}
