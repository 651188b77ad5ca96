//! The manners of the dialogue that code can hold a model to (DUCK-93 to DUCK-97).
//!
//! At most one question in a reply: of several the first stays. What a model says is otherwise its own; when to ask, to
//! propose, to sum up and to nudge is told to it in the prompt.

/// A reply with the first of its questions alone.
pub(super) fn reply(text: &str) -> String {
    let mut questions = 0;
    let mut kept = String::new();
    for line in text.trim().split_inclusive('\n') {
        for sentence in sentences(line) {
            let asks = sentence.trim_end().ends_with(['?', '？']);
            questions += usize::from(asks);
            if !asks || questions == 1 {
                kept.push_str(sentence);
            }
        }
        if line.ends_with('\n') && !kept.ends_with('\n') {
            kept.push('\n');
        }
    }
    kept.trim_end().to_owned()
}

/// The sentences of a line, each with what follows it.
fn sentences(line: &str) -> Vec<&str> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut letters = line.char_indices().peekable();
    while let Some((place, letter)) = letters.next() {
        let end = place + letter.len_utf8();
        let next = letters.peek().map(|(_, next)| *next);
        let is_end = "。？！".contains(letter) || ("?!.".contains(letter) && next.is_none_or(char::is_whitespace));
        if is_end {
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
    use super::reply;

    /// DUCK-93: at most one question.
    #[test]
    fn of_several_questions_the_first_stays() {
        let said = "I can do that. Shall I add a test? Or two? The file is small.\nWhich name?";
        assert_eq!(reply(said), "I can do that. Shall I add a test? The file is small.");
        assert_eq!(reply("できます。テストも足しますか？ 名前は？"), "できます。テストも足しますか？");
    }

    #[test]
    fn code_and_lists_are_left_as_they_are() {
        let said = "Use `a?.b`:\n\n- one\n- two\n\n```rust\nlet x = y?;\n```";
        assert_eq!(reply(said), said);
    }
}
