//! The `enza` binary: everything one does at a terminal.
//!
//! First the arguments are read as they were typed, then the surroundings are resolved (folders, language, terminal),
//! then one command runs. This crate alone reads the environment; nothing below it does.

mod arguments;
mod codes;
mod commands;
mod config_file;
mod delivery;
mod environment;
mod files;
mod known_databases;
mod screen;
mod setup;
mod stage;
mod trouble;
mod words;
mod worker_lock;

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use clap::{CommandFactory as _, FromArgMatches as _};
use tokio::signal::unix::{SignalKind, signal};

use arguments::{Arguments, CliCommand};
use environment::Environment;
use screen::Screen;
use trouble::Trouble;

fn main() -> ExitCode {
    let typed: Vec<OsString> = std::env::args_os().collect();
    if typed.get(1).is_some_and(|word| word == setup::TETHER) {
        return tethered(typed);
    }
    if typed.get(1).is_some_and(|word| word == enza_workshop::run::CONFINED) {
        return confined(typed);
    }
    let environment = environment::variable;
    let lang = environment::language_typed(&typed).unwrap_or_else(|| environment::language(&environment).0);
    let arguments = match read(&typed, lang) {
        Ok(arguments) => arguments,
        Err(error) if !error.use_stderr() => return screen::print_help(&error),
        Err(error) => {
            return screen::report(&Trouble::Usage(Box::new(error)), lang, typed.iter().any(|word| word == "--json"));
        }
    };
    let json = arguments.everywhere.json;
    let outcome = Environment::resolve(&arguments.everywhere, &environment).and_then(|around| run(around, arguments));
    match outcome {
        Ok(()) | Err(Trouble::NobodyReads) => ExitCode::SUCCESS,
        Err(trouble) => screen::report(&trouble, lang, json),
    }
}

/// Becomes the local model's server, in a way that ends it with the process that asked for it.
fn tethered(typed: Vec<OsString>) -> ExitCode {
    cannot_run(&enza_models::local::launcher::run(typed.into_iter().skip(2)))
}

/// Becomes a confined command, or the keeper of one.
fn confined(typed: Vec<OsString>) -> ExitCode {
    cannot_run(&enza_workshop::run::confined(typed.into_iter().skip(2)))
}

fn cannot_run(error: &std::io::Error) -> ExitCode {
    const CANNOT_RUN: u8 = 126;
    let _ = writeln!(std::io::stderr(), "enza: {error}");
    ExitCode::from(CANNOT_RUN)
}

/// Reads what was typed, with help in the reader's language.
fn read(typed: &[OsString], lang: enza_kernel::text::Lang) -> Result<Arguments, clap::Error> {
    let command = words::help::with_help(Arguments::command(), lang, environment::width());
    let matches = command.try_get_matches_from(typed)?;
    Arguments::from_arg_matches(&matches)
}

/// Runs the command until it ends or Ctrl-C is pressed.
fn run(around: Environment, arguments: Arguments) -> Result<(), Trouble> {
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|why| Trouble::Folder { path: around.data.clone(), why: why.to_string() })?;
    let screen = Screen::new(&around);
    let outcome = runtime.block_on(async {
        if arguments.order.as_ref().is_none_or(CliCommand::stops_by_itself) {
            return commands::run(&around, &screen, arguments.order).await;
        }
        let interrupted = interrupted();
        tokio::select! {
            biased;
            outcome = commands::run(&around, &screen, arguments.order) => outcome,
            () = interrupted => Err(Trouble::Interrupted { session: screen.session() }),
        }
    });
    // A thread that waits for a line from the terminal must not hold up the end.
    runtime.shutdown_background();
    outcome
}

/// Comes when Ctrl-C is pressed. It is listened for from the call on, not only once someone waits: before that the
/// process would be killed, and could not say how to go on.
fn interrupted() -> impl Future<Output = ()> {
    let listening = signal(SignalKind::interrupt());
    async move {
        match listening {
            Ok(mut signal) => drop(signal.recv().await),
            Err(_) => std::future::pending().await,
        }
    }
}
