//! The digest of a prompt: all that the log keeps of it.
//!
//! A request has one canonical byte form, tools and stable sections first, then the thread, then what changes with every
//! call. Old logs are checked against it, so it never changes. A thread is long and grows by a message or two a call, so
//! whoever asks again and again keeps a `Beginning` and has only what is new read.

use std::fmt;

use serde::{Deserialize, Serialize};
use sha2::{Digest as _, Sha256};

use super::{Message, Request};

impl Request {
    /// The canonical bytes up to the first part that changes with every call. The prefix of the next call's, unless
    /// the thread was compacted in between.
    pub fn lasting_bytes(&self) -> Vec<u8> {
        let mut out = Vec::with_capacity(1024);
        self.write_lasting(&mut |bytes| out.extend_from_slice(bytes));
        out
    }

    /// The digest of the whole prompt.
    pub fn digest(&self) -> Digest {
        PromptPrefix::default().digest(self)
    }

    fn write_lasting(&self, put: &mut dyn FnMut(&[u8])) {
        self.write_opening(put);
        self.messages.iter().for_each(|message| write_message(put, message));
    }

    fn write_opening(&self, put: &mut dyn FnMut(&[u8])) {
        for tool in self.tools.iter() {
            write_piece(put, &tool.name, &tool.description);
            put(tool.parameters.to_string().as_bytes());
        }
        for part in &self.stable {
            write_piece(put, &part.name, &part.text);
        }
    }

    fn write_end(&self, put: &mut dyn FnMut(&[u8])) {
        for part in &self.fresh {
            write_piece(put, &part.name, &part.text);
        }
        if let Some(schema) = &self.output {
            put(schema.to_string().as_bytes());
        }
    }
}

/// What the last prompt began with: the digest of the next one goes on from there, if it begins with the same.
#[derive(Clone, Default)]
pub struct PromptPrefix {
    /// The digest of what stands before the thread.
    opening: Option<Digest>,
    /// The messages that have been read. They are held, so that one in the same place in memory is the same one.
    messages: Vec<Message>,
    /// Everything so far.
    read: Sha256,
}

impl PromptPrefix {
    /// The digest of a whole prompt, the same as its own.
    pub fn digest(&mut self, request: &Request) -> Digest {
        let mut opening = Sha256::new();
        request.write_opening(&mut |bytes| opening.update(bytes));
        let name = Some(Digest(opening.clone().finalize().into()));
        if self.opening != name || !self.is_start_of(&request.messages) {
            *self = Self { opening: name, messages: Vec::new(), read: opening };
        }
        for message in &request.messages[self.messages.len()..] {
            write_message(&mut |bytes| self.read.update(bytes), message);
            self.messages.push(message.clone());
        }
        let mut whole = self.read.clone();
        request.write_end(&mut |bytes| whole.update(bytes));
        Digest(whole.finalize().into())
    }

    fn is_start_of(&self, messages: &[Message]) -> bool {
        self.messages.len() <= messages.len() && self.messages.iter().zip(messages).all(|(old, new)| old.is(new))
    }
}

fn write_message(put: &mut dyn FnMut(&[u8]), message: &Message) {
    write_piece(put, message.role.word(), &message.text);
    for call in message.calls.iter() {
        write_piece(put, &call.id, &call.tool);
        put(call.arguments.to_string().as_bytes());
    }
    if let Some(call) = &message.answers {
        put(call.as_bytes());
    }
}

/// A piece with its name and length, so that no two different prompts have the same bytes.
fn write_piece(put: &mut dyn FnMut(&[u8]), name: &str, text: &str) {
    put(&(name.len() as u32).to_le_bytes());
    put(name.as_bytes());
    put(&(text.len() as u32).to_le_bytes());
    put(text.as_bytes());
}

/// SHA-256 of some bytes: names prompts in the log and files in storage.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Digest(pub [u8; 32]);

impl Digest {
    /// The digest of some bytes.
    pub fn of(bytes: &[u8]) -> Self {
        Self(Sha256::digest(bytes).into())
    }

    /// The digest behind its hexadecimal form.
    pub fn from_hex(hex: &str) -> Option<Self> {
        let mut bytes = [0; 32];
        if hex.len() != 64 || !hex.is_ascii() {
            return None;
        }
        for (place, byte) in bytes.iter_mut().enumerate() {
            *byte = u8::from_str_radix(&hex[place * 2..place * 2 + 2], 16).ok()?;
        }
        Some(Self(bytes))
    }
}

impl fmt::Display for Digest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        const HEX: &[u8; 16] = b"0123456789abcdef";
        let mut text = [0u8; 64];
        for (place, byte) in self.0.iter().enumerate() {
            text[place * 2] = HEX[usize::from(byte >> 4)];
            text[place * 2 + 1] = HEX[usize::from(byte & 15)];
        }
        out.write_str(std::str::from_utf8(&text).expect("hexadecimal digits are ASCII"))
    }
}

impl fmt::Debug for Digest {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        fmt::Display::fmt(self, out)
    }
}

impl Serialize for Digest {
    fn serialize<S: serde::Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for Digest {
    fn deserialize<D: serde::Deserializer<'de>>(from: D) -> Result<Self, D::Error> {
        let hex = String::deserialize(from)?;
        Self::from_hex(&hex).ok_or_else(|| serde::de::Error::custom("a digest is 64 hexadecimal digits"))
    }
}
