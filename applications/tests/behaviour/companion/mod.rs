//! The companion's rules.

mod hazards;
