//! What a direction asks for, read by rule, in Japanese or English whatever the debate speaks.
//!
//! A direction that asks for nothing we know becomes a theme: its words are taken up. No other voice ever sees it.

use enza_kernel::limits::length;

use crate::sentences::excerpt;

/// One thing that a direction asks for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Wish {
    BeginWithQuestion,
    EndWithQuestion,
    /// A figure in digits.
    Number,
    /// These very words.
    Mention(String),
    Example,
    Agree,
    Object,
    /// As short as the mode allows.
    Brief,
    /// None of these; what it is about.
    Theme(String),
}

/// How long something may be that is taken up word for word.
const LONGEST_MENTION: usize = 70;
const LONGEST_THEME: usize = 40;

/// Everything that a direction asks for.
pub fn wishes(direction: &str) -> Vec<Wish> {
    let text = direction.trim();
    let low = text.to_ascii_lowercase();
    let has = |words: &[&str]| words.iter().any(|word| low.contains(word));
    let mut found = Vec::new();
    if let Some(words) = mentioned(text, &low) {
        found.push(Wish::Mention(words));
    }
    if has(&["質問", "問いかけ", "問い", "疑問", "尋ね", "聞いて", "question", "ask "]) {
        let begins = has(&["始め", "はじめ", "最初", "冒頭", "から入", "begin", "start", "open", "first"]);
        found.push(if begins { Wish::BeginWithQuestion } else { Wish::EndWithQuestion });
    }
    let number = ["数字", "数値", "人数", "何人", "いくつ", "割合", "金額", "パーセント"];
    let number_en = ["number", "figure", "percent", "how many", "how much", "statistic", "quantif"];
    if has(&number) || has(&number_en) {
        found.push(Wish::Number);
    }
    if has(&["例を", "例え", "たとえ", "具体例", "example", "for instance"]) && !is_taken_up(&found) {
        found.push(Wish::Example);
    }
    // Disagreeing has "agree" in it, and 「反対に賛成」 is beyond a rule.
    if has(&["反対", "反論", "異論", "批判", "disagree", "oppose", "object", "challenge", "criticise", "criticize"])
    {
        found.push(Wish::Object);
    } else if has(&["賛成", "同意", "共感して", "agree", "support"]) {
        found.push(Wish::Agree);
    }
    if has(&["短く", "簡潔", "手短", "short", "brief", "concise"]) {
        found.push(Wish::Brief);
    }
    if found.is_empty() && !text.is_empty() {
        found.push(Wish::Theme(theme(text, &low)));
    }
    found
}

fn is_taken_up(found: &[Wish]) -> bool {
    found.iter().any(|wish| matches!(wish, Wish::Mention(_)))
}

/// The words a direction wants to hear, where it asks for some.
fn mentioned(text: &str, low: &str) -> Option<String> {
    const ENGLISH: [&str; 14] = [
        "mention ",
        "bring up ",
        "refer to ",
        "talk about ",
        "speak about ",
        "speak of ",
        "point to ",
        "point out ",
        "include ",
        "cite ",
        "quote ",
        "use the word ",
        "say the word ",
        "remind them of ",
    ];
    const JAPANESE: [&str; 17] = [
        "に触れ",
        "にふれ",
        "について",
        "の話を",
        "の話題",
        "のことを話",
        "を挙げ",
        "をあげ",
        "を例に",
        "を引用",
        "に言及",
        "を出し",
        "を紹介",
        "という言葉",
        "を入れ",
        "を使っ",
        "を話題",
    ];
    let after = ENGLISH.iter().filter_map(|mark| Some((low.find(mark)?, mark.len()))).min();
    let before = JAPANESE.iter().filter_map(|mark| low.find(mark)).min();
    let words = match (after, before) {
        (Some((at, length)), _) => quoted(&text[at + length..]).unwrap_or_else(|| english(&text[at + length..])),
        (None, Some(at)) => quoted(&text[..at]).unwrap_or_else(|| japanese(&text[..at])),
        (None, None) => return None,
    };
    let words = words.trim().to_owned();
    let asks_for_a_kind = ["数字", "数値", "質問", "問い", "例", "具体例", "疑問"];
    let kinds = ["a number", "numbers", "a figure", "figures", "a question", "questions", "an example", "examples"];
    let is_kind = asks_for_a_kind.contains(&words.as_str())
        || words.contains("数字")
        || kinds.contains(&words.to_ascii_lowercase().as_str());
    (!words.is_empty() && !is_kind && length(&words) <= LONGEST_MENTION).then_some(words)
}

/// What stands in quotes.
fn quoted(text: &str) -> Option<String> {
    [('「', '」'), ('『', '』'), ('“', '”'), ('"', '"')].iter().find_map(|(opening, closing)| {
        let (_, rest) = text.split_once(*opening)?;
        let (words, _) = rest.split_once(*closing)?;
        (!words.trim().is_empty()).then(|| words.trim().to_owned())
    })
}

/// What follows "mention": up to the end of the clause.
fn english(text: &str) -> String {
    const ENDS: [&str; 14] = [
        ". ",
        ",",
        ";",
        "!",
        "?",
        "\n",
        " in your",
        " and begin",
        " and end",
        " and ask",
        " and name",
        " and then",
        " at the",
        " this time",
    ];
    let low = text.to_ascii_lowercase();
    let end = ENDS.iter().filter_map(|mark| low.find(mark)).min().unwrap_or(text.len());
    text[..end].trim().trim_end_matches(['.', ' ']).trim_end_matches(" again").trim_end_matches(" please").to_owned()
}

/// What stands before 「に触れて」: back to the beginning of the clause.
fn japanese(text: &str) -> String {
    let clause = text.rsplit(['、', '。', '，', '！', '\n', '　']).next().unwrap_or(text);
    let openings = ["必ず", "ぜひ", "一度は", "一度", "今回は", "次は", "もう一度", "もっと"];
    openings.iter().fold(clause.trim(), |clause, opening| clause.trim_start_matches(opening)).to_owned()
}

/// What a direction is about, without the words that make it an order.
fn theme(text: &str, low: &str) -> String {
    const ORDERS: [&str; 18] = [
        "please ",
        "focus on ",
        "think of ",
        "think about ",
        "emphasise ",
        "emphasize ",
        "stress ",
        "consider ",
        "put weight on ",
        "argue for ",
        "argue from ",
        "stand up for ",
        "try to ",
        "speak ",
        "be ",
        "show ",
        "keep to ",
        "remember ",
    ];
    let start =
        ORDERS.iter().fold(0, |from, order| if low[from..].starts_with(order) { from + order.len() } else { from });
    let words = &text[start..];
    let object =
        ["を", "に", "が", "は", "で"].iter().filter_map(|particle| words.find(particle)).filter(|at| *at >= 6).min();
    excerpt(&words[..object.unwrap_or(words.len())], LONGEST_THEME)
}
