//! The server's process, and the thread that keeps it.
//!
//! The system ends a tethered child when the *thread* that started it ends, so a thread of its own starts the child and
//! stays until it is gone. That thread also takes note of how it ended. A child is killed through its handle, under a
//! lock: its number may belong to somebody else once it is gone.

use std::io;
use std::process::Command;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::thread;

use rustix::process::{Pid, WaitId, WaitIdOptions, waitid};
use tokio::sync::watch;

use super::error::Ending;

/// A process under our eyes. Killed when dropped.
pub(super) struct Child {
    handle: Arc<Mutex<std::process::Child>>,
    process: u32,
    ending: watch::Receiver<Option<Ending>>,
}

impl Child {
    /// Starts one.
    pub(super) fn spawn(mut command: Command) -> io::Result<Self> {
        let (tell, told) = std::sync::mpsc::channel();
        let (ended, ending) = watch::channel(None);
        thread::Builder::new().name("llama-server".into()).spawn(move || {
            let spawned = command.spawn();
            // The command holds the other end of the log and the key.
            drop(command);
            match spawned {
                Ok(child) => watch_child(child, &tell, &ended),
                Err(cause) => drop(tell.send(Err(cause))),
            }
        })?;
        let handle = told.recv().map_err(|_| io::Error::other("the thread that starts it ended"))??;
        let process = lock(&handle).id();
        Ok(Self { handle, process, ending })
    }

    /// Kills it. `ended` says when it is gone.
    pub(super) fn end(&self) {
        let _ = lock(&self.handle).kill();
    }

    /// Waits until it is gone.
    pub(super) async fn ended(&mut self) {
        // The sender goes only after it has told.
        let _ = self.ending.wait_for(Option::is_some).await;
    }

    /// How it ended, if it has.
    pub(super) fn ending(&self) -> Option<Ending> {
        *self.ending.borrow()
    }

    /// Its number.
    pub(super) fn process(&self) -> u32 {
        self.process
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.end();
    }
}

type Handle = Arc<Mutex<std::process::Child>>;

/// Stays with a child until it is gone.
fn watch_child(
    child: std::process::Child,
    tell: &std::sync::mpsc::Sender<io::Result<Handle>>,
    ended: &watch::Sender<Option<Ending>>,
) {
    let process = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
    let handle = Arc::new(Mutex::new(child));
    let _ = tell.send(Ok(Arc::clone(&handle)));
    // Waits without taking its number away, so that nobody who kills meanwhile can hit another.
    if let Some(process) = process {
        while let Err(rustix::io::Errno::INTR) =
            waitid(WaitId::Pid(process), WaitIdOptions::EXITED | WaitIdOptions::NOWAIT)
        {}
    }
    let status = lock(&handle).wait();
    let ending = status.map_or(Ending::Lost, Ending::of);
    ended.send_replace(Some(ending));
}

fn lock(handle: &Mutex<std::process::Child>) -> MutexGuard<'_, std::process::Child> {
    handle.lock().unwrap_or_else(PoisonError::into_inner)
}
