//! What a form itself says to a person, in both languages. What the architect writes is its own.

use enza_kernel::agent::ThreadFailure;
use enza_kernel::text::Lang;

use super::event::{Card, CloseReason, Going};
use super::link::LinkKind;
use enza_interview::{Form, unpunctuated};

/// Where a form stands that owes nothing.
pub(super) fn standing(lang: Lang, card: &Card) -> String {
    match (card.version, card.is_open) {
        (0, _) => unpublished(lang),
        (_, true) => lang.pick("回答を受け付けています。", "Takes answers.").to_owned(),
        (_, false) => lang.pick("受け付けを終えています。", "Closed.").to_owned(),
    }
}

/// What a draft waits for.
pub(super) fn unpublished(lang: Lang) -> String {
    lang.pick("まだ公開されていません。", "Not published yet.").to_owned()
}

/// Why the architect cannot go on, and what to do.
pub(super) fn stuck(lang: Lang, failure: &ThreadFailure) -> String {
    let what = match failure {
        ThreadFailure::RoundsExhausted { .. } => {
            lang.pick("使えるフォームを書けませんでした。", "The architect could not write a form that can be used.")
        }
        ThreadFailure::Malformed { .. } => {
            lang.pick("設計役の返事が読み取れませんでした。", "The architect's reply could not be read.")
        }
        ThreadFailure::Unanswered { .. } => {
            lang.pick("言語モデルから返事がありませんでした。", "The language model did not answer.")
        }
        ThreadFailure::BudgetExhausted { .. } => {
            lang.pick("予算が足りません。", "The budget does not cover the next call.")
        }
    };
    let next = lang.pick(
        "下書きは元のままです。もう一度試すか、言い方を変えるか、自分で編集してください。",
        "The draft is as it was. Try again, put it in other words, or edit the form yourself.",
    );
    lang.pick(format!("{what}{next}"), format!("{what} {next}"))
}

/// The form began.
pub(super) fn begun(lang: Lang, title: &str) -> String {
    match title {
        "" => lang.pick("フォームを作り始めました。", "A form was begun.").to_owned(),
        _ => lang.pick(format!("フォーム「{title}」を作り始めました。"), format!("The form \"{title}\" was begun.")),
    }
}

/// The owner replaced the draft.
pub(super) fn edited(lang: Lang, card: &Card) -> String {
    let edition = card.edition;
    lang.pick(format!("編集しました(第{edition}稿)。"), format!("Edited: edition {edition}."))
}

/// The architect wrote a draft.
pub(super) fn written(lang: Lang, form: &Form, card: &Card) -> String {
    let (title, edition) = (&card.title, card.edition);
    let labels: Vec<&str> = form.fields.iter().map(|field| unpunctuated(&field.label)).collect();
    let labels = labels.join(lang.pick("、", ", "));
    lang.pick(
        format!("「{title}」の下書きを書きました(第{edition}稿)。項目: {labels}。"),
        format!("A draft of \"{title}\" is written: edition {edition}. Its fields: {labels}."),
    )
}

/// A version was frozen.
pub(super) fn published(lang: Lang, card: &Card) -> String {
    let version = card.version;
    lang.pick(
        format!("第{version}版を公開しました。回答を受け付けています。"),
        format!("Version {version} is published and takes answers."),
    )
}

/// No more answers are taken.
pub(super) fn closed(lang: Lang, why: CloseReason) -> String {
    match why {
        CloseReason::Owner => lang.pick("受け付けを終えました。", "Closed: no more answers are taken."),
        CloseReason::Date => {
            lang.pick("締め切りになったので、受け付けを終えました。", "Closed, since the close date has come.")
        }
    }
    .to_owned()
}

/// Answers are taken again.
pub(super) fn reopened(lang: Lang) -> String {
    lang.pick("受け付けを再開しました。", "Open again: answers are taken.").to_owned()
}

/// The rules are others now.
pub(super) fn rules_set(lang: Lang) -> String {
    lang.pick("受け付けの条件を変えました。", "The rules were changed.").to_owned()
}

/// Submissions are sent on to this host, or to nobody.
pub(super) fn webhook_set(lang: Lang, host: Option<&str>) -> String {
    match host {
        Some(host) => lang.pick(
            format!("これから回答を {host} に送ります。"),
            format!("From now on submissions are sent on to {host}."),
        ),
        None => lang.pick("回答をほかに送るのをやめました。", "Submissions are no longer sent on.").to_owned(),
    }
}

/// A way in was made.
pub(super) fn link_made(lang: Lang, kind: LinkKind, note: &str) -> String {
    let what = match kind {
        LinkKind::Public => lang.pick("公開リンクを作りました", "A public link was made"),
        LinkKind::Single => lang.pick("一回限りのリンクを作りました", "A link for one answer was made"),
    };
    with_note(lang, what, note)
}

/// A way in was withdrawn.
pub(super) fn link_revoked(lang: Lang, note: &str) -> String {
    with_note(lang, lang.pick("リンクを取り消しました", "A link was withdrawn"), note)
}

/// A submission arrived.
pub(super) fn received(lang: Lang, count: u64) -> String {
    lang.pick(format!("回答が届きました({count}件目)。"), format!("Answer number {count} arrived."))
}

/// Copies that the owner had made of an interview went with it; the owner's own deletions say nothing.
pub(super) fn copies_gone(lang: Lang, copies: u64, why: Going) -> Option<String> {
    match why {
        Going::Owner => None,
        Going::Respondent => Some(lang.pick(
            format!("回答者が自分の回答を削除しました。そこから作られた写し({copies}件)も削除されました。"),
            format!("A respondent deleted their interview. Copies made of it were deleted, too: {copies}."),
        )),
        Going::Days => Some(lang.pick(
            format!("保存の日数を過ぎた回答と、その写し({copies}件)を削除しました。"),
            format!("An interview past its days was deleted, and with it the copies made of it: {copies}."),
        )),
    }
}

fn with_note(lang: Lang, what: &str, note: &str) -> String {
    match note {
        "" => lang.pick(format!("{what}。"), format!("{what}.")),
        _ => lang.pick(format!("{what}({})。", unpunctuated(note)), format!("{what}: {}.", unpunctuated(note))),
    }
}
