//! Why a form says no, and what to do next, in both languages.
//!
//! What concerns a link is read by respondents, who know nothing of versions; the rest is read by the owner. Links,
//! rules and receivers say themselves what is wrong with them.

use enza_kernel::application::{Reason, ReasonKind};
use enza_kernel::limits::TextRefusal;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::{Lang, Said};

use super::LARGEST_DRAFT;
use super::link::{LinkFault, MOST_LINKS};
use super::rules::RuleFault;
use super::webhook::WebhookFault;
use crate::words::words;
use enza_interview::FormFault;

/// Why a command was not accepted.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Refusal {
    /// What a session of any kind may refuse.
    Common(CommonRefusal),
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
            Self::Common(refusal) => refusal.code(),
            Self::NotYours { .. } => "form-not-yours",
            Self::EditedMeanwhile { .. } => "form-edited-meanwhile",
            Self::TooLarge { .. } => "text-too-long",
            Self::Form(fault) => fault.code(),
            Self::Text(unfit) => unfit.code(),
            Self::Writing => "not-your-turn",
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
        match self {
            Self::Common(refusal) => refusal.say(lang),
            Self::Form(fault) => fault.say(lang),
            Self::Text(unfit) => unfit.say(lang),
            Self::Link(fault) => fault.say(lang),
            Self::Rules(fault) => fault.say(lang),
            Self::Webhook(fault) => fault.say(lang),
            Self::NotYours { who } => words(lang).said("refusal.not_yours", &[("who", &who)]),
            Self::EditedMeanwhile { edition } => words(lang).said("refusal.edited_meanwhile", &[("edition", &edition)]),
            Self::TooLarge { bytes } => {
                words(lang).said("refusal.too_large", &[("largest_draft", &LARGEST_DRAFT), ("bytes", &bytes)])
            }
            Self::Writing => words(lang).said("refusal.writing", &[]),
            Self::NothingToPublish { is_open: true } => words(lang).said("refusal.nothing_to_publish", &[]),
            Self::NothingToPublish { is_open: false } => words(lang).said("refusal.nothing_to_reopen", &[]),
            Self::Unpublished => words(lang).said("refusal.unpublished", &[]),
            Self::Closed => words(lang).said("refusal.closed", &[]),
            Self::Full => words(lang).said("refusal.full", &[]),
            Self::LinkUnknown => words(lang).said("refusal.link_unknown", &[]),
            Self::LinkRevoked => words(lang).said("refusal.link_revoked", &[]),
            Self::LinkUsed => words(lang).said("refusal.link_used", &[]),
            Self::LinksExhausted => words(lang).said("refusal.links_exhausted", &[("most_links", &MOST_LINKS)]),
            Self::UnknownField { field_id } => words(lang).said("refusal.unknown_field", &[("field_id", &field_id)]),
        }
    }

    fn kind(&self) -> ReasonKind {
        match self {
            Self::LinkUnknown => ReasonKind::Unknown,
            Self::Closed | Self::Full | Self::LinkRevoked | Self::LinkUsed => ReasonKind::Gone,
            Self::Common(_)
            | Self::NotYours { .. }
            | Self::EditedMeanwhile { .. }
            | Self::TooLarge { .. }
            | Self::Form(_)
            | Self::Text(_)
            | Self::Writing
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
