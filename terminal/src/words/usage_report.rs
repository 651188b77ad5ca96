//! What `enza usage` says: what was spent, on what, and how to begin where nothing was.

use enza_kernel::text::Lang;

use crate::arguments::UsageBy;

/// The names of the columns.
pub fn head(lang: Lang, by: UsageBy) -> [&'static str; 6] {
    let first = match by {
        UsageBy::Day => lang.pick("日付", "day"),
        UsageBy::Model => lang.pick("モデル", "model"),
        UsageBy::Application => lang.pick("種類", "application"),
        UsageBy::Session => lang.pick("セッション", "session"),
    };
    lang.pick(
        [first, "回数", "入力", "出力", "ヒット率", "費用"],
        [first, "calls", "input", "output", "cached", "cost"],
    )
}

/// What the table is about.
pub fn title(lang: Lang, days: u32, by: UsageBy) -> String {
    let (ja, en) = match by {
        UsageBy::Day => ("日別", "day"),
        UsageBy::Model => ("モデル別", "model"),
        UsageBy::Application => ("種類別", "application"),
        UsageBy::Session => ("セッション別", "session"),
    };
    match (lang, days) {
        (Lang::Ja, 1) => format!("今日の使用量({ja})"),
        (Lang::Ja, days) => format!("この{days}日間の使用量({ja})"),
        (Lang::En, 1) => format!("Usage of today, by {en}"),
        (Lang::En, days) => format!("Usage of the last {days} days, by {en}"),
    }
}

/// The days it is about.
pub fn range(lang: Lang, from: &str, to: &str) -> String {
    lang.pick(format!("{from} から {to} まで(UTC)"), format!("{from} to {to}, UTC"))
}

/// The stand-in is no model.
pub fn understudy(lang: Lang) -> &'static str {
    lang.pick("代役(モデルなし)", "understudy (no model)")
}

/// Sessions that are gone.
pub fn deleted(lang: Lang) -> &'static str {
    lang.pick("(削除済み)", "(deleted)")
}

/// Lines that were left out, in one.
pub fn others(lang: Lang, count: usize) -> String {
    lang.pick(format!("ほか{count}件"), format!("{count} more"))
}

/// The last line.
pub fn total(lang: Lang) -> &'static str {
    lang.pick("合計", "total")
}

/// What bars show where nothing costs anything.
pub fn bars_show_tokens(lang: Lang) -> &'static str {
    lang.pick(
        "費用のかかった呼び出しはありません。棒はトークン数です。",
        "No call cost anything; the bars show tokens.",
    )
}

/// Nothing was ever used.
pub fn nothing_yet(lang: Lang, begins: &str) -> String {
    lang.pick(
        format!("まだ何も使われていません。始めるには: {begins}"),
        format!("Nothing has been used yet. Begin with: {begins}"),
    )
}

/// A session has used nothing; how to go on with it, where that is known.
pub fn nothing_by(lang: Lang, session: &str, resume: Option<&str>) -> String {
    let said = lang.pick(
        format!("セッション {session} は、まだモデルを使っていません。"),
        format!("Session {session} has used no model yet."),
    );
    match resume {
        Some(resume) => lang.pick(format!("{said}進めるには: {resume}"), format!("{said} Go on with it: {resume}")),
        None => said,
    }
}

/// Nothing was used in these days, but earlier.
pub fn nothing_lately(lang: Lang, days: u32, last: &str, further_back: &str) -> String {
    lang.pick(
        format!("この{days}日間は何も使われていません。最後は{last}です。見るには: {further_back}"),
        format!("Nothing was used in the last {days} days; the last use was on {last}. See it with: {further_back}"),
    )
}
