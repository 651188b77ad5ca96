//! The files that Polis exports, read.
//!
//! In its files agree is 1 and disagree −1; its tables and its programming interface have it the other way round, and some
//! exports were made from those without turning the sign (compdemocracy/polis#2554). Nothing in a file says which it is, so
//! whoever reads it may say so with [`Sign`]. Times are kept as they stand: seconds today, milliseconds in older files.

use std::collections::BTreeMap;

use crate::export::{History, Summary};
use crate::figures::Tally;
use crate::table::{Column, Expected, ReadError, Row, Rows, Table};
use crate::votes::{Statement, Vote, Votes};

/// What a 1 in a file stands for.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
pub enum Sign {
    /// As files should have it.
    #[default]
    AgreeIsOne,
    /// As Polis keeps it, and as some files were written.
    AgreeIsMinusOne,
}

/// A line of `votes.csv`: every vote that was ever cast, also those that were changed later.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolisVote {
    pub timestamp: i64,
    pub comment: String,
    pub voter: String,
    pub vote: Vote,
}

/// A line of `comments.csv`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolisComment {
    pub timestamp: i64,
    pub id: String,
    pub author: String,
    pub agrees: u32,
    pub disagrees: u32,
    /// −1 taken out, 0 not looked at, 1 let in.
    pub moderated: i8,
    pub body: String,
}

/// `participants-votes.csv`: a row for each participant, a column for each comment.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ParticipantsVotes {
    pub comments: Vec<String>,
    pub participants: Vec<PolisParticipant>,
}

/// A row of it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PolisParticipant {
    pub id: String,
    pub group: Option<usize>,
    pub comments: u32,
    pub votes: Vec<Option<Vote>>,
}

/// A line of `comment-groups.csv`: how all and how each group voted on a comment.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct CommentGroups {
    pub id: String,
    pub body: String,
    pub total: Tally,
    pub groups: Vec<Tally>,
}

impl ParticipantsVotes {
    /// The matrix, with what is known of comments from `comments.csv`.
    pub fn votes(&self, comments: &[PolisComment]) -> Votes {
        let known = self.comments.iter().map(Statement::named).chain(comments.iter().map(statement));
        let of_row = |row: &PolisParticipant| {
            let cast = self.comments.iter().cloned().zip(row.votes.clone());
            let id = row.id.clone();
            cast.filter_map(move |(comment, vote)| vote.map(|vote| (id.clone(), comment, vote))).collect::<Vec<_>>()
        };
        Votes::gather(known, self.participants.iter().flat_map(of_row))
    }

    /// The groups that the file gives, by participant.
    pub fn groups(&self) -> BTreeMap<String, usize> {
        self.participants.iter().filter_map(|row| row.group.map(|group| (row.id.clone(), group))).collect()
    }
}

/// The matrix of a list of votes: of several by one voter on one comment the last by time counts, and at the same time the
/// last in the list. Comments that were taken out stay out.
pub fn votes_of(votes: &[PolisVote], comments: &[PolisComment]) -> Votes {
    let mut in_time: Vec<&PolisVote> = votes.iter().collect();
    in_time.sort_by_key(|vote| vote.timestamp);
    let cast = in_time.into_iter().map(|vote| (vote.voter.clone(), vote.comment.clone(), vote.vote));
    Votes::gather(comments.iter().map(statement), cast)
}

fn statement(comment: &PolisComment) -> Statement {
    Statement { id: comment.id.clone(), text: Some(comment.body.clone()), left_out: comment.moderated == -1 }
}

/// Reads `votes.csv`.
pub fn read_votes(file: &[u8], sign: Sign) -> Result<Vec<PolisVote>, ReadError> {
    let table = Table::read(file, Rows::Whole)?;
    let timestamp = table.column("timestamp")?;
    let (comment, voter, vote) = (table.column("comment-id")?, table.column("voter-id")?, table.column("vote")?);
    let read = |row: &Row| {
        Ok(PolisVote {
            timestamp: row.number(&timestamp)?,
            comment: row.name(&comment)?,
            voter: row.name(&voter)?,
            vote: vote_in(row, &vote, sign)?.ok_or_else(|| row.bad(&vote, Expected::Vote))?,
        })
    };
    table.rows.iter().map(read).collect()
}

/// Reads `comments.csv`. Counts may be missing; a comment, its time, its author and its moderation may not.
pub fn read_comments(file: &[u8]) -> Result<Vec<PolisComment>, ReadError> {
    let table = Table::read(file, Rows::Whole)?;
    let (timestamp, id, author) = (table.column("timestamp")?, table.column("comment-id")?, table.column("author-id")?);
    let (moderated, body) = (table.column("moderated")?, table.column("comment-body")?);
    let (agrees, disagrees) = (table.optional("agrees"), table.optional("disagrees"));
    let count = |row: &Row, column: &Option<Column>| column.as_ref().map_or(Ok(0), |column| row.number(column));
    let read = |row: &Row| {
        Ok(PolisComment {
            timestamp: row.number(&timestamp)?,
            id: row.name(&id)?,
            author: row.cell(&author).trim().to_owned(),
            agrees: count(row, &agrees)?,
            disagrees: count(row, &disagrees)?,
            moderated: row.number(&moderated)?,
            body: row.cell(&body).to_owned(),
        })
    };
    let comments: Vec<PolisComment> = table.rows.iter().map(read).collect::<Result<_, _>>()?;
    once(&table.rows, &id, comments.iter().map(|comment| comment.id.as_str()))?;
    Ok(comments)
}

/// Reads `participants-votes.csv`. Every column that Polis does not name itself is a comment.
pub fn read_participants_votes(file: &[u8], sign: Sign) -> Result<ParticipantsVotes, ReadError> {
    const OWN: [&str; 7] = ["participant", "xid", "group-id", "n-comments", "n-votes", "n-agree", "n-disagree"];
    let table = Table::read(file, Rows::Whole)?;
    let id = table.column("participant")?;
    let (group, comments) = (table.optional("group-id"), table.optional("n-comments"));
    let is_comment = |(_, name): &(usize, &String)| !name.is_empty() && !OWN.contains(&name.as_str());
    let columns = table.header.iter().enumerate().filter(is_comment);
    let columns: Vec<Column> = columns.map(|(at, name)| Column { at, name: name.clone() }).collect();
    let read = |row: &Row| {
        let group = group.as_ref().filter(|column| !row.cell(column).trim().is_empty());
        Ok(PolisParticipant {
            id: row.name(&id)?,
            group: group.map(|column| row.number(column)).transpose()?,
            comments: comments.as_ref().map_or(Ok(0), |column| row.number(column))?,
            votes: columns.iter().map(|column| vote_in(row, column, sign)).collect::<Result<_, _>>()?,
        })
    };
    let participants: Vec<PolisParticipant> = table.rows.iter().map(read).collect::<Result<_, _>>()?;
    once(&table.rows, &id, participants.iter().map(|row| row.id.as_str()))?;
    Ok(ParticipantsVotes { comments: columns.into_iter().map(|column| column.name).collect(), participants })
}

/// Reads `stats-history.csv`.
pub fn read_history(file: &[u8]) -> Result<Vec<History>, ReadError> {
    let table = Table::read(file, Rows::Whole)?;
    let (votes, comments) = (table.column("n-votes")?, table.column("n-comments")?);
    let (visitors, voters) = (table.column("n-visitors")?, table.column("n-voters")?);
    let commenters = table.column("n-commenters")?;
    let read = |row: &Row| {
        Ok(History {
            votes: row.number(&votes)?,
            comments: row.number(&comments)?,
            visitors: row.number(&visitors)?,
            voters: row.number(&voters)?,
            commenters: row.number(&commenters)?,
        })
    };
    table.rows.iter().map(read).collect()
}

/// Reads `comment-groups.csv`, with as many groups as its header has letters for.
pub fn read_comment_groups(file: &[u8]) -> Result<Vec<CommentGroups>, ReadError> {
    let table = Table::read(file, Rows::Whole)?;
    let (id, body) = (table.column("comment-id")?, table.column("comment")?);
    let total = tally_columns(&table, "total")?;
    let letters = ('a'..='z').take_while(|letter| table.optional(&format!("group-{letter}-votes")).is_some());
    let groups: Vec<[Column; 4]> =
        letters.map(|letter| tally_columns(&table, &format!("group-{letter}"))).collect::<Result<_, _>>()?;
    let read = |row: &Row| {
        Ok(CommentGroups {
            id: row.name(&id)?,
            body: row.cell(&body).to_owned(),
            total: tally_in(row, &total)?,
            groups: groups.iter().map(|columns| tally_in(row, columns)).collect::<Result<_, _>>()?,
        })
    };
    table.rows.iter().map(read).collect()
}

/// Reads `summary.csv`, which has a name and a value in each line and no header. What is not there stays empty.
pub fn read_summary(file: &[u8]) -> Result<Summary, ReadError> {
    // The header stands in for what the file lacks.
    let table =
        Table::read(&[b"name,value\n", file.strip_prefix(b"\xef\xbb\xbf").unwrap_or(file)].concat(), Rows::Whole)
            .map_err(|bad| moved_up(&bad))?;
    let (name, value) = (table.column("name")?, table.column("value")?);
    let mut summary = Summary::default();
    for row in &table.rows {
        let text = || row.cell(&value).to_owned();
        let number = || row.number(&value).map_err(|bad| moved_up(&bad));
        match row.cell(&name).trim() {
            "topic" => summary.topic = text(),
            "url" => summary.url = text(),
            "views" => summary.views = number()?,
            "voters" => summary.voters = number()?,
            "voters-in-conv" => summary.voters_in_groups = number()?,
            "commenters" => summary.commenters = number()?,
            "comments" => summary.comments = number()?,
            "groups" => summary.groups = number()?,
            "conversation-description" => summary.description = text(),
            _ => {}
        }
    }
    Ok(summary)
}

/// The same complaint one line earlier.
fn moved_up(bad: &ReadError) -> ReadError {
    let mut bad = bad.clone();
    match &mut bad {
        ReadError::NotUtf8 { line }
        | ReadError::Uneven { line, .. }
        | ReadError::OpenQuote { line }
        | ReadError::BadCell { line, .. }
        | ReadError::TwiceOnBallot { line, .. }
        | ReadError::Twice { line, .. } => *line -= 1,
        ReadError::Empty | ReadError::MissingColumn { .. } | ReadError::RepeatedColumn { .. } => {}
    }
    bad
}

fn vote_in(row: &Row, column: &Column, sign: Sign) -> Result<Option<Vote>, ReadError> {
    let value = match row.cell(column).trim() {
        "" => return Ok(None),
        "1" | "+1" | "1.0" => 1,
        "0" | "-0" | "0.0" | "-0.0" => 0,
        "-1" | "-1.0" => -1,
        _ => return Err(row.bad(column, Expected::Vote)),
    };
    Ok(Vote::of(match sign {
        Sign::AgreeIsOne => value,
        Sign::AgreeIsMinusOne => -value,
    }))
}

fn tally_columns(table: &Table, prefix: &str) -> Result<[Column; 4], ReadError> {
    let column = |what: &str| table.column(&format!("{prefix}-{what}"));
    Ok([column("votes")?, column("agrees")?, column("disagrees")?, column("passes")?])
}

fn tally_in(row: &Row, [seen, agree, disagree, pass]: &[Column; 4]) -> Result<Tally, ReadError> {
    Ok(Tally {
        seen: row.number(seen)?,
        agree: row.number(agree)?,
        disagree: row.number(disagree)?,
        pass: row.number(pass)?,
    })
}

/// Insists that a name stands in one row alone.
fn once<'a>(rows: &[Row], column: &Column, names: impl Iterator<Item = &'a str>) -> Result<(), ReadError> {
    let mut seen: BTreeMap<&str, usize> = BTreeMap::new();
    for (row, name) in rows.iter().zip(names) {
        if let Some(first) = seen.insert(name, row.line) {
            let (column, name) = (column.name.clone(), name.to_owned());
            return Err(ReadError::Twice { line: row.line, column, name, first });
        }
    }
    Ok(())
}
