//! `enza interview rehearse`: stub
use crate::arguments::Rehearse;
use crate::screen::Screen;
use crate::surroundings::Surroundings;
use crate::trouble::Trouble;
/// Runs.
pub async fn run(_around: &Surroundings, _screen: &Screen, _order: Rehearse) -> Result<(), Trouble> {
    Ok(())
}
