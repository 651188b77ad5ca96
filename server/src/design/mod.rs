//! The design system: one frame around every page, and the components that pages are made of.
//!
//! Components are functions with typed arguments that return markup. Tokens and all style are in `assets/enza.css`;
//! nothing here carries a colour or a length, and no page carries style of its own.

mod frame;

pub use frame::{Frame, page};
