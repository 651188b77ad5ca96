//! Polis' files, good and bad.

use std::collections::BTreeMap;

use enza_opinion::{ReadError, Sign, Vote, Votes, read_comments, read_participants_votes, read_votes, votes_of};

const VOTES: &str = "timestamp,datetime,comment-id,voter-id,vote\n\
    20,later,0,7,-1\n\
    10,earlier,0,7,1\n\
    10,earlier,2,10,0\n\
    10,earlier,1,7,1\n";
const COMMENTS: &str = "timestamp,datetime,comment-id,author-id,agrees,disagrees,moderated,comment-body\n\
    1,t,0,7,0,1,1,\"Walk, cycle\"\n\
    1,t,1,7,1,0,-1,\"She said \"\"no\"\"\n\ntwice\"\n\
    1,t,2,9,0,0,0,Rest\n";

fn complaint<T: std::fmt::Debug>(read: Result<T, ReadError>) -> String {
    read.unwrap_err().to_string()
}

fn cells(votes: &Votes) -> Vec<Vec<Option<Vote>>> {
    (0..votes.participants().len()).map(|participant| votes.row(participant).to_vec()).collect()
}

#[test]
fn the_last_vote_by_time_counts_and_what_was_taken_out_stays_out() {
    let comments = read_comments(COMMENTS.as_bytes()).unwrap();
    let votes = votes_of(&read_votes(VOTES.as_bytes(), Sign::AgreeIsOne).unwrap(), &comments);
    assert_eq!(votes.participants(), ["7", "10"]);
    let expected = [vec![Some(Vote::Disagree), Some(Vote::Agree), None], vec![None, None, Some(Vote::Pass)]];
    assert_eq!(cells(&votes), expected);
    assert_eq!(votes.statements().iter().map(|statement| statement.left_out).collect::<Vec<_>>(), [false, true, false]);
    assert_eq!(votes.statements()[1].text.as_deref(), Some("She said \"no\"\n\ntwice"));
}

#[test]
fn of_two_votes_at_one_time_the_later_line_counts() {
    let file = "timestamp,comment-id,voter-id,vote\n5,0,1,1\n5,0,1,0\n";
    let votes = votes_of(&read_votes(file.as_bytes(), Sign::AgreeIsOne).unwrap(), &[]);
    assert_eq!(cells(&votes), [[Some(Vote::Pass)]]);
}

#[test]
fn a_file_with_the_sign_of_the_tables_is_turned_when_asked() {
    let votes = votes_of(&read_votes(VOTES.as_bytes(), Sign::AgreeIsMinusOne).unwrap(), &[]);
    assert_eq!(votes.row(0)[0], Some(Vote::Agree));
}

#[test]
fn the_wide_file_gives_votes_and_groups() {
    let file = "participant,xid,group-id,n-comments,n-votes,n-agree,n-disagree,0,1,10,2\r\n\
        3,,1,0,2,1,1,1,,-1,\r\n\
        \r\n\
        1,abc,,0,1,0,0,,0.0,,\r\n";
    let read = read_participants_votes(&[b"\xef\xbb\xbf", file.as_bytes()].concat(), Sign::AgreeIsOne).unwrap();
    let votes = read.votes(&[]);
    assert_eq!(votes.participants(), ["1", "3"]);
    assert_eq!(
        votes.statements().iter().map(|statement| statement.id.as_str()).collect::<Vec<_>>(),
        ["0", "1", "2", "10"]
    );
    let expected =
        [vec![None, Some(Vote::Pass), None, None], vec![Some(Vote::Agree), None, None, Some(Vote::Disagree)]];
    assert_eq!(cells(&votes), expected);
    assert_eq!(read.groups(), BTreeMap::from([("3".to_owned(), 1)]));
}

#[test]
fn a_missing_column_is_named_with_those_that_are_there() {
    let file = "timestamp,comment-id,voter,vote\n";
    let expected = "a column \"voter-id\" is missing; found \"timestamp\", \"comment-id\", \"voter\", \"vote\"";
    assert_eq!(complaint(read_votes(file.as_bytes(), Sign::AgreeIsOne)), expected);
}

#[test]
fn a_bad_cell_is_named_by_the_line_that_an_editor_shows() {
    let file = "timestamp,comment-id,voter-id,vote\r\n1,0,1,1\r\n\r\n\r\n1,0,2,yes\r\n";
    let expected = "line 5, column \"vote\": \"yes\" is not a vote: 1, 0, -1 or nothing";
    assert_eq!(complaint(read_votes(file.as_bytes(), Sign::AgreeIsOne)), expected);
    let after_two_lines_in_a_cell = COMMENTS.replace("2,9,0,0,0,Rest", "2,9,0,0,no,Rest");
    let expected = "line 6, column \"moderated\": \"no\" is not a whole number";
    assert_eq!(complaint(read_comments(after_two_lines_in_a_cell.as_bytes())), expected);
}

#[test]
fn a_file_that_is_torn_says_where() {
    let cases: [(&[u8], &str); 6] = [
        (b"", "the file is empty"),
        (b"\xef\xbb\xbf\n\n", "the file is empty"),
        (b"timestamp,comment-id,voter-id,vote\n1,0,1\n", "line 2 has 3 cells, the header 4"),
        (b"timestamp,comment-id,voter-id,vote\n1,0,1,1,1\n", "line 2 has 5 cells, the header 4"),
        (b"timestamp,comment-id,voter-id,vote\n1,0,1,1\n1,\xff,2,1\n", "line 3 is not UTF-8 text"),
        (b"timestamp,vote,voter-id,vote\n", "there are two columns \"vote\""),
    ];
    for (file, expected) in cases {
        assert_eq!(complaint(read_votes(file, Sign::AgreeIsOne)), expected);
    }
}

#[test]
fn a_quote_that_is_never_closed_is_found_in_the_last_cell_too() {
    let torn =
        COMMENTS.replace("1,t,0,7,0,1,1,\"Walk, cycle\"", "1,t,0,7,0,1,1,\"Walk, cycle").replace("\"\"no\"\"", "no");
    let torn = torn.replace("\"She said no\n\ntwice\"", "nothing");
    assert_eq!(complaint(read_comments(torn.as_bytes())), "line 2 opens a quote that is never closed");
    let inch = COMMENTS.replace("Rest", "a 5\" pipe");
    assert_eq!(read_comments(inch.as_bytes()).unwrap()[2].body, "a 5\" pipe");
}

#[test]
fn a_participant_has_one_row_and_a_comment_one_line() {
    let file = "participant,0\n1,1\n2,0\n1,-1\n";
    let expected = "line 4, column \"participant\": \"1\" stands in line 2 already";
    assert_eq!(complaint(read_participants_votes(file.as_bytes(), Sign::AgreeIsOne)), expected);
    let file = COMMENTS.replace("1,t,2,9", "1,t,0,9");
    let expected = "line 6, column \"comment-id\": \"0\" stands in line 2 already";
    assert_eq!(complaint(read_comments(file.as_bytes())), expected);
}
