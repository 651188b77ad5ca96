//! Everything that is written: results on standard output, trouble on standard error.
//!
//! With `--json` standard output has the JSON and nothing else; what a person must see meanwhile goes to standard
//! error. Colour is used for very little, and only on a terminal.

mod amounts;
mod chart;
mod columns;
pub mod figures;
mod paint;
mod points;

pub use amounts::{bytes, span};
pub use chart::{Chart, Names, gauge};
pub use columns::{Columns, clip, fold, pad, width};
pub use paint::Paint;
pub use points::points;

use std::io::{IsTerminal as _, Write as _};
use std::process::ExitCode;
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};

use enza_kernel::gate::{Verdict, plain_answer};
use enza_kernel::text::Lang;
use enza_runtime::seams::store::SessionId;
use serde_json::{Value, json};

use crate::environment::{self, Environment};
use crate::trouble::{Trouble, UnderWay};
use crate::words;

/// Where a command writes.
pub struct Screen {
    /// The language of everything for people.
    pub lang: Lang,
    /// Whether the result is JSON.
    pub json: bool,
    /// How many columns a line has; a window may be resized.
    width: AtomicUsize,
    /// Colour, or none.
    pub paint: Paint,
    quiet: bool,
    /// Whether a line can be written over.
    lively: bool,
    has_status: AtomicBool,
    under_way: Mutex<Option<UnderWay>>,
}

impl Screen {
    /// The screen of these surroundings.
    pub fn new(around: &Environment) -> Self {
        Self {
            lang: around.lang,
            json: around.json,
            width: AtomicUsize::new(around.width),
            paint: Paint::new(around.colour && !around.json),
            quiet: around.quiet,
            lively: around.on_screen && !around.json && !around.quiet,
            has_status: AtomicBool::new(false),
            under_way: Mutex::default(),
        }
    }

    /// Writes a line for a person.
    pub fn say(&self, line: &str) -> Result<(), Trouble> {
        self.put(&format!("{line}\n"))
    }

    /// Writes a line that a person can do without; `--quiet` leaves it out.
    pub fn note(&self, line: &str) -> Result<(), Trouble> {
        if self.quiet { Ok(()) } else { self.say(line) }
    }

    /// Whether someone watches a terminal.
    pub fn is_watched(&self) -> bool {
        self.lively
    }

    /// Writes a line beside the result, on standard error.
    pub fn aside(&self, line: &str) -> Result<(), Trouble> {
        written(writeln!(std::io::stderr().lock(), "{line}"))
    }

    /// Writes the beginning of a line, and shows it.
    pub fn put(&self, text: &str) -> Result<(), Trouble> {
        if self.json {
            let mut err = std::io::stderr().lock();
            return written(err.write_all(text.as_bytes()));
        }
        let wipe = if self.has_status.swap(false, Ordering::Relaxed) { "\r\u{1b}[2K" } else { "" };
        let mut out = std::io::stdout().lock();
        written(write!(out, "{wipe}{text}").and_then(|()| out.flush()))
    }

    /// Shows what is going on, in a line that the next one takes the place of. Only where someone watches a terminal.
    pub fn status(&self, text: &str) -> Result<(), Trouble> {
        if !self.lively {
            return Ok(());
        }
        let line = self.paint.faint(&clip(text, self.width() - 1));
        self.has_status.store(true, Ordering::Relaxed);
        let mut out = std::io::stdout().lock();
        written(write!(out, "\r\u{1b}[2K{line}").and_then(|()| out.flush()))
    }

    /// How many columns a line has.
    pub fn width(&self) -> usize {
        self.width.load(Ordering::Relaxed)
    }

    /// Takes the width of the window as it is now.
    pub fn measure(&self) {
        self.width.store(environment::width(), Ordering::Relaxed);
    }

    /// Whether someone watches, so that a status is seen.
    pub fn is_lively(&self) -> bool {
        self.lively
    }

    /// Asks a person at the keyboard for a yes.
    pub async fn asks(&self, question: &str) -> Result<bool, Trouble> {
        self.put(question)?;
        let line = tokio::task::spawn_blocking(|| {
            let mut line = String::new();
            std::io::stdin().read_line(&mut line).map(|_| line)
        });
        let line = line.await.ok().and_then(Result::ok).unwrap_or_default();
        Ok(plain_answer(&line) == Some(Verdict::Yes))
    }

    /// Writes one JSON value on one line: the result, or one of many.
    pub fn value(&self, value: &Value) -> Result<(), Trouble> {
        let mut out = std::io::stdout().lock();
        written(writeln!(out, "{value}").and_then(|()| out.flush()))
    }

    /// What matters least, in lines that fit.
    pub fn faintly(&self, text: &str) -> String {
        let lines: Vec<String> = fold(text, self.width()).iter().map(|line| self.paint.faint(line)).collect();
        lines.join("\n")
    }

    /// The text in this screen's language.
    pub fn pick<T>(&self, ja: T, en: T) -> T {
        self.lang.pick(ja, en)
    }

    /// Remembers which session is under way and the command that goes on with it, for whoever interrupts it.
    pub fn remember(&self, session: &SessionId, resume: String) {
        *self.under_way.lock().expect("under way") = Some(UnderWay { session: session.clone(), resume });
    }

    /// The session under way.
    pub fn under_way(&self) -> Option<UnderWay> {
        self.under_way.lock().expect("under way").clone()
    }
}

fn written(outcome: std::io::Result<()>) -> Result<(), Trouble> {
    outcome.map_err(|_| Trouble::NobodyReads)
}

/// Prints the help or the version that was asked for.
pub fn print_help(help: &clap::Error) -> ExitCode {
    // Nobody to tell if this fails.
    let _ = help.print();
    ExitCode::SUCCESS
}

/// Says what went wrong: for people on standard error, and with `--json` as JSON on standard output.
pub fn report(trouble: &Trouble, lang: Lang, json: bool) -> ExitCode {
    let said = words::trouble::say(trouble, lang);
    let code = trouble.code();
    if json {
        let mut error = json!({"code": code, "message": said.message, "hint": said.hint});
        if let Some(session) = trouble.session() {
            error["session"] = json!(session);
        }
        let mut out = std::io::stdout().lock();
        let _ = writeln!(out, "{}", json!({ "error": error }));
    }
    let label = words::words(lang).say("trouble.next");
    let indented = said.hint.replace('\n', "\n      ");
    let mut err = std::io::stderr().lock();
    if matches!(trouble, Trouble::Interrupted { .. }) && err.is_terminal() {
        // The terminal has just written ^C.
        let _ = writeln!(err);
    }
    let _ = writeln!(err, "enza: {}\n{label}: {indented}\n{}", said.message, words::trouble::page(lang, code));
    ExitCode::from(trouble.exit())
}
