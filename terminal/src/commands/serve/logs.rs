//! Log lines of the server: for people or as JSON, on standard error, from a level on; and of other orders, where asked for.
//!
//! A level is a word (`info`), or words by room (`info,enza_runtime=debug`): `--log-level`, else `ENZA_LOG`. Lines never
//! carry what people or models said, nor a secret. With the feature `otel` the same spans go to a collector too.

use std::fs::File;
use std::io::{IsTerminal as _, stderr};
use std::sync::Mutex;

use tracing_subscriber::filter::{LevelFilter, Targets};
use tracing_subscriber::layer::{Layer as _, SubscriberExt as _};
use tracing_subscriber::util::SubscriberInitExt as _;

use crate::arguments::{LogForm, Serve};
use crate::environment::{self, Environment};
use crate::trouble::Trouble;

/// What is logged where nothing was said: what went wrong, and what someone should know.
const USUAL: &str = "warn";

/// Keeps the logs going; what is still to be sent is sent when it goes.
pub struct Logs {
    _traces: Option<super::traces::Traces>,
}

/// A level, or levels by room. A room without a level is most likely a level that was mistyped.
fn read(level: &str) -> Option<Targets> {
    let each_has_one = level.split(',').all(|part| {
        let word = part.rsplit('=').next().unwrap_or(part);
        word.trim().parse::<LevelFilter>().is_ok()
    });
    level.parse().ok().filter(|_| each_has_one)
}

/// Starts writing log lines.
pub fn start(order: &Serve, around: &Environment) -> Result<Logs, Trouble> {
    let level = order.log_level.clone().or_else(asked_for).unwrap_or(USUAL.to_owned());
    let wanted = read(&level).ok_or(Trouble::LogLevel { level })?;
    let colour = around.colour && stderr().is_terminal();
    let lines = match order.log {
        LogForm::Human => tracing_subscriber::fmt::layer().with_ansi(colour).with_writer(stderr).boxed(),
        LogForm::Json => tracing_subscriber::fmt::layer().json().with_writer(stderr).boxed(),
    };
    let traces = super::traces::Traces::open(order)?;
    let registry = tracing_subscriber::registry().with(lines.with_filter(wanted));
    match &traces {
        Some(traces) => registry.with(traces.layer()).init(),
        None => registry.init(),
    }
    Ok(Logs { _traces: traces })
}

/// Starts writing log lines where `ENZA_LOG` asks for them, on standard error. Where that is the screen at which someone
/// types, they would stand in the middle of the words: there they go into a file of this name.
pub fn where_asked(around: &Environment, name: &str) -> Result<(), Trouble> {
    let Some(level) = asked_for() else { return Ok(()) };
    let wanted = read(&level).ok_or(Trouble::LogLevel { level })?;
    let lines = tracing_subscriber::fmt::layer().with_ansi(false);
    let lines = match around.attended && stderr().is_terminal() {
        true => lines.with_writer(Mutex::new(file(around, name)?)).boxed(),
        false => lines.with_writer(stderr).boxed(),
    };
    tracing_subscriber::registry().with(lines.with_filter(wanted)).init();
    Ok(())
}

fn asked_for() -> Option<String> {
    environment::variable("ENZA_LOG")?.into_string().ok().filter(|level| !level.is_empty())
}

fn file(around: &Environment, name: &str) -> Result<File, Trouble> {
    let folder = around.data.join("logs");
    let path = folder.join(format!("{name}.log"));
    crate::files::private_folder(&folder)
        .and_then(|()| File::options().create(true).append(true).open(&path))
        .map_err(|why| Trouble::Folder { path, why: why.to_string() })
}
