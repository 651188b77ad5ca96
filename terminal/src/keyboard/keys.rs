//! What the bytes of a keyboard mean.
//!
//! A key may come as several bytes, in whatever pieces: what is not whole yet is waited for. Inside a paste everything is
//! a letter, so that nothing pasted can send itself.

const PASTE_BEGINS: &[u8] = b"\x1b[200~";
const PASTE_ENDS: &[u8] = b"\x1b[201~";

/// A key.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Key {
    Letter(char),
    /// The line is finished.
    Enter,
    /// Another line of the same.
    Another,
    /// Ctrl-C.
    Interrupt,
    /// Ctrl-D.
    End,
    /// Ctrl-Z.
    Pause,
    /// Ctrl-G: in an editor.
    Compose,
    /// Ctrl-L.
    Clear,
    /// The letter before goes.
    Backspace,
    /// The letter behind goes.
    Delete,
    /// A letter back.
    Left,
    /// A letter on.
    Right,
    /// A word back.
    WordLeft,
    WordRight,
    /// What was typed before.
    Up,
    /// What was typed after.
    Down,
    /// To the beginning of the line.
    LineStart,
    LineEnd,
    /// The rest of the line goes.
    CutToEnd,
    /// The beginning of the line goes.
    CutToStart,
    /// The word before goes.
    CutWord,
    /// The word is completed.
    Tab,
    /// Shift-Tab: the next mode.
    Mode,
    PasteBegins,
    PasteEnds,
    /// Nothing that we know.
    Nothing,
}

/// The next key and how many bytes it takes; none where bytes are missing.
pub fn key(bytes: &[u8], pasting: bool) -> Option<(Key, usize)> {
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
        0x07 => Key::Compose,
        0x08 | 0x7f => Key::Backspace,
        0x0b => Key::CutToEnd,
        0x0c => Key::Clear,
        0x0e => Key::Down,
        0x10 => Key::Up,
        0x15 => Key::CutToStart,
        0x17 => Key::CutWord,
        0x1a => Key::Pause,
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
                b"1;5C" | b"1;3C" => Key::WordRight,
                b"1;5D" | b"1;3D" => Key::WordLeft,
                b"3~" => Key::Delete,
                b"201~" => Key::PasteEnds,
                b"Z" => Key::Mode,
                _ => Key::Nothing,
            };
            Some((key, length))
        }
        b'b' => Some((Key::WordLeft, 2)),
        b'f' => Some((Key::WordRight, 2)),
        _ => Some((Key::Nothing, 2)),
    }
}
