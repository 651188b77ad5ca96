//! The inspector, the comparison of two sessions, what was used, and the drawings behind them.

mod charts;
mod compare;
mod inspect;
mod moves;
mod timeline;
mod usage;
