//! Who is calling, and what they may see and do. Decided here and nowhere else.
//!
//! A request is let in by a browser's cookie or a program's token; `Authenticator` looks up whose it is. A handler names
//! its need in its signature, as `Allowed<ToRead>`; without one of these it gets no caller. A session is reached through
//! `Caller::session`, which finds its owner's alone, or through `Onlooker`, which finds it for whoever the session itself
//! lets in, with what they are in it: what one may not see does not exist.

mod address;
mod allowances;
mod audit;
mod authenticator;
mod caller;
mod common;
pub mod cookie;
mod hash_pool;
mod link;
mod need;
mod onlooker;
mod pass;
pub mod password;
mod proxies;
mod rate_limiter;
mod rules;
mod secret;

pub use address::{Address, Channel, RequestSource};
pub use allowances::AllowanceCache;
pub use audit::{AuditEvent, audit, line};
pub use authenticator::Authenticator;
pub use caller::{Allowed, AuthMethod, Caller};
pub use link::{LINK_LASTS, count_administrators, has_administrator, issue_link, link_address};
pub use need::{Need, ToKeep, ToRead, ToRun, ToVouch, ToWrite, Wants};
pub use onlooker::Onlooker;
pub use pass::is_pass_valid;
pub use proxies::{Network, NoNetwork, Proxies};
pub use rate_limiter::{Rate, RateLimiter};
pub use rules::{FileLimits, Limits, Registration, Rules};
pub use secret::Secret;
