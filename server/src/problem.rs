//! Everything that can go wrong with a request, and the one place where it becomes a status, a code and words.
//!
//! A handler returns a `Problem`; it travels as an extension of the response until `middleware` knows the reader's language
//! and whether a page or a program asked. The cause of a failure goes to the log and never to a client. Every code has
//! a page in `docs/errors/`.

use axum::http::{HeaderValue, StatusCode};
use axum::response::{IntoResponse, Response};
use enza_kernel::application::{Reason as _, ReasonKind};
use enza_kernel::limits::TextRefusal;
use enza_kernel::refusal::CommonRefusal;
use enza_kernel::text::{Lang, Said};
use enza_runtime::engine::Declined;
use enza_runtime::host::Refused;
use enza_runtime::seams::store::{Failure, SessionId};
use serde_json::{Value, json};

use crate::access::Need;
use crate::prepare::Unfit;
use crate::words::Words;

/// What went wrong.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Problem {
    /// Nobody is signed in.
    NotSignedIn,
    /// Someone is, but may not do this.
    NotAllowed(Need),
    /// The page that sent this is not one of ours.
    ForeignOrigin,
    /// The request was meant for a host of another name.
    ForeignHost,
    /// There is nothing at this address, or nothing that this person may see.
    NothingHere,
    /// The address is right, the method is not.
    NotThatWay,
    NoApplication,
    /// The address is that of a WebSocket, and the request asks for none.
    NotASocket,
    /// There is no such session, or it is someone else's.
    NoSession,
    /// There is no such event in the session.
    NoSuchEvent,
    NoPerson,
    /// The body is not what it says it is.
    BodyMalformed(String),
    /// There is the character U+0000 in what was sent.
    NullCharacter,
    /// The body, or a part of the address, is well formed and still does not do.
    BodyUnfit(String),
    /// A form was sent before the page was there completely: its end is missing.
    HalfAPage,
    BodyTooLarge,
    /// The body did not come to its end in time.
    Unfinished,
    /// The body is of a kind that nobody reads here.
    WrongKind,
    Text(TextRefusal),
    /// The engine or the application said no.
    Refused(Refused),
    /// The idempotency key was used for another request.
    KeyReused,
    /// A request with this key is under way.
    UnderWay,
    /// Others were faster every time.
    Contended,
    /// A session of that name exists.
    SessionExists,
    /// A session with forks stays.
    HasForks(Vec<SessionId>),
    /// A session stays that so many others belong to.
    HasFamily(u64),
    /// The name and the password do not go together.
    WrongPassword,
    /// The password is right, and the person is kept out.
    Blocked,
    NameTaken,
    /// A name that cannot be used.
    NameUnfit,
    /// A password that cannot be used.
    PasswordUnfit,
    /// A password that everybody guesses first.
    PasswordCommon,
    /// Nobody may register here.
    RegistrationClosed,
    /// A link or an invitation that does not count, or no longer.
    LinkSpent,
    /// The last administrator stays.
    LastAdmin,
    /// Too many attempts.
    TooMany {
        /// Seconds until the next.
        after: u64,
    },
    /// More came at once than can be done at once.
    Busy,
    /// It took too long.
    TooSlow,
    /// There is no such model, or it cannot be used.
    Model(Said),
    /// Something that only the part of an application knows.
    OfPart(PartProblem),
    /// The store failed.
    Store(Failure),
    /// Our own fault.
    Bug,
}

/// What went wrong in a way that only the part of an application knows.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct PartProblem {
    /// The outward code; it has a page in `docs/errors/`.
    pub code: &'static str,
    pub status: StatusCode,
    /// What happened and what to do next; none where the part's words have it, under the code.
    pub said: Option<Said>,
}

impl Problem {
    /// The outward code; it has a page in `docs/errors/`.
    pub fn code(&self) -> &'static str {
        match self {
            Self::NotSignedIn => "not-signed-in",
            Self::NotAllowed(_) => "not-allowed",
            Self::ForeignOrigin => "foreign-origin",
            Self::ForeignHost => "foreign-host",
            Self::NothingHere => "nothing-here",
            Self::NotThatWay => "method-wrong",
            Self::NoApplication => "application-unknown",
            Self::NotASocket => "upgrade-required",
            Self::NoSession => "session-unknown",
            Self::NoSuchEvent => "event-unknown",
            Self::NoPerson => "person-unknown",
            Self::BodyMalformed(_) => "body-malformed",
            Self::NullCharacter => "null-character",
            Self::BodyUnfit(_) => "body-unfit",
            Self::HalfAPage => "half-a-page",
            Self::BodyTooLarge => "body-too-large",
            Self::Unfinished => "request-unfinished",
            Self::WrongKind => "body-of-another-kind",
            Self::Text(unfit) => unfit.code(),
            Self::Refused(refused) => refused.code,
            Self::KeyReused => "key-reused",
            Self::UnderWay => "request-under-way",
            Self::Contended => "session-contended",
            Self::SessionExists => "session-exists",
            Self::HasForks(_) => "session-has-forks",
            Self::HasFamily(_) => "session-has-family",
            Self::WrongPassword => "password-wrong",
            Self::Blocked => "account-blocked",
            Self::NameTaken => "name-taken",
            Self::NameUnfit => "name-unfit",
            Self::PasswordUnfit => "password-unfit",
            Self::PasswordCommon => "password-common",
            Self::RegistrationClosed => "registration-closed",
            Self::LinkSpent => "link-spent",
            Self::LastAdmin => "last-administrator",
            Self::TooMany { .. } => "too-many-requests",
            Self::Busy => "server-busy",
            Self::TooSlow => "request-too-slow",
            Self::Model(_) => "model-unknown",
            Self::OfPart(problem) => problem.code,
            Self::Store(failure) => failure.code(),
            Self::Bug => "internal-error",
        }
    }

    /// The HTTP status.
    pub fn status(&self) -> StatusCode {
        match self {
            Self::NotSignedIn | Self::WrongPassword => StatusCode::UNAUTHORIZED,
            Self::NotAllowed(_)
            | Self::ForeignOrigin
            | Self::ForeignHost
            | Self::Blocked
            | Self::RegistrationClosed => StatusCode::FORBIDDEN,
            Self::NothingHere | Self::NoSession | Self::NoSuchEvent | Self::NoPerson => StatusCode::NOT_FOUND,
            Self::NotASocket => StatusCode::UPGRADE_REQUIRED,
            Self::NotThatWay => StatusCode::METHOD_NOT_ALLOWED,
            Self::BodyMalformed(_) | Self::NullCharacter => StatusCode::BAD_REQUEST,
            Self::BodyUnfit(_)
            | Self::HalfAPage
            | Self::Text(_)
            | Self::NoApplication
            | Self::KeyReused
            | Self::NameUnfit
            | Self::PasswordUnfit
            | Self::PasswordCommon
            | Self::Model(_) => StatusCode::UNPROCESSABLE_ENTITY,
            Self::BodyTooLarge => StatusCode::PAYLOAD_TOO_LARGE,
            Self::Unfinished => StatusCode::REQUEST_TIMEOUT,
            Self::WrongKind => StatusCode::UNSUPPORTED_MEDIA_TYPE,
            Self::OfPart(problem) => problem.status,
            Self::Refused(refused) => match refused.kind {
                ReasonKind::AsThingsStand => StatusCode::CONFLICT,
                ReasonKind::Unknown => StatusCode::NOT_FOUND,
                ReasonKind::Gone => StatusCode::GONE,
            },
            Self::UnderWay
            | Self::SessionExists
            | Self::HasForks(_)
            | Self::HasFamily(_)
            | Self::NameTaken
            | Self::LastAdmin => StatusCode::CONFLICT,
            Self::LinkSpent => StatusCode::GONE,
            Self::TooMany { .. } => StatusCode::TOO_MANY_REQUESTS,
            Self::Contended | Self::Busy | Self::TooSlow => StatusCode::SERVICE_UNAVAILABLE,
            Self::Store(failure) => match failure {
                Failure::Unreachable(_) => StatusCode::SERVICE_UNAVAILABLE,
                Failure::Full(_) => StatusCode::INSUFFICIENT_STORAGE,
                Failure::ReadOnly(_)
                | Failure::Damaged(_)
                | Failure::LogDamaged(_)
                | Failure::Missing(_)
                | Failure::EventDamaged { .. }
                | Failure::Newer { .. }
                | Failure::Unreadable(_)
                | Failure::Other(_) => StatusCode::INTERNAL_SERVER_ERROR,
            },
            Self::Bug => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }

    /// What happened and what to do next.
    pub fn say(&self, lang: Lang) -> Said {
        let words = Words(lang);
        let plain = || Said::new(words.of("problem", self.code()), words.of("problem-hint", self.code()));
        match self {
            Self::Text(unfit) => unfit.say(lang),
            Self::Refused(refused) => refused.say(lang).clone(),
            Self::Model(said) | Self::OfPart(PartProblem { said: Some(said), .. }) => said.clone(),
            Self::BodyMalformed(why) | Self::BodyUnfit(why) => {
                Said::new(format!("{} ({why})", words.of("problem", self.code())), plain().hint)
            }
            Self::HasForks(forks) => {
                let names: Vec<_> = forks.iter().map(SessionId::as_str).collect();
                Said::new(format!("{} ({})", words.of("problem", self.code()), names.join(", ")), plain().hint)
            }
            Self::HasFamily(count) => {
                Said::new(format!("{} ({count})", words.of("problem", self.code())), plain().hint)
            }
            Self::NotSignedIn
            | Self::NotAllowed(_)
            | Self::ForeignOrigin
            | Self::ForeignHost
            | Self::NothingHere
            | Self::NotThatWay
            | Self::NoApplication
            | Self::NotASocket
            | Self::NoSession
            | Self::NoSuchEvent
            | Self::NoPerson
            | Self::NullCharacter
            | Self::HalfAPage
            | Self::BodyTooLarge
            | Self::Unfinished
            | Self::WrongKind
            | Self::KeyReused
            | Self::UnderWay
            | Self::Contended
            | Self::SessionExists
            | Self::WrongPassword
            | Self::Blocked
            | Self::NameTaken
            | Self::NameUnfit
            | Self::PasswordUnfit
            | Self::PasswordCommon
            | Self::RegistrationClosed
            | Self::LinkSpent
            | Self::LastAdmin
            | Self::TooMany { .. }
            | Self::Busy
            | Self::TooSlow
            | Self::OfPart(PartProblem { said: None, .. })
            | Self::Store(_)
            | Self::Bug => plain(),
        }
    }

    /// As programs read it.
    pub fn json(&self, lang: Lang) -> Value {
        let Said { message, hint } = self.say(lang);
        json!({ "error": { "code": self.code(), "message": message, "hint": hint } })
    }

    /// Seconds after which the same request may go through, where that is worth saying.
    pub fn retry_after(&self) -> Option<u64> {
        match self {
            Self::TooMany { after } => Some(*after),
            Self::Contended | Self::UnderWay | Self::Busy | Self::TooSlow => Some(1),
            Self::Store(failure) if failure.may_retry() => Some(5),
            _ => None,
        }
    }
}

impl IntoResponse for Problem {
    fn into_response(self) -> Response {
        if let Self::Store(failure) = &self {
            tracing::error!(%failure, "the store failed");
        }
        let mut response = self.status().into_response();
        if let Some(after) = self.retry_after() {
            response.headers_mut().insert("retry-after", HeaderValue::from(after));
        }
        if self == Self::NotASocket {
            response.headers_mut().insert("upgrade", HeaderValue::from_static("websocket"));
        }
        if self == Self::NotSignedIn {
            response.headers_mut().insert("www-authenticate", HeaderValue::from_static("Bearer"));
        }
        response.extensions_mut().insert(self);
        response
    }
}

impl From<Failure> for Problem {
    fn from(failure: Failure) -> Self {
        Self::Store(failure)
    }
}

impl From<CommonRefusal> for Problem {
    fn from(refusal: CommonRefusal) -> Self {
        Self::Refused(Refused::from_reason(&refusal))
    }
}

impl From<Unfit> for Problem {
    fn from(unfit: Unfit) -> Self {
        match unfit {
            Unfit::Command(why) => Self::BodyUnfit(why),
            Unfit::Machine { code, said } => {
                Self::OfPart(PartProblem { code, status: StatusCode::UNPROCESSABLE_ENTITY, said: Some(said) })
            }
        }
    }
}

impl From<Declined> for Problem {
    fn from(declined: Declined) -> Self {
        match declined {
            Declined::UnknownSession(_) => Self::NoSession,
            Declined::UnknownApplication(_) => Self::NoApplication,
            Declined::NameTaken(_) => Self::SessionExists,
            Declined::Malformed(why) => Self::BodyUnfit(why),
            Declined::TooLarge { .. } => Self::BodyTooLarge,
            Declined::Refused(refused) => Self::Refused(refused),
            Declined::Contended => Self::Contended,
            Declined::Failed(failure) => Self::Store(failure),
        }
    }
}
