//! Whether a value can have come from what was said.
//!
//! A model that is asked for a day gives one, whether the respondent named it or not. So a number, a day, a time, an
//! address is taken only if something of it stands in the respondent's words, or in what is known already. What a
//! choice or a yes was chosen by is left to the reviewer: those are put in many words.

use super::super::locale::fold;
use super::super::{Field, Kind};
use super::number::word;
use super::scan::with_digits;

/// Words by which a day is named without its number.
const DAYS: &str = "today|tonight|tomorrow|yesterday|monday|tuesday|wednesday|thursday|friday|saturday|sunday|week|month|\
    weekend|beginning|end of|ago|same|今日|本日|明日|あした|昨日|きのう|明後日|あさって|一昨日|おととい|曜|週|来月|先月|今月|末|同じ|前日|\
    翌日|当日|元日|元旦";

/// Words by which a time is named without its number.
const TIMES: &str =
    "noon|midday|midnight|morning|afternoon|evening|night|lunch|same|正午|昼|朝|夕|夜|深夜|未明|同じ|ごろ";

/// Words by which something is counted without a number.
const COUNTS: &str = "half|dozen|hundred|thousand|million|none|nobody|nothing|once|twice|alone|couple|百|千|万|億|半|ひとり|ふたり|ない|なし";

/// Whether something of a value stands in the respondent's words.
pub fn is_grounded(field: &Field, value: &str, said: &str) -> bool {
    let said = with_digits(&fold(said));
    let names = |list: &'static str| super::politeness::words(list).any(|word| said.contains(word));
    match field.kind {
        Kind::Email => said.contains(&fold(value)),
        Kind::Phone => {
            let theirs = digits(&said);
            let number = digits(value);
            // A country's code may have been left to us.
            theirs.contains(&number[number.len().saturating_sub(6)..])
        }
        // Counted and rounded in many ways: any number at all will do.
        Kind::Number | Kind::Integer => !numbers(&said).is_empty() || names(COUNTS),
        Kind::Date => names(DAYS) || part(value, 2).is_some_and(|day| numbers(&said).contains(&day)),
        Kind::Time => {
            let hour = value.split(':').next().and_then(|hour| hour.parse::<u32>().ok());
            names(TIMES) || hour.is_some_and(|hour| numbers(&said).iter().any(|one| one % 12 == hour % 12))
        }
        Kind::Text | Kind::LongText | Kind::Choice | Kind::Choices | Kind::YesNo | Kind::File => true,
    }
}

/// A part of a kept day.
fn part(value: &str, place: usize) -> Option<u32> {
    value.split('-').nth(place)?.parse().ok()
}

fn digits(text: &str) -> String {
    text.chars().filter(char::is_ascii_digit).collect()
}

/// Every number in a folded text, in digits or as a word.
fn numbers(text: &str) -> Vec<u32> {
    let written = text.split(|letter: char| !letter.is_ascii_digit()).filter_map(|run| run.parse().ok());
    let words = text.split(|letter: char| !letter.is_ascii_alphabetic()).filter(|one| !one.is_empty());
    let words: Vec<&str> =
        words.map(|one| ORDINALS.iter().find(|(ordinal, _)| *ordinal == one).map_or(one, |(_, word)| word)).collect();
    let spoken = (1..=2).flat_map(|count| words.windows(count)).filter_map(|few| word(&few.join(" ")).map(u32::from));
    written.chain(spoken).collect()
}

/// Days are counted as "the twenty-first".
const ORDINALS: [(&str, &str); 12] = [
    ("first", "one"),
    ("second", "two"),
    ("third", "three"),
    ("fourth", "four"),
    ("fifth", "five"),
    ("sixth", "six"),
    ("seventh", "seven"),
    ("eighth", "eight"),
    ("ninth", "nine"),
    ("tenth", "ten"),
    ("twelfth", "twelve"),
    ("thirtieth", "thirty"),
];

#[cfg(test)]
mod tests {
    use super::super::super::Form;
    use super::{Field, is_grounded};

    fn field(kind: &str) -> Field {
        let form = format!("title = \"t\"\n[[fields]]\nfieldId = \"f\"\nlabel = \"f\"\nkind = \"{kind}\"\n");
        Form::parse(&form).expect("a small form").fields.remove(0)
    }

    #[test]
    fn a_value_that_nobody_named_is_not_taken_for_an_answer() {
        for (kind, value, said) in [
            ("date", "2027-05-19", "Sorry, I have to correct something: we will be three people, not two."),
            ("date", "2027-05-21", "Is there a hotel near the venue?"),
            ("time", "14:30", "Wait, my e-mail address has changed."),
            ("number", "2", "What does it cost?"),
            ("email", "ada@example.com", "Who is going to see my address?"),
            ("phone", "+81312345678", "会社にかけてください"),
        ] {
            assert!(!is_grounded(&field(kind), value, said), "{kind} {value}: {said}");
        }
    }

    #[test]
    fn a_value_that_was_named_in_any_way_is_taken() {
        for (kind, value, said) in [
            ("date", "2027-05-20", "I'll be there on May 20"),
            ("date", "2026-11-03", "十一月三日です"),
            ("date", "2026-11-17", "tomorrow, if that is all right"),
            ("date", "2026-11-20", "今週の金曜日で"),
            ("date", "2026-12-21", "the twenty first of December"),
            ("time", "09:30", "half past nine in the morning"),
            ("time", "14:00", "at 2, after lunch"),
            ("time", "15:00", "午後3時ごろ"),
            ("number", "3", "we will be three people, not two"),
            ("number", "12", "十二人です"),
            ("email", "Ada@example.com", "ada@EXAMPLE.com please"),
            ("phone", "+81312345678", "03-1234-5678にお願いします"),
            ("yes_no", "yes", "I wouldn't miss it"),
        ] {
            assert!(is_grounded(&field(kind), value, said), "{kind} {value}: {said}");
        }
    }
}
