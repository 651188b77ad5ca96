//! The manners of the dialogue that code can hold a model to (DUCK-93 to DUCK-97).
//!
//! At most one question in a reply: of several the first stays. What a model says is otherwise its own; when to ask, to
//! propose, to sum up and to nudge is told to it in the prompt.

/// A reply with the first of its questions alone. Code is left as it is, whatever stands in it.
pub(super) fn with_one_question(text: &str) -> String {
    let mut questions = 0;
    let mut kept = String::new();
    for (line, is_code) in lines(text.trim()) {
        if is_code {
            kept.push_str(line);
            continue;
        }
        for sentence in sentences(line) {
            questions += usize::from(asks(sentence));
            if !asks(sentence) || questions == 1 {
                kept.push_str(sentence);
            }
        }
        if line.ends_with('\n') && !kept.ends_with('\n') {
            kept.push('\n');
        }
    }
    kept.trim_end().to_owned()
}

/// As much of a reply that is still being written as stays whatever comes next: the whole reply begins with it. Once
/// something was asked, the last sentence may yet become a second question, and is left out until the next one begins.
pub fn reply_so_far(text: &str) -> String {
    let text = text.trim();
    let last_line = text.split_inclusive('\n').next_back().unwrap_or_default();
    let last = sentences(last_line).last().map_or(0, |sentence| sentence.len());
    let before = &text[..text.len() - last];
    if question(before).is_some() { with_one_question(before) } else { text.to_owned() }
}

/// What a reply asks.
pub(super) fn question(text: &str) -> Option<&str> {
    let said = lines(text).filter(|(_, is_code)| !is_code).flat_map(|(line, _)| sentences(line));
    said.map(str::trim).find(|sentence| asks(sentence))
}

/// The lines of a text, and whether each belongs to a block of code, its fences included.
fn lines(text: &str) -> impl Iterator<Item = (&str, bool)> {
    let mut is_inside = false;
    text.split_inclusive('\n').map(move |line| {
        let is_fence = line.trim_start().starts_with("```");
        let is_code = is_inside || is_fence;
        is_inside ^= is_fence;
        (line, is_code)
    })
}

fn asks(sentence: &str) -> bool {
    sentence.trim_end().ends_with(['?', '？'])
}

/// The sentences of a line, each with what follows it. What stands in backticks ends none.
fn sentences(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let (mut start, mut is_code) = (0, false);
    let mut letters = line.char_indices().peekable();
    while let Some((place, letter)) = letters.next() {
        let end = place + letter.len_utf8();
        let next = letters.peek().map(|(_, next)| *next);
        is_code ^= letter == '`';
        let is_end = "。？！".contains(letter) || ("?!.".contains(letter) && next.is_none_or(char::is_whitespace));
        if is_end && !is_code {
            found.push(&line[start..end]);
            start = end;
        }
    }
    if start < line.len() {
        found.push(&line[start..]);
    }
    found
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::{question, reply_so_far, with_one_question};

    /// DUCK-93: at most one question.
    #[test]
    fn of_several_questions_the_first_stays() {
        let said = "I can do that. Shall I add a test? Or two? The file is small.\nWhich name?";
        assert_eq!(with_one_question(said), "I can do that. Shall I add a test? The file is small.");
        assert_eq!(with_one_question("できます。テストも足しますか？ 名前は？"), "できます。テストも足しますか？");
    }

    #[test]
    fn code_and_lists_are_left_as_they_are() {
        for said in [
            "Use `a?.b`:\n\n- one\n- two\n\n```rust\nlet x = y?;\n```",
            "Like this?\n\n```rust\nlet body = client\n    .get(url)?\n    .json()?\n```",
            "Is it `a? b? c?` you mean.",
        ] {
            assert_eq!(with_one_question(said), said);
        }
        assert_eq!(question("```\nwhat?\n```\nShall I? Yes."), Some("Shall I?"), "G50");
    }

    #[test]
    fn what_is_being_written_is_passed_on_until_it_may_have_to_be_left_out() {
        assert_eq!(reply_so_far(" I can do th"), "I can do th");
        assert_eq!(reply_so_far("Shall I add a test? Or tw"), "Shall I add a test?");
        assert_eq!(reply_so_far("Shall I? It is small. Or"), "Shall I? It is small.");
        assert_eq!(reply_so_far("足しますか？ 名前は？ では"), "足しますか？");
    }

    proptest! {
        #[test]
        fn a_whole_reply_begins_with_whatever_was_passed_on_of_it(whole in "[ab.?!。？` \n]{0,40}", cut in 0usize..40) {
            let begun: String = whole.chars().take(cut).collect();
            prop_assert!(with_one_question(&whole).starts_with(&reply_so_far(&begun)), "{:?} of {:?}", begun, whole);
        }
    }
}
