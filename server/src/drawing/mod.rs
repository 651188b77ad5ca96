//! Drawings, as inline SVG: the timeline of a session, the diagram of its moves, charts of what was used.
//!
//! Each drawing is made in two steps: a layout of plain numbers, which tests can look at, and the markup made from it.
//! Nothing here carries a colour; classes do, and `assets/inspector.css` knows them. Whatever a drawing shows is also
//! there in words: as a title of its mark, or as a table beside it. All of them read without a script.
//!
//! Reading sessions and usage belongs to the pages.

pub mod chart;
pub mod figures;
pub mod moves;
pub mod share;
pub mod timeline;

mod text_width;
