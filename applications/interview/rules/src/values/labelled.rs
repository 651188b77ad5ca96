//! Answers to several fields in one message, each on its line behind its label: "Date: 3 May".
//!
//! Labels and ids are compared folded, with the marks of a list taken off. A value ends with its line. Whether it is one
//! for its field is not looked at here: `read` does that.

use super::super::Form;
use super::super::locale::fold;

/// A label is short; behind a long one stands a sentence with a colon.
const LONGEST_LABEL: usize = 1024;
/// A label may have a colon itself, but hardly more than this many.
const MOST_COLONS: usize = 4;

/// The places in `form.fields` whose label or id begins a line, with what stands behind it. A line without a label
/// belongs to nobody.
pub fn labelled<'a>(form: &Form, text: &'a str) -> Vec<(usize, &'a str)> {
    let labels: Vec<[String; 2]> =
        form.fields.iter().map(|field| [plain(&field.label), plain(&field.field_id)]).collect();
    text.lines().filter_map(|line| value_of(&labels, line)).collect()
}

fn value_of<'a>(labels: &[[String; 2]], line: &'a str) -> Option<(usize, &'a str)> {
    let colons = line.match_indices([':', '：', '=', '＝']).take(MOST_COLONS);
    let splits = colons.map(|(place, colon)| (&line[..place], line[place + colon.len()..].trim()));
    // The longest label says most: one may begin with the id of another field and a colon.
    let labelled = splits.filter_map(|(label, value)| {
        if label.len() > LONGEST_LABEL || value.is_empty() {
            return None;
        }
        let label = plain(label);
        let place = labels.iter().position(|names| !label.is_empty() && names.contains(&label))?;
        Some((place, value))
    });
    labelled.last()
}

/// Folded, without the marks of a list, of emphasis, or of a colon that belongs to the label.
fn plain(label: &str) -> String {
    let folded = fold(label);
    let marks = |letter: char| letter.is_whitespace() || "-*•・・●■◆#>_:".contains(letter);
    let bare = folded.trim_matches(marks);
    let number = bare.find(|letter: char| !letter.is_ascii_digit()).filter(|digits| *digits > 0);
    let listed = number.and_then(|digits| bare[digits..].strip_prefix(['.', ')'])).map(str::trim_start);
    listed.filter(|rest| !rest.is_empty()).unwrap_or(bare).to_owned()
}
