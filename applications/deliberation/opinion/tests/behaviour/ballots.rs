//! Files of ballots, in both forms.

use enza_opinion::{Ballot, Ballots};

fn complaint(file: &str) -> String {
    Ballots::read(file.as_bytes()).unwrap_err().to_string()
}

fn ballot(voter: &str, tiers: &[&[usize]]) -> Ballot {
    Ballot { voter: voter.to_owned(), tiers: tiers.iter().map(|tier| tier.to_vec()).collect() }
}

#[test]
fn a_row_for_each_voter_may_end_early_skip_a_rank_and_name_equals() {
    let file = "voter,rank1,rank2,rank3\r\nada,Tea,Coffee = Milk\r\n\r\nbo,,\"Water\",Tea\r\ncy,,,\r\ndi,Coffee\r\n";
    let read = Ballots::read(file.as_bytes()).unwrap();
    assert_eq!(read.candidates, ["Coffee", "Milk", "Tea", "Water"]);
    let expected =
        [ballot("ada", &[&[2], &[0, 1]]), ballot("bo", &[&[3], &[2]]), ballot("cy", &[]), ballot("di", &[&[0]])];
    assert_eq!(read.ballots, expected);
}

#[test]
fn a_row_for_each_opinion_says_the_same() {
    let wide = "voter,rank1,rank2,rank3\nada,Tea,Coffee = Milk,\nbo,Water,Tea,\n";
    let long = "rank,voter,candidate\n2,ada,Milk\n1,ada,Tea\n2,ada,Coffee\n7,bo,Tea\n3,bo,Water\n,bo,Milk\n";
    assert_eq!(Ballots::read(long.as_bytes()).unwrap(), Ballots::read(wide.as_bytes()).unwrap());
}

#[test]
fn bad_ballots_are_named_by_line_and_column() {
    let cases = [
        ("name,rank1\n", "a column \"voter\" is missing; found \"name\", \"rank1\""),
        ("voter,first\n", "a column \"rank1\" is missing; found \"voter\", \"first\""),
        ("voter,candidate\n", "a column \"rank\" is missing; found \"voter\", \"candidate\""),
        ("voter,rank1,rank2\nada,Tea,Tea\n", "line 2, column \"rank2\": \"Tea\" is on this ballot already"),
        ("voter,rank1\nada,Tea\nada,Tea\n", "line 3, column \"voter\": \"ada\" stands in line 2 already"),
        ("voter,rank1\n,Tea\n", "line 2, column \"voter\": \"\" is not a name"),
        ("voter,rank1\nada,Tea = \n", "line 2, column \"rank1\": \"Tea =\" is not a name"),
        ("voter,candidate,rank\nada,Tea,0\n", "line 2, column \"rank\": \"0\" is not a rank: 1, 2, 3 … or nothing"),
        (
            "voter,candidate,rank\nada,Tea,1\nada,Tea,2\n",
            "line 3, column \"candidate\": \"Tea\" is on this ballot already",
        ),
        ("voter,rank1\nada,Tea,Milk\n", "line 2 has 3 cells, the header 2"),
    ];
    for (file, expected) in cases {
        assert_eq!(complaint(file), expected, "{file}");
    }
}
