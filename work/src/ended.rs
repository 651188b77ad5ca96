//! How a command ended, in words.

use enza_kernel::text::Lang;

use super::RunEnd;
use crate::words::words;

impl RunEnd {
    /// In words.
    pub fn say(self, lang: Lang) -> String {
        match self {
            RunEnd::Status(0) => words(lang).say("ended.well").to_owned(),
            RunEnd::Status(code) => words(lang).fill("ended.status", &[("code", &code)]),
            RunEnd::Signal(signal) => words(lang).fill("ended.signal", &[("signal", &signal)]),
            RunEnd::OutOfTime => words(lang).say("ended.out_of_time").to_owned(),
            RunEnd::TooManyProcesses => words(lang).say("ended.too_many_processes").to_owned(),
            RunEnd::TooMuchMemory => words(lang).say("ended.too_much_memory").to_owned(),
            RunEnd::TooMuchDisk => words(lang).say("ended.too_much_disk").to_owned(),
            RunEnd::Stopped => words(lang).say("ended.stopped").to_owned(),
            RunEnd::Unseen => words(lang).say("ended.unseen").to_owned(),
        }
    }
}
