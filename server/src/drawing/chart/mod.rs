//! Charts of what was used: bars by day, stacked by series, with an axis and a legend.
//!
//! `scale` chooses the ticks; `bars` lays out and draws. A series is told apart by its place in the list: its class is
//! `series-N`, in colours that also people who see few of them can tell apart. The table with the exact numbers belongs
//! to the page.

mod bars;
mod scale;

pub use bars::{Bar, Chart, SERIES, bars, legend};
pub use scale::ticks;
