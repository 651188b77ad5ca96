//! The local model: what can be pulled, how it is pulled on bad days, how it is fitted and run.
//!
//! Most tests use fakes that are written here. Those in `serving` run the real server with the small weights, from the
//! folder that `ENZA_MODELS` names; without it they fail and say what to do.

mod fit;
mod fixture;
mod folder;
mod hub;
mod serve;
mod start;
mod wheels;
