//! What is written is read back, and looks as Polis' files look.

use std::collections::BTreeMap;

use enza_opinion::{
    History, PolisComment, PolisExport, PolisVote, Sign, Summary, Vote, read_comment_groups, read_comments,
    read_history, read_participants_votes, read_summary, read_votes,
};
use proptest::prelude::*;

fn file<'a>(files: &'a BTreeMap<&str, String>, name: &str) -> &'a [u8] {
    files[name].as_bytes()
}

fn read_back(export: &PolisExport) -> PolisExport {
    let files: BTreeMap<&str, String> = export.files().into_iter().map(|file| (file.name, file.text)).collect();
    PolisExport {
        summary: read_summary(file(&files, "summary.csv")).unwrap(),
        comments: read_comments(file(&files, "comments.csv")).unwrap(),
        votes: read_votes(file(&files, "votes.csv"), Sign::AgreeIsOne).unwrap(),
        participants: read_participants_votes(file(&files, "participants-votes.csv"), Sign::AgreeIsOne).unwrap(),
        history: read_history(file(&files, "stats-history.csv")).unwrap(),
        comment_groups: read_comment_groups(file(&files, "comment-groups.csv")).unwrap(),
    }
}

fn comment(id: &str, author: &str, timestamp: i64, body: &str) -> PolisComment {
    let (id, author, body) = (id.to_owned(), author.to_owned(), body.to_owned());
    PolisComment { timestamp, id, author, agrees: 0, disagrees: 0, moderated: 1, body }
}

fn vote(timestamp: i64, comment: &str, voter: &str, vote: Vote) -> PolisVote {
    PolisVote { timestamp, comment: comment.to_owned(), voter: voter.to_owned(), vote }
}

fn small() -> PolisExport {
    let summary = Summary { topic: "Tea, or \"coffee\"?".to_owned(), views: 3, ..Summary::default() };
    let comments = vec![comment("0", "0", 1_760_000_000, "Tea"), comment("1", "1", 1_760_000_060, "Coffee, please")];
    let votes = vec![
        vote(1_760_000_001, "0", "0", Vote::Agree),
        vote(1_760_000_002, "0", "1", Vote::Agree),
        vote(1_760_000_061, "1", "1", Vote::Pass),
        vote(1_760_000_062, "0", "1", Vote::Disagree),
    ];
    PolisExport::of(summary, comments, votes, &BTreeMap::from([("0".to_owned(), 0), ("1".to_owned(), 1)]))
}

#[test]
fn the_six_files_look_as_polis_writes_them() {
    let texts: Vec<String> = small().files().into_iter().map(|file| format!("{}\n{}", file.name, file.text)).collect();
    let expected = [
        "summary.csv\ntopic,\"Tea, or \"\"coffee\"\"?\"\nurl,\nviews,3\nvoters,2\nvoters-in-conv,2\ncommenters,2\ncomments,2\ngroups,2\nconversation-description,\n",
        "comments.csv\ntimestamp,datetime,comment-id,author-id,agrees,disagrees,moderated,comment-body\n\
         1760000000,Thu Oct 09 2025 08:53:20 GMT+0000 (Coordinated Universal Time),0,0,1,1,1,Tea\n\
         1760000060,Thu Oct 09 2025 08:54:20 GMT+0000 (Coordinated Universal Time),1,1,0,0,1,\"Coffee, please\"\n",
        "votes.csv\ntimestamp,datetime,comment-id,voter-id,vote\n\
         1760000001,Thu Oct 09 2025 08:53:21 GMT+0000 (Coordinated Universal Time),0,0,1\n\
         1760000002,Thu Oct 09 2025 08:53:22 GMT+0000 (Coordinated Universal Time),0,1,1\n\
         1760000061,Thu Oct 09 2025 08:54:21 GMT+0000 (Coordinated Universal Time),1,1,0\n\
         1760000062,Thu Oct 09 2025 08:54:22 GMT+0000 (Coordinated Universal Time),0,1,-1\n",
        "participants-votes.csv\nparticipant,group-id,n-comments,n-votes,n-agree,n-disagree,0,1\n0,0,1,1,1,0,1,\n1,1,1,2,0,1,-1,0\n",
        "stats-history.csv\nn-votes,n-comments,n-visitors,n-voters,n-commenters\n0,1,3,0,1\n1,1,3,1,1\n2,1,3,2,1\n2,2,3,2,2\n3,2,3,2,2\n4,2,3,2,2\n",
        "comment-groups.csv\ncomment-id,comment,total-votes,total-agrees,total-disagrees,total-passes,\
         group-a-votes,group-a-agrees,group-a-disagrees,group-a-passes,group-b-votes,group-b-agrees,group-b-disagrees,group-b-passes\n\
         0,Tea,2,1,1,0,1,1,0,0,1,0,1,0\n1,\"Coffee, please\",1,0,0,1,0,0,0,0,1,0,0,1\n",
    ];
    assert_eq!(texts, expected);
}

#[test]
fn what_is_written_is_read_back() {
    assert_eq!(read_back(&small()), small());
    let last = History { votes: 4, comments: 2, visitors: 3, voters: 2, commenters: 2 };
    assert_eq!(small().history.last(), Some(&last));
}

#[test]
fn a_complaint_about_a_summary_names_its_own_line() {
    let complaint = read_summary(b"topic,Tea\nvoters,many\n").unwrap_err().to_string();
    assert_eq!(complaint, "line 2, column \"value\": \"many\" is not a whole number");
}

fn any_text() -> impl Strategy<Value = String> {
    prop_oneof!["[a-z ,\"\n\r;']{0,12}", "\\PC{0,8}"]
}

proptest! {
    #[test]
    fn any_words_survive_the_way_through_files(
        topic in any_text(),
        bodies in prop::collection::vec(any_text(), 1..6),
        cast in prop::collection::vec((0_i64..50, 0_usize..6, 0_usize..8, 0_i8..3), 0..60),
        groups in prop::collection::btree_map(0_usize..8, 0_usize..3, 0..8),
    ) {
        let comments: Vec<PolisComment> =
            bodies.iter().enumerate().map(|(at, body)| comment(&at.to_string(), "0", at as i64, body)).collect();
        let votes: Vec<PolisVote> = cast
            .into_iter()
            .filter(|(_, at, _, _)| *at < comments.len())
            .map(|(time, at, voter, value)| vote(time, &at.to_string(), &voter.to_string(), Vote::of(value - 1).unwrap()))
            .collect();
        let groups = groups.into_iter().map(|(voter, group)| (voter.to_string(), group)).collect();
        let summary = Summary { topic: topic.clone(), description: topic, ..Summary::default() };
        let export = PolisExport::of(summary, comments, votes, &groups);
        prop_assert_eq!(read_back(&export), export);
    }
}
