//! Says where in a JSON text a parser stopped, as a path a model understands: `$.people[2].age`.

/// The path of the value that was being read when `consumed` bytes of a valid JSON text had been; `None` at the root.
pub(super) fn path(json: &str, consumed: usize) -> Option<String> {
    let bytes = json.as_bytes();
    let mut open: Vec<Open> = Vec::new();
    let mut place = 0;
    // The last byte read is the one that gave offence, often a closing bracket: it must not close its value here.
    while place + 1 < consumed.min(bytes.len()) {
        match bytes[place] {
            b'"' => {
                let end = end_of_string(bytes, place);
                if let Some(Open::Object { key, reading_key: true }) = open.last_mut() {
                    *key = serde_json::from_str(&json[place..end]).ok();
                }
                place = end;
                continue;
            }
            b'{' => open.push(Open::Object { key: None, reading_key: true }),
            b'[' => open.push(Open::Array { index: 0 }),
            b'}' | b']' => {
                open.pop();
            }
            b':' => {
                if let Some(Open::Object { reading_key, .. }) = open.last_mut() {
                    *reading_key = false;
                }
            }
            b',' => match open.last_mut() {
                Some(Open::Object { key, reading_key }) => (*key, *reading_key) = (None, true),
                Some(Open::Array { index }) => *index += 1,
                None => {}
            },
            _ => {}
        }
        place += 1;
    }
    let path: String = open.iter().map(Open::step).collect();
    // A closing bracket that gave offence means the value it closes, so the key read last in it says nothing.
    let path = match (bytes.get(consumed.wrapping_sub(1)), open.last()) {
        (Some(b'}' | b']'), Some(last)) => path[..path.len() - last.step().len()].to_owned(),
        (Some(_) | None, Some(_) | None) => path,
    };
    (!path.is_empty()).then(|| format!("${path}"))
}

enum Open {
    Object { key: Option<String>, reading_key: bool },
    Array { index: usize },
}

impl Open {
    fn step(&self) -> String {
        match self {
            Self::Object { key: Some(key), .. } => format!(".{key}"),
            Self::Object { key: None, .. } => String::new(),
            Self::Array { index } => format!("[{index}]"),
        }
    }
}

/// The place after the string that begins here.
fn end_of_string(bytes: &[u8], start: usize) -> usize {
    let mut place = start + 1;
    while place < bytes.len() {
        match bytes[place] {
            b'\\' => place += 2,
            b'"' => return place + 1,
            _ => place += 1,
        }
    }
    bytes.len()
}
