//! How the applications behave, as stories. One binary; a file per subject.

mod companion;
mod forms;
mod interview;
