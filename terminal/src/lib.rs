//! What every order at a terminal needs, and the orders that belong to no application.
//!
//! First the arguments are read as they were typed, then the surroundings are resolved (folders, language, terminal),
//! then one command runs. This room alone reads the environment; nothing below it does. It names no application: those
//! of a build come in with `main`, each with what it adds (`part`), and stand in one list (`applications`).

pub mod applications;
mod arguments;
pub mod codes;
pub mod commands;
mod config_file;
pub mod environment;
pub mod files;
pub mod keyboard;
mod known_databases;
mod model_settings;
pub mod part;
pub mod screen;
pub mod setup;
pub mod talk;
pub mod trouble;
pub mod words;
mod worker_lock;

use std::ffi::OsString;
use std::io::Write as _;
use std::process::ExitCode;

use clap::{ArgMatches, FromArgMatches as _};
use enza_kernel::text::Lang;
use tokio::signal::unix::{SignalKind, signal};

use applications::Applications;
use arguments::{Arguments, CliCommand, GlobalArgs};
use environment::Environment;
use part::TerminalPart;
use screen::Screen;
use trouble::Trouble;

/// The whole program, with these applications.
pub fn main(applications: &Applications) -> ExitCode {
    let typed: Vec<OsString> = std::env::args_os().collect();
    if typed.get(1).is_some_and(|word| word == setup::TETHER) {
        return tethered(typed);
    }
    if typed.get(1).is_some_and(|word| word == enza_workshop::run::CONFINED) {
        return confined(typed);
    }
    let environment = environment::variable;
    let lang = environment::language_typed(&typed).unwrap_or_else(|| environment::language(&environment).0);
    let (everywhere, matches) = match read(&typed, applications, lang) {
        Ok(read) => read,
        Err(error) if !error.use_stderr() => return screen::print_help(&error),
        Err(error) => {
            return screen::report(&Trouble::Usage(Box::new(error)), lang, typed.iter().any(|word| word == "--json"));
        }
    };
    let json = everywhere.json;
    let around = Environment::resolve(&everywhere, &environment, applications.clone());
    match around.and_then(|around| run(&around, &matches)) {
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
fn read(typed: &[OsString], applications: &Applications, lang: Lang) -> Result<(GlobalArgs, ArgMatches), clap::Error> {
    let command = words::help::with_help(arguments::command(applications), applications, lang, environment::width());
    let matches = command.try_get_matches_from(typed)?;
    Ok((GlobalArgs::from_arg_matches(&matches)?, matches))
}

/// One order: ours, or one that an application adds.
enum TypedOrder<'a> {
    Ours(Option<CliCommand>),
    Theirs { part: &'a dyn TerminalPart, name: &'a str, matches: &'a ArgMatches },
}

impl<'a> TypedOrder<'a> {
    fn of(applications: &'a Applications, matches: &'a ArgMatches) -> Result<Self, Trouble> {
        let theirs = matches.subcommand().and_then(|(name, below)| Some((applications.part_with(name)?, name, below)));
        match theirs {
            Some((part, name, matches)) => Ok(Self::Theirs { part: &**part, name, matches }),
            None => {
                let ours = Arguments::from_arg_matches(matches);
                Ok(Self::Ours(ours.map_err(|error| Trouble::Usage(Box::new(error)))?.order))
            }
        }
    }

    /// Whether it minds the signal to stop itself, and ends in order.
    fn stops_by_itself(&self) -> bool {
        match self {
            Self::Ours(order) => order.as_ref().is_none_or(CliCommand::stops_by_itself),
            Self::Theirs { part, .. } => part.stops_by_itself(),
        }
    }

    async fn run(self, around: &Environment, screen: &Screen) -> Result<(), Trouble> {
        match self {
            Self::Ours(order) => commands::run(around, screen, order).await,
            Self::Theirs { part, name, matches } => part.run(around, screen, name, matches).await,
        }
    }
}

/// Runs the command until it ends or Ctrl-C is pressed.
fn run(around: &Environment, matches: &ArgMatches) -> Result<(), Trouble> {
    let order = TypedOrder::of(&around.applications, matches)?;
    let runtime = tokio::runtime::Builder::new_multi_thread()
        .enable_all()
        .build()
        .map_err(|why| Trouble::Folder { path: around.data.clone(), why: why.to_string() })?;
    let screen = Screen::new(around);
    let outcome = runtime.block_on(async {
        if order.stops_by_itself() {
            return order.run(around, &screen).await;
        }
        let interrupted = interrupted();
        tokio::select! {
            biased;
            outcome = order.run(around, &screen) => outcome,
            () = interrupted => Err(Trouble::Interrupted { under_way: screen.under_way() }),
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
