//! Text as a part of an address or of a header: every byte that is not plainly allowed there is spelled with a percent sign.

use std::fmt::Write as _;

/// A text as a part of an address.
pub fn encoded(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => out.push(char::from(byte)),
            _ => write!(out, "%{byte:02X}").expect("a String takes everything"),
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn whatever_could_end_a_part_of_an_address_is_spelled_out() {
        assert_eq!(encoded("a-b_c.d~9"), "a-b_c.d~9");
        assert_eq!(encoded("x y&z=名%"), "x%20y%26z%3D%E5%90%8D%25");
    }
}
