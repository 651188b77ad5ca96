//! The pages of forms for their owners: the list, the builder, sharing.

mod tabs;

pub(in crate::pages) use tabs::{Tab, tabs};
