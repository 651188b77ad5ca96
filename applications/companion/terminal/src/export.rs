//! A session in a file: the conversation as Markdown for people, or the log a line each.
//!
//! Made from the log alone, secrets masked. The file is beside the data and never in the project; only its owner may read
//! it, since it holds what was said.

use std::io::Write as _;
use std::os::unix::fs::OpenOptionsExt as _;
use std::path::Path;

use enza_companion::{Companion, Event};
use enza_kernel::application::{Application as _, Entry};
use enza_kernel::floor::Who;
use enza_kernel::reader::Reader;
use enza_kernel::text::Lang;
use enza_kernel::time::Seq;
use enza_runtime::engine::Engine;
use enza_runtime::seams::store::{Recorded, SessionId};
use enza_terminal::commands::session::when;
use enza_terminal::environment::Environment;
use enza_terminal::talk::GoesOn;
use enza_terminal::trouble::Trouble;
use enza_work::{Receipt, hazard};

use super::audit;
use super::parse::TranscriptFormat;
use super::talk::Talk;
use crate::tools::companion_folder;
use crate::words::{self, talk};

impl Talk<'_> {
    /// Writes the session to a file.
    pub(super) async fn export(&mut self, form: TranscriptFormat) -> Result<GoesOn, Trouble> {
        let told = export(self.around, self.engine, &self.session, form, self.show.screen.lang).await?;
        self.tell(&told)
    }
}

/// Writes a session to a file, and says where.
pub async fn export(
    around: &Environment,
    engine: &Engine,
    session: &SessionId,
    form: TranscriptFormat,
    lang: Lang,
) -> Result<String, Trouble> {
    let events = engine.store().events(session, Seq::START, usize::MAX).await?;
    let (text, ending) = match form {
        TranscriptFormat::Markdown => (markdown(&events, lang), "md"),
        TranscriptFormat::Log => {
            (audit::records(session, &events, lang).iter().map(|one| format!("{one}\n")).collect(), "jsonl")
        }
    };
    let folder = companion_folder(around).join("exports");
    let path = folder.join(format!("{session}.{ending}"));
    Ok(match std::fs::create_dir_all(&folder).and_then(|()| put(&path, &text)) {
        Ok(()) => talk::exported(lang, &path),
        Err(why) => talk::not_exported(lang, &path, &why),
    })
}

/// Writes beside and puts that in its place, so that the file is complete or not there.
fn put(path: &Path, text: &str) -> std::io::Result<()> {
    let beside = path.with_extension(format!("new.{}", std::process::id()));
    let mut file = std::fs::OpenOptions::new().write(true).create(true).truncate(true).mode(0o600).open(&beside)?;
    file.write_all(text.as_bytes())?;
    file.sync_all()?;
    std::fs::rename(beside, path)
}

/// The conversation as Markdown.
fn markdown(events: &[Recorded], lang: Lang) -> String {
    let mut out = String::new();
    let mut turn = 0;
    for entry in events.iter().flat_map(Recorded::entry::<Companion>) {
        if let Event::Heard { text, .. } = &entry.event {
            turn += 1;
            out += &format!("\n## {turn}\n\n{}\n", quoted(text));
        } else if let Some(text) = event_markdown(&entry, lang) {
            out += &text;
        }
    }
    hazard::mask(&out).into_owned()
}

/// What is written of an event that is no word of the person's.
fn event_markdown(entry: &Entry<Event>, lang: Lang) -> Option<String> {
    if let Event::Opened(opened) = &entry.event {
        return Some(format!("# {}\n\n{}\n", opened.open.folder, when(entry.at)));
    }
    if let Event::GateOpened { gate, .. } = &entry.event {
        let diff = gate.ask.diff.as_ref().map_or_else(String::new, |diff| format!("\n{}\n", fenced("diff", diff)));
        return Some(format!("\n**{}**\n{diff}", gate.ask.intent.trim().replace('\n', "  \n")));
    }
    if let Event::OrderEnded { receipt, .. } = &entry.event
        && let Receipt::Ran(ran) = &**receipt
    {
        return Some(format!("\n{}\n", fenced("text", &words::named_run(lang, ran))));
    }
    let line = Companion::line(entry, &Reader::host(), lang)?;
    match line.who {
        // What waited is written once, when it is heard.
        Who::Person(_) => None,
        Who::Agent(_) => Some(format!("\n{}\n", line.text.trim())),
        Who::Session => Some(format!("\n- {}\n", line.text.trim().replace('\n', "\n  "))),
    }
}

fn quoted(text: &str) -> String {
    text.lines().map(|line| format!("> {line}").trim_end().to_owned()).collect::<Vec<_>>().join("\n")
}

/// In a fence longer than any inside.
fn fenced(kind: &str, text: &str) -> String {
    let longest = text.lines().map(|line| line.trim_start().chars().take_while(|letter| *letter == '`').count()).max();
    let fence = "`".repeat(longest.unwrap_or(0).max(2) + 1);
    format!("{fence}{kind}\n{}\n{fence}", text.trim_end())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fence_is_longer_than_any_inside() {
        assert_eq!(fenced("text", "```rust\nx\n```\n"), "````text\n```rust\nx\n```\n````");
        assert_eq!(quoted("a\n\nb"), "> a\n>\n> b");
    }
}
