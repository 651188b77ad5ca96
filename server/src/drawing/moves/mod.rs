//! The diagram of a table of moves, with what stands where lit and named.
//!
//! `plan` lays it out in layers, from the start to the right; `route` leads the moves around the boxes; `draw` makes the
//! markup.

mod draw;
mod plan;
mod route;

pub use draw::diagram;
pub use plan::{Plan, StateBox};
pub use route::RoutedMove;
