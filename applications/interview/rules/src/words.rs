//! What the interview itself says to a person, in both languages. What the agents say is theirs.

use std::fmt::Write as _;

use enza_kernel::agent::ThreadFailure;
use enza_kernel::gate::Points;
use enza_kernel::text::Lang;

use super::form::{Form, Group};
use super::phrase::{is_sentence, joined, listed, quoted, unpunctuated};
use super::state::{FieldRecord, State};
use super::values::{Absence, show};

/// The rounds are used up and the field has no value: what is lacking, and how it can go on.
pub(super) fn ask_for_help(lang: Lang, label: &str, required: bool, lacking: &[String]) -> String {
    let name = quoted(lang, label);
    let Lacking { facts, reasons } = Lacking::of(lacking).beside(label);
    let how = match (lang, required) {
        (Lang::Ja, true) => {
            "わかる範囲でそのまま答えるか、後回しにしてください。必須の項目なので、答えがないと送信できません。"
        }
        (Lang::Ja, false) => "わかる範囲でそのまま答えるか、この項目を飛ばしてください。",
        (Lang::En, true) => {
            "Please answer as far as you can, or leave it for later. The field is required; without an answer the form \
             cannot be submitted."
        }
        (Lang::En, false) => "Please answer as far as you can, or skip this field.",
    };
    let what = match (facts.is_empty(), reasons.is_empty()) {
        (false, true | false) => {
            let facts = listed(lang, facts);
            lang.pick(
                format!("{name}について、まだ次のことがわかりません: {facts}。"),
                format!("About {name}, this is still not known: {facts}."),
            )
        }
        (true, false) => {
            let reasons = joined(lang, reasons);
            lang.pick(format!("{name}の答えがまだ読み取れません。{reasons}"), {
                format!("The answer to {name} could not be read yet. {reasons}")
            })
        }
        (true, true) => {
            lang.pick(format!("{name}の答えがまだありません。"), format!("There is no answer to {name} yet."))
        }
    };
    joined(lang, [what.as_str(), how])
}

/// What a review found to be lacking: facts to be named in a sentence, and reasons that are sentences already.
struct Lacking<'a> {
    facts: Vec<&'a str>,
    reasons: Vec<&'a str>,
}

impl<'a> Lacking<'a> {
    /// Why there is no answer is neither: the respondent has just said it.
    fn of(lacking: &'a [String]) -> Self {
        let told = lacking.iter().map(String::as_str).filter(|text| !is_absence(text));
        let (reasons, facts) = told.partition(|text| is_sentence(text));
        Self { facts, reasons }
    }

    /// The same without the field's own name, which is said already.
    fn beside(mut self, label: &str) -> Self {
        let is_more = |text: &&str| unpunctuated(text) != unpunctuated(label);
        self.facts.retain(is_more);
        self.reasons.retain(is_more);
        self
    }
}

/// Whether a text says only that there is no answer: in our words, or by the word that older logs have for it.
fn is_absence(text: &str) -> bool {
    let is_unanswered = [Lang::Ja, Lang::En].iter().any(|lang| text == unanswered(*lang));
    is_unanswered || Absence::ALL.into_iter().any(|absence| is_word_of(text, absence))
}

fn is_word_of(text: &str, absence: Absence) -> bool {
    text == absence.word() || [Lang::Ja, Lang::En].iter().any(|lang| text == needed(*lang, absence))
}

/// Why a field that cannot be left empty is asked again.
pub(super) fn needed(lang: Lang, absence: Absence) -> &'static str {
    match absence {
        Absence::Skipped => lang.pick(
            "送信に必要な項目なので、飛ばせません。わかる範囲で答えるか、後で答えてください。",
            "It is needed to submit, so it cannot be left out. Please answer as far as you can, or leave it for later.",
        ),
        Absence::Declined => lang.pick(
            "送信に必要な項目です。差し支えない範囲で答えるか、後で答えてください。",
            "It is needed to submit. Please say as much as you are comfortable with, or leave it for later.",
        ),
        Absence::Unknown => lang.pick(
            "送信に必要な項目です。おおよそでかまいません。後で答えることもできます。",
            "It is needed to submit. A rough answer will do, or leave it for later.",
        ),
        Absence::NotApplicable => lang.pick(
            "送信に必要な項目です。いちばん近い答えを選ぶか、後で答えてください。",
            "It is needed to submit. Please give the nearest answer there is, or leave it for later.",
        ),
    }
}

/// The same, asked for by name.
pub(super) fn needed_again(lang: Lang, label: &str, absence: Absence) -> String {
    let name = quoted(lang, label);
    match absence {
        Absence::Skipped => lang.pick(
            format!("{name}は送信に必要なので、飛ばせません。わかる範囲で教えてください。後で答えることもできます。"),
            format!("{name} is needed to submit, so it cannot be left out. Please answer as far as you can, or leave it for later."),
        ),
        Absence::Declined => lang.pick(
            format!("{name}は送信に必要です。差し支えない範囲で教えてください。後で答えることもできます。"),
            format!("{name} is needed to submit. Please say as much as you are comfortable with, or leave it for later."),
        ),
        Absence::Unknown => lang.pick(
            format!("{name}は送信に必要です。おおよそでかまわないので、教えてください。後で答えることもできます。"),
            format!("{name} is needed to submit. A rough answer will do, or leave it for later."),
        ),
        Absence::NotApplicable => lang.pick(
            format!("{name}は送信に必要です。いちばん近い答えを教えてください。後で答えることもできます。"),
            format!("{name} is needed to submit. Please give the nearest answer there is, or leave it for later."),
        ),
    }
}

/// A message was no answer, and nobody has said what is lacking.
pub(super) fn unanswered(lang: Lang) -> &'static str {
    lang.pick("まだ答えがありません。", "There is no answer yet.")
}

/// Whether a group has another item.
pub(super) fn one_more(lang: Lang, group: &Group, after: u32) -> String {
    let item = &group.item;
    match after {
        0 => lang.pick(format!("追加する{item}はありますか"), format!("Is there any {item} to add?")),
        _ => lang.pick(format!("ほかに追加する{item}はありますか"), format!("Is there another {item} to add?")),
    }
}

/// The question before a submission.
pub(super) fn submission(state: &State) -> Points {
    let lang = state.lang();
    let title = quoted(lang, &state.form.title);
    Points {
        intent: lang.pick(format!("{title}を送信する"), format!("Submit {title}")),
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
        let _ = writeln!(out, "{}: {value}{mark}", unpunctuated(&state.label(record)));
    }
    out
}

/// What a field has, as a person reads it: its value, or why there is none.
pub(super) fn shown(state: &State, record: &FieldRecord) -> Option<String> {
    let lang = state.lang();
    match (record.value(), record.absence()) {
        (Some(value), _) => Some(show(state.field_of(record), value, lang)),
        (None, Some(absence)) => Some(absence.say(lang).to_owned()),
        (None, None) => None,
    }
}

/// Why an agent cannot go on, and what to do.
pub(super) fn stuck(lang: Lang, failure: &ThreadFailure) -> String {
    let what = match failure {
        ThreadFailure::RoundsExhausted { .. } => lang.pick(
            "アシスタントが次の質問を決められませんでした。",
            "The assistant could not settle on its next question.",
        ),
        ThreadFailure::Malformed { .. } => {
            lang.pick("アシスタントの返事が読み取れませんでした。", "The assistant's reply could not be read.")
        }
        ThreadFailure::Unanswered { .. } => {
            lang.pick("言語モデルから返事がありませんでした。", "The language model did not answer.")
        }
        ThreadFailure::BudgetExhausted { .. } => lang
            .pick("このインタビューの予算が足りません。", "The budget of this interview does not cover the next call."),
    };
    let next = match failure {
        ThreadFailure::BudgetExhausted { .. } => {
            lang.pick("予算を増やしてから、もう一度試してください。", "Raise the budget, then try again.")
        }
        ThreadFailure::RoundsExhausted { .. } | ThreadFailure::Malformed { .. } | ThreadFailure::Unanswered { .. } => {
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
    let missing = listed(lang, missing.iter().map(String::as_str));
    lang.pick(
        format!("必須の項目がまだ残っています: {missing}。答えると送信できます。"),
        format!("Required fields are still open: {missing}. Answer them to submit."),
    )
}

/// A required field is left for later.
pub(super) fn set_aside(lang: Lang, label: &str) -> String {
    let label = quoted(lang, label);
    lang.pick(
        format!("{label}は後回しにしました。送信の前に答えてください。"),
        format!("{label} is left for later. It is needed before submitting."),
    )
}

/// The interview began.
pub(super) fn opened(lang: Lang, form: &Form) -> String {
    let title = quoted(lang, &form.title);
    // What is never asked is nothing to announce.
    let count = form.fields.iter().filter(|field| !field.hidden).count();
    lang.pick(
        format!("{title}をはじめます。項目は{count}個です。"),
        match count {
            1 => format!("{title} begins. It has one field."),
            _ => format!("{title} begins. It has {count} fields."),
        },
    )
}

/// A review sent the answer back: which facts are not known. Reasons are left to the question that follows, and whoever
/// has said that they do not know is not told so.
pub(super) fn still_lacking(lang: Lang, lacking: &[String]) -> Option<String> {
    let Lacking { facts, .. } = Lacking::of(lacking);
    let facts = Some(listed(lang, facts)).filter(|facts| !facts.is_empty())?;
    Some(lang.pick(format!("まだわからないこと: {facts}"), format!("Still to be known: {facts}")))
}

/// What is lacking of an answer, whole, for where no question follows.
pub(super) fn lacking(lang: Lang, lacking: &[String]) -> Option<String> {
    let says = |absence: &Absence| lacking.iter().any(|text| is_word_of(text, *absence));
    if let Some(absence) = Absence::ALL.into_iter().find(says) {
        return Some(needed(lang, absence).to_owned());
    }
    let (reasons, facts): (Vec<&str>, Vec<&str>) =
        lacking.iter().map(String::as_str).partition(|text| is_sentence(text));
    let facts = Some(listed(lang, facts)).filter(|facts| !facts.is_empty());
    let facts =
        facts.map(|facts| lang.pick(format!("まだわからないこと: {facts}。"), format!("Still to be known: {facts}.")));
    let said = joined(lang, facts.as_deref().into_iter().chain(reasons));
    (!said.is_empty()).then_some(said)
}

/// A field is answered again.
pub(super) fn reopened(lang: Lang, label: &str, because_of: Option<&str>) -> String {
    let label = quoted(lang, label);
    match because_of {
        None => lang.pick(format!("{label}を直します。"), format!("The answer to {label} is being changed.")),
        Some(_) => lang.pick(
            format!("関係する答えが変わったので、{label}をもう一度うかがいます。"),
            format!("{label} is asked again, since an answer that it depends on has changed."),
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
