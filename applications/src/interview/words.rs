//! What the interview itself says to a person, in both languages. What the agents say is theirs.

use std::fmt::Write as _;

use enza_kernel::agent::Failure;
use enza_kernel::gate::Points;
use enza_kernel::text::Lang;

use super::form::{Form, Group};
use super::state::{Record, State};
use super::values::show;

/// The rounds are used up and the field has no value: what is lacking, and how it can go on.
pub(super) fn plea(lang: Lang, label: &str, required: bool, lacking: &[String]) -> String {
    let lacking = lacking.join(lang.pick("、", ", "));
    match (lang, required) {
        (Lang::Ja, true) => format!(
            "「{label}」について、まだ次のことがわかりません: {lacking}。わかる範囲でそのまま答えるか、\
             後回しにしてください。必須の項目なので、答えがないと送信できません。"
        ),
        (Lang::Ja, false) => format!(
            "「{label}」について、まだ次のことがわかりません: {lacking}。わかる範囲でそのまま答えるか、\
             この項目を飛ばしてください。"
        ),
        (Lang::En, true) => format!(
            "About \"{label}\", this is still not known: {lacking}. Please answer as far as you can, or leave it for \
             later. The field is required; without an answer the form cannot be submitted."
        ),
        (Lang::En, false) => format!(
            "About \"{label}\", this is still not known: {lacking}. Please answer as far as you can, or skip this field."
        ),
    }
}

/// Whether a group has another item.
pub(super) fn one_more(lang: Lang, group: &Group, after: u32) -> String {
    let item = &group.item;
    match after {
        0 => lang.pick(format!("{item}の有無"), format!("Is there any {item} to add?")),
        _ => lang.pick(format!("ほかの{item}の有無"), format!("Is there another {item} to add?")),
    }
}

/// The question before a submission.
pub(super) fn submission(state: &State) -> Points {
    let lang = state.lang();
    let title = &state.form.title;
    Points {
        intent: lang.pick(format!("「{title}」を送信する"), format!("Submit \"{title}\"")),
        grounds: lang.pick("すべての項目が済みました。", "Every field is done.").to_owned(),
        impact: lang
            .pick(
                "下の内容が送られます。送信したあとは変えられません。",
                "What is shown is sent; it cannot be changed afterwards.",
            )
            .to_owned(),
        alternatives: vec![
            lang.pick("答えを直してから送信する", "Change an answer first").to_owned(),
            lang.pick("送信せずに取りやめる", "Give up without submitting").to_owned(),
        ],
        diff: Some(values(state)),
    }
}

/// The question after a delivery that was cut off.
pub(super) fn redelivery(state: &State) -> Points {
    let lang = state.lang();
    Points {
        intent: lang.pick("もう一度送る", "Deliver again").to_owned(),
        grounds: lang
            .pick(
                "送っている途中で止まりました。届いたかどうかはわかりません。",
                "It is not known whether the delivery took place: it was cut off in the middle.",
            )
            .to_owned(),
        impact: lang
            .pick("届いていた場合、同じ内容が二度届きます。", "If it did, the same submission arrives twice.")
            .to_owned(),
        alternatives: vec![
            lang.pick(
                "届いたことを確かめたので、済みにする(いいえ)",
                "It is done; I have made sure that it arrived (no)",
            )
            .to_owned(),
        ],
        diff: Some(values(state)),
    }
}

/// The values as a person reads them.
fn values(state: &State) -> String {
    let lang = state.lang();
    let mut out = String::new();
    for (field, record) in state.fields() {
        if field.hidden || record.asks_for_more() || !state.applies(record) {
            continue;
        }
        let value = shown(state, record).unwrap_or_else(|| lang.pick("(未記入)", "(left empty)").to_owned());
        let mark = if record.is_incomplete() { lang.pick("(不足あり)", " (incomplete)") } else { "" };
        let _ = writeln!(out, "{}: {value}{mark}", state.label(record));
    }
    out
}

/// What a field has, as a person reads it: its value, or why there is none.
pub(super) fn shown(state: &State, record: &Record) -> Option<String> {
    let lang = state.lang();
    match (record.value(), record.absence()) {
        (Some(value), _) => Some(show(state.field_of(record), value, lang)),
        (None, Some(absence)) => Some(absence.say(lang).to_owned()),
        (None, None) => None,
    }
}

/// Why an agent cannot go on, and what to do.
pub(super) fn stuck(lang: Lang, failure: &Failure) -> String {
    let what = match failure {
        Failure::RoundsExhausted { .. } => lang.pick(
            "アシスタントが次の質問を決められませんでした。",
            "The assistant could not settle on its next question.",
        ),
        Failure::Malformed { .. } => {
            lang.pick("アシスタントの返事が読み取れませんでした。", "The assistant's reply could not be read.")
        }
        Failure::Unanswered { .. } => {
            lang.pick("言語モデルから返事がありませんでした。", "The language model did not answer.")
        }
        Failure::BudgetExhausted { .. } => lang
            .pick("このインタビューの予算が足りません。", "The budget of this interview does not cover the next call."),
    };
    let next = match failure {
        Failure::BudgetExhausted { .. } => {
            lang.pick("予算を増やしてから、もう一度試してください。", "Raise the budget, then try again.")
        }
        Failure::RoundsExhausted { .. } | Failure::Malformed { .. } | Failure::Unanswered { .. } => {
            lang.pick("もう一度試してください。", "Try again.")
        }
    };
    let kept = lang.pick("これまでの回答は残っています。", "Your answers are kept.");
    lang.pick(format!("{what}{kept}{next}"), format!("{what} {kept} {next}"))
}

/// The delivery failed.
pub(super) fn undelivered(lang: Lang) -> String {
    lang.pick(
        "送信した内容を届けられませんでした。内容は残っています。もう一度送ってください。",
        "The submission could not be delivered. It is kept. Try the delivery again.",
    )
    .to_owned()
}

/// The respondent looks at the whole and has not yet said what is to be different.
pub(super) fn which_field(lang: Lang, missing: &[String]) -> String {
    if missing.is_empty() {
        return lang.pick("どの項目を直しますか。", "Which answer would you like to change?").to_owned();
    }
    still_missing(lang, missing)
}

/// Required fields have no answer.
pub(super) fn still_missing(lang: Lang, missing: &[String]) -> String {
    let missing = missing.join(lang.pick("、", ", "));
    lang.pick(
        format!("必須の項目がまだ残っています: {missing}。答えると送信できます。"),
        format!("Required fields are still open: {missing}. Answer them to submit."),
    )
}

/// A required field is left for later.
pub(super) fn set_aside(lang: Lang, label: &str) -> String {
    lang.pick(
        format!("「{label}」は後回しにしました。送信の前に答えてください。"),
        format!("\"{label}\" is left for later. It is needed before submitting."),
    )
}

/// The interview began.
pub(super) fn opened(lang: Lang, form: &Form) -> String {
    let (title, count) = (&form.title, form.fields.len());
    lang.pick(
        format!("「{title}」をはじめます。項目は{count}個です。"),
        match count {
            1 => format!("\"{title}\" begins. It has one field."),
            _ => format!("\"{title}\" begins. It has {count} fields."),
        },
    )
}

/// A review sent the answer back.
pub(super) fn still_lacking(lang: Lang, lacking: &[String]) -> String {
    let lacking = lacking.join(lang.pick("、", ", "));
    lang.pick(format!("まだわからないこと: {lacking}"), format!("Still to be known: {lacking}"))
}

/// A field is answered again.
pub(super) fn reopened(lang: Lang, label: &str, because_of: Option<&str>) -> String {
    match because_of {
        None => lang.pick(format!("「{label}」を直します。"), format!("The answer to \"{label}\" is being changed.")),
        Some(_) => lang.pick(
            format!("関係する答えが変わったので、「{label}」をもう一度うかがいます。"),
            format!("\"{label}\" is asked again, since an answer that it depends on has changed."),
        ),
    }
}

/// The respondent said yes.
pub(super) fn submitted(lang: Lang) -> String {
    lang.pick("送信しています。", "Being submitted.").to_owned()
}

/// The submission has arrived.
pub(super) fn delivered(lang: Lang) -> String {
    lang.pick("送信しました。ありがとうございました。", "Submitted. Thank you.").to_owned()
}

/// More may be spent.
pub(super) fn budget_raised(lang: Lang, budget: u64) -> String {
    lang.pick(format!("予算を{budget}トークンに増やしました。"), format!("The budget is now {budget} tokens."))
}

/// The respondent gave up.
pub(super) fn given_up(lang: Lang) -> String {
    lang.pick("取りやめました。", "Given up.").to_owned()
}

/// Nobody came back.
pub(super) fn gone_quiet(lang: Lang) -> String {
    lang.pick("長いあいだ回答がなかったので、終わりにしました。", "Closed, since nobody came back for a long time.")
        .to_owned()
}

/// What the sample form is for.
pub(super) fn sample(lang: Lang) -> String {
    lang.pick(
        "三つの項目でできた見本のフォーム。話すだけで埋まる様子を試せます。",
        "A sample form of three fields, to see how talking fills it in.",
    )
    .to_owned()
}
