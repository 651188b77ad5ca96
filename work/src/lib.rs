//! What an application has done in a folder, as orders and receipts.
//!
//! The rules decide what is to be done and never see a file system; the workshop does it and never decides. Between them
//! there are only these types: an `Order` is the arguments of a tool run, a `Receipt` is its result, both as JSON.
//! File contents stay in the workshop's store and go by their digests, so a log stays small and a change can be
//! recognised, taken back, and safely made again after a crash.

mod ended;
mod fault;
pub mod hazard;
mod offered;
mod order;
pub mod pattern;
mod receipt;
mod words;

pub use fault::Fault;
pub use offered::Offered;
pub use order::{Bounds, Change, ChosenChange, Invocation, Job, Order, Proposal, Replacement, ResourceLimits, Run};
pub use receipt::{
    Finding, Listing, NotRestored, PreparedChange, ReadLines, Receipt, RestoreResult, RunEnd, RunResult, SearchResult,
    SideEffects,
};
