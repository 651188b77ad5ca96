//! Who is calling, and what they may see and do. Decided here and nowhere else.
//!
//! A request is let in by a browser's cookie or a program's token; `Doorkeeper` looks up whose it is. A handler names
//! its need in its signature, as `Allowed<ToRead>`; without one of these it gets no caller. A session is only reached
//! through `Caller::session`, which finds none where it is someone else's: what one may not see does not exist.

mod address;
mod allowances;
mod caller;
mod common;
pub mod cookie;
mod door;
mod folders;
mod hashing;
mod journal;
mod link;
mod need;
mod pass;
pub mod password;
mod proxies;
mod rules;
mod secret;
mod tries;

pub use address::{Address, Arrival, Channel};
pub use allowances::HouseAllowances;
pub use caller::{Allowed, Caller, Way};
pub use door::Doorkeeper;
pub use folders::{to_begin_in_folders, to_go_on_in_folders};
pub use journal::{Act, line, note};
pub use link::{LINK_LASTS, count_administrators, has_administrator, issue_link, link_address};
pub use need::{Need, ToKeep, ToRead, ToRun, ToVouch, ToWrite, Wants};
pub use pass::counts;
pub use proxies::{Network, NoNetwork, Proxies};
pub use rules::{FileLimits, Limits, Registration, Rules};
pub use secret::Secret;
pub use tries::Tries;
