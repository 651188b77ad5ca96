//! Who is calling, and what they may see and do. Decided here and nowhere else.
//!
//! A request is let in by a browser's cookie or a program's token; `Doorkeeper` looks up whose it is. A handler names
//! its need in its signature, as `Allowed<ToRead>`; without one of these it gets no caller. A session is only reached
//! through `Caller::session`, which finds none where it is someone else's: what one may not see does not exist.

mod caller;
mod door;
mod need;
mod secret;

pub use caller::{Allowed, Caller, Way};
pub use door::Doorkeeper;
pub use need::{Need, ToKeep, ToRead, ToRun, ToWrite, Wants};
pub use secret::Secret;
