//! The companion: a careful partner on a folder of code.

pub mod work;
