//! The keyboard of a person in a session: lines as they are typed, with the prompt drawn below whatever is shown.
//!
//! On a terminal keys are read one by one and everything is drawn here, so that a line can be typed while work goes on and
//! is never torn apart by what is shown meanwhile. With `--plain`, lines are read as the terminal gives them and nothing is
//! ever drawn over. The terminal is put back as it was when this is dropped, when the program is asked to end, and while
//! it is stopped.

mod draw;
mod editor;
mod history;
mod keys;
mod reader;
mod signals;
#[cfg(test)]
mod tests;

pub use editor::{Completer, Input};

use std::collections::VecDeque;
use std::path::PathBuf;
use std::time::Instant;

use rustix::termios::{InputModes, LocalModes, OptionalActions, SpecialCodeIndex, Termios, tcgetattr, tcsetattr};

use crate::screen::Paint;
use draw::{Drawing, Footer, Window, write};
use editor::Editor;
use reader::Reader;
use signals::Signals;

/// What a terminal is told so that pastes can be told from keys, and its undoing.
const PASTES: (&str, &str) = ("\u{1b}[?2004h", "\u{1b}[?2004l");
/// Everything away, and to the top.
const CLEARED: &str = "\u{1b}[2J\u{1b}[H";

/// The keyboard.
pub struct Keyboard {
    editor: Editor,
    /// Where anybody sits at it.
    typist: Option<Typist>,
    /// How the terminal was, where keys are read one by one.
    before: Option<Termios>,
    /// How many bytes are still to come that were typed before that, when lines ended with a line feed.
    typed_before: usize,
    /// Inputs that came together with the one before.
    waiting: VecDeque<TimedInput>,
    /// What is to stand below everything.
    below: Footer,
    /// What stands there now.
    drawn: Option<Drawing>,
    paint: Paint,
    /// Where lines are remembered, if they are.
    history: Option<PathBuf>,
}

/// What is typed, and what the world tells.
struct Typist {
    reader: Reader,
    signals: Signals,
}

/// Something typed, and when.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TimedInput {
    pub input: Input,
    pub at: Instant,
}

impl Keyboard {
    /// The keyboard of this terminal. With `keys`, they are read one by one. Lines are remembered in a file, if in any.
    pub fn open(keys: bool, paint: Paint, history: Option<PathBuf>, completer: Completer) -> Self {
        let mut keyboard = Self::nobody(paint);
        keyboard.editor = Editor::new(history.as_deref().map(history::read).unwrap_or_default(), completer);
        keyboard.history = history;
        if keys {
            keyboard.enter_raw_mode();
        }
        keyboard.typist = Some(Typist { reader: Reader::start(), signals: Signals::listen() });
        keyboard
    }

    /// One at which nobody sits: nothing ever comes from it, and standard input is left alone.
    pub fn nobody(paint: Paint) -> Self {
        Self {
            editor: Editor::new(Vec::new(), Box::new(|_| Vec::new())),
            typist: None,
            before: None,
            typed_before: 0,
            waiting: VecDeque::new(),
            below: Footer::default(),
            drawn: None,
            paint,
            history: None,
        }
    }

    /// Has keys come one by one from now on.
    pub fn take_keys(&mut self) {
        if !self.draws() {
            self.enter_raw_mode();
        }
    }

    /// Whether anybody sits at it.
    pub fn is_attended(&self) -> bool {
        self.typist.is_some()
    }

    /// Whether keys are read one by one, so that the prompt is drawn here.
    pub fn draws(&self) -> bool {
        self.before.is_some()
    }

    /// The next thing that is typed. May be given up and asked again; nothing is lost.
    pub async fn next(&mut self) -> TimedInput {
        loop {
            if let Some(typed) = self.waiting.pop_front() {
                if let Input::Line(line) = &typed.input {
                    self.remember(line);
                }
                return typed;
            }
            let Some(Typist { reader, signals }) = &mut self.typist else { return std::future::pending().await };
            let piece = tokio::select! {
                piece = reader.next() => piece,
                input = signals.next() => {
                    if input == Input::Redraw && self.draws() {
                        // Whoever stopped us, or had the terminal meanwhile, may have left it in another state.
                        self.read_keys();
                        self.redraw();
                    }
                    return TimedInput { input, at: Instant::now() };
                }
            };
            let Some(piece) = piece else { return TimedInput { input: Input::Gone, at: Instant::now() } };
            let bytes = self.ended(piece.bytes);
            let inputs = self.editor.feed(&bytes);
            self.waiting.extend(inputs.into_iter().map(|input| TimedInput { input, at: piece.at }));
            if self.waiting.is_empty() {
                self.redraw();
            }
        }
    }

    /// Shows something above what is drawn, all in one.
    pub fn say(&mut self, text: &str) {
        let wiped = self.wiped();
        let drawing = self.draws().then(|| self.set());
        let below = drawing.as_ref().map_or("", Drawing::text);
        write(&format!("{wiped}{text}\n{below}"));
        self.drawn = drawing;
    }

    /// Draws a status and the line being typed below everything; where nothing is drawn over, nothing.
    pub fn lay(&mut self, status: &str, prompt: &str) {
        status.clone_into(&mut self.below.status);
        prompt.clone_into(&mut self.below.prompt);
        self.redraw();
    }

    /// Sets the words that are being written above the status; they are drawn with what comes next.
    pub fn write(&mut self, words: Vec<String>) {
        self.below.words = words;
    }

    /// Takes everything drawn away.
    pub fn lift(&mut self) {
        let wiped = self.wiped();
        if !wiped.is_empty() {
            write(&wiped);
        }
    }

    /// Something is about to be shown that asks for an answer: the moment from which on keys may answer it.
    pub fn mark(&mut self) -> Instant {
        self.typist.as_mut().map_or_else(Instant::now, |typist| typist.reader.mark())
    }

    /// What is typed so far.
    pub fn typed(&self) -> String {
        self.editor.text()
    }

    /// Puts a text on the line, as if it had been typed and not sent.
    pub fn put_back(&mut self, text: &str) {
        self.editor.write(text);
        self.redraw();
    }

    /// Lets another program have the terminal for a while.
    pub fn lend<T>(&mut self, to: impl FnOnce() -> T) -> T {
        self.lift();
        let keys = self.draws();
        self.leave_raw_mode();
        let outcome = to();
        if keys {
            self.enter_raw_mode();
        }
        outcome
    }

    /// Stops the program until it is told to go on, with the terminal as it was.
    pub async fn pause(&mut self) {
        self.lift();
        let keys = self.draws();
        self.leave_raw_mode();
        if let Some(typist) = &mut self.typist {
            typist.signals.stop().await;
        }
        if keys {
            self.enter_raw_mode();
            self.redraw();
        }
    }

    /// Clears the window.
    pub fn clear(&mut self) {
        if self.draws() {
            self.drawn = None;
            write(CLEARED);
            self.redraw();
        }
    }

    fn redraw(&mut self) {
        if !self.draws() {
            return;
        }
        let drawing = self.set();
        if self.drawn.as_ref() != Some(&drawing) {
            let wiped = self.wiped();
            write(&format!("{wiped}{}", drawing.text()));
            self.drawn = Some(drawing);
        }
    }

    fn set(&self) -> Drawing {
        let window = Window::now();
        let line = self.editor.rows(&self.below.prompt, window.columns);
        Drawing::set(&self.below, &self.editor.offers, line, self.paint, window)
    }

    fn wiped(&mut self) -> String {
        self.drawn.take().map_or_else(String::new, |drawing| drawing.wiped(Window::now()))
    }

    /// Has keys come one by one, and remembers how the terminal was.
    fn enter_raw_mode(&mut self) {
        let Ok(before) = tcgetattr(std::io::stdin()) else { return };
        self.before = Some(before);
        if self.read_keys() {
            self.typed_before = reader::pending();
        } else {
            self.before = None;
        }
    }

    /// Bytes as keys give them: a terminal that is left as it is ends lines with a line feed, and what was typed while it was
    /// is no other for being read later.
    fn ended(&mut self, mut bytes: Vec<u8>) -> Vec<u8> {
        let count = if self.draws() { bytes.len().min(self.typed_before) } else { bytes.len() };
        self.typed_before = self.typed_before.saturating_sub(bytes.len());
        for byte in bytes[..count].iter_mut().filter(|byte| **byte == b'\n') {
            *byte = b'\r';
        }
        bytes
    }

    /// Has keys come one by one, unseen. Output is left as it is.
    fn read_keys(&self) -> bool {
        let Some(mut keys) = self.before.clone() else { return false };
        keys.local_modes.remove(LocalModes::ICANON | LocalModes::ECHO | LocalModes::ISIG | LocalModes::IEXTEN);
        keys.input_modes.remove(InputModes::ICRNL | InputModes::IXON);
        keys.special_codes[SpecialCodeIndex::VMIN] = 1;
        keys.special_codes[SpecialCodeIndex::VTIME] = 0;
        let is_set = tcsetattr(std::io::stdin(), OptionalActions::Now, &keys).is_ok();
        if is_set {
            write(PASTES.0);
        }
        is_set
    }

    fn leave_raw_mode(&mut self) {
        if let Some(before) = self.before.take() {
            write(PASTES.1);
            let _ = tcsetattr(std::io::stdin(), OptionalActions::Now, &before);
        }
    }

    fn remember(&self, line: &str) {
        if line.trim().is_empty() || !self.draws() {
            return;
        }
        if let Some(history) = &self.history {
            history::write(history, line);
        }
    }
}

impl Drop for Keyboard {
    fn drop(&mut self) {
        self.lift();
        self.leave_raw_mode();
    }
}
