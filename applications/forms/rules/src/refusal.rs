//! Why a form says no, and what to do next, in both languages.
//!
//! What concerns a link is read by respondents, who know nothing of versions; the rest is read by the owner. Links,
//! rules and receivers say themselves what is wrong with them.

use enza_kernel::application::{Reason, ReasonKind};
use enza_kernel::limits::TextRefusal;
use enza_kernel::text::{Lang, Said};

use super::LARGEST_DRAFT;
use super::link::{LinkFault, MOST_LINKS};
use super::rules::RuleFault;
use super::webhook::WebhookFault;
use enza_interview::FormFault;

/// Why a command was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// The form has not begun.
    NotBegun,
    AlreadyBegun,
    /// Only a person can ask for this.
    NotAPerson,
    /// Only the owner can.
    NotYours {
        who: String,
    },
    /// The draft was replaced by someone else, or in another window.
    EditedMeanwhile {
        /// The edition that it has now.
        edition: u64,
    },
    /// The draft is larger than a form may be.
    TooLarge {
        bytes: usize,
    },
    /// The draft cannot be asked.
    Form(FormFault),
    Text(TextRefusal),
    /// The architect is writing.
    Writing,
    /// Nothing has failed.
    NothingToRetry,
    /// The draft says what the newest version says.
    NothingToPublish {
        /// Whether that version takes answers.
        is_open: bool,
    },
    /// No version was published.
    Unpublished,
    /// No answers are taken.
    Closed,
    /// There are as many answers as there may be.
    Full,
    LinkUnknown,
    /// The link was withdrawn.
    LinkRevoked,
    /// The link counted once, and somebody used it.
    LinkUsed,
    /// The link cannot be made.
    Link(LinkFault),
    /// There are as many links as there may be.
    LinksExhausted,
    /// Neither the draft nor the newest version has such a field.
    UnknownField {
        field_id: String,
    },
    Rules(RuleFault),
    /// The receiver does not do.
    Webhook(WebhookFault),
}

impl Reason for Refusal {
    fn code(&self) -> &'static str {
        match self {
            Self::NotBegun => "form-not-begun",
            Self::AlreadyBegun => "form-already-begun",
            Self::NotAPerson => "needs-a-person",
            Self::NotYours { .. } => "form-not-yours",
            Self::EditedMeanwhile { .. } => "form-edited-meanwhile",
            Self::TooLarge { .. } => "text-too-long",
            Self::Form(fault) => fault.code(),
            Self::Text(unfit) => unfit.code(),
            Self::Writing => "not-your-turn",
            Self::NothingToRetry => "nothing-to-retry",
            Self::NothingToPublish { .. } => "nothing-to-publish",
            Self::Unpublished => "form-unpublished",
            Self::Closed => "form-closed",
            Self::Full => "form-full",
            Self::LinkUnknown => "link-unknown",
            Self::LinkRevoked => "link-revoked",
            Self::LinkUsed => "link-used",
            Self::Link(_) => "link-unfit",
            Self::LinksExhausted => "links-exhausted",
            Self::UnknownField { .. } => "field-unknown",
            Self::Rules(_) => "rules-unfit",
            Self::Webhook(_) => "webhook-unfit",
        }
    }

    fn say(&self, lang: Lang) -> Said {
        let said = |ja: (&str, &str), en: (&str, &str)| {
            let (message, hint) = lang.pick(ja, en);
            Said::new(message, hint)
        };
        match self {
            Self::Form(fault) => fault.say(lang),
            Self::Text(unfit) => unfit.say(lang),
            Self::Link(fault) => fault.say(lang),
            Self::Rules(fault) => fault.say(lang),
            Self::Webhook(fault) => fault.say(lang),
            Self::NotBegun => said(
                ("このフォームはまだ作られていません。", "新しいフォームを作ってください。"),
                ("This form has not begun.", "Begin a new one."),
            ),
            Self::AlreadyBegun => said(
                ("このフォームはもう作られています。", "そのまま編集するか、別のフォームを作ってください。"),
                ("This form has already begun.", "Go on with it, or begin another."),
            ),
            Self::NotAPerson => said(
                ("これができるのは人だけです。", "作成者の操作を待ってください。"),
                ("Only a person can do this.", "Wait for the owner."),
            ),
            Self::NotYours { who } => Said::new(
                lang.pick(
                    format!("{who}さんはこのフォームの作成者ではありません。"),
                    format!("{who} is not the owner of this form."),
                ),
                lang.pick(
                    "作成者に頼むか、自分のフォームを作ってください。",
                    "Ask the owner, or begin a form of your own.",
                ),
            ),
            Self::EditedMeanwhile { edition } => Said::new(
                lang.pick(
                    format!("その間にフォームが編集されました(現在は第{edition}稿)。変更は保存されていません。"),
                    format!("The form was edited meanwhile (it is at edition {edition}). Your change was not saved."),
                ),
                lang.pick(
                    "開き直して、今の内容に変更を加えてください。",
                    "Open it again, and make your change to what is there now.",
                ),
            ),
            Self::TooLarge { bytes } => Said::new(
                lang.pick(
                    format!("フォームは{LARGEST_DRAFT}バイトまでですが、{bytes}バイトあります。"),
                    format!("The form has {bytes} bytes; {LARGEST_DRAFT} are allowed."),
                ),
                lang.pick("文章を短くするか、項目を減らしてください。", "Shorten its texts, or leave out fields."),
            ),
            Self::Writing => said(
                ("いま下書きを作っています。", "できあがるまで待つか、自分で編集してください。"),
                ("A draft is being written.", "Wait until it is there, or edit the form yourself."),
            ),
            Self::NothingToRetry => {
                said(("やり直すものはありません。", "そのまま続けてください。"), ("Nothing has failed.", "Just go on."))
            }
            Self::NothingToPublish { is_open: true } => said(
                ("公開中の版から変わっていません。", "変更してから公開してください。"),
                ("Nothing has changed since the last version.", "Publish again after a change."),
            ),
            Self::NothingToPublish { is_open: false } => said(
                ("前に公開した版から変わっていません。", "もう一度受け付けるには、再開してください。"),
                ("Nothing has changed since the last version.", "To take answers again, reopen the form."),
            ),
            Self::Unpublished => said(
                ("このフォームはまだ公開されていません。", "公開されるまで待つか、作成者であれば公開してください。"),
                ("This form is not published yet.", "Wait until it is, or publish it if it is yours."),
            ),
            Self::Closed => said(
                ("このフォームは受け付けを終えました。", "回答が必要なときは、フォームの作成者に連絡してください。"),
                ("This form takes no more answers.", "If yours is needed, ask whoever sent you the link."),
            ),
            Self::Full => said(
                (
                    "このフォームは回答数の上限に達しました。",
                    "回答が必要なときは、フォームの作成者に連絡してください。",
                ),
                ("This form has as many answers as it may have.", "If yours is needed, ask whoever sent you the link."),
            ),
            Self::LinkUnknown => said(
                ("このリンクのフォームは見つかりません。", "リンクが途中で切れていないか確かめてください。"),
                ("There is no form behind this link.", "Make sure that you have the whole of it."),
            ),
            Self::LinkRevoked => said(
                ("このリンクは取り消されました。", "新しいリンクを送ってもらってください。"),
                ("This link was withdrawn.", "Ask for a new one."),
            ),
            Self::LinkUsed => said(
                ("このリンクはもう使われています。使えるのは一度だけです。", "新しいリンクを送ってもらってください。"),
                ("This link has been used; it counts once.", "Ask for a new one."),
            ),
            Self::LinksExhausted => Said::new(
                lang.pick(
                    format!("リンクは{MOST_LINKS}個までです。"),
                    format!("A form has at most {MOST_LINKS} links."),
                ),
                lang.pick("使わないリンクを取り消してください。", "Withdraw links that are not needed."),
            ),
            Self::UnknownField { field_id } => Said::new(
                lang.pick(
                    format!("「{field_id}」という項目はありません。"),
                    format!("The form has no field \"{field_id}\"."),
                ),
                lang.pick("フォームの項目から選んでください。", "Choose one of the form's fields."),
            ),
        }
    }

    fn kind(&self) -> ReasonKind {
        match self {
            Self::LinkUnknown => ReasonKind::Unknown,
            Self::Closed | Self::Full | Self::LinkRevoked | Self::LinkUsed => ReasonKind::Gone,
            Self::NotBegun
            | Self::AlreadyBegun
            | Self::NotAPerson
            | Self::NotYours { .. }
            | Self::EditedMeanwhile { .. }
            | Self::TooLarge { .. }
            | Self::Form(_)
            | Self::Text(_)
            | Self::Writing
            | Self::NothingToRetry
            | Self::NothingToPublish { .. }
            | Self::Unpublished
            | Self::Link(_)
            | Self::LinksExhausted
            | Self::UnknownField { .. }
            | Self::Rules(_)
            | Self::Webhook(_) => ReasonKind::AsThingsStand,
        }
    }
}
