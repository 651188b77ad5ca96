//! Takes a description of a form apart: what it is called, and what it asks for.
//!
//! "A visit report with date, customer, what was agreed" and 「日付、顧客、合意した内容を含む訪問報告」 say the same: one has
//! the title before the list, the other after it. Commas inside brackets belong to the options of one field.

use std::cmp::Reverse;

/// Title and list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Outline {
    pub title: String,
    pub items: Vec<String>,
}

/// One thing of the list.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct OutlineItem {
    pub label: String,
    pub options: Vec<String>,
    pub is_optional: bool,
}

/// What stands between an English title and its list.
const BETWEEN: &[&str] = &[
    " with ",
    " that asks for ",
    " which asks for ",
    " that asks ",
    " asking for ",
    " asking ",
    " containing ",
    " including ",
    " - ",
];
/// What people say before a title.
const BEFORE_TITLE: &[&str] = &[
    "please ",
    "i need ",
    "i want ",
    "we need ",
    "we want ",
    "make ",
    "create ",
    "write ",
    "build ",
    "me ",
    "us ",
    "a ",
    "an ",
    "the ",
    "form for ",
    "form about ",
];
/// What stands between a Japanese list and the title after it.
const AFTER_LIST: &[&str] = &[
    "を含む",
    "を含んだ",
    "を聞く",
    "を聞き取る",
    "を尋ねる",
    "をたずねる",
    "を記録する",
    "を記入する",
    "を書く",
    "を入力する",
    "を集める",
    "を載せた",
    "を入れた",
    "の入った",
    "のある",
    "がある",
];
/// What stands between a Japanese title and its list.
const AFTER_TITLE: &[&str] = &["で、", "には、", "では、", "。", "は、"];
/// What people say after a title in Japanese.
const AFTER_WISH: &[&str] = &[
    "を作ってください",
    "を作って",
    "を作成してください",
    "を作成して",
    "をお願いします",
    "がほしい",
    "が欲しい",
    "です",
];

/// Takes a description apart.
pub(super) fn read(sentence: &str) -> Outline {
    let sentence = sentence.trim().trim_end_matches(['.', '。', '!', '\u{FF01}']);
    let (title, list) = halves(sentence);
    Outline { title: bare_title(title), items: items(list) }
}

fn halves(sentence: &str) -> (&str, &str) {
    let lowered = sentence.to_ascii_lowercase();
    if let Some(halves) = split_at_colon(sentence).or_else(|| split_at_first(sentence, &lowered, BETWEEN)) {
        return halves;
    }
    if let Some((list, title)) = split_at_first(sentence, sentence, AFTER_LIST) {
        if !bare_title(title).is_empty() {
            return (title, list);
        }
        return split_at_first(list, list, AFTER_TITLE).unwrap_or(("", list));
    }
    if let Some(halves) = split_at_first(sentence, sentence, AFTER_TITLE) {
        return halves;
    }
    // A bare list begins with what it is a list of.
    sentence.split_once([',', '、', '\u{FF0C}', '\n']).unwrap_or((sentence, ""))
}

/// Both sides of the first colon that is not part of a time such as 10:30.
fn split_at_colon(text: &str) -> Option<(&str, &str)> {
    let is_in_a_time = |rest: &str| rest.starts_with(|letter: char| letter.is_ascii_digit());
    let colons = text.match_indices([':', '\u{FF1A}']);
    let mut halves = colons.map(|(place, colon)| (&text[..place], &text[place + colon.len()..]));
    halves.find(|(_, rest)| !is_in_a_time(rest))
}

/// Both sides of the mark that comes first, and of several there of the longest. `searched` has the same bytes as
/// `text`, but for case.
fn split_at_first<'a>(text: &'a str, searched: &str, marks: &[&str]) -> Option<(&'a str, &'a str)> {
    let found = marks.iter().filter_map(|mark| searched.find(mark).map(|place| (place, mark.len())));
    let (place, length) = found.min_by_key(|(place, length)| (*place, Reverse(*length)))?;
    Some((&text[..place], &text[place + length..]))
}

fn bare_title(title: &str) -> String {
    let mut title = title.trim_matches([' ', '、', '。', '「', '」', '"', '\n', '\t']);
    while let Some(rest) = BEFORE_TITLE.iter().find_map(|word| without_start(title, word)) {
        title = rest.trim_start();
    }
    while let Some(rest) = AFTER_WISH.iter().find_map(|word| title.strip_suffix(word)) {
        title = rest.trim_end();
    }
    title.to_owned()
}

/// The rest of a text that begins with a word, whatever its case.
fn without_start<'a>(text: &'a str, word: &str) -> Option<&'a str> {
    let start = text.get(..word.len())?;
    start.eq_ignore_ascii_case(word).then(|| &text[word.len()..])
}

/// The things of a list, each without the words around it.
fn items(list: &str) -> Vec<String> {
    let letters: Vec<char> = list.chars().collect();
    let (mut items, mut current, mut depth) = (Vec::new(), String::new(), 0_usize);
    for (place, letter) in letters.iter().enumerate() {
        match letter {
            '(' | '\u{FF08}' => depth += 1,
            ')' | '\u{FF09}' => depth = depth.saturating_sub(1),
            _ => {}
        }
        if depth == 0 && is_between_items(&letters, place) {
            items.push(std::mem::take(&mut current));
        } else {
            current.push(*letter);
        }
    }
    items.push(current);
    items.iter().flat_map(|item| joined_by_and(item)).map(bare_item).filter(|item| !item.is_empty()).collect()
}

/// What "and" joins; where there are brackets, it may stand inside them.
fn joined_by_and(item: &str) -> Vec<&str> {
    if item.contains(['(', '\u{FF08}']) { vec![item] } else { item.split(" and ").collect() }
}

fn is_between_items(letters: &[char], place: usize) -> bool {
    match letters[place] {
        ',' | '\u{FF0C}' | '、' | '・' | ';' | '\u{FF1B}' | '\n' => true,
        // と joins 日付と顧客, but is a part of こと.
        'と' => {
            let before = place.checked_sub(1).map(|place| letters[place]);
            let after = letters.get(place + 1);
            before.is_some_and(|one| is_han_or_katakana(one) || ")\u{FF09}".contains(one))
                && after.is_some_and(|one| is_han_or_katakana(*one))
        }
        _ => false,
    }
}

fn is_han_or_katakana(letter: char) -> bool {
    matches!(letter, '\u{30A1}'..='\u{30FA}' | 'ー' | '\u{3400}'..='\u{9FFF}' | '々')
}

fn bare_item(item: &str) -> String {
    let mut item = item.trim().trim_matches(['.', '。', '-', '*', ' ', '"', '「', '」']);
    while let Some(rest) = ["and ", "the ", "a ", "an ", "their ", "your ", "または", "および", "及び"]
        .iter()
        .find_map(|word| without_start(item, word))
    {
        item = rest.trim_start();
    }
    for ending in ["など", "等", " etc", "を"] {
        item = item.strip_suffix(ending).unwrap_or(item);
    }
    item.trim().to_owned()
}

/// Takes one thing apart: what stands in brackets at its end are its options, or says that it is optional.
pub(super) fn parse_item(item: &str) -> OutlineItem {
    let inner = item.strip_suffix([')', '\u{FF09}']).and_then(|item| item.split_once(['(', '\u{FF08}']));
    let Some((label, inner)) = inner else {
        return OutlineItem { label: item.to_owned(), options: Vec::new(), is_optional: false };
    };
    let label = label.trim().to_owned();
    if ["optional", "任意"].iter().any(|word| inner.trim().eq_ignore_ascii_case(word)) {
        return OutlineItem { label, options: Vec::new(), is_optional: true };
    }
    let inner = inner.replace(" or ", ",");
    let options = inner
        .split([',', '\u{FF0C}', '、', '/', '\u{FF0F}', '・', ';', '\u{FF1B}'])
        .map(str::trim)
        .filter(|option| !option.is_empty());
    let options: Vec<String> = options.map(|option| option.chars().take(30).collect()).take(20).collect();
    match options.len() {
        0 | 1 => OutlineItem { label: item.to_owned(), options: Vec::new(), is_optional: false },
        _ => OutlineItem { label, options, is_optional: false },
    }
}
