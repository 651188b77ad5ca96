//! What a form's owner does with what was answered: looks, filters, deletes, sends on again.
//!
//! An interview that belongs to a form is a sheet here, finished or not. Sheets are put together from the rows that the
//! interviews' events wrote, all of a form at a time; one sheet with its whole story is read from its log. A copy that
//! the owner forked to look into is nobody's answer and is left out.
//!
//! Files are `exports`, delivery is `post`, the rules of an interview are its own.

mod change;
mod filter;
mod history;
mod overview;
mod retention;
mod sheet;
mod undelivered;

pub(in crate::actions) use change::remove_with_copies;
pub use change::{Trial, delete, retry, try_webhook};
pub use filter::{SheetFilter, SheetPage, page};
pub use history::{Attempt, DeliveryOutcome, FieldHistory, Review, SheetHistory, sheet_history};
pub use overview::{Day, Overview, Stop, overview};
pub use retention::{fewer, sweep};
pub use sheet::{Sheet, Status, all, base_of, is_sensitive};
pub use undelivered::{PendingDelivery, pending_deliveries};
