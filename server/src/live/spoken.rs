//! The argument of a call that is said to a person, read while the call is being written.
//!
//! Arguments come as JSON text in fragments that may end anywhere: inside a name, an escape, half of a surrogate pair. Each
//! fragment gives the part of the argument that has become certain. Anything that is not an object, or has no such
//! argument of text, gives nothing; whether the whole is sound is found out elsewhere, when it is whole.

/// Reads one argument of one call.
#[derive(Debug)]
pub struct SpokenArgument {
    argument: &'static str,
    at: JsonPosition,
    text: Unescape,
    key: String,
}

/// Where in the JSON text.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum JsonPosition {
    /// Before the object.
    Before,
    /// Inside it, before a key or its end.
    Between,
    /// Inside a key.
    Key,
    /// After a key.
    Colon,
    /// Before a value.
    Value,
    /// Inside the argument.
    Speaking,
    /// Inside another value.
    Passing { depth: u32, quoted: bool, escaped: bool },
    /// After the argument, or lost.
    Over,
}

impl SpokenArgument {
    /// A reader of this argument.
    pub fn of(argument: &'static str) -> Self {
        Self { argument, at: JsonPosition::Before, text: Unescape::default(), key: String::new() }
    }

    /// Takes the next fragment, and gives what it adds to the argument.
    pub fn take(&mut self, fragment: &str) -> String {
        let mut out = String::new();
        for char in fragment.chars() {
            self.at = self.step(char, &mut out);
        }
        out
    }

    fn step(&mut self, char: char, out: &mut String) -> JsonPosition {
        let is_space = char.is_ascii_whitespace();
        match self.at {
            JsonPosition::Before | JsonPosition::Between | JsonPosition::Colon | JsonPosition::Value if is_space => {
                self.at
            }
            JsonPosition::Before => if_it_is(char, '{', JsonPosition::Between),
            JsonPosition::Between if char == ',' => JsonPosition::Between,
            JsonPosition::Between => {
                self.key.clear();
                if_it_is(char, '"', JsonPosition::Key)
            }
            JsonPosition::Key if self.text.take(char, &mut self.key) => JsonPosition::Colon,
            JsonPosition::Key => JsonPosition::Key,
            JsonPosition::Colon => if_it_is(char, ':', JsonPosition::Value),
            JsonPosition::Value if self.key == self.argument => if_it_is(char, '"', JsonPosition::Speaking),
            JsonPosition::Value => pass(0, false, false, char),
            JsonPosition::Speaking if self.text.take(char, out) => JsonPosition::Over,
            JsonPosition::Speaking => JsonPosition::Speaking,
            JsonPosition::Passing { depth, quoted, escaped } => pass(depth, quoted, escaped, char),
            JsonPosition::Over => JsonPosition::Over,
        }
    }
}

fn if_it_is(char: char, wanted: char, next: JsonPosition) -> JsonPosition {
    if char == wanted { next } else { JsonPosition::Over }
}

/// Passes over a value that nobody wants to hear.
fn pass(depth: u32, quoted: bool, escaped: bool, char: char) -> JsonPosition {
    let stay = |depth, quoted, escaped| JsonPosition::Passing { depth, quoted, escaped };
    match (quoted, char) {
        (true, _) if escaped => stay(depth, true, false),
        (true, '\\') => stay(depth, true, true),
        (true, '"') => stay(depth, false, false),
        (true, _) => stay(depth, true, false),
        (false, '"') => stay(depth, true, false),
        (false, '{' | '[') => stay(depth + 1, false, false),
        (false, '}' | ']') if depth == 0 => JsonPosition::Over,
        (false, '}' | ']') => stay(depth - 1, false, false),
        (false, ',') if depth == 0 => JsonPosition::Between,
        (false, _) => stay(depth, false, false),
    }
}

/// Reads the inside of a JSON string, one character at a time.
#[derive(Debug, Default)]
struct Unescape {
    escape: Escape,
    /// The first half of a surrogate pair, while the second is awaited.
    high: Option<u16>,
}

#[derive(Debug, Default, Clone, Copy)]
enum Escape {
    #[default]
    None,
    Backslash,
    Unicode {
        digits: u8,
        value: u16,
    },
}

impl Unescape {
    /// Takes a character, adds what is certain to `out`, and says whether the string has ended.
    fn take(&mut self, char: char, out: &mut String) -> bool {
        match self.escape {
            Escape::None => match char {
                '\\' => self.escape = Escape::Backslash,
                '"' => {
                    self.give_up_half(out);
                    return true;
                }
                plain => self.say(plain, out),
            },
            Escape::Backslash => {
                self.escape = Escape::None;
                match char {
                    'u' => self.escape = Escape::Unicode { digits: 0, value: 0 },
                    'n' => self.say('\n', out),
                    't' => self.say('\t', out),
                    'r' => self.say('\r', out),
                    'b' => self.say('\u{8}', out),
                    'f' => self.say('\u{c}', out),
                    itself => self.say(itself, out),
                }
            }
            Escape::Unicode { digits, value } => {
                let digit = char.to_digit(16).unwrap_or(0) as u16;
                let value = (value << 4) | digit;
                self.escape = Escape::Unicode { digits: digits + 1, value };
                if digits == 3 {
                    self.escape = Escape::None;
                    self.unit(value, out);
                }
            }
        }
        false
    }

    /// Takes a UTF-16 unit.
    fn unit(&mut self, unit: u16, out: &mut String) {
        match (self.high.take(), unit) {
            (Some(high), 0xDC00..=0xDFFF) => {
                let pair = char::decode_utf16([high, unit]).next().and_then(Result::ok);
                out.push(pair.unwrap_or(char::REPLACEMENT_CHARACTER));
            }
            (before, 0xD800..=0xDBFF) => {
                out.extend(before.map(|_| char::REPLACEMENT_CHARACTER));
                self.high = Some(unit);
            }
            (before, _) => {
                out.extend(before.map(|_| char::REPLACEMENT_CHARACTER));
                out.push(char::from_u32(u32::from(unit)).unwrap_or(char::REPLACEMENT_CHARACTER));
            }
        }
    }

    fn say(&mut self, char: char, out: &mut String) {
        self.give_up_half(out);
        out.push(char);
    }

    fn give_up_half(&mut self, out: &mut String) {
        out.extend(self.high.take().map(|_| char::REPLACEMENT_CHARACTER));
    }
}
