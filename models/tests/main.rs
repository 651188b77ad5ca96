//! Models of providers and models on this machine.

mod contract;
mod local;
