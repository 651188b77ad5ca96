//! Reads the keyboard on a thread of its own, since reading cannot be interrupted.
//!
//! It reads only when asked: in between another program may have the keyboard. Every piece carries the moment at which it
//! was read, so that what was typed before something was shown can be told from an answer to it.

use std::io::Read as _;
use std::time::Instant;

use tokio::sync::mpsc;

/// A piece of what was typed.
pub struct InputChunk {
    pub bytes: Vec<u8>,
    pub at: Instant,
}

/// Whoever reads.
pub struct Reader {
    ask: std::sync::mpsc::Sender<()>,
    pieces: mpsc::UnboundedReceiver<InputChunk>,
    is_asked: bool,
    /// How many bytes were typed before something was shown and are still to be read, and when that was.
    early: Option<(usize, Instant)>,
}

impl Reader {
    /// Reads nothing before it is asked to.
    pub fn start() -> Self {
        let (ask, asked) = std::sync::mpsc::channel::<()>();
        let (send, pieces) = mpsc::unbounded_channel();
        std::thread::spawn(move || {
            let mut room = [0; 4096];
            while asked.recv().is_ok() {
                match std::io::stdin().lock().read(&mut room) {
                    Ok(0) => return,
                    Ok(count) => {
                        let piece = InputChunk { bytes: room[..count].to_vec(), at: Instant::now() };
                        if send.send(piece).is_err() {
                            return;
                        }
                    }
                    // A signal came in between: whoever asked still waits.
                    Err(why) if why.kind() == std::io::ErrorKind::Interrupted => {
                        let _ = send.send(InputChunk { bytes: Vec::new(), at: Instant::now() });
                    }
                    Err(_) => return,
                }
            }
        });
        Self { ask, pieces, is_asked: false, early: None }
    }

    /// The next piece; none once the keyboard is gone. May be given up and asked again; nothing is lost.
    pub async fn next(&mut self) -> Option<InputChunk> {
        self.ask();
        let piece = self.pieces.recv().await;
        self.is_asked = false;
        piece.map(|piece| self.dated(piece))
    }

    /// Something is about to be shown, now: what was typed and not read yet does not answer it.
    pub fn mark(&mut self) -> Instant {
        let now = Instant::now();
        self.early = Some(pending()).filter(|count| *count > 0).map(|count| (count, now));
        Instant::now()
    }

    fn dated(&mut self, mut piece: InputChunk) -> InputChunk {
        if let Some((count, marked)) = self.early.take() {
            let rest = count.saturating_sub(piece.bytes.len());
            self.early = Some((rest, marked)).filter(|(rest, _)| *rest > 0);
            piece.at = piece.at.min(marked);
        }
        piece
    }

    fn ask(&mut self) {
        if !self.is_asked {
            self.is_asked = self.ask.send(()).is_ok();
        }
    }
}

/// How many bytes are typed and not read yet.
pub fn pending() -> usize {
    rustix::io::ioctl_fionread(std::io::stdin()).ok().and_then(|count| usize::try_from(count).ok()).unwrap_or(0)
}
