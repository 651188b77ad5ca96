//! A stream of server-sent events, out of bytes that may be cut anywhere.
//!
//! Lines end with a line feed, a carriage return or both. Of an event only its data matters to us; what it is called
//! stands in the data, too. An event that is not ended by an empty line never happened. Every byte is looked at once,
//! however long a line is: a server that never ends one costs room, not time.

/// Puts events together.
#[derive(Debug, Default)]
pub(crate) struct SseParser {
    line: Vec<u8>,
    data: Vec<u8>,
    after_return: bool,
}

impl SseParser {
    /// Takes the next bytes and gives the data of the events they complete.
    pub fn take(&mut self, bytes: &[u8]) -> Vec<Vec<u8>> {
        let mut complete = Vec::new();
        for byte in bytes {
            let after_return = std::mem::replace(&mut self.after_return, *byte == b'\r');
            match byte {
                b'\n' if after_return => {}
                b'\n' | b'\r' => complete.extend(self.end_line()),
                _ => self.line.push(*byte),
            }
        }
        complete
    }

    fn end_line(&mut self) -> Option<Vec<u8>> {
        let line = std::mem::take(&mut self.line);
        if line.is_empty() {
            let mut data = std::mem::take(&mut self.data);
            data.pop();
            return (!data.is_empty()).then_some(data);
        }
        if let Some(data) = line.strip_prefix(b"data:") {
            self.data.extend(data.strip_prefix(b" ").unwrap_or(data));
            self.data.push(b'\n');
        }
        None
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(stream: &[u8], cut: usize) -> Vec<String> {
        let mut events = SseParser::default();
        let found = stream.chunks(cut).flat_map(|chunk| events.take(chunk)).collect::<Vec<_>>();
        found.into_iter().map(|data| String::from_utf8(data).unwrap()).collect()
    }

    #[test]
    fn events_are_the_same_wherever_the_bytes_are_cut() {
        let stream = "\u{feff}event: a\ndata: 一\ndata:二\n\n: note\r\n\r\nid: 1\rdata: 三\r\rdata\n\ndata: \n\nevent: b\n\ndata: 四\r\n\r\ndata: half\n";
        for cut in 1..stream.len() {
            assert_eq!(read(stream.as_bytes(), cut), ["一\n二", "三", "四"], "cut every {cut} bytes");
        }
    }
}
