//! The design system: one frame around every page, and the components that pages are made of.
//!
//! Components are functions with typed arguments that return markup. Tokens and all style are in `assets/*.css`;
//! nothing here carries a colour or a length, and no page carries style of its own. Text that is handed in is escaped
//! here, by `maud`; a component never takes markup as text.
//!
//! What a page says belongs to the page; components bring words only for what is theirs, from `words/design.toml`.

mod button;
mod card;
mod dialog;
mod diff;
mod field;
mod frame;
mod message;
mod notice;
mod patch;
mod progress;
mod table;
mod tabs;
mod time;
pub mod vignette;

pub use button::{Weight, button, link_button, opener, verdict_button};
pub use card::{card, empty, facts, section};
pub use dialog::dialog;
pub use diff::diff;
pub use field::{Field, FieldKind, checkbox, choice, field, form};
pub use frame::{Frame, circle, page, theme_switch};
pub use message::{Message, Speaker, message};
pub use notice::{Tone, badge, notice, toast};
pub use patch::{FileSheet, file_sheet, letters, patch, read as read_patch};
pub use progress::{meter, progress};
pub use table::table;
pub use tabs::tabs;
pub use time::time;
