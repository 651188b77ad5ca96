//! A gate as a person sees it in an interview: its points, with what would be sent as one of them.

use enza_kernel::gate::Gate;
use enza_terminal::screen::{Screen, points};
use enza_terminal::words::gate as words;

/// The gate, in lines.
pub fn show(screen: &Screen, gate: &Gate) -> String {
    points(screen, gate, &[(words::diff(screen.lang), gate.ask.diff.as_deref().unwrap_or_default())])
}
