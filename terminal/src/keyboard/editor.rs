//! A line as it is being typed: letters in, a finished line out.
//!
//! Knows nothing of terminals: it is fed the bytes of the keyboard, in whatever pieces they come, and says what was typed
//! and how it looks. A line may have several lines: Alt-Enter, Ctrl-J or a backslash before Enter begins another, and a
//! paste is taken as it is, whatever it holds.

use unicode_width::UnicodeWidthChar as _;

use super::draw::LineLayout;
use super::history::History;
use super::keys::{Key, key};

/// What came of the keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A finished line.
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D on an empty line, or the keyboard is gone.
    Gone,
    /// Someone asks the whole program to end.
    Ended,
    /// What is typed is to be written in an editor.
    Compose,
    /// Shift-Tab: changes are to be treated in the next of the ways.
    Mode,
    /// Ctrl-Z: the program is to stop for a while.
    Pause,
    /// Ctrl-L: the window is to be cleared.
    Clear,
    /// Everything is to be drawn anew: the window has another size, or was in other hands.
    Redraw,
}

/// What a word can be completed to.
pub type Completer = Box<dyn Fn(&str) -> Vec<String> + Send>;

/// A line being typed.
pub struct Editor {
    letters: Vec<char>,
    at: usize,
    /// Bytes that are not a whole letter or key yet.
    rest: Vec<u8>,
    pasting: bool,
    recall: History,
    completer: Completer,
    /// What the last Tab left open.
    pub offers: Vec<String>,
}

impl Editor {
    /// An empty line, with what was typed before.
    pub fn new(history: Vec<String>, completer: Completer) -> Self {
        Self {
            letters: Vec::new(),
            at: 0,
            rest: Vec::new(),
            pasting: false,
            recall: History::of(history),
            completer,
            offers: Vec::new(),
        }
    }

    /// Takes in bytes from the keyboard.
    pub fn feed(&mut self, bytes: &[u8]) -> Vec<Input> {
        self.rest.extend_from_slice(bytes);
        let mut inputs = Vec::new();
        while let Some((key, length)) = key(&self.rest, self.pasting) {
            self.rest.drain(..length);
            inputs.extend(self.press(key));
        }
        inputs
    }

    /// What is typed so far.
    pub fn text(&self) -> String {
        self.letters.iter().collect()
    }

    /// Takes a text in the place of what is typed so far, with the cursor behind it.
    pub fn write(&mut self, text: &str) {
        self.set(text.chars().collect());
    }

    /// The rows that it takes behind a prompt in a window so wide, and the row and column of the cursor.
    pub fn rows(&self, prompt: &str, width: usize) -> LineLayout {
        let indent = crate::screen::width(prompt);
        let (mut rows, mut column) = (vec![prompt.to_owned()], indent);
        let mut cursor = (0, indent);
        for (place, letter) in self.letters.iter().enumerate() {
            let wide = letter.width().unwrap_or(0);
            if *letter != '\n' && column + wide >= width {
                rows.push(" ".repeat(indent));
                column = indent;
            }
            if place == self.at {
                cursor = (rows.len() - 1, column);
            }
            if *letter == '\n' {
                rows.push(" ".repeat(indent));
                column = indent;
            } else {
                rows.last_mut().expect("a row").push(if letter.is_control() { ' ' } else { *letter });
                column += wide.max(usize::from(letter.is_control()));
            }
        }
        if self.at == self.letters.len() {
            cursor = (rows.len() - 1, column);
        }
        LineLayout { rows, cursor }
    }

    fn press(&mut self, key: Key) -> Option<Input> {
        if key != Key::Tab {
            self.offers.clear();
        }
        match key {
            Key::Letter(letter) => self.insert(letter),
            Key::Another => self.insert('\n'),
            Key::Enter if self.at > 0 && self.letters[self.at - 1] == '\\' => self.letters[self.at - 1] = '\n',
            Key::Enter => return Some(Input::Line(self.finish())),
            Key::Interrupt if self.letters.is_empty() => return Some(Input::Interrupt),
            Key::Interrupt => self.set(Vec::new()),
            Key::End if self.letters.is_empty() => return Some(Input::Gone),
            Key::End | Key::Delete => {
                if self.at < self.letters.len() {
                    self.letters.remove(self.at);
                }
            }
            Key::Backspace => {
                if self.at > 0 {
                    self.at -= 1;
                    self.letters.remove(self.at);
                }
            }
            Key::Left => self.at = self.at.saturating_sub(1),
            Key::Right => self.at = (self.at + 1).min(self.letters.len()),
            Key::LineStart => self.at = self.line_start(),
            Key::LineEnd => self.at = self.line_end(),
            Key::CutToEnd => drop(self.letters.drain(self.at..self.line_end())),
            Key::CutToStart => self.cut_back_to(self.line_start()),
            Key::CutWord => self.cut_back_to(self.word_start()),
            Key::WordLeft => self.at = self.word_start(),
            Key::WordRight => self.at = self.word_end(),
            Key::Up if self.line_start() > 0 => self.go_up(),
            Key::Down if self.line_end() < self.letters.len() => self.go_down(),
            Key::Up => {
                if let Some(line) = self.recall.earlier(&self.letters) {
                    self.set(line);
                }
            }
            Key::Down => {
                if let Some(line) = self.recall.later() {
                    self.set(line);
                }
            }
            Key::Tab => self.complete(),
            Key::Pause => return Some(Input::Pause),
            Key::Compose => return Some(Input::Compose),
            Key::Mode => return Some(Input::Mode),
            Key::Clear => return Some(Input::Clear),
            Key::PasteBegins => self.pasting = true,
            Key::PasteEnds => self.pasting = false,
            Key::Nothing => {}
        }
        None
    }

    fn insert(&mut self, letter: char) {
        self.letters.insert(self.at, letter);
        self.at += 1;
    }

    fn set(&mut self, letters: Vec<char>) {
        self.at = letters.len();
        self.letters = letters;
    }

    fn finish(&mut self) -> String {
        let text = self.text();
        self.set(Vec::new());
        self.recall.keep(&text);
        text
    }

    fn cut_back_to(&mut self, start: usize) {
        self.letters.drain(start..self.at);
        self.at = start;
    }

    fn line_start(&self) -> usize {
        self.letters[..self.at].iter().rposition(|letter| *letter == '\n').map_or(0, |place| place + 1)
    }

    fn line_end(&self) -> usize {
        self.letters[self.at..]
            .iter()
            .position(|letter| *letter == '\n')
            .map_or(self.letters.len(), |end| self.at + end)
    }

    /// To the line above, as far in as before.
    fn go_up(&mut self) {
        let start = self.line_start();
        let column = self.at - start;
        self.at = start - 1;
        self.at = (self.line_start() + column).min(self.at);
    }

    /// To the line below, as far in as before.
    fn go_down(&mut self) {
        let column = self.at - self.line_start();
        self.at = self.line_end() + 1;
        self.at = (self.at + column).min(self.line_end());
    }

    fn word_start(&self) -> usize {
        let before = &self.letters[..self.at];
        let end = before.iter().rposition(|letter| !letter.is_whitespace()).map_or(0, |place| place + 1);
        before[..end].iter().rposition(|letter| letter.is_whitespace()).map_or(0, |place| place + 1)
    }

    fn word_end(&self) -> usize {
        let behind = &self.letters[self.at..];
        let start = behind.iter().position(|letter| !letter.is_whitespace()).unwrap_or(behind.len());
        let end = behind[start..].iter().position(|letter| letter.is_whitespace());
        self.at + end.map_or(behind.len(), |end| start + end)
    }

    fn complete(&mut self) {
        let start = self.word_start();
        let is_in_word = self.at > 0 && !self.letters[self.at - 1].is_whitespace();
        if !is_in_word {
            return;
        }
        let word: String = self.letters[start..self.at].iter().collect();
        // A command is one only at the beginning.
        let offers = if word.starts_with('/') && start > 0 { Vec::new() } else { (self.completer)(&word) };
        let Some(common) = common(&offers) else { return };
        if common.chars().count() > word.chars().count() {
            self.cut_back_to(start);
            common.chars().for_each(|letter| self.insert(letter));
        }
        self.offers = if offers.len() > 1 { offers } else { Vec::new() };
    }
}

/// The beginning that all have in common.
fn common(offers: &[String]) -> Option<String> {
    let mut common: Vec<char> = offers.first()?.chars().collect();
    for offer in offers {
        let alike = common.iter().zip(offer.chars()).take_while(|(one, other)| **one == *other).count();
        common.truncate(alike);
    }
    Some(common.into_iter().collect())
}
