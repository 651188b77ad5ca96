//! Text that a spreadsheet would take for a formula is made text, by an apostrophe before it.
//!
//! Some spreadsheets look past what cannot be seen, and in Japanese settings they take a full-width sign for a narrow
//! one. So what counts is the first letter that can be seen, whatever its width. A plain number is no formula, signed or
//! not.
//!
//! Every file of commas that leaves the house goes through here. A workbook says of each cell what it is, and needs no
//! guard.

/// What begins a formula, in every width there is.
const SIGNS: &str = "=＝﹦+＋﹢-－﹣−@＠﹫";

/// The text, guarded where a spreadsheet would run it.
pub fn guarded(text: &str) -> String {
    if may_be_formula(text) && !is_number(text) { format!("'{text}") } else { text.to_owned() }
}

/// The same in quotes, for files that are written by hand.
pub fn quoted(text: &str) -> String {
    format!("\"{}\"", guarded(text).replace('"', "\"\""))
}

fn may_be_formula(text: &str) -> bool {
    let begins_out_of_sight = text.starts_with(['\t', '\r', '\n']);
    let first = text.chars().find(|letter| !is_unseen(*letter));
    begins_out_of_sight || first.is_some_and(|first| SIGNS.contains(first))
}

fn is_unseen(letter: char) -> bool {
    let takes_no_room = matches!(letter, '\u{ad}' | '\u{200b}'..='\u{200f}' | '\u{202a}'..='\u{202e}'
        | '\u{2060}'..='\u{2064}' | '\u{2066}'..='\u{2069}' | '\u{feff}');
    letter.is_whitespace() || letter.is_control() || takes_no_room
}

fn is_number(text: &str) -> bool {
    let digits = text.strip_prefix(['+', '-']).unwrap_or(text);
    digits.bytes().any(|byte| byte.is_ascii_digit()) && digits.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.')
}

#[cfg(test)]
mod tests {
    use super::*;

    fn left_bare<'a>(texts: &[&'a str]) -> Vec<&'a str> {
        texts.iter().copied().filter(|text| guarded(text) != format!("'{text}")).collect()
    }

    #[test]
    fn what_a_spreadsheet_would_run_is_made_text() {
        let formulas = ["=1+1", "@SUM(A1)", "-2+3+cmd|' /C calc'!A0", "+81-3-1234", "-", "+.", "-1-1"];
        assert_eq!(left_bare(&formulas), Vec::<&str>::new());
    }

    #[test]
    fn a_full_width_sign_begins_a_formula_as_well() {
        let wide = ["＝1+1", "＋cmd", "－2＋3", "＠SUM(A1)", "﹦1", "﹢1", "﹣1", "﹫A1", "−1", "－５"];
        assert_eq!(left_bare(&wide), Vec::<&str>::new());
    }

    #[test]
    fn what_cannot_be_seen_hides_no_formula() {
        let hidden = [
            "\t=1",
            "\r=1",
            "\n=1",
            "\r\n＝1",
            "\tplain",
            "\nplain",
            " =1",
            "\u{a0}=1",
            "\u{3000}＝1",
            "\u{feff}=1",
            "\u{200b}@A",
            "\u{202e}+1",
            "\0=1",
            " \u{2066}\t-A1",
        ];
        assert_eq!(left_bare(&hidden), Vec::<&str>::new());
    }

    #[test]
    fn numbers_and_words_stay_as_they_are() {
        let plain = ["-5", "+3.5", "1,200", "plain", "", "a=b", "訪問＝来社", "2026-11-03", " indented", "’=1"];
        assert_eq!(left_bare(&plain), plain);
        assert_eq!(quoted("＝\"x\""), "\"'＝\"\"x\"\"\"");
    }
}
