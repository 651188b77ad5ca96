//! Shows the lines of a file that are most like lines that are not in it, so that a model can mend its patch.
//!
//! Likeness is by pairs of letters, so that a changed word, another indentation or another quote still counts. Only a
//! few lines are shown, and long ones are cut: this goes into a prompt. Secrets are masked in the whole text before
//! anything is compared, since a few lines out of a private key do not say that they are of one.

use enza_work::hazard::mask;

use super::lines::{bare, split};

/// How many lines are shown at most.
const LINES: usize = 8;
/// How many letters of a line are compared and shown at most.
const LETTERS: usize = 160;
/// Below this, out of 1000 for each line, nothing is worth showing.
const FAINT: usize = 300;

/// The lines that are most like these, with their numbers; or that there are none.
pub(super) fn nearest<T: AsRef<str>>(rows: &[T], wanted: &[&str]) -> String {
    if rows.is_empty() {
        return "The file is empty.".to_owned();
    }
    let text: String = rows.iter().map(AsRef::as_ref).collect();
    let masked = mask(&text);
    let rows = split(&masked);
    let wanted: Vec<Vec<(char, char)>> = wanted.iter().take(LINES).map(|line| pairs(line)).collect();
    let pairs: Vec<Vec<(char, char)>> = rows.iter().map(|row| pairs(row)).collect();
    let score = |start: usize| -> usize {
        pairs[start..].iter().zip(&wanted).map(|(there, wanted)| likeness(there, wanted)).sum()
    };
    // The first of several equal ones: the score must grow, not stay.
    let (best, start) = (0..rows.len()).fold((0, 0), |(best, at), start| match score(start) {
        more if more > best => (more, start),
        _ => (best, at),
    });
    if best < FAINT * wanted.len().max(1) {
        return "Nothing in the file is like them.".to_owned();
    }
    let shown = rows[start..].iter().take(wanted.len());
    let lines = shown.zip(start + 1..).map(|(row, number)| format!("\n{number}: {}", cut(bare(row))));
    format!("The nearest that are there:{}", lines.collect::<String>())
}

/// How alike two lines are: 1000 for the same, 0 for nothing in common. Two blank lines say nothing.
fn likeness(one: &[(char, char)], other: &[(char, char)]) -> usize {
    let (mut left, mut right, mut shared) = (0, 0, 0);
    while left < one.len() && right < other.len() {
        match one[left].cmp(&other[right]) {
            std::cmp::Ordering::Less => left += 1,
            std::cmp::Ordering::Greater => right += 1,
            std::cmp::Ordering::Equal => {
                shared += 1;
                left += 1;
                right += 1;
            }
        }
    }
    2000 * shared / (one.len() + other.len()).max(1)
}

/// The pairs of neighbouring letters, sorted, with the beginning as a pair of its own. Space around the line is left out.
fn pairs(line: &str) -> Vec<(char, char)> {
    let letters = || line.trim().chars().take(LETTERS);
    let mut pairs: Vec<(char, char)> = std::iter::once('\n').chain(letters()).zip(letters()).collect();
    pairs.sort_unstable();
    pairs
}

fn cut(line: &str) -> String {
    match line.char_indices().nth(LETTERS) {
        Some((end, _)) => format!("{}…", &line[..end]),
        None => line.to_owned(),
    }
}
