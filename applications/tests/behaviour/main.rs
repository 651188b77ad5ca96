//! How the applications behave, as stories. One binary; a file per subject.

mod forms;
mod interview;
