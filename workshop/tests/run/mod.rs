//! Commands in their cells, on the kernel of this machine: what is stopped, how a run ends, and what goes on as usual.
//!
//! Nothing here is simulated. A machine without Landlock fails these tests, and should: it cannot run commands.

mod commits;
mod ends;
mod fixture;
mod guarded;
mod halt;
mod limits;
mod lost;
mod ordinary;
mod sandbox;
mod sealed;
mod secrets;
mod toolchains;
