//! A question as a person sees it: how far it is, which field, what can be chosen, and what was said so far.
//!
//! The agents' own words stand between; nothing here changes them. Every line keeps to the width of the screen, in
//! Japanese too.

use enza_interview::{Field, FieldRecord, Kind, State, show};
use enza_kernel::text::Lang;
use enza_kernel::time::Timestamp;
use enza_terminal::screen::{Columns, Screen, fold, pad, width};

use crate::run::{are_numbered, listed};

/// A question, with how far the interview has come.
pub fn question(screen: &Screen, state: &State, question: &str, now: Timestamp) -> String {
    let lines = fold(question, screen.width()).join("\n");
    let Some((field, record)) = state.current() else { return format!("\n{lines}") };
    let (mut at, mut of) = (0, 0);
    for one in listed(state) {
        of += 1;
        at = if one.id() == record.id() { of } else { at };
    }
    let place = screen.lang.pick(format!("{of}問中{at}問目"), format!("{at} of {of}"));
    let head = title(screen, Some(&place), state, record);
    format!("\n{head}\n{lines}{}", choices(screen, state, field, record, now))
}

/// A field to be filled in.
pub fn entry(screen: &Screen, state: &State, record: &FieldRecord, now: Timestamp) -> String {
    let field = state.field_of(record);
    format!("\n{}{}", title(screen, None, state, record), choices(screen, state, field, record, now))
}

/// What is known so far, numbered, with marks.
pub fn table(screen: &Screen, state: &State) -> String {
    let lang = screen.lang;
    let current = state.current().map(|(_, record)| record.id());
    let mut columns = Columns::bare();
    for (place, record) in listed(state).enumerate() {
        let mark = match (current == Some(record.id()), record.is_done()) {
            (true, _) => "→",
            (false, true) if record.is_incomplete() => "!",
            (false, true) => "✓",
            (false, false) => "·",
        };
        let label = enza_terminal::screen::clip(&state.label(record), screen.width() / 2);
        columns.row([mark.to_owned(), (place + 1).to_string(), label, value(lang, state, record)]);
    }
    columns.lines(screen.width()).join("\n")
}

/// What a field has, as people read it.
pub fn value(lang: Lang, state: &State, record: &FieldRecord) -> String {
    let remark = match (record.is_incomplete(), record.is_set_aside()) {
        (true, _) => lang.pick("(不足あり)", " (incomplete)"),
        (false, true) => lang.pick("(後で)", "(for later)"),
        (false, false) => "",
    };
    let value = match (record.value(), record.absence()) {
        (Some(value), _) => show(state.field_of(record), value, state.lang()),
        (None, Some(absence)) if record.is_done() => absence.say(lang).to_owned(),
        (None, Some(_) | None) => String::new(),
    };
    format!("{value}{remark}")
}

/// Nothing is left to ask, and a field can be chosen.
pub fn choice(screen: &Screen, state: &State, question: &str) -> String {
    let back = screen.pick(
        "番号か名前で選びます。/back で確認に戻ります。",
        "Choose by number or name; /back returns to the confirmation.",
    );
    let lines = |text: &str| fold(text, screen.width()).join("\n");
    format!("\n{}\n\n{}\n{}", lines(question), table(screen, state), screen.paint.faint(&lines(back)))
}

/// Which field is to be answered again.
pub fn which(screen: &Screen, state: &State) -> String {
    let ask = screen
        .pick("答え直す項目を指定してください: /change 2 など", "Name the field to answer again, such as /change 2:");
    format!("{}\n{}", screen.paint.faint(ask), table(screen, state))
}

/// There is no such field.
pub fn no_such_field(screen: &Screen, state: &State, name: &str) -> String {
    let said = screen.pick(format!("「{name}」という項目はありません。"), format!("There is no field \"{name}\"."));
    format!("{}\n{}", screen.paint.warn(&said), table(screen, state))
}

/// The label of a field, with what goes before it and whether it may be left empty.
fn title(screen: &Screen, before: Option<&str>, state: &State, record: &FieldRecord) -> String {
    let before = before.map(|text| format!("{text}  ")).unwrap_or_default();
    let optional = if state.field_of(record).required { "" } else { screen.pick("(任意)", " (optional)") };
    let room = screen.width().saturating_sub(width(&before) + width(optional));
    let indent = " ".repeat(width(&before));
    let label = fold(&state.label(record), room);
    let label: Vec<String> = label.iter().map(|line| screen.paint.strong(line)).collect();
    format!("{}{}{}", screen.paint.faint(&before), label.join(&format!("\n{indent}")), screen.paint.faint(optional))
}

/// What can be chosen, what it was before, and how to write it.
fn choices(screen: &Screen, state: &State, field: &Field, record: &FieldRecord, now: Timestamp) -> String {
    let mut out = String::new();
    let numbered = are_numbered(field, state, now);
    let column = if numbered { field.options.len().to_string().len() + 2 } else { 2 };
    for (place, option) in field.options.iter().enumerate() {
        let mark = if numbered { (place + 1).to_string() } else { "-".to_owned() };
        let lines = fold(option.shown(), screen.width().saturating_sub(column + 2));
        let lines = lines.join(&format!("\n  {}", " ".repeat(column)));
        out += &format!("\n  {}{lines}", screen.paint.strong(&pad(&mark, column)));
    }
    if let Some(known) = record.value() {
        let known = show(field, known, state.lang());
        let text = screen.pick(format!("今の答え: {known}"), format!("It was: {known}"));
        out += &faint(screen, &text);
    }
    out + &faint(screen, &hint(screen.lang, field, numbered))
}

fn faint(screen: &Screen, text: &str) -> String {
    fold(text, screen.width().saturating_sub(2))
        .iter()
        .map(|line| format!("\n  {}", screen.paint.faint(line)))
        .collect()
}

/// How an answer can be written.
fn hint(lang: Lang, field: &Field, numbered: bool) -> String {
    let other = if field.allow_other {
        lang.pick("。ほかの答えも書けます", "; another answer will do, too")
    } else {
        ""
    };
    let how = match field.kind {
        Kind::Text | Kind::LongText => return String::new(),
        Kind::Number => lang.pick("数字", "a number"),
        Kind::Integer => lang.pick("整数", "a whole number"),
        Kind::Date => lang.pick("日付(2026年11月3日、昨日 など)", "a date, such as 3 November 2026 or yesterday"),
        Kind::Time => lang.pick("時刻(14:30、午後2時半 など)", "a time, such as 14:30 or 2:30 pm"),
        Kind::Choice if numbered => lang.pick("番号か言葉で", "a number, or in words"),
        Kind::Choice => lang.pick("この中から一つ", "one of these"),
        Kind::Choices if numbered => lang.pick("いくつでも(1, 3 など)", "any of them, such as 1, 3"),
        Kind::Choices => lang.pick("いくつでも、「、」で区切って", "any of them, with commas between"),
        Kind::Email => lang.pick("メールアドレス", "an e-mail address"),
        Kind::Phone => lang.pick("電話番号", "a telephone number"),
        Kind::YesNo => lang.pick("はい / いいえ", "yes or no"),
        Kind::File => lang.pick(
            "ファイルは端末からは添付できません。/skip か /later で進み、Web の画面で添付してください",
            "files cannot be attached at the terminal: /skip or /later, and attach it on the web page",
        ),
    };
    format!("{how}{}{other}", bounds(lang, field))
}

/// The least and the most that a field allows.
fn bounds(lang: Lang, field: &Field) -> String {
    let shown = |bound: &Option<String>| bound.as_deref().map(|bound| show(field, bound, lang));
    let is_number = field.kind.is_numeric();
    match (shown(&field.min), shown(&field.max)) {
        (Some(min), Some(max)) => lang.pick(format!("、{min}から{max}まで"), format!(", from {min} to {max}")),
        (Some(min), None) if is_number => lang.pick(format!("、{min}以上"), format!(", {min} or more")),
        (Some(min), None) => lang.pick(format!("、{min}以降"), format!(", {min} or later")),
        (None, Some(max)) => lang.pick(format!("、{max}まで"), format!(", at most {max}")),
        (None, None) => String::new(),
    }
}

#[cfg(test)]
mod tests {
    use enza_interview::Choice;
    use enza_kernel::testing::prose;

    use super::*;

    /// Kind, numbers, bounds and other answers are put together into one line under a question.
    #[test]
    fn the_hint_under_a_question_reads_well_in_every_case() {
        let bounds = [(None, None), (Some("1"), None), (None, Some("6")), (Some("1"), Some("6"))];
        let cases = Kind::ALL.into_iter().flat_map(|kind| bounds.map(|bounds| (kind, bounds)));
        for ((kind, (min, max)), lang) in cases.flat_map(|case| [(case, Lang::Ja), (case, Lang::En)]) {
            for (allow_other, numbered) in [(true, true), (true, false), (false, true), (false, false)] {
                let bound = |bound: Option<&str>| bound.filter(|_| kind.has_bounds()).map(str::to_owned);
                let options = vec![Choice::plain("Fish."), Choice::plain("Meat?")];
                let (min, max) = (bound(min), bound(max));
                let field = Field { allow_other, options, min, max, ..Field::new("f", "F", kind) };
                let said = hint(lang, &field, numbered);
                assert_eq!(prose::faults(&said), Vec::<String>::new(), "{kind}: {said}");
            }
        }
    }
}
