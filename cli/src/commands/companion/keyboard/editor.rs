//! A line as it is being typed: letters in, a finished line out.
//!
//! Knows nothing of terminals: it is fed the bytes of the keyboard, in whatever pieces they come, and says what was typed
//! and how it looks. A line may have several lines: Alt-Enter, Ctrl-J or a backslash before Enter begins another, and a
//! paste is taken as it is, whatever it holds.

use unicode_width::UnicodeWidthChar as _;

/// How many lines are remembered.
const REMEMBERED: usize = 500;
const PASTE_BEGINS: &[u8] = b"\x1b[200~";
const PASTE_ENDS: &[u8] = b"\x1b[201~";

/// What came of the keys.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Input {
    /// A finished line.
    Line(String),
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D on an empty line, or the keyboard is gone.
    Gone,
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
    history: Vec<String>,
    /// Where in the history we are, and what was typed before going there.
    back: Option<(usize, Vec<char>)>,
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
            history,
            back: None,
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

    /// The rows that it takes behind a prompt in a window so wide, and the row and column of the cursor.
    pub fn rows(&self, prompt: &str, width: usize) -> (Vec<String>, (usize, usize)) {
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
        (rows, cursor)
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
            Key::Up => self.remember_back(),
            Key::Down => self.remember_forward(),
            Key::Tab => self.complete(),
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
        self.back = None;
        if !text.trim().is_empty() && self.history.last() != Some(&text) {
            self.history.push(text.clone());
            let surplus = self.history.len().saturating_sub(REMEMBERED);
            self.history.drain(..surplus);
        }
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

    fn word_start(&self) -> usize {
        let before = &self.letters[..self.at];
        let end = before.iter().rposition(|letter| !letter.is_whitespace()).map_or(0, |place| place + 1);
        before[..end].iter().rposition(|letter| letter.is_whitespace()).map_or(0, |place| place + 1)
    }

    fn remember_back(&mut self) {
        let (place, typed) = self.back.take().unwrap_or_else(|| (self.history.len(), self.letters.clone()));
        let place = place.saturating_sub(1);
        if let Some(line) = self.history.get(place) {
            self.set(line.chars().collect());
            self.back = Some((place, typed));
        }
    }

    fn remember_forward(&mut self) {
        let Some((place, typed)) = self.back.take() else { return };
        match self.history.get(place + 1) {
            Some(line) => {
                self.set(line.chars().collect());
                self.back = Some((place + 1, typed));
            }
            None => self.set(typed),
        }
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

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Key {
    Letter(char),
    Enter,
    Another,
    Interrupt,
    End,
    Backspace,
    Delete,
    Left,
    Right,
    Up,
    Down,
    LineStart,
    LineEnd,
    CutToEnd,
    CutToStart,
    CutWord,
    Tab,
    PasteBegins,
    PasteEnds,
    Nothing,
}

/// The next key and how many bytes it takes; none where bytes are missing.
fn key(bytes: &[u8], pasting: bool) -> Option<(Key, usize)> {
    let first = *bytes.first()?;
    if pasting {
        return match first {
            0x1b if bytes.starts_with(PASTE_ENDS) => Some((Key::PasteEnds, PASTE_ENDS.len())),
            0x1b if PASTE_ENDS.starts_with(bytes) => None,
            b'\r' | b'\n' => {
                let pair = bytes.len() > 1 && first == b'\r' && bytes[1] == b'\n';
                Some((Key::Letter('\n'), 1 + usize::from(pair)))
            }
            b'\t' => Some((Key::Letter('\t'), 1)),
            0..0x20 | 0x7f => Some((Key::Nothing, 1)),
            _ => letter(bytes),
        };
    }
    let key = match first {
        b'\r' => Key::Enter,
        b'\n' => Key::Another,
        b'\t' => Key::Tab,
        0x01 => Key::LineStart,
        0x03 => Key::Interrupt,
        0x04 => Key::End,
        0x05 => Key::LineEnd,
        0x08 | 0x7f => Key::Backspace,
        0x0b => Key::CutToEnd,
        0x0e => Key::Down,
        0x10 => Key::Up,
        0x15 => Key::CutToStart,
        0x17 => Key::CutWord,
        0x1b => return escaped(bytes),
        0..0x20 => Key::Nothing,
        _ => return letter(bytes),
    };
    Some((key, 1))
}

fn letter(bytes: &[u8]) -> Option<(Key, usize)> {
    let length = match bytes[0] {
        0..0x80 => 1,
        0xc0..0xe0 => 2,
        0xe0..0xf0 => 3,
        0xf0..=0xf7 => 4,
        _ => return Some((Key::Nothing, 1)),
    };
    let whole = bytes.get(..length)?;
    let letter = std::str::from_utf8(whole).ok().and_then(|text| text.chars().next());
    Some(letter.map_or((Key::Nothing, 1), |letter| (Key::Letter(letter), length)))
}

/// A key that comes as several bytes. One whose end has not come yet is waited for; Escape by itself does nothing.
fn escaped(bytes: &[u8]) -> Option<(Key, usize)> {
    match bytes.get(1)? {
        b'\r' | b'\n' => Some((Key::Another, 2)),
        b'[' if bytes.starts_with(PASTE_BEGINS) => Some((Key::PasteBegins, PASTE_BEGINS.len())),
        b'[' | b'O' => {
            let length = 3 + bytes[2..].iter().position(|byte| (0x40..=0x7e).contains(byte))?;
            let key = match &bytes[2..length] {
                b"A" => Key::Up,
                b"B" => Key::Down,
                b"C" => Key::Right,
                b"D" => Key::Left,
                b"H" | b"1~" | b"7~" => Key::LineStart,
                b"F" | b"4~" | b"8~" => Key::LineEnd,
                b"3~" => Key::Delete,
                b"201~" => Key::PasteEnds,
                _ => Key::Nothing,
            };
            Some((key, length))
        }
        _ => Some((Key::Nothing, 2)),
    }
}
