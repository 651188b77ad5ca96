//! Names of files in the headers of a diff, quoted as git quotes them where they would be misread.
//!
//! We leave letters of all languages as they are; git by default writes their bytes in octal, and we read that too.

use std::fmt::Write;

/// A name as it can stand in a header.
pub(super) fn quoted(name: &str) -> String {
    let is_plain = |letter: char| !letter.is_control() && letter != '"' && letter != '\\';
    if name.chars().all(is_plain) {
        return name.to_owned();
    }
    let mut quoted = String::from("\"");
    for letter in name.chars() {
        match letter {
            '"' | '\\' => quoted.extend(['\\', letter]),
            _ if is_plain(letter) => quoted.push(letter),
            _ => {
                for byte in letter.encode_utf8(&mut [0; 4]).bytes() {
                    let _ = write!(quoted, "\\{byte:03o}");
                }
            }
        }
    }
    quoted.push('"');
    quoted
}

/// What a quoted name means, and what stands behind it; none where it is not quoted, or not to its end.
pub(super) fn unquoted(text: &str) -> Option<(String, &str)> {
    let inside = text.strip_prefix('"')?;
    let mut bytes = Vec::new();
    let mut rest = inside.bytes().enumerate();
    while let Some((at, byte)) = rest.next() {
        match byte {
            b'"' => return Some((String::from_utf8(bytes).ok()?, &inside[at + 1..])),
            b'\\' => {
                let (_, escaped) = rest.next()?;
                let meant = match escaped {
                    b'a' => 7,
                    b'b' => 8,
                    b't' => b'\t',
                    b'n' => b'\n',
                    b'v' => 11,
                    b'f' => 12,
                    b'r' => b'\r',
                    b'0'..=b'3' => {
                        let mut digit =
                            || rest.next().map(|(_, digit)| digit).filter(|digit| (b'0'..=b'7').contains(digit));
                        ((escaped - b'0') << 6) | ((digit()? - b'0') << 3) | (digit()? - b'0')
                    }
                    other => other,
                };
                bytes.push(meant);
            }
            other => bytes.push(other),
        }
    }
    None
}
