//! What kind of answer a label wants, guessed from its words in both languages.
//!
//! The first table that knows a word decides, the narrow ones before the broad: a telephone number is no number, and
//! the number of days is no day. What nobody knows is a line of text.

use enza_interview::Kind;

/// The words behind each kind: English as whole words or phrases, Japanese anywhere in the label.
const WORDS: &[(Kind, &[&str], &[&str])] = &[
    (Kind::Email, &["email", "emails", "e-mail", "mail address"], &["メール"]),
    (Kind::Phone, &["phone", "telephone", "mobile", "tel"], &["電話", "携帯", "連絡先番号"]),
    (
        Kind::File,
        &["file", "attachment", "photo", "photos", "picture", "screenshot"],
        &["写真", "ファイル", "添付", "画像"],
    ),
    (
        Kind::Integer,
        &["number of", "how many", "count", "headcount", "age"],
        &["人数", "個数", "件数", "回数", "台数", "年齢", "何人", "何個", "いくつ"],
    ),
    (Kind::Number, &["how much", "amount", "quantity", "price", "cost", "total"], &["数量", "金額", "費用", "いくら"]),
    (Kind::Date, &["date", "day", "birthday", "deadline", "due"], &["日付", "日時", "日程", "期日", "年月日", "いつ"]),
    (Kind::Time, &["time"], &["時刻", "時間", "何時"]),
    (
        Kind::LongText,
        &[
            "comment",
            "comments",
            "remark",
            "remarks",
            "note",
            "notes",
            "description",
            "detail",
            "details",
            "reason",
            "reasons",
            "summary",
            "feedback",
            "what",
            "why",
            "how",
        ],
        &["備考", "コメント", "内容", "詳細", "理由", "感想", "経緯", "概要", "説明", "意見", "要望", "こと", "事項"],
    ),
];

/// Words that begin a question which a yes or a no answers.
const YES_NO_OPENINGS: &[&str] =
    &["whether", "if", "is", "are", "was", "were", "do", "does", "did", "has", "have", "will", "can"];
/// Endings that leave a yes or a no.
const YES_NO_ENDINGS: &[&str] = &["かどうか", "か否か", "の有無", "可否", "要否", "出欠"];
/// Words that ask for more than a yes or a no.
const OPEN_QUESTIONS: &[&str] =
    &["いつ", "どこ", "だれ", "誰", "何", "なに", "なぜ", "どう", "どの", "どれ", "いくつ", "いくら"];
/// Labels of what one may add, or not.
const REMARKS: (&[&str], &[&str]) =
    (&["comment", "comments", "remark", "remarks", "notes"], &["備考", "コメント", "要望"]);

/// The kind of answer that a label wants.
pub(super) fn guess(label: &str) -> Kind {
    if is_yes_no(label) {
        return Kind::YesNo;
    }
    let known = WORDS.iter().find(|(_, english, japanese)| has_any(label, english, japanese));
    match known {
        Some((kind, ..)) => *kind,
        // 訪問日 is a day as much as 日付 is.
        None if label.ends_with('日') => Kind::Date,
        None => Kind::Text,
    }
}

/// Whether it is something that one may add, or not.
pub(super) fn is_a_remark(label: &str) -> bool {
    has_any(label, REMARKS.0, REMARKS.1)
}

fn is_yes_no(label: &str) -> bool {
    if YES_NO_ENDINGS.iter().any(|ending| label.ends_with(ending)) {
        return true;
    }
    let asks_openly = OPEN_QUESTIONS.iter().any(|word| label.contains(word));
    let first = words(label).next().unwrap_or_default();
    (label.ends_with('か') && !asks_openly) || YES_NO_OPENINGS.contains(&first.as_str())
}

fn has_any(label: &str, english: &[&str], japanese: &[&str]) -> bool {
    let spaced = format!(" {} ", words(label).collect::<Vec<_>>().join(" "));
    english.iter().any(|word| spaced.contains(&format!(" {word} "))) || japanese.iter().any(|word| label.contains(word))
}

/// The English words, in small letters.
fn words(label: &str) -> impl Iterator<Item = String> {
    let words = label.split(|letter: char| !(letter.is_ascii_alphanumeric() || letter == '-'));
    words.filter(|word| !word.is_empty()).map(str::to_ascii_lowercase)
}
