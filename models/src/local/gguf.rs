//! Reads the head of a GGUF file: what a model is, and what its memory of a conversation takes per token.
//!
//! Only the key-value pairs at the beginning are read, and none of the weights. The file may be damaged or no GGUF at
//! all: every length it states is checked against a ceiling before it is believed, and nothing here panics.

use std::fs::File;
use std::io::{self, BufReader, Read as _};
use std::path::Path;

/// More pairs than any model has.
const MOST_PAIRS: u64 = 16_384;
/// Longer than any chat template.
const LONGEST_TEXT: u64 = 16 << 20;
/// More entries than any vocabulary.
const LONGEST_LIST: u64 = 16 << 20;
/// Lists of lists are allowed by the format and used by nobody.
const DEEPEST: u32 = 4;
/// Bytes of one number in the cache of keys and values: 16-bit floats, as the server does unless told otherwise.
const CACHE_NUMBER: u64 = 2;

/// What the head of a file says about its model.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Shape {
    /// The family, such as `qwen2`.
    pub architecture: String,
    /// What its makers call it.
    pub title: Option<String>,
    /// The longest context it was trained for; 0 if it does not say.
    pub trained_context: u64,
    /// What one token of context takes in memory. 0 for a family that keeps no keys and values.
    pub bytes_per_token: u64,
}

/// Why a file's head could not be read. Next: pull the weights again.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum HeadError {
    /// It does not begin as a GGUF file does. Next: check the path; if it was pulled, pull it again.
    #[error("this is not a GGUF file")]
    NotGguf,
    /// A version of the format that we do not know. Next: take weights made for a current llama.cpp.
    #[error("GGUF version {version} is not known")]
    UnknownVersion {
        /// What the file says.
        version: u32,
    },
    /// It ends in its head, or its head contradicts itself. Next: pull the weights again.
    #[error("the head of the file is damaged: {what}")]
    Damaged { what: String },
    /// It could not be read. Next: check the disk and the permissions.
    #[error("the file cannot be read: {cause}")]
    Unreadable { cause: String },
}

/// Reads the head of a file.
pub fn read(path: &Path) -> Result<Shape, HeadError> {
    let file = File::open(path).map_err(|cause| HeadError::Unreadable { cause: cause.to_string() })?;
    let mut head = Head { file: BufReader::new(file) };
    let mut magic = [0; 4];
    match head.file.read_exact(&mut magic) {
        Ok(()) if &magic == b"GGUF" => {}
        Ok(()) => return Err(HeadError::NotGguf),
        Err(cause) if cause.kind() == io::ErrorKind::UnexpectedEof => return Err(HeadError::NotGguf),
        Err(cause) => return Err(HeadError::Unreadable { cause: cause.to_string() }),
    }
    let version = u32::from_le_bytes(head.bytes()?);
    if !(2..=3).contains(&version) {
        return Err(HeadError::UnknownVersion { version });
    }
    let _tensors = u64::from_le_bytes(head.bytes()?);
    let pairs = bounded(u64::from_le_bytes(head.bytes()?), MOST_PAIRS, "pairs")?;
    let mut found = Vec::new();
    for _ in 0..pairs {
        let key = head.text()?;
        let kind = u32::from_le_bytes(head.bytes()?);
        found.push((key, head.value(kind, 0)?));
    }
    shape(&Pairs(found))
}

fn shape(pairs: &Pairs) -> Result<Shape, HeadError> {
    let Some(architecture) = pairs.text("general.architecture") else {
        return Err(damaged("it names no architecture"));
    };
    let of = |key: &str| pairs.number(&format!("{architecture}.{key}"));
    let layers = of("block_count").unwrap_or(0);
    let heads = of("attention.head_count").unwrap_or(0);
    let in_one_head = of("embedding_length").unwrap_or(0).checked_div(heads).unwrap_or(0);
    let key_length = of("attention.key_length").unwrap_or(in_one_head);
    let value_length = of("attention.value_length").unwrap_or(in_one_head);
    let kept_heads = match pairs.list(&format!("{architecture}.attention.head_count_kv")) {
        Some(by_layer) => by_layer.iter().fold(0, |sum: u64, heads| sum.saturating_add(*heads)),
        None => of("attention.head_count_kv").unwrap_or(heads).saturating_mul(layers),
    };
    let numbers = kept_heads.saturating_mul(key_length.saturating_add(value_length));
    Ok(Shape {
        architecture: architecture.to_owned(),
        title: pairs.text("general.name").map(str::to_owned),
        trained_context: of("context_length").unwrap_or(0),
        bytes_per_token: numbers.saturating_mul(CACHE_NUMBER),
    })
}

struct Head {
    file: BufReader<File>,
}

enum Value {
    Number(u64),
    Text(String),
    Numbers(Vec<u64>),
    /// Nothing we ask for: a fraction, a truth, or a list of texts.
    Other,
}

impl Head {
    fn bytes<const N: usize>(&mut self) -> Result<[u8; N], HeadError> {
        let mut bytes = [0; N];
        self.file.read_exact(&mut bytes).map_err(|cause| match cause.kind() {
            io::ErrorKind::UnexpectedEof => damaged("it ends too early"),
            _ => HeadError::Unreadable { cause: cause.to_string() },
        })?;
        Ok(bytes)
    }

    fn text(&mut self) -> Result<String, HeadError> {
        let length = bounded(u64::from_le_bytes(self.bytes()?), LONGEST_TEXT, "bytes in a text")?;
        let mut bytes = Vec::new();
        let read = self.file.by_ref().take(length).read_to_end(&mut bytes);
        let read = read.map_err(|cause| HeadError::Unreadable { cause: cause.to_string() })?;
        if (read as u64) < length {
            return Err(damaged("it ends too early"));
        }
        Ok(String::from_utf8_lossy(&bytes).into_owned())
    }

    fn skip_text(&mut self) -> Result<(), HeadError> {
        let length = bounded(u64::from_le_bytes(self.bytes()?), LONGEST_TEXT, "bytes in a text")?;
        self.file.seek_relative(length as i64).map_err(|cause| HeadError::Unreadable { cause: cause.to_string() })
    }

    fn value(&mut self, kind: u32, depth: u32) -> Result<Value, HeadError> {
        let signed = |number: i64| Value::Number(u64::try_from(number).unwrap_or(0));
        Ok(match kind {
            0 => Value::Number(u8::from_le_bytes(self.bytes()?).into()),
            1 => signed(i8::from_le_bytes(self.bytes()?).into()),
            2 => Value::Number(u16::from_le_bytes(self.bytes()?).into()),
            3 => signed(i16::from_le_bytes(self.bytes()?).into()),
            4 => Value::Number(u32::from_le_bytes(self.bytes()?).into()),
            5 => signed(i32::from_le_bytes(self.bytes()?).into()),
            6 => self.bytes::<4>().map(|_| Value::Other)?,
            7 => self.bytes::<1>().map(|_| Value::Other)?,
            8 => Value::Text(self.text()?),
            9 => self.list(depth)?,
            10 => Value::Number(u64::from_le_bytes(self.bytes()?)),
            11 => signed(i64::from_le_bytes(self.bytes()?)),
            12 => self.bytes::<8>().map(|_| Value::Other)?,
            unknown => return Err(damaged(&format!("a value is of the unknown kind {unknown}"))),
        })
    }

    fn list(&mut self, depth: u32) -> Result<Value, HeadError> {
        if depth >= DEEPEST {
            return Err(damaged("its lists are nested too deeply"));
        }
        let kind = u32::from_le_bytes(self.bytes()?);
        let length = bounded(u64::from_le_bytes(self.bytes()?), LONGEST_LIST, "entries in a list")?;
        let mut numbers = Vec::new();
        for _ in 0..length {
            if kind == 8 {
                self.skip_text()?;
                continue;
            }
            match self.value(kind, depth + 1)? {
                Value::Number(number) => numbers.push(number),
                Value::Text(_) | Value::Numbers(_) | Value::Other => {}
            }
        }
        Ok(if numbers.is_empty() { Value::Other } else { Value::Numbers(numbers) })
    }
}

struct Pairs(Vec<(String, Value)>);

impl Pairs {
    fn value(&self, key: &str) -> Option<&Value> {
        self.0.iter().find(|(this, _)| this == key).map(|(_, value)| value)
    }

    fn number(&self, key: &str) -> Option<u64> {
        match self.value(key)? {
            Value::Number(number) => Some(*number),
            Value::Numbers(numbers) => numbers.iter().copied().max(),
            Value::Text(_) | Value::Other => None,
        }
    }

    fn list(&self, key: &str) -> Option<&[u64]> {
        match self.value(key)? {
            Value::Numbers(numbers) => Some(numbers),
            Value::Number(_) | Value::Text(_) | Value::Other => None,
        }
    }

    fn text(&self, key: &str) -> Option<&str> {
        match self.value(key)? {
            Value::Text(text) => Some(text),
            Value::Number(_) | Value::Numbers(_) | Value::Other => None,
        }
    }
}

fn bounded(stated: u64, most: u64, of: &str) -> Result<u64, HeadError> {
    if stated <= most { Ok(stated) } else { Err(damaged(&format!("it claims {stated} {of}"))) }
}

fn damaged(what: &str) -> HeadError {
    HeadError::Damaged { what: what.to_owned() }
}
