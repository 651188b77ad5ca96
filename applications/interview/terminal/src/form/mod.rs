//! `enza form …`: what can be done with a form before anyone is asked.
//!
//! Nothing here opens a store or asks a model. Whether a form can be asked is decided by the application; here it is
//! only shown.

mod check;
mod convert;
mod example;

pub use example::EXAMPLES;

use std::path::Path;

use enza_interview::{Form, Remark};
use enza_terminal::files;
use enza_terminal::screen::Screen;
use enza_terminal::trouble::Trouble;

use crate::arguments::FormCommand;
use crate::trouble::InterviewTrouble;

/// Runs one of them.
pub fn run(screen: &Screen, order: FormCommand) -> Result<(), Trouble> {
    match order {
        FormCommand::Check(order) => check::run(screen, &order),
        FormCommand::Convert(order) => convert::run(screen, &order),
        FormCommand::Example(order) => example::run(screen, order),
    }
}

/// The form in a file, and what of the file it could not keep.
pub fn read(path: &Path) -> Result<(Form, Vec<Remark>), Trouble> {
    Form::read(&files::text_of(path)?).map_err(|fault| InterviewTrouble::Form(fault).into())
}
