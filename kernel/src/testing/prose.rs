//! Whether a sentence that was put together from parts reads as if somebody had written it.
//!
//! Labels end in marks of their own, reasons are sentences already, and words for machines slip in where a value was
//! meant. Each test that puts sentences together asks here over all its parts.

/// Marks that end something or introduce what follows. Two of them never meet.
const MARKS: &str = ".。．!！?？:：;；,、，";
/// What may stand between two marks without parting them.
const CLOSERS: &str = "」』）)\"”'’ ";
/// What programs say among themselves.
const MACHINE_WORDS: [&str; 16] = [
    "unknown",
    "skipped",
    "declined",
    "not_applicable",
    "null",
    "None",
    "Some",
    "undefined",
    "true",
    "false",
    "passed",
    "missing_facts",
    "feedback",
    "stance",
    "interviewing",
    "reviewing",
];

/// What is wrong with a text for people; nothing where it reads well.
pub fn faults(text: &str) -> Vec<String> {
    let doubled = text.lines().filter_map(doubled_mark).map(|place| format!("two marks meet: {place}"));
    let machine =
        words(text).filter(|word| MACHINE_WORDS.contains(word)).map(|word| format!("a machine's word: {word}"));
    let left = ["{", "}", "()", "「」", "\"\"", "  "].into_iter().filter(|part| text.contains(part));
    let left = left.map(|part| format!("nothing, or a bracket of ours: {part}"));
    doubled.chain(machine).chain(left).collect()
}

/// The names that stand in a line more than once.
pub fn repeated<'a>(text: &str, names: &[&'a str]) -> Vec<&'a str> {
    names.iter().copied().filter(|name| text.lines().any(|line| line.matches(name).count() > 1)).collect()
}

fn doubled_mark(line: &str) -> Option<String> {
    let letters: Vec<char> = line.chars().collect();
    let is_mark = |letter: char| MARKS.contains(letter);
    (0..letters.len()).find_map(|first| {
        let rest = &letters[first + 1..];
        let between = rest.iter().take_while(|letter| CLOSERS.contains(**letter)).count();
        let second = *rest.get(between)?;
        let has_space = rest[..between].contains(&' ');
        // "1.5" and "14:30" have a digit after the mark; an opening bracket is no closer.
        (is_mark(letters[first]) && is_mark(second) && !has_space).then(|| line.to_owned())
    })
}

fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(|letter: char| !letter.is_alphanumeric() && letter != '_').filter(|word| !word.is_empty())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_reads_like_a_machine_is_found() {
        let bad = [
            "Could you tell me more about \"Name\" (declined)?",
            "まだわからないこと: unknown",
            "数字で教えてください。。",
            "「名前。」。",
            "It is \"Name.\".",
            "Are you sure?.",
            "Still to be known: since.:",
            "About {label}",
        ];
        for text in bad {
            assert!(!faults(text).is_empty(), "{text}");
        }
        assert_eq!(repeated("Tell me about \"Your name\" (Your name)?", &["Your name"]), ["Your name"]);
    }

    #[test]
    fn what_people_write_is_left_alone() {
        let good = [
            "Please give a number, such as 12 or 1.5.",
            "数字で教えてください（例：12、1.5）。",
            "\"How many\" is left for later. It is needed before submitting.",
            "「はい」か「いいえ」で教えてください。",
            "14:30 will do (Optional; you may skip it.)",
            "It is not known whether that is so: nobody said.",
        ];
        for text in good {
            assert_eq!(faults(text), Vec::<String>::new(), "{text}");
        }
    }
}
