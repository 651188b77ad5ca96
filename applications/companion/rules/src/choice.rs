//! A bare choice after an offer: "1", "B", "default" are read by rule as what the model had offered.
//!
//! Only a whole reply is a choice, and only after a reply that asks and lists at least two options, each on a line of its
//! own and counted from the first. Whatever else is said is for the model to read.

use unicode_normalization::UnicodeNormalization as _;

/// Words that ask for the option which the model itself would take.
const DEFAULT: [&str; 16] = [
    "default",
    "the default",
    "recommended",
    "the recommended",
    "the recommended one",
    "either",
    "デフォルト",
    "既定",
    "推奨",
    "おすすめ",
    "お勧め",
    "お薦め",
    "おまかせ",
    "お任せ",
    "任せる",
    "どちらでも",
];
/// Marks of that option.
const MARKED: [&str; 8] = ["default", "recommended", "推奨", "おすすめ", "お勧め", "既定", "デフォルト", "お薦め"];
/// What may stand around a choice and says nothing.
const BEFORE: [&str; 6] = ["option ", "choice ", "number ", "案", "選択肢", "no."];
const BEHIND: [&str; 12] = [
    "でお願いします",
    "をお願いします",
    "お願いします",
    " please",
    "番目",
    "です",
    "番で",
    "番",
    "案で",
    "案",
    "で",
    "を",
];

/// The option that a bare choice takes, in one line; none where it is no choice, or where nothing was offered.
pub(super) fn chosen(said: &str, reply: &str) -> Option<String> {
    let options = options(reply);
    if options.len() < 2 || !reply.contains(['?', '？']) && !asks_to_choose(reply) {
        return None;
    }
    let choice = bare(said);
    let place = match label(&choice) {
        Some(place) => place,
        None if DEFAULT.contains(&choice.as_str()) => {
            let is_marked = |option: &String| MARKED.iter().any(|mark| option.to_lowercase().contains(mark));
            options.iter().position(is_marked).unwrap_or(0)
        }
        None => return None,
    };
    options.get(place).cloned()
}

/// What was said without what stands around a choice.
fn bare(said: &str) -> String {
    let text = said.nfkc().collect::<String>().to_lowercase();
    let mut text = text.trim().trim_end_matches(['.', '!', '。', ')']).trim_start_matches('(').trim();
    for word in BEFORE {
        text = text.strip_prefix(word).map_or(text, str::trim);
    }
    // Several may stand behind each other, as in "1番でお願いします".
    while let Some(rest) = BEHIND.iter().find_map(|word| text.strip_suffix(word)).filter(|rest| !rest.is_empty()) {
        text = rest.trim();
    }
    text.to_owned()
}

/// The place that a number or a letter stands for.
fn label(word: &str) -> Option<usize> {
    let mut letters = word.chars();
    match (letters.next(), letters.next()) {
        (Some(letter @ 'a'..='h'), None) => Some(letter as usize - 'a' as usize),
        (Some('1'..='9'), _) => word.parse::<usize>().ok().map(|number| number - 1),
        _ => None,
    }
}

fn asks_to_choose(reply: &str) -> bool {
    let reply = reply.to_lowercase();
    ["choose", "which", "pick", "prefer", "選んで", "選択", "どれ", "どちら", "いずれ"]
        .iter()
        .any(|word| reply.contains(word))
}

/// The options that a reply lists, in order; none where it does not count them from the first.
fn options(reply: &str) -> Vec<String> {
    let mut options: Vec<String> = Vec::new();
    for line in reply.lines() {
        let Some((place, text)) = option(line) else { continue };
        match place {
            // A second list takes the place of the first: what was offered last is what is answered.
            0 => options = vec![text],
            place if place == options.len() => options.push(text),
            _ => {}
        }
    }
    options
}

/// A line of a list: its place, and what it says.
fn option(line: &str) -> Option<(usize, String)> {
    let line = line.nfkc().collect::<String>();
    let plain = line.trim().trim_start_matches(['-', '*', '•', '・', '(', '#', ' ']);
    let plain =
        ["Option ", "option ", "案", "選択肢"].iter().find_map(|word| plain.strip_prefix(word)).unwrap_or(plain);
    let end = plain.find(|letter: char| !letter.is_ascii_alphanumeric())?;
    let (name, rest) = plain.split_at(end);
    let place = label(&name.to_lowercase())?;
    let text = rest.strip_prefix(['.', ')', ':', '、', '。'])?.trim_start_matches([')', ':', '*', ' ']);
    (!text.trim().is_empty()).then(|| (place, text.trim().replace("**", "")))
}

#[cfg(test)]
mod tests {
    use super::chosen;

    const NUMBERS: &str = "There are two ways:\n1. Keep the file\n2. **Move it** (recommended)\nWhich one?";
    const LETTERS: &str = "どちらにしますか？\n- 案A: 今のまま\n- 案B： 分ける";

    fn takes(reply: &str, said: &[&str], option: &str) {
        for one in said {
            assert_eq!(chosen(one, reply).as_deref(), Some(option), "{one}");
        }
    }

    #[test]
    fn a_bare_choice_is_the_offer_that_it_names() {
        takes(NUMBERS, &["1", "１", "1.", "(1)", "option 1", "1で", "１番でお願いします", "a"], "Keep the file");
        takes(NUMBERS, &["2", "default", "Recommended", "おまかせ", "推奨で"], "Move it (recommended)");
        takes(LETTERS, &["A", "案Aで", "ａ", "1", "default", "デフォルトで"], "今のまま");
        takes(LETTERS, &["B", "bで"], "分ける");
    }

    #[test]
    fn what_is_more_than_a_choice_or_names_no_offer_is_talk() {
        for said in ["3", "0", "1 and 2", "12", "why 1?", "the first", "yes", "no", "default branch", "10"] {
            assert_eq!(chosen(said, NUMBERS), None, "{said}");
        }
        for reply in ["Done: 1 file.", "1. Wrote it\n2. Ran it", "Which one?\n1. Only this"] {
            assert_eq!(chosen("1", reply), None, "{reply}");
        }
    }
}
