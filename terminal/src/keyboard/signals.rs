//! What the world tells a program at a terminal: end, go on, the window has another size.
//!
//! Each becomes something that the person might have typed, so that there is one place where it is dealt with and the
//! terminal is put back in every case.

use std::time::Duration;

use rustix::process::{Signal as Kind, kill_current_process_group};
use tokio::signal::unix::{Signal, SignalKind, signal};

use super::editor::Input;

/// How long we wait to be stopped before we go on. A group of processes that nobody could ever continue is not stopped.
const STOPPED: Duration = Duration::from_millis(200);

/// The signals that are listened to; one that cannot be had is done without.
pub struct Signals {
    interrupted: Option<Signal>,
    ended: Option<Signal>,
    hung_up: Option<Signal>,
    resized: Option<Signal>,
    continued: Option<Signal>,
}

impl Signals {
    /// Listens from now on.
    pub fn listen() -> Self {
        let of = |kind: SignalKind| signal(kind).ok();
        Self {
            interrupted: of(SignalKind::interrupt()),
            ended: of(SignalKind::terminate()),
            hung_up: of(SignalKind::hangup()),
            resized: of(SignalKind::window_change()),
            continued: of(SignalKind::from_raw(Kind::CONT.as_raw())),
        }
    }

    /// The next one. May be given up and asked again; nothing is lost.
    pub async fn next(&mut self) -> Input {
        tokio::select! {
            () = came(&mut self.interrupted) => Input::Interrupt,
            () = came(&mut self.ended) => Input::Ended,
            () = came(&mut self.hung_up) => Input::Ended,
            () = came(&mut self.resized) => Input::Redraw,
            () = came(&mut self.continued) => Input::Redraw,
        }
    }

    /// Stops this program and those it runs in front, as the terminal would, until it is told to go on.
    pub async fn stop(&mut self) {
        if kill_current_process_group(Kind::TSTP).is_ok() {
            let _ = tokio::time::timeout(STOPPED, came(&mut self.continued)).await;
        }
    }
}

async fn came(signal: &mut Option<Signal>) {
    match signal {
        Some(signal) => drop(signal.recv().await),
        None => std::future::pending().await,
    }
}
