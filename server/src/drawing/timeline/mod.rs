//! The timeline of a session: its events in order, one lane for each who takes part.
//!
//! `scene` reads events into marks, whatever the application; `view` places the marks of a window around one event;
//! `draw` makes the markup. Every event of the window has exactly one mark, which is a link to that event.

mod draw;
mod scene;
mod view;

pub use draw::{TimelineLinks, lane_name, timeline};
pub use scene::{Lane, Mark, MarkKind, Scene, step_of, step_word};
pub use view::{PlacedMark, View, WINDOW};
