//! The keyboard of a person at the companion: lines as they are typed, with the prompt drawn below whatever is shown.
//!
//! On a terminal keys are read one by one and everything is drawn here, so that a line can be typed while work goes on and
//! is never torn apart by what is shown meanwhile. With `--plain`, lines are read as the terminal gives them and nothing is
//! ever drawn over. The terminal is put back as it was when this is dropped.

mod editor;
#[cfg(test)]
mod tests;

pub use editor::{Completer, Input};

use std::io::{Read as _, Write as _};
use std::path::PathBuf;

use rustix::termios::{InputModes, LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};
use tokio::sync::mpsc;

use editor::Editor;

/// What a terminal is told so that pastes can be told from keys, and its undoing.
const PASTES: (&str, &str) = ("\u{1b}[?2004h", "\u{1b}[?2004l");

/// The keyboard.
pub struct Keyboard {
    editor: Editor,
    reader: Reader,
    /// How the terminal was, where keys are read one by one.
    before: Option<Termios>,
    /// Inputs that came together with the one before.
    waiting: std::collections::VecDeque<Input>,
    /// What is drawn: how many rows above the cursor, and the text, so that the same is not drawn twice.
    drawn: Option<(usize, String)>,
    /// What was last asked to be drawn: status, prompt, and whether in colour.
    laid: Option<(String, String, bool)>,
    history: PathBuf,
}

impl Keyboard {
    /// The keyboard of this terminal. With `keys`, they are read one by one.
    pub fn open(keys: bool, history: PathBuf, completer: Completer) -> Self {
        let remembered = std::fs::read_to_string(&history).unwrap_or_default();
        let remembered = remembered.lines().filter_map(|line| serde_json::from_str(line).ok()).collect();
        let mut keyboard = Self {
            editor: Editor::new(remembered, completer),
            reader: Reader::start(),
            before: None,
            waiting: std::collections::VecDeque::new(),
            drawn: None,
            laid: None,
            history,
        };
        if keys {
            keyboard.take();
        }
        keyboard
    }

    /// Whether keys are read one by one, so that the prompt is drawn here.
    pub fn draws(&self) -> bool {
        self.before.is_some()
    }

    /// The next thing that is typed. May be given up and asked again; nothing is lost.
    pub async fn next(&mut self) -> Input {
        loop {
            if let Some(input) = self.waiting.pop_front() {
                if let Input::Line(line) = &input {
                    self.remember(line);
                }
                return input;
            }
            let bytes = if self.draws() {
                self.reader.next().await
            } else {
                tokio::select! {
                    bytes = self.reader.next() => bytes,
                    _ = tokio::signal::ctrl_c() => return Input::Interrupt,
                }
            };
            match bytes {
                None => return Input::Gone,
                Some(bytes) => {
                    // A terminal that is left as it is ends lines with a line feed.
                    let bytes = if self.draws() { bytes } else { ended(bytes) };
                    self.waiting.extend(self.editor.feed(&bytes));
                    if self.waiting.is_empty() {
                        self.redraw();
                    }
                }
            }
        }
    }

    /// Draws a status and the line being typed below everything; where nothing is drawn over, nothing.
    pub fn lay(&mut self, status: &str, prompt: &str, colour: bool) {
        if !self.draws() {
            return;
        }
        self.laid = Some((status.to_owned(), prompt.to_owned(), colour));
        let width = terminal_size::terminal_size().map_or(80, |(width, _)| usize::from(width.0)).max(12);
        let (rows, (row, column)) = self.editor.rows(prompt, width);
        let mut above: Vec<String> = Vec::new();
        if !self.editor.offers.is_empty() {
            above.push(crate::screen::clip(&self.editor.offers.join("  "), width - 1));
        }
        above.extend(crate::screen::fold(status, width - 1));
        let faint = crate::screen::Paint::new(colour);
        let above: Vec<String> = above.iter().map(|line| faint.faint(line)).collect();
        let below = rows.len() - 1 - row;
        let up = if below > 0 { format!("\u{1b}[{below}A") } else { String::new() };
        let whole: Vec<&str> = above.iter().chain(&rows).map(String::as_str).collect();
        let text = format!("{}{up}\r\u{1b}[{column}C", whole.join("\r\n"));
        if self.drawn.as_ref().is_some_and(|(_, drawn)| *drawn == text) {
            return;
        }
        self.lift();
        write(&text);
        self.drawn = Some((above.len() + row, text));
    }

    /// Takes the prompt away, so that something can be shown where it was.
    pub fn lift(&mut self) {
        if let Some((up, _)) = self.drawn.take() {
            let up = if up > 0 { format!("\u{1b}[{up}A") } else { String::new() };
            write(&format!("{up}\r\u{1b}[J"));
        }
    }

    /// Lets another program have the terminal for a while.
    pub fn lend<T>(&mut self, to: impl FnOnce() -> T) -> T {
        self.lift();
        let keys = self.draws();
        self.give_back();
        let outcome = to();
        if keys {
            self.take();
        }
        outcome
    }

    /// Draws the line anew with what was typed since.
    fn redraw(&mut self) {
        if let Some((status, prompt, colour)) = self.laid.clone().filter(|_| self.drawn.is_some()) {
            self.lay(&status, &prompt, colour);
        }
    }

    /// Has keys come one by one, unseen. Output is left as it is.
    fn take(&mut self) {
        let stdin = std::io::stdin();
        let Ok(before) = tcgetattr(&stdin) else { return };
        let mut keys = before.clone();
        keys.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG | LocalModes::IEXTEN);
        keys.input_modes.remove(InputModes::ICRNL | InputModes::IXON);
        keys.special_codes[SpecialCodeIndex::VMIN] = 1;
        keys.special_codes[SpecialCodeIndex::VTIME] = 0;
        if tcsetattr(&stdin, OptionalActions::Now, &keys).is_ok() {
            write(PASTES.0);
            self.before = Some(before);
        }
    }

    fn give_back(&mut self) {
        if let Some(before) = self.before.take() {
            write(PASTES.1);
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &before);
        }
    }

    fn remember(&self, line: &str) {
        if line.trim().is_empty() || !self.draws() {
            return;
        }
        // A history that cannot be written is no reason to stop.
        let file = std::fs::OpenOptions::new().create(true).append(true).open(&self.history);
        if let (Ok(mut file), Ok(line)) = (file, serde_json::to_string(line)) {
            let _ = writeln!(file, "{line}");
        }
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        self.lift();
        self.give_back();
    }
}

fn ended(bytes: Vec<u8>) -> Vec<u8> {
    bytes.into_iter().map(|byte| if byte == b'\n' { b'\r' } else { byte }).collect()
}

fn write(text: &str) {
    let mut out = std::io::stdout().lock();
    // A terminal that is gone is found out when the keyboard is.
    let _ = out.write_all(text.as_bytes()).and_then(|()| out.flush());
}

/// Reads on a thread of its own, since reading cannot be interrupted, and only when asked: in between another program may
/// have the keyboard.
struct Reader {
    ask: std::sync::mpsc::Sender<()>,
    bytes: mpsc::UnboundedReceiver<Vec<u8>>,
    is_asked: bool,
}

impl Reader {
    fn start() -> Self {
        let (ask, asked) = std::sync::mpsc::channel::<()>();
        let (send, bytes) = mpsc::unbounded_channel();
        std::thread::spawn(move || {
            let mut room = [0; 4096];
            while asked.recv().is_ok() {
                match std::io::stdin().lock().read(&mut room) {
                    Ok(0) | Err(_) => return,
                    Ok(count) => {
                        if send.send(room[..count].to_vec()).is_err() {
                            return;
                        }
                    }
                }
            }
        });
        Self { ask, bytes, is_asked: false }
    }

    async fn next(&mut self) -> Option<Vec<u8>> {
        if !self.is_asked {
            self.is_asked = self.ask.send(()).is_ok();
        }
        let bytes = self.bytes.recv().await;
        self.is_asked = false;
        bytes
    }
}
